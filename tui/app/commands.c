/* SPDX-License-Identifier: GPL-2.0-or-later */
/* commands.c - commands of all views: changing the view, filters, marks, searches */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/live/live.h"
#include "app.h"

static int quit(struct view *v, const char *arg, struct kt_err *err)
{
	int ret = live_may_quit(v->app, err);

	(void)arg;
	v->app->quit = ret == 0;
	return ret;
}

static int help(struct view *v, const char *arg, struct kt_err *err)
{
	(void)err;
	app_help(v->app, arg);
	return 0;
}

static int ask_command(struct view *v, const char *arg, struct kt_err *err)
{
	(void)arg, (void)err;
	app_ask(v->app, ":", "", NULL);
	return 0;
}

/* ---- views ---- */

static int step_view(struct view *v, size_t step, struct kt_err *err)
{
	const struct pane *p = v->app->focus;

	return app_show(v->app, p->views[(p->active + step) % p->nr_tabs].ops->name, err);
}

static int next_view(struct view *v, const char *arg, struct kt_err *err)
{
	(void)arg;
	return step_view(v, 1, err);
}

static int previous_view(struct view *v, const char *arg, struct kt_err *err)
{
	(void)arg;
	return step_view(v, v->app->focus->nr_tabs - 1, err);
}

static int show_view(struct view *v, const char *arg, struct kt_err *err)
{
	return arg ? app_show(v->app, arg, err) : kt_err_set(err, -EINVAL, "view which?");
}

static int pane(struct view *v, const char *arg, struct kt_err *err)
{
	(void)arg, (void)err;
	v->app->pane_key = true;
	return 0;
}

