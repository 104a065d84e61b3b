/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sqlite.c - an SQLite database: a table for each event, spans, tasks, CPUs, losses */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "base/json.h"
#include "base/keymap.h"
#include "export/export.h"
#include "export/value.h"
#include "latency/handlers.h"

#define COMMON      4			/* columns of every event table, before its fields */
#define MAX_COLUMNS 1900		/* below SQLite's own limit, 2000 */
#define MAX_TERMS   400			/* of a UNION; SQLite's limit is 500 */

static const char schema[] =
	"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
	"PRAGMA cache_size = -8000;"
	"CREATE TABLE trace(key TEXT PRIMARY KEY, value TEXT);"
	"CREATE TABLE event_types(table_name TEXT, system TEXT, event TEXT, id INTEGER,"
	" file INTEGER);"
	"CREATE TABLE cpus(file INTEGER, buffer TEXT, cpu INTEGER, events INTEGER, lost INTEGER,"
	" first_ts INTEGER, last_ts INTEGER);"
	"CREATE TABLE tasks(file INTEGER, pid INTEGER, comm TEXT, events INTEGER);"
	"CREATE TABLE lost(ts INTEGER, cpu INTEGER, buffer TEXT, events INTEGER);"
	"CREATE TABLE spans(kind TEXT, name TEXT, begin_ts INTEGER, end_ts INTEGER,"
	" duration INTEGER, cpu INTEGER, pid INTEGER, comm TEXT, result INTEGER);"
	"CREATE TABLE spans_cut(kind TEXT, name TEXT, begin_ts INTEGER, end_ts INTEGER,"
	" duration INTEGER, cpu INTEGER, pid INTEGER, comm TEXT, result INTEGER);"
	"BEGIN;";

/* The tables above: no event may have these names */
static const char *const taken[] = {
	"trace", "event_types", "cpus", "tasks", "lost", "spans", "spans_cut", "events", NULL
};

struct source {
	uint64_t events, lost, first, last;
};

struct sqlite {
	sqlite3 *db;
	sqlite3_stmt *span, *span_cut, *lost, *type;
	struct source *sources;
	struct handlers handlers;
	struct keymap tasks;		/* file and pid, with the number of events */
	struct kt_names tables;		/* of events */
	struct str view;		/* SQL that joins them by UNION */
	struct str value;
};

struct plan {
	sqlite3_stmt *insert;
	size_t nr;			/* fields */
	bool handler;
};

/* ---- SQL ---- */

static int failed(const struct export *x, struct kt_err *err)
{
	const struct sqlite *q = x->state;
	int code = q->db ? sqlite3_errcode(q->db) : SQLITE_NOMEM;

	return kt_err_set(err, code == SQLITE_NOMEM ? -ENOMEM : code == SQLITE_FULL ? -ENOSPC :
			  -EIO, "cannot write %s: %s", x->opts->path,
			  q->db ? sqlite3_errmsg(q->db) : "out of memory");
}

static int run_sql(struct export *x, const char *sql, struct kt_err *err)
{
	const struct sqlite *q = x->state;

	return sqlite3_exec(q->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : failed(x, err);
}

static int prepare(struct export *x, const char *sql, sqlite3_stmt **stmt, struct kt_err *err)
{
	const struct sqlite *q = x->state;

	return sqlite3_prepare_v3(q->db, sql, -1, SQLITE_PREPARE_PERSISTENT, stmt, NULL) ==
	       SQLITE_OK ? 0 : failed(x, err);
}

static int insert(struct export *x, sqlite3_stmt *stmt, struct kt_err *err)
{
	int ret = sqlite3_step(stmt) == SQLITE_DONE ? 0 : failed(x, err);

	sqlite3_reset(stmt);
	return ret;
}

/* @text lives until the statement has run */
static void bind_text(sqlite3_stmt *stmt, int at, const char *text)
{
	sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC);
}

/* As UTF-8: SQLite itself takes any bytes, its users do not. Copied */
static void bind_copy(struct export *x, sqlite3_stmt *stmt, int at, const char *text, size_t len)
{
	struct sqlite *q = x->state;

	str_reset(&q->value);
	value_put_utf8(&q->value, text, len, false);
	sqlite3_bind_text(stmt, at, q->value.buf, q->value.len, SQLITE_TRANSIENT);
}

/* The same, not copied if it need not be: @text lives until the statement has run */
static void bind_bytes(struct export *x, sqlite3_stmt *stmt, int at, const char *text, size_t len)
{
	if (json_ordinary(text, len) == len)
		sqlite3_bind_text(stmt, at, text, len, SQLITE_STATIC);
	else
		bind_copy(x, stmt, at, text, len);
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

	for (i = 0; taken[i]; i++)
		if (strcasecmp(taken[i], name) == 0)
			return true;
	for (i = 0; i < q->tables.nr; i++)
		if (strcasecmp(q->tables.names[i], name) == 0)
			return true;
	return strncasecmp(name, "sqlite_", 7) == 0;
}

