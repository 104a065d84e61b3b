/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verb.c - what commands about a noun share: verbs, dry runs, questions */
#include "verb.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cmd.h"

#define MAX_VERBS 16

static int unknown(const struct verb *verbs, const char *word, struct kt_err *err)
{
	const char *names[MAX_VERBS + 1] = { NULL }, *near;
	struct str all = STR_INIT;
	size_t i;
	int ret;

	for (i = 0; verbs[i].name && i < MAX_VERBS; i++) {
		names[i] = verbs[i].name;
		str_addf(&all, "%s%s", i ? ", " : "", verbs[i].name);
	}
	near = str_nearest(word, names);
	ret = near ? cmd_misuse(err, "no verb '%s', did you mean '%s'?", word, near)
		   : cmd_misuse(err, "no verb '%s': %s", word, all.buf);
	str_fini(&all);
	return ret;
}

int verb_run(const struct verb *verbs, void *args, int argc, char **argv, struct kt_err *err)
{
	size_t i;

	if (!argc)
		return verbs[0].run(args, 0, argv, err);
	for (i = 0; verbs[i].name; i++)
		if (strcmp(argv[0], verbs[i].name) == 0 ||
		    (verbs[i].alias && strcmp(argv[0], verbs[i].alias) == 0))
			return verbs[i].run(args, argc - 1, argv + 1, err);
	return unknown(verbs, argv[0], err);
}

char *verb_join(int argc, char **argv)
{
	struct str s = STR_INIT;
	int i;

	for (i = 0; i < argc; i++)
		str_addf(&s, "%s%s", i ? " " : "", argv[i]);
	return str_take(&s);
}

int verb_finish(struct kt_instance *inst, struct kt_plan *plan, bool dry_run, struct kt_err *err)
{
	char *text;
	int ret;

	if (dry_run) {
		text = kt_plan_text(plan);
		if (!text)
			return kt_err_set(err, -ENOMEM, "out of memory");
		fputs(text, stdout);
		free(text);
		return 0;
	}
	ret = kt_plan_apply(plan, err);
	if (ret == 0)
		kt_instance_keep(inst);
	return ret;
}

int verb_confirm(bool yes, const char *question, struct kt_err *err)
{
	char answer[16] = "";

	if (yes)
		return 1;
	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return cmd_misuse(err, "%s Say --yes, nobody is here to answer", question);
	fprintf(stderr, "%s [y/N] ", question);
	if (!fgets(answer, sizeof(answer), stdin))
		return 0;
	return answer[0] == 'y' || answer[0] == 'Y';
}
