/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* synth.h - synthetic events, and queries that make them */
#ifndef KTRAIL_SYNTH_H
#define KTRAIL_SYNTH_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/err.h>
#include <ktrail/instance.h>
#include <ktrail/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kt_synth {
	char *name;
	char *fields;		/* "u64 lat; pid_t pid" */
};

struct kt_synths {
	size_t nr;
	struct kt_synth *at;
};

/* What the kernel has. 0; -ENOTSUP: built without CONFIG_SYNTH_EVENTS; -ENOMEM */
int  kt_synths_read(const struct kt_instance *inst, struct kt_synths *out, struct kt_err *err);
void kt_synths_fini(struct kt_synths *synths);

/**
 * kt_synth_plan_add - plan to define a synthetic event
 * @text: "NAME TYPE FIELD; TYPE FIELD …", or "NAME FIELD:TYPE FIELD:TYPE …"
 *
 *   -EINVAL  with an excerpt; -EEXIST: there is one; -ENOTSUP as above
 */
int kt_synth_plan_add(struct kt_plan *plan, const struct kt_instance *inst, const char *text,
		      struct kt_err *err);
/* @pattern: with '*', '?', '['; of the name, or as events are named, "synthetic:NAME" */
bool kt_synth_matches(const struct kt_synth *synth, const char *pattern);
/* Those that match. Returns how many go; 0: none. */
int kt_synth_plan_del(struct kt_plan *plan, const struct kt_instance *inst, const char *pattern,
		      struct kt_err *err);
/* After the kernel refused a removal with -EBUSY: add to the message what uses the event. */
void kt_synth_explain(const struct kt_instance *inst, const char *pattern, struct kt_err *err);

enum kt_sql_handler { KT_SQL_ONMATCH, KT_SQL_ONMAX, KT_SQL_ONCHANGE };

struct kt_sql {
	const char *query;		/* SELECT … FROM … [JOIN … ON …] [WHERE …] */
	const char *name;		/* of the synthetic event */
	enum kt_sql_handler handler;
	const char *variable;		/* of ONMAX and ONCHANGE */
	bool snapshot, trace;		/* what they do … */
	const char *save;		/* … fields to save, separated by commas; NULL: none */
};

/**
 * kt_sql_plan - plan the synthetic event and triggers, or the hist trigger, that answer a query
 *
 * Names of events and fields are checked first: -EINVAL or -ENOENT with an
 * excerpt. The rest is libtracefs's understanding of SQL (tracefs_sql(3)).
 */
int kt_sql_plan(struct kt_plan *plan, const struct kt_instance *inst, const struct kt_sql *sql,
		struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
