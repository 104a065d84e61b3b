/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* summary.c - the reasons in one line */
#include <inttypes.h>
#include <stdlib.h>

#include "base/units.h"
#include "why/why.h"

#define NAMED_MAX   3		/* states, and users of the CPU in each */
#define NAMED_SHARE 10		/* percent: smaller shares are not named */
#define HOPS_MAX    3		/* wakers */
#define ITEMS_MAX   64

/* Lines with the same depth, and those below them */
struct lines {
	size_t from, until;
	unsigned int depth;
};

/* Lines of one kind, added up */
struct item {
	const struct kt_why_line *line;	/* the longest of them */
	size_t at;			/* its index */
	uint64_t ns, longest, count;
	int cpu;			/* -1: several */
};

struct items {
	struct item at[ITEMS_MAX];
	size_t nr;
};

static bool is_wait(enum kt_why_kind kind)
{
	return kind == KT_WHY_WAITED || kind == KT_WHY_PREEMPTED;
}

static const char *verb_of(enum kt_why_kind kind)
{
	switch (kind) {
	case KT_WHY_RAN:       return "ran ";
	case KT_WHY_BLOCKED:   return "slept ";
	case KT_WHY_WAITED:
	case KT_WHY_PREEMPTED: return "waited ";
	case KT_WHY_ABSENT:    return "began after ";
	default:               return "is unexplained for ";
	}
}

static bool is_state(enum kt_why_kind kind)
{
	return kind <= KT_WHY_UNKNOWN;
}

/* Are both the same state, task or interrupt? */
static bool is_same(const struct kt_why_line *a, const struct kt_why_line *b)
{
	if (is_state(a->kind))
		return a->kind == b->kind || (is_wait(a->kind) && is_wait(b->kind));
	return a->kind == b->kind && a->pid == b->pid && a->key == b->key && a->addr == b->addr;
}

static void add_item(struct items *list, const struct kt_why_line *l, size_t at)
{
	struct item *one;
	size_t i;

	for (i = 0; i < list->nr && !is_same(list->at[i].line, l); i++)
		;
	if (i == ITEMS_MAX)
		return;
	one = &list->at[i];
	if (i == list->nr) {
		*one = (struct item){ .cpu = l->cpu };
		list->nr++;
	}
	one->ns += l->ns;
	one->count += l->count;
	one->cpu = one->cpu == l->cpu ? l->cpu : -1;
	/* A line without a time is itself a sum. */
	if (!one->line || (l->ns > one->longest && (l->until || !is_state(l->kind)))) {
		one->line = l;
		one->at = at;
		one->longest = l->until || !is_state(l->kind) ? l->ns : 0;
	}
}

