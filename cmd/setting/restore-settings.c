/* SPDX-License-Identifier: GPL-2.0-or-later */
/* restore-settings.c - `ktrail restore-settings`: undo the settings of a killed ktrail */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ktrail/tracefs.h>

#include "base/json.h"
#include "cmd/args/rules.h"
#include "cmd/cmd.h"
#include "cmd/print/json_print.h"
#include "cmd/print/safe.h"

struct args {
	bool list;
	bool discard;
	bool json;
	bool dry_run;
};

static const struct cmd_opt opts[] = {
	OPT_BOOL('l', "list", struct args, list, "list what would be restored, change nothing"),
	OPT_BOOL(0, "discard", struct args, discard, "remove the journals, restore nothing"),
	OPT_BOOL('n', "dry-run", struct args, dry_run, "print the writes to tracefs instead"),
	OPT_BOOL(0, "json", struct args, json, "print the list of -l as JSON"),
	OPT_END
};

static int print_json(const struct kt_journals *js)
{
	struct json j = JSON_INIT;
	size_t i, n;

	json_open(&j, NULL, '[');
	for (i = js->nr; i-- > 0; ) {
		const struct kt_journal *one = &js->journals[i];

		json_open(&j, NULL, '{');
		json_int(&j, "pid", one->pid);
		json_str(&j, "command", one->command);
		json_open(&j, "steps", '[');
		for (n = one->nr_steps; n-- > 0; )
			json_str(&j, NULL, one->steps[n]);
		json_close(&j, ']');
		json_close(&j, '}');
	}
	json_close(&j, ']');
	return json_print(&j);
}

static void show(const struct kt_journal *j)
{
	size_t i;

	printf("pid %d: ", (int)j->pid);
	safe_puts(j->command ? j->command : "?", true);
	for (i = j->nr_steps; i-- > 0; ) {
		fputs("  ", stdout);
		safe_puts(j->steps[i], true);
	}
}

static int restore(const struct kt_journal *j, struct kt_err *err)
{
	int ret = kt_journal_restore(j, err);

	if (ret < 0)
		return kt_err_wrap(err, ret, "pid %d", (int)j->pid);
	printf("restored %d setting%s of pid %d: ", ret, ret == 1 ? "" : "s", (int)j->pid);
	safe_puts(j->command ? j->command : "?", true);
	return 0;
}

static int show_writes(const struct kt_journal *j, struct kt_err *err)
{
	char *text = kt_journal_shell(j);

	if (!text)
		return kt_err_no_memory(err);
	printf("# pid %d: ", (int)j->pid);
	safe_puts(j->command ? j->command : "?", true);
	safe_write(text, strlen(text), safe_for_person());
	free(text);
	return 0;
}

static int handle(const struct args *a, const struct kt_journal *j, struct kt_err *err)
{
	if (a->list) {
		show(j);
		return 0;
	}
	if (a->dry_run)
		return show_writes(j, err);
	return a->discard ? kt_journal_discard(j, err) : restore(j, err);
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct kt_journals js = { 0 };
	const struct args *a = args;
	int ret;
	size_t i;

	if (argc)
		return cmd_misuse(err, "unexpected argument '%s'", argv[0]);
	ret = kt_journal_pending(&js, err);
	if (ret >= 0 && a->json) {
		ret = print_json(&js);
		kt_journals_fini(&js);
		return ret;
	}
	if (ret == 0)
		printf("%snothing to restore\n", a->dry_run ? "# " : "");
	/*
	 * Restore the latest change first, in case two dead processes have changed the same
	 * setting.
	 */
	for (i = js.nr; ret >= 0 && i-- > 0; )
		ret = handle(a, &js.journals[i], err);
	kt_journals_fini(&js);
	return ret < 0 ? ret : 0;
}

static const struct cmd_rule rules[] = {
	{ .options = "list discard dry-run", .alone = true },
	{ .options = "json", .with = "list" },
	RULE_END
};

const struct cmd cmd_restore_settings = {
	.name      = "restore-settings",
	.summary   = "undo the settings that a killed ktrail left behind",
	.examples  = "  ktrail restore-settings -l   what would be restored?\n"
		     "  ktrail restore-settings -n   the same as shell commands\n"
		     "  ktrail restore-settings      restore it\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.run       = run,
};
