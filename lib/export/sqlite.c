/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sqlite.c - an SQLite database: a table for each event, spans, tasks, CPUs, losses */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "base/array.h"
#include "base/json.h"
#include "base/keymap.h"
#include "export/export.h"
#include "export/sqlite_rows.h"
#include "export/value.h"
#include "latency/handlers.h"

#define COMMON      4			/* columns of every event table, before its fields */
#define MAX_COLUMNS 1900		/* below SQLite's own limit, 2000 */
#define MAX_TERMS   400			/* of a UNION; SQLite's limit is 500 */

#define SPAN_COLUMNS								\
	"kind TEXT, name TEXT, begin_ts INTEGER, end_ts INTEGER, duration INTEGER, "	\
	"cpu INTEGER, pid INTEGER, comm TEXT, result INTEGER"

/* The tables that every database has */
enum fixed { TRACE, EVENT_TYPES, CPUS, TASKS, LOST, SPANS, SPANS_CUT, NR_FIXED };

static const struct {
	const char *name, *columns;
} fixed[NR_FIXED] = {
	[TRACE] = { "trace", "key TEXT PRIMARY KEY, value TEXT" },
	[EVENT_TYPES] = { "event_types", "table_name TEXT, system TEXT, event TEXT, id INTEGER, "
			  "file INTEGER" },
	[CPUS] = { "cpus", "file INTEGER, buffer TEXT, cpu INTEGER, events INTEGER, lost INTEGER, "
		   "first_ts INTEGER, last_ts INTEGER" },
	[TASKS] = { "tasks", "file INTEGER, pid INTEGER, comm TEXT, events INTEGER" },
	[LOST] = { "lost", "ts INTEGER, cpu INTEGER, buffer TEXT, events INTEGER" },
	[SPANS] = { "spans", SPAN_COLUMNS },
	[SPANS_CUT] = { "spans_cut", SPAN_COLUMNS },
};

static const char pragmas[] =
	"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
	"PRAGMA cache_size = -8000;";

struct source {
	uint64_t events, lost, first, last;
};

struct sqlite {
	sqlite3 *db;
	struct sqlite_writer writer;
	struct sqlite_rows fixed[NR_FIXED];
	struct sqlite_rows **all;	/* @fixed, and those of the events */
	size_t nr_all;
	struct source *sources;
	struct handlers handlers;
	struct keymap tasks;		/* file and pid, with the number of events */
	struct kt_names tables;		/* of events */
	struct str view;		/* SQL that joins @tables by UNION */
	struct str value;
};

struct plan {
	struct sqlite_rows rows;
	size_t nr;			/* fields */
	bool handler;
};

/* ---- SQL ---- */

static int failed(const struct export *x, struct kt_err *err)
{
	const struct sqlite *q = x->state;
	int code = q->db ? sqlite3_errcode(q->db) : SQLITE_NOMEM, ret = -EIO;

	if (code == SQLITE_NOMEM)
		ret = -ENOMEM;
	else if (code == SQLITE_FULL)
		ret = -ENOSPC;
	return kt_err_set(err, ret, "cannot write %s: %s", x->opts->path,
			  q->db ? sqlite3_errmsg(q->db) : "out of memory");
}

