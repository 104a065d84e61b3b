/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notes.c - filters and triggers of events, printed */
#include "notes.h"

#include <ctype.h>
#include <stdio.h>

#include "base/json.h"
#include "cmd/cmd.h"
#include "columns.h"
#include "json_print.h"

/* @what: "filter" or "trigger", the name of the text in JSON. On stdout. 0 or -ENOMEM */
static int print_notes(const struct kt_event_notes *notes, const char *what, bool as_json)
{
	struct columns c = { 0 };
	struct json j = JSON_INIT;
	char head[64], none[64], *p;
	size_t i;

	if (!as_json) {
		snprintf(head, sizeof(head), "EVENT|%s", what);
		for (p = head; *p; p++)
			*p = toupper((unsigned char)*p);
		snprintf(none, sizeof(none), "no %ss", what);
		c.head = head;
		for (i = 0; i < notes->nr; i++) {
			columns_add(&c, notes->at[i].event);
			columns_add(&c, notes->at[i].text);
		}
		return columns_print(&c, none);
	}
	json_open(&j, NULL, '[');
	for (i = 0; i < notes->nr; i++) {
		json_open(&j, NULL, '{');
		json_str(&j, "event", notes->at[i].event);
		json_str(&j, what, notes->at[i].text);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	return json_print(&j);
}

int notes_list(const struct notes_args *a, notes_reader *read, const char *what, int argc,
	       char **argv, struct kt_err *err)
{
	struct kt_event_notes notes = { 0 };
	struct kt_instance *inst;
	int ret;

	if (argc > 1)
		return cmd_misuse(err, "one pattern of events is expected, quote it: '%s'",
				  argv[0]);
	inst = kt_instance_open(a->instance, 0, err);
	ret = inst ? read(inst, argc ? argv[0] : NULL, &notes, err) : err->code;
	if (ret == 0)
		ret = print_notes(&notes, what, a->json);
	kt_event_notes_fini(&notes);
	kt_instance_close(inst, NULL);
	return ret;
}
