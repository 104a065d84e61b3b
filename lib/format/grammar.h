/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* grammar.h - check that a print format has a form that kernels write */
#ifndef FORMAT_GRAMMAR_H
#define FORMAT_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/file.h>

#include "base/str.h"

/**
 * grammar_check - may libtraceevent parse this print format?
 * @fields:    the lines before it: REC-> and the helpers may name only these fields
 * @text:      the text after "print fmt: ", to the end of the format
 * @any_calls: allow calls of unknown functions: a plugin could define them
 *
 * The library's parser, at least in 1.7.1, uses freed memory and overflows its stack on
 * texts that no kernel writes. So only C expressions over REC, constants, casts and the
 * kernel's own helpers pass, nested no deeper than several times a kernel's depth.
 * Returns NULL, or a short description of the error.
 */
const char *grammar_check(struct kt_blob fields, struct kt_blob text, bool any_calls);

/**
 * sizeof_replace - append the print format with a number in place of each sizeof
 *
 * libtraceevent compares the type's name with freed memory. False: a type of unknown
 * size, or no memory.
 */
bool sizeof_replace(struct str *to, const char *text, size_t size, int long_size);

#endif
