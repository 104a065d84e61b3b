/* SPDX-License-Identifier: GPL-2.0-or-later */
/* complete_subject.c - what may come next in a metric, and in the kinds of latencies */
#include "complete.h"

#include <stdio.h>
#include <string.h>

#include <ktrail/latencies.h>

#include "base/str.h"

static void offer_all_kinds(const struct typing *t)
{
	int kind;

	for (kind = 0; kind < KT_LATENCY_KINDS; kind++)
		if (kind != KT_LATENCY_PAIR)
			offer_with(t, kt_latency_kind_name(kind), kt_latency_kind_title(kind));
}

void offer_kinds(const struct typing *t)
{
	const char *comma = strrchr(t->word, ',');
	struct typing rest = typing_rest(t, comma ? comma + 1 : t->word);

	offer_all_kinds(&rest);
}

static void offer_figures(const struct typing *t)
{
	static const char *const figures[] = { "p50", "p90", "p99", "p99.9", "max", "min", "avg",
					       "total", "count", "rate", "errors" };
	char text[16];
	size_t i;

	for (i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
		snprintf(text, sizeof(text), "%s(", figures[i]);
		offer(t, text);
	}
}

/* "p99(wakeup) < 1ms and max(irq": a figure, or the kind in the last parenthesis */
void offer_metric(const struct typing *t)
{
	const char *open = strrchr(t->word, '('), *close = strrchr(t->word, ')');
	const char *join = strstr(close ? close : t->word, " and ");
	struct typing rest;

	if (open && (!close || close < open)) {
		rest = typing_rest(t, open + 1);
		offer_all_kinds(&rest);
		offer_with(&rest, "event", "an event, by its name");
	} else if (join || !close) {
		rest = typing_rest(t, join ? join + strlen(" and ") : t->word);
		offer_figures(&rest);
	}
}
