/* SPDX-License-Identifier: GPL-2.0-or-later */
/* default_instance.c - the instance that `ktrail instance use` set for a shell */
#include "default_instance.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/style.h"

const char *default_instance(void)
{
	const char *name = getenv(DEFAULT_INSTANCE);

	return name && *name && cmd_style->default_instance ? name : NULL;
}

static int choose(void *args, const char *value, struct kt_err *err)
{
	(void)value;
	(void)err;
	*(bool *)args = true;
	return 0;
}

static bool is_instance(const struct cmd_opt *o)
{
	return o->ch == 'B' && o->arg && o->name && strcmp(o->name, "instance") == 0;
}

/* -B, -a and -t select the buffers; profile --functions does not use a buffer. */
static bool chooses(const struct cmd_opt *o)
{
	static const char *const names[] = { "all", "top", "functions" };
	size_t i;

	for (i = 0; o->name && !o->arg && i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(o->name, names[i]) == 0)
			return true;
	return is_instance(o);
}

/*
 * Does the command have a -B, and do these words not use it? The table only records what was
 * given.
 */
static bool is_open(const struct cmd *cmd, int argc, char **words)
{
	struct cmd_opt *look, *o;
	bool has = false, chosen = false;
	int ret;

	/* `ktrail boot` prints settings for a kernel that is not running yet. */
	if (strcmp(cmd->name, "boot") == 0)
		return false;
	look = opts_without_effect(cmd->opts);
	if (!look)
		return false;
	for (o = look; !opt_is_end(o); o++) {
		has |= is_instance(o);
		if (chooses(o))
			o->call = choose;
	}
	ret = opts_parse(look, &chosen, argc, words, cmd->options_anywhere, NULL, NULL);
	free(look);
	return has && ret >= 0 && !chosen;
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
