/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* units.h - sizes and times as people write them */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include <ktrail/base.h>

/* "4096", "64k", "16M", "2G", "1.5G"; powers of 1024. @unit: factor of a number without a unit */
int units_parse_size(const char *text, uint64_t unit, uint64_t *bytes, struct kt_err *err);
/* "250ms", "10s", "3us", "1m30s", "2h"; @unit_ns: factor of a number without a unit */
int units_parse_time(const char *text, uint64_t unit_ns, uint64_t *ns, struct kt_err *err);
/* The whole text is one number: decimal, 0x or 0 octal. -EINVAL, -ERANGE */
int units_parse_u64(const char *text, uint64_t *value, struct kt_err *err);
int units_parse_i64(const char *text, int64_t *value, struct kt_err *err);

/* "1.2 MiB", "734 KiB"; "12.5 ms". @buf at least 32 bytes; returns @buf. */
char *units_format_size(uint64_t bytes, char *buf);
char *units_format_time(uint64_t ns, char *buf);
/* A timestamp in seconds: "12.345679", rounded to microseconds as `report` shows it */
char *units_format_moment(uint64_t ns, char *buf);

#endif
