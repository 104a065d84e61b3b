/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list_find.c - the events, tracers, functions … of this kernel that match an expression */
#include "list_find.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/writer.h>

#include "base/grep.h"
#include "base/suggest.h"
#include "cmd/style.h"

static const char *const compressions[] = { "none", "zstd", "zlib" };

/* The old layout has versions, and only the methods that this build supports. */
static int find_compressions(struct kt_names *out, struct kt_err *err)
{
	const char *version;
	char text[64];
	int ret = 0;
	size_t i;

	for (i = 0; ret == 0 && i < sizeof(compressions) / sizeof(*compressions); i++) {
		version = kt_compression_version(compressions[i]);
		snprintf(text, sizeof(text), "%s, %s", compressions[i], version ? version : "");
		if (!cmd_style->old_layout || version)
			ret = kt_names_add(out, cmd_style->old_layout ? text : compressions[i]);
	}
	return kt_err_result(err, ret);
}

/* tsc2nsec is the raw clock and its conversion to nanoseconds. */
static int find_clocks(const struct kt_instance *top, struct kt_names *out, struct kt_err *err)
{
	int ret = kt_instance_read_words(top, "trace_clock", " \n", out, err);

	if (ret == 0 && cmd_style->old_layout &&
	    (kt_names_has(out, "x86-tsc") || kt_names_has(out, "[x86-tsc]")))
		ret = kt_names_add(out, "tsc2nsec");
	return ret;
}

/* Include the events that tracers write, if the expression asks for them */
static int find_events(bool of_tracers, struct kt_names *out, struct kt_err *err)
{
	int ret = kt_event_names(out, err);

	return ret == 0 && of_tracers ? kt_ftrace_event_names(out, err) : ret;
}

static int find_systems(const struct kt_instance *top, struct kt_names *out, struct kt_err *err)
{
	int ret = kt_system_names(out, err);

	if (ret == 0 && kt_instance_has(top, "events/ftrace") && kt_names_add(out, "ftrace") < 0)
		ret = kt_err_no_memory(err);
	kt_names_sort(out);
	return ret;
}

static int find_all(const struct kt_instance *top, enum list what, bool some, struct kt_names *out,
		    struct kt_err *err)
{
	switch (what) {
	case LIST_EVENTS:
		return find_events(some, out, err);
	case LIST_TRACERS:
		return kt_instance_tracers(top, out, err);
	case LIST_OPTIONS:
		return kt_instance_options(top, out, err);
	case LIST_FUNCTIONS:
		return kt_instance_read_words(top, "available_filter_functions", "\n", out, err);
	case LIST_INSTANCES:
		return kt_instance_list(out, err);
	case LIST_CLOCKS:
		return find_clocks(top, out, err);
	case LIST_SYSTEMS:
		return find_systems(top, out, err);
	default:
		return find_compressions(out, err);
	}
}

static int no_match(const struct kt_instance *top, enum list what, const struct kt_names *all,
		    const char *regex, struct kt_err *err)
{
	char plain[64], hint[SUGGEST_SIZE];
	struct kt_names dirs = { 0 };

	if (!cmd_style->advises)
		return 0;
	/* kt_selection_find() splits the name of an event. */
	if (what == LIST_EVENTS)
		kt_selection_find(top, regex, &dirs, err);
	kt_names_fini(&dirs);
	if (err->code)
		return err->code;
	/* The plain name in "^vfs_raed$" */
	snprintf(plain, sizeof(plain), "%s", regex + (*regex == '^'));
	plain[strcspn(plain, "$")] = '\0';
	return kt_err_set(err, -ENOENT, "nothing matches '%s'%s", regex,
			  suggest_one(plain, suggest_from(all), hint));
}

int list_find(const struct kt_instance *top, enum list what, const char *regex,
	      struct kt_names *out, struct kt_err *err)
{
	struct kt_names all = { 0 };
	struct grep g;
	int ret;
	size_t i;

	ret = grep_init_list(&g, regex, true, err);
	if (ret < 0)
		return ret;
	ret = find_all(top, what, regex, &all, err);
	for (i = 0; ret == 0 && i < all.nr; i++)
		if (grep_match(&g, all.names[i], strlen(all.names[i])) &&
		    kt_names_add(out, all.names[i]) < 0)
			ret = kt_err_no_memory(err);
	if (ret == 0 && regex && !out->nr)
		ret = no_match(top, what, &all, regex, err);
	grep_fini(&g);
	kt_names_fini(&all);
	return ret;
}
