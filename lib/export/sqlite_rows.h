/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sqlite_rows.h - rows for a table of an SQLite database, many inserted at once */
#ifndef EXPORT_SQLITE_ROWS_H
#define EXPORT_SQLITE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>

#include "base/str.h"

/*
 * A statement that inserts a row costs SQLite more than the row itself. So rows are kept here, and
 * SQLite reads them as a virtual table: INSERT INTO table SELECT * FROM rows.
 */
struct sqlite_value {
	int64_t number;			/* of a text its place in .texts */
	int32_t len;			/* of a text; else one of the following */
};

struct sqlite_rows {
	sqlite3 *db;			/* borrowed */
	sqlite3_stmt *insert;
	size_t nr_columns;
	struct sqlite_value *values;	/* by row, then by column */
	size_t nr, max;			/* of them */
	struct str texts;
};

/*
 * For @table, a name within double quotes. @name: that of the virtual table, known to no other;
 * @rows stay where they are. Returns a code of SQLite. sqlite_rows_fini() in any case
 */
int sqlite_rows_init(struct sqlite_rows *rows, sqlite3 *db, const char *name, const char *table,
		     size_t nr_columns);
void sqlite_rows_fini(struct sqlite_rows *rows);

/* The next column of the row. false: no memory */
bool sqlite_rows_put_int(struct sqlite_rows *rows, int64_t number);
bool sqlite_rows_put_null(struct sqlite_rows *rows);
/* UTF-8; copied */
bool sqlite_rows_put_text(struct sqlite_rows *rows, const char *text, size_t len);

/* After all columns of a row: inserts the rows when they are many. A code of SQLite */
int sqlite_rows_end(struct sqlite_rows *rows);
/* Inserts them now. */
int sqlite_rows_flush(struct sqlite_rows *rows);

#endif
