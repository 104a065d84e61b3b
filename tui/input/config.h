/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config.h - the user's keys and colours, from a file */
#ifndef TUI_CONFIG_H
#define TUI_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/base.h>

#include "tui/event_columns.h"

struct config_key {
	int   key;
	char *line;			/* as after ':', owned; "": the key does nothing */
};

struct config {
	struct config_key *keys;
	size_t nr_keys;
	bool mouse_off, ascii, no_color;
	struct event_columns columns;		/* of the events; .nr 0: the default */
	int  colors;			/* as configured; 0: as many as the terminal has */
	struct kt_err wrong;		/* the first invalid line; the others are used */
	size_t nr_wrong;
};

/*
 * "map KEY COMMAND", "unmap KEY", "color STYLE LOOK", "background dark|light|auto",
 * "colors none|8|16|256|truecolor", "mouse on|off", "ascii on|off", "columns NAME[:WIDTH]…";
 * '#' begins a comment.
 * @path: NULL: $XDG_CONFIG_HOME/ktrail/view.conf. The file need not exist.
 */
void config_read(struct config *c, const char *path);
void config_fini(struct config *c);
/* The command of a key; NULL: as in the tables */
const char *config_key(const struct config *c, int key);

#endif
