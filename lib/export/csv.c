/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* csv.c - comma-separated values (RFC 4180): a row for each record */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/num.h"
#include "base/put.h"
#include "export/export.h"
#include "export/value.h"
#include "text/text.h"

enum column { TIME, CPU, COMM, PID, EVENT, TEXT, FLAGS, FIELD };

static const char *const names[] = { "time", "cpu", "comm", "pid", "event", "text", "flags" };
#define NR_NAMES   (sizeof(names) / sizeof(*names))
#define NR_DEFAULT 6			/* the first columns, shown by default */
#define MAX_COLUMNS 256

struct csv {
	size_t nr;
	struct csv_column {
		enum column is;
		const char *name;	/* borrowed */
	} columns[MAX_COLUMNS];
	struct str value;		/* of one field */
};

/* The field of an event for each column; NULL: it has none */
struct plan {
	struct str event;		/* its name, quoted */
	const struct kt_field *fields[];
};

/* ---- columns ---- */

static bool any_event_has(struct kt_trace *t, const char *field)
{
	struct kt_events *evs;
	const struct kt_event *ev;
	size_t file, i;

	for (file = 0; file < kt_trace_nr_files(t); file++) {
		evs = kt_trace_events(t, file);
		for (i = 0; i < kt_events_nr(evs); i++) {
			ev = kt_events_at(evs, i);
			if (ev && kt_event_field(ev, field))
				return true;
		}
	}
	return false;
}

static int add_column(struct export *x, const char *word, struct kt_err *err)
{
	struct csv *c = x->state;
	struct csv_column *column = &c->columns[c->nr];
	size_t i;

	if (c->nr == MAX_COLUMNS)
		return kt_err_set(err, -EINVAL, "more than %d columns", MAX_COLUMNS);
	for (i = 0; i < NR_NAMES && strcmp(names[i], word) != 0; i++)
		;
	if (str_starts(word, "fields."))
		word += strlen("fields.");
	*column = (struct csv_column){ i < NR_NAMES ? (enum column)i : FIELD, word };
	if (column->is == FIELD && !any_event_has(x->trace, word))
		return kt_err_set(err, -ENOENT, "no event has a field '%s'; other columns: time, "
				  "cpu, comm, pid, event, text, flags", word);
	c->nr++;
	return 0;
}

/* ---- values ---- */

/* Quotes are needed around commas, quotes and line breaks only. */
static void add_quoted(struct export *x, const char *text, size_t len)
{
	struct str *s = &x->text;
	const char *end = text + len, *quote;
	size_t i;

	if (x->opts->tabs) {
		value_put_utf8(s, text, len, true);
		return;
	}
	for (i = 0; i < len && text[i] != ',' && text[i] != '"' && (unsigned char)text[i] >= ' ';
	     i++)
		;
	if (i == len) {
		value_put_utf8(s, text, len, x->opts->escape);
		return;
	}
	str_addc(s, '"');
	while ((quote = memchr(text, '"', end - text))) {
		value_put_utf8(s, text, quote - text, x->opts->escape);
		str_addn(s, "\"\"", 2);
		text = quote + 1;
	}
	value_put_utf8(s, text, end - text, x->opts->escape);
	str_addc(s, '"');
}

static void add_time(struct export *x, const struct kt_record *rec)
{
	struct kt_stream *stream = kt_trace_stream(x->trace);
	char *p = put_room(&x->text, TEXT_DATE);
	uint64_t wall;

	if (!p)
		return;
	if (x->opts->wall && kt_stream_source_wall(stream, rec->source, &wall)) {
		p = text_put_date_ns(p, rec->ts + wall);
	} else if (kt_stream_source_in_ns(stream, rec->source)) {
		p = num_put_u64(p, rec->ts / 1000000000);
		*p++ = '.';
		p = num_put_nine(p, rec->ts % 1000000000);
	} else {
		p = num_put_u64(p, rec->ts);
	}
	put_done(&x->text, p);
}

static void add_number(struct str *s, int64_t value)
{
	char *p = put_room(s, NUM_MAX);

	if (p)
		put_done(s, num_put_i64(p, value));
}

