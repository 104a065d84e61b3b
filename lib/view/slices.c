/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* slices.c - an analysis of a window of a model's trace, in slices of work */
#include "view/slices.h"

#include <errno.h>

#include "base/moment.h"

#define RECORDS_EACH 256		/* records between two looks at the clock */

int slices_init(struct slices *s, struct kt_model *m, struct kt_err *err)
{
	*s = (struct slices){
		.model = m, .done = true,
		.reader = kt_reader_create(kt_model_trace(m), kt_model_index(m), err),
	};
	return s->reader ? 0 : -ENOMEM;
}

void slices_fini(struct slices *s)
{
	kt_reader_destroy(s->reader);
}

int slices_begin(struct slices *s, const struct kt_window *w, struct kt_err *err)
{
	int ret = kt_reader_seek(s->reader, w->from, err);

	kt_reader_tell(s->reader, &s->at);
	s->window = *w;
	s->reached = w->from;
	s->partial = false;
	s->done = ret < 0;
	kt_err_clear(&s->err);
	return ret;
}

static void finish(struct slices *s, struct kt_analysis *a, int ret)
{
	if (ret >= 0 || ret == -ECANCELED)
		ret = a->finish ? a->finish(a, &s->err) : 0;
	else if (a->finish)
		a->finish(a, NULL);
	s->partial |= ret < 0;
	s->done = true;
}

/* Reads one record: 1, 0 at the end, or a negative errno */
static int step(struct slices *s, struct kt_analysis *a)
{
	const struct kt_event *ev;
	struct kt_record rec;
	int ret = kt_reader_next(s->reader, &rec, &s->err);

	if (ret <= 0 || rec.ts > s->window.until)
		return ret < 0 ? ret : 0;
	if (rec.lost && a->lost)
		a->lost(a, &rec);
	s->reached = rec.ts;
	ev = kt_trace_event(kt_model_trace(s->model), &rec);
	ret = ev ? a->record(a, ev, &rec, &s->err) : 0;
	return ret < 0 ? ret : 1;
}

bool slices_work(struct slices *s, struct kt_analysis *a, unsigned int budget_ms)
{
	uint64_t until = moment_ms() + budget_ms;
	unsigned int i;
	int ret;

	if (s->done)
		return false;
	ret = kt_reader_go(s->reader, &s->at, &s->err);
	do {
		for (i = 0; i < RECORDS_EACH && ret >= 0; i++) {
			ret = step(s, a);
			if (ret == 0)
				break;
		}
	} while (ret > 0 && moment_ms() < until);
	if (ret <= 0) {
		finish(s, a, ret);
		return false;
	}
	kt_reader_tell(s->reader, &s->at);
	return true;
}

bool slices_stop(struct slices *s, struct kt_analysis *a)
{
	if (s->done)
		return false;
	finish(s, a, 0);
	s->partial = true;
	return true;
}

double slices_done(const struct slices *s)
{
	return s->done ? 1 : (double)(s->reached - s->window.from) /
			     ((double)(s->window.until - s->window.from) + 1);
}
