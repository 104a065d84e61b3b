/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* may.c - the possible results of a filter for an event, from the format's text alone */
#include "filter/filter.h"

#include <string.h>

/* Parsing a format costs a hundred times more than a search, and a file has thousands. */
static bool has_field(const struct filter_expr *e, const struct event_slot *slot, const char *name)
{
	static const char *const always[] =
		{ "COMM", "CPU", "PID", "common_comm", "common_cpu", NULL };
	struct kt_blob format = slot->source.format;
	struct format_place place;
	size_t i;

	for (i = 0; always[i]; i++)
		if (!strcmp(name, always[i]))
			return true;
	if (e->plain && (!strcmp(name, "comm") || !strcmp(name, "cpu")))
		return true;
	if (!strcmp(name, "duration") && format_place(format, "calltime", &place))
		return true;
	return format_place(format, name, &place);
}

const struct filter_node *filter_absent(const struct filter_expr *e, const struct event_slot *slot,
					const struct filter_node *n)
{
	const struct filter_node *absent;

	for (; n; n = n->left) {
		if (n->op == FILTER_FIELD && !has_field(e, slot, n->text))
			return n;
		/* To the right of == it may be a string without its quotes */
		if (!n->right || (n->pattern && n->right->op == FILTER_FIELD))
			continue;
		absent = filter_absent(e, slot, n->right);
		if (absent)
			return absent;
	}
	return NULL;
}

static unsigned int may(const struct filter_expr *e, const struct event_slot *slot,
			const struct filter_node *n)
{
	unsigned int l, r;

	switch (n->op) {
	case FILTER_NOT:
		l = may(e, slot, n->left);
		return (l & FILTER_MAY_MATCH ? FILTER_MAY_FAIL : 0) |
		       (l & FILTER_MAY_FAIL ? FILTER_MAY_MATCH : 0);
	case FILTER_AND:
		l = may(e, slot, n->left);
		r = may(e, slot, n->right);
		return (l & r & FILTER_MAY_MATCH) | ((l | r) & FILTER_MAY_FAIL);
	case FILTER_OR:
		l = may(e, slot, n->left);
		r = may(e, slot, n->right);
		return ((l | r) & FILTER_MAY_MATCH) | (l & r & FILTER_MAY_FAIL);
	default:
		return filter_absent(e, slot, n) ?
		       FILTER_MAY_FAIL : FILTER_MAY_MATCH | FILTER_MAY_FAIL;
	}
}

unsigned int filter_may(const struct filter_expr *e, const struct event_slot *slot)
{
	if (!filter_chooses(e, slot))
		return FILTER_MAY_FAIL;
	return e->root ? may(e, slot, e->root) : FILTER_MAY_MATCH;
}

/* "common_pid == 12" */
static bool is_pid_test(const struct filter_node *n, uint64_t *pid)
{
	const struct filter_node *field = n->left, *number = n->right;

	if (n->op != FILTER_EQ || !field || !number)
		return false;
	if (field->op == FILTER_NUMBER) {
		field = n->right;
		number = n->left;
	}
	*pid = number->value;
	return field->op == FILTER_FIELD && number->op == FILTER_NUMBER &&
	       !strcmp(field->text, "common_pid");
}

static bool needs_pid(const struct filter_expr *e, const struct event_slot *slot,
		      const struct filter_node *n, uint64_t *pids)
{
	bool l, r;
	uint64_t pid;

	switch (n->op) {
	case FILTER_AND:
		/* The pids of one side are enough; those of the other do no harm. */
		l = needs_pid(e, slot, n->left, pids);
		r = needs_pid(e, slot, n->right, pids);
		return l || r;
	case FILTER_OR:
		return needs_pid(e, slot, n->left, pids) && needs_pid(e, slot, n->right, pids);
	case FILTER_NOT:
		return !(may(e, slot, n) & FILTER_MAY_MATCH);
	default:
		if (!is_pid_test(n, &pid))
			return filter_absent(e, slot, n);
		pids[(pid & 0xffff) / 64] |= 1ULL << pid % 64;
		return true;
	}
}

bool filter_needs_pid(const struct filter_expr *e, const struct event_slot *slot, uint64_t *pids)
{
	return e->root && needs_pid(e, slot, e->root, pids);
}
