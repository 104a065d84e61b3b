/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instance.c - `ktrail instance`: list, create and delete separate trace buffers, choose one for
 * a shell
 */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/status.h>

#include "base/json.h"
#include "base/units.h"
#include "cmd/args/default_instance.h"
#include "cmd/args/verb.h"
#include "cmd/cmd.h"
#include "cmd/print/columns.h"
#include "cmd/print/json_print.h"
#include "instance.h"

struct args {
	bool dry_run, json, yes;
};

static const struct cmd_opt opts[] = {
	OPT_BOOL(0, "dry-run", struct args, dry_run, "print the writes to tracefs instead"),
	OPT_BOOL(0, "json", struct args, json, "list: print JSON"),
	OPT_BOOL('y', "yes", struct args, yes, "delete: do not ask"),
	OPT_END
};

/* The processes that have files of the instance open: "pid comm, pid comm" */
static void add_users(struct str *s, const struct kt_users *users, const char *name)
{
	size_t i, len = strlen(name);

	for (i = 0; i < users->nr; i++) {
		const struct kt_user *u = &users->users[i];

		if (u->file && str_starts(u->file, "instances/") &&
		    strncmp(u->file + 10, name, len) == 0 && u->file[10 + len] == '/')
			str_addf(s, "%s%d %s", s->len ? ", " : "", (int)u->pid, u->comm);
	}
}

/* … by this shell: `ktrail instance use` */
static bool is_chosen(const char *name)
{
	return default_instance() && strcmp(default_instance(), name) == 0;
}

struct row {
	struct kt_status s;
	bool persistent;
	struct str users;
};

static int read_row(const char *name, const struct kt_users *users, struct row *r,
		    struct kt_err *err)
{
	struct kt_instance *inst;
	int ret;

	*r = (struct row){ .users = STR_INIT };
	inst = kt_instance_open(name, 0, err);
	if (!inst)
		return err->code;
	ret = kt_status_read(inst, &r->s, err);
	r->persistent = kt_instance_is_persistent(inst);
	add_users(&r->users, users, name);
	kt_instance_close(inst, NULL);
	return ret;
}

static void row_fini(struct row *r)
{
	kt_status_fini(&r->s);
	str_fini(&r->users);
}

const char *what_is_traced(const struct kt_status *s)
{
	const char *tracer = kt_state_value(&s->settings, "current_tracer");

	if (tracer && strcmp(tracer, "nop") != 0)
		return tracer;
	return s->events_state == KT_EVENTS_NONE ? "nothing" : "events";
}

static void add_to_columns(struct columns *c, const struct row *r)
{
	const char *const remarks[] = {
		is_chosen(r->s.name) ? "this shell" : "", r->persistent ? "kept over reboots" : "",
		r->users.buf,
	};
	struct str s = STR_INIT;
	char size[32];
	size_t i;

	for (i = 0; i < sizeof(remarks) / sizeof(*remarks); i++)
		str_addf(&s, "%s%s", s.len && *remarks[i] ? ", " : "", remarks[i]);

	columns_add(c, r->s.name);
	columns_add(c, r->s.tracing ? "on" : "off");
	columns_add(c, what_is_traced(&r->s));
	columns_addf(c, "%" PRIu64, r->s.stats.entries);
	columns_addf(c, "%" PRIu64, r->s.stats.overrun);
	columns_add(c, r->s.total_kb < 0 ? "?" : units_format_size(r->s.total_kb * 1024, size));
	columns_add(c, s.buf);
	str_fini(&s);
}

static void add_to_json(struct json *j, const struct row *r)
{
	json_open(j, NULL, '{');
	json_str(j, "name", r->s.name);
	json_bool(j, "tracing", r->s.tracing);
	json_str(j, "tracer", kt_state_value(&r->s.settings, "current_tracer"));
	json_uint(j, "entries", r->s.stats.entries);
	json_uint(j, "overrun", r->s.stats.overrun);
	json_int(j, "total_kb", r->s.total_kb);
	json_bool(j, "persistent", r->persistent);
	json_bool(j, "chosen", is_chosen(r->s.name));
	json_str(j, "users", r->users.buf);
	json_close(j, '}');
}

static int list(void *args, int argc, char **argv, struct kt_err *err)
{
	struct columns c = { .head = "INSTANCE|TRACING|TRACES|EVENTS>|LOST>|SIZE>|USED BY" };
	const struct args *a = args;
	struct kt_names names = { 0 };
	struct kt_users users = { 0 };
	struct json j = JSON_INIT;
	struct row r = { 0 };
	size_t i;
	int ret;

	if (argc)
		return cmd_misuse(err, "unexpected argument '%s'", argv[0]);
	ret = kt_instance_list(&names, err);
	if (ret < 0)
		return ret;
	kt_users_find(&users, NULL);
	json_open(&j, NULL, '[');
	for (i = 0; i < names.nr; i++) {
		ret = read_row(names.names[i], &users, &r, err);
		if (ret == 0 && a->json)
			add_to_json(&j, &r);
		else if (ret == 0)
			add_to_columns(&c, &r);
		row_fini(&r);
		if (ret < 0 && !kt_instance_is_gone(names.names[i], err))
			goto out;
	}
	json_close(&j, ']');
	ret = a->json ? json_print(&j) : columns_print(&c, "no instances");
out:
	columns_fini(&c);
	str_fini(&j.text);
	kt_names_fini(&names);
	kt_users_fini(&users);
	return ret;
}

