/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump-on-oops.c - `ktrail dump-on-oops`: the buffers that a crashing kernel prints to its
 * console
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "base/suggest.h"
#include "cmd/args/noun.h"
#include "cmd/print/json_print.h"

#define FILE_ "sysctl/ftrace_dump_on_oops"

static const struct cmd_opt opts[] = {
	OPT_BOOL(0, "dry-run", struct noun, dry_run, "print the writes to tracefs instead"),
	OPT_BOOL(0, "json", struct noun, json, "print JSON"),
	OPT_END
};

/*
 * "1,disk,net=2": the mode of the top-level buffer comes first, if it has one; facts
 * of Linux, Documentation/admin-guide/kernel-parameters.txt. Instances since 6.9.
 */
static const char *cpus_of(const char *mode)
{
	if (strcmp(mode, "1") == 0)
		return "all";
	return strcmp(mode, "2") == 0 || strcmp(mode, "orig_cpu") == 0 ? "oops" : NULL;
}

struct entry {
	const char *name;		/* "" for the top-level buffer */
	const char *cpus;		/* "all", "oops"; NULL: none */
};

/* The words of @value, which is modified */
static size_t parse(char *value, struct entry *out, size_t max)
{
	char *word, *eq;
	size_t nr = 0;

	while ((word = strsep(&value, ",")) && nr < max) {
		eq = strchr(word, '=');
		if (!*word || strcmp(word, "0") == 0)
			continue;
		if (!nr && !eq && cpus_of(word)) {
			out[nr++] = (struct entry){ "", cpus_of(word) };
			continue;
		}
		if (eq)
			*eq++ = '\0';
		out[nr++] = (struct entry){ word, eq ? cpus_of(eq) : "all" };
	}
	return nr;
}

static void print_text(const struct entry *e, size_t nr)
{
	size_t i;

	if (!nr)
		printf("an oops prints no trace\n");
	for (i = 0; i < nr; i++)
		printf("an oops prints " BUFFER_FMT ": %s\n", BUFFER_ARGS(e[i].name),
		       e[i].cpus && strcmp(e[i].cpus, "oops") == 0 ?
		       "the CPU it happens on" : "all CPUs");
}

static int print_json(const char *value, const struct entry *e, size_t nr)
{
	struct json j = JSON_INIT;
	size_t i;

	json_open(&j, NULL, '{');
	json_str(&j, "value", value);
	json_open(&j, "buffers", '[');
	for (i = 0; i < nr; i++) {
		json_open(&j, NULL, '{');
		json_str(&j, "instance", e[i].name);
		json_str(&j, "cpus", e[i].cpus ? e[i].cpus : "all");
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	return json_print(&j);
}

static int show(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct noun *n = args;
	struct entry entries[64];
	char *value, *copy;
	size_t nr;
	int ret = noun_check_words(argc, argv, 0, "", err);

	if (ret < 0)
		return ret;
	value = kt_instance_read(n->inst, FILE_, err);
	copy = value ? strdup(value) : NULL;
	if (!copy)
		ret = value ? -ENOMEM : err->code;
	if (ret == 0) {
		nr = parse(copy, entries, 64);
		if (n->json)
			ret = print_json(value, entries, nr);
		else
			print_text(entries, nr);
	}
	free(copy);
	free(value);
	return ret;
}

static int no_instance(const char *name, const struct kt_names *have, struct kt_err *err)
{
	char hint[SUGGEST_SIZE];

	return *suggest_one(name, suggest_from(have), hint) ?
	       kt_err_set(err, -ENOENT, "no instance '%s'%s", name, hint) :
	       kt_err_set(err, -ENOENT, "no instance '%s': off, all, cpu, or a name that "
			  "`%s instance` lists", name, cmd_program);
}

/* @mode: the kernel's word for the CPUs, or NULL for misuse */
static const char *mode_of(const char *cpus)
{
	static const struct { const char *word, *mode; } modes[] = {
		{ "all", "1" }, { "1", "1" }, { "cpu", "2" }, { "2", "2" }, { "oops", "2" },
		{ "orig_cpu", "2" },
	};
	size_t i;

	for (i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (strcmp(cpus, modes[i].word) == 0)
			return modes[i].mode;
	return NULL;
}

/* Append "NAME", or "NAME=cpu": @eq is at the '=', @mode is the number that follows it. */
static int add_instance(struct str *value, const char *word, const char *eq, const char *mode,
			struct kt_err *err)
{
	struct kt_names have = { 0 };
	char *name = strndup(word, eq ? (size_t)(eq - word) : strlen(word));
	int ret = 0;

	if (!name)
		return kt_err_no_memory(err);
	kt_instance_list(&have, NULL);
	if (!kt_names_has(&have, name))
		ret = no_instance(name, &have, err);
	str_addf(value, "%s%s%s", value->len ? "," : "", name, mode && *mode == '2' ? "=2" : "");
	kt_names_fini(&have);
	free(name);
	return ret;
}

/* Append "all", "cpu", "NAME" or "NAME=cpu" to @value */
static int add_word(struct str *value, const char *word, struct kt_err *err)
{
	const char *eq = strchr(word, '='), *mode = mode_of(eq ? eq + 1 : word);

	if (eq && !mode)
		return cmd_misuse(err, "'%s': all or cpu is expected after '='", word);
	if (eq || !mode)
		return add_instance(value, word, eq, mode, err);
	if (value->len)
		return cmd_misuse(err, "'%s' applies to the top-level buffer and must come first",
				  word);
	str_add(value, mode);
	return 0;
}

static int set(void *args, int argc, char **argv, struct kt_err *err)
{
	struct noun *n = args;
	struct str value = STR_INIT;
	int i, ret = argc ? 0 : cmd_misuse(err, "expected: off, all, cpu, or instances");

	if (argc == 1 && (strcmp(argv[0], "off") == 0 || strcmp(argv[0], "0") == 0))
		str_addc(&value, '0');
	else
		for (i = 0; ret == 0 && i < argc; i++)
			ret = add_word(&value, argv[i], err);
	if (ret == 0)
		ret = kt_instance_write(n->inst, FILE_, value.buf, err);
	if (ret == -EINVAL && value.len > 1)
		kt_err_wrap(err, ret, "single instances can be chosen since Linux 6.9");
	str_fini(&value);
	return ret;
}

static const struct verb verbs[] = {
	{ "show", "list", "", "show what a crash would print", show },
	{ "set", NULL, "off|[all|cpu] [<instance>[=cpu]]…", "print these buffers, or none", set },
	{ 0 },
};

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	return noun_run(args, verbs, argc, argv, err);
}

const struct cmd cmd_dump_on_oops = {
	.name      = "dump-on-oops",
	.summary   = "choose the buffers that a crashing kernel prints",
	.verbs     = verbs,
	.examples  =
		"  ktrail dump-on-oops set cpu       the top-level buffer, of the crashing CPU\n"
		     "  ktrail dump-on-oops set all disk  of all CPUs, and the instance disk\n"
		     "  ktrail dump-on-oops set off\n",
	.opts      = opts,
	.rules     = verb_rules,
	.args_size = sizeof(struct noun),
	.options_anywhere = true,
	.run       = run,
};
