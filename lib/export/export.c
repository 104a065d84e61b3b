/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* export.c - the records of a trace, handed to the format that writes them */
#include "export/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/out.h"
#include "export/output.h"
#include "text/words.h"

#define TYPES 65536

/* ---- services for formats ---- */

const char *export_comm(struct export *x, size_t file, int pid)
{
	struct task_name *t = &x->tasks[((unsigned int)pid ^ file * 31) % EXPORT_TASKS];

	if (!t->comm || t->pid != pid || t->file != file)
		*t = (struct task_name){ file, pid, kt_trace_comm(x->trace, file, pid) };
	return t->comm;
}

int export_info(struct export *x, const struct kt_record *rec, struct kt_blob *text,
		struct kt_err *err)
{
	static const struct kt_text_opts plain = { .threads = 1 };

	if (!x->lines)
		x->lines = kt_text_create(x->trace, NULL, &plain, err);
	if (!x->info)
		x->info = kt_out_create();
	if (!x->lines || !x->info || text_put_info(x->lines, rec, x->info) < 0)
		return kt_err_no_memory(err);
	*text = (struct kt_blob){ .data = x->info->text.buf,
				  .size = x->info->text.len };
	return 0;
}

int export_flush(struct export *x, struct kt_err *err)
{
	int ret;

	if (x->text.failed)
		return kt_err_no_memory(err);
	if (!x->text.len)
		return 0;
	x->done.bytes += x->text.len;
	ret = output_write(x->out, x->text.buf, x->text.len, err);
	str_reset(&x->text);
	return ret;
}

static int written(struct export *x, int ret, struct kt_err *err)
{
	return ret == 0 && x->text.len >= EXPORT_WRITE ? export_flush(x, err) : ret;
}

/* ---- records, as an analysis ---- */

struct pass {
	struct kt_analysis records;	/* first */
	struct export *x;
	struct kt_err *err;		/* for lost(), which returns nothing */
	int failed;
};

static struct export_event *make_event(struct export *x, const struct kt_event *ev, size_t file,
				       struct kt_err *err)
{
	struct export_event *e = calloc(1, sizeof(*e));

	if (!e) {
		kt_err_no_memory(err);
		return NULL;
	}
	e->ev = ev;
	e->file = file;
	e->next = x->made;
	x->made = e;
	if (x->format->plan && x->format->plan(x, e, err) < 0)
		return NULL;
	return x->events[file][ev->id] = e;
}

static int take_record(struct kt_analysis *a, const struct kt_event *ev,
		       const struct kt_record *rec, struct kt_err *err)
{
	struct pass *p = (struct pass *)a;
	struct export *x = p->x;
	struct export_record r = {
		.rec = rec, .src = kt_trace_source(x->trace, rec),
		.pid = kt_record_pid(ev->events, rec),
	};

	if (p->failed)
		return p->failed;
	r.ev = x->events[r.src->file_index][ev->id];
	if (!r.ev)
		r.ev = make_event(x, ev, r.src->file_index, err);
	if (!r.ev)
		return kt_err_code(err, -ENOMEM);
	x->done.events++;
	return written(x, x->format->event(x, &r, err), err);
}

static void take_lost(struct kt_analysis *a, const struct kt_record *rec)
{
	struct pass *p = (struct pass *)a;

	if (!p->failed)
		p->failed = p->x->format->lost(p->x, rec, p->err);
}

static int take_span(void *data, const struct kt_span *span, struct kt_err *err)
{
	struct export *x = data;

	return written(x, x->format->span(x, span, err), err);
}

static int take_call(void *data, const struct kt_call *call, struct kt_err *err)
{
	struct export *x = data;

	return written(x, x->format->call(x, call, err), err);
}

/* One pass over the trace, with spans and calls if the format uses them */
static int read_trace(struct export *x, struct kt_err *err)
{
	const struct kt_spans_opts wanted = {
		.kinds = x->format->spans, .sink = take_span, .data = x,
	};
	const struct kt_calls_opts calls_wanted = {
		.no_interrupts = true, .no_switches = true, .no_syscalls = true,
		.sink = take_call, .data = x,
	};
	struct pass pass = {
		.records = { .record = take_record, .lost = x->format->lost ? take_lost : NULL },
		.x = x, .err = err,
	};
	struct kt_analysis *list[3] = { &pass.records };
	struct kt_spans *spans = NULL;
	struct kt_calls *calls = NULL;
	size_t nr = 1;
	int ret = 0;

	if (x->format->span) {
		spans = kt_spans_create(x->trace, &wanted, err);
		if (spans)
			list[nr++] = kt_spans_analysis(spans);
		else
			ret = kt_err_code(err, -ENOMEM);
	}
	if (ret == 0 && x->format->call) {
		calls = kt_calls_create(x->trace, &calls_wanted, err);
		if (calls)
			list[nr++] = kt_calls_analysis(calls);
		else
			ret = kt_err_code(err, -ENOMEM);
	}
	if (ret == 0)
		ret = kt_pass_run(x->trace, list, nr, &x->opts->pass, err);
	kt_spans_destroy(spans);
	kt_calls_destroy(calls);
	return ret == 0 ? pass.failed : ret;
}

