/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* escape.h - bytes of a stranger, made harmless for a terminal */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * kt_is_plain - may these bytes go to a terminal as they are?
 *
 * True for printable ASCII and for well-formed UTF-8 outside the C1 controls
 * and the bidirectional overrides; false for anything a terminal could obey.
 * Tab counts as plain, newline does not.
 */
bool kt_is_plain(const char *s, size_t len);

/**
 * kt_escape - copy @src, writing what is not plain as \xNN
 * @dst:  always NUL-terminated when @size > 0; cut at a whole escape
 *
 * Returns the length the whole text needs, without the NUL (as snprintf does).
 */
size_t kt_escape(char *dst, size_t size, const char *src, size_t len);

#endif
