/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subjects.c - what to measure: -k irq,'syscall read' */
#include "subjects.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/print/columns.h"

int subjects_add(struct subjects *s, struct kt_latency_subject *one, struct kt_err *err)
{
	unsigned int bit = one ? 1u << kt_latency_subject_kind(one) : 0;
	bool is_pair = bit == 1u << KT_LATENCY_PAIR;

	if (one && !(is_pair && s->pair) && s->nr < KT_LATENCY_SUBJECTS) {
		s->at[s->nr++] = one;
		s->wanted |= bit;
		if (is_pair)
			s->pair = one;
		return 0;
	}
	kt_latency_subject_destroy(one);
	if (!one)
		return cmd_misuse(err, "%s; `-k help` lists all", err->msg);
	if (is_pair && s->pair)
		return cmd_misuse(err, "one pair or chain of events at a time");
	return cmd_misuse(err, "at most %d kinds", KT_LATENCY_SUBJECTS);
}

int subjects_take(struct subjects *s, const char *value, struct kt_err *err)
{
	char *copy = strdup(value), *rest = copy, *word;
	int ret = copy ? 0 : kt_err_no_memory(err);

	s->list |= strcmp(value, "help") == 0;
	while (ret == 0 && !s->list &&
	       (word = strstr(value, "->") ? rest : strsep(&rest, ","))) {
		ret = subjects_add(s, kt_latency_subject_parse(word, err), err);
		if (word == rest)
			break;
	}
	free(copy);
	return ret;
}

void subjects_fini(struct subjects *s)
{
	while (s->nr)
		kt_latency_subject_destroy(s->at[--s->nr]);
}

int subjects_list(struct kt_err *err)
{
	struct columns c = { .head = "KIND|WHAT IT MEASURES|EVENTS" };
	const char *const *events;
	unsigned int kind;

	for (kind = 0; kind < KT_LATENCY_PAIR; kind++) {
		struct str s = STR_INIT;

		for (events = kt_latency_kind_events(kind); *events; events++)
			str_addf(&s, "%s%s", s.len ? " " : "", *events);
		columns_add(&c, kt_latency_kind_name(kind));
		columns_add(&c, kt_latency_kind_title(kind));
		columns_add(&c, s.buf);
		str_fini(&s);
	}
	return columns_print(&c, NULL) < 0 ? kt_err_no_memory(err) : 0;
}