#define SHOW(n)										\
	static int show_##n(struct view *v, const char *arg, struct kt_err *err)	\
	{										\
		(void)arg;								\
		return app_show(v->app, #n, err);					\
	}
SHOW(1) SHOW(2) SHOW(3) SHOW(4) SHOW(5) SHOW(6) SHOW(7)

/* ---- searching ---- */

static int searched(struct app *app, const char *text, struct kt_err *err)
{
	(void)err;
	app_search_for(app, text, 1);
	return 0;
}

static int search(struct view *v, const char *arg, struct kt_err *err)
{
	(void)err;
	if (arg)
		app_search_for(v->app, arg, 1);
	else
		app_ask(v->app, "/", "", searched);
	return 0;
}

static int search_next(struct view *v, const char *arg, struct kt_err *err)
{
	(void)arg, (void)err;
	app_search_for(v->app, NULL, 1);
	return 0;
}

static int search_previous(struct view *v, const char *arg, struct kt_err *err)
{
	(void)arg, (void)err;
	app_search_for(v->app, NULL, -1);
	return 0;
}

/* ---- moments ---- */

static int follow_cursor(struct view *v, bool moved)
{
	if (moved && v->ops->follow)
		v->ops->follow(v);
	else if (!moved)
		app_say(v->app, "there is nowhere to go");
	return 0;
}

static int back(struct view *v, const char *arg, struct kt_err *err)
{
	(void)arg, (void)err;
	return follow_cursor(v, kt_model_go_back(v->model));
}

static int forward(struct view *v, const char *arg, struct kt_err *err)
{
	(void)arg, (void)err;
	return follow_cursor(v, kt_model_go_forward(v->model));
}

/* ---- the terminal ---- */

static int suspend(struct view *v, const char *arg, struct kt_err *err)
{
	(void)arg, (void)err;
	v->app->suspend = true;
	return 0;
}

static int repaint(struct view *v, const char *arg, struct kt_err *err)
{
	(void)arg, (void)err;
	v->app->repaint = true;
	return 0;
}

static int start_index(struct view *v, const char *arg, struct kt_err *err)
{
	(void)arg;
	return app_start_index(v->app, err);
}

static int toggle_mouse(struct view *v, const char *arg, struct kt_err *err)
{
	(void)arg, (void)err;
	v->app->mouse_off = !v->app->mouse_off;
	app_say(v->app, v->app->mouse_off ? "the mouse selects text" : "the mouse works here");
	return 0;
}

const struct view_command app_commands[] = {
	{ "search", "/", "<regex>", "search forward for a regular expression", search, "search" },
	{ "next", "n", NULL, "the next match", search_next, NULL },
	{ "previous", "N", NULL, "the previous match", search_previous, NULL },
	{ "filter", "f", "<filter>", "show only matching events, as report -F", filter_only,
	  "filter" },
	{ "hide", "H", "<filter>", "hide matching events", filter_hide, NULL },
	{ "only-task", "t", NULL, "show only the task of the selected row", choose_only_task,
	  "task" },
	{ "hide-task", "T", NULL, "hide the task of the selected row", choose_hide_task, NULL },
	{ "only-event", "e", NULL, "show only events of the same name", choose_only_event,
	  "event" },
	{ "hide-event", "E", NULL, "hide events of the same name", choose_hide_event, NULL },
	{ "only-cpu", "%", NULL, "show only the CPU of the selected row", choose_only_cpu, NULL },
	{ "hide-cpu", "~", NULL, "hide the CPU of the selected row", choose_hide_cpu, NULL },
	{ "only-function", "(", NULL, "show only the function of the selected row",
	  choose_only_function, NULL },
	{ "hide-function", ")", NULL, "hide the function of the selected row",
	  choose_hide_function, NULL },
	{ "filters", "Ctrl-G", NULL, "list the filters: switch, edit or remove one", filter_list,
	  NULL },
	{ "toggle", "F", "<number>", "switch all filters, or one, off or on", filter_toggle,
	  NULL },
	{ "unfilter", "X", "<number>", "remove the last filter, or one of them", filter_remove,
	  NULL },
	{ "mark-a", "A", "<note>", "mark this moment as A", mark_a, NULL },
	{ "mark-b", "B", "<note>", "mark this moment as B; compare it with A",
	  mark_b, NULL },
	{ "mark", "m", "<name> [<note>]", "mark this moment with a name and a note", mark_here,
	  "mark" },
	{ "go-mark", "'", "<mark>", "go to a mark", mark_go, NULL },
	{ "marks", "M", NULL, "list the marks: go to one, or remove it", mark_list, NULL },
	{ "unmark", NULL, "<mark>", "remove a mark", mark_remove, NULL },
	{ "back", "Ctrl-O", NULL, "go back to the place before the last jump", back, NULL },
	{ "forward", "Ctrl-F", NULL, "go forward again", forward, NULL },
	{ "select", "V", NULL, "begin or end a selection", export_select, NULL },
	{ "yank", "y", NULL, "copy the selection, or the row at the cursor", export_yank, NULL },
	{ "yank-screen", "Y", NULL, "copy the screen of the view", export_screen, NULL },
	{ "write", NULL, "<file>", "write the selection, or A to B: .txt .json .folded .dat",
	  export_write, NULL },
	{ "pipe", NULL, "<command> <file>", "pipe its lines to a command, show its output",
	  export_pipe, NULL },
	{ "files", NULL, NULL, "list the files; + and - move one in time", files_list, NULL },
	{ "offset", NULL, "<number> <+-=time>", "move a file in time: 2 +1.5ms", files_offset,
	  NULL },
	{ "reload", NULL, NULL, "read files again that have changed", files_reload,
	  NULL },
	{ "next-view", "Tab", NULL, "the next view", next_view, "view" },
	{ "previous-view", "S-Tab", NULL, "the previous view", previous_view, NULL },
	{ "view", NULL, "<view>", "show a view", show_view, NULL },
	{ "view-1", "1", NULL, "show the events", show_1, NULL },
	{ "view-2", "2", NULL, "show the calls as a tree", show_2, NULL },
	{ "view-3", "3", NULL, "show the timeline", show_3, NULL },
	{ "view-4", "4", NULL, "show latencies", show_4, NULL },
	{ "view-5", "5", NULL, "show the flame graph", show_5, NULL },
	{ "view-6", "6", NULL, "show what this file is", show_6, NULL },
	{ "pane", "Ctrl-W", NULL, "the next key is for panes: s splits, w next", pane,
	  NULL },
	{ "view-7", "7", NULL, "show the settings of the kernel, with --live", show_7, NULL },
	{ "freeze", "Ctrl-S", NULL, "--live: stop or continue taking events", live_freeze, NULL },
	{ "follow", "Ctrl-E", NULL, "--live: go to the last event and follow",
	  live_follow, NULL },
	{ "own", NULL, NULL, "--live: show or hide events of ktrail itself",
	  live_toggle_own, NULL },
	{ "save", NULL, "<file>", "--live: save as a trace.dat; save! replaces one",
	  live_save, NULL },
	{ "keep", NULL, NULL, "--live: keep the settings when the viewer ends", live_keep, NULL },
	{ "command", ":", NULL, "type a command", ask_command, NULL },
	{ "index", NULL, NULL, "continue an index that Esc has stopped", start_index, NULL },
	{ "mouse", NULL, NULL, "switch the mouse on or off", toggle_mouse, NULL },
	{ "repaint", "Ctrl-L", NULL, "redraw the screen", repaint, NULL },
	{ "suspend", "Ctrl-Z", NULL, "return to the shell; fg comes back", suspend, NULL },
	{ "help", "? F1", "<text>", "list all keys, or search them", help, "help" },
	{ "quit", "q Ctrl-C", NULL, "quit", quit, "quit" },
	VIEW_COMMANDS_END
};

static const struct view_command *by_name(const struct view_command *c, const char *name,
					  size_t len)
{
	for (; c->name; c++)
		if (strlen(c->name) == len && strncmp(c->name, name, len) == 0)
			return c;
	return NULL;
}

const struct view_command *app_find_command(struct app *app, const char *name, size_t len)
{
	const struct view_command *c = by_name(app_view(app)->ops->commands, name, len);

	c = c ? c : by_name(app_commands, name, len);
	return c ? c : by_name(app_pane_commands, name, len);
}

static const struct view_command *by_key(const struct view_command *c, int key)
{
	for (; c->name; c++)
		if (c->keys && key_is_in(key, c->keys))
			return c;
	return NULL;
}

const struct view_command *app_find_key(struct app *app, int key)
{
	const struct view_command *c = by_key(app_view(app)->ops->commands, key);

	return c ? c : by_key(app_commands, key);
}
