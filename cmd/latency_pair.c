/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latency_pair.c - the events of --from, --via and --to, with their filters and keys */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/filter.h>

#include "base/str.h"
#include "cmd.h"
#include "latency.h"

/* "event", "system:event", "system/event"; what follows after the next ':' is an expression */
static char *cut_event(char *word)
{
	char *p = word + strcspn(word, ":/");

	if (*p) {
		char *name = p + 1;
		size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz_"
					  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");

		if (len && (*p == '/' || !name[len] || name[len] == ':')) {
			*p = ':';
			p = name + len;
		}
	}
	if (*p != ':')
		return NULL;
	*p = 0;
	return p + 1;
}

/* The filter language names an event "system/event". */
static int make_filter(struct kt_trace *t, struct kt_latency_step *step, const char *expr,
		       struct kt_err *err)
{
	const char *colon = strchr(step->event, ':');
	struct str text = STR_INIT;
	int ret;

	if (colon)
		str_addf(&text, "%.*s/%s: %s", (int)(colon - step->event), step->event, colon + 1,
			 expr);
	else
		str_addf(&text, "%s: %s", step->event, expr);
	step->only = kt_filter_create(t);
	ret = step->only && !text.failed ? kt_filter_add(step->only, text.buf, false, -1, err)
					 : kt_err_set(err, -ENOMEM, "no memory for the filter");
	str_fini(&text);
	return ret;
}

static void cut_keys(struct latency_args *a, char *keys)
{
	char *key = NULL;
	size_t i;

	for (i = 0; i < a->nr_steps; i++) {
		if (keys)
			key = strsep(&keys, "=");
		a->pair[i].key = key;
	}
}

static int cut_steps(struct latency_args *a, struct kt_trace *t, char *words, struct kt_err *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < a->nr_steps && ret == 0; i++) {
		char *expr = cut_event(words);

		a->pair[i].event = words;
		words += strlen(a->steps[i]) + 1;
		if (expr)
			ret = make_filter(t, &a->pair[i], expr, err);
	}
	if (ret == 0)
		cut_keys(a, a->key ? words : NULL);
	return ret;
}

int latency_make_pair(struct latency_args *a, struct kt_trace *t, struct kt_err *err)
{
	struct str all = STR_INIT;
	size_t i;

	if (!a->nr_steps)
		return 0;
	for (i = 0; i < a->nr_steps; i++)
		str_addn(&all, a->steps[i], strlen(a->steps[i]) + 1);
	str_add(&all, a->key ? a->key : "");
	a->words = str_take(&all);
	if (!a->words)
		return kt_err_set(err, -ENOMEM, "no memory for the options");
	return cut_steps(a, t, a->words, err);
}

void latency_end_pair(struct latency_args *a)
{
	size_t i;

	for (i = 0; i < a->nr_steps; i++)
		kt_filter_destroy(a->pair[i].only);
	free(a->words);
}
