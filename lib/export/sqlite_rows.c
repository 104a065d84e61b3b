/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sqlite_rows.c - rows in memory, which SQLite reads as a virtual table */
#include "export/sqlite_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/threads.h"

#define VALUES_MAX 4096			/* then they are inserted: 64 KiB */
#define TEXTS_MAX  (1 << 16)

enum { IS_NUMBER = -1, IS_NULL = -2 };	/* sqlite_value.len */

/* ---- the virtual table: SQLite calls these ---- */

struct table {
	sqlite3_vtab base;		/* first */
	const struct sqlite_rows *rows;
};

struct cursor {
	sqlite3_vtab_cursor base;	/* first */
	const struct sqlite_value *at, *end;
};

static int on_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
		      sqlite3_vtab **vtab, char **error)
{
	const struct sqlite_rows *rows = aux;
	struct table *table = calloc(1, sizeof(*table));
	struct str sql = STR_INIT;
	size_t i;
	int ret = SQLITE_NOMEM;

	(void)argc;
	(void)argv;
	(void)error;
	str_add(&sql, "CREATE TABLE rows");
	for (i = 0; i < rows->nr_columns; i++)
		str_addf(&sql, "%cc%zu", i ? ',' : '(', i);
	str_addc(&sql, ')');
	if (table && !sql.failed)
		ret = sqlite3_declare_vtab(db, sql.buf);
	str_fini(&sql);
	if (ret != SQLITE_OK) {
		free(table);
		return ret;
	}
	table->rows = rows;
	*vtab = &table->base;
	return SQLITE_OK;
}

static int on_disconnect(sqlite3_vtab *vtab)
{
	free(vtab);
	return SQLITE_OK;
}

static int on_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
	(void)vtab;
	info->estimatedCost = 1;
	return SQLITE_OK;
}

static int on_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor)
{
	struct cursor *c = calloc(1, sizeof(*c));

	(void)vtab;
	if (!c)
		return SQLITE_NOMEM;
	*cursor = &c->base;
	return SQLITE_OK;
}

static int on_close(sqlite3_vtab_cursor *cursor)
{
	free(cursor);
	return SQLITE_OK;
}

static int on_filter(sqlite3_vtab_cursor *cursor, int nr, const char *text, int argc,
		     sqlite3_value **argv)
{
	const struct sqlite_rows *rows = ((struct table *)cursor->pVtab)->rows;
	struct cursor *c = (struct cursor *)cursor;

	(void)nr;
	(void)text;
	(void)argc;
	(void)argv;
	c->at = rows->written.values;
	c->end = c->at + rows->written.nr;
	return SQLITE_OK;
}

static int on_next(sqlite3_vtab_cursor *cursor)
{
	((struct cursor *)cursor)->at += ((struct table *)cursor->pVtab)->rows->nr_columns;
	return SQLITE_OK;
}

static int on_eof(sqlite3_vtab_cursor *cursor)
{
	const struct cursor *c = (struct cursor *)cursor;

	return c->at == c->end;
}

static int on_column(sqlite3_vtab_cursor *cursor, sqlite3_context *result, int column)
{
	const struct sqlite_rows *rows = ((struct table *)cursor->pVtab)->rows;
	const struct sqlite_value *value = &((struct cursor *)cursor)->at[column];

	if (value->len == IS_NUMBER)
		sqlite3_result_int64(result, value->number);
	else if (value->len != IS_NULL)
		sqlite3_result_text(result, rows->written.texts.buf + value->number, value->len,
				    SQLITE_STATIC);
	return SQLITE_OK;
}

static int on_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
	const struct cursor *c = (struct cursor *)cursor;

	*rowid = c->end - c->at;
	return SQLITE_OK;
}

/* Without xCreate: a table that is there without CREATE VIRTUAL TABLE */
static const sqlite3_module module = {
	.xConnect = on_connect, .xDisconnect = on_disconnect, .xBestIndex = on_best_index,
	.xOpen = on_open, .xClose = on_close, .xFilter = on_filter, .xNext = on_next,
	.xEof = on_eof, .xColumn = on_column, .xRowid = on_rowid,
};

/* ---- the thread ---- */

static int insert(struct sqlite_rows *rows)
{
	int ret = sqlite3_step(rows->insert);

	sqlite3_reset(rows->insert);
	return ret == SQLITE_DONE ? SQLITE_OK : ret;
}

