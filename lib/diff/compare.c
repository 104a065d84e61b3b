/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* compare.c - which names differ, how, and by how much of the total time */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "diff/diff.h"

#define RUNS_ALONE 4			/* with this many on a side, recordings are the units */
#define TESTED_MIN 8			/* rarer names cannot be told from chance */
#define COUNTED    30			/* enough to show what a count depends on */
#define WEIGHTY    10			/* a block with this many measurements counts half */
/* The longest times: enough for each block, within these shares */
#define TAIL_TIMES 4			/* the threshold is higher by this, as they vary more */
#define TAIL_NR    (2 * KT_DIFF_BLOCKS * 5)
#define TAIL_LEAST 0.01
#define TAIL_MOST  0.1

enum diff_what { WHAT_COUNT, WHAT_TYPICAL, WHAT_TAIL, WHAT_TOTAL, NR_WHATS };

struct comparison {
	struct kt_diff *d;
	const struct kt_diff_limits *limits;
	struct diff_design design;
	bool by_run;
	struct diff_test *tests;
	size_t nr;
};

/* ---- do counts depend on time or on work? ---- */

static double mean_ns(const struct kt_diff *d, enum kt_diff_side side)
{
	double ns = 0;
	size_t i;

	for (i = 0; i < d->nr_runs[side]; i++)
		ns += (double)d->runs[side][i]->pub.ns;
	return (ns + 1) / (double)d->nr_runs[side];
}

static int ascending(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return a < b ? -1 : a > b;
}

/*
 * Slower work has fewer events per second but the same number; under a steady load a longer
 * recording has more. The majority of names shows which case it is.
 */
static bool is_per_second(const struct kt_diff *d, enum kt_diff_per per)
{
	double *ratios = calloc(d->nr + 1, sizeof(*ratios)), middle;
	double lengths = log(mean_ns(d, KT_DIFF_B) / mean_ns(d, KT_DIFF_A));
	size_t i, nr = 0;

	for (i = 0; i < d->nr && ratios; i++) {
		const struct diff_entry *e = d->entries[i];

		if (e->count[0] >= COUNTED && e->count[1] >= COUNTED)
			ratios[nr++] = log((double)e->count[1] / (double)d->nr_runs[1] /
					   ((double)e->count[0] / (double)d->nr_runs[0]));
	}
	if (nr)
		qsort(ratios, nr, sizeof(*ratios), ascending);
	middle = nr ? ratios[nr / 2] : 0;
	free(ratios);
	return per == KT_DIFF_PER_ANY ? fabs(middle - lengths) < fabs(middle) :
					per == KT_DIFF_PER_SECOND;
}

/* ---- the values of units ---- */

struct amount {
	double count, total, logs;	/* scaled to the average length of its side */
	double above;			/* number of those among the longest times */
	double nr;			/* number of measurements */
	bool known, lossy;
};

/* The filled part of a block of a recording, 0 to 1 */
static double fill_of(const struct diff_run *run, size_t block)
{
	double fill = (double)run->progress / (double)run->size - (double)block;

	return clamp(fill, 0, 1);
}

/* The unit of a block of a recording */
static size_t unit_of(const struct diff_run *run, size_t block)
{
	uint64_t nr = (run->progress + run->size - 1) / run->size;

	return nr ? block * KT_DIFF_BLOCKS / nr : 0;
}

static void add_block(struct amount *sum, const struct diff_block *b, unsigned int limit)
{
	unsigned int i;

	sum->nr += (double)b->count;
	sum->total += (double)b->sum;
	sum->logs += b->logs;
	for (i = limit; b->levels && i < DIFF_LEVELS; i++)
		sum->above += b->levels[i];
}

/* Adds a unit of a recording, or all of it. */
static void add_run(struct amount *sum, const struct diff_run *run, const struct diff_cell *cell,
		    bool whole, size_t unit, unsigned int limit)
{
	double fill = 0, before = sum->nr, all = (double)run->progress / (double)run->size;
	size_t i;

	for (i = 0; i < DIFF_FINE && fill_of(run, i) > 0; i++) {
		if (!whole && unit_of(run, i) != unit)
			continue;
		fill += fill_of(run, i);
		sum->lossy |= run->lossy[i];
		if (cell)
			add_block(sum, &cell->blocks[i], limit);
	}
	sum->known |= fill > 0;
	/* Units have one or two blocks: scale them to equal length. */
	if (fill > 0)
		sum->count += (sum->nr - before) * (whole ? 1 : all / KT_DIFF_BLOCKS / fill);
}