/* The event's name, with its system if another table has it, and a number if need be */
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
	/* SQLite would make an inexact REAL of a text in an INTEGER column: no type leaves it. */
	str_add(sql, value_type_of(f) == VALUE_TEXT || f->flags & KT_FIELD_POINTER ? " TEXT" :
		value_type_of(f) == VALUE_SIGNED || f->elem_size < 8 ? " INTEGER" : "");
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
	str_add(&sql, "INSERT INTO ");
	add_name(&sql, name);
	str_add(&sql, " VALUES(?, ?, ?, ?");
	for (i = 0; i < p->nr; i++)
		str_add(&sql, ", ?");
	str_addc(&sql, ')');
	if (ret == 0)
		ret = sql.failed ? kt_err_no_memory(err) : prepare(x, sql.buf, &p->insert, err);
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
	struct plan *p = calloc(1, sizeof(*p));
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
	bind_text(q->type, 1, q->tables.names[q->tables.nr - 1]);
	bind_bytes(x, q->type, 2, ev->ev->system, strlen(ev->ev->system));
	bind_bytes(x, q->type, 3, ev->ev->name, strlen(ev->ev->name));
	sqlite3_bind_int(q->type, 4, ev->ev->id);
	sqlite3_bind_int64(q->type, 5, ev->file);
	return insert(x, q->type, err);
}

static void no_plan(struct export_event *ev)
{
	struct plan *p = ev->plan;

	if (p)
		sqlite3_finalize(p->insert);
	free(p);
}

/* ---- rows ---- */

