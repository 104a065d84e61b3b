/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keys.c - keys as numbers and as names */
#include "keys.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	int key;
} names[] = {
	{ "Esc", TK_ESC }, { "Enter", TK_ENTER }, { "Tab", TK_TAB }, { "Space", ' ' },
	{ "Backspace", TK_BACKSPACE }, { "Up", TK_UP }, { "Down", TK_DOWN }, { "Left", TK_LEFT },
	{ "Right", TK_RIGHT }, { "PgUp", TK_PAGE_UP }, { "PgDn", TK_PAGE_DOWN },
	{ "Home", TK_HOME }, { "End", TK_END }, { "Del", TK_DELETE }, { "S-Tab", TK_BACK_TAB },
	{ "S-Left", TK_SHIFT_LEFT }, { "S-Right", TK_SHIFT_RIGHT }, { "S-Up", TK_SHIFT_UP },
	{ "S-Down", TK_SHIFT_DOWN }, { "F1", TK_F1 }, { "Resize", TK_RESIZE },
	{ "Click", TK_CLICK }, { "DoubleClick", TK_DOUBLE_CLICK }, { "WheelUp", TK_WHEEL_UP },
	{ "WheelDown", TK_WHEEL_DOWN }, { "Drag", TK_DRAG }, { "Release", TK_RELEASE },
};

const char *key_text(int key, char buf[16])
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].key == key)
			return names[i].name;
	if (key >= 0 && key < ' ')
		snprintf(buf, 16, "Ctrl-%c", key + 'A' - 1);
	else if (key > ' ' && key < 0x7f)
		snprintf(buf, 16, "%c", key);
	else
		snprintf(buf, 16, "U+%04X", (unsigned int)key);
	return buf;
}

int key_parse(const char *name, size_t len)
{
	size_t i;

	if (len == 1)
		return (unsigned char)*name;
	if (len == 6 && strncmp(name, "Ctrl-", 5) == 0)
		return TK_CTRL(name[5]);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i].name) == len && strncmp(names[i].name, name, len) == 0)
			return names[i].key;
	return TK_NONE;
}

int key_is_in(int key, const char *words)
{
	while (words && *words) {
		size_t len = strcspn(words, " ");

		if (len && key_parse(words, len) == key)
			return 1;
		words += len + strspn(words + len, " ");
	}
	return 0;
}
