/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* comm.h - the task names of one file */
#ifndef TRACE_COMM_H
#define TRACE_COMM_H

#include <stddef.h>

#include <ktrail/event.h>

struct comms;

/* Borrows both and reads nothing yet. New (comms_destroy), NULL: no memory. */
struct comms *comms_create(struct kt_file *file, struct kt_events *events);
void comms_destroy(struct comms *c);

/* The file has grown and has the names @saved now: the scan may continue. */
void comms_take_growth(struct comms *c, const char *saved, size_t size);

/* Borrowed until @c is destroyed; NULL if not known. Thread-safe. */
const char *comms_find(struct comms *c, int pid);

/* The same without reading */
const char *comms_known(struct comms *c, int pid);
/* Reads some records. 1: there may be more, 0: nothing is left to read */
int comms_learn(struct comms *c);

/* The pids currently known by @name, from saved_cmdlines and the scan. Thread-safe. */
size_t comms_pids(struct comms *c, const char *name, int pids[], size_t max);
/* All names currently known. Thread-safe. */
void comms_each(struct comms *c, void (*tell)(void *data, int pid, const char *comm), void *data);
/* The known name that a misspelt @name most likely means; borrowed like the others */
const char *comms_nearest(struct comms *c, const char *name);

#endif
