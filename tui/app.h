/* SPDX-License-Identifier: GPL-2.0-or-later */
/* app.h - views of one model, with tabs, a prompt and a status line; no terminal */
#ifndef TUI_APP_H
#define TUI_APP_H

#include <regex.h>

#include "base/str.h"
#include "event_columns.h"
#include "config.h"
#include "export.h"
#include "list.h"
#include "marks.h"
#include "panes.h"
#include "prompt.h"
#include "view.h"

#define FRAME_TOP    2		/* tabs, and the strip of the whole trace */
#define FRAME_BOTTOM 2		/* status, and keys */

struct app_search {
	regex_t re;
	char   *text;			/* NULL: none */
	int     direction;		/* 0: nothing is being searched for */
	bool    first;			/* the next slice is the first one */
	bool    lost;			/* not for the text: for places where events were lost */
};

struct live;

struct app {
	struct kt_model *model;
	struct live *live;		/* owned; NULL: files */
	struct pane *root, *focus;	/* all panes; the one that keys act on */
	struct pane *grabbed;		/* where the button was pressed that is held; NULL: none */
	struct pane *dragged;		/* the split whose border it holds; NULL: none */
	struct kt_spot followed;	/* the moment that all panes show */
	bool   pane_key;		/* Ctrl-W was typed */
	bool   on_strip;		/* the mouse drags on the strip of the whole trace */
	const struct config *config;	/* borrowed; NULL: none */
	struct event_columns columns;		/* of the events */
	bool   columns_chosen;		/* here: they are kept in the side-car */
	const struct view_command *running;	/* asks for what its .args tells */
	struct prompt prompt;
	struct app_search search;
	struct kt_err message;		/* .code: an error; else a note; "" : none */
	struct str help;		/* lines of the help that is shown; empty: none is */
	int    help_top;
	struct list list;		/* over the panes */
	struct marks_between between;	/* A and B */
	bool   selecting;		/* from @selected_from to the cursor */
	struct kt_spot selected_from;
	struct export_job *job;		/* NULL: nothing is being written */
	bool   forced;			/* the command had a '!' */
	bool   quit, suspend, repaint, mouse_off;
	bool   busy;			/* the last slice of work was not the last one */
	bool   file_was_cut;		/* by someone else, while it was read */
	bool   index_stopped;		/* by Esc */
	struct str copied;		/* for the clipboard; the loop sends it */
	char  *title;			/* name of the file, owned */
	int    rows, cols;
	/* what the strip of the whole trace shows, made anew when the width changes */
	uint64_t *density;
	bool    *lost;
	int      nr_density;
	struct kt_window span;
	struct kt_window wanted;	/* of what was jumped to, for views that have a scale;
					 * 0, 0: none */
};

/* @model: borrowed, @live: taken, or NULL. New (app_destroy), NULL with @err. */
struct app *app_create(struct kt_model *model, struct live *live, const char *title,
		       struct kt_err *err);
void app_destroy(struct app *app);
bool app_has_view(const char *name);
/* By name or number: 0, -ENOENT */
int  app_show(struct app *app, const char *view, struct kt_err *err);
void app_resize(struct app *app, int rows, int cols);
void app_key(struct app *app, int key);
void app_mouse(struct app *app, int key, int row, int col);
/* A slice of work in the background. True: there is more to do. */
bool app_work(struct app *app, unsigned int budget_ms);
/* Do threads work on something that will be shown? */
bool app_has_threads(struct app *app);
void app_draw(struct app *app, struct surface *s);

/* Is there room for tabs, strip, status and keys? */
bool app_is_framed(const struct app *app);
/* What a click on the top lines means: the view of a tab, or NULL; the time of the strip */
const char *app_tab_at(const struct app *app, int col);
bool app_strip_time(const struct app *app, int col, uint64_t *ts);
/* Where the strip shows lost events, the next such place from @from on; false: none */
bool app_next_lost(const struct app *app, uint64_t from, int direction, uint64_t *ts);

/* ---- for views and commands ---- */

/* The one that keys act on */
struct view *app_view(const struct app *app);
/* Tell something in the status line, until the next key */
void app_say(struct app *app, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The moment that all views are about; @jump: Ctrl-O leads back to where it was */
void app_set_cursor(struct app *app, const struct kt_spot *spot, bool jump);
/* The whole trace, or what is between A and B */
struct kt_window app_marked_window(const struct app *app);
/* Several files: "2:", before what belongs to the second one, as :files counts them; else "" */
const char *app_file_prefix(const struct app *app, size_t file, char buf[16]);
/* --live: nothing has come yet */
bool app_is_waiting(const struct app *app);
/*
 * Is that another one than @w, which was made of the marks, or not? A trace that has only grown
 * is no reason to begin anew: see refresh() of views. *@marked: is what it is now
 */
bool app_window_changed(const struct app *app, const struct kt_window *w, bool *marked);
/* Jump there, as the view that is shown follows */
void app_go(struct app *app, const struct kt_spot *spot);
/* Ask for a line of text; @done is given it, unless it is left by Esc */
void app_ask(struct app *app, const char *label, const char *text,
	     int (*done)(struct app *app, const char *text, struct kt_err *err));
/* "name arg" as after ':' */
int  app_command(struct app *app, const char *line, struct kt_err *err);
/* All panes are about the moment and the filters of now. */
void app_follow(struct app *app);
void app_search_for(struct app *app, const char *text, int direction);
void app_search_for_lost(struct app *app, int direction);
/* Esc: stops what works in the background, and says so */
void app_stop(struct app *app);
void app_stop_search(struct app *app);
int  app_start_index(struct app *app, struct kt_err *err);

/* commands.c: what works in all views */
extern const struct view_command app_commands[];
/* NULL: none of that name, or key; of the view first, then of all */
const struct view_command *app_find_command(struct app *app, const char *name, size_t len);
const struct view_command *app_find_key(struct app *app, int key);

/* panes_commands.c: what follows Ctrl-W, and ':split' and others by their names */
extern const struct view_command app_pane_commands[];
/* Another pane, or another size of one */
int  app_split(struct app *app, const char *view, bool beside, struct kt_err *err);
void app_close_pane(struct app *app, struct pane *p);
void app_focus(struct app *app, struct pane *p);
void app_layout(struct app *app);
/* Around a change of the trace itself */
void app_close_views(struct app *app);
int  app_open_views(struct app *app, struct kt_err *err);

#define APP_COMMAND(name) int name(struct view *v, const char *arg, struct kt_err *err)

/* choose_row.c */
APP_COMMAND(choose_only_task);
APP_COMMAND(choose_hide_task);
APP_COMMAND(choose_only_event);
APP_COMMAND(choose_hide_event);

/* event_columns.c */
APP_COMMAND(columns_choose);

/* filters.c */
APP_COMMAND(filter_only);
APP_COMMAND(filter_hide);
APP_COMMAND(filter_toggle);
APP_COMMAND(filter_remove);
APP_COMMAND(filter_list);

/* files.c */
APP_COMMAND(files_offset);
APP_COMMAND(files_list);

/* marks.c */
APP_COMMAND(mark_a);
APP_COMMAND(mark_b);
APP_COMMAND(mark_here);
APP_COMMAND(mark_remove);
APP_COMMAND(mark_go);
APP_COMMAND(mark_list);

/* A text of any origin over the views, until a key closes it */
void app_page(struct app *app, const char *text);
/* help.c; @only: the lines that have this text, NULL: all */
void app_help(struct app *app, const char *only);
void help_draw(const struct app *app, struct area a);
bool help_key(struct app *app, int key);

#endif
