/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* shell.c - format a write to tracefs as an equivalent shell line */
#include "tracefs/shell.h"

#include <string.h>

/* Single-quoted unless it is a plain word, so that the shell interprets nothing. */
void ctl_shell_word(struct str *s, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./:,+@%=";
	const char *p;

	if (*word && strspn(word, plain) == strlen(word)) {
		str_add(s, word);
		return;
	}
	str_addc(s, '\'');
	for (p = word; *p; p++)
		if (*p == '\'')
			str_add(s, "'\\''");
		else
			str_addc(s, *p);
	str_addc(s, '\'');
}

/* The echo of some shells interprets backslashes, and words that look like options. */
static bool is_for_echo(const char *value)
{
	return !strchr(value, '\\') && (*value != '-' || value[1 + strspn(value + 1, "neE")]);
}

void ctl_shell_write(struct str *s, const char *path, const char *value, bool append)
{
	if (*value || append) {
		str_add(s, is_for_echo(value) ? "echo " : "printf '%s\\n' ");
		ctl_shell_word(s, value);
		str_addc(s, ' ');
	}
	str_add(s, append ? ">> " : "> ");
	ctl_shell_word(s, path);
	str_addc(s, '\n');
}

void ctl_shell_bytes(struct str *s, const char *path, const void *bytes, size_t len)
{
	const unsigned char *p = bytes, *end = p + len;

	str_add(s, "printf '");
	for (; p < end; p++)
		if (*p >= ' ' && *p < 0x7f && !strchr("%\\'", *p))
			str_addc(s, *p);
		else
			str_addf(s, "\\%03o", *p);
	str_add(s, "' > ");
	ctl_shell_word(s, path);
	str_addc(s, '\n');
}
