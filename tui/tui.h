/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tui.h - the interface of the viewer for commands */
#ifndef TUI_TUI_H
#define TUI_TUI_H

#include <stdbool.h>

#include <ktrail/base.h>
#include <ktrail/model.h>
#include <ktrail/rec.h>
#include <ktrail/settings.h>

#include "base/str.h"

/* Members for --live. All borrowed. */
struct tui_live {
	struct kt_live *rec;
	struct kt_control *control;
	void *data;			/* passed to the callbacks */
	bool (*ended)(void *data);	/* set by a signal */
	void (*keep)(void *data);	/* keep the settings */
};

struct tui_opts {
	const char *view;		/* shown first; NULL: the events */
	const char *keys;		/* typed first: "/irq<Enter>n"; NULL: none */
	const char *title;
	const char *session;		/* side-car to use; NULL: the default one, except for
					 * tui_print() */
	const char *background;		/* "dark", "light"; NULL: from the terminal or the user's
					 * file */
	void (*warn)(const char *what);	/* an error that can no longer be shown on the screen */
	bool no_color, no_mouse, ascii, no_session;
	const struct tui_live *live;	/* NULL: files */
};

/* 0, or -ENOTTY: this terminal cannot show a screen */
int tui_check(struct kt_err *err);
/* Show the model on the terminal until the user quits. */
int tui_run(struct kt_model *m, const struct tui_opts *opts, struct kt_err *err);

/*
 * Print the screen after all keys, when all work in the background is done: lines of text, or with
 * @color the escape sequences for a terminal with 256 colours.
 */
int tui_print(struct kt_model *m, const struct tui_opts *opts, int rows, int cols, bool color,
	      struct str *out, struct kt_err *err);

/* Each command of each view, for completion, pages and tests; false after the last */
bool tui_command(size_t i, const char **view, const char **name, const char **keys,
		 const char **args, const char **help);

#endif
