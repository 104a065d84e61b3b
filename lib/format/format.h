/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* format.h - what a format text says, as far as it can be told without a parser */
#ifndef FORMAT_FORMAT_H
#define FORMAT_FORMAT_H

#include <stdbool.h>

#include <ktrail/err.h>
#include <ktrail/file.h>

struct format_head {
	uint16_t    id;
	const char *name;		/* borrowed from the text, not NUL-terminated */
	size_t      name_len;
	size_t      behind;		/* bytes up to the end of the line with the id */
};

/* "name:" and "ID:", from the first lines; false if they are not there or the id is not a u16. */
bool format_head(struct kt_blob text, struct format_head *head);

struct format_place {
	uint32_t offset, size;
};

/* Where the field @name lies; false if there is none. */
bool format_place(struct kt_blob text, const char *name, struct format_place *place);

/**
 * format_check - may the lines before the print format be given to libtraceevent?
 * @print_fmt: set to where the text behind "print fmt: " begins
 *
 * The library believes offsets and sizes, and guesses at lines that it does not
 * expect; a text with others than the kernel writes, or with fields outside of any
 * record, is refused: -EINVAL, -E2BIG, with the reason in @err.
 */
int format_check(struct kt_blob text, size_t *print_fmt, struct kt_err *err);

#endif
