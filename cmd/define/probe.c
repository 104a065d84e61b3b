/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe.c - `ktrail probe`: list, define and remove probes */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/probe.h>

#include "base/json.h"
#include "cmd/args/verb.h"
#include "cmd/cmd.h"
#include "cmd/print/columns.h"
#include "cmd/print/json_print.h"
#include "cmd/print/safe.h"

struct args {
	const char *instance, *group;
	bool dry_run, json, force, yes, enable;
};

static const struct cmd_opt opts[] = {
	OPT_STR('B', "instance", struct args, instance, "name",
		"add: enable it here; del: it may be in use here"),
	OPT_STR('g', "group", struct args, group, "group", "put new events into this group"),
	OPT_BOOL('e', "enable", struct args, enable, "add: enable the events at once"),
	OPT_BOOL('n', "dry-run", struct args, dry_run, "print the writes to tracefs instead"),
	OPT_BOOL('f', "force", struct args, force,
		"del: also probes that another instance is using"),
	OPT_BOOL('y', "yes", struct args, yes, "del: do not ask"),
	OPT_BOOL(0, "json", struct args, json, "list: print JSON"),
	OPT_END
};

static int print_json(const struct kt_probes *probes)
{
	struct json j = JSON_INIT;
	size_t i;

	json_open(&j, NULL, '[');
	for (i = 0; i < probes->nr; i++) {
		const struct kt_probe *p = &probes->at[i];

		json_open(&j, NULL, '{');
		json_str(&j, "group", p->group);
		json_str(&j, "event", p->event);
		json_str(&j, "kind", kt_probe_kind_name(p->kind));
		json_str(&j, "place", p->place);
		json_str(&j, "args", p->args);
		json_bool(&j, "enabled", p->enabled);
		if (p->counted) {
			json_uint(&j, "hits", p->hits);
			json_uint(&j, "misses", p->misses);
		}
		json_close(&j, '}');
	}
	json_close(&j, ']');
	return json_print(&j);
}

static int print_list(const struct kt_probes *probes)
{
	struct columns c = { .head = "EVENT|KIND|USED|HITS>|MISSES>|WHERE AND WHAT" };
	size_t i;

	for (i = 0; i < probes->nr; i++) {
		const struct kt_probe *p = &probes->at[i];

		columns_addf(&c, "%s:%s", p->group, p->event);
		columns_add(&c, kt_probe_kind_name(p->kind));
		columns_add(&c, p->enabled ? "yes" : "no");
		if (p->counted) {
			columns_addf(&c, "%" PRIu64, p->hits);
			columns_addf(&c, "%" PRIu64, p->misses);
		} else {
			columns_add(&c, "-");
			columns_add(&c, "-");
		}
		columns_addf(&c, "%s%s%s", p->place, *p->args ? " " : "", p->args);
	}
	return columns_print(&c, "no probes");
}

/* Keep the probes that a pattern matches; all without patterns */
static int select_probes(struct kt_probes *probes, int argc, char **argv, struct kt_err *err)
{
	struct kt_probe spare;
	size_t i, kept = 0;
	int a;

	for (a = 0; a < argc; a++) {
		for (i = 0; i < probes->nr && !kt_probe_matches(&probes->at[i], argv[a]); i++)
			;
		if (i == probes->nr)
			return kt_err_set(err, -ENOENT, "no probe '%s': `%s probe list` shows them",
					  argv[a], cmd_program);
	}
	for (i = 0; argc && i < probes->nr; i++) {
		for (a = 0; a < argc && !kt_probe_matches(&probes->at[i], argv[a]); a++)
			;
		if (a == argc)
			continue;
		spare = probes->at[kept];	/* swapped, so that each probe is still freed
						 * once */
		probes->at[kept++] = probes->at[i];
		probes->at[i] = spare;
	}
	return argc ? (int)kept : (int)probes->nr;
}

static int list(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_instance *inst;
	struct kt_probes *probes, shown;
	int ret;

	if (a->force)
		return cmd_misuse(err, "-f is for del; `%s list -f` shows the functions that can "
				       "be probed",
				  cmd_program);
	inst = kt_instance_open(NULL, 0, err);
	probes = inst ? kt_probes_read(inst, err) : NULL;
	ret = probes ? select_probes(probes, argc, argv, err) : err->code;
	if (ret >= 0) {
		shown = (struct kt_probes){ .nr = ret, .at = probes->at };
		ret = 0;
		if (a->json)
			ret = print_json(&shown);
		else
			ret = print_list(&shown);
	}
	kt_probes_destroy(probes);
	kt_instance_close(inst, NULL);
	return ret;
}

static int set_group(struct kt_probe *p, const char *group, struct kt_err *err)
{
	if (!group)
		return 0;
	free(p->group);
	p->group = strdup(group);
	return p->group ? 0 : kt_err_no_memory(err);
}

/* Find the new probe in the kernel's list, in any group: it is the last one of its name */
static int report(struct kt_instance *where, const struct kt_probe *p, struct kt_err *err)
{
	struct kt_probes *now = kt_probes_read(where, err);
	const struct kt_probe *found = NULL;
	size_t i;

	if (!now)
		return err->code;
	for (i = 0; i < now->nr; i++)
		if (strcmp(now->at[i].event, p->event) == 0 &&
		    (!p->group || strcmp(now->at[i].group, p->group) == 0))
			found = &now->at[i];
	if (found)
		printf("%s:%s\n", found->group, found->event);
	kt_probes_destroy(now);
	return 0;
}

