/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* doubt.c - find probable mistakes in a filter: function names that match no symbol */
#include "filter/filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/base.h>

#include "base/array.h"
#include "symbols/symbols.h"

/* How a comparison applies to the events of its expression */
struct views {
	const struct filter_expr *e;
	const struct filter_node *n;
	bool function, other;
};

static void look(struct views *v, struct kt_events *evs)
{
	const struct kt_event *ev;
	size_t i;

	for (i = 0; i < events_nr_formats(evs) && !v->other; i++) {
		if (!filter_chooses(v->e, &evs->slots[i]) ||
		    filter_absent(v->e, &evs->slots[i], v->n))
			continue;
		ev = kt_events_at(evs, i);
		if (!ev || filter_check_test(v->e, ev, v->n, NULL) != FILTER_SENSE_OK)
			continue;
		if (filter_asks_function(v->e, ev, v->n))
			v->function = true;
		else
			v->other = true;
	}
}

/* Does a symbol match? With @near, collects the names for a suggestion. */
static bool any_symbol(struct kt_symbols *syms, const struct filter_pattern *p,
		       struct kt_names *near)
{
	size_t i, len, nr = kt_symbols_nr(syms);

	for (i = 0; i < nr; i++) {
		const char *name = symbols_peek(syms, i, &len);
		char word[KT_SYMBOL_MAX + 1];

		if (filter_pattern_match(p, name, len))
			return true;
		if (!near || len > KT_SYMBOL_MAX)
			continue;
		memcpy(word, name, len);
		word[len] = '\0';
		if (kt_names_add(near, word) < 0)
			return true;
	}
	return false;
}

static int add_doubt(struct kt_filter *f, const char *pattern, const char *near)
{
	struct str s = STR_INIT;

	if (!array_reserve(f->doubts, f->nr_doubts))
		return -ENOMEM;
	str_addf(&s, "the symbols of the trace have no function '%s'", pattern);
	if (near)
		str_addf(&s, ", did you mean '%s'?", near);
	f->doubts[f->nr_doubts] = str_take(&s);
	return f->doubts[f->nr_doubts] ? (int)++f->nr_doubts : -ENOMEM;
}

static int doubt(struct kt_filter *f, const struct filter_expr *e, const struct filter_node *n)
{
	struct views v = { .e = e, .n = n };
	struct kt_names names = { 0 };
	const char *text = n->pattern->text ? n->pattern->text : "";
	size_t i;
	int ret = 0;

	for (i = 0; i < f->nr_files; i++)
		if (e->file < 0 || (size_t)e->file == i)
			look(&v, f->files[i].events);
	if (!v.function || v.other)
		return 0;
	for (i = 0; i < f->nr_files && ret == 0; i++) {
		struct kt_symbols *syms = kt_trace_symbols(f->trace, i);

		/* Without symbols there is nothing to check. */
		if ((e->file < 0 || (size_t)e->file == i) &&
		    (!kt_symbols_nr(syms) || any_symbol(syms, n->pattern, &names)))
			ret = 1;
	}
	if (ret == 0)
		ret = add_doubt(f, text, kt_names_nearest(&names, text));
	kt_names_fini(&names);
	return ret < 0 ? ret : 0;
}

int filter_doubt(struct kt_filter *f, const struct filter_expr *e, const struct filter_node *n)
{
	int ret = 0;

	if (!n)
		return 0;
	if (n->op > FILTER_NOT)
		return n->pattern ? doubt(f, e, n) : 0;
	ret = filter_doubt(f, e, n->left);
	return ret < 0 || n->op == FILTER_NOT ? ret : filter_doubt(f, e, n->right);
}

const char *kt_filter_doubt(const struct kt_filter *f, size_t i)
{
	return i < f->nr_doubts ? f->doubts[i] : NULL;
}
