/* SPDX-License-Identifier: GPL-2.0-or-later */
/* functions.c - `ktrail functions`: which functions the function tracers trace */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/settings.h>

#include "base/json.h"
#include "cmd/args/noun.h"
#include "cmd/print/json_print.h"
#include "cmd/print/safe.h"

struct args {
	struct noun n;		/* first: NOUN_OPTS */
	bool notrace, graph, graph_notrace;
	const char *module;
};

static const struct cmd_opt opts[] = {
	NOUN_OPTS,
	OPT_BOOL('n', "notrace", struct args, notrace, "the list of functions that are not traced"),
	OPT_BOOL('g', "graph", struct args, graph, "the list of graphed functions"),
	OPT_BOOL('G', "graph-notrace", struct args, graph_notrace,
		"the list of functions that are not graphed"),
	OPT_STR(0, "module", struct args, module, "mod",
		"add, remove: only functions of this module"),
	OPT_END
};

static enum kt_function_list which(const struct args *a)
{
	if (a->notrace)
		return KT_FUNCTIONS_NOTRACE;
	if (a->graph)
		return KT_FUNCTIONS_GRAPH;
	return a->graph_notrace ? KT_FUNCTIONS_GRAPH_NOTRACE : KT_FUNCTIONS_FILTER;
}

static size_t count(const struct noun *n, enum kt_function_list list)
{
	char *text = kt_instance_read(n->inst, kt_function_list_file(list), NULL), *p;
	size_t nr = 0;

	for (p = text; p && *p; p += strcspn(p, "\n"), p += *p == '\n')
		nr += *p != '#';
	free(text);
	return nr;
}

/* The place of the module in "mod:ext4", "mod:ext4:*read" and "*read:mod:ext4" */
static const char *find_module(const char *pattern)
{
	const char *kernels = strstr(pattern, ":mod:");

	if (str_starts(pattern, "mod:"))
		return pattern + 4;
	return kernels ? kernels + 5 : NULL;
}

/* Does the module named in the word, or by --module, have any function? */
static bool has_module(const struct args *a, const char *pattern)
{
	const char *name = find_module(pattern);
	char module[128];

	if (!name)
		name = a->module ? a->module : "";
	snprintf(module, sizeof(module), "mod:%.*s", (int)strcspn(name, ":"), name);
	return kt_instance_count_functions(a->n.inst, module, NULL, NULL) != 0;
}

/*
 * Report how many functions a pattern matches. Commands ("schedule:traceoff") do not match any,
 * and searching debug information a second time takes seconds.
 */
static void say_matches(const struct args *a, const char *pattern)
{
	bool counts = !strchr(pattern, ':') || find_module(pattern);
	int nr = !counts ? -1 : kt_instance_count_functions(a->n.inst, pattern, a->module, NULL);

	if (nr >= 0)
		printf("%s: %d function%s%s\n", pattern, nr, nr == 1 ? "" : "s",
		       nr || has_module(a, pattern) ? "" :
		       " now: the module is not loaded, those it brings are added when it is");
}

/* Functions of other files with the same name that were added to the list */
static void say_namesakes(const struct args *a, int argc, char **argv)
{
	char *text = NULL;
	int i;

	for (i = 0; i < argc && !kt_is_function_path(argv[i]); i++)
		;
	if (i < argc && kt_function_namesakes(a->n.inst, which(a), &text, NULL) == 0 && text)
		puts(text);
	free(text);
}

static int say_count(const struct args *a, int argc, char **argv)
{
	int i;

	if (a->n.dry_run)
		return 0;
	for (i = 0; i < argc; i++)
		say_matches(a, argv[i]);
	printf("%s: %zu in all\n", kt_function_list_file(which(a)), count(&a->n, which(a)));
	say_namesakes(a, argc, argv);
	return 0;
}

static int show_json(const struct kt_names *lines, const char *file)
{
	struct json j = JSON_INIT;
	size_t i;

	json_open(&j, NULL, '{');
	json_open(&j, file, '[');
	for (i = 0; i < lines->nr; i++)
		if (*lines->names[i] != '#')
			json_str(&j, NULL, lines->names[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	return json_print(&j);
}

static int show(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	const char *file = kt_function_list_file(which(a));
	struct kt_names lines = { 0 };
	char *text;
	int ret;

	ret = noun_check_words(argc, argv, 0, "", err);
	if (ret < 0)
		return ret;
	text = kt_instance_read(a->n.inst, file, err);
	if (!text)
		return err->code;
	if (!a->n.json)
		ret = safe_puts(text, safe_for_person());
	else if ((ret = kt_names_add_words(&lines, text, "\n")) == 0)
		ret = show_json(&lines, file);
	kt_names_fini(&lines);
	free(text);
	return ret;
}

typedef int (*change_fn)(struct kt_instance *inst, enum kt_function_list list,
			 const char *pattern, const char *module, struct kt_err *err);

static int change(const struct args *a, change_fn fn, int argc, char **argv, struct kt_err *err)
{
	int i, ret = 0;

	if (!argc)
		return cmd_misuse(err, "the function or pattern is missing");
	for (i = 0; ret == 0 && i < argc; i++)
		ret = fn(a->n.inst, which(a), argv[i], a->module, err);
	return ret == 0 ? say_count(a, argc, argv) : ret;
}

static int add(void *args, int argc, char **argv, struct kt_err *err)
{
	return change(args, kt_instance_add_functions, argc, argv, err);
}

static int remove_functions(void *args, int argc, char **argv, struct kt_err *err)
{
	return change(args, kt_instance_remove_functions, argc, argv, err);
}

static int clear(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	int ret = noun_check_words(argc, argv, 0, "", err);

	return ret < 0 ? ret : kt_instance_clear_functions(a->n.inst, which(a), err);
}

static const struct verb verbs[] = {
	{ "show", "list", "", "show the list", show },
	{ "add", "set", "<functions>…", "add these to the list", add },
	{ "remove", "del", "<functions>…", "remove these from the list", remove_functions },
	{ "clear", NULL, "", "empty the list: trace all functions", clear },
	{ 0 },
};

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	return noun_run(args, verbs, argc, argv, err);
}

static const struct cmd_rule rules[] = {
	VERB_RULE_JSON
	{ .options = "n g G", .alone = true },
	{ .options = "module", .with = "@add @set @remove @del" },
	RULE_END
};

const struct cmd cmd_functions = {
	.name      = "functions",
	.summary   = "choose the functions that are traced",
	.verbs     = verbs,
	.examples  =
		"  ktrail functions add 'vfs_*'            a glob; '^vfs_(read|write)$' works too\n"
		     "  ktrail functions add mod:ext4 'mod:xfs:*read*'\n"
		     "  ktrail functions add path:kernel/sched 'path:drivers/net/e1000*'\n"
		     "  ktrail functions add schedule:traceoff:3   run a command at a function\n"
		     "  ktrail functions -g add vfs_read        graph it and its callees\n"
		     "  ktrail functions clear                  trace all functions\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.run       = run,
};
