/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tep_safe.h - can libtraceevent print this safely, whatever the record contains? */
#ifndef FORMAT_TEP_SAFE_H
#define FORMAT_TEP_SAFE_H

#include "base/bytes.h"
#include "format/format.h"

#include <ktrail/stream.h>
#include <traceevent/event-parse.h>

#define TEP_LENGTHS 8

/* Fields that the print format uses as lengths. */
struct tep_lengths {
	size_t nr;
	struct format_place field[TEP_LENGTHS];
};

/**
 * tep_is_safe - check that no part of the print format can crash the library
 *
 * False if it divides, indexes, or takes a length from a computation. Plain
 * lengths are stored in @lengths: the caller must check them for each record.
 */
bool tep_is_safe(const struct tep_event *event, struct tep_lengths *lengths);
bool tep_lengths_ok(const struct tep_lengths *lengths, const struct kt_record *rec, bool swap);

#endif
