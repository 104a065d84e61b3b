/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* file.h - a trace.dat as sections, options, buffers and chunks of sub-buffers */
#ifndef KTRAIL_FILE_H
#define KTRAIL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/err.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Sources: trace-cmd's man pages trace-cmd.dat.v6(5) and trace-cmd.dat.v7(5), and
 * Documentation/trace-dat.md, which says where practice differs from them.
 */

struct kt_file;

/* Option ids of a trace.dat */
enum kt_option_id {
	KT_OPTION_DONE = 0, KT_OPTION_DATE, KT_OPTION_CPUSTAT, KT_OPTION_BUFFER,
	KT_OPTION_TRACECLOCK, KT_OPTION_UNAME, KT_OPTION_HOOK, KT_OPTION_OFFSET,
	KT_OPTION_CPUCOUNT, KT_OPTION_VERSION, KT_OPTION_PROCMAPS, KT_OPTION_TRACEID,
	KT_OPTION_TIME_SHIFT, KT_OPTION_GUEST, KT_OPTION_TSC2NSEC, KT_OPTION_STRINGS,
	KT_OPTION_HEADER_INFO, KT_OPTION_FTRACE_EVENTS, KT_OPTION_EVENT_FORMATS,
	KT_OPTION_KALLSYMS, KT_OPTION_PRINTK, KT_OPTION_CMDLINES, KT_OPTION_BUFFER_TEXT,
	KT_OPTION_BTF_FILE, KT_OPTION_LAST_BOOT_INFO, KT_OPTION_MODULES_FILE,
	KT_OPTION_INDEX = 0x6b74,	/* ktrail's own: which events each chunk holds */
};

/* Data sections have an id of their own */
#define KT_SECTION_DATA 3

/* Bytes of the file; not NUL-terminated unless said so */
struct kt_blob {
	const char *data;
	size_t      size;
};

struct kt_option {
	uint16_t       id;		/* enum kt_option_id, or one we do not know */
	struct kt_blob raw;		/* borrowed until the file closes */
};

/* The meta data that every reader needs, whatever the version of the file */
enum kt_meta {
	KT_META_HEADER_PAGE, KT_META_HEADER_EVENT, KT_META_KALLSYMS, KT_META_PRINTK,
	KT_META_CMDLINES, KT_META_BTF, KT_META_MODULES,
	KT_NR_METAS
};

struct kt_event_source {
	const char    *system;		/* NUL-terminated; "ftrace" for the ftrace formats */
	struct kt_blob format;		/* text of events/SYSTEM/EVENT/format */
};

struct kt_cpu_data {
	int      cpu;
	uint64_t offset;		/* in the file, of the first byte (v7: of
					 * the chunk count) */
	uint64_t size;			/* as stored: may lie, do not rely on it */
};

struct kt_buffer {
	const char *name;		/* "" is the top-level buffer */
	const char *clock;		/* e.g. "local"; "" when the file does not tell: local */
	uint32_t    page_size;		/* bytes of a sub-buffer */
	bool        is_text;		/* latency text instead of ring-buffer data */
	size_t      nr_cpus;		/* entries of @cpus; CPUs without data may be left out */
	const struct kt_cpu_data *cpus;
};

struct kt_section {
	uint16_t    id;
	bool        compressed;
	uint64_t    offset;		/* of the section header (v6: of the data) */
	uint64_t    size;		/* as stored */
	const char *description;	/* "" if none */
};

struct kt_file_info {
	const char *path;
	int         version;		/* 6 or 7 */
	bool        big_endian;
	int         long_size;		/* of the recording user space: 4 or 8 */
	uint32_t    page_size;		/* of the top-level buffer */
	const char *compression;	/* "none", "zstd", "zlib" */
	const char *compression_version;
	int         nr_cpus;		/* highest CPU count of all buffers: report's "cpus=" */
	uint64_t    size;		/* of the file, bytes */
	uint64_t    trace_id;		/* 0 if the file has none */
	/* from header_page of the recording kernel */
	int         commit_size;	/* 4 or 8: size of the kernel's long */
	int         commit_offset;
	int         data_offset;	/* first event in a sub-buffer */
	bool        old_events;		/* of kernels before 2.6.31: records cannot be read */
};

/**
 * kt_file_open - open a trace.dat for reading
 *
 * Maps the file and reads its directory; event data is touched later, on demand.
 * A file that is cut off or damaged opens as long as its first bytes are those
 * of a trace.dat: what is intact can be read, kt_file_damage() tells the rest.
 * That holds as well when another process cuts the file later, but for what is mapped
 * (data and texts that are not compressed): touching these is SIGBUS then, which
 * kt_file_catch_cuts() has an answer for.
 *
 * Returns a new handle (kt_file_close), or NULL with
 *   -ENOENT, -EACCES … from the system
 *   -EINVAL   not a trace.dat
 *   -ENOTSUP  a version or compression that this build cannot read
 *
 * A handle may be used by several threads at a time after opening.
 */
struct kt_file *kt_file_open(const char *path, struct kt_err *err);

/* Accepts NULL. All chunks must have been put back. */
void kt_file_close(struct kt_file *file);

