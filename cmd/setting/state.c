/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state.c - `ktrail state`: save, show, compare and restore the tracing configuration */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/session.h>
#include <ktrail/tracefs.h>

#include "base/json.h"
#include "cmd/args/output.h"
#include "cmd/args/rules.h"
#include "cmd/args/verb.h"
#include "cmd/cmd.h"
#include "cmd/print/json_print.h"
#include "cmd/print/safe.h"
#include "cmd/record/state_file.h"

struct args {
	const char *instance;
	bool top, all, json, last, dry_run;
};

static const struct cmd_opt opts[] = {
	OPT_STR('B', "instance", struct args, instance, "name", "only this instance"),
	OPT_BOOL('t', "top-instance", struct args, top, "only the top-level buffer"),
	OPT_BOOL('a', "all", struct args, all, "show: also settings that are as after boot"),
	OPT_BOOL('n', "dry-run", struct args, dry_run, "restore: show what would change"),
	OPT_BOOL(0, "last", struct args, last, "restore: the settings before the last restore"),
	OPT_BOOL(0, "json", struct args, json, "show: print JSON"),
	OPT_END
};

static const char *scope(const struct args *a)
{
	return a->top ? "" : a->instance;
}

static int print_json(const struct kt_state *state)
{
	struct json j = JSON_INIT;
	size_t i, l;

	json_open(&j, NULL, '[');
	for (i = 0; i < state->nr; i++) {
		const struct kt_state_section *s = &state->sections[i];

		json_open(&j, NULL, '{');
		json_str(&j, "section", s->name);
		json_open(&j, "settings", '[');
		for (l = 0; l < s->nr; l++) {
			json_open(&j, NULL, '{');
			json_str(&j, "key", s->lines[l].key);
			json_str(&j, "value", s->lines[l].value);
			json_close(&j, '}');
		}
		json_close(&j, ']');
		json_close(&j, '}');
	}
	json_close(&j, ']');
	return json_print(&j);
}

static void print_escaped(const char *text)
{
	struct str s = STR_INIT;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		str_add_escaped(&s, text, strcspn(text, "\n"));
		str_addc(&s, '\n');
	}
	fputs(s.buf, stdout);
	str_fini(&s);
}

static int print_state(const struct args *a, const struct kt_state *state)
{
	char *text;

	if (a->json)
		return print_json(state);
	text = kt_state_text(state);
	if (!text)
		return -ENOMEM;
	print_escaped(text);
	free(text);
	return 0;
}

static int show(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_state *state;
	int ret;

	if (argc)
		return cmd_misuse(err, "unexpected argument '%s'", argv[0]);
	state = kt_state_read(scope(a), err);
	if (!state)
		return err->code;
	if (!a->all)
		kt_state_hide_defaults(state);
	ret = print_state(a, state);
	kt_state_destroy(state);
	return ret;
}

static int save(void *args, int argc, char **argv, struct kt_err *err)
{
	struct kt_state *state;
	int ret;

	if (argc != 1)
		return cmd_misuse(err, "a file to save to is expected, '-' for stdout");
	state = kt_state_read(scope(args), err);
	ret = state ? output_check_text(argv[0], err) : err->code;
	if (ret == 0)
		ret = state_file_save(state, argv[0], err);
	kt_state_destroy(state);
	return ret;
}

static bool state_is_whole(const struct kt_state *state)
{
	return state->nr && strcmp(state->sections[0].name, "machine") == 0;
}

static int diff(void *args, int argc, char **argv, struct kt_err *err)
{
	struct kt_state *from = NULL, *to = NULL;
	char *text = NULL;
	int ret;

	if (argc < 1 || argc > 2)
		return cmd_misuse(err,
				"one saved state (compared with the current settings) or two are "
				  "expected");
	from = state_file_load(argv[0], err);
	if (from && argc == 2)
		to = state_file_load(argv[1], err);
	else if (from && (scope(args) || state_is_whole(from)))
		to = kt_state_read(scope(args), err);
	else if (from)
		to = kt_state_read_like(from, err);
	/* If a single buffer was saved, compare only that one; otherwise include new buffers. */
	if (to && argc == 1 && !state_is_whole(from))
		kt_state_keep_sections(to, from);
	if (to)
		text = kt_state_diff(from, to);
	if (text)
		print_escaped(text);
	ret = text ? *text != '\0' : kt_err_code(err, -ENOMEM);
	free(text);
	kt_state_destroy(from);
	kt_state_destroy(to);
	return ret;
}