/* The amounts of a recording, or of a unit of all recordings of the side */
static struct amount amount_of(const struct comparison *c, const struct diff_entry *e,
			       enum kt_diff_side side, size_t unit, unsigned int limit)
{
	struct kt_diff *d = c->d;
	struct amount sum = { 0 };
	double scale;
	size_t run;

	if (c->by_run) {
		add_run(&sum, d->runs[side][unit], e->cells[side][unit], true, 0, limit);
		scale = d->method.per_second ?
			mean_ns(d, KT_DIFF_A) / ((double)d->runs[side][unit]->pub.ns + 1) : 1;
		sum.count *= scale;
		sum.total *= scale;
		return sum;
	}
	for (run = 0; run < d->nr_runs[side]; run++)
		add_run(&sum, d->runs[side][run], e->cells[side][run], false, unit, limit);
	sum.count *= d->scale[side] / (double)d->nr_runs[side];
	return sum;
}

/* Counts as 2 sqrt(count): chance then varies small and large counts equally. */
static double value_of(const struct amount *sum, enum diff_what what)
{
	switch (what) {
	case WHAT_COUNT:
		return !sum->known || sum->lossy ? NAN : 2 * sqrt(sum->count);
	case WHAT_TYPICAL:
		return sum->nr > 0 ? sum->logs / sum->nr : NAN;
	case WHAT_TOTAL:
		return !sum->known || sum->lossy ? NAN : log(sum->total + 1);
	default:
		return sum->nr > 0 ? log((sum->above + 0.5) / (sum->nr - sum->above + 0.5)) : NAN;
	}
}

static double nr_of_level(const struct dist *dist, unsigned int level)
{
	const unsigned int nr = DIST_BUCKETS / DIFF_LEVELS, bucket = level * nr;
	const uint32_t *power = dist->powers[bucket / DIST_STEPS];
	double sum = 0;
	unsigned int i;

	for (i = 0; power && i < nr; i++)
		sum += power[bucket % DIST_STEPS + i];
	return sum;
}

/* The first level of the longest times; DIFF_LEVELS: the top level alone has too many */
static unsigned int tail_of(const struct diff_entry *e)
{
	double all = (double)(e->count[0] + e->count[1]), above = 0, here;
	double share = fmin(fmax(TAIL_NR / all, TAIL_LEAST), TAIL_MOST);
	unsigned int limit = DIFF_LEVELS;

	while (limit) {
		here = nr_of_level(&e->dist[0], limit - 1) + nr_of_level(&e->dist[1], limit - 1);
		if (above + here > share * all)
			break;
		above += here;
		limit--;
	}
	return above > 0 ? limit : DIFF_LEVELS;
}

/* Relative to the mean, small changes equal changes of the logarithm. */
static void scale_counts(const struct comparison *c, struct diff_test *test)
{
	double sum = 0, nr = 0;
	size_t side, i;

	for (side = 0; side < 2; side++)
		for (i = 0; i < c->design.nr[side]; i++)
			if (isfinite(test->values[side][i])) {
				sum += test->values[side][i];
				nr++;
			}
	for (side = 0; side < 2 && sum > 0; side++)
		for (i = 0; i < c->design.nr[side]; i++)
			test->values[side][i] *= 2 * nr / sum;
}

/* A pair of few measurements counts for less. */
static double weight_of(double a, double b)
{
	double least = fmin(a, b);

	return least / (least + WEIGHTY);
}

static void add_test(struct comparison *c, size_t entry, enum diff_what what,
		     const struct amount amounts[2][KT_DIFF_RUNS])
{
	struct diff_test *test = &c->tests[c->nr++];
	size_t side, i;

	test->entry = entry;
	test->what = what;
	for (side = 0; side < 2; side++)
		for (i = 0; i < c->design.nr[side]; i++)
			test->values[side][i] = value_of(&amounts[side][i], what);
	if (what == WHAT_COUNT)
		scale_counts(c, test);
	for (i = 0; i < c->design.nr[0]; i++)
		test->weights[i] = what == WHAT_COUNT || !c->design.paired ? 1 :
				   weight_of(amounts[0][i].nr, amounts[1][i].nr);
}

