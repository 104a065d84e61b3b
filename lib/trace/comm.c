/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* comm.c - the task names of one file: from saved_cmdlines, then from the events */
#include "trace/comm.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/stream.h>

#include "base/str.h"

/*
 * The kernel remembers 128 names by default, so in a busy trace saved_cmdlines lacks many tasks.
 * Events name them, and the last name wins, since a new task has the name of its parent until it
 * calls exec. Reading a whole trace takes too long, so "last" refers to the first SCAN_AHEAD
 * records. After these, the first name of a pid counts, and the scan continues only as far as
 * needed. So a lookup has the same result at any time. A trace whose first records have no names
 * (function tracing) is not scanned further.
 */
#define SCAN_AHEAD (1u << 20)
#define SCAN_BATCH 4096
#define COMM_MAX   15		/* TASK_COMM_LEN of the kernel, without the NUL */
#define MAX_PAIRS  3
#define MAX_NAMING 250

struct former {			/* a replaced name that a caller may still use */
	struct former *next;
	char *comm;
};

struct name {
	int   pid;
	char *comm;		/* NULL: the slot is free */
	bool  given;		/* a caller has it */
	bool  saved;		/* from saved_cmdlines: never replaced */
};

/* An event that names tasks, and the fields with the names */
struct naming {
	const struct kt_event *ev;
	size_t nr;
	bool   is_path;		/* the name is the last component of a path */
	const struct kt_field *pid[MAX_PAIRS], *comm[MAX_PAIRS];
};

enum { TYPE_NEW, TYPE_SILENT, TYPE_NAMING };	/* TYPE_NAMING + index */

struct comms {
	struct kt_file   *file;
	struct kt_events *events;
	pthread_mutex_t   lock;		/* for the scan; taken before @table */
	pthread_mutex_t   table;	/* for the names, held briefly; hold both to change them */
	bool loaded;			/* saved_cmdlines were read */

	struct name *names;		/* open addressing, a power of two */
	size_t nr, cap;
	struct former *former;

	struct kt_stream *stream;	/* the scan, NULL: not started */
	struct kt_batch  *batch;
	uint64_t scanned, scanned_to;	/* records, and the time of the last one */
	bool scan_over, found_any;
	uint8_t types[1 << 16];
	struct naming naming[MAX_NAMING];
	size_t nr_naming;
};

struct comms *comms_create(struct kt_file *file, struct kt_events *events)
{
	struct comms *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->file = file;
	c->events = events;
	pthread_mutex_init(&c->lock, NULL);
	pthread_mutex_init(&c->table, NULL);
	return c;
}

