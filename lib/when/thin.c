/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* thin.c - a second buffer with only the events of conditions, and how it is evaluated */
#include "when/thin.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/str.h"
#include "base/threads.h"
#include "base/units.h"
#include "latency/subject.h"

#define BATCH 4096

bool thin_is_needed(const struct kt_when *w)
{
	size_t i;

	for (i = 0; i < w->nr; i++)
		if (thin_has(w->atoms[i]))
			return true;
	return false;
}

/* Does a row of these kinds need a symbol (function, lock)? Not if the kernel compares it. */
static bool has_addresses(const struct atom *a)
{
	switch (kt_latency_subject_kind(a->subject)) {
	case KT_LATENCY_SLEEP: case KT_LATENCY_WORK_WAIT: case KT_LATENCY_WORK:
	case KT_LATENCY_LOCK: case KT_LATENCY_TIMER: case KT_LATENCY_FAULT: case KT_LATENCY_CALL:
		return a->place != KT_WHEN_IN_KERNEL;
	default:
		return false;
	}
}

/* Reading the symbols takes longer than everything else. */
static bool needs_symbols(const struct kt_when *w)
{
	const struct atom *a;
	size_t i;

	for (i = 0; i < w->nr; i++) {
		a = w->atoms[i];
		if (a->kind == ATOM_EVENT || a->kind == ATOM_FUNCTION ||
		    (a->kind == ATOM_LATENCY && has_addresses(a)))
			return true;
	}
	return false;
}

/* @follow: from now on; otherwise the present content, once */
static int record(struct thin *t, bool follow, struct kt_err *err)
{
	enum kt_rec_kallsyms symbols = follow ? KT_REC_KALLSYMS_ALL : KT_REC_KALLSYMS_USED;
	const struct kt_rec_opts o = {
		.compression = "none", .follow = follow, .goes_on = !follow,
		.observe = !follow, .hurry = !follow && thread_hurry(),
		.kallsyms = needs_symbols(t->when) ? symbols : KT_REC_KALLSYMS_NONE,
	};
	int ret;

	t->rec = kt_rec_create(t->path, &o, err);
	ret = t->rec ? kt_rec_add_as(t->rec, t->inst, "", err) : kt_err_code(err, -ENOMEM);
	if (ret == 0)
		ret = kt_rec_start(t->rec, err);
	if (o.hurry)
		thread_hurry_no_more();
	return ret;
}

/* Any event of any CPU makes this file readable. It is never read. */
static int open_bell(struct thin *t, struct kt_err *err)
{
	char *path = kt_instance_path(t->inst, "trace_pipe");

	t->bell_fd = path ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
	free(path);
	return t->bell_fd < 0 ? kt_err_set(err, -errno, "cannot open trace_pipe: %s",
					   strerror(errno)) : 0;
}

/* ---- causes ---- */

static const char *name_of(const struct thin *t, int pid)
{
	const char *comm = kt_trace_comm_known(t->trace, 0, pid);

	return comm ? comm : "<...>";
}

/* Text of a trace goes into a note of one line. */
static void take_text(struct kt_cause *c, const struct str *s)
{
	kt_escape(c->text, sizeof(c->text), s->buf, s->len);
}

/* Saving a file makes ktrail's own tasks wait: a capture would cause the next one. */
static bool is_own(const struct kt_latency_subject *subject, const char *comm)
{
	enum kt_latency_kind kind = kt_latency_subject_kind(subject);

	return (kind <= KT_LATENCY_RUN || kind == KT_LATENCY_SYSCALL) &&
	       (strcmp(comm, "ktrail") == 0 || str_starts(comm, "ktrail/")) &&
	       !subject_chooses_tasks(subject);
}

static void tell_latency(struct watch *w, const struct kt_latency *one, const char *comm)
{
	const struct kt_latency_subject *subject = w->atom->subject;
	enum kt_latency_kind kind = kt_latency_subject_kind(subject);
	struct kt_cause c = { .at = one->until, .from = one->from, .pid = one->pid,
			      .cpu = one->cpu };
	const char *name = subject_name(subject);
	struct str s = STR_INIT;
	char took[32];

	if (is_own(subject, comm))
		return;
	str_add(&s, kind == KT_LATENCY_PAIR ? kt_latency_subject_text(subject) :
		    kt_latency_kind_name(kind));
	if (name)
		str_addf(&s, " %s", name);
	str_addf(&s, " of %s:%d took %s", comm, one->pid,
		 units_format_time(one->until - one->from, took));
	take_text(&c, &s);
	str_fini(&s);
	w->thin->fire(w->thin->data, w->atom, &c);
}

