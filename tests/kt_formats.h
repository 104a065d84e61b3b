/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_formats.h - event formats of a kernel as test input, and generated records */
#ifndef KT_FORMATS_H
#define KT_FORMATS_H

#include <ktrail/event.h>

struct kt_formats {
	struct kt_event_source *sources;
	size_t nr;
	int long_size;			/* of the kernel; 0: 8 */
};

/* All formats below a directory like /sys/kernel/tracing/events; nr is 0 if there are none. */
struct kt_formats kt_formats_of_tree(const char *dir);
/* Those of a file made by tests/vm/make-formats. */
struct kt_formats kt_formats_of_file(const char *path);
void kt_formats_free(struct kt_formats *f);
/* As a kernel of 32 bits would have them: its longs and pointers are of four bytes. */
void kt_formats_narrow(struct kt_formats *f);

struct kt_events *kt_formats_events(const struct kt_formats *f, struct kt_symbols *syms,
				    bool big_endian);

/**
 * kt_formats_record - a record with boundary values in every field of @ev
 * @buf:  64 KiB
 * @seed: each gives another record, always the same one
 *
 * Dynamic fields lie inside of the record. Numbers that a print format could take
 * for a length stay small.
 */
struct kt_record kt_formats_record(const struct kt_event *ev, unsigned int seed, bool big_endian,
				   uint8_t *buf);

/* Kernel symbols whose addresses appear in those records, in kallsyms form. */
extern const char kt_formats_kallsyms[];

#endif
