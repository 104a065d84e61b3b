/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prompt.h - a line of input, with history and completion */
#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

#include <stdbool.h>

#include <ktrail/base.h>

#include "base/str.h"
#include "tui/terminal/surface.h"

struct app;

typedef int (*prompt_done)(struct app *app, const char *text, struct kt_err *err);

#define PROMPT_HISTORY 200

struct prompt {
	bool   open;
	char   label[32];
	struct str text;
	size_t at;			/* place of the next character, in bytes */
	prompt_done done;
	const char *args;		/* kind of the argument, as in a view_command; NULL: not
					 * known */
	struct str choices;		/* the possible completions after Tab */
	struct {
		char *text;		/* owned */
		char label[32];		/* the kind of prompt */
	} history[PROMPT_HISTORY];
	size_t nr_history, recalled;	/* recalled: steps back; 0: the typed text */
};

/* The history of this and former runs, in $XDG_STATE_HOME/ktrail/view-history */
void prompt_load_history(struct prompt *p);
void prompt_save_history(const struct prompt *p);

enum prompt_reply { PROMPT_GOES_ON, PROMPT_DONE, PROMPT_LEFT };

void prompt_open(struct prompt *p, const char *label, const char *text, prompt_done done);
void prompt_fini(struct prompt *p);
/* @words: candidates of Tab for the text from byte @from on */
enum prompt_reply prompt_key(struct prompt *p, int key, const struct kt_names *words,
			     size_t from);
void prompt_draw(const struct prompt *p, struct area a, int row);

#endif
