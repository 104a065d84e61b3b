/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* write.h - shared by the parts of the writer */
#ifndef WRITE_WRITE_H
#define WRITE_WRITE_H

#include <ktrail/writer.h>

#include "base/str.h"
#include "codec/compress.h"
#include "codec/pack.h"
#include "file/file.h"
#include "file/summary.h"

#define FIRST_META KT_OPTION_HEADER_INFO
#define NR_METAS   (KT_OPTION_CMDLINES - KT_OPTION_HEADER_INFO + 1)

struct writer_cpu {
	uint32_t cpu;
	uint64_t offset, size;		/* of its data in the file, chunk count included */
	struct summary_list *summaries;	/* owned; NULL: none yet */
};

struct writer_buffer {
	char *name, *clock;
	uint32_t page_size, nr_cpus;
	uint64_t start;			/* offset of v7's data section header, of v6's CPU table */
	uint64_t option_at;		/* v6: where its BUFFER option stores the offset */
	bool     begun;
	size_t   nr;			/* CPUs that have data */
	struct writer_cpu *cpus;
};

/* How the content of a section is passed in and stored; version 6 does not compress */
enum writer_how { WRITER_PLAIN, WRITER_COMPRESS,
		  WRITER_STORED /* passed in compressed, after its two sizes */ };

/* The differences between the two versions of the format */
struct writer_format {
	int (*header)(struct kt_writer *w, struct kt_err *err);
	int (*meta)(struct kt_writer *w, uint16_t id, const void *data, size_t size,
		    enum writer_how how, struct kt_err *err);
	int (*retract)(struct kt_writer *w, uint16_t id, struct kt_err *err);
	int (*begin_buffer)(struct kt_writer *w, struct writer_buffer *b, struct kt_err *err);
	int (*end_buffer)(struct kt_writer *w, struct writer_buffer *b, struct kt_err *err);
	int (*text)(struct kt_writer *w, const char *name, const char *clock, const char *text,
		    size_t size, struct kt_err *err);
	int (*flush)(struct kt_writer *w, struct kt_err *err);
	/* Continue after the data of another file; NULL: not supported */
	int (*move)(struct kt_writer *w, int fd, uint64_t end, struct kt_err *err);
	int (*finish)(struct kt_writer *w, struct kt_err *err);
};

extern const struct writer_format writer_v6, writer_v7;

struct kt_writer {
	const struct writer_format *format;
	bool has_level;			/* the user asked for a compression level */
	struct kt_writer_opts opts;	/* its strings are no longer valid */
	char *path, *part;		/* @part: temporary name until finished, NULL: @path */
	bool  keep_part;		/* keep it even if it is not finished */
	char *method, *method_version;	/* as the header states it */
	struct compress *compress;	/* NULL: none */
	struct pack *pack;		/* threads that compress data; NULL: only the caller does */
	int      fd;
	bool     swap;			/* the file's byte order differs from the host's */
	uint64_t pos;			/* end of the written data */
	bool (*make_room)(void *data);	/* the disk is full: is there more room now? NULL: no */
	void *room_data;

	struct str options;		/* options that are not in the file yet */
	bool has_clock;			/* a TRACECLOCK option was given */
	uint32_t cpu_count;		/* of a CPUCOUNT option, 0: none */

	/* version 7 */
	uint64_t   sections_at;		/* where the first section begins */
	struct str head;		/* after move(): first bytes of the file, written last */
	uint64_t   next_at;		/* where to store the offset of the next options section */
	struct str strings;		/* descriptions of sections */
	struct {			/* metadata at the end of the file: can be retracted */
		uint16_t id;
		uint64_t pos;		/* where it starts */
		size_t   options;	/* length of kt_writer.options before it */
	} tail[NR_METAS];
	size_t nr_tail;

	/* version 6 */
	struct str metas[NR_METAS];
	bool       fixed_done;		/* everything before the data is written */

	struct writer_buffer *buffers;
	size_t nr_buffers;
	struct writer_buffer *buffer;	/* the current buffer, NULL: none */
	struct writer_cpu *cpu;		/* of @buffer, NULL: none */
	uint32_t nr_chunks;		/* of @cpu */
	struct str stage;		/* sub-buffers that do not fill a chunk yet */
	struct summarizer *summarizer;	/* NULL: not needed yet */
	struct kt_summary summary;	/* the last one it made */
	char  *frame;			/* room for a compressed chunk with its header */
	size_t frame_room;
};

/* bytes.c: all output to the file goes through these functions; errors name the file */
int writer_append(struct kt_writer *w, const void *data, size_t size, struct kt_err *err);
int writer_patch(struct kt_writer *w, uint64_t offset, const void *data, size_t size,
		 struct kt_err *err);