/**
 * kt_file_catch_cuts - survive that another process cuts a file that is open
 * @told: called by the signal handler, so with nothing but what is safe there; it may end
 *        the process. NULL: nothing is called
 *
 * Installs a handler for SIGBUS, for the whole process and for good. From then on
 * the pages of a trace file that are gone read as zeros, which hold no records; the next
 * chunk that is asked for notes it in kt_file_damage(). Faults at other addresses
 * go to the handler that was there before. Threads that read must not block SIGBUS.
 * May be called again, to change @told or to get back before another handler. 0, or -EINVAL …
 * from the system.
 */
int kt_file_catch_cuts(void (*told)(const char *path));

#define KT_FILE_CACHE (6u << 20)	/* bytes */
/*
 * How many bytes of chunks to keep decompressed although nobody refers to them any
 * more: KT_FILE_CACHE at first. Returns what it was before. Thread-safe.
 */
size_t kt_file_set_cache(struct kt_file *file, size_t bytes);

const struct kt_file_info *kt_file_info(const struct kt_file *file);

/**
 * kt_file_damage - what is missing or broken, one line each, in the order found
 * @i: 0, 1, 2 … until NULL comes back
 *
 * Borrowed until the file closes. Lines name the place (offset) and the cause.
 * Reading on may find more: ask again at the end. At most 32 are kept, and then
 * one that says "and N more".
 */
const char *kt_file_damage(const struct kt_file *file, size_t i);
size_t kt_file_nr_damages(const struct kt_file *file);

/* Options in file order, those of all options sections; BUFFER options too. */
size_t kt_file_nr_options(const struct kt_file *file);
const struct kt_option *kt_file_option(const struct kt_file *file, size_t i);
/* First option of that id, NULL if none. */
const struct kt_option *kt_file_find_option(const struct kt_file *file, uint16_t id);

/* Sections in file order (v6: its fixed parts under the ids of their v7 sisters). */
size_t kt_file_nr_sections(const struct kt_file *file);
const struct kt_section *kt_file_section(const struct kt_file *file, size_t i);
/*
 * Content of an ordinary section, decompressed; borrowed until the file closes. Thread-safe.
 * 0, -ENOENT (no such section), -EBADMSG (it cannot be read), -ENOMEM.
 */
int kt_file_section_data(struct kt_file *file, size_t i, struct kt_blob *out, struct kt_err *err);

/**
 * kt_file_meta - one of the texts the recorder stored
 *
 * Decompressed when first asked for (thread-safe), borrowed until the file
 * closes, and NUL-terminated behind @out->size. Returns 0, or
 *   -ENOENT   the file has none
 *   -EBADMSG  it has one that cannot be read; a text that is cut is not an error
 *   -ENOMEM
 */
int kt_file_meta(struct kt_file *file, enum kt_meta which, struct kt_blob *out,
		 struct kt_err *err);

/* Event formats: those of the "ftrace" system first, then by system as stored. */
size_t kt_file_nr_events(struct kt_file *file);
const struct kt_event_source *kt_file_event(struct kt_file *file, size_t i);

/* Buffers (instances); the top-level one first when there is one. */
size_t kt_file_nr_buffers(const struct kt_file *file);
const struct kt_buffer *kt_file_buffer(const struct kt_file *file, size_t i);
/* Text of a latency buffer, decompressed; borrowed until the file closes. */
int kt_file_buffer_text(struct kt_file *file, size_t buffer, struct kt_blob *out,
			struct kt_err *err);

/**
 * struct kt_chunk - a run of whole sub-buffers of one CPU, in memory
 * @data:  sub-buffers, each page_size of its buffer; the last may be cut
 * @size:  bytes
 * @first: index of the first sub-buffer, counted from the start of the CPU's data
 *
 * In an uncompressed file a borrowed part of the map, else one frame's content
 * in the cache. Counted: valid until kt_chunk_put.
 */
struct kt_chunk {
	const uint8_t *data;
	size_t         size;
	uint64_t       first;
	uint64_t       stored;		/* bytes of the CPU's stored data up to its end */
	void          *owner;		/* private */
};

/**
 * kt_file_chunk_get - the @nr-th chunk of a CPU
 * @cpu_index: index into kt_buffer.cpus
 *
 * Returns 1 and a counted reference in @out, 0 after the last chunk, or
 *   -EBADMSG  the chunk is damaged: the caller may go on with the next one
 * May block for reading and decompressing. Thread-safe.
 */
int kt_file_chunk_get(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
		      struct kt_chunk *out, struct kt_err *err);
void kt_chunk_put(struct kt_chunk *chunk);
/* Another reference to the same chunk. */
struct kt_chunk kt_chunk_ref(const struct kt_chunk *chunk);

/* What an index says of all chunks together */
struct kt_file_index {
	uint64_t nr_chunks;		/* that the index speaks of … */
	uint64_t nr_known;		/* … and says what they hold */
};
/* 0, -ENOENT: the file has none, or it is damaged, which kt_file_damage() tells then */
int kt_file_index(struct kt_file *file, struct kt_file_index *out);

struct kt_summary;			/* private */

/* As stored, without decompressing: for convert, split and restore. 1, 0 after the last. */
struct kt_raw_chunk {
	const uint8_t *data;		/* borrowed: in the map */
	uint32_t       size;		/* stored bytes */
	uint32_t       raw_size;	/* bytes when decompressed; == size if uncompressed */
	const struct kt_summary *summary;	/* of the index, NULL: it has none;
						 * as long as the file */
};
int kt_file_chunk_raw(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
		      struct kt_raw_chunk *out, struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
