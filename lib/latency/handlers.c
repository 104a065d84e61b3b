/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* handlers.c - names of interrupts; only the entry record of an interrupt has its name */
#include "latency/handlers.h"

#include <stdlib.h>
#include <string.h>

#define HANDLERS_MAX 8192	/* numbers of interrupts */

static bool make_room(struct handlers *h, uint64_t number)
{
	size_t nr = h->nr ? h->nr : 256;
	char **grown;

	if (number < h->nr)
		return true;
	if (number >= HANDLERS_MAX)
		return false;
	while (nr <= number)
		nr *= 2;
	grown = reallocarray(h->names, nr, sizeof(*grown));
	if (!grown)
		return false;
	memset(grown + h->nr, 0, (nr - h->nr) * sizeof(*grown));
	h->names = grown;
	h->nr = nr;
	return true;
}

const char *handlers_name(const struct handlers *h, uint64_t number)
{
	return number < h->nr ? h->names[number] : NULL;
}

void handlers_note(struct handlers *h, const struct kt_event *ev, const struct kt_record *rec)
{
	const struct kt_field *irq, *name;
	struct kt_blob text;
	uint64_t number;

	if (strcmp(ev->name, "irq_handler_entry") != 0)
		return;
	irq = kt_event_field(ev, "irq");
	name = kt_event_field(ev, "name");
	if (irq && name && kt_field_u64(ev, irq, rec, &number) == 0 &&
	    !handlers_name(h, number) && kt_field_bytes(ev, name, rec, &text) == 0 &&
	    make_room(h, number))
		h->names[number] = strndup((const char *)text.data, text.size);
}

void handlers_fini(struct handlers *h)
{
	size_t i;

	for (i = 0; i < h->nr; i++)
		free(h->names[i]);
	free(h->names);
	*h = (struct handlers){ 0 };
}
