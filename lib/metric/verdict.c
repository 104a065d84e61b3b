/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* verdict.c - figures of a recording against their limits, and many runs against chance */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/str.h"
#include "latency/latency.h"
#include "metric/metric.h"

const char *kt_verdict_text(enum kt_verdict v)
{
	static const char *const texts[] = {
		[KT_VERDICT_HOLDS] = "holds", [KT_VERDICT_FAILS] = "does not hold",
		[KT_VERDICT_UNKNOWN] = "cannot tell",
	};

	return texts[v];
}

enum kt_metric_unit metric_unit(const struct part *p)
{
	if (p->figure == FIGURE_RATE)
		return KT_METRIC_PER_SECOND;
	return p->figure <= FIGURE_ERRORS ? KT_METRIC_NUMBER : KT_METRIC_NS;
}

/* Combine the verdicts for the worst and the best that the losses may hide */
static enum kt_verdict verdict_of(bool worst, bool best)
{
	if (worst != best)
		return KT_VERDICT_UNKNOWN;
	return best ? KT_VERDICT_HOLDS : KT_VERDICT_FAILS;
}

/*
 * The number of samples that a loss may have hidden. Each lost event begins or ends at most one. A
 * sample with both ends recorded is torn if a loss between them may have held an end and a begin:
 * then there were two samples, or none.
 */
static uint64_t unseen(const struct kt_metric *m, const struct source *s)
{
	if (!m->nr_lost || m->nr_lost == UINT64_MAX || !s->latency)
		return m->nr_lost;
	return 2 * m->nr_lost + (s->table ? latency_nr_torn(s->table) : 0);
}

/* ---- losses make a figure a range of two values ---- */

struct range {
	double least, most;
};

static struct range range_of(const struct kt_metric *m, const struct part *p,
			     const struct source *s, double hidden)
{
	double count = (double)s->count, sum = (double)s->sum;
	double sum_most = hidden > 0 ? INFINITY : sum;

	switch (p->figure) {
	case FIGURE_ERRORS:
		return (struct range){ (double)s->errors, (double)s->errors + hidden };
	case FIGURE_TOTAL:
		return (struct range){ sum, sum_most };
	case FIGURE_AVG:
		return (struct range){ sum / (count + hidden), sum_most / count };
	case FIGURE_RATE:
		return (struct range){ count * 1e9 / (double)m->opts.duration_ns,
				       (count + hidden) * 1e9 / (double)m->opts.duration_ns };
	default:
		return (struct range){ count, count + hidden };
	}
}

static bool holds(const struct part *p, double value)
{
	return compare_holds(p->sign, (value > p->limit) - (value < p->limit), 0);
}

static enum kt_verdict judge_range(const struct part *p, const struct range *r)
{
	/* The value of a == or != may lie between the two. */
	if (r->least < r->most && p->sign <= COMPARE_NE && r->least <= p->limit &&
	    p->limit <= r->most)
		return KT_VERDICT_UNKNOWN;
	return verdict_of(holds(p, r->least), holds(p, r->most));
}

/*
 * If @within of @nr samples are on the right side of the limit, is the sample of the rank among
 * them? Ranks count from the smallest sample.
 */
static bool rank_holds(const struct part *p, uint64_t within, uint64_t nr)
{
	uint64_t rank = (uint64_t)ceill((long double)p->rank * nr / PPM);

	if (!rank)
		rank = 1;
	return p->sign == COMPARE_LT || p->sign == COMPARE_LE ? within >= rank :
	       nr - within < rank;
}

static enum kt_verdict judge_rank(const struct part *p, const struct source *s, uint64_t hidden)
{
	if (hidden > UINT64_MAX / 4)
		hidden = UINT64_MAX / 4;
	return verdict_of(rank_holds(p, p->nr_within, s->count + hidden),
			  rank_holds(p, p->nr_within + hidden, s->count + hidden));
}

/* The verdict is exact, a percentile has an error of 1.6 %: it must not contradict the verdict. */
static double rank_value(const struct part *p, const struct source *s)
{
	double value = (double)dist_quantile(&s->dist, s->count, (double)p->rank / PPM);
	bool upper = p->sign == COMPARE_LT || p->sign == COMPARE_LE;
	bool is_within = rank_holds(p, p->nr_within, s->count);

	if (p->rank == 0 || p->rank == PPM)
		value = (double)(p->rank ? s->max : s->min);
	value = fmin(fmax(value, (double)s->min), (double)s->max);
	if (holds(p, value) == is_within)
		return value;
	if (holds(p, p->limit) == is_within)
		return p->limit;
	return upper == is_within ? p->limit - 1 : p->limit + 1;
}

