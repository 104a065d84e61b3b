/* SPDX-License-Identifier: GPL-2.0-or-later */
/* default_instance.c - the instance that a shell has chosen */
#include "default_instance.h"

#include <stdlib.h>
#include <string.h>

#include "style.h"

const char *default_instance(void)
{
	const char *name = getenv(DEFAULT_INSTANCE);

	return name && *name && cmd_style->default_instance ? name : NULL;
}

static int pass(void *args, const char *value, struct kt_err *err)
{
	(void)args;
	(void)value;
	(void)err;
	return 0;
}

static int choose(void *args, const char *value, struct kt_err *err)
{
	*(bool *)args = true;
	return pass(args, value, err);
}

static bool is_instance(const struct cmd_opt *o)
{
	return o->ch == 'B' && o->arg && o->name && strcmp(o->name, "instance") == 0;
}

/* -B, -a, -t say which buffers; profile --functions is about none. */
static bool chooses(const struct cmd_opt *o)
{
	static const char *const names[] = { "all", "top", "functions" };
	size_t i;

	for (i = 0; o->name && !o->arg && i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(o->name, names[i]) == 0)
			return true;
	return is_instance(o);
}

/* Has the command a -B, and do these words leave it open? Parsed with a table that only looks. */
static bool is_open(const struct cmd *cmd, int argc, char **words)
{
	struct cmd_opt *look;
	size_t i, nr = 0;
	bool has = false, chosen = false;
	int ret;

	for (; cmd->opts && !opt_is_end(&cmd->opts[nr]); nr++)
		has |= is_instance(&cmd->opts[nr]);
	/* What boot prints is for a kernel that has not even begun. */
	if (!has || strcmp(cmd->name, "boot") == 0)
		return false;
	look = calloc(nr + 1, sizeof(*look));
	if (!look)
		return false;
	for (i = 0; i < nr; i++) {
		look[i] = cmd->opts[i];
		look[i].kind = OPT_KIND_CALL;
		look[i].call = chooses(&look[i]) ? choose : pass;
	}
	ret = opts_parse(look, &chosen, argc, words, cmd->options_anywhere, NULL, NULL);
	free(look);
	return ret >= 0 && !chosen;
}

char **default_instance_words(const struct cmd *cmd, int *argc, char **argv)
{
	const char *name = default_instance();
	char **words = name ? calloc(*argc + 3, sizeof(*words)) : NULL;

	if (!words)
		return NULL;
	memcpy(words, argv, *argc * sizeof(*words));
	if (!is_open(cmd, *argc, words)) {
		free(words);
		return NULL;
	}
	words[0] = "-B";
	words[1] = (char *)name;
	memcpy(words + 2, argv, *argc * sizeof(*words));
	*argc += 2;
	return words;
}
