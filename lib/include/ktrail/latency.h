/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* latency.h - what the latency tracers can be told, and what they found */
#ifndef KTRAIL_LATENCY_H
#define KTRAIL_LATENCY_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/instance.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Source: Linux, Documentation/trace/{ftrace,hwlat_detector,osnoise-tracer,
 * timerlat-tracer}.rst
 */
struct kt_tracer_param {
	const char *tracers;		/* separated by spaces; "*" at the end of one: a family */
	const char *name;		/* as we call it */
	const char *file;		/* where it is */
	const char *help;		/* with the unit */
	int read_only;			/* a result */
};

/* Ends with a zeroed entry. */
extern const struct kt_tracer_param kt_tracer_params[];

/* Is the parameter one of this tracer? */
int kt_tracer_has_param(const char *tracer, const struct kt_tracer_param *param);
/* One line on what a tracer shows; NULL: unknown to us. */
const char *kt_tracer_help(const char *tracer);
/**
 * kt_param_widens - can this value contradict no other parameter?
 *
 * A window of time is as long as what is measured in it, at least: one that gets
 * longer, or a measurement that gets shorter, fits whatever the other is. So
 * these go first when several are set. False for what is neither.
 */
int kt_param_widens(const struct kt_instance *inst, const char *tracer, const char *name,
		    const char *value);
/* Does its "trace" show a longest time, kept aside, rather than what the buffer holds? So it is
 * with the tracer irqsoff and its kin, and with wakeup and its. */
bool kt_instance_shows_max(const struct kt_instance *inst);
/**
 * kt_instance_set_param - set a parameter of a tracer
 *
 * -EINVAL: no such parameter, with those there are; a result cannot be set
 * except to 0.
 */
int kt_instance_set_param(struct kt_instance *inst, const char *tracer, const char *name,
			  const char *value, struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
