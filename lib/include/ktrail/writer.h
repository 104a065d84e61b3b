/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* writer.h - trace.dat files made: from data, and from other trace.dat files */
#ifndef KTRAIL_WRITER_H
#define KTRAIL_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <ktrail/err.h>
#include <ktrail/file.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== put a trace.dat together, section by section ==== */

/*
 * The order of the calls is the order in the file:
 *
 *	create → meta and option, as often as needed
 *	       → add_buffer for every buffer that will follow
 *	       → begin_cpu, then data | chunk | splice, for each CPU, buffer by buffer
 *	       → finish → close
 *
 * Version 7 also takes meta data and options behind the data. Version 6 wants
 * everything before the first begin_cpu, and keeps it in memory until then.
 * A handle is used by one thread at a time. Sources: see file.h.
 */
struct kt_writer;

/* Where the events of a sub-buffer are: in kt_file_info of a file that is copied */
struct kt_page_layout {
	bool         swap;		/* in the other byte order than this machine's */
	unsigned int commit_offset, commit_size;
	unsigned int data_offset;	/* 0: not known */
};

/*
 * Version 7, compressed, with chunks enough: an index says which events and tasks
 * each chunk holds, so that filters can pass it by. Documentation/trace-dat.md
 */
enum kt_writer_index {
	KT_INDEX_CHEAP = 0,		/* of what is compressed here,
					 * and what is known of copied chunks */
	KT_INDEX_ALL,			/* copied chunks are decompressed for it if need be */
	KT_INDEX_NONE,
};

struct kt_writer_opts {
	int         version;		/* 6 or 7; 0: 7 */
	const char *compression;	/* "any", "none", "zstd", "zlib", "zstd:9" with a level;
					   NULL: "any". Version 6 cannot compress: "none" */
	const char *compression_version; /* what the file shall say; NULL: the library's */
	bool        big_endian;		/* byte order of the file, and of what is handed in */
	int         long_size;		/* 4 or 8; 0: this program's */
	uint32_t    page_size;		/* sub-buffer size of the top-level buffer */
	bool        replace;		/* write under another name next to @path and rename at
					   the end: a former file stays until then */
	mode_t      mode;		/* @replace: permissions of the file, less the umask, and
					   less what a former file lacks; 0: 0644 */
	unsigned int threads;		/* that compress data beside the caller; 0: none */
	enum kt_writer_index  index;
	struct kt_page_layout layout;	/* zero: there will be no index of what is
					 * compressed here */
};

/* Fill @opts with this machine's byte order, long size and @page_size. */
void kt_writer_opts_host(struct kt_writer_opts *opts, uint32_t page_size);

/**
 * kt_writer_create - begin a trace.dat
 * @opts: copied
 *
 * Returns new (kt_writer_close), or NULL with
 *   -EINVAL   no such version or compression, or a level out of range
 *   …         from the system
 */
struct kt_writer *kt_writer_create(const char *path, const struct kt_writer_opts *opts,
				   struct kt_err *err);

/* Without a kt_writer_finish() before, the file is left as far as it got (@replace: removed). */
void kt_writer_close(struct kt_writer *w);

/* Could a file of @version (0: 7) be written so? 0 or -EINVAL; @compression NULL: "any" */
int kt_writer_check(int version, const char *compression, struct kt_err *err);
/* Of the library that makes this compression, "1.5.4"; NULL: this build has no such, or "none" */
const char *kt_compression_version(const char *name);

/**
 * kt_writer_meta - store one of the texts that explain the data
 * @id:   KT_OPTION_HEADER_INFO … KT_OPTION_CMDLINES, KT_OPTION_BTF_FILE or
 *        KT_OPTION_MODULES_FILE
 * @data: the content as it stands in a file of either version, counts included
 *
 *   -ENOTSUP  version 6 has no place for it
 */
int kt_writer_meta(struct kt_writer *w, uint16_t id, const void *data, size_t size,
		   struct kt_err *err);

