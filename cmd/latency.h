/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latency.h - what `ktrail latency` measures and prints */
#ifndef CMD_LATENCY_H
#define CMD_LATENCY_H

#include <ktrail/latencies.h>

#include "choose.h"

struct latency_args {
	struct choose choose;		/* first: CHOOSE_OPTS */
	const char *input, *sort, *key;
	char *kinds;			/* a list; NULL: all that are recorded */
	const char *steps[KT_LATENCY_STEPS];	/* --from, --via … */
	size_t nr_steps;
	const char *to;
	bool by_key, hist, map, json, list_kinds;
	uint64_t top, worst;

	/* what latency_prepare() makes of that */
	unsigned int wanted;		/* bits of kinds that were asked for */
	struct kt_latency_opts opts;
	struct kt_latency_step pair[KT_LATENCY_STEPS];
	struct kt_window window;	/* of the map */
	char *words;			/* that the steps borrow */
	struct kt_trace *trace;
};

/* latency_pair.c: --from, --via, --to and --key as steps */
int  latency_make_pair(struct latency_args *a, struct kt_trace *t, struct kt_err *err);
void latency_end_pair(struct latency_args *a);

/* One kind with its rows, in the order that was asked for */
struct latency_part {
	enum kt_latency_kind kind;
	struct kt_latency_row *rows;
	size_t nr, shown;
	uint64_t cut;
};

/* New (free .rows). False: no memory */
bool latency_part(const struct latency_args *a, const struct kt_latency_table *table,
		  enum kt_latency_kind kind, struct latency_part *part);

/* latency_text.c, latency_json.c: 0 or a negative errno */
int  latency_print(const struct latency_args *a, const struct kt_latency_table *table);
int  latency_print_json(const struct latency_args *a, const struct kt_latency_table *table);

/* latency_picture.c: a histogram of all rows of a kind; and over time */
struct str;
void latency_add_histogram(struct str *s, const struct latency_part *part, int width);
void latency_add_map(struct str *s, const struct latency_args *a, const struct latency_part *part,
		     int width);

#endif
