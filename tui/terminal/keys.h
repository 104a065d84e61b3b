/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keys.h - keys as numbers and as names */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include <stddef.h>

/* A character is its code point; others follow after the last one */
enum key {
	TK_NONE = -1,			/* nothing was typed in time */
	TK_ESC = 27, TK_ENTER = 10, TK_TAB = 9, TK_BACKSPACE = 127,
	TK_UP = 0x110000, TK_DOWN, TK_LEFT, TK_RIGHT, TK_PAGE_UP, TK_PAGE_DOWN, TK_HOME, TK_END,
	TK_DELETE, TK_BACK_TAB, TK_SHIFT_LEFT, TK_SHIFT_RIGHT, TK_SHIFT_UP, TK_SHIFT_DOWN,
	TK_F1,
	TK_RESIZE, TK_CLICK, TK_DOUBLE_CLICK, TK_WHEEL_UP, TK_WHEEL_DOWN, TK_DRAG, TK_RELEASE,
};

#define TK_CTRL(c) ((c) & 0x1f)

/* "j", "Down", "Ctrl-O", "Space", "Enter"; in @buf or static */
const char *key_text(int key, char buf[16]);
/* The key of such a name of @len bytes, TK_NONE: there is none */
int key_parse(const char *name, size_t len);
/* Is @key one of those named in @words, separated by blanks? */
int key_is_in(int key, const char *words);

#endif