/* Any option but those that the calls here write themselves (BUFFER, meta data). */
int kt_writer_option(struct kt_writer *w, uint16_t id, const void *data, size_t size,
		     struct kt_err *err);

struct kt_writer_buffer {
	const char *name;		/* "" is the top-level buffer; copied */
	const char *clock;		/* "" is "local"; copied */
	uint32_t    page_size;		/* bytes of a sub-buffer */
	uint32_t    nr_cpus;		/* version 6: entries of its table; highest CPU + 1 */
};

/* Returns the index of the buffer. */
int kt_writer_add_buffer(struct kt_writer *w, const struct kt_writer_buffer *buf,
			 struct kt_err *err);

/* The following data is of this CPU. Buffers in the order of their index; CPUs in any. */
int kt_writer_begin_cpu(struct kt_writer *w, int buffer, int cpu, struct kt_err *err);

/* Whole sub-buffers, to be compressed here. @size: a multiple of the page size */
int kt_writer_data(struct kt_writer *w, const void *pages, size_t size, struct kt_err *err);

/* One chunk that is compressed already, by the method of this file. */
int kt_writer_chunk(struct kt_writer *w, const struct kt_raw_chunk *chunk, struct kt_err *err);

#define KT_WRITER_HEAD 4096

/**
 * kt_writer_finish - write what comes last and make the file whole
 *
 * The data is handed to the kernel, not forced to the disk.
 */
int kt_writer_finish(struct kt_writer *w, struct kt_err *err);

/* ==== one trace.dat from another: convert, restore, split ==== */

/*
 * A copy keeps the byte order of what it is made from. What is stored the same
 * way in both files is copied as it is: chunks are decompressed only where the
 * compression changes. What cannot be read is left out and counted.
 */
struct kt_copy {
	uint64_t nr_damaged;		/* result: chunks left out */
	uint64_t nr_repacked;		/* result: chunks that had to be decompressed */
	uint64_t done, total;		/* bytes of data as stored in the input; @total by
					   kt_copy_file(), else the caller's */
	void   (*progress)(struct kt_copy *copy, void *data);	/* after each chunk;
								 * NULL: nobody asks */
	void    *progress_data;
	bool     stop;			/* set by @progress: no more of it, -EINTR */
};

/* Writer options for a file like @in, which no more people may read; @opts is zeroed but for
 * version and compression. */
void kt_copy_opts(const struct kt_file *in, struct kt_writer_opts *opts);

/* Everything but the data: meta data, then options. -ENOTSUP parts (v6) are left out. */
int kt_copy_meta(struct kt_writer *w, struct kt_file *in, struct kt_err *err);

/* The text of a latency tracer, as that of the buffer @name; damage is counted in @copy. */
int kt_copy_text(struct kt_writer *w, struct kt_file *in, size_t buffer, const char *name,
		 struct kt_copy *copy, struct kt_err *err);

/* kt_writer_add_buffer() with what @in says of it; does nothing for a latency text. */
int kt_copy_add_buffer(struct kt_writer *w, struct kt_file *in, size_t buffer, struct kt_err *err);

/**
 * kt_copy_range - a part of a CPU's data
 * @from: events at this place (kt_record.pos) and behind
 * @to:   … and before that one
 *
 * Only what is cut through is decompressed.
 */
int kt_copy_range(struct kt_writer *w, struct kt_file *in, size_t buffer, size_t cpu_index,
		  uint64_t from, uint64_t to, struct kt_copy *copy, struct kt_err *err);

/**
 * kt_copy_file - a whole file
 * @opts: from kt_copy_opts(); NULL: like @in
 * @path: replaced when the copy is complete; may be the file that is read
 */
int kt_copy_file(struct kt_file *in, const char *path, const struct kt_writer_opts *opts,
		 struct kt_copy *copy, struct kt_err *err);

/* Remove the parts of an unfinished recording, once they are in a file. */
void kt_copy_remove_parts(const char *path);

#ifdef __cplusplus
}
#endif
#endif
