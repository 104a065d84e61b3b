/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latency.h - shared by the files of `ktrail latency` */
#ifndef CMD_LATENCY_H
#define CMD_LATENCY_H

#include <ktrail/latencies.h>

#include "cmd/args/choose.h"
#include "cmd/args/subjects.h"

struct latency_args {
	struct choose choose;		/* first: CHOOSE_OPTS */
	const char *input, *sort, *key, *svg;
	const char *steps[KT_LATENCY_STEPS];	/* --from, --via … */
	size_t nr_steps;
	const char *to;
	bool by_key, hist, map, json, wide;
	bool is_preset;			/* a command that measures @subjects.wanted only */
	uint64_t top, worst;

	/* of -k and --from */
	struct subjects subjects;

	/* set by prepare() for the trace */
	struct kt_latency_opts opts;
	struct kt_window window;	/* of the map */
	struct kt_trace *trace;
};

/* One kind with its rows, in the chosen order */
struct latency_part {
	enum kt_latency_kind kind;
	struct kt_latency_row *rows;
	size_t nr, shown;
	uint64_t cut;
};

/* New (free .rows). False: no memory */
bool latency_part(const struct latency_args *a, const struct kt_latency_table *table,
		  enum kt_latency_kind kind, struct latency_part *part);

struct str;

/* What `ktrail record` needs to record this kind: " -e irq:irq_handler_entry …" */
void latency_add_options(struct str *line, enum kt_latency_kind kind);

/* latency_text.c, latency_json.c: 0 or a negative errno */
int  latency_print(const struct latency_args *a, const struct kt_latency_table *table);
/* Print the report of irqsoff, wakeup or another latency tracer. -ENODATA: no such report */
int  latency_print_report(struct kt_trace *t);
int  latency_print_json(const struct latency_args *a, const struct kt_latency_table *table);

/* latency_svg.c: the maps of all kinds into the file of --svg */
int  latency_write_svg(const struct latency_args *a, const struct kt_latency_table *table,
		       struct kt_err *err);

/* latency_picture.c: a histogram of all rows of a kind; and a map over time */
void latency_add_histogram(struct str *s, const struct latency_part *part, int width);
void latency_add_map(struct str *s, const struct latency_args *a, const struct latency_part *part,
		     int width);

#endif
