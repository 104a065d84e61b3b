/* SPDX-License-Identifier: GPL-2.0-or-later */
/* event_columns.h - the columns of the view of events, their order and widths */
#ifndef TUI_EVENT_COLUMNS_H
#define TUI_EVENT_COLUMNS_H

#include <stdbool.h>

#include <ktrail/base.h>

#include "base/str.h"

struct config;

#define COLUMNS_MAX 16
#define COLUMN_WIDTH_MAX 200

enum column_kind {
	COLUMN_TIME, COLUMN_DELTA, COLUMN_CPU, COLUMN_TASK, COLUMN_FLAGS, COLUMN_EVENT,
	COLUMN_INFO,
	COLUMN_FIELD,			/* the value of a field, of the events that have it */
};

struct event_column {
	enum column_kind kind;
	int  width;			/* 0: as wide as needed */
	char field[40];			/* of COLUMN_FIELD */
};

struct event_columns {
	struct event_column at[COLUMNS_MAX];
	int nr;				/* 0: not chosen */
};

/* The user's columns, or the default ones. @config: may be NULL */
void event_columns_default(struct event_columns *c, const struct config *config);
/* "time task:20 event prev_pid info"; -EINVAL: @c is unchanged */
int  event_columns_parse(struct event_columns *c, const char *text, struct kt_err *err);
/* In the form that event_columns_parse() reads */
void event_columns_print(const struct event_columns *c, struct str *out);
/* The columns that are not fields */
void event_columns_names(struct kt_names *words);
/* Move the column @from to the place of @to; others move up. */
void event_columns_move(struct event_columns *c, int from, int to);
/* A width from the user, limited to the valid range */
void event_column_set_width(struct event_column *c, int width);

#endif
