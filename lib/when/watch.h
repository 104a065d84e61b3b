/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* watch.h - a second buffer, and sources outside the kernel, that make atoms come true */
#ifndef WHEN_WATCH_H
#define WHEN_WATCH_H

#include <poll.h>

#include "when/when.h"

/* An atom that has come true */
typedef void fire_fn(void *data, struct atom *atom, const struct kt_cause *cause);

/* thin.c: a second buffer with only the events of conditions. If each event is a cause, it is read
 * when one arrives. Latencies that the kernel does not measure are computed from all events, so it
 * is read periodically. */
struct thin;

bool thin_is_needed(const struct kt_when *w);
/* New (thin_close), or NULL with @err set */
struct thin *thin_open(struct kt_when *w, const char *name, fire_fn *fire, void *data,
		       struct kt_err *err);
void thin_close(struct thin *t);
/* A descriptor that becomes readable when it must be read; -1: read it after each tick */
int  thin_bell(const struct thin *t);
/* Evaluate all events up to @now. 1; 0: there were none */
int  thin_read(struct thin *t, uint64_t now, struct kt_err *err);
/* As kernel_entries(): from KERNEL_FULL on another thin_open() is needed. */
unsigned int thin_entries(const struct thin *t);
uint64_t thin_lost(const struct thin *t);

/* outside.c: files, fifos, sockets, pressure, control groups */
struct outside;

/* New (outside_close), or NULL with @err set */
struct outside *outside_open(struct kt_when *w, gid_t group, fire_fn *fire, void *data,
			     struct kt_err *err);
void outside_close(struct outside *o);
size_t outside_poll(const struct outside *o, struct pollfd *fds, size_t room);
void outside_polled(struct outside *o, const struct pollfd *fds, size_t nr);
/* Check all of them; does not block. */
void outside_look(struct outside *o);

#endif
