/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verb.c - the common part of commands with verbs: verbs, dry runs, questions */
#include "verb.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "base/suggest.h"
#include "cmd/cmd.h"
#include "cmd/print/pager.h"
#include "cmd/print/safe.h"

#define MAX_VERBS 16

const struct cmd_rule verb_rules[] = { VERB_RULE_JSON RULE_END };

/* NULL: no verb has this name */
static const struct verb *find_verb(const struct verb *verbs, const char *word)
{
	const struct verb *v;

	for (v = verbs; v->name; v++)
		if (strcmp(word, v->name) == 0 || (v->alias && strcmp(word, v->alias) == 0))
			return v;
	return NULL;
}

static int unknown(const struct verb *verbs, const char *word, struct kt_err *err)
{
	const char *names[MAX_VERBS + 1] = { NULL };
	char hint[SUGGEST_SIZE];
	struct str all = STR_INIT;
	size_t i;
	int ret;

	for (i = 0; verbs[i].name && i < MAX_VERBS; i++) {
		names[i] = verbs[i].name;
		str_addf(&all, "%s%s", i ? ", " : "", verbs[i].name);
	}
	if (*suggest_one(word, names, hint))
		ret = cmd_misuse(err, "no verb '%s'%s", word, hint);
	else if (find_verb(verbs, "set"))
		ret = cmd_misuse(err, "no verb '%s': %s; perhaps '%s %s'?", word, all.buf,
				 find_verb(verbs, "set")->name, word);
	else
		ret = cmd_misuse(err, "no verb '%s': %s", word, all.buf);
	str_fini(&all);
	return ret;
}

int verb_run(const struct verb *verbs, void *args, int argc, char **argv, struct kt_err *err)
{
	const struct verb *v = argc ? find_verb(verbs, argv[0]) : verbs;
	struct pager p = { 0 };
	int ret;

	if (!v)
		return unknown(verbs, argv[0], err);
	ret = v == verbs ? pager_start_usual(&p, err) : 0;
	if (ret == 0)
		ret = v->run(args, argc ? argc - 1 : 0, argc ? argv + 1 : argv, err);
	ret = pager_wait(&p, ret, err);
	return ret;
}

char *verb_join(int argc, char **argv)
{
	struct str s = STR_INIT;
	int i;

	for (i = 0; i < argc; i++)
		str_addf(&s, "%s%s", i ? " " : "", argv[i]);
	return str_take(&s);
}

int verb_finish(struct kt_instance *inst, bool dry_run, struct kt_err *err)
{
	int ret;

	if (dry_run) {
		fputs(kt_instance_notes(inst), stdout);
		return 0;
	}
	ret = kt_instance_commit(inst, err);
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
		return cmd_misuse(err, "%s not a terminal: use --yes to confirm", question);
	safe_put_to(stderr, question);
	fputs(" [y/N] ", stderr);
	if (!fgets(answer, sizeof(answer), stdin))
		return 0;
	return answer[0] == 'y' || answer[0] == 'Y';
}
