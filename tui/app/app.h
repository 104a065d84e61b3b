/* SPDX-License-Identifier: GPL-2.0-or-later */
/* app.h - views of one model, with tabs, a prompt and a status line; no terminal */
#ifndef TUI_APP_H
#define TUI_APP_H

#include <regex.h>

#include "base/str.h"
#include "tui/event_columns.h"
#include "tui/export/export.h"
#include "tui/input/config.h"
#include "tui/input/prompt.h"
#include "tui/view.h"
#include "list.h"
#include "marks.h"
#include "panes.h"

#define FRAME_TOP    2		/* tabs, and the strip of the whole trace */
#define FRAME_BOTTOM 2		/* status, and keys */
#define KEY_MS       12		/* time for reading after a key; work() reads the rest later */

struct app_search {
	regex_t re;
	char   *text;			/* NULL: none */
	int     direction;		/* 0: no search is running */
	bool    first;			/* the next slice is the first one */
	bool    lost;			/* search for lost events, not for the text */
};

struct live;

struct app {
	struct kt_model *model;
	struct live *live;		/* owned; NULL: files */
	struct pane *root, *focus;	/* all panes; the one with the focus */
	struct pane *grabbed;		/* where the mouse button was pressed; NULL: it is not */
	struct pane *dragged;		/* the split whose border is dragged; NULL: none */
	struct kt_spot followed;	/* the moment that all panes show */
	bool   pane_key;		/* Ctrl-W was typed */
	bool   on_strip;		/* the mouse is dragged on the strip of the whole trace */
	const struct config *config;	/* borrowed; NULL: none */
	struct event_columns columns;		/* of the events */
	bool   columns_chosen;		/* by the user in the viewer: stored in the side-car */
	const struct view_command *running;	/* the command that the prompt asks .args for */
	struct prompt prompt;
	struct app_search search;
	struct kt_err message;		/* .code set: an error; else a note; "": none */
	struct str help;		/* lines of the help on the screen; empty: none */
	int    help_top;
	struct list list;		/* over the panes */
	struct marks_between between;	/* A and B */
	bool   selecting;		/* the selection is from @selected_from to the cursor */
	struct kt_spot selected_from;
	struct export_job *job;		/* NULL: no export is running */
	bool   forced;			/* the command has a '!' */
	bool   quit, suspend, repaint, mouse_off;
	uint64_t deadline_ms;		/* end of the time for this key, or slice of work */
	bool   busy;			/* there was more work after the last slice */
	bool   file_was_cut;		/* by another program, while it was read */
	bool   files_changed;		/* since they were read */
	uint64_t files_state, files_ms;	/* a number that changes with the files; 0: not known */
	bool   index_stopped;		/* by Esc */
	struct str copied;		/* for the clipboard; the loop sends it */
	char  *title;			/* name of the file, owned */
	int    rows, cols;
	/* content of the strip of the whole trace, rebuilt when the width changes */
	uint64_t *density;
	bool    *lost;
	int      nr_density;
	struct kt_window span;
	struct kt_window wanted;	/* duration of the target of a jump, for views with a scale;
					 * 0, 0: none */
	int wanted_pid;			/* the task of the target; 0: a CPU, or a device */
	size_t wanted_file;
	struct view_span explained;	/* the interval in the view of reasons */
	unsigned int nr_explained;	/* its number; 0: none yet */
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
/* For kt_reader_set_stop() of views: is it time to draw and to read the next key? */
bool app_is_late(void *app);
/* Do threads compute something that will be shown? */
bool app_has_threads(struct app *app);
void app_draw(struct app *app, struct surface *s);

/* Is there room for tabs, strip, status and keys? */
bool app_is_framed(const struct app *app);
/* The target of a click on the top lines: the view of a tab, or NULL; the time on the strip */
const char *app_tab_at(const struct app *app, int col);
bool app_strip_time(const struct app *app, int col, uint64_t *ts);
/* The next place from @from on where the strip shows lost events; false: none */
bool app_next_lost(const struct app *app, uint64_t from, int direction, uint64_t *ts);

/* ---- for views and commands ---- */

/* The view with the focus */
struct view *app_view(const struct app *app);
/* Show a note in the status line until the next key */
void app_say(struct app *app, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Move all views to a moment; @jump: Ctrl-O returns from it */
void app_set_cursor(struct app *app, const struct kt_spot *spot, bool jump);
/* The whole trace, or the range from A to B */
struct kt_window app_marked_window(const struct app *app);
/* With several files: "2:", the prefix for items of the second one in :files; else "" */
const char *app_file_prefix(const struct app *app, size_t file, char buf[16]);
bool app_has_no_events(const struct app *app);
/* --live: no event yet */
bool app_is_waiting(const struct app *app);
/*
 * Does the window differ from @w? A trace that has only grown is the same window: see refresh() of
 * views. *@marked: was @w set by marks; updated.
 */
bool app_window_changed(const struct app *app, const struct kt_window *w, bool *marked);
/* Jump there; the visible view follows */
void app_go(struct app *app, const struct kt_spot *spot);
/* Ask for a line of text; calls @done with it, unless the user presses Esc */
void app_ask(struct app *app, const char *label, const char *text,
	     int (*done)(struct app *app, const char *text, struct kt_err *err));
/* Make all panes, or one view, follow the present moment and filters. */
void app_follow(struct app *app);
bool app_is_same_spot(const struct kt_spot *a, const struct kt_spot *b);
/* A view is opened when it is first shown: 0, or the error of its open() */
int  app_open_view(struct view *v, struct kt_err *err);
void app_search_for(struct app *app, const char *text, int direction);
void app_search_for_lost(struct app *app, int direction);
/* Esc: stops the work in the background, with a note */
void app_stop(struct app *app);
void app_stop_search(struct app *app);
int  app_start_index(struct app *app, struct kt_err *err);

/* commands.c: commands of all views */
extern const struct view_command app_commands[];
/* By name or key, first among the view's own commands, then among those of all views. NULL: none */
const struct view_command *app_find_command(struct app *app, const char *name, size_t len);
const struct view_command *app_find_key(struct app *app, int key);

/* panes_commands.c: commands after Ctrl-W, also by their names, such as ':split' */
extern const struct view_command app_pane_commands[];
/* Add, close, focus or resize panes */
int  app_split(struct app *app, const char *view, bool beside, struct kt_err *err);
void app_close_pane(struct app *app, struct pane *p);
void app_focus(struct app *app, struct pane *p);
void app_layout(struct app *app);
/* Called before and after a change of the trace itself */
void app_close_views(struct app *app);
int  app_open_views(struct app *app, struct kt_err *err);

#define APP_COMMAND(name) int name(struct view *v, const char *arg, struct kt_err *err)

/* below.c: draw into @a, the area of a pane whose view was prepared */
void below_draw(struct app *app, struct pane *p, struct area a);
/* True: the event was for the events below the picture */
bool below_mouse(struct pane *p, int key, int row, int col);

/* choose_row.c */
APP_COMMAND(choose_only_task);
APP_COMMAND(choose_hide_task);
APP_COMMAND(choose_only_cpu);
APP_COMMAND(choose_hide_cpu);
APP_COMMAND(choose_only_event);
APP_COMMAND(choose_hide_event);
APP_COMMAND(choose_only_function);
APP_COMMAND(choose_hide_function);

/* explain.c: for views that have .span */
APP_COMMAND(explain);

/* events/columns.c */
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
APP_COMMAND(files_reload);
/* Once a second: has one changed since it was read? */
void files_look(struct app *app);

/* marks.c */
APP_COMMAND(mark_a);
APP_COMMAND(mark_b);
APP_COMMAND(mark_here);
APP_COMMAND(mark_remove);
APP_COMMAND(mark_go);
APP_COMMAND(mark_list);

/* Show an untrusted text over the views, until a key closes it */
void app_page(struct app *app, const char *text);
/* help.c; @only: the lines that have this text, NULL: all */
void app_help(struct app *app, const char *only);
void help_draw(const struct app *app, struct area a);
bool help_key(struct app *app, int key);

#endif
