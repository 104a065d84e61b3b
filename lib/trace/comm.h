/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* comm.h - names of the tasks of one file */
#ifndef TRACE_COMM_H
#define TRACE_COMM_H

#include <stddef.h>

#include <ktrail/event.h>

struct comms;

/* Both borrowed. Nothing is read yet. New (comms_destroy), NULL: no memory. */
struct comms *comms_create(struct kt_file *file, struct kt_events *events);
void comms_destroy(struct comms *c);

/* The file has grown, and has the names @saved now: the scan may go on. */
void comms_take_growth(struct comms *c, const char *saved, size_t size);

/* Borrowed until @c goes; NULL if nobody knows. Thread-safe. */
const char *comms_find(struct comms *c, int pid);

/* … without any reading; and some reading: 1, 0 when there is nothing more to learn */
const char *comms_known(struct comms *c, int pid);
int comms_learn(struct comms *c);

/* The pids that are known under @name up to now, saved_cmdlines and scan. Thread-safe. */
size_t comms_pids(struct comms *c, const char *name, int pids[], size_t max);
/* Each that is known up to now. Thread-safe. */
void comms_each(struct comms *c, void (*tell)(void *data, int pid, const char *comm), void *data);
/* What a mistake in @name was probably meant to be, among these; borrowed like the others */
const char *comms_nearest(struct comms *c, const char *name);

#endif
