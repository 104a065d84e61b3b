/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* copy.h - one trace.dat from another: convert, restore, split */
#ifndef KTRAIL_COPY_H
#define KTRAIL_COPY_H

#include <ktrail/err.h>
#include <ktrail/file.h>
#include <ktrail/writer.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* One CPU of a buffer, behind kt_writer_begin_cpu(). @cpu_index: as in kt_file_chunk_get(). */
int kt_copy_cpu(struct kt_writer *w, struct kt_file *in, size_t buffer, size_t cpu_index,
		struct kt_copy *copy, struct kt_err *err);

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
