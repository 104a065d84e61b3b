/* SPDX-License-Identifier: GPL-2.0-or-later */
/* live.h - a trace that grows while it is looked at */
#ifndef TUI_LIVE_H
#define TUI_LIVE_H

#include <ktrail/control.h>

#include "app.h"
#include "tui.h"

/* Tasks of the viewer */
struct live_own {
	int   *pids;			/* owned */
	size_t nr;
	bool   shown;
};

struct live {
	const struct tui_live *given;
	bool     frozen;
	char    *path;			/* of the file that is shown; owned */
	bool     left;			/* what has come could not be taken up yet */
	struct kt_spot end;		/* the last event, when it was looked for last */
	bool     follows;		/* the cursor was there */
	unsigned int wait_ms;		/* between two looks: longer while nothing comes */
	uint64_t next_ms;
	uint64_t nr_events, nr_lost;	/* taken; never taken, since it began */
	struct live_own own;
	struct kt_live_save *saving;	/* NULL: nothing is being saved */
	char    *save_path;		/* to this file; owned */
};

struct live *live_create(const struct tui_live *given);
void live_destroy(struct live *l);

/* Of --live; NULL with @err: this is a file */
struct kt_control *live_control(struct app *app, struct kt_err *err);
/* Milliseconds until live_tick() is due; -1: never */
int  live_wait_ms(const struct app *app);
/* To the end of what is there at first */
void live_begin(struct app *app);
/* Is the last event selected, so that views follow? */
bool live_follows(const struct app *app);
/* Around work() of a view: what is shown is made anew, if it is time; @more: it is not yet */
void live_refresh_view(struct view *v);
void live_refreshed(struct view *v, bool more);
/* Take up what has come, if it is time: the screen may be another one then. */
void live_tick(struct app *app);
/* The same at once, for a screen that is printed */
void live_take(struct app *app);
/* Esc, false: nothing was being saved */
bool live_stop_saving(struct app *app);
/* 0, -EBUSY: not before a file is complete */
int  live_may_quit(const struct app *app, struct kt_err *err);
/* "follows, 12,345 events, 3 lost" */
void live_describe(const struct app *app, struct str *out);

/* live_own.c: leave out what the threads of now do */
void live_leave_out_own(struct app *app);
int  live_toggle_own(struct view *v, const char *arg, struct kt_err *err);

/* Commands */
int live_freeze(struct view *v, const char *arg, struct kt_err *err);
int live_save(struct view *v, const char *arg, struct kt_err *err);
int live_keep(struct view *v, const char *arg, struct kt_err *err);
int live_follow(struct view *v, const char *arg, struct kt_err *err);

#endif