/* ---- rows ---- */

/* Why it is undecided; owned by the part */
static const char *explain(struct part *p, const struct kt_metric *m, const struct source *s)
{
	struct str text = STR_INIT;

	if (!s->count)
		str_addf(&text, "there is no sample of '%s'", s->text);
	else if (!m->opts.duration_ns && p->figure == FIGURE_RATE)
		str_add(&text, "the recording has no duration");
	else if (m->nr_lost == UINT64_MAX)
		str_add(&text, "an unknown number of events was lost, which could change it");
	else
		str_addf(&text, "%" PRIu64 " events were lost: they could change it", m->nr_lost);
	free(p->why);
	p->why = str_take(&text);
	return p->why ? p->why : "out of memory";
}

/* Without samples only counts have a value. */
static bool has_value(const struct kt_metric *m, const struct part *p, const struct source *s)
{
	if (p->figure == FIGURE_RATE)
		return m->opts.duration_ns;
	return s->count || p->figure == FIGURE_COUNT;
}

static void judge(struct kt_metric *m, struct part *p, const struct source *s,
		  struct kt_metric_row *row)
{
	struct range r;

	row->has_value = has_value(m, p, s);
	if (row->has_value && p->figure == FIGURE_RANK) {
		row->value = rank_value(p, s);
		row->verdict = judge_rank(p, s, row->unseen);
	} else if (row->has_value) {
		r = range_of(m, p, s, 0);
		row->value = r.least;
		r = range_of(m, p, s, (double)row->unseen);
		row->verdict = judge_range(p, &r);
	}
	if (row->verdict == KT_VERDICT_UNKNOWN)
		row->why = explain(p, m, s);
}

bool kt_metric_row(struct kt_metric *m, size_t i, struct kt_metric_row *row)
{
	struct part *p = i < m->nr ? &m->parts[i] : NULL;
	const struct source *s;

	if (!p)
		return false;
	s = m->sources[p->source];
	*row = (struct kt_metric_row){
		.name = p->name, .limit_text = p->limit_text, .unit = metric_unit(p),
		.limit = p->limit, .samples = s->count, .unseen = unseen(m, s),
		.verdict = KT_VERDICT_UNKNOWN, .why = s->why, .not_recorded = s->why != NULL,
	};
	if (!s->why)
		judge(m, p, s, row);
	return true;
}

enum kt_verdict kt_metric_verdict(struct kt_metric *m)
{
	enum kt_verdict all = KT_VERDICT_HOLDS;
	struct kt_metric_row row;
	size_t i;

	for (i = 0; kt_metric_row(m, i, &row); i++)
		if (row.verdict != KT_VERDICT_HOLDS && all != KT_VERDICT_FAILS)
			all = row.verdict;
	return all;
}

/* ---- many runs ---- */

int kt_sequential_check(const struct kt_sequential *s, struct kt_err *err)
{
	if (!(s->good > 0 && s->good < s->bad && s->bad < 1))
		return kt_err_set(err, -EINVAL, "the shares of failing runs must be above 0, below "
				  "1, and larger for a bad commit than for a good one");
	if (!(s->error > 0 && s->error < 0.5))
		return kt_err_set(err, -EINVAL, "the error must be above 0 and below 0.5");
	return 0;
}

/* Source: A. Wald, Sequential Tests of Statistical Hypotheses, 1945 */
enum kt_verdict kt_sequential_verdict(const struct kt_sequential *s, uint64_t runs,
				      uint64_t failed)
{
	double ratio = (double)failed * log(s->bad / s->good) +
		       (double)(runs - failed) * log((1 - s->bad) / (1 - s->good));
	double bound = log((1 - s->error) / s->error) - 1e-9;

	if (ratio >= bound)
		return KT_VERDICT_FAILS;
	return ratio <= -bound ? KT_VERDICT_HOLDS : KT_VERDICT_UNKNOWN;
}