static void *run(void *arg)
{
	struct sqlite_writer *w = arg;
	int ret;

	pthread_mutex_lock(&w->lock);
	while (w->first || !w->quit) {
		struct sqlite_rows *rows = w->first;

		if (!rows) {
			pthread_cond_wait(&w->changed, &w->lock);
			continue;
		}
		pthread_mutex_unlock(&w->lock);
		ret = insert(rows);
		pthread_mutex_lock(&w->lock);
		w->result = w->result == SQLITE_OK ? ret : w->result;
		w->first = rows->next;
		rows->waits = false;
		pthread_cond_signal(&w->changed);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

void sqlite_writer_init(struct sqlite_writer *w, sqlite3 *db)
{
	*w = (struct sqlite_writer){ .db = db };
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->changed, NULL);
	w->started = thread_start(&w->thread, run, w) == 0;
}

/* Until @rows are inserted; NULL: all */
static int wait_for(struct sqlite_writer *w, const struct sqlite_rows *rows)
{
	int ret;

	pthread_mutex_lock(&w->lock);
	while (rows ? rows->waits : !!w->first)
		pthread_cond_wait(&w->changed, &w->lock);
	ret = w->result;
	pthread_mutex_unlock(&w->lock);
	return ret;
}

int sqlite_writer_wait(struct sqlite_writer *w)
{
	return wait_for(w, NULL);
}

static void give(struct sqlite_writer *w, struct sqlite_rows *rows)
{
	if (!w->started) {
		w->result = insert(rows);
		return;
	}
	pthread_mutex_lock(&w->lock);
	rows->waits = true;
	rows->next = NULL;
	if (w->first)
		w->last->next = rows;
	else
		w->first = rows;
	w->last = rows;
	pthread_cond_signal(&w->changed);
	pthread_mutex_unlock(&w->lock);
}

void sqlite_writer_fini(struct sqlite_writer *w)
{
	if (!w->db)
		return;
	pthread_mutex_lock(&w->lock);
	w->quit = true;
	pthread_cond_signal(&w->changed);
	pthread_mutex_unlock(&w->lock);
	if (w->started)
		pthread_join(w->thread, NULL);
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
}

/* ---- rows ---- */

int sqlite_rows_init(struct sqlite_rows *rows, struct sqlite_writer *w, const char *name,
		     const char *table, size_t nr_columns)
{
	struct str sql = STR_INIT;
	sqlite3 *db = w->db;
	int ret;

	*rows = (struct sqlite_rows){
		.writer = w, .nr_columns = nr_columns,
		.filling.texts = STR_INIT, .written.texts = STR_INIT,
	};
	str_addf(&sql, "INSERT INTO %s SELECT * FROM %s", table, name);
	ret = sqlite_writer_wait(w);
	if (ret == SQLITE_OK)
		ret = sql.failed ? SQLITE_NOMEM : sqlite3_create_module(db, name, &module, rows);
	if (ret == SQLITE_OK)
		ret = sqlite3_prepare_v3(db, sql.buf, -1, SQLITE_PREPARE_PERSISTENT, &rows->insert,
					 NULL);
	str_fini(&sql);
	return ret;
}

void sqlite_rows_fini(struct sqlite_rows *rows)
{
	if (!rows->writer)
		return;
	sqlite_writer_wait(rows->writer);
	sqlite3_finalize(rows->insert);
	free(rows->filling.values);
	free(rows->written.values);
	str_fini(&rows->filling.texts);
	str_fini(&rows->written.texts);
}

static bool put(struct sqlite_rows *rows, int64_t number, int32_t len)
{
	struct sqlite_batch *b = &rows->filling;

	if (!array_fit(b->values, b->nr, b->max))
		return false;
	b->values[b->nr++] = (struct sqlite_value){ number, len };
	return true;
}

bool sqlite_rows_put_int(struct sqlite_rows *rows, int64_t number)
{
	return put(rows, number, IS_NUMBER);
}

bool sqlite_rows_put_null(struct sqlite_rows *rows)
{
	return put(rows, 0, IS_NULL);
}

bool sqlite_rows_put_text(struct sqlite_rows *rows, const char *text, size_t len)
{
	struct str *texts = &rows->filling.texts;
	size_t at = texts->len;

	str_addn(texts, text, len);
	return !texts->failed && put(rows, (int64_t)at, (int32_t)len);
}

int sqlite_rows_end(struct sqlite_rows *rows)
{
	const struct sqlite_batch *b = &rows->filling;

	return b->nr + rows->nr_columns > VALUES_MAX || b->texts.len > TEXTS_MAX ?
	       sqlite_rows_flush(rows) : SQLITE_OK;
}

int sqlite_rows_flush(struct sqlite_rows *rows)
{
	struct sqlite_batch batch;
	int ret = rows->filling.nr ? wait_for(rows->writer, rows) : SQLITE_OK;

	if (ret != SQLITE_OK || !rows->filling.nr)
		return ret;
	batch = rows->written;
	rows->written = rows->filling;
	rows->filling = batch;
	rows->filling.nr = 0;
	str_reset(&rows->filling.texts);
	give(rows->writer, rows);
	return SQLITE_OK;
}
