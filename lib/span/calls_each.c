/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* calls_each.c - report calls one by one, as they end */
#include "span/calls.h"

static uint32_t ignore(void *data, const struct kt_call *call, uint32_t parent, uint32_t task,
		       bool late)
{
	(void)data, (void)call, (void)parent, (void)task, (void)late;
	return KT_CALL_NONE;
}

/* A call that never got a name was not recorded. */
static int pass_on(void *data, uint32_t id, const struct kt_call *call, struct kt_err *err)
{
	const struct kt_calls_opts *opts = calls_opts(data);

	(void)id;
	return call->func || call->name ? opts->sink(opts->data, call, err) : 0;
}

struct kt_calls *kt_calls_create(struct kt_trace *t, const struct kt_calls_opts *opts,
				 struct kt_err *err)
{
	return calls_follow(t, opts, &(struct call_sink){ ignore, pass_on, NULL }, err);
}
