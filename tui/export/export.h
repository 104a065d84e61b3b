/* SPDX-License-Identifier: GPL-2.0-or-later */
/* export.h - export the screen or the selection as text: clipboard, files, commands */
#ifndef TUI_EXPORT_H
#define TUI_EXPORT_H

#include "base/str.h"
#include "tui/view.h"

struct app;
struct export_job;

/* The range: from V to the cursor, or from A to B, or the window of the view. Both ends are
 * included. */
struct export_range {
	struct kt_spot first, last;
	const char *what;		/* "the selection", "what is between A and B", … */
};

/* Is this moment in the selection that V began? */
bool export_has(const struct app *app, const struct kt_spot *spot);

/* A slice of the running job. True: there is more to do. */
bool export_work(struct app *app, unsigned int budget_ms);
/* Esc: stop the job. False: there is none */
bool export_stop(struct app *app);
void export_fini(struct app *app);
/* "writing x, 1234 events"; "" without a job */
void export_tell(const struct app *app, char *text, size_t size);

int export_yank(struct view *v, const char *arg, struct kt_err *err);
int export_screen(struct view *v, const char *arg, struct kt_err *err);
int export_select(struct view *v, const char *arg, struct kt_err *err);
int export_write(struct view *v, const char *arg, struct kt_err *err);
int export_pipe(struct view *v, const char *arg, struct kt_err *err);

/* dat.c: the range as a new recording */
int export_dat(struct app *app, const struct export_range *r, const char *path, bool replace,
	       struct kt_err *err);
/* pipe.c */
struct export_child;
/* @line: a command and its arguments, split at spaces, quoted by ' or "; not given to a shell */
struct export_child *export_spawn(const char *line, struct kt_err *err);
/* Writes as much of @text as it accepts, and reads its output. True: it still runs. */
bool export_feed(struct export_child *c, struct str *text, bool is_all, unsigned int budget_ms);
/* After the command has ended: its output, and 0 or the reason of its failure */
const struct str *export_said(const struct export_child *c);
int  export_status(const struct export_child *c, struct kt_err *err);
void export_kill(struct export_child *c);

#endif
