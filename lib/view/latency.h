/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* latency.h - distributions of times, in bounded memory */
#ifndef VIEW_LATENCY_H
#define VIEW_LATENCY_H

#include <ktrail/calls.h>
#include <ktrail/span.h>
#include <ktrail/views.h>

#include "base/keymap.h"

/* Exact below 32 ns, then 32 buckets for each power of two: half of one is 1.6 % */
#define LATENCY_STEPS   32
#define LATENCY_BUCKETS (60 * LATENCY_STEPS)

struct latency_row {
	struct kt_latency_row pub;
	char    *name;
	uint64_t key;
	uint64_t levels[KT_LATENCY_LEVELS];
	uint32_t *map;
	uint32_t *buckets;
};

unsigned int latency_bucket(uint64_t ns);
/* The middle of a bucket */
uint64_t latency_bucket_value(unsigned int bucket);
/* @column: of the map */
void latency_add(struct latency_row *r, const struct kt_latency *one, unsigned int column);
uint64_t latency_quantile(const struct latency_row *r, double share);

/* A heap of the longest ones, the shortest of them first */
struct latency_list {
	struct kt_latency *at;
	size_t nr;
};

int  latency_list_add(struct latency_list *list, const struct kt_latency *one);
void latency_list_sort(struct latency_list *list);

/* ---- latency.c ---- */

struct kt_latencies {
	struct kt_model *model;
	struct kt_reader *reader;
	struct kt_spans *spans;		/* or */
	struct kt_calls *calls;
	enum kt_latency_kind kind;
	struct kt_window window;
	struct latency_row *rows;
	size_t nr, room;
	struct keymap row_of;
	struct latency_list list;
	bool listing;			/* this time only for the list: */
	uint64_t list_key;
	unsigned int list_level;
	bool done, partial, shown;	/* shown: the record that is read now passes the filters */
	struct kt_spot at;
	uint64_t reached;
	char *handlers[256];		/* names of interrupts, by number, owned */
	char *pair;			/* the text, owned; and what it was cut into */
	char *words;
};

/* One that ended: @cut: its begin or end is not certain. 0 or -ENOMEM */
int latency_take(struct kt_latencies *l, uint64_t key, const char *name,
		 const struct kt_latency *one, bool cut);

/* ---- latency_sources.c ---- */

void latency_format_task(struct kt_latencies *l, size_t file, int pid, char *name, size_t size);
/* Of each record, for the names of interrupts */
void latency_note_handler(struct kt_latencies *l, const struct kt_event *ev,
			  const struct kt_record *rec);
/* Sinks, whose @data are the latencies */
int  latency_take_span(void *data, const struct kt_span *s, struct kt_err *err);
int  latency_take_call(void *data, const struct kt_call *c, struct kt_err *err);
/* Of timerlat, osnoise and hwlat: what they measured */
bool latency_is_tracer(const struct kt_event *ev);
int  latency_take_sample(struct kt_latencies *l, const struct kt_event *ev,
			 const struct kt_record *rec);

#endif
