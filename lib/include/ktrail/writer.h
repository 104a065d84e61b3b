/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* writer.h - create trace.dat files from data, and from other trace.dat files */
#ifndef KTRAIL_WRITER_H
#define KTRAIL_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <ktrail/base.h>
#include <ktrail/file.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== create a trace.dat, section by section ==== */

/*
 * The order of the calls is the order in the file:
 *
 *	create → meta and option, as often as needed
 *	       → add_buffer for every buffer that will follow
 *	       → begin_cpu, then data | chunk | splice, for each CPU, buffer by buffer
 *	       → finish → close
 *
 * Version 7 also accepts meta data and options after the data. Version 6 requires
 * everything before the first begin_cpu, and keeps it in memory until then.
 * One thread uses a handle at a time. Sources: see file.h.
 */
struct kt_writer;

/* Offsets in a sub-buffer; for a copied file, those of kt_file_info */
struct kt_page_layout {
	bool         swap;		/* the byte order differs from this machine's */
	unsigned int commit_offset, commit_size;
	unsigned int data_offset;	/* 0: not known */
};

/*
 * A compressed file of version 7 with enough chunks has an index: it lists the events and tasks in
 * each chunk, so that filters can skip chunks. See Documentation/trace-dat.md
 */
enum kt_writer_index {
	KT_INDEX_CHEAP = 0,		/* for chunks compressed here, and copied chunks with a
					 * known summary */
	KT_INDEX_ALL,			/* decompress copied chunks for it if needed */
	KT_INDEX_NONE,
};

struct kt_writer_opts {
	int         version;		/* 6 or 7; 0: 7 */
	const char *compression;	/* "any", "none", "zstd", "zlib", "zstd:9" with a level;
					   NULL: "any". Version 6 cannot compress: "none" */
	const char *compression_version; /* stored in the file; NULL: the library's */
	bool        big_endian;		/* byte order of the file, and of the data passed in */
	int         long_size;		/* 4 or 8; 0: that of this program */
	uint32_t    page_size;		/* sub-buffer size of the top-level buffer */
	bool        replace;		/* write to another name next to @path and rename it at the
					 * end: an existing file stays until then */
	mode_t      mode;		/* @replace: permissions of the file, restricted by the
					 * umask and by those of an existing file; 0: 0644 */
	bool        durable;		/* @replace: sync it to the disk before it gets its name */
	unsigned int threads;		/* compressing threads, besides the caller; 0: none */
	enum kt_writer_index  index;
	struct kt_page_layout layout;	/* zero: no index for chunks compressed here */
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

/* Without kt_writer_finish() the incomplete file stays (@replace: is removed). */
void kt_writer_close(struct kt_writer *w);

/* Can a file of @version (0: 7) be written in this way? 0 or -EINVAL; @compression NULL: "any" */
int kt_writer_check(int version, const char *compression, struct kt_err *err);
/*
 * Version of the library for this compression, "1.5.4"; NULL: unsupported by this build, or
 * "none"
 */
const char *kt_compression_version(const char *name);

/**
 * kt_writer_meta - store one of the texts of meta data
 * @id:   KT_OPTION_HEADER_INFO … KT_OPTION_CMDLINES, KT_OPTION_BTF_FILE or
 *        KT_OPTION_MODULES_FILE
 * @data: the content in the format of either file version, including counts
 *
 *   -ENOTSUP  version 6 cannot store it
 */
int kt_writer_meta(struct kt_writer *w, uint16_t id, const void *data, size_t size,
		   struct kt_err *err);

/* Any option except those that other calls write (BUFFER, meta data). */
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

/* The following data belongs to this CPU. Buffers in order of their index; CPUs in any order. */
int kt_writer_begin_cpu(struct kt_writer *w, int buffer, int cpu, struct kt_err *err);

/* Whole sub-buffers, which are compressed here. @size: a multiple of the page size */
int kt_writer_data(struct kt_writer *w, const void *pages, size_t size, struct kt_err *err);

/* A chunk that is already compressed, with the method of this file. */
int kt_writer_chunk(struct kt_writer *w, const struct kt_raw_chunk *chunk, struct kt_err *err);

#define KT_WRITER_HEAD 4096

/**
 * kt_writer_finish - complete the file
 *
 * The data is passed to the kernel; only with opts.durable is it synced to the disk.
 */
int kt_writer_finish(struct kt_writer *w, struct kt_err *err);

/* ==== copy a trace.dat into another: convert, restore, split ==== */

/*
 * A copy keeps the byte order of its input. Data with the same storage format
 * in both files is copied unchanged: chunks are decompressed only if the
 * compression changes. Unreadable data is omitted and counted.
 */
struct kt_copy {
	uint64_t nr_damaged;		/* result: omitted chunks */
	uint64_t nr_repacked;		/* result: chunks that had to be decompressed */
	uint64_t done, total;		/* bytes of stored data in the input; @total is set by
					 * kt_copy_file(), otherwise by the caller */
	void   (*progress)(struct kt_copy *copy, void *data);	/* called after each chunk, or
								 * NULL */
	void    *progress_data;
	bool     stop;			/* set by @progress: stop the copy, -EINTR */
};

/* Writer options for a file like @in, with at most its permissions; @opts is zeroed except for
 * version and compression. */
void kt_copy_opts(const struct kt_file *in, struct kt_writer_opts *opts);

/* Everything except the data: meta data, then options. Parts that v6 cannot store are omitted. */
int kt_copy_meta(struct kt_writer *w, struct kt_file *in, struct kt_err *err);

/* Copy the text of a latency tracer as that of buffer @name; damage is counted in @copy. */
int kt_copy_text(struct kt_writer *w, struct kt_file *in, size_t buffer, const char *name,
		 struct kt_copy *copy, struct kt_err *err);

/* kt_writer_add_buffer() with the values of @in; does nothing for a latency text. */
int kt_copy_add_buffer(struct kt_writer *w, struct kt_file *in, size_t buffer, struct kt_err *err);

/**
 * kt_copy_range - copy a part of a CPU's data
 * @from: events at or after this place (kt_record.pos)
 * @to:   and before this place
 *
 * Only chunks at the borders are decompressed.
 */
int kt_copy_range(struct kt_writer *w, struct kt_file *in, size_t buffer, size_t cpu_index,
		  uint64_t from, uint64_t to, struct kt_copy *copy, struct kt_err *err);

/**
 * kt_copy_file - copy a whole file
 * @opts: from kt_copy_opts(); NULL: like @in
 * @path: replaced when the copy is complete; may be the input file
 */
int kt_copy_file(struct kt_file *in, const char *path, const struct kt_writer_opts *opts,
		 struct kt_copy *copy, struct kt_err *err);

/* Remove the parts of an unfinished recording after they were copied into a file. */
void kt_copy_remove_parts(const char *path);

#ifdef __cplusplus
}
#endif
#endif