static int create(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_instance *inst;
	int i;

	if (!argc)
		return cmd_misuse(err, "the name of the instance is missing");
	for (i = 0; i < argc; i++) {
		inst = *argv[i] ? kt_instance_open(argv[i], KT_INSTANCE_CREATE |
						   KT_INSTANCE_EXCLUSIVE |
						   (a->dry_run ? KT_INSTANCE_DRY : 0), err) : NULL;
		if (!inst)
			return err->code ? err->code : cmd_misuse(err, "an instance needs a name");
		if (a->dry_run)
			fputs(kt_instance_notes(inst), stdout);
		kt_instance_keep(inst);
		kt_instance_close(inst, NULL);
	}
	return 0;
}

static int delete_one(const struct args *a, const char *name, struct kt_err *err)
{
	struct kt_instance *inst = kt_instance_open(name, a->dry_run ? KT_INSTANCE_DRY : 0, err);
	struct kt_users users = { 0 };
	struct str by = STR_INIT;
	struct kt_err mine = { 0 };
	int ret;

	if (!inst)
		return err->code;
	ret = kt_instance_delete(inst, &mine);
	if (ret == -EBUSY && !kt_instance_is_persistent(inst)) {
		kt_users_find(&users, NULL);
		add_users(&by, &users, name);
		kt_err_set(err, ret, "'%s' is in use by %s", name,
			   by.len ? by.buf : "a trigger or a "
			   "program that cannot be seen from here");
	} else if (ret < 0) {
		kt_err_set(err, ret, "%s", mine.msg);
	} else if (a->dry_run) {
		fputs(kt_instance_notes(inst), stdout);
	}
	kt_instance_close(inst, err);
	kt_users_fini(&users);
	str_fini(&by);
	return ret;
}

/* A glob may match more than the user expects: ask. */
static int confirm(const struct args *a, const struct kt_names *found, struct kt_err *err)
{
	struct str question = STR_INIT;
	size_t i;
	int ret;

	if (a->yes || a->dry_run || found->nr < 2)
		return 1;
	str_add(&question, "Delete");
	for (i = 0; i < found->nr; i++)
		str_addf(&question, " %s", found->names[i]);
	str_addc(&question, '?');
	ret = verb_confirm(false, question.buf, err);
	str_fini(&question);
	return ret;
}

static int delete(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_names all = { 0 }, found = { 0 };
	int i, ret;
	size_t k;

	if (!argc)
		return cmd_misuse(err, "the name of the instance is missing");
	ret = kt_instance_list(&all, err);
	for (i = 0; ret == 0 && i < argc; i++) {
		size_t before = found.nr;

		for (k = 0; k < all.nr; k++)
			if (fnmatch(argv[i], all.names[k], 0) == 0 &&
			    !kt_names_has(&found, all.names[k]))
				kt_names_add(&found, all.names[k]);
		/* no match: opening it reports the error */
		if (found.nr == before)
			ret = delete_one(a, argv[i], err);
	}
	if (ret == 0)
		ret = confirm(a, &found, err);
	for (k = 0; ret == 1 && k < found.nr; k++)
		ret = delete_one(a, found.names[k], err) < 0 ? err->code : 1;
	kt_names_fini(&all);
	kt_names_fini(&found);
	if (ret < 0)
		return ret;
	return ret != 1;
}

/* A process cannot set a variable of its shell, so it prints a line that does. */
static int use(void *args, int argc, char **argv, struct kt_err *err)
{
	struct kt_instance *inst;
	const char *p;

	(void)args;
	if (argc > 1)
		return cmd_misuse(err, "unexpected argument '%s'", argv[1]);
	if (argc) {
		inst = kt_instance_open(argv[0], 0, err);
		if (!inst)
			return err->code;
		kt_instance_close(inst, NULL);
		printf("export " DEFAULT_INSTANCE "='");
		for (p = argv[0]; *p; p++)
			printf(*p == '\'' ? "'\\''" : "%c", *p);
		printf("'\n");
	} else {
		printf("unset " DEFAULT_INSTANCE "\n");
	}
	if (isatty(STDOUT_FILENO))
		fprintf(stderr,
			"%s: this is for your shell to read: eval \"$(%s instance use%s%s)\"\n",
			cmd_program, cmd_program, argc ? " " : "", argc ? argv[0] : "");
	return 0;
}

static const struct verb verbs[] = {
	{ "list", "show", "", "show the instances and what they trace", list },
	{ "create", "add", "<name>…", "create instances", create },
	{ "delete", "remove", "<glob>…", "delete instances with their events", delete },
	{ "use", NULL, "[<name>]", "print a line that makes it the shell's default", use },
	{ 0 },
};

const struct cmd cmd_instance = {
	.name      = "instance",
	.summary   = "list, create and delete separate trace buffers",
	.verbs     = verbs,
	.examples  = "  ktrail instance                     what they trace, and their users\n"
		     "  ktrail instance create disk\n"
		     "  ktrail instance delete 'tmp-*'\n"
		     "  eval \"$(ktrail instance use disk)\"  commands without -B now use "
		     "disk;\n"
		     "  eval \"$(ktrail instance use)\"        the top-level buffer again\n",
	.opts      = opts,
	.rules     = verb_rules,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
};
