/* SPDX-License-Identifier: GPL-2.0-or-later */
/* complete.h - complete typed words */
#ifndef TUI_COMPLETE_H
#define TUI_COMPLETE_H

#include <stdbool.h>

#include <ktrail/base.h>

struct app;

/* The words that may be at the cursor of the prompt; @is_command: after ':', else only an argument.
 * Returns where the typed part begins. */
size_t complete_words(const struct app *app, bool is_command, struct kt_names *words);

/* Fields of the events that @len bytes of @events choose, as "sched,irq/softirq_raise"; NULL: of
 * all events of the trace */
void complete_fields(const struct app *app, const char *events, size_t len,
		     struct kt_names *words);

#endif