void comms_destroy(struct comms *c)
{
	struct former *former;
	size_t i;

	if (!c)
		return;
	kt_batch_destroy(c->batch);
	kt_stream_destroy(c->stream);
	for (i = 0; i < c->cap; i++)
		free(c->names[i].comm);
	while ((former = c->former)) {
		c->former = former->next;
		free(former->comm);
		free(former);
	}
	free(c->names);
	pthread_mutex_destroy(&c->table);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

/* ---- the table ---- */

static struct name *slot_of(struct name *names, size_t cap, int pid)
{
	size_t i = ((uint32_t)pid * 2654435761u) & (cap - 1);

	while (names[i].comm && names[i].pid != pid)
		i = (i + 1) & (cap - 1);
	return &names[i];
}

static bool grow(struct comms *c)
{
	size_t i, cap = c->cap ? 2 * c->cap : 256;
	struct name *names = calloc(cap, sizeof(*names));

	if (!names)
		return false;
	for (i = 0; i < c->cap; i++)
		if (c->names[i].comm)
			*slot_of(names, cap, c->names[i].pid) = c->names[i];
	free(c->names);
	c->names = names;
	c->cap = cap;
	return true;
}

static const struct name *find(const struct comms *c, int pid)
{
	const struct name *n = c->cap ? slot_of(c->names, c->cap, pid) : NULL;

	return n && n->comm ? n : NULL;
}

/* A caller that got the name may use it as long as the trace exists. False: no memory */
static bool release(struct comms *c, struct name *n)
{
	struct former *f;

	if (!n->given) {
		free(n->comm);
		return true;
	}
	f = malloc(sizeof(*f));
	if (!f)
		return false;
	*f = (struct former){ c->former, n->comm };
	c->former = f;
	return true;
}

/* If memory runs out, only the name is lost. */
static void put(struct comms *c, int pid, const char *comm, size_t len, bool saved)
{
	struct name *n;
	bool is_new;
	char *copy;

	if (!len || (2 * c->nr >= c->cap && !grow(c)))
		return;
	n = slot_of(c->names, c->cap, pid);
	if (n->comm && strlen(n->comm) == len && memcmp(n->comm, comm, len) == 0)
		return;
	is_new = !n->comm;
	copy = strndup(comm, len);
	if (!copy || (n->comm && !release(c, n))) {
		free(copy);
		return;
	}
	c->nr += is_new;
	*n = (struct name){ .pid = pid, .comm = copy, .saved = saved };
}

/* ---- saved_cmdlines: "pid comm" on each line; a comm may contain spaces ---- */

static void take_saved(struct comms *c, const char *text, size_t size)
{
	const char *p, *end, *eol, *comm;
	long pid;
	char *rest;

	for (p = text, end = p + size; p < end; p = eol + 1) {
		eol = memchr(p, '\n', end - p);
		if (!eol)
			eol = end;
		pid = strtol(p, &rest, 10);	/* the text ends with a NUL */
		comm = rest + 1;
		if (rest == p || rest >= eol || *rest != ' ' || pid < 0 || pid > INT32_MAX)
			continue;
		put(c, pid, comm, eol - comm, true);
	}
}

static void load_saved(struct comms *c)
{
	struct kt_blob text;

	if (c->loaded)
		return;
	c->loaded = true;
	if (kt_file_meta(c->file, KT_META_CMDLINES, &text, NULL) == 0)
		take_saved(c, text.data, text.size);
}

/* ---- names from events ---- */

static const char *const pairs[][2] = {
	{ "prev_pid", "prev_comm" }, { "next_pid", "next_comm" },
	{ "parent_pid", "parent_comm" }, { "child_pid", "child_comm" },
	{ "pid", "newcomm" }, { "pid", "comm" },
};

static void add_pair(struct naming *n, const char *pid_name, const char *comm_name)
{
	const struct kt_field *pid = kt_event_field(n->ev, pid_name);
	const struct kt_field *comm = kt_event_field(n->ev, comm_name);

	if (!pid || !comm || !(comm->flags & KT_FIELD_STRING) || n->nr == MAX_PAIRS)
		return;
	n->pid[n->nr] = pid;
	n->comm[n->nr++] = comm;
}

static uint8_t classify(struct comms *c, unsigned int type)
{
	struct naming n = { .ev = kt_events_by_id(c->events, type) };
	size_t i;

	if (!n.ev || c->nr_naming == MAX_NAMING)
		return TYPE_SILENT;
	n.is_path = strcmp(n.ev->name, "sched_process_exec") == 0;
	if (n.is_path)
		add_pair(&n, "pid", "filename");
	else
		for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
			add_pair(&n, pairs[i][0], pairs[i][1]);
	if (!n.nr)
		return TYPE_SILENT;
	c->naming[c->nr_naming] = n;
	return TYPE_NAMING + c->nr_naming++;
}

static void learn(struct comms *c, const struct naming *n, size_t i, const struct kt_record *rec)
{
	const struct name *known;
	struct kt_blob comm;
	const char *slash;
	int64_t pid;

	if (kt_field_i64(n->ev, n->pid[i], rec, &pid) < 0 || pid <= 0 || pid > INT32_MAX ||
	    kt_field_bytes(n->ev, n->comm[i], rec, &comm) < 0)
		return;
	slash = n->is_path ? memrchr(comm.data, '/', comm.size) : NULL;
	if (slash) {
		comm.size -= slash + 1 - comm.data;
		comm.data = slash + 1;
	}
	known = find(c, pid);
	if (known && (known->saved || c->scanned >= SCAN_AHEAD))
		return;
	put(c, pid, comm.data, comm.size < COMM_MAX ? comm.size : COMM_MAX, false);
	c->found_any = true;
}

static void scan_record(struct comms *c, const struct kt_record *rec)
{
	uint8_t *type = &c->types[rec->type];
	const struct naming *n;
	size_t i;

	if (*type == TYPE_NEW)
		*type = classify(c, rec->type);
	if (*type == TYPE_SILENT)
		return;
	n = &c->naming[*type - TYPE_NAMING];
	for (i = 0; i < n->nr; i++)
		learn(c, n, i, rec);
}

static bool scan_begin(struct comms *c)
{
	c->stream = kt_stream_create();
	c->batch = kt_batch_create(SCAN_BATCH);
	if (!c->stream || !c->batch || kt_stream_add(c->stream, c->file, NULL, NULL) < 0)
		return false;
	return !c->scanned || kt_stream_seek(c->stream, c->scanned_to + 1, NULL) == 0;
}

static void scan_end(struct comms *c)
{
	kt_batch_destroy(c->batch);
	kt_stream_destroy(c->stream);
	c->batch = NULL;
	c->stream = NULL;
	c->scan_over = true;
}

/* Scans one batch; stops at the end of the trace, or when more scanning is useless. */
static void scan_some(struct comms *c)
{
	const struct kt_record *recs;
	int i, nr;

	if (!c->stream && !scan_begin(c)) {
		scan_end(c);
		return;
	}
	nr = kt_stream_read(c->stream, c->batch, NULL);
	recs = kt_batch_records(c->batch);
	pthread_mutex_lock(&c->table);
	for (i = 0; i < nr; i++)
		scan_record(c, &recs[i]);
	pthread_mutex_unlock(&c->table);
	if (nr > 0) {
		c->scanned += nr;
		c->scanned_to = recs[nr - 1].ts;
	}
	if (nr <= 0 || (c->scanned >= SCAN_AHEAD && !c->found_any))
		scan_end(c);
}

void comms_take_growth(struct comms *c, const char *saved, size_t size)
{
	size_t i;

	pthread_mutex_lock(&c->lock);
	/* From now on, names that callers have may be replaced. */
	for (i = 0; i < c->cap; i++)
		c->names[i].given = true;
	scan_end(c);
	c->scan_over = c->scanned >= SCAN_AHEAD && !c->found_any;
	pthread_mutex_lock(&c->table);
	take_saved(c, saved, size);
	pthread_mutex_unlock(&c->table);
	pthread_mutex_unlock(&c->lock);
}

static const char *lookup(struct comms *c, int pid)
{
	const struct name *n;

	pthread_mutex_lock(&c->table);
	load_saved(c);
	pthread_mutex_unlock(&c->table);
	n = find(c, pid);
	if (n && n->saved)
		return n->comm;
	while (!c->scan_over && (c->scanned < SCAN_AHEAD || !find(c, pid)))
		scan_some(c);
	n = find(c, pid);
	return n ? n->comm : NULL;
}

const char *comms_find(struct comms *c, int pid)
{
	const char *comm;

	if (pid == 0)
		return "<idle>";
	pthread_mutex_lock(&c->lock);
	comm = lookup(c, pid);
	pthread_mutex_unlock(&c->lock);
	return comm;
}

const char *comms_known(struct comms *c, int pid)
{
	const char *comm = NULL;
	struct name *n;

	if (pid == 0)
		return "<idle>";
	pthread_mutex_lock(&c->table);
	load_saved(c);
	n = (struct name *)find(c, pid);
	if (n) {
		n->given = true;
		comm = n->comm;
	}
	pthread_mutex_unlock(&c->table);
	return comm;
}

int comms_learn(struct comms *c)
{
	int more;

	pthread_mutex_lock(&c->lock);
	if (!c->scan_over)
		scan_some(c);
	more = !c->scan_over;
	pthread_mutex_unlock(&c->lock);
	return more;
}

/* Called with the lock held */
static void load_all(struct comms *c)
{
	pthread_mutex_lock(&c->table);
	load_saved(c);
	pthread_mutex_unlock(&c->table);
	while (!c->scan_over && c->scanned < SCAN_AHEAD)
		scan_some(c);
}

const char *comms_nearest(struct comms *c, const char *name)
{
	const char **names, *near = NULL;
	size_t i, nr = 0;

	pthread_mutex_lock(&c->lock);
	load_all(c);
	names = calloc(c->cap + 1, sizeof(*names));
	for (i = 0; names && i < c->cap; i++)
		if (c->names[i].comm)
			names[nr++] = c->names[i].comm;
	if (names)
		near = str_nearest(name, names);
	free(names);
	pthread_mutex_unlock(&c->lock);
	return near;
}

size_t comms_pids(struct comms *c, const char *name, int pids[], size_t max)
{
	size_t i, nr = 0;

	pthread_mutex_lock(&c->lock);
	load_all(c);
	for (i = 0; i < c->cap && nr < max; i++)
		if (c->names[i].comm && strcmp(c->names[i].comm, name) == 0)
			pids[nr++] = c->names[i].pid;
	pthread_mutex_unlock(&c->lock);
	return nr;
}

void comms_each(struct comms *c, void (*tell)(void *data, int pid, const char *comm), void *data)
{
	size_t i;

	pthread_mutex_lock(&c->table);
	load_saved(c);
	for (i = 0; i < c->cap; i++)
		if (c->names[i].comm)
			tell(data, c->names[i].pid, c->names[i].comm);
	pthread_mutex_unlock(&c->table);
}
