/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_make.h - small trace files of made-up events, in either byte order */
#ifndef KT_MAKE_H
#define KT_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A recording of one CPU under construction; zero it, and set @big_endian first */
struct kt_make {
	bool        big_endian;
	const char *formats[16];	/* texts of format files … */
	const char *systems[16];	/* … and the system of each */
	size_t      nr_formats;
	const char *kallsyms;		/* NULL: none */
	const char *printk;		/* "0xaddr : \"text\"\n" each; NULL: none */
	const char *cmdlines;		/* "pid comm\n" each; NULL: none */
	uint8_t     page[4096];
	size_t      used;		/* bytes of records in @page */
};

/* Start a record of event @id by task @pid; the next calls append to it, each at its end. */
void kt_make_begin(struct kt_make *m, uint16_t id, int32_t pid);
void kt_make_num(struct kt_make *m, size_t size, uint64_t value);
void kt_make_bytes(struct kt_make *m, const void *bytes, size_t size);
void kt_make_end(struct kt_make *m);

/* Write it all as a version 6 file; fails the test when that does not work. */
void kt_make_file(struct kt_make *m, const char *path);

#endif
