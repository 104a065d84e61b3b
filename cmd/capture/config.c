/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config.c - options of a command from a file, before those of the command line */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

struct config {
	const struct cmd *cmd;
	const char *path;
	size_t line;
	void *args;			/* scratch: each line is parsed into it */
	struct str words;		/* each ends with '\0' */
	size_t nr;
	size_t nr_own;
	struct str rest;
};

/* ---- one line ---- */

static int wrong(const struct config *c, struct kt_err *err)
{
	return kt_err_wrap(err, -EINVAL, "%s:%zu", c->path, c->line);
}

/* These do something other than capture, or would be recursive. */
static bool is_for_line(const struct cmd_opt *o)
{
	return !o->name || !str_has_word("config status now explain json prometheus", o->name);
}

static bool is_named(const struct cmd_opt *o, const char *name)
{
	return is_for_line(o) && (o->name ? strcmp(o->name, name) == 0
					  : name[0] == o->ch && !name[1]);
}

static const struct cmd_opt *find(const struct config *c, const char *name, struct kt_err *err)
{
	const char *names[OPTS_MAX + 1], *near;
	const struct cmd_opt *o;
	size_t nr = 0;

	for (o = c->cmd->opts; !opt_is_end(o); o++) {
		if (is_named(o, name))
			return o;
		if (o->name && is_for_line(o) && nr < OPTS_MAX)
			names[nr++] = o->name;
	}
	names[nr] = NULL;
	near = str_nearest(name, names);
	kt_err_set(err, -EINVAL, "'%s' is not an option%s%s%s", name,
		   near ? ", did you mean '" : " of a file", near ? near : "", near ? "'?" : "");
	return NULL;
}

/* "yes" and "no" after an option without value; -1: neither */
static int read_switch(const char *value)
{
	if (!value || str_has_word("yes true on 1", value))
		return 1;
	return str_has_word("no false off 0", value) ? 0 : -1;
}

static int add_word(struct config *c, const struct cmd_opt *o, const char *value,
		    struct kt_err *err)
{
	size_t at = c->words.len;
	char *word;

	if (o->name)
		str_addf(&c->words, "--%s%s%s", o->name, value ? "=" : "", value ? value : "");
	else
		str_addf(&c->words, "-%c%s", o->ch, value ? value : "");
	str_addc(&c->words, '\0');
	if (c->words.failed)
		return kt_err_no_memory(err);
	c->nr++;
	word = c->words.buf + at;
	return opts_parse(c->cmd->opts, c->args, 1, &word, false, NULL, err);
}

static int take_option(struct config *c, const char *name, const char *value, struct kt_err *err)
{
	const struct cmd_opt *o = find(c, name, err);
	int on = 1;

	if (!o)
		return -EINVAL;
	if (o->arg && (!value || !*value))
		return kt_err_set(err, -EINVAL, "'%s' needs a value: %s = <%s>", name, name,
				  o->arg);
	if (!o->arg)
		on = read_switch(value);
	if (on < 0)
		return kt_err_set(err, -EINVAL, "'%s' must be yes or no", name);
	if (o >= c->cmd->opts + c->nr_own)
		str_addf(&c->rest, "%s=%s\n", name, value ? value : "");
	return on ? add_word(c, o, o->arg ? value : NULL, err) : 0;
}

static int take_line(struct config *c, char *line, struct kt_err *err)
{
	char *value;

	c->line++;
	line = str_trim(line);
	if (!*line || *line == '#')
		return 0;
	value = strchr(line, '=');
	if (value)
		*value++ = '\0';
	if (take_option(c, str_trim(line), value ? str_trim(value) : NULL, err) < 0)
		return wrong(c, err);
	return 0;
}

/* ---- all lines ---- */

static int read_file(struct config *c, struct kt_err *err)
{
	struct str text = STR_INIT;
	char *rest, *line;
	int ret = str_read_file(&text, c->path);

	if (ret < 0)
		kt_err_set(err, ret, "%s: %s", c->path, strerror(-ret));
	else if (strlen(text.buf) != text.len)
		ret = kt_err_set(err, -EINVAL, "%s is not a text", c->path);
	/* Options may point into the words, so these must not move: a line adds at most 4 bytes. */
	if (ret == 0 && !str_room(&c->words, 5 * text.len + 16))
		ret = kt_err_no_memory(err);
	for (rest = text.buf; ret == 0 && (line = strsep(&rest, "\n"));)
		ret = take_line(c, line, err);
	str_fini(&text);
	return ret;
}

static char **make_block(const struct config *c, int *argc, char **argv)
{
	size_t pointers = (c->nr + (size_t)*argc + 1) * sizeof(char *), i;
	char **words = malloc(pointers + c->words.len), *text;

	if (!words)
		return NULL;
	text = (char *)words + pointers;
	memcpy(text, c->words.buf, c->words.len);
	for (i = 0; i < c->nr; i++, text += strlen(text) + 1)
		words[i] = text;
	memcpy(words + i, argv, (size_t)*argc * sizeof(*argv));
	*argc += (int)c->nr;
	words[*argc] = NULL;
	return words;
}

static int take_path(void *args, const char *value, struct kt_err *err)
{
	(void)err;
	*(const char **)args = value;
	return 0;
}

/* The value of --config; NULL: not given */
static const char *find_path(const struct cmd *cmd, int argc, char **argv)
{
	struct cmd_opt *look = opts_without_effect(cmd->opts), *o;
	const char *path = NULL;

	if (!look)
		return NULL;
	for (o = look; !opt_is_end(o); o++)
		if (o->name && strcmp(o->name, "config") == 0)
			o->call = take_path;
	opts_parse(look, &path, argc, argv, cmd->options_anywhere, NULL, NULL);
	free(look);
	return path;
}

char **config_expand(const struct cmd *cmd, int *argc, char **argv, size_t nr_own, char **rest,
		     struct kt_err *err)
{
	struct config c = { .cmd = cmd, .path = find_path(cmd, *argc, argv), .nr_own = nr_own,
			    .words = STR_INIT, .rest = STR_INIT };
	char **words = NULL;

	if (!c.path)
		return NULL;
	c.args = calloc(1, cmd->args_size);
	if (!c.args || cmd->init(c.args) < 0)
		kt_err_no_memory(err);
	else if (read_file(&c, err) == 0) {
		words = make_block(&c, argc, argv);
		if (!words)
			kt_err_no_memory(err);
	}
	if (c.args)
		cmd->fini(c.args);
	free(c.args);
	if (words && rest)
		*rest = str_take(&c.rest);
	str_fini(&c.words);
	str_fini(&c.rest);
	return words;
}
