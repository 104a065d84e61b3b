/* SPDX-License-Identifier: GPL-2.0-or-later */
/* help.c - all keys of the view that is shown, from the tables of its commands */
#include <string.h>

#include "app.h"

static void add_commands(struct str *s, const struct view_command *c)
{
	for (; c->name; c++)
		str_addf(s, "  %-16s :%-16s %s%s%s\n", c->keys ? c->keys : "", c->name, c->help,
			 c->args ? "  " : "", c->args ? c->args : "");
}

void app_help(struct app *app)
{
	const struct view_ops *ops = app_view(app)->ops;

	str_reset(&app->help);
	app->help_top = 0;
	str_addf(&app->help, "%s: %s\n\n", ops->name, ops->purpose);
	add_commands(&app->help, ops->commands);
	str_add(&app->help, "\nin all views\n\n");
	add_commands(&app->help, app_commands);
	str_add(&app->help, "\npanes: after Ctrl-W, or by their names\n\n");
	add_commands(&app->help, app_pane_commands);
	str_add(&app->help, "\nArrows or j and k scroll; any other key closes this.\n");
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
	else if (key != TK_RESIZE) {
		str_reset(&app->help);
		/* Help and quit are two keys from anywhere. */
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

	for (row = -app->help_top; row < a.rows && (end = strchr(line, '\n')); row++, line = end + 1)
		if (row >= 0)
			area_putn(a, row, 0, line[0] == ' ' ? STYLE_NORMAL : STYLE_STRONG, line,
				  (size_t)(end - line), -1);
}
