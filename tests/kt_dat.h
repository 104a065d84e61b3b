/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_dat.h - generate trace.dat files for tests, in every variant of the format */
#ifndef KT_DAT_H
#define KT_DAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/file.h>

/*
 * Made by hand here and not by the library's own writer, so that one mistake
 * cannot hide in both. Running out of memory fails the test.
 *
 *	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });
 *
 *	kt_dat_event(d, "test", "name: hello\nID: 100\nformat:\n…");
 *	kt_dat_buffer(d, "", "local", 4096);
 *	kt_dat_cpu(d, 0);
 *	kt_dat_begin(d, 100, 1);		// event id, pid
 *	kt_dat_int(d, 4, 17);			// a field of 4 bytes
 *	kt_dat_end(d, 1000);			// time stamp
 *	path = kt_dat_write(d, "hello.dat");
 *	kt_dat_destroy(d);
 */
struct kt_dat;

struct kt_dat_opts {
	int         version;		/* 6, 7; 0: 7 */
	bool        big_endian;
	int         long_size;		/* 4, 8; 0: 8. Also of the kernel */
	uint32_t    page_size;		/* of the top-level buffer; 0: 4096 */
	const char *compression;	/* "none", "zstd", "zlib"; NULL: "none" */
	uint32_t    chunk_pages;	/* sub-buffers a chunk; 0: 10 */
	bool        old_events;		/* empty header_page, as before Linux 2.6.31 */
	bool        short_sizes;	/* sizes of CPUs 4 too small, as before trace-cmd 3.2 */
	bool        no_buffer_options;	/* v7: leave them out, as when the end is lost */
	int         nr_cpus;		/* v6: entries of the table; 0: as many as needed */
};

struct kt_dat *kt_dat_create(const struct kt_dat_opts *opts);
void kt_dat_destroy(struct kt_dat *d);

/* After "name: x\nID: 7\n" in a format: the fields that all events have */
#define KT_COMMON									\
	"format:\n"									\
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"		\
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"		\
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"	\
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

/* Texts and formats; those never given are missing in v7 and empty in v6. */
void kt_dat_meta(struct kt_dat *d, enum kt_meta which, const char *text);
void kt_dat_btf(struct kt_dat *d, const void *bytes, size_t size);	/* borrowed */
void kt_dat_event(struct kt_dat *d, const char *system, const char *format);	/* borrowed */
/*
 * An event whose fields are numbers of 8 bytes, one after the other: "prev_pid prev_state".
 * "rwbs:text" is a text of 8 bytes. All are borrowed.
 */
void kt_dat_numbers(struct kt_dat *d, const char *system, const char *name, int id,
		    const char *fields);
void kt_dat_option(struct kt_dat *d, uint16_t id, const void *data, size_t size);
/* Add an option of @nr numbers of @size bytes each, in the byte order of the file. */
void kt_dat_option_ints(struct kt_dat *d, uint16_t id, unsigned int size, const uint64_t *values,
			size_t nr);

/* Buffers, then CPUs in it, then their records, all in order */
void kt_dat_buffer(struct kt_dat *d, const char *name, const char *clock, uint32_t page_size);
void kt_dat_text(struct kt_dat *d, const char *name, const char *text);	/* latency text */
void kt_dat_cpu(struct kt_dat *d, int cpu);

/* One record: common fields, its own fields, then its timestamp */
void kt_dat_begin(struct kt_dat *d, uint16_t id, int32_t pid);
void kt_dat_flags(struct kt_dat *d, uint8_t flags, uint8_t preempt_count);	/* else 0 */
void kt_dat_int(struct kt_dat *d, unsigned int size, uint64_t value);
void kt_dat_bytes(struct kt_dat *d, const void *bytes, size_t size);
void kt_dat_end(struct kt_dat *d, uint64_t ts);
/* A record with four numbers of 8 bytes: @a, @b, @c and 120, the priority of ordinary tasks */
void kt_dat_put(struct kt_dat *d, uint64_t ts, int id, int pid, uint64_t a, uint64_t b, uint64_t c);

/* Special things in the ring buffer */
void kt_dat_new_page(struct kt_dat *d, uint64_t ts);	/* begin a sub-buffer now */
void kt_dat_lost(struct kt_dat *d, int64_t nr);		/* before the next page; -1: unknown */
void kt_dat_discarded(struct kt_dat *d, uint64_t ts, uint32_t words);
void kt_dat_stamp(struct kt_dat *d, uint64_t ts);	/* absolute */
void kt_dat_sign_extend(struct kt_dat *d);		/* commit words of pages from now on */

/* The file as bytes, new (free) */
void *kt_dat_image(struct kt_dat *d, size_t *size);
/* Write the file as @name into the test's directory; returns its path, as kt_tmp() does */
const char *kt_dat_write(struct kt_dat *d, const char *name);

#endif
