/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.c - a list over the views; its callers provide the lines */
#include "list.h"

#include "app.h"

static void keep_inside(struct app *app)
{
	struct list *l = &app->list;
	int nr = (int)l->ops->count(app), rows = app->root->place.rows - 1;

	if (l->selected >= nr)
		l->selected = nr - 1;
	if (l->selected < 0)
		l->selected = 0;
	if (l->top > l->selected)
		l->top = l->selected;
	if (rows > 0 && l->top < l->selected - rows + 1)
		l->top = l->selected - rows + 1;
	if (!nr)
		l->ops = NULL;
}

void list_open(struct app *app, const struct list_ops *ops, size_t selected)
{
	if (!ops->count(app)) {
		app_say(app, "%s", ops->empty);
		return;
	}
	app->list = (struct list){ .ops = ops, .selected = (int)selected };
	keep_inside(app);
}

void list_key(struct app *app, int key)
{
	struct list *l = &app->list;
	int page = app->root->place.rows - 2;

	if (key_is_in(key, "j Down WheelDown"))
		l->selected++;
	else if (key_is_in(key, "k Up WheelUp"))
		l->selected--;
	else if (key_is_in(key, "PgDn"))
		l->selected += page;
	else if (key_is_in(key, "PgUp"))
		l->selected -= page;
	else if (key_is_in(key, "g Home"))
		l->selected = 0;
	else if (key_is_in(key, "G End"))
		l->selected = (int)l->ops->count(app) - 1;
	else if (key_is_in(key, "q Esc") || !l->ops->key(app, (size_t)l->selected, key))
		l->ops = NULL;
	if (l->ops)
		keep_inside(app);
}

void list_draw(const struct app *app, struct area a)
{
	const struct list *l = &app->list;
	size_t nr = l->ops->count(app);
	int row;

	area_putf(a, 0, 1, STYLE_HEAD, "%s", l->ops->title);
	for (row = 1; row < a.rows && (size_t)(l->top + row - 1) < nr; row++) {
		struct str line = STR_INIT;
		int i = l->top + row - 1;

		l->ops->line(app, (size_t)i, &line);
		area_put(a, row, 1, STYLE_NORMAL, line.buf, -1);
		str_fini(&line);
		if (i == l->selected) {
			area_select(a, row);
			area_cursor(a, row, 0);
		}
	}
}
