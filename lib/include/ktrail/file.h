/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* file.h - a trace.dat: sections, options, buffers and chunks of sub-buffers */
#ifndef KTRAIL_FILE_H
#define KTRAIL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Sources: trace-cmd's man pages trace-cmd.dat.v6(5) and trace-cmd.dat.v7(5), and
 * Documentation/trace-dat.md, which describes where practice differs from them.
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
	/* ktrail's own: the events in each chunk; the causes of a capture; the time of day */
	KT_OPTION_INDEX = 0x6b74, KT_OPTION_CAPTURE, KT_OPTION_WALL,
};

/* The id of data sections: the same as KT_OPTION_BUFFER, which points to them */
#define KT_SECTION_DATA 3

/* Bytes of the file; not NUL-terminated unless stated */
struct kt_blob {
	const char *data;
	size_t      size;
};

struct kt_option {
	uint16_t       id;		/* enum kt_option_id, or an unknown one */
	struct kt_blob raw;		/* borrowed until the file closes */
};

/* The meta data that every reader needs, independent of the version of the file */
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
	uint64_t size;			/* as stored: do not rely on it */
};

struct kt_buffer {
	const char *name;		/* "" is the top-level buffer */
	const char *clock;		/* e.g. "local"; "" if the file does not say: local */
	uint32_t    page_size;		/* bytes of a sub-buffer */
	bool        is_text;		/* latency text instead of ring-buffer data */
	size_t      nr_cpus;		/* entries of @cpus; CPUs without data may be missing */
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
	int         nr_cpus;		/* highest CPU count of all buffers: "cpus=" of report */
	uint64_t    size;		/* of the file, bytes */
	uint64_t    trace_id;		/* 0 if the file has none */
	/* from header_page of the recording kernel */
	int         commit_size;	/* 4 or 8: size of the kernel's long */
	int         commit_offset;
	int         data_offset;	/* first event in a sub-buffer */
	bool        old_events;		/* from kernels before 2.6.31: records cannot be read */
};

/**
 * kt_file_open - open a trace.dat for reading
 * @path: "-": standard input
 *
 * Input from a pipe is copied to a temporary file without a name, in $TMPDIR or /var/tmp.
 * Maps the file and reads its directory; event data is read later, on demand.
 * A truncated or damaged file opens as long as its first bytes are those
 * of a trace.dat: the intact part can be read, and kt_file_damage() describes the rest.
 * The same holds if another process truncates the file later, except for mapped data
 * (data and texts that are not compressed): access to it then raises SIGBUS, see
 * kt_file_catch_cuts().
 *
 * Returns a new handle (kt_file_close), or NULL with
 *   -ENOENT, -EACCES … from the system
 *   -EINVAL   not a trace.dat
 *   -ENOTSUP  a version or compression that this build cannot read
 *
 * A handle may be used by several threads at a time after opening.
 */
struct kt_file *kt_file_open(const char *path, struct kt_err *err);

/* Accepts NULL. Release all chunks first. */
void kt_file_close(struct kt_file *file);

/**
 * kt_file_catch_cuts - survive the truncation of an open file by another process
 * @told: called by the signal handler, so it must be async-signal-safe; it may end
 *        the process. NULL: nothing is called
 *
 * Installs a handler for SIGBUS, for the whole process and permanently. From then on
 * missing pages of a trace file read as zeros, which contain no records; the next
 * read of a chunk notes the damage in kt_file_damage(). Faults at other addresses
 * go to the previous handler. Threads that read must not block SIGBUS.
 * Call it again to change @told, or if another handler was installed since. 0, or -EINVAL …
 * from the system.
 */
int kt_file_catch_cuts(void (*told)(const char *path));

#define KT_FILE_CACHE (6u << 20)	/* bytes */
/*
 * Set how many bytes of unused chunks stay decompressed; the default is KT_FILE_CACHE.
 * Returns the previous value. Thread-safe.
 */
size_t kt_file_set_cache(struct kt_file *file, size_t bytes);

const struct kt_file_info *kt_file_info(const struct kt_file *file);