int writer_patch_u64(struct kt_writer *w, uint64_t offset, uint64_t v, struct kt_err *err);
int writer_align(struct kt_writer *w, uint64_t to, struct kt_err *err);
int writer_error(struct kt_writer *w, int code, struct kt_err *err);
/* If the disk is full, call @make_room(@data); if it returns true, try once more. */
void writer_on_full(struct kt_writer *w, bool (*make_room)(void *data), void *data);

/* Integers in the file's byte order */
void writer_put_u16(struct kt_writer *w, struct str *s, uint16_t v);
void writer_put_u32(struct kt_writer *w, struct str *s, uint32_t v);
void writer_put_u64(struct kt_writer *w, struct str *s, uint64_t v);
void writer_put_text(struct str *s, const char *text);		/* with its NUL */
void writer_put_option(struct kt_writer *w, uint16_t id, const void *data, size_t size);

/* data.c */
int  writer_copy_range(struct kt_writer *w, int fd, uint64_t offset, uint64_t size,
		       struct kt_err *err);
int  writer_end_buffer(struct kt_writer *w, struct kt_err *err);
int  writer_touch_buffers(struct kt_writer *w, struct kt_err *err);
int  writer_put_chunk(struct kt_writer *w, const void *data, size_t size, struct kt_err *err);
void writer_free_buffers(struct kt_writer *w);

/* index.c */
/* Index the chunk of @size stored bytes that ends at w->pos. @s NULL: its content is unknown */
void writer_note_chunk(struct kt_writer *w, size_t size, size_t raw_size,
		       const struct kt_summary *s);
/* Does header_page, in @info, match opts.layout? If not, write no index. */
void writer_check_layout(struct kt_writer *w, const char *info, size_t size);
void writer_put_index(struct kt_writer *w);	/* as an option, if it is useful */

/**
 * writer_place - describe a CPU's data that was already in the file of writer_move()
 * @offset:    of its number of chunks, which is filled in; not compressed: of the first sub-buffer
 * @size:      from there to the end of its last chunk
 */
int writer_place(struct kt_writer *w, int buffer, int cpu, uint64_t offset, uint64_t size,
		 uint32_t nr_chunks, struct kt_err *err);

/**
 * writer_splice - insert a CPU's data, in its final form, from another file
 * @fd:        regular file; its position is not used
 * @offset:    of the first chunk, or of the first sub-buffer if not compressed
 * @nr_chunks: chunks in it; ignored if not compressed
 *
 * The kernel copies the data, or shares its blocks if the file system can do that.
 */
int writer_splice(struct kt_writer *w, int fd, off_t offset, uint64_t size,
		  uint32_t nr_chunks, struct kt_err *err);

/**
 * writer_move - continue in a file that already holds data
 * @path: of that file, next to the output; kt_writer_finish() renames it
 * @end:  end of the data; the first KT_WRITER_HEAD bytes are reserved for the header
 *
 * Version 7. Everything written so far is copied to the end of the data. Nothing in the
 * file is changed before @end until kt_writer_finish(); if that is not called, the file
 * stays in place. Call this before the first begin_cpu, and after one flush.
 *
 *   -EINVAL  too late, or another version
 */
int writer_move(struct kt_writer *w, const char *path, uint64_t end, struct kt_err *err);
/*
 * Like kt_writer_meta(), from the stored form in another file of this version, compression and
 * byte order: see file_section_stored().
 */
int writer_meta_stored(struct kt_writer *w, uint16_t id, const void *data, size_t size,
		       struct kt_err *err);
/* Like kt_writer_meta(), but does not compress: for data that will probably be retracted. */
int writer_provisional(struct kt_writer *w, uint16_t id, const void *data, size_t size,
		       struct kt_err *err);

/**
 * writer_retract - remove the metadata written last
 *
 * For metadata that is provisional until the recording ends. Further calls remove the metadata
 * before it, with the options added in between. -EINVAL: @id is not the last one.
 */
int writer_retract(struct kt_writer *w, uint16_t id, struct kt_err *err);
/* Change the sub-buffer size of the top-level buffer, if it was unknown at first. */
int writer_set_page_size(struct kt_writer *w, uint32_t page_size, struct kt_err *err);
uint64_t writer_size(const struct kt_writer *w);		/* bytes written so far */
const char *writer_compression(const struct kt_writer *w);	/* "none", "zstd", "zlib" */
/* Version 7: write the pending options now, so that they survive a crash. */
int writer_flush(struct kt_writer *w, struct kt_err *err);
/* Write a buffer as latency text. Version 6: the top-level one, in the last call before finish. */
int writer_text(struct kt_writer *w, const char *name, const char *clock, const char *text,
		size_t size, struct kt_err *err);

/*
 * copy.c: kt_copy_meta() for a recording in @nr files, in order of time: the metadata of the last
 * one, with the symbols and names of tasks of all. Version 7
 */
int copy_meta_of_parts(struct kt_writer *w, struct kt_file *const *parts, size_t nr,
		       struct kt_err *err);

#endif
