/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config.c - the user's keys and colours, from a file */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/home.h"
#include "base/str.h"
#include "tui/terminal/keys.h"
#include "tui/terminal/theme.h"
#include "tui/tui.h"

/* ---- one line ---- */

/* The word at *@text, terminated in place; *@text moves to the text after it. */
static char *take_word(char **text)
{
	char *word = *text + strspn(*text, " \t");
	size_t len = strcspn(word, " \t");

	*text = word + len;
	if (**text)
		*(*text)++ = '\0';
	*text += strspn(*text, " \t");
	return word;
}

static bool is_command(const char *line)
{
	const char *view, *name, *keys, *args, *help;
	size_t len = strcspn(line, " "), i;

	for (i = 0; tui_command(i, &view, &name, &keys, &args, &help); i++)
		if (strlen(name) == len && strncmp(name, line, len) == 0)
			return true;
	return false;
}

static int set_key(struct config *c, const char *name, const char *line, struct kt_err *err)
{
	int key = key_parse(name, strlen(name));
	struct config_key *grown;

	if (key == TK_NONE)
		return kt_err_set(err, -EINVAL, "'%s' is not the name of a key", name);
	if (*line && !is_command(line))
		return kt_err_set(err, -EINVAL, "there is no command '%s'", line);
	grown = reallocarray(c->keys, c->nr_keys + 1, sizeof(*grown));
	if (!grown)
		return kt_err_no_memory(err);
	c->keys = grown;
	grown[c->nr_keys] = (struct config_key){ key, strdup(line) };
	return grown[c->nr_keys].line ? (c->nr_keys++, 0) : -ENOMEM;
}

static int set_color(const char *style, const char *look, struct kt_err *err)
{
	int ret = theme_set(style, look);

	if (ret == -ENOENT)
		return kt_err_set(err, ret, "there is no style '%s': ktrail-view(1) lists them",
				  style);
	return ret < 0 ? kt_err_set(err, ret, "'%s' is not a look: as '#d55e00 bold'", look) : 0;
}

static int set_colors(struct config *c, const char *value, struct kt_err *err)
{
	c->no_color = strcmp(value, "none") == 0;
	c->colors = strcmp(value, "truecolor") == 0 ? 1 << 24 : atoi(value);
	if (c->no_color || c->colors == 8 || c->colors == 16 || c->colors >= 256)
		return 0;
	c->colors = 0;
	return kt_err_set(err, -EINVAL, "'%s': none, 8, 16, 256 or truecolor", value);
}

static int set_switch(bool *is, const char *value, bool on, struct kt_err *err)
{
	if (strcmp(value, "on") != 0 && strcmp(value, "off") != 0)
		return kt_err_set(err, -EINVAL, "'%s' is neither on nor off", value);
	*is = (strcmp(value, "on") == 0) == on;
	return 0;
}

static int take_line(struct config *c, char *line, struct kt_err *err)
{
	char *what = take_word(&line);

	if (!*what || *what == '#')
		return 0;
	if (strcmp(what, "map") == 0) {
		what = take_word(&line);
		return *line ? set_key(c, what, line, err)
			     : kt_err_set(err, -EINVAL, "map KEY COMMAND");
	}
	if (strcmp(what, "unmap") == 0)
		return set_key(c, take_word(&line), "", err);
	if (strcmp(what, "color") == 0) {
		what = take_word(&line);
		return set_color(what, line, err);
	}
	if (strcmp(what, "background") == 0)
		return theme_set_background(line) == 0 ? 0 :
		       kt_err_set(err, -EINVAL, "'%s': dark, light or auto", line);
	if (strcmp(what, "colors") == 0)
		return set_colors(c, line, err);
	if (strcmp(what, "mouse") == 0)
		return set_switch(&c->mouse_off, line, false, err);
	if (strcmp(what, "ascii") == 0)
		return set_switch(&c->ascii, line, true, err);
	if (strcmp(what, "columns") == 0)
		return event_columns_parse(&c->columns, line, err);
	return kt_err_set(err, -EINVAL, "'%s': map, unmap, color, background, colors, mouse, "
			  "ascii or columns", what);
}

/* ---- the file ---- */

static void note_wrong(struct config *c, const char *path, unsigned int nr,
		       const struct kt_err *why)
{
	if (!c->nr_wrong++)
		kt_err_set(&c->wrong, -EINVAL, "%s:%u: %s", path, nr, why->msg);
}

static void take_text(struct config *c, char *text, const char *path)
{
	unsigned int nr = 0;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		struct kt_err err = { 0 };

		nr++;
		if (take_line(c, str_trim(line), &err) < 0)
			note_wrong(c, path, nr, &err);
	}
}

static char *default_path(void)
{
	char *folder = home_folder("XDG_CONFIG_HOME", ".config");
	struct str path = STR_INIT;

	if (!folder)
		return NULL;
	str_addf(&path, "%s/view.conf", folder);
	free(folder);
	return str_take(&path);
}

void config_read(struct config *c, const char *path)
{
	char *wanted = path ? strdup(path) : default_path();
	struct str text = STR_INIT;
	int ret = wanted ? str_read_file(&text, wanted) : -ENOENT;

	*c = (struct config){ 0 };
	theme_set_background("auto");
	if (ret == 0)
		take_text(c, text.buf, wanted);
	else if (ret != -ENOENT && ret != -ENOTDIR)
		kt_err_set(&c->wrong, ret, "%s: %s", wanted, strerror(-ret));
	str_fini(&text);
	free(wanted);
}

void config_fini(struct config *c)
{
	while (c->nr_keys)
		free(c->keys[--c->nr_keys].line);
	free(c->keys);
	c->keys = NULL;
}

/* If a key is mapped more than once, the last line wins. */
const char *config_key(const struct config *c, int key)
{
	size_t i = c ? c->nr_keys : 0;

	while (i-- > 0)
		if (c->keys[i].key == key)
			return c->keys[i].line;
	return NULL;
}