static int most_first(const void *x, const void *y)
{
	const struct item *a = x, *b = y;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* The parts of @in, grouped by kind; @of: only lines below lines of that kind */
static void collect(const struct kt_why *w, const struct lines *in, const struct kt_why_line *of,
		    struct items *list)
{
	unsigned int depth = in->depth + !!of;
	bool wanted = !of;
	size_t i;

	list->nr = 0;
	for (i = in->from; i < in->until; i++) {
		const struct kt_why_line *l = &w->lines[i];

		if (of && l->depth == in->depth)
			wanted = is_same(l, of);
		if (wanted && l->depth == depth && kt_why_is_part(l->kind) &&
		    l->kind != KT_WHY_MORE)
			add_item(list, l, i);
	}
	qsort(list->at, list->nr, sizeof(*list->at), most_first);
}

/* The lines below a line */
static struct lines below(const struct kt_why *w, size_t i)
{
	struct lines in = { .from = i + 1, .until = i + 1, .depth = w->lines[i].depth + 1 };

	while (in.until < w->nr_lines && w->lines[in.until].depth >= in.depth)
		in.until++;
	return in;
}

static void add_time(struct str *s, uint64_t ns)
{
	char text[32];

	str_add(s, units_format_time(ns, text));
}

/* ": 4.1 ms migration/3:25, 1.0 ms interrupt 24 eth0" */
static void add_keepers(struct str *s, const struct kt_why *w, const struct items *list,
			uint64_t all)
{
	size_t i;

	for (i = 0; i < list->nr && i < NAMED_MAX; i++) {
		if (list->at[i].ns < all / 100 * NAMED_SHARE)
			break;
		str_add(s, i ? ", " : ": ");
		add_time(s, list->at[i].ns);
		str_addc(s, ' ');
		text_add_subject(s, w, list->at[i].line);
	}
}

static void add_state(struct str *s, const struct kt_why *w, const struct lines *in,
		      const struct item *state, unsigned int hops);

/* The longest activity of the task that was waited for */
static void add_hop(struct str *s, const struct kt_why *w, const struct lines *in,
		    unsigned int hops)
{
	struct items *list = hops < HOPS_MAX ? malloc(sizeof(*list)) : NULL;

	if (!list)
		return;
	collect(w, in, NULL, list);
	if (list->nr && is_state(list->at[0].line->kind)) {
		str_add(s, ", which ");
		add_state(s, w, in, &list->at[0], hops + 1);
	}
	free(list);
}

/* ": mutex 0x…, woken by bash:42, which ran 5.1 ms" */
static void add_sleep(struct str *s, const struct kt_why *w, size_t at, unsigned int hops)
{
	struct lines in = below(w, at), next;
	const char *sep = ": ";
	size_t i;

	for (i = in.from; i < in.until; i++) {
		const struct kt_why_line *l = &w->lines[i];

		if (l->depth != in.depth)
			continue;
		switch (l->kind) {
		case KT_WHY_LOCK: case KT_WHY_IO_DEVICE:
			str_add(s, sep);
			text_add_subject(s, w, l);
			break;
		case KT_WHY_TIMER:
			str_addf(s, "%sa timer expired", sep);
			return;		/* the interrupt that woke it says it all */
		case KT_WHY_WAKER_TASK: case KT_WHY_WAKER_IRQ: case KT_WHY_WAKER_SOFTIRQ:
			str_addf(s, "%swoken by ", sep);
			text_add_subject(s, w, l);
			next = below(w, i);
			add_hop(s, w, &next, hops);
			break;
		default:
			continue;
		}
		sep = ", ";
	}
}

/* "waited 5.2 ms for CPU 3: …" */
static void add_state(struct str *s, const struct kt_why *w, const struct lines *in,
		      const struct item *state, unsigned int hops)
{
	const struct kt_why_line *l = state->line;
	struct items *list = malloc(sizeof(*list));
	struct lines next;

	s->failed |= !list;
	if (!list)
		return;
	str_add(s, verb_of(l->kind));
	add_time(s, state->ns);
	if (is_wait(l->kind) && state->cpu >= 0)
		str_addf(s, " for CPU %d", state->cpu);
	else if (is_wait(l->kind))
		str_add(s, " for CPUs");
	if (l->kind == KT_WHY_BLOCKED && state->longest < state->ns / 2) {
		str_addf(s, ", %" PRIu64 " times", state->count);
	} else if (l->kind == KT_WHY_BLOCKED) {
		if (l->name)
			str_addf(s, " in %s", l->name);
		add_sleep(s, w, state->at, hops);
	} else if (l->kind == KT_WHY_ABSENT) {
		next = below(w, state->at);
		str_addf(s, ", created by ");
		text_add_subject(s, w, &(struct kt_why_line){ .kind = KT_WHY_HOLDER,
							      .pid = (int)l->key });
		add_hop(s, w, &next, hops);
	} else {
		collect(w, in, l, list);
		add_keepers(s, w, list, state->ns);
	}
	free(list);
}

/* "37.2 ms in vfs_write → shmem_get_folio": the function with most own time, if large */
static const struct kt_why_line *main_callee(const struct kt_why *w, uint64_t all)
{
	const struct kt_why_line *l = w->lines, *end = w->lines + w->nr_lines;

	while (l < end && l->kind != KT_WHY_CALLEE)
		l++;
	return l < end && l->ns >= all / 100 * NAMED_SHARE ? l : NULL;
}

static void add_callee(struct str *s, const struct kt_why *w, const struct kt_why_line *l)
{
	bool has_chain = l + 1 < w->lines + w->nr_lines && l[1].kind == KT_WHY_CHAIN;

	add_time(s, l->ns);
	str_addf(s, " in %s", l[has_chain].name);
}

/* The states of a task, and its functions; one of the two may be missing */
static void add_task(struct str *s, const struct kt_why *w, const struct lines *in)
{
	uint64_t all = w->opts.until - w->opts.from;
	const struct kt_why_line *callee = main_callee(w, all);
	struct items *list = malloc(sizeof(*list));
	const char *sep = " ";
	size_t i;

	s->failed |= !list;
	if (!list)
		return;
	collect(w, in, NULL, list);
	text_add_subject(s, w, &(struct kt_why_line){ .kind = KT_WHY_HOLDER,
						      .pid = w->opts.pid });
	for (i = 0; i < list->nr && i < NAMED_MAX; i++) {
		if (i && list->at[i].ns < all / 100 * NAMED_SHARE)
			break;
		if (callee && list->at[i].line->kind == KT_WHY_UNKNOWN)
			continue;
		str_add(s, sep);
		add_state(s, w, in, &list->at[i], 0);
		sep = "; ";
	}
	if (callee) {
		str_addf(s, "%sspent ", sep);
		add_callee(s, w, callee);
	}
	free(list);
}

static void add_cpu(struct str *s, const struct kt_why *w, const struct lines *in)
{
	struct items *list = malloc(sizeof(*list));

	s->failed |= !list;
	if (!list)
		return;
	collect(w, in, NULL, list);
	str_addf(s, "CPU %d", w->opts.cpu);
	add_keepers(s, w, list, w->opts.until - w->opts.from);
	free(list);
}

/* The request, what its device did, and the task that issued it */
static void add_request(struct str *s, struct kt_why *w)
{
	struct lines device = below(w, 0), issuer;
	const struct kt_why_line *pause = NULL, *others = NULL;
	size_t i;

	for (i = device.from; i < device.until; i++)
		if (w->lines[i].kind == KT_WHY_IO_PAUSE)
			pause = &w->lines[i];
		else if (w->lines[i].kind == KT_WHY_IO_OTHERS)
			others = &w->lines[i];
	text_add_subject(s, w, &w->lines[0]);
	str_add(s, ", took ");
	add_time(s, w->lines[0].ns);
	if (pause) {
		str_add(s, ": the device completed nothing for ");
		add_time(s, pause->delay);
	} else if (others) {
		str_add(s, ": the device had ");
		if (others->count + others->issued)
			str_addf(s, "%" PRIu64 " others", others->count + others->issued);
		else
			str_add(s, "no other");
	}
	if (device.until < w->nr_lines) {
		issuer = below(w, device.until);
		str_add(s, "; ");
		add_task(s, w, &issuer);
	}
}

const char *kt_why_summary(struct kt_why *w)
{
	const struct lines all = { .until = w->nr_lines };

	str_reset(&w->text);
	if (w->opts.by_cpu)
		add_cpu(&w->text, w, &all);
	else if (w->nr_lines && w->lines[0].kind == KT_WHY_IO_DEVICE)
		add_request(&w->text, w);
	else
		add_task(&w->text, w, &all);
	return w->text.failed ? NULL : w->text.buf;
}