/* @where: the buffer of --enable; probes themselves belong to all buffers */
static int add_one(const struct args *a, struct kt_instance *where, struct kt_probe *p,
		   struct kt_err *err)
{
	struct kt_probes *have = kt_probes_read(where, err);
	int ret;

	if (!have)
		return err->code;
	ret = kt_probe_add(where, p, have, err);
	if (ret == 0 && a->enable)
		ret = kt_probe_enable(where, p, err);
	if (ret < 0)
		goto out;
	ret = verb_finish(where, a->dry_run, err);
	if (ret < 0)
		kt_probe_explain(p, err);
	else if (!a->dry_run)
		ret = report(where, p, err);
out:
	kt_probes_destroy(have);
	return ret;
}

static int add(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_instance *where;
	struct kt_probe *p;
	char *text;
	int ret;

	if (!argc)
		return cmd_misuse(err,
			"a definition is expected, e.g. `%s probe add uprobe:libc.so.6:malloc "
				  "size=arg1:u64`", cmd_program);
	text = verb_join(argc, argv);
	p = text ? kt_probe_parse(text, err) : NULL;
	where = p ? kt_instance_open(a->instance, KT_INSTANCE_DRY, err) : NULL;
	ret = where ? set_group(p, a->group, err) : kt_err_code(err, -ENOMEM);
	if (ret == 0)
		ret = add_one(a, where, p, err);
	kt_instance_close(where, err);
	kt_probe_destroy(p);
	free(text);
	return ret;
}

/*
 * List the probes before deleting them; a single probe named in full is deleted without a
 * question.
 */
static int ask(const struct args *a, const struct kt_probes *probes, size_t nr, int argc,
	       char **argv, struct kt_err *err)
{
	char question[64];
	size_t i;

	if (a->dry_run || a->yes || (argc == 1 && nr == 1 && !strpbrk(argv[0], "*?[")))
		return 1;
	for (i = 0; i < nr; i++) {
		fprintf(stderr, "  %s:%s at ", probes->at[i].group, probes->at[i].event);
		safe_put_to(stderr, probes->at[i].place);
		fputs(probes->at[i].enabled ? " (in use)\n" : "\n", stderr);
	}
	snprintf(question, sizeof(question), "Remove %zu probe%s?", nr, nr == 1 ? "" : "s");
	return verb_confirm(false, question, err);
}

static int del_selected(const struct args *a, struct kt_instance *inst,
			const struct kt_probes *probes, size_t nr, struct kt_err *err)
{
	size_t i;
	int ret = 0;

	/* Event probes are attached to other events: the last one defined is removed first. */
	for (i = nr; ret == 0 && i-- > 0; )
		ret = kt_probe_remove(inst, &probes->at[i], a->instance ? a->instance : "",
				      a->force, err);
	if (ret == 0) {
		ret = verb_finish(inst, a->dry_run, err);
		for (i = 0; ret == -EBUSY && i < nr; i++)
			kt_probe_explain_busy(&probes->at[i], err);
	}
	return ret;
}

static int del(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_instance *inst;
	struct kt_probes *probes;
	int ret;
	size_t nr;

	if (!argc)
		return cmd_misuse(err,
				  "a probe is expected; `%s probe list` shows them, '*' means all",
				  cmd_program);
	inst = kt_instance_open(NULL, KT_INSTANCE_DRY, err);
	probes = inst ? kt_probes_read(inst, err) : NULL;
	ret = probes ? select_probes(probes, argc, argv, err) : err->code;
	if (ret > 0) {
		nr = ret;
		ret = ask(a, probes, nr, argc, argv, err);
		if (ret > 0)
			ret = del_selected(a, inst, probes, nr, err);
		else if (ret == 0)
			ret = 1;		/* the answer was no */
	}
	kt_probes_destroy(probes);
	kt_instance_close(inst, err);
	return ret;
}

static const struct verb verbs[] = {
	{ "list", "show", "[<pattern>…]", "show the probes", list },
	{ "add", "set", "<definition>", "define an event on a function", add },
	{ "del", "remove", "<pattern>…", "remove probes", del },
	{ 0 },
};

static const struct cmd_rule rules[] = {
	VERB_RULE_JSON
	{ .options = "group enable", .with = "@add @set" },
	{ .options = "force", .with = "@del @remove @list @show" },
	{ .options = "yes", .with = "@del @remove" },
	RULE_END
};

const struct cmd cmd_probe = {
	.name      = "probe",
	.summary   = "define events on functions of the kernel and of programs",
	.verbs     = verbs,
	.examples  =
	"  ktrail probe add uprobe:libc.so.6:malloc size=arg1:ulong  malloc, everywhere\n"
	"  ktrail probe add 'kretprobe:vfs_read ret=retval:long'    its return value\n"
	"  ktrail probe add 'p:vfs_read vfs_read fd=%di:x64'        the kernel's syntax\n"
	"  ktrail probe list --json                                  with hits and misses\n"
	"  ktrail probe del 'uprobes:*'                              disable and remove\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
};
