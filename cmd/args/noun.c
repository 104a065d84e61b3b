/* SPDX-License-Identifier: GPL-2.0-or-later */
/* noun.c - commands that show or change one setting of a buffer */
#include "noun.h"

#include <stdio.h>

int noun_run(struct noun *n, const struct verb *verbs, int argc, char **argv, struct kt_err *err)
{
	int ret;

	n->inst = kt_instance_open(n->instance, n->dry_run ? KT_INSTANCE_DRY : 0, err);
	if (!n->inst)
		return err->code;
	ret = verb_run(verbs, n, argc, argv, err);
	if (ret == 0 && n->dry_run)
		fputs(kt_instance_notes(n->inst), stdout);
	if (ret == 0)
		kt_instance_keep(n->inst);
	kt_instance_close(n->inst, err);
	return ret;
}

int noun_check_words(int argc, char **argv, int nr, const char *what, struct kt_err *err)
{
	if (argc < nr)
		return cmd_misuse(err, "%s is missing", what);
	if (argc > nr)
		return cmd_misuse(err, "unexpected argument '%s'", argv[nr]);
	return 0;
}
