/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* escape.h - make untrusted bytes safe for a terminal */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * kt_is_plain - can these bytes be sent to a terminal unchanged?
 *
 * True for printable ASCII and for well-formed UTF-8 outside the C1 controls and the
 * bidirectional overrides; false for everything that could control a terminal.
 * Tab is plain, newline is not.
 */
bool kt_is_plain(const char *s, size_t len);

/* Length of the plain character of several bytes at @s; 0: there is none */
size_t escape_char_len(const char *s, size_t len);

/**
 * kt_escape - copy @src and write each byte that is not plain as \xNN
 * @dst:  always NUL-terminated when @size > 0; never cut within an escape
 *
 * Returns the length of the whole text, without the NUL (like snprintf).
 */
size_t kt_escape(char *dst, size_t size, const char *src, size_t len);

#endif
