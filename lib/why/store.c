/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* store.c - collections: stretches and their details, names, lines */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "why/why.h"

#define LINES_MAX 20000	/* never reached: small shares of the interval are not explained */

struct stretch *why_new_stretch(struct kt_why *w)
{
	return w->nr < WHY_STRETCHES_MAX && array_fit(w->at, w->nr, w->room) ?
	       &w->at[w->nr++] : NULL;
}

uint32_t why_new_detail(struct kt_why *w, const union detail *d)
{
	if (w->nr_details >= WHY_STRETCHES_MAX ||
	    !array_fit(w->details, w->nr_details, w->room_details))
		return 0;
	w->details[w->nr_details++] = *d;
	return (uint32_t)w->nr_details;
}

const union detail *why_detail(const struct kt_why *w, const struct stretch *s)
{
	return s->detail ? &w->details[s->detail - 1] : NULL;
}

/* "local_timer" of irq_vectors:local_timer_entry */
uint64_t why_vector_key(struct kt_why *w, const struct kt_event *ev)
{
	const char *end = strrchr(ev->name, '_');
	size_t i;

	for (i = 0; i < VECTORS_MAX && w->vectors[i].event; i++)
		if (w->vectors[i].event == ev)
			return VECTOR_KEY + i;
	if (i == VECTORS_MAX)
		return KT_WHY_NO_KEY;
	w->vectors[i].event = ev;
	snprintf(w->vectors[i].name, sizeof(w->vectors[i].name), "%.*s",
		 end ? (int)(end - ev->name) : (int)strlen(ev->name), ev->name);
	return VECTOR_KEY + i;
}

const char *why_irq_name(const struct kt_why *w, uint64_t key)
{
	if (key >= VECTOR_KEY)
		return key - VECTOR_KEY < VECTORS_MAX ? w->vectors[key - VECTOR_KEY].name : NULL;
	return handlers_name(&w->handlers, key);
}

void why_add_line(struct kt_why *w, const struct kt_why_line *line)
{
	if (w->nr_lines == LINES_MAX)
		return;
	if (array_fit(w->lines, w->nr_lines, w->room_lines))
		w->lines[w->nr_lines++] = *line;
	else
		w->failed = true;
}