static int take_latency(void *data, enum kt_latency_kind kind, uint64_t key,
			const struct kt_latency *one)
{
	struct watch *w = data;

	(void)kind;
	(void)key;
	if (compare_holds(w->atom->sign, (int64_t)(one->until - one->from), (int64_t)w->atom->ns))
		tell_latency(w, one, name_of(w->thin, one->pid));
	return 0;
}

/* The text of an event without the line end; for a marker, the written text */
static void add_event(struct thin *t, struct str *s, const struct kt_event *ev,
		      const struct kt_record *rec, bool marker)
{
	const struct kt_field *f = marker ? kt_event_field(ev, "buf") : NULL;
	struct kt_out *out = kt_out_create();
	struct kt_blob written;

	if (f && kt_field_bytes(ev, f, rec, &written) == 0) {
		str_addn(s, written.data, strnlen(written.data, written.size));
	} else if (out && !marker) {
		kt_event_text(kt_trace_events(t->trace, 0), ev, rec, out);
		str_addn(s, kt_out_data(out), kt_out_len(out));
	}
	kt_out_destroy(out);
}

static void take_event(struct watch *w, const struct kt_event *ev)
{
	struct kt_trace *t = w->thin->trace;
	const struct kt_task task = kt_trace_task(t, w->rec);
	struct kt_cause c = { .at = w->rec->ts, .from = w->rec->ts, .pid = task.pid,
			      .cpu = kt_trace_source(t, w->rec)->cpu };
	bool marker = w->atom->kind == ATOM_MARKER;
	struct str text = STR_INIT, s = STR_INIT;
	const char *what;

	add_event(w->thin, &text, ev, w->rec, marker);
	what = str_trim(text.buf);
	if (!marker || atom_has_text(w->atom, what)) {
		str_addf(&s, "%s of %s:%d: %s", marker ? "marker" : ev->name,
			 name_of(w->thin, task.pid), task.pid, what);
		take_text(&c, &s);
		w->thin->fire(w->thin->data, w->atom, &c);
	}
	str_fini(&text);
	str_fini(&s);
}

static bool is_marker(const struct kt_event *ev)
{
	return strcmp(ev->system, "ftrace") == 0 && strcmp(ev->name, "print") == 0;
}

static bool has_type(const struct watch *w, uint16_t type)
{
	return w->types[type / 64] >> type % 64 & 1;
}

/* Measured by the kernel */
static void see_measured(struct watch *w, const struct kt_event *ev)
{
	struct kt_latency one;
	char comm[17];

	if (kernel_read(w->atom, w->thin->trace, ev, w->rec, &one, comm))
		tell_latency(w, &one, *comm ? comm : name_of(w->thin, one.pid));
}

/* Other functions may be in the buffer if another condition names them. */
static bool is_call_of(const struct watch *w, const struct kt_event *ev)
{
	const struct kt_field *f = kt_event_field(ev, "ip");
	struct kt_symbol sym;
	uint64_t ip;

	return strcmp(ev->system, "ftrace") == 0 && strcmp(ev->name, "function") == 0 && f &&
	       kt_field_u64(ev, f, w->rec, &ip) == 0 &&
	       (kt_symbols_find(kt_trace_symbols(w->thin->trace, 0), ip, &sym) <= 0 ||
		fnmatch(w->atom->name, sym.name, 0) == 0);
}

static bool is_meant(struct watch *w, const struct kt_event *ev)
{
	switch (w->atom->kind) {
	case ATOM_MARKER:
		return is_marker(ev);
	case ATOM_FUNCTION:
		return is_call_of(w, ev);
	default:
		return has_type(w, w->rec->type) && kt_filter_match(w->filter, w->rec);
	}
}

static int see(struct watch *w, const struct kt_event *ev, const struct kt_record *rec,
	       struct kt_err *err)
{
	struct kt_analysis *a;

