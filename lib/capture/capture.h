/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* capture.h - the parts of the recorder: the ring, windows in it, and the files */
#ifndef CAPTURE_CAPTURE_H
#define CAPTURE_CAPTURE_H

#include <ktrail/capture.h>

#include "base/moment.h"
#include "base/str.h"
#include "when/watch.h"

/* note.c */
void note_add_text(const struct kt_capture_note *n, struct str *s);

/* windows.c: windows from their first cause until their files are written */
#define WINDOWS 32
struct windows {
	struct kt_capture_note at[WINDOWS];
	size_t nr;
};

/* Add @cause to a window that overlaps its own. False: there is none, or the window would be longer
 * than twice the usual length, which the ring could not hold. */
bool windows_join(struct windows *w, const struct kt_capture_opts *o, const struct kt_cause *cause);
/* Add a window; the caller has checked that there is room. */
void windows_open(struct windows *w, const struct kt_capture_opts *o, const struct kt_cause *cause);
/* The first window that ended by @taken, when the ring was last taken; w->nr: none */
size_t windows_taken(const struct windows *w, uint64_t taken);
/* When to take the ring: all windows are complete, and the first is not overwritten yet. The ring
 * holds more than twice @span. UINT64_MAX: there are no windows */
uint64_t windows_due(const struct windows *w, uint64_t taken, uint64_t span);
/* The recording ended at @taken. */
void windows_end(struct windows *w, uint64_t taken);
void windows_forget(struct windows *w, size_t i);

/* look.c: looks become rarer while nothing changes, but one comes before tables are full */
struct look {
	uint64_t at, last;		/* times of the next and the last look */
	uint64_t ns;			/* time between two looks */
	unsigned int entries;		/* used in the fullest table at the last look */
};

void look_begin(struct look *l, uint64_t now);
/* Call after a look at @now. @has_grown: the ring was enlarged. @entries: used in the kernel's
 * fullest table, 0: none */
void look_again(struct look *l, uint64_t now, bool has_grown, unsigned int entries);

/* ring.c: the buffer that windows are cut from, and the parts taken from it recently */
struct part {
	char *path;			/* a recording, not compressed */
	uint64_t since, until;		/* it holds all events of this time */
	uint64_t end;			/* and some up to here, which the next part lacks */
	bool *overwrote;		/* for each CPU: old events were overwritten */
};

/* The kernel records nothing while it resizes a buffer; each resize at least doubles it. */
struct hole {
	uint64_t from, until;
};
#define HOLES 48

struct ring {
	struct kt_instance *inst;	/* borrowed */
	const char *dir;		/* folder for the parts; borrowed */
	uint64_t bound_kb, kb;		/* per CPU: largest size, current size */
	int *cpus, nr_cpus;
	uint64_t *events;		/* for each CPU: total written at the last look */
	uint64_t looked;		/* time of the last look */
	uint64_t *overruns;		/* for each CPU: at the time @taken */
	uint64_t taken;			/* when the ring was last taken; at first, when it began */
	struct part *parts;		/* each begins where the previous one ends */
	size_t nr_parts;
	unsigned int number;		/* of the next part */
	struct hole holes[HOLES];	/* since the ring began */
	size_t nr_holes;
};

/* @dir: a folder for the parts; borrowed */
int  ring_open(struct ring *r, struct kt_instance *inst, const char *dir, uint64_t memory,
	       struct kt_err *err);
void ring_close(struct ring *r);
/* The ring begins now. */
void ring_begin(struct ring *r);
/* Enlarge it if @span ns of events would not fit; returns true then. */
bool ring_fit(struct ring *r, uint64_t span);
/* Take its content up to r->taken as one more part, while it goes on recording. Removes parts
 * that ended before @oldest. */
int  ring_take(struct ring *r, uint64_t oldest, struct kt_err *err);

/* window.c: write the window of @note from the parts of @ring to a new file @path */
int window_write(const struct ring *ring, const char *path, struct kt_capture_note *note,
		 struct kt_capture_file *out, struct kt_err *err);

/* store.c: the names of the files */
struct store {
	char *dir, *name;		/* files are DIR/NAME-0001.dat */
	unsigned int next;
	uint64_t keep, max_disk, min_free;
	char *path;			/* from the last store_next() */
	char *removed;			/* the last file removed by store_trim(); NULL: none */
	uint64_t nr_removed;
};

int  store_open(struct store *s, const struct kt_capture_opts *o, struct kt_err *err);
void store_close(struct store *s);
/* New "DIR/NAME-REST", NULL: no memory */
char *store_path(const struct store *s, const char *rest);
/* The path of the next file; borrowed until the next call. NULL: no memory */
const char *store_next(struct store *s);
/* The file is complete: remove the oldest files beyond the limits. */
void store_trim(struct store *s);
/* The number of existing files, and their size on disk */
void store_count(const struct store *s, uint64_t *nr, uint64_t *bytes);
/* Is there room for a file, and for @ring bytes in the folder @temporary? If not, sets @why */
bool store_has_room(const struct store *s, const char *temporary, uint64_t ring, char *why,
		    size_t size);

/* alike.c: captures that are like an earlier one */
struct alike;

/* The list of @store: new (alike_close), NULL with @err set */
struct alike *alike_open(const struct store *store, struct kt_err *err);
void alike_close(struct alike *a);
/*
 * Is the new capture in file @path like an earlier one, whose file still exists? Returns a text
 * with the name of that file and how many such captures followed it, borrowed until the next
 * call. NULL: there is no such file; the new capture is remembered.
 */
const char *alike_find(struct alike *a, const struct kt_capture_note *note, const char *path);

/* status.c */
struct status {
	const struct kt_when *when;
	const struct kt_capture_opts *opts;
	const struct store *store;
	const char *instance;
	struct kt_capture_stats stats;
};

/* The name of the socket of this process's @i-th recorder */
void status_door(char *name, size_t size, unsigned int i);
/* Is this a question to the recorder with that name? */
bool status_is_asked(const char *ask, const char *name, enum kt_capture_form *form);
/* New text, NULL: no memory */
char *status_text(const struct status *s, enum kt_capture_form form);

#endif
