/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sqlhist.c - `ktrail sqlhist`: define synthetic events and hist triggers by an SQL query */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/probe.h>
#include <ktrail/tracefs.h>

#include "base/str.h"
#include "cmd/args/rules.h"
#include "cmd/args/verb.h"
#include "cmd/style.h"

struct args {
	const char *instance, *name, *save, *max, *change, *dir, *file;
	bool execute, snapshot, trace;
};

static const struct cmd_opt opts[] = {
	OPT_STR('n', "name", struct args, name, "name",
		"name of the synthetic event; default Anonymous"),
	OPT_BOOL('e', "execute", struct args, execute, "do the writes instead of printing them"),
	OPT_STR('m', "max", struct args, max, "var",
		"act only if this result reaches a new maximum"),
	OPT_STR('c', "change", struct args, change, "var", "act only if this result changes"),
	OPT_BOOL('s', "snapshot", struct args, snapshot, "with -m or -c: take a snapshot"),
	OPT_BOOL('T', "trace", struct args, trace, "with -m or -c: write the event as well"),
	OPT_STR('S', "save", struct args, save, "fields",
		"with -m or -c: save these, separated by ','"),
	OPT_STR('f', "file", struct args, file, "file",
		"read the query from this file; '-' is stdin"),
	OPT_STR('t', "tracing-dir", struct args, dir, "dir", "use this folder instead of tracefs"),
	OPT_STR('B', "instance", struct args, instance, "name", "put triggers into this instance"),
	OPT_END
};

static char *read_query(const struct args *a, int argc, char **argv, struct kt_err *err)
{
	struct str s = STR_INIT;
	int i, ret = 0;

	if (a->file)
		ret = strcmp(a->file, "-") == 0 ? str_read_fd(&s, STDIN_FILENO)
						: str_read_file(&s, a->file);
	if (ret < 0)
		kt_err_set(err, ret, "cannot read %s: %s", a->file, strerror(-ret));
	for (i = 0; i < argc; i++)
		str_addf(&s, "%s%s", i ? " " : "", argv[i]);
	if (ret < 0) {
		str_fini(&s);
		return NULL;
	}
	return str_take(&s);
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_sql sql = {
		.name = a->name ? a->name : "Anonymous",
		.handler = a->change ? KT_SQL_ONCHANGE : KT_SQL_ONMATCH,
		.variable = a->max ? a->max : a->change,
		/* trace-cmd's -T means both */
		.snapshot = a->snapshot || (cmd_style->old_words && a->trace),
		.trace = a->trace, .save = a->save,
	};
	struct kt_instance *inst = NULL;
	char *query = NULL;
	int ret;

	if (a->max)
		sql.handler = KT_SQL_ONMAX;
	if (!argc == !a->file)
		return cmd_misuse(err, "a query is expected, as words or with -f");
	ret = a->dir ? kt_tracefs_set_dir(a->dir) : 0;
	if (ret < 0)
		return ret;
	query = read_query(a, argc, argv, err);
	sql.query = query;
	inst = query ? kt_instance_open(a->instance, KT_INSTANCE_DRY |
					(a->execute ? KT_INSTANCE_CREATE : 0), err) : NULL;
	ret = inst ? kt_sql_define(inst, &sql, err) : kt_err_code(err, -ENOMEM);
	if (ret == 0 && a->execute && cmd_style->old_words)
		ret = verb_finish(inst, true, err);
	if (ret == 0)
		ret = verb_finish(inst, !a->execute, err);
	kt_instance_close(inst, err);
	free(query);
	return ret;
}

static const struct cmd_rule rules[] = {
	{ .options = "m c", .alone = true, .always = true },
	{ .options = "s T S", .with = "m c", .always = true },
	RULE_END
};

const struct cmd cmd_sqlhist = {
	.name      = "sqlhist",
	.summary   = "define synthetic events and hist triggers by an SQL query",
	.words     = "<query> | -f <file>",
	.examples  =
	"  ktrail sqlhist 'SELECT common_pid, prev_prio FROM sched_switch'\n"
	"  ktrail sqlhist -e -n wakeup_lat 'SELECT start.pid,\n"
	"      (end.TIMESTAMP_USECS - start.TIMESTAMP_USECS) AS lat\n"
	"      FROM sched_waking AS start\n"
	"      JOIN sched_switch AS end ON start.pid = end.next_pid'\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.run       = run,
};