	w->rec = rec;
	if (w->atom->kind == ATOM_LATENCY && !w->table) {
		see_measured(w, ev);
		return 0;
	}
	if (w->atom->kind == ATOM_LATENCY) {
		a = kt_latency_table_analysis(w->table);
		if (rec->lost && a->lost)
			a->lost(a, rec);
		return has_type(w, rec->type) ? a->record(a, ev, rec, err) : 0;
	}
	if (is_meant(w, ev))
		take_event(w, ev);
	return 0;
}

/* ---- the recording as it grows ---- */

static void forget_watches(struct thin *t)
{
	while (t->nr) {
		kt_latency_table_destroy(t->watches[--t->nr].table);
		kt_filter_destroy(t->watches[t->nr].filter);
	}
	free(t->watches);
	t->watches = NULL;
}

static int watch_latency(struct watch *w, struct kt_err *err)
{
	struct kt_latency_subject *subject = w->atom->subject;
	struct kt_latency_opts o = {
		.kinds = 1u << kt_latency_subject_kind(subject), .subjects = &w->atom->subject,
		.nr_subjects = 1, .each = take_latency, .data = w,
	};
	struct kt_analysis *a;
	int ret = kt_latency_subject_steps(subject, w->thin->trace, &o.steps, &o.nr_steps, err);

	w->table = ret < 0 ? NULL : kt_latency_table_create(w->thin->trace, &o, err);
	if (!w->table)
		return kt_err_code(err, -ENOMEM);
	a = kt_latency_table_analysis(w->table);
	if (a->types)
		a->types(a, 0, w->types);
	else
		memset(w->types, 0xff, sizeof(w->types));
	return 0;
}

static int watch_event(struct watch *w, struct kt_err *err)
{
	w->filter = subject_filter(w->thin->trace, w->atom->name, w->atom->more, err);
	if (!w->filter)
		return kt_err_code(err, -ENOMEM);
	kt_filter_types(w->filter, 0, w->types);
	return 0;
}

static int make_watches(struct thin *t, struct kt_err *err)
{
	struct kt_when *when = t->when;
	size_t i;
	int ret = 0;

	forget_watches(t);
	t->watches = calloc(when->nr, sizeof(*t->watches));
	if (!t->watches)
		return kt_err_no_memory(err);
	for (i = 0; ret == 0 && i < when->nr; i++) {
		struct watch *w = &t->watches[t->nr];

		if (!thin_has(when->atoms[i]))
			continue;
		*w = (struct watch){ .thin = t, .atom = when->atoms[i] };
		t->nr++;
		if (w->atom->kind == ATOM_LATENCY && !thin_is_measured(w->atom))
			ret = watch_latency(w, err);
		else if (w->atom->kind == ATOM_EVENT)
			ret = watch_event(w, err);
		if (ret < 0)
			kt_err_wrap(err, ret, "'%s'", w->atom->text);
	}
	return ret;
}

/* The recording as it is now. A pending latency is lost if formats or a CPU were added. */
static int refresh(struct thin *t, struct kt_err *err)
{
	int ret = kt_trace_refresh(t->trace, err);

	if (ret <= 0)
		return ret;
	forget_watches(t);
	ret = kt_trace_reopen(t->trace, err);
	return ret < 0 ? ret : make_watches(t, err);
}

static int read_until(struct thin *t, uint64_t until, struct kt_err *err)
{
	const struct kt_record *rec, *end;
	const struct kt_event *ev;
	bool over = false;
	int ret = 0;
	size_t i;

	while (!over) {
		ret = kt_stream_read(kt_trace_stream(t->trace), t->batch, err);
		if (ret <= 0)
			return ret;
		rec = kt_batch_records(t->batch);
		for (end = rec + ret; rec < end && rec->ts <= until; rec++) {
			ev = kt_trace_event(t->trace, rec);
			for (i = 0; ev && i < t->nr; i++) {
				ret = see(&t->watches[i], ev, rec, err);
				if (ret < 0)
					return ret;
			}
		}
		over = rec < end;
	}
	return 0;
}