static int run_sql(struct export *x, const char *sql, struct kt_err *err)
{
	struct sqlite *q = x->state;

	if (sqlite_writer_wait(&q->writer) != SQLITE_OK)
		return failed(x, err);
	return sqlite3_exec(q->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : failed(x, err);
}

/* ---- rows ---- */

static int add_rows(struct export *x, struct sqlite_rows *rows, const char *table,
		    size_t nr_columns, struct kt_err *err)
{
	struct sqlite *q = x->state;
	char name[32];

	if (!array_reserve(q->all, q->nr_all))
		return kt_err_no_memory(err);
	snprintf(name, sizeof(name), "sqlite_rows_%zu", q->nr_all);
	q->all[q->nr_all++] = rows;
	return sqlite_rows_init(rows, &q->writer, name, table, nr_columns) == SQLITE_OK ? 0 :
	       failed(x, err);
}

/* The next column of the row, as UTF-8: SQLite accepts any bytes, its users do not */
static bool put_bytes(struct export *x, struct sqlite_rows *rows, const char *text, size_t len)
{
	struct sqlite *q = x->state;

	if (json_ordinary(text, len) == len)
		return sqlite_rows_put_text(rows, text, len);
	str_reset(&q->value);
	value_put_utf8(&q->value, text, len, false);
	return !q->value.failed && sqlite_rows_put_text(rows, q->value.buf, q->value.len);
}

static bool put_text(struct export *x, struct sqlite_rows *rows, const char *text)
{
	return put_bytes(x, rows, text, strlen(text));
}

/* @complete: false if memory ran out for a column */
static int end_row(struct export *x, struct sqlite_rows *rows, bool complete, struct kt_err *err)
{
	if (!complete)
		return kt_err_no_memory(err);
	return sqlite_rows_end(rows) == SQLITE_OK ? 0 : failed(x, err);
}

static int flush_all(struct export *x, struct kt_err *err)
{
	struct sqlite *q = x->state;
	size_t i;

	for (i = 0; i < q->nr_all; i++)
		if (sqlite_rows_flush(q->all[i]) != SQLITE_OK)
			return failed(x, err);
	return 0;
}

/* Within double quotes */
static void add_name(struct str *s, const char *name)
{
	str_addc(s, '"');
	for (; *name; name++)
		str_addf(s, *name == '"' ? "\"\"" : "%c", *name);
	str_addc(s, '"');
}

/* ---- the table of an event ---- */

static bool is_taken(const struct sqlite *q, const char *name)
{
	size_t i;

	for (i = 0; i < NR_FIXED; i++)
		if (strcasecmp(fixed[i].name, name) == 0)
			return true;
	for (i = 0; i < q->tables.nr; i++)
		if (strcasecmp(q->tables.names[i], name) == 0)
			return true;
	return strcasecmp(name, "events") == 0 || strncasecmp(name, "sqlite_", 7) == 0;
}

/* The event's name, prefixed with its system if another table has it, and a number if needed */
static int name_table(struct export *x, const struct kt_event *ev)
{
	struct sqlite *q = x->state;
	struct str name = STR_INIT, raw = STR_INIT;
	unsigned int i;
	int ret;

	value_put_utf8(&name, ev->name, strlen(ev->name), false);
	for (i = 0; is_taken(q, name.buf) && !name.failed; i++) {
		str_reset(&raw);
		str_reset(&name);
		str_addf(&raw, "%s_%s", ev->system, ev->name);
		if (i)
			str_addf(&raw, "_%u", i);
		value_put_utf8(&name, raw.buf, raw.len, false);
	}
	ret = name.failed || raw.failed ? -ENOMEM : kt_names_add(&q->tables, name.buf);
	str_fini(&name);
	str_fini(&raw);
	return ret;
}

static void add_column(struct str *sql, const struct kt_event *ev, size_t at)
{
	const struct kt_field *f = &ev->fields[at];
	struct str name = STR_INIT;
	size_t i;

	value_put_utf8(&name, f->name, strlen(f->name), false);
	for (i = 0; i < at; i++)
		if (strcasecmp(ev->fields[i].name, f->name) == 0)
			break;
	if (i < at || strncasecmp(f->name, "common_", 7) == 0)
		str_addf(&name, "_%zu", at);
	str_add(sql, ", ");
	add_name(sql, name.buf);
	/* An INTEGER column would turn a text into an inexact REAL; without a type it is kept. */
	if (value_type_of(f) == VALUE_TEXT || f->flags & KT_FIELD_POINTER)
		str_add(sql, " TEXT");
	else if (value_type_of(f) == VALUE_SIGNED || f->elem_size < 8)
		str_add(sql, " INTEGER");
	sql->failed |= name.failed;
	str_fini(&name);
}

static int make_table(struct export *x, const struct kt_event *ev, struct plan *p,
		      struct kt_err *err)
{
	struct sqlite *q = x->state;
	const char *name = q->tables.names[q->tables.nr - 1];
	struct str sql = STR_INIT;
	size_t i;
	int ret;

	str_add(&sql, "CREATE TABLE ");
	add_name(&sql, name);
	str_add(&sql, "(common_ts INTEGER, common_cpu INTEGER, common_pid INTEGER, "
		      "common_flags INTEGER");
	for (i = 0; i < p->nr; i++)
		add_column(&sql, ev, i);
	str_addc(&sql, ')');
	ret = sql.failed ? kt_err_no_memory(err) : run_sql(x, sql.buf, err);
	str_reset(&sql);
	add_name(&sql, name);
	if (ret == 0)
		ret = sql.failed ? kt_err_no_memory(err) :
				   add_rows(x, &p->rows, sql.buf, COMMON + p->nr, err);
	str_fini(&sql);
	return ret;
}

/* One more table of the view of all events */
static void add_to_view(struct sqlite *q, const char *name)
{
	const char *p;

	str_addf(&q->view, "%sSELECT common_ts AS ts, common_cpu AS cpu, common_pid AS pid, '",
		 q->view.len ? " UNION ALL " : "");
	for (p = name; *p; p++)
		str_addf(&q->view, *p == '\'' ? "''" : "%c", *p);
	str_add(&q->view, "' AS event, rowid AS row FROM ");
	add_name(&q->view, name);
}

static int plan(struct export *x, struct export_event *ev, struct kt_err *err)
{
	struct sqlite *q = x->state;
	struct sqlite_rows *types = &q->fixed[EVENT_TYPES];
	struct plan *p = calloc(1, sizeof(*p));
	bool ok;
	int ret;

	if (!p)
		return kt_err_no_memory(err);
	ev->plan = p;
	p->nr = ev->ev->nr_fields < MAX_COLUMNS ? ev->ev->nr_fields : MAX_COLUMNS;
	p->handler = strcmp(ev->ev->name, "irq_handler_entry") == 0;
	if (name_table(x, ev->ev) < 0)
		return kt_err_no_memory(err);
	ret = make_table(x, ev->ev, p, err);
	if (ret < 0)
		return ret;
	add_to_view(q, q->tables.names[q->tables.nr - 1]);
	ok = put_text(x, types, q->tables.names[q->tables.nr - 1]) &&
	     put_text(x, types, ev->ev->system) && put_text(x, types, ev->ev->name) &&
	     sqlite_rows_put_int(types, ev->ev->id) &&
	     sqlite_rows_put_int(types, (int64_t)ev->file);
	return end_row(x, types, ok, err);
}

static void no_plan(struct export_event *ev)
{
	struct plan *p = ev->plan;

	if (p)
		sqlite_rows_fini(&p->rows);
	free(p);
}

/* ---- rows ---- */

/* Addresses are texts in hex; numbers beyond SQLite's integers are texts in decimal. */
static bool put_field(struct export *x, struct sqlite_rows *rows, const struct export_record *r,
		      const struct kt_field *f)
{
	enum value_type type = value_type_of(f);
	struct str text = STR_INIT;
	struct kt_blob bytes;
	uint64_t value;
	bool ok;

	if (f->flags & KT_FIELD_STRING && !(f->flags & KT_FIELD_DYNAMIC && f->nr_elems))
		return kt_field_bytes(r->ev->ev, f, r->rec, &bytes) == 0 ?
		       put_bytes(x, rows, bytes.data, bytes.size) : sqlite_rows_put_null(rows);
	if (type != VALUE_TEXT && !(f->flags & KT_FIELD_POINTER)) {
		if (value_number(r->ev->ev, f, r->rec, &value) < 0)
			return sqlite_rows_put_null(rows);
		if (type == VALUE_SIGNED || value <= INT64_MAX)
			return sqlite_rows_put_int(rows, (int64_t)value);
	}
	value_put(&text, r->ev->ev, f, r->rec);
	ok = !text.failed && put_bytes(x, rows, text.buf, text.len);
	str_fini(&text);
	return ok;
}

static int count(struct export *x, const struct export_record *r)
{
	struct sqlite *q = x->state;
	struct source *s = &q->sources[r->rec->source];
	uint64_t key = (uint64_t)r->ev->file << 32 | (uint32_t)r->pid;
	uint32_t nr = keymap_get(&q->tasks, key);

	if (!s->events++)
		s->first = r->rec->ts;
	s->last = r->rec->ts;
	return keymap_put(&q->tasks, key, nr == KEYMAP_NONE ? 1 : nr + 1);
}

static int event(struct export *x, const struct export_record *r, struct kt_err *err)
{
	struct plan *p = r->ev->plan;
	struct sqlite_rows *rows = &p->rows;
	struct sqlite *q = x->state;
	bool ok;
	size_t i;

	if (p->handler)
		handlers_note(&q->handlers, r->ev->ev, r->rec);
	if (count(x, r) < 0)
		return kt_err_no_memory(err);
	ok = sqlite_rows_put_int(rows, (int64_t)r->rec->ts) &&
	     sqlite_rows_put_int(rows, r->src->cpu) && sqlite_rows_put_int(rows, r->pid) &&
	     sqlite_rows_put_int(rows, kt_record_flags(r->ev->ev->events, r->rec));
	for (i = 0; i < p->nr && ok; i++)
		ok = put_field(x, rows, r, &r->ev->ev->fields[i]);
	return end_row(x, rows, ok, err);
}

static const char *buffer_name(const struct kt_source *src)
{
	const struct kt_buffer *b = kt_file_buffer(src->file, src->buffer);

	return b ? b->name : "";
}

static int lost(struct export *x, const struct kt_record *rec, struct kt_err *err)
{
	const struct kt_source *src = kt_trace_source(x->trace, rec);
	struct sqlite *q = x->state;
	struct sqlite_rows *rows = &q->fixed[LOST];
	bool ok;

	ok = sqlite_rows_put_int(rows, (int64_t)rec->ts) && sqlite_rows_put_int(rows, src->cpu) &&
	     put_text(x, rows, buffer_name(src)) &&
	     (rec->lost == KT_LOST_UNKNOWN ? sqlite_rows_put_null(rows) :
					     sqlite_rows_put_int(rows, rec->lost));
	q->sources[rec->source].lost += rec->lost == KT_LOST_UNKNOWN ? 1 : rec->lost;
	return end_row(x, rows, ok, err);
}

struct row {
	const char *kind, *name;
	uint64_t begin, end, duration, result;
	int cpu, pid;
	size_t file;
	bool whole, has_result;
};

static int put_row(struct export *x, const struct row *r, struct kt_err *err)
{
	struct sqlite *q = x->state;
	struct sqlite_rows *rows = &q->fixed[r->whole ? SPANS : SPANS_CUT];
	const char *comm = export_comm(x, r->file, r->pid);
	bool ok = put_text(x, rows, r->kind) &&
		  put_text(x, rows, r->name) &&
		  sqlite_rows_put_int(rows, (int64_t)r->begin) &&
		  sqlite_rows_put_int(rows, (int64_t)r->end) &&
		  sqlite_rows_put_int(rows, (int64_t)r->duration) &&
		  sqlite_rows_put_int(rows, r->cpu) && sqlite_rows_put_int(rows, r->pid) &&
		  put_text(x, rows, comm) &&
		  (r->has_result ? sqlite_rows_put_int(rows, (int64_t)r->result) :
				   sqlite_rows_put_null(rows));

	x->done.spans++;
	return end_row(x, rows, ok, err);
}

static int put_span(struct export *x, const struct kt_span *span, struct kt_err *err)
{
	const struct sqlite *q = x->state;
	char name[256];
	const struct row row = {
		.kind = kt_span_kind_name(span->kind), .name = name,
		.begin = span->begin.ts, .end = span->end.ts,
		.duration = span->end.ts - span->begin.ts, .result = span->result,
		.has_result = span->kind == KT_SPAN_SYSCALL && span->end.event,
		.cpu = span->end.cpu, .pid = span->pid, .file = span->file,
		.whole = !span->flags,
	};

	latency_name_subject(x->trace, &q->handlers, span, name, sizeof(name));
	return put_row(x, &row, err);
}

static int put_call(struct export *x, const struct kt_call *call, struct kt_err *err)
{
	const struct kt_source *src = kt_stream_source(kt_trace_stream(x->trace),
						       call->end.source);
	const struct row row = {
		.kind = "call", .name = kt_call_name(x->trace, call),
		.begin = call->begin.ts, .end = call->end.ts, .duration = call->duration,
		.result = call->retval, .has_result = call->flags & KT_CALL_RETVAL,
		.cpu = src ? src->cpu : -1, .pid = call->pid, .file = call->file,
		.whole = !(call->flags & (KT_CALL_UNBEGUN | KT_CALL_UNFINISHED | KT_CALL_GAP)),
	};

	/* The function tracer records no ends of calls. */
	if (call->kind != KT_CALL_FUNCTION || call->flags & KT_CALL_UNTIMED)
		return 0;
	return put_row(x, &row, err);
}

/* ---- the database ---- */

static int make_fixed(struct export *x, enum fixed table, struct kt_err *err)
{
	struct sqlite *q = x->state;
	struct str sql = STR_INIT;
	const char *comma;
	size_t nr = 1;
	int ret;

	for (comma = fixed[table].columns; (comma = strchr(comma, ',')); comma++)
		nr++;
	str_addf(&sql, "CREATE TABLE %s(%s)", fixed[table].name, fixed[table].columns);
	ret = sql.failed ? kt_err_no_memory(err) : run_sql(x, sql.buf, err);
	str_fini(&sql);
	return ret < 0 ? ret : add_rows(x, &q->fixed[table], fixed[table].name, nr, err);
}

static int begin(struct export *x, struct kt_err *err)
{
	struct sqlite *q = x->state;
	enum fixed i;
	int ret;

	q->view = q->value = (struct str)STR_INIT;
	q->sources = calloc(kt_stream_nr_sources(kt_trace_stream(x->trace)) + 1,
			    sizeof(*q->sources));
	if (!q->sources)
		return kt_err_no_memory(err);
	/* Only one thread at a time uses it, this one or the writer's: no locking in SQLite. */
	if (sqlite3_open_v2(x->opts->path, &q->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
			    SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		return failed(x, err);
	sqlite_writer_init(&q->writer, q->db);
	ret = run_sql(x, pragmas, err);
	for (i = 0; i < NR_FIXED && ret == 0; i++)
		ret = make_fixed(x, i, err);
	if (ret == 0)
		ret = run_sql(x, "BEGIN", err);
	return ret;
}

static int put_cpus(struct export *x, struct kt_err *err)
{
	struct kt_stream *stream = kt_trace_stream(x->trace);
	struct sqlite *q = x->state;
	struct sqlite_rows *rows = &q->fixed[CPUS];
	bool ok = true;
	size_t i;
	int ret = 0;

	for (i = 0; i < kt_stream_nr_sources(stream) && ret == 0; i++) {
		const struct kt_source *src = kt_stream_source(stream, i);
		const struct source *s = &q->sources[i];

		ok = sqlite_rows_put_int(rows, (int64_t)src->file_index) &&
		     put_text(x, rows, buffer_name(src)) && sqlite_rows_put_int(rows, src->cpu) &&
		     sqlite_rows_put_int(rows, (int64_t)s->events) &&
		     sqlite_rows_put_int(rows, (int64_t)s->lost) &&
		     sqlite_rows_put_int(rows, (int64_t)s->first) &&
		     sqlite_rows_put_int(rows, (int64_t)s->last);
		ret = end_row(x, rows, ok, err);
	}
	return ret;
}

static int put_tasks(struct export *x, struct kt_err *err)
{
	struct sqlite *q = x->state;
	struct sqlite_rows *rows = &q->fixed[TASKS];
	bool ok;
	size_t i;
	int ret = 0;

	for (i = 0; i < q->tasks.nr_slots && ret == 0; i++) {
		const struct keymap_slot *slot = &q->tasks.slots[i];

		if (!slot->taken)
			continue;
		ok = sqlite_rows_put_int(rows, (int64_t)(slot->key >> 32)) &&
		     sqlite_rows_put_int(rows, (int)slot->key) &&
		     put_text(x, rows, export_comm(x, slot->key >> 32, (int)slot->key)) &&
		     sqlite_rows_put_int(rows, slot->value);
		ret = end_row(x, rows, ok, err);
	}
	return ret;
}

static int put_trace(struct export *x, struct kt_err *err)
{
	const struct kt_file_info *info = kt_file_info(kt_trace_file(x->trace, 0));
	bool in_ns = kt_stream_nr_sources(kt_trace_stream(x->trace)) == 0 ||
		     kt_stream_source_in_ns(kt_trace_stream(x->trace), 0);
	struct sqlite *q = x->state;
	struct sqlite_rows *rows = &q->fixed[TRACE];
	const char *const facts[][2] = {
		{ "schema", "1" }, { "file", str_base_name(info->path) },
		{ "unit", in_ns ? "ns" : "counts of the clock" },
	};
	bool ok;
	size_t i;
	int ret = 0;

	for (i = 0; i < sizeof(facts) / sizeof(*facts) && ret == 0; i++) {
		ok = put_text(x, rows, facts[i][0]) && put_text(x, rows, facts[i][1]);
		ret = end_row(x, rows, ok, err);
	}
	return ret;
}

static int put_view(struct export *x, struct kt_err *err)
{
	struct sqlite *q = x->state;
	struct str sql = STR_INIT;
	int ret;

	if (!q->tables.nr || q->tables.nr > MAX_TERMS)
		return 0;
	str_addf(&sql, "CREATE VIEW events AS %s", q->view.buf);
	ret = sql.failed || q->view.failed ? kt_err_no_memory(err) : run_sql(x, sql.buf, err);
	str_fini(&sql);
	return ret;
}

static int end(struct export *x, struct kt_err *err)
{
	static int (*const steps[])(struct export *x, struct kt_err *err) = {
		put_cpus, put_tasks, put_trace, flush_all, put_view,
	};
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < sizeof(steps) / sizeof(*steps); i++)
		ret = steps[i](x, err);
	return ret < 0 ? ret : run_sql(x, "COMMIT", err);
}

static void fini(struct export *x)
{
	struct sqlite *q = x->state;
	size_t i;

	for (i = 0; i < NR_FIXED; i++)
		sqlite_rows_fini(&q->fixed[i]);
	sqlite_writer_fini(&q->writer);
	free(q->all);
	sqlite3_close(q->db);
	free(q->sources);
	handlers_fini(&q->handlers);
	keymap_fini(&q->tasks);
	kt_names_fini(&q->tables);
	if (q->view.buf)
		str_fini(&q->view);
	if (q->value.buf)
		str_fini(&q->value);
}

const struct export_format export_sqlite = {
	.is = { "sqlite", "a database with a table for each event: SQL, Datasette, Grafana",
		".sqlite", KT_EXPORT_BINARY | KT_EXPORT_PATH },
	.state_size = sizeof(struct sqlite),
	.begin = begin, .plan = plan, .event = event, .lost = lost, .span = put_span,
	.call = put_call, .end = end, .no_plan = no_plan, .fini = fini,
};
