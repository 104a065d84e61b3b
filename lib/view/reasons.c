/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* reasons.c - explain an interval of a task of a model's trace, in slices of work */
#include <errno.h>
#include <stdlib.h>

#include <ktrail/views.h>

#include "view/slices.h"

struct kt_reasons {
	struct kt_model *model;
	struct slices slices;
	struct kt_why_find *find;	/* NULL: the interval is known */
	struct kt_why *why;		/* NULL: the interval is not known yet */
	struct kt_why_opts interval;
	enum kt_span_kind kind;
	struct kt_err err;		/* why reading could not begin */
};

static struct kt_analysis *analysis_of(const struct kt_reasons *r)
{
	return r->find ? kt_why_find_analysis(r->find) : kt_why_analysis(r->why);
}

static void forget(struct kt_reasons *r)
{
	kt_why_find_destroy(r->find);
	kt_why_destroy(r->why);
	r->find = NULL;
	r->why = NULL;
	r->slices.done = true;
	r->slices.partial = false;
	kt_err_clear(&r->slices.err);
	kt_err_clear(&r->err);
}

static int explain(struct kt_reasons *r, struct kt_err *err)
{
	struct kt_window w;

	r->why = kt_why_create(kt_model_trace(r->model), &r->interval, err);
	if (!r->why)
		return kt_err_code(err, -ENOMEM);
	w = kt_why_window(r->why);
	return slices_begin(&r->slices, &w, err);
}

int kt_reasons_set(struct kt_reasons *r, const struct kt_why_opts *o, struct kt_err *err)
{
	forget(r);
	r->interval = *o;
	r->kind = KT_SPAN_KINDS;
	return explain(r, err);
}

int kt_reasons_set_moment(struct kt_reasons *r, const struct kt_why_moment *moment,
			  struct kt_err *err)
{
	struct kt_window w;

	forget(r);
	if (kt_model_span(r->model, &w) <= 0)
		return kt_err_set(err, -ENOENT, "the trace is empty");
	r->find = kt_why_find_create(kt_model_trace(r->model), moment, &w, err);
	if (!r->find)
		return kt_err_code(err, -ENOMEM);
	w = kt_why_find_window(r->find);
	return slices_begin(&r->slices, &w, err);
}

/* The interval is known, or the next window is to be read. True: there is more to do. */
static bool found(struct kt_reasons *r)
{
	struct kt_window w;
	int ret;

	if (r->slices.partial)
		return false;
	ret = kt_why_find_result(r->find, &r->interval, &r->kind, &r->err);
	if (ret == 0) {
		w = kt_why_find_window(r->find);
		return slices_begin(&r->slices, &w, &r->err) == 0;
	}
	if (ret < 0)
		return false;
	kt_why_find_destroy(r->find);
	r->find = NULL;
	return explain(r, &r->err) == 0;
}

/* The states at the start of the interval may be older than what was read. */
static bool goes_back(struct kt_reasons *r)
{
	struct kt_window w;

	if (r->slices.partial || r->err.code || kt_why_goes_back(r->why, &r->err) <= 0)
		return false;
	w = kt_why_window(r->why);
	return slices_begin(&r->slices, &w, &r->err) == 0;
}

bool kt_reasons_work(struct kt_reasons *r, unsigned int budget_ms)
{
	if (r->slices.done)
		return false;
	return slices_work(&r->slices, analysis_of(r), budget_ms) ||
	       (r->find ? found(r) : goes_back(r));
}

bool kt_reasons_stop(struct kt_reasons *r)
{
	return !r->slices.done && slices_stop(&r->slices, analysis_of(r));
}

double kt_reasons_done(const struct kt_reasons *r)
{
	return slices_done(&r->slices);
}

bool kt_reasons_is_partial(const struct kt_reasons *r)
{
	return r->slices.partial;
}

struct kt_err kt_reasons_error(const struct kt_reasons *r)
{
	return r->err.code ? r->err : r->slices.err;
}

bool kt_reasons_interval(const struct kt_reasons *r, struct kt_why_opts *o,
			 enum kt_span_kind *kind)
{
	if (!r->why)
		return false;
	*o = r->interval;
	*kind = r->kind;
	return true;
}

struct kt_why *kt_reasons_why(const struct kt_reasons *r)
{
	return r->slices.done && !kt_reasons_error(r).code ? r->why : NULL;
}

struct kt_reasons *kt_reasons_create(struct kt_model *m, struct kt_err *err)
{
	struct kt_reasons *r = calloc(1, sizeof(*r));

	if (!r) {
		kt_err_no_memory(err);
		return NULL;
	}
	r->model = m;
	if (slices_init(&r->slices, m, err) == 0)
		return r;
	free(r);
	return NULL;
}

void kt_reasons_destroy(struct kt_reasons *r)
{
	if (!r)
		return;
	forget(r);
	slices_fini(&r->slices);
	free(r);
}