/**
 * kt_file_damage - what is missing or broken, one line each, in the order found
 * @i: 0, 1, 2 … until it returns NULL
 *
 * Borrowed until the file closes. Lines name the place (offset) and the cause.
 * Further reading may find more: ask again at the end. At most 32 lines are kept, and then
 * one that says "and N more".
 */
const char *kt_file_damage(const struct kt_file *file, size_t i);
size_t kt_file_nr_damages(const struct kt_file *file);

/* Options of all options sections in file order, including BUFFER options. */
size_t kt_file_nr_options(const struct kt_file *file);
const struct kt_option *kt_file_option(const struct kt_file *file, size_t i);
/* The first option with that id, NULL if none. */
const struct kt_option *kt_file_find_option(const struct kt_file *file, uint16_t id);

/* Sections in file order (v6: its fixed parts, with the ids of the corresponding v7 sections). */
size_t kt_file_nr_sections(const struct kt_file *file);
const struct kt_section *kt_file_section(const struct kt_file *file, size_t i);
/*
 * Content of a section, decompressed; borrowed until the file closes. Thread-safe.
 * 0, -ENOENT (no such section), -EBADMSG (it cannot be read), -ENOMEM.
 */
int kt_file_section_data(struct kt_file *file, size_t i, struct kt_blob *out, struct kt_err *err);

/**
 * kt_file_meta - one of the texts that the recorder stored
 *
 * Decompressed at the first call (thread-safe), borrowed until the file
 * closes, and NUL-terminated after @out->size bytes. Returns 0, or
 *   -ENOENT   the file does not have it
 *   -EBADMSG  it cannot be read; a truncated text is not an error
 *   -ENOMEM
 */
int kt_file_meta(struct kt_file *file, enum kt_meta which, struct kt_blob *out,
		 struct kt_err *err);

/* Event formats: those of the "ftrace" system first, then by system as stored. */
size_t kt_file_nr_events(struct kt_file *file);
const struct kt_event_source *kt_file_event(struct kt_file *file, size_t i);

/* Buffers (instances); the top-level buffer, if there is one, comes first. */
size_t kt_file_nr_buffers(const struct kt_file *file);
const struct kt_buffer *kt_file_buffer(const struct kt_file *file, size_t i);
/* Text of a latency buffer, decompressed; borrowed until the file closes. */
int kt_file_buffer_text(struct kt_file *file, size_t buffer, struct kt_blob *out,
			struct kt_err *err);

/**
 * struct kt_chunk - a run of whole sub-buffers of one CPU, in memory
 * @data:  sub-buffers, each with the page_size of its buffer; the last may be truncated
 * @size:  bytes
 * @first: index of the first sub-buffer, counted from the start of the CPU's data
 *
 * In an uncompressed file this is a borrowed part of the map, otherwise the content of a frame
 * in the cache. Reference-counted: valid until kt_chunk_put().
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
 *   -EBADMSG  the chunk is damaged: the caller may continue with the next one
 * May block for reading and decompressing. Thread-safe.
 */
int kt_file_chunk_get(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
		      struct kt_chunk *out, struct kt_err *err);
void kt_chunk_put(struct kt_chunk *chunk);
/* Another reference to the same chunk. */
struct kt_chunk kt_chunk_ref(const struct kt_chunk *chunk);

/* Totals of an index */
struct kt_file_index {
	uint64_t nr_chunks;		/* chunks in the index */
	uint64_t nr_known;		/* chunks whose events it lists */
};
/* 0, -ENOENT: the file has no index, or a damaged one, see kt_file_damage() */
int kt_file_index(struct kt_file *file, struct kt_file_index *out);

struct kt_summary;			/* private */

/* The stored form, without decompressing: for convert, split and restore. 1, 0 after the last. */
struct kt_raw_chunk {
	const uint8_t *data;		/* borrowed: in the map */
	uint32_t       size;		/* stored bytes */
	uint32_t       raw_size;	/* bytes when decompressed; == size if uncompressed */
	const struct kt_summary *summary;	/* from the index, or NULL; as long as the file */
};
int kt_file_chunk_raw(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
		      struct kt_raw_chunk *out, struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