static void add_tests(struct comparison *c, size_t entry)
{
	const struct diff_entry *e = c->d->entries[entry];
	unsigned int limit = e->timed ? tail_of(e) : DIFF_LEVELS;
	struct amount amounts[2][KT_DIFF_RUNS];
	size_t side, unit;

	if (e->left_out || e->count[0] + e->count[1] < TESTED_MIN)
		return;
	for (side = 0; side < 2; side++)
		for (unit = 0; unit < c->design.nr[side]; unit++)
			amounts[side][unit] = amount_of(c, e, side, unit, limit);
	add_test(c, entry, WHAT_COUNT, amounts);
	if (!e->timed || !e->count[0] || !e->count[1])
		return;
	add_test(c, entry, WHAT_TYPICAL, amounts);
	if (limit < DIFF_LEVELS)
		add_test(c, entry, WHAT_TAIL, amounts);
	/* On a busy machine, others decide how long a task runs at a time: only the sum counts. */
	if (c->by_run && e->kind == KT_LATENCY_RUN)
		add_test(c, entry, WHAT_TOTAL, amounts);
}

/* ---- the meaning of differences ---- */

static double count_of(const struct kt_diff *d, const struct diff_entry *e, enum kt_diff_side side)
{
	return (double)e->count[side] / (double)d->nr_runs[side] * d->scale[side];
}

static double total_of(const struct kt_diff *d, const struct diff_entry *e, enum kt_diff_side side)
{
	return (double)e->sum[side] / (double)d->nr_runs[side] * d->scale[side];
}

static double typical_of(const struct diff_entry *e, enum kt_diff_side side)
{
	return e->timed && e->count[side] ? exp(e->logs[side] / (double)e->count[side]) - 1 : 0;
}

static uint64_t quantile(const struct diff_entry *e, enum kt_diff_side side, double share)
{
	uint64_t value;

	if (!e->timed || !e->count[side])
		return 0;
	value = dist_quantile(&e->dist[side], e->count[side], share);
	return clamp(value, e->min[side], e->max[side]);
}

static double change(double a, double b)
{
	if (a > 0)
		return b / a - 1;
	return b > 0 ? INFINITY : 0;
}

/* An event that one side did not record was neither added nor removed. */
static bool is_left_out(const struct kt_diff *d, const struct diff_entry *e)
{
	size_t side, i;

	for (side = 0; side < 2; side++)
		for (i = 0; i < d->nr_runs[side]; i++)
			if (!diff_run_has(d->runs[side][i], e))
				return true;
	return false;
}

static void measure(const struct kt_diff *d, struct diff_entry *e)
{
	e->left_out = is_left_out(d, e);
	e->flags = 0;
	e->p = 1;
	e->change_ns = total_of(d, e, KT_DIFF_B) - total_of(d, e, KT_DIFF_A);
	e->more = change(count_of(d, e, KT_DIFF_A), count_of(d, e, KT_DIFF_B));
	e->slower = change(typical_of(e, KT_DIFF_A) + 1, typical_of(e, KT_DIFF_B) + 1);
	e->in_total = change(total_of(d, e, KT_DIFF_A), total_of(d, e, KT_DIFF_B));
	e->longer = change((double)quantile(e, KT_DIFF_A, 0.99) + 1,
			   (double)quantile(e, KT_DIFF_B, 0.99) + 1);
}

static void take_result(const struct comparison *c, const struct diff_test *test)
{
	static const unsigned int flags[NR_WHATS][2] = {
		{ KT_DIFF_LESS, KT_DIFF_MORE }, { KT_DIFF_FASTER, KT_DIFF_SLOWER },
		{ KT_DIFF_SHORTER, KT_DIFF_LONGER }, { KT_DIFF_LESS_TIME, KT_DIFF_MORE_TIME },
	};
	struct diff_entry *e = c->d->entries[test->entry];
	const double changes[NR_WHATS] = { e->more, e->slower, e->longer, e->in_total };
	double by = changes[test->what];
	bool up = test->difference > 0;
	double threshold = c->limits->threshold * (test->what == WHAT_TAIL ? TAIL_TIMES : 1);

	e->p = fmin(e->p, test->p);
	if (test->p > 1 - c->limits->confidence + 1e-12 || (by > 0) != up ||
	    fabs(log1p(by)) < log1p(threshold))
		return;
	/* If all take longer, the longest do, too. */
	if (test->what == WHAT_TAIL && e->flags & (up ? KT_DIFF_SLOWER : KT_DIFF_FASTER))
		return;
	if (test->what == WHAT_COUNT && !e->count[0])
		e->flags |= KT_DIFF_ADDED;
	else if (test->what == WHAT_COUNT && !e->count[1])
		e->flags |= KT_DIFF_REMOVED;
	else
		e->flags |= flags[test->what][up];
}

