/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tui.h - what a command sees of the viewer */
#ifndef TUI_TUI_H
#define TUI_TUI_H

#include <stdbool.h>

#include <ktrail/control.h>
#include <ktrail/err.h>
#include <ktrail/model.h>
#include <ktrail/rec.h>

#include "base/str.h"

/* What --live adds. All borrowed. */
struct tui_live {
	struct kt_live *rec;
	struct kt_control *control;
	void *data;			/* for the calls */
	bool (*ended)(void *data);	/* a signal says so */
	void (*keep)(void *data);	/* what was set stays */
};

struct tui_opts {
	const char *view;		/* shown first; NULL: the events */
	const char *keys;		/* typed first: "/irq<Enter>n"; NULL: none */
	const char *title;
	const char *session;		/* side-car to use; NULL: where it belongs, but not of
					 * tui_print() */
	const char *background;		/* "dark", "light"; NULL: what the terminal or the
					 * user says */
	void (*warn)(const char *what);	/* what no screen can show any more */
	bool no_color, no_mouse, ascii, no_session;
	const struct tui_live *live;	/* NULL: files */
};

/* 0, or -ENOTTY: this terminal cannot show a screen */
int tui_check(struct kt_err *err);
/* Show the model on the terminal until the person leaves. */
int tui_run(struct kt_model *m, const struct tui_opts *opts, struct kt_err *err);

/*
 * What the screen would show after all keys, with all work in the background done: lines of
 * text, or with @color as a terminal with 256 colours is told.
 */
int tui_print(struct kt_model *m, const struct tui_opts *opts, int rows, int cols, bool color,
	      struct str *out, struct kt_err *err);

/* Each command of each view, for completion, pages and tests; false after the last */
bool tui_command(size_t i, const char **view, const char **name, const char **keys,
		 const char **args, const char **help);

#endif
