/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* trim.h - remove events from a sub-buffer */
#ifndef WRITE_TRIM_H
#define WRITE_TRIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/file.h>

/**
 * trim_page - keep only some events of a sub-buffer
 * @page: changed in place; @size bytes
 * @from: events whose header is before that offset are removed
 * @to:   events whose header is at or after that offset are removed
 *
 * Times do not change. Returns whether any event remains. Sub-buffers in
 * the encoding of kernels before 2.6.31 are kept whole.
 */
bool trim_page(uint8_t *page, size_t size, const struct kt_file_info *info, uint64_t from,
	       uint64_t to);

#endif