/* The file with the settings before the last restore, in the folder of the journals. New (free) */
static char *last_file(bool create, struct kt_err *err)
{
	char *dir = kt_journal_dir(create, err), *path;

	if (dir && asprintf(&path, "%s/last.state", dir) < 0) {
		kt_err_no_memory(err);
		path = NULL;
	}
	free(dir);
	return dir ? path : NULL;
}

static struct kt_state *load_last(struct kt_err *err)
{
	char *path = last_file(false, err);
	struct kt_state *state = path && access(path, F_OK) == 0 ?
				 state_file_load(path, err) : NULL;

	if (!state && (err->code == -ENOENT || !err->code)) {
		kt_err_clear(err);
		kt_err_set(err, -ENOENT,
			   "nothing to undo: this user has not restored a state since boot");
	}
	free(path);
	return state;
}

/*
 * For --last, save the settings that are restored; other settings may change meanwhile and are
 * not restored. If they cannot be saved, report it and continue.
 */
static void keep_last(const struct kt_state *now)
{
	struct kt_err err = { 0 };
	char *path = last_file(true, &err);

	if (!path || state_file_save(now, path, &err) < 0)
		fprintf(stderr, "%s state: nothing for --last: %s\n", cmd_program, err.msg);
	free(path);
}

static int dry_restore(const struct kt_state *now, const struct kt_state *want)
{
	char *text = kt_state_diff(now, want);

	if (!text)
		return -ENOMEM;
	print_escaped(text);
	free(text);
	return 0;
}

static int restore(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_state *want, *now = NULL;
	struct kt_names notes = { 0 };
	int ret = 0;
	size_t i;

	if (argc + a->last != 1)
		return cmd_misuse(err, "a saved state is expected, or --last");
	want = a->last ? load_last(err) : state_file_load(argv[0], err);
	if (want)
		now = kt_state_read_like(want, err);
	if (!now)
		ret = err->code;
	else if (a->dry_run)
		ret = dry_restore(now, want);
	else {
		keep_last(now);
		ret = kt_state_apply(want, now, &notes, err);
		if (ret >= 0)
			printf("%d setting%s changed\n", ret, ret == 1 ? "" : "s");
	}
	for (i = 0; i < notes.nr; i++)
		safe_tell("state", notes.names[i]);
	kt_names_fini(&notes);
	kt_state_destroy(want);
	kt_state_destroy(now);
	return ret < 0 ? ret : 0;
}

static const struct verb verbs[] = {
	{ "show", "list", "", "show the current settings", show },
	{ "save", NULL, "<file>", "save the settings to a file", save },
	{ "restore", "set", "<file>|--last", "restore the settings from a file", restore },
	{ "diff", NULL, "<file> [<file>]",
			"compare with the current settings, or two files", diff },
	{ 0 },
};

static const struct cmd_rule rules[] = {
	{ .options = "all json", .with = "@show @list @" },
	{ .options = "last dry-run", .with = "@restore @set" },
	RULE_END
};

const struct cmd cmd_state = {
	.name      = "state",
	.summary   = "save, show, compare and restore the tracing configuration",
	.verbs     = verbs,
	.examples  =
	"  ktrail state show                what differs from the state at boot\n"
	"  ktrail state save before.state\n"
	"  ktrail state diff before.state   what has changed since\n"
	"  ktrail state restore before.state\n"
	"  ktrail state restore --last      undo the last restore\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.paged     = true,
	.options_anywhere = true,
};
