/* SPDX-License-Identifier: GPL-2.0-or-later */
/* live.h - view a growing trace */
#ifndef TUI_LIVE_H
#define TUI_LIVE_H

#include <ktrail/settings.h>

#include "tui/app/app.h"
#include "tui/tui.h"

/* Tasks of the viewer */
struct live_own {
	int   *pids;			/* owned */
	size_t nr;
	bool   shown;
};

struct live {
	const struct tui_live *given;
	bool     frozen;
	char    *path;			/* of the visible file; owned */
	bool     syncing;		/* a sync has begun: the file must not be read again */
	bool     left;			/* new events could not be added yet */
	struct kt_spot end;		/* the last event at the last check */
	bool     follows;		/* the cursor was at it */
	unsigned int wait_ms;		/* between two checks: longer without new events */
	uint64_t next_ms;
	uint64_t nr_events, nr_lost;	/* taken, and lost, since the start */
	struct live_own own;
	struct kt_live_save *saving;	/* NULL: nothing is being saved */
	char    *save_path;		/* the file to save to; owned */
};

struct live *live_create(const struct tui_live *given);
void live_destroy(struct live *l);

/* The settings of --live; NULL with @err: the viewer shows a file */
struct kt_control *live_control(struct app *app, struct kt_err *err);
/* Milliseconds until live_tick() is due */
int  live_wait_ms(const struct app *app);
/* Go to the end of the first events */
void live_begin(struct app *app);
/* Is the last event selected, so that views follow? */
bool live_follows(const struct app *app);
/* work() of a view, and its refresh() if that is due. True: there is more to do */
bool live_work(struct view *v, unsigned int budget_ms);
/* Add new events if it is time: this may change the screen. */
void live_tick(struct app *app);
/* The same immediately, for a printed screen */
void live_take(struct app *app);
/* Esc: stop saving. False: nothing was being saved */
bool live_stop_saving(struct app *app);
/* 0, or -EBUSY: a file is still being saved */
int  live_may_quit(const struct app *app, struct kt_err *err);
/* "follows, 12,345 events, 3 lost" */
void live_describe(const struct app *app, struct str *out);

/* own.c: hide the events of the present threads */
void live_leave_out_own(struct app *app);
int  live_toggle_own(struct view *v, const char *arg, struct kt_err *err);

/* Commands */
int live_freeze(struct view *v, const char *arg, struct kt_err *err);
int live_save(struct view *v, const char *arg, struct kt_err *err);
int live_keep(struct view *v, const char *arg, struct kt_err *err);
int live_follow(struct view *v, const char *arg, struct kt_err *err);

#endif