static int open_trace(struct thin *t, struct kt_err *err)
{
	int ret;

	t->trace = kt_trace_create();
	ret = t->trace ? kt_trace_add(t->trace, t->path, NULL, err) : kt_err_no_memory(err);
	return ret < 0 ? ret : make_watches(t, err);
}

static uint64_t lost_by(struct kt_rec *rec)
{
	struct kt_rec_stats s;

	return rec && kt_rec_stats(rec, &s, NULL) == 0 ? s.lost + s.dropped : 0;
}

static void forget_recording(struct thin *t)
{
	forget_watches(t);
	kt_trace_destroy(t->trace);
	t->trace = NULL;
	t->lost += lost_by(t->rec);
	kt_rec_destroy(t->rec);
	t->rec = NULL;
}

/* Record the present content, and evaluate each event by itself */
static int take_all(struct thin *t, struct kt_err *err)
{
	int ret = record(t, false, err);

	if (ret < 0)
		return ret;
	ret = kt_rec_stop(t->rec, err);
	if (ret < 0)
		return ret;
	ret = kt_rec_finish(t->rec, err);
	if (ret < 0)
		return ret;
	ret = open_trace(t, err);
	return ret < 0 ? ret : read_until(t, UINT64_MAX, err);
}

/* 1: the bell has rung */
static int read_rung(struct thin *t, struct kt_err *err)
{
	struct pollfd bell = { .fd = t->bell_fd, .events = POLLIN };
	int ret;

	if (poll(&bell, 1, 0) <= 0)
		return 0;
	ret = take_all(t, err);
	forget_recording(t);
	return ret < 0 ? ret : 1;
}

int thin_read(struct thin *t, uint64_t now, struct kt_err *err)
{
	int ret;

	if (t->bell_fd >= 0)
		return read_rung(t, err);
	ret = kt_rec_sync(t->rec, err);
	if (ret < 0)
		return ret;
	ret = refresh(t, err);
	if (ret < 0)
		return ret;
	ret = read_until(t, now, err);
	if (ret < 0)
		return ret;
	ret = kt_trace_note_read(t->trace, now, err);
	return ret < 0 ? ret : 1;
}

int thin_bell(const struct thin *t)
{
	return t->bell_fd;
}

unsigned int thin_entries(const struct thin *t)
{
	return kernel_entries(t->inst, t->when);
}

uint64_t thin_lost(const struct thin *t)
{
	return t->lost + lost_by(t->rec);
}

static bool is_rung(const struct kt_when *w)
{
	size_t i;

	for (i = 0; i < w->nr; i++)
		if (thin_has(w->atoms[i]) && !atom_is_event(w->atoms[i]))
			return false;
	return true;
}

static int begin(struct thin *t, const char *name, struct kt_err *err)
{
	int ret;

	t->batch = kt_batch_create(BATCH);
	if (!t->batch)
		return kt_err_no_memory(err);
	t->dir = kt_temp_open("/dev/shm", "ktrail-capture", err);
	if (!t->dir)
		return kt_err_code(err, -ENOMEM);
	snprintf(t->path, sizeof(t->path), "%s/when.dat", kt_temp_path(t->dir));
	ret = thin_set_up(t, name, err);
	if (ret < 0)
		return ret;
	if (is_rung(t->when))
		return open_bell(t, err);
	ret = record(t, true, err);
	return ret < 0 ? ret : open_trace(t, err);
}

struct thin *thin_open(struct kt_when *w, const char *name, fire_fn *fire, void *data,
		       struct kt_err *err)
{
	struct thin *t = calloc(1, sizeof(*t));

	if (!t) {
		kt_err_no_memory(err);
		return NULL;
	}
	t->when = w;
	t->fire = fire;
	t->data = data;
	t->bell_fd = -1;
	if (begin(t, name, err) == 0)
		return t;
	thin_close(t);
	return NULL;
}

void thin_close(struct thin *t)
{
	if (!t)
		return;
	if (t->inst)
		kt_instance_poke(t->inst, "tracing_on", "0", NULL);
	if (t->rec)
		kt_rec_stop(t->rec, NULL);
	forget_recording(t);
	kt_batch_destroy(t->batch);
	if (t->bell_fd >= 0)
		close(t->bell_fd);
	thin_tear_down(t);
	kt_temp_close(t->dir);
	free(t);
}