/* ---- order ---- */

/* Entries that explain others come before them. */
static int rank(const struct diff_entry *e)
{
	return diff_is_leftover(e) ? 2 : e->explained;
}

static int before(const void *x, const void *y)
{
	const struct diff_entry *a = *(struct diff_entry *const *)x;
	const struct diff_entry *b = *(struct diff_entry *const *)y;
	double na = fabs(a->change_ns), nb = fabs(b->change_ns);
	double ra = fabs(log1p(a->more)), rb = fabs(log1p(b->more));

	if (a->left_out != b->left_out)
		return a->left_out ? 1 : -1;
	if (!a->flags != !b->flags)
		return a->flags ? -1 : 1;
	if (rank(a) != rank(b))
		return rank(a) < rank(b) ? -1 : 1;
	if (na != nb)
		return na > nb ? -1 : 1;
	if (ra != rb)
		return ra > rb ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* ---- */

static void choose_design(struct comparison *c)
{
	const struct kt_diff *d = c->d;
	struct diff_design *design = &c->design;

	design->least = log1p(c->limits->threshold) / 4;
	design->nr[0] = d->nr_runs[0];
	design->nr[1] = d->nr_runs[1];
	c->by_run = d->nr_runs[0] >= RUNS_ALONE && d->nr_runs[1] >= RUNS_ALONE &&
		    diff_design_suffices(design, 1 - c->limits->confidence);
	if (c->by_run)
		return;
	design->paired = true;
	design->nr[0] = design->nr[1] = KT_DIFF_BLOCKS;
}

static int check(const struct kt_diff *d, const struct kt_diff_limits *limits, struct kt_err *err)
{
	if (!d->nr_runs[0] || !d->nr_runs[1])
		return kt_err_set(err, -EINVAL, "a recording of each side is needed");
	if (!(limits->threshold >= 0) || !isfinite(limits->threshold))
		return kt_err_set(err, -EINVAL, "a threshold cannot be negative");
	if (!(limits->confidence > 0 && limits->confidence < 1))
		return kt_err_set(err, -EINVAL, "a confidence must be between 0 and 1");
	return 0;
}

static void set_scale(struct kt_diff *d, const struct kt_diff_limits *limits)
{
	d->method.per_second = is_per_second(d, limits->per);
	d->scale[KT_DIFF_A] = 1;
	d->scale[KT_DIFF_B] = d->method.per_second ?
			      mean_ns(d, KT_DIFF_A) / mean_ns(d, KT_DIFF_B) : 1;
}

int kt_diff_compare(struct kt_diff *d, const struct kt_diff_limits *limits, struct kt_err *err)
{
	struct comparison c = { .d = d, .limits = limits };
	int ret = check(d, limits, err), differ = 0;
	unsigned int left_out = 0;
	size_t i;

	if (ret < 0)
		return ret;
	set_scale(d, limits);
	choose_design(&c);
	c.tests = calloc(NR_WHATS * d->nr + 1, sizeof(*c.tests));
	for (i = 0; i < d->nr && c.tests; i++) {
		measure(d, d->entries[i]);
		add_tests(&c, i);
		if (d->entries[i]->left_out && d->entries[i]->kind != DIFF_EVENT)
			left_out |= 1u << d->entries[i]->kind;
	}
	if (!c.tests || diff_exchange(&c.design, c.tests, c.nr) < 0) {
		free(c.tests);
		return kt_err_no_memory(err);
	}
	for (i = 0; i < c.nr; i++)
		take_result(&c, &c.tests[i]);
	free(c.tests);
	d->method = (struct kt_diff_method){
		.by_run = c.by_run, .units = { c.design.nr[0], c.design.nr[1] },
		.exchanges = c.design.exchanges,
		.per_second = d->method.per_second, .nr_tests = c.nr, .left_out = left_out,
	};
	diff_explain(d);
	free(d->order);
	d->order = calloc(d->nr + 1, sizeof(struct diff_entry *));
	if (!d->order)
		return kt_err_no_memory(err);
	for (i = 0; i < d->nr; i++)
		d->order[i] = d->entries[i];
	qsort(d->order, d->nr, sizeof(struct diff_entry *), before);
	diff_paths_sum(d);
	while ((size_t)differ < d->nr && d->order[differ]->flags)
		differ++;
	return differ;
}

void kt_diff_method(const struct kt_diff *d, struct kt_diff_method *m)
{
	*m = d->method;
}

/* ---- results ---- */

const char *kt_diff_flag_name(enum kt_diff_flag flag)
{
	switch (flag) {
	case KT_DIFF_ADDED:   return "added";
	case KT_DIFF_REMOVED: return "removed";
	case KT_DIFF_MORE:    return "more often";
	case KT_DIFF_LESS:    return "less often";
	case KT_DIFF_SLOWER:  return "slower";
	case KT_DIFF_FASTER:  return "faster";
	case KT_DIFF_LONGER:  return "longer tail";
	case KT_DIFF_SHORTER: return "shorter tail";
	case KT_DIFF_MORE_TIME: return "more time";
	case KT_DIFF_LESS_TIME: return "less time";
	}
	return "";
}

static struct kt_diff_value value(const struct kt_diff *d, const struct diff_entry *e,
				  enum kt_diff_side side)
{
	return (struct kt_diff_value){
		.count = count_of(d, e, side), .total = total_of(d, e, side),
		.avg = e->count[side] ? (double)e->sum[side] / (double)e->count[side] : 0,
		.typical = typical_of(e, side), .p50 = quantile(e, side, 0.5),
		.p90 = quantile(e, side, 0.9), .p99 = quantile(e, side, 0.99),
		.max = e->max[side],
	};
}

size_t kt_diff_nr(const struct kt_diff *d)
{
	size_t nr = d->order ? d->nr : 0;	/* none without a comparison */

	while (nr && d->order[nr - 1]->left_out)
		nr--;
	return nr;
}

bool kt_diff_row(const struct kt_diff *d, size_t i, struct kt_diff_row *row)
{
	const struct diff_entry *e = d->order && i < d->nr ? d->order[i] : NULL;

	if (!e || e->left_out)
		return false;
	*row = (struct kt_diff_row){
		.kind = e->kind == DIFF_EVENT ? "event" : kt_latency_kind_name(e->kind),
		.name = e->name, .timed = e->timed, .flags = e->flags,
		.a = value(d, e, KT_DIFF_A), .b = value(d, e, KT_DIFF_B),
		.change_ns = e->change_ns, .more = e->more, .slower = e->slower,
		.longer = e->longer, .in_total = e->in_total, .explained = e->explained, .p = e->p,
	};
	return true;
}

size_t kt_diff_nr_frames(const struct kt_diff *d)
{
	return d->nr_nodes;
}

bool kt_diff_frame(const struct kt_diff *d, size_t i, struct kt_diff_frame *frame)
{
	const struct diff_node *n = i < d->nr_nodes ? &d->nodes[i] : NULL;
	size_t side;

	if (!n)
		return false;
	*frame = (struct kt_diff_frame){ .name = d->names[n->name], .parent = n->parent };
	for (side = 0; side < 2; side++) {
		frame->own[side] = (double)n->own[side] * d->scale[side];
		frame->count[side] = (double)n->count[side] * d->scale[side];
		frame->total[side] = n->total[side];
		if (d->nr_runs[side]) {
			frame->own[side] /= (double)d->nr_runs[side];
			frame->count[side] /= (double)d->nr_runs[side];
			frame->total[side] /= (double)d->nr_runs[side];
		}
	}
	return true;
}

/* ---- creation and destruction ---- */

struct kt_diff *kt_diff_create(const struct kt_diff_opts *opts, struct kt_err *err)
{
	struct kt_diff *d = calloc(1, sizeof(*d));

	if (d)
		d->opts = *opts;
	if (d && diff_paths_init(d) == 0)
		return d;
	kt_diff_destroy(d);
	kt_err_no_memory(err);
	return NULL;
}

void kt_diff_destroy(struct kt_diff *d)
{
	size_t i, side;

	if (!d)
		return;
	for (side = 0; side < 2; side++)
		for (i = 0; i < d->nr_runs[side]; i++)
			diff_run_destroy(d->runs[side][i]);
	for (i = 0; i < d->nr; i++)
		diff_entry_destroy(d->entries[i]);
	free(d->entries);
	free(d->order);
	keymap_fini(&d->entry_of);
	diff_paths_fini(d);
	free(d);
}