/* The end is always written, even after an error: the intact part becomes a valid output. */
static int run_pass(struct export *x, struct kt_err *err)
{
	struct kt_err why = { 0 };
	int ret = x->format->begin ? x->format->begin(x, err) : 0, end;

	if (ret < 0)
		return ret;
	ret = read_trace(x, err);
	end = x->format->end ? x->format->end(x, &why) : 0;
	x->done.is_valid = end == 0;
	if (ret == 0 && end < 0 && err)
		*err = why;
	return ret < 0 ? ret : end;
}

static int run_alone(struct export *x, struct kt_err *err)
{
	x->done.is_valid = true;
	return x->format->run(x, err);
}

/* Write the bytes still in memory. @ret: -EPIPE if the reader is gone */
static int finish(struct export *x, int ret, struct kt_err *err)
{
	int end = x->out && ret != -EPIPE ? export_flush(x, err) : 0;

	return x->out && end == 0 && ret != -EPIPE ? output_finish(x->out, err) : end;
}

/* ---- the export ---- */

static int check(const struct kt_export_opts *opts, struct kt_err *err)
{
	unsigned int flags = opts->format->flags;

	if (opts->packing && !(flags & KT_EXPORT_PACKED))
		return kt_err_set(err, -EINVAL, "%s cannot be compressed: its readers cannot "
				  "decompress it", opts->format->name);
	if (opts->nr_fields && !(flags & KT_EXPORT_FIELDS))
		return kt_err_set(err, -EINVAL, "%s has no columns to choose",
				  opts->format->name);
	if (flags & KT_EXPORT_PATH && !opts->path)
		return kt_err_set(err, -EINVAL, "%s is written to a %s, not to a stream",
				  opts->format->name,
				  flags & KT_EXPORT_FOLDER ? "folder" : "file");
	return 0;
}

static int prepare(struct export *x, struct kt_err *err)
{
	size_t i, nr = kt_trace_nr_files(x->trace);

	x->state = calloc(1, x->format->state_size + 1);
	x->events = calloc(nr + 1, sizeof(*x->events));
	for (i = 0; x->events && i < nr; i++) {
		x->events[i] = calloc(TYPES, sizeof(**x->events));
		if (!x->events[i])
			return kt_err_no_memory(err);
	}
	if (!x->state || !x->events)
		return kt_err_no_memory(err);
	if (x->format->is.flags & KT_EXPORT_PATH)
		return 0;
	x->out = output_open(x->opts->fd, x->opts->packing, err);
	return x->out ? 0 : kt_err_code(err, -ENOMEM);
}

static void fini(struct export *x)
{
	struct export_event *e;
	size_t i;

	while ((e = x->made)) {
		x->made = e->next;
		if (x->format->no_plan)
			x->format->no_plan(e);
		free(e);
	}
	if (x->state && x->format->fini)
		x->format->fini(x);
	for (i = 0; x->events && x->events[i]; i++)
		free(x->events[i]);
	free(x->events);
	free(x->state);
	kt_text_destroy(x->lines);
	kt_out_destroy(x->info);
	output_close(x->out);
	str_fini(&x->text);
}

int kt_export(struct kt_trace *t, const struct kt_export_opts *opts,
	      struct kt_export_result *result, struct kt_err *err)
{
	struct export x = {
		.trace = t, .opts = opts, .text = STR_INIT,
		.format = (const struct export_format *)opts->format,
	};
	int ret = check(opts, err), end;

	if (ret == 0)
		ret = prepare(&x, err);
	if (ret == 0) {
		ret = x.format->run ? run_alone(&x, err) : run_pass(&x, err);
		end = finish(&x, ret, ret ? NULL : err);
		x.done.is_valid = x.done.is_valid && end == 0;
		ret = ret ? ret : end;
	}
	if (result)
		*result = x.done;
	fini(&x);
	return ret;
}