static void add_field(struct export *x, const struct export_record *r, const struct kt_field *f)
{
	struct csv *c = x->state;

	if (!f)
		return;
	str_reset(&c->value);
	value_put(&c->value, r->ev->ev, f, r->rec);
	if (c->value.failed)
		x->text.failed = true;
	else
		add_quoted(x, c->value.buf, c->value.len);
}

static int add_value(struct export *x, const struct export_record *r, size_t i, struct kt_err *err)
{
	const struct csv *c = x->state;
	const struct plan *plan = r->ev->plan;
	struct kt_blob info;
	const char *comm;
	int ret = 0;

	switch (c->columns[i].is) {
	case TIME:
		add_time(x, r->rec);
		break;
	case CPU:
		add_number(&x->text, r->src->cpu);
		break;
	case COMM:
		comm = export_comm(x, r->ev->file, r->pid);
		add_quoted(x, comm, strlen(comm));
		break;
	case PID:
		add_number(&x->text, r->pid);
		break;
	case EVENT:
		str_addn(&x->text, plan->event.buf, plan->event.len);
		break;
	case FLAGS:
		add_number(&x->text, kt_record_flags(r->ev->ev->events, r->rec));
		break;
	case TEXT:
		ret = export_info(x, r->rec, &info, err);
		if (ret == 0)
			add_quoted(x, (const char *)info.data, info.size);
		break;
	case FIELD:
		add_field(x, r, plan->fields[i]);
	}
	return ret;
}

/* ---- the format ---- */

static int begin(struct export *x, struct kt_err *err)
{
	struct csv *c = x->state;
	size_t i, nr = x->opts->nr_fields;
	int ret = 0;

	c->value = (struct str)STR_INIT;
	for (i = 0; i < (nr ? nr : NR_DEFAULT) && ret == 0; i++)
		ret = add_column(x, nr ? x->opts->fields[i] : names[i], err);
	for (i = 0; i < c->nr && ret == 0 && !x->opts->tabs; i++) {
		if (i)
			str_addc(&x->text, ',');
		add_quoted(x, c->columns[i].name, strlen(c->columns[i].name));
	}
	if (!x->opts->tabs)
		str_addn(&x->text, "\r\n", 2);
	return ret;
}

static int plan(struct export *x, struct export_event *ev, struct kt_err *err)
{
	const struct csv *c = x->state;
	struct plan *p = calloc(1, sizeof(*p) + c->nr * sizeof(*p->fields));
	struct str saved = x->text;
	size_t i;

	if (!p)
		return kt_err_no_memory(err);
	ev->plan = p;
	for (i = 0; i < c->nr; i++)
		if (c->columns[i].is == FIELD)
			p->fields[i] = kt_event_field(ev->ev, c->columns[i].name);
	x->text = (struct str)STR_INIT;
	add_quoted(x, ev->ev->name, strlen(ev->ev->name));
	p->event = x->text;
	x->text = saved;
	return p->event.failed ? kt_err_no_memory(err) : 0;
}

static int event(struct export *x, const struct export_record *r, struct kt_err *err)
{
	const struct csv *c = x->state;
	size_t i;
	int ret = 0;

	for (i = 0; i < c->nr && ret == 0; i++) {
		if (i)
			str_addc(&x->text, x->opts->tabs ? '\t' : ',');
		ret = add_value(x, r, i, err);
	}
	str_add(&x->text, x->opts->tabs ? "\n" : "\r\n");
	return ret;
}

static void no_plan(struct export_event *ev)
{
	struct plan *p = ev->plan;

	if (p)
		str_fini(&p->event);
	free(p);
}

static void fini(struct export *x)
{
	struct csv *c = x->state;

	if (c->value.buf)
		str_fini(&c->value);
}

const struct export_format export_csv = {
	.is = { "csv", "a row of values for each record: spreadsheets, Pandas, R", ".csv",
		KT_EXPORT_PACKED | KT_EXPORT_FIELDS | KT_EXPORT_WALL },
	.state_size = sizeof(struct csv),
	.begin = begin, .plan = plan, .event = event, .no_plan = no_plan, .fini = fini,
};
