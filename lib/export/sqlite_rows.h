/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sqlite_rows.h - rows for tables of an SQLite database, many inserted at once, by a thread */
#ifndef EXPORT_SQLITE_ROWS_H
#define EXPORT_SQLITE_ROWS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>

#include "base/str.h"

struct sqlite_rows;

/* A thread inserts rows while the caller makes the next ones. */
struct sqlite_writer {
	sqlite3 *db;			/* borrowed */
	pthread_t thread;
	bool started;			/* a thread runs; else the caller inserts */
	pthread_mutex_t lock;		/* protects all members below */
	pthread_cond_t changed;
	struct sqlite_rows *first, *last; /* those that wait; the first is being inserted */
	int result;			/* the first failure so far */
	bool quit;
};

void sqlite_writer_init(struct sqlite_writer *w, sqlite3 *db);
/* Wait until no insertion is running: only then may the caller use the database. */
int sqlite_writer_wait(struct sqlite_writer *w);
/* After sqlite_rows_fini() of all */
void sqlite_writer_fini(struct sqlite_writer *w);

/*
 * A statement for each row costs SQLite more than the row itself. So rows are collected here, and
 * SQLite reads them as a virtual table: INSERT INTO table SELECT * FROM rows.
 */
struct sqlite_value {
	int64_t number;			/* for a text, its offset in .texts */
	int32_t len;			/* of a text; below 0: another type, see sqlite_rows.c */
};

struct sqlite_batch {
	struct sqlite_value *values;	/* by row, then by column */
	size_t nr, max;			/* of @values */
	struct str texts;
};

struct sqlite_rows {
	struct sqlite_writer *writer;	/* borrowed */
	sqlite3_stmt *insert;
	size_t nr_columns;
	struct sqlite_batch filling;	/* the caller's */
	struct sqlite_batch written;	/* the writer's while it waits */
	bool waits;			/* protected by the writer's lock */
	struct sqlite_rows *next;	/* the same */
};

/*
 * For @table, a name within double quotes. @name: of the virtual table, unique. @rows must not
 * move. Returns an SQLite code. Call sqlite_rows_fini() in any case.
 */
int sqlite_rows_init(struct sqlite_rows *rows, struct sqlite_writer *w, const char *name,
		     const char *table, size_t nr_columns);
void sqlite_rows_fini(struct sqlite_rows *rows);

/* The next column of the row. false: no memory */
bool sqlite_rows_put_int(struct sqlite_rows *rows, int64_t number);
bool sqlite_rows_put_null(struct sqlite_rows *rows);
/* UTF-8; copied */
bool sqlite_rows_put_text(struct sqlite_rows *rows, const char *text, size_t len);

/* After all columns of a row: starts to insert when there are many rows. An SQLite code */
int sqlite_rows_end(struct sqlite_rows *rows);
/* Start to insert the rows; sqlite_writer_wait() waits until that is done. */
int sqlite_rows_flush(struct sqlite_rows *rows);

#endif
