/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* grammar.h - is a print format of the kind that kernels write? */
#ifndef FORMAT_GRAMMAR_H
#define FORMAT_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/file.h>

#include "base/str.h"

/**
 * grammar_check - may libtraceevent be given this print format?
 * @fields:    the lines before it: REC-> and the helpers may name no other field
 * @text:      what follows "print fmt: ", to the end of the format
 * @any_calls: functions of unknown name may be called: a plugin could have them
 *
 * The library's parser, 1.7.1 at least, uses freed memory and overflows its stack on
 * texts that no kernel has. So only C expressions over REC, constants, casts and the
 * kernel's own helpers pass, nested no deeper than a kernel nests them, manifold.
 * Returns NULL, or what is wrong in a few words.
 */
const char *grammar_check(struct kt_blob fields, struct kt_blob text, bool any_calls);

/**
 * sizeof_replace - append the print format with a number for each sizeof
 *
 * libtraceevent compares the type's name with freed memory. False: a type of unknown
 * size, or no memory.
 */
bool sizeof_replace(struct str *to, const char *text, size_t size, int long_size);

#endif