/* Addresses are texts in hex; so are, in decimal, numbers that SQLite's integers cannot hold. */
static void bind_field(struct export *x, sqlite3_stmt *stmt, int at,
		       const struct export_record *r, const struct kt_field *f)
{
	enum value_type type = value_type_of(f);
	struct str text = STR_INIT;
	struct kt_blob bytes;
	uint64_t value;

	if (f->flags & KT_FIELD_STRING && !(f->flags & KT_FIELD_DYNAMIC && f->nr_elems)) {
		if (kt_field_bytes(r->ev->ev, f, r->rec, &bytes) == 0)
			bind_bytes(x, stmt, at, bytes.data, bytes.size);
		else
			sqlite3_bind_null(stmt, at);
		return;
	}
	if (type != VALUE_TEXT && !(f->flags & KT_FIELD_POINTER)) {
		if (value_number(r->ev->ev, f, r->rec, &value) < 0) {
			sqlite3_bind_null(stmt, at);
			return;
		}
		if (type == VALUE_SIGNED || value <= INT64_MAX) {
			sqlite3_bind_int64(stmt, at, (int64_t)value);
			return;
		}
	}
	value_put(&text, r->ev->ev, f, r->rec);
	bind_copy(x, stmt, at, text.buf, text.len);
	str_fini(&text);
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
	const struct plan *p = r->ev->plan;
	struct sqlite *q = x->state;
	size_t i;

	if (p->handler)
		handlers_note(&q->handlers, r->ev->ev, r->rec);
	if (count(x, r) < 0)
		return kt_err_no_memory(err);
	sqlite3_bind_int64(p->insert, 1, (int64_t)r->rec->ts);
	sqlite3_bind_int(p->insert, 2, r->src->cpu);
	sqlite3_bind_int(p->insert, 3, r->pid);
	sqlite3_bind_int(p->insert, 4, kt_record_flags(r->ev->ev->events, r->rec));
	for (i = 0; i < p->nr; i++)
		bind_field(x, p->insert, COMMON + 1 + i, r, &r->ev->ev->fields[i]);
	return insert(x, p->insert, err);
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

	sqlite3_bind_int64(q->lost, 1, (int64_t)rec->ts);
	sqlite3_bind_int(q->lost, 2, src->cpu);
	bind_bytes(x, q->lost, 3, buffer_name(src), strlen(buffer_name(src)));
	if (rec->lost == KT_LOST_UNKNOWN)
		sqlite3_bind_null(q->lost, 4);
	else
		sqlite3_bind_int64(q->lost, 4, rec->lost);
	q->sources[rec->source].lost += rec->lost == KT_LOST_UNKNOWN ? 1 : rec->lost;
	return insert(x, q->lost, err);
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
	sqlite3_stmt *stmt = r->whole ? q->span : q->span_cut;
	const char *comm = export_comm(x, r->file, r->pid);

	bind_text(stmt, 1, r->kind);
	bind_bytes(x, stmt, 2, r->name, strlen(r->name));
	sqlite3_bind_int64(stmt, 3, (int64_t)r->begin);
	sqlite3_bind_int64(stmt, 4, (int64_t)r->end);
	sqlite3_bind_int64(stmt, 5, (int64_t)r->duration);
	sqlite3_bind_int(stmt, 6, r->cpu);
	sqlite3_bind_int(stmt, 7, r->pid);
	bind_bytes(x, stmt, 8, comm, strlen(comm));
	if (r->has_result)
		sqlite3_bind_int64(stmt, 9, (int64_t)r->result);
	else
		sqlite3_bind_null(stmt, 9);
	x->done.spans++;
	return insert(x, stmt, err);
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

static int begin(struct export *x, struct kt_err *err)
{
	struct sqlite *q = x->state;
	int ret;

	q->view = q->value = (struct str)STR_INIT;
	q->sources = calloc(kt_stream_nr_sources(kt_trace_stream(x->trace)) + 1,
			    sizeof(*q->sources));
	if (!q->sources)
		return kt_err_no_memory(err);
	/* One thread at a time uses it: its locks would take a fifth of the time. */
	if (sqlite3_open_v2(x->opts->path, &q->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
			    SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		return failed(x, err);
	ret = run_sql(x, schema, err);
	if (ret == 0)
		ret = prepare(x, "INSERT INTO spans VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)", &q->span,
			      err);
	if (ret == 0)
		ret = prepare(x, "INSERT INTO spans_cut VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
			      &q->span_cut, err);
	if (ret == 0)
		ret = prepare(x, "INSERT INTO lost VALUES(?, ?, ?, ?)", &q->lost, err);
	if (ret == 0)
		ret = prepare(x, "INSERT INTO event_types VALUES(?, ?, ?, ?, ?)", &q->type, err);
	return ret;
}

static int put_cpus(struct export *x, struct kt_err *err)
{
	struct kt_stream *stream = kt_trace_stream(x->trace);
	struct sqlite *q = x->state;
	sqlite3_stmt *stmt = NULL;
	size_t i;
	int ret = prepare(x, "INSERT INTO cpus VALUES(?, ?, ?, ?, ?, ?, ?)", &stmt, err);

	for (i = 0; i < kt_stream_nr_sources(stream) && ret == 0; i++) {
		const struct kt_source *src = kt_stream_source(stream, i);
		const struct source *s = &q->sources[i];

		sqlite3_bind_int64(stmt, 1, src->file_index);
		bind_bytes(x, stmt, 2, buffer_name(src), strlen(buffer_name(src)));
		sqlite3_bind_int(stmt, 3, src->cpu);
		sqlite3_bind_int64(stmt, 4, s->events);
		sqlite3_bind_int64(stmt, 5, s->lost);
		sqlite3_bind_int64(stmt, 6, s->first);
		sqlite3_bind_int64(stmt, 7, s->last);
		ret = insert(x, stmt, err);
	}
	sqlite3_finalize(stmt);
	return ret;
}

static int put_tasks(struct export *x, struct kt_err *err)
{
	struct sqlite *q = x->state;
	sqlite3_stmt *stmt = NULL;
	size_t i;
	int ret = prepare(x, "INSERT INTO tasks VALUES(?, ?, ?, ?)", &stmt, err);

	for (i = 0; i < q->tasks.nr_slots && ret == 0; i++) {
		const struct keymap_slot *slot = &q->tasks.slots[i];
		const char *comm;

		if (!slot->taken)
			continue;
		comm = export_comm(x, slot->key >> 32, (int)slot->key);
		sqlite3_bind_int64(stmt, 1, slot->key >> 32);
		sqlite3_bind_int(stmt, 2, (int)slot->key);
		bind_bytes(x, stmt, 3, comm, strlen(comm));
		sqlite3_bind_int64(stmt, 4, slot->value);
		ret = insert(x, stmt, err);
	}
	sqlite3_finalize(stmt);
	return ret;
}

static int put_trace(struct export *x, struct kt_err *err)
{
	const struct kt_file_info *info = kt_file_info(kt_trace_file(x->trace, 0));
	bool in_ns = kt_stream_nr_sources(kt_trace_stream(x->trace)) == 0 ||
		     kt_stream_source_in_ns(kt_trace_stream(x->trace), 0);
	sqlite3_stmt *stmt = NULL;
	const char *const rows[][2] = {
		{ "schema", "1" }, { "file", str_base_name(info->path) },
		{ "unit", in_ns ? "ns" : "counts of the clock" },
	};
	size_t i;
	int ret = prepare(x, "INSERT INTO trace VALUES(?, ?)", &stmt, err);

	for (i = 0; i < sizeof(rows) / sizeof(*rows) && ret == 0; i++) {
		bind_text(stmt, 1, rows[i][0]);
		bind_bytes(x, stmt, 2, rows[i][1], strlen(rows[i][1]));
		ret = insert(x, stmt, err);
	}
	sqlite3_finalize(stmt);
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
	int ret = put_cpus(x, err);

	if (ret == 0)
		ret = put_tasks(x, err);
	if (ret == 0)
		ret = put_trace(x, err);
	if (ret == 0)
		ret = put_view(x, err);
	return ret == 0 ? run_sql(x, "COMMIT", err) : ret;
}

static void fini(struct export *x)
{
	struct sqlite *q = x->state;

	sqlite3_finalize(q->span);
	sqlite3_finalize(q->span_cut);
	sqlite3_finalize(q->lost);
	sqlite3_finalize(q->type);
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
