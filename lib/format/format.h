/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* format.h - information from a format text that needs no full parser */
#ifndef FORMAT_FORMAT_H
#define FORMAT_FORMAT_H

#include <stdbool.h>

#include <ktrail/base.h>
#include <ktrail/file.h>

struct format_head {
	uint16_t    id;
	const char *name;		/* borrowed from the text, not NUL-terminated */
	size_t      name_len;
	size_t      after_id;		/* bytes up to the end of the line with the id */
};

/*
 * "name:" and "ID:" in the first lines, before the print format; false if one is missing or the id
 * is not a u16.
 */
bool format_head(struct kt_blob text, struct format_head *head);

struct format_place {
	uint32_t offset, size;
};

/* The place of the field @name; false if there is none. */
bool format_place(struct kt_blob text, const char *name, struct format_place *place);

/**
 * format_check - may libtraceevent parse the lines before the print format?
 * @print_fmt: set to the position after "print fmt: "
 *
 * The library trusts offsets and sizes and guesses at unexpected lines. So this refuses a text
 * with lines that no kernel writes, or with fields outside of any record:
 * -EINVAL, -E2BIG, with the reason in @err.
 */
int format_check(struct kt_blob text, size_t *print_fmt, struct kt_err *err);

#endif
