/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* flame.c - the flame graph of a model's trace, in slices of work */
#include "flame/flame.h"

#include <stdlib.h>

#include "base/moment.h"
#include "view/model_priv.h"
#include "view/slices.h"

#define LEARN_MS   300		/* to learn task names before counting by them */

struct model_flame {
	struct kt_flame flame;		/* first */
	struct kt_model *model;
	struct slices slices;
	uint64_t learned_ms;
};

static struct model_flame *of_model(struct kt_flame *f)
{
	return (struct model_flame *)f;
}

static const struct slices *slices_of(const struct kt_flame *f)
{
	return &((const struct model_flame *)f)->slices;
}

enum kt_flame_kind kt_flame_guess(struct kt_model *m)
{
	return model_begins_with(m, flame_is_stack) ? KT_FLAME_STACKS : KT_FLAME_CALLS;
}

int kt_flame_set(struct kt_flame *f, enum kt_flame_kind kind, const struct kt_window *w,
		 struct kt_err *err)
{
	struct model_flame *mf = of_model(f);
	int ret;

	flame_forget(f);
	f->has_stacks = kind == KT_FLAME_OFF_CPU && kt_flame_guess(mf->model) == KT_FLAME_STACKS;
	mf->slices.done = true;
	ret = flame_begin(f, kind, w, err);
	if (ret == 0)
		ret = slices_begin(&mf->slices, w, err);
	return kt_err_result(err, ret);
}

/* Frames keep the names they get, so functions and most tasks should be known first. */
static bool learn(struct model_flame *mf, unsigned int budget_ms)
{
	uint64_t from = moment_ms();
	bool more;

	if (!kt_model_knows_symbols(mf->model, budget_ms))
		return true;
	more = mf->learned_ms < LEARN_MS && kt_model_work(mf->model, budget_ms);
	mf->learned_ms = more ? mf->learned_ms + moment_ms() - from : LEARN_MS;
	return more;
}

bool kt_flame_work(struct kt_flame *f, unsigned int budget_ms)
{
	struct model_flame *mf = of_model(f);

	if (!mf->slices.done && learn(mf, budget_ms))
		return true;
	f->filtered = kt_model_chooses(mf->model);
	return slices_work(&mf->slices, &f->analysis, budget_ms);
}

bool kt_flame_stop(struct kt_flame *f)
{
	return slices_stop(&of_model(f)->slices, &f->analysis);
}

double kt_flame_done(const struct kt_flame *f)
{
	return slices_done(slices_of(f));
}

bool kt_flame_is_partial(const struct kt_flame *f)
{
	return slices_of(f)->partial;
}

/* ---- a flame graph ---- */

static bool shows(void *data, const struct kt_record *rec)
{
	return model_shows(data, rec);
}

static void fini(struct kt_flame *f)
{
	slices_fini(&of_model(f)->slices);
}

struct kt_flame *kt_flame_create(struct kt_model *m, struct kt_err *err)
{
	struct model_flame *mf = calloc(1, sizeof(*mf));

	if (mf) {
		mf->model = m;
		mf->flame.counts = shows;
		mf->flame.data = m;
		mf->flame.fini = fini;
		if (flame_init(&mf->flame, kt_model_trace(m)) == 0 &&
		    slices_init(&mf->slices, m, err) == 0)
			return &mf->flame;
	}
	kt_flame_destroy(&mf->flame);
	kt_err_no_memory(err);
	return NULL;
}
