/* SPDX-License-Identifier: GPL-2.0-or-later */
/* help.c - all keys of the visible view, from the tables of its commands */
#include <string.h>

#include "app.h"

/* Its keys, without those that the user has mapped to another command */
static void add_keys(struct str *s, const struct app *app, const struct view_command *c)
{
	const char *keys = c->keys;
	size_t len;

	for (; keys && *keys; keys += len + strspn(keys + len, " ")) {
		len = strcspn(keys, " ");
		if (c->keys && !config_key(app->config, key_parse(keys, len)))
			str_addf(s, "%s%.*s", s->len ? " " : "", (int)len, keys);
	}
}

#define HELP_AT 37			/* the column of explanations */

/* A line of help. An explanation that is too long for the screen goes on below. */
static void add_line(const struct app *app, struct str *s, const char *line, const char *only)
{
	size_t cols = (size_t)app->root->place.cols, indent = 0, fit;

	if (only && !strcasestr(line, only))
		return;
	while (cols > 60 && strlen(line) > cols - indent) {
		for (fit = cols - indent; fit + indent > HELP_AT && line[fit] != ' '; fit--)
			;
		if (line[fit] != ' ')
			break;
		str_addf(s, "%.*s\n%*s", (int)fit, line, HELP_AT, "");
		line += fit + strspn(line + fit, " ");
		indent = HELP_AT;
	}
	str_addf(s, "%s\n", line);
}

static void add_commands(struct app *app, const char *title, const struct view_command *c,
			 const char *only)
{
	struct str lines = STR_INIT;

	for (; c->name; c++) {
		struct str keys = STR_INIT, line = STR_INIT;

		add_keys(&keys, app, c);
		str_addf(&line, "  %-16s :%-16s %s%s%s", keys.buf, c->name, c->help,
			 c->args ? "  " : "", c->args ? c->args : "");
		add_line(app, &lines, line.buf, only);
		str_fini(&line);
		str_fini(&keys);
	}
	if (lines.len)
		str_addf(&app->help, "%s\n\n%s\n", title, lines.buf);
	str_fini(&lines);
}

static void add_own_keys(struct app *app, const char *only)
{
	struct str lines = STR_INIT, line = STR_INIT;
	size_t i, nr = app->config ? app->config->nr_keys : 0;
	char name[16];

	for (i = 0; i < nr; i++) {
		const struct config_key *k = &app->config->keys[i];

		if (!*k->line)
			continue;
		str_reset(&line);
		str_addf(&line, "  %-16s :%s", key_text(k->key, name), k->line);
		add_line(app, &lines, line.buf, only);
	}
	if (lines.len)
		str_addf(&app->help, "your own keys\n\n%s\n", lines.buf);
	str_fini(&line);
	str_fini(&lines);
}

void app_help(struct app *app, const char *only)
{
	const struct view_ops *ops = app_view(app)->ops;
	struct str title = STR_INIT;

	str_reset(&app->help);
	app->help_top = 0;
	str_addf(&title, "%s: %s", ops->name, ops->purpose);
	add_commands(app, title.buf, ops->commands, only);
	add_commands(app, "in all views", app_commands, only);
	add_commands(app, "panes: after Ctrl-W, or by their names", app_pane_commands, only);
	add_own_keys(app, only);
	if (!app->help.len)
		str_addf(&app->help, "nothing here is about '%s'\n\n", only);
	str_add(&app->help, "Arrows or j and k scroll; / searches; any other key closes this.\n");
	str_fini(&title);
}

void app_page(struct app *app, const char *text)
{
	str_reset(&app->help);
	app->help_top = 0;
	str_add(&app->help, text);
	if (app->help.len && app->help.buf[app->help.len - 1] != '\n')
		str_addc(&app->help, '\n');
}

static int searched(struct app *app, const char *text, struct kt_err *err)
{
	(void)err;
	app_help(app, *text ? text : NULL);
	return 0;
}

static int nr_lines(const struct str *s)
{
	const char *p;
	int nr = 0;

	for (p = s->buf; (p = strchr(p, '\n')); p++)
		nr++;
	return nr;
}

bool help_key(struct app *app, int key)
{
	int rows = app->root->place.rows, last = nr_lines(&app->help) - rows;

	if (key_is_in(key, "j Down WheelDown"))
		app->help_top++;
	else if (key_is_in(key, "k Up WheelUp"))
		app->help_top--;
	else if (key_is_in(key, "PgDn Space"))
		app->help_top += rows - 1;
	else if (key_is_in(key, "PgUp"))
		app->help_top -= rows - 1;
	else if (key == '/')
		app_ask(app, "help about: ", "", searched);
	else if (key != TK_RESIZE) {
		str_reset(&app->help);
		/* Help and quit can be reached by two keys from anywhere. */
		return !key_is_in(key, "q Ctrl-C");
	}
	if (app->help_top > last)
		app->help_top = last;
	if (app->help_top < 0)
		app->help_top = 0;
	return true;
}

void help_draw(const struct app *app, struct area a)
{
	const char *line = app->help.buf, *end;
	int row;

	for (row = -app->help_top; row < a.rows && (end = strchr(line, '\n'));
	     row++, line = end + 1)
		if (row >= 0)
			area_putn(a, row, 0, line[0] == ' ' ? STYLE_NORMAL : STYLE_STRONG, line,
				  (size_t)(end - line), -1);
}
