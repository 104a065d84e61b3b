/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched.h - shared by the verbs of `ktrail sched` */
#ifndef CMD_SCHED_H
#define CMD_SCHED_H

#include <ktrail/analysis.h>

#include "base/json.h"
#include "cmd/args/choose.h"

struct sched_args {
	struct choose choose;		/* first: CHOOSE_OPTS */
	const char *input, *sort;
	bool json, wide, merge, wakeups, migrations, summary, with_summary, state;
	uint64_t top;

	struct kt_trace *trace;
	struct kt_window window;	/* of the trace, for pictures over time */
	struct str out;			/* lines not yet written … */
	uint64_t lines;			/* … and the number of lines so far */
	void *of_verb;			/* the verb's own state */
};

/* One verb: the events it needs, and its output */
struct sched_verb {
	const char *const *sorts;	/* names; the first is the default. NULL: nothing to sort */
	uint64_t top;			/* rows, if --top is not given; 0: all */
	bool queues;
	int  (*each)(void *args, const struct kt_sched_event *ev, struct kt_err *err);
	void (*end)(void *of_verb);	/* optional: frees it */
	/* After the pass: a table, or print(). 0, -EPIPE or -ENOMEM */
	const struct sched_table *table;
	int  (*print)(struct sched_args *a, const struct kt_sched *s);
};

extern const struct sched_verb sched_latency, sched_timehist, sched_summary, sched_map,
			       sched_runqueue;

/* Do --pid and --comm include it? */
bool sched_chooses(void *args, size_t file, int pid);

/* "bash", "<idle>"; borrowed */
const char *sched_comm(const struct sched_args *a, size_t file, int pid);
/* "bash:42" */
void sched_add_task(struct str *s, const struct sched_args *a, size_t file, int pid);
/* Milliseconds with three digits, right-aligned */
void sched_add_ms(struct str *s, uint64_t ns, int width);

/* Write collected lines when there are many. 0, -EPIPE or -ENOMEM */
int  sched_write(struct sched_args *a, bool all);

/* A task, or all of one name */
struct sched_row {
	struct kt_sched_task t;
	unsigned int nr;
};

/* A table of the tasks that ran. Each call gets all rows; --top shows @shown of them. */
struct sched_table {
	int (*compare)(const void *x, const void *y, void *args);
	int (*text)(const struct sched_args *a, const struct kt_sched *s,
		    const struct sched_row *rows, size_t nr, size_t shown);
	int (*json)(const struct sched_args *a, const struct kt_sched *s,
		    const struct sched_row *rows, size_t nr, size_t shown);
};

/* How many of @nr rows --top shows */
size_t sched_shown(const struct sched_args *a, size_t nr);
/* "not counted: …" below a table, if anything was cut */
void sched_print_cut(const struct kt_sched *s);
/* "comm" and "pid" in an open object; the missing parts at the end of a document */
void sched_json_task(struct json *j, const struct sched_args *a, size_t file, int pid);
void sched_json_end(struct json *j, const struct kt_sched *s);

#endif
