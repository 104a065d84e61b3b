/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* file.h - internals of struct kt_file, for the source files of the reader */
#ifndef FILE_FILE_H
#define FILE_FILE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <ktrail/file.h>

#include "codec/codec.h"
#include "file/scan.h"

#define FILE_MAX_DAMAGES   32
#define FILE_MAX_RATIO	   33000ull		/* zstd: 128 KiB from 4 bytes */
#define FILE_MAX_CHUNK	   (16u << 20)		/* bytes of a decompressed chunk */
#define FILE_MAX_PAGE_SIZE (16u << 20)
#define FILE_MAX_CPU	   65535		/* far above the limit of kernels; bounds cpus= */
#define FILE_MAX_EVENTS	   131072	/* formats: event ids have 16 bits */
#define FILE_MAX_OPTIONS   (1u << 20)	/* writers make at most one for each CPU and buffer */
#define FILE_NO_SECTION	   SIZE_MAX
/* A page fault maps more than its page: up to a large folio around it */
#define FILE_MAPPED_AROUND (256u << 10)

/* A part of an unfinished recording, see part.h: its offsets begin at file_part_offset() */
struct region {
	const uint8_t *map;		/* NULL: empty, or cannot be mapped */
	uint64_t size;
	struct mapped *mapped;
};

struct section {
	struct kt_section pub;
	uint64_t body;			/* offset of the content after the header */
	uint32_t string_id;
	bool loaded;			/* @data is set, or loading it failed */
	struct kt_blob data;		/* decompressed, borrowed from the map or kept */
};

/* One chunk as the file stores it */
struct chunk_entry {
	uint64_t offset;		/* of its first stored byte in the file */
	uint64_t pos;			/* of its first byte in the CPU's uncompressed data */
	uint32_t size, raw_size;
};

/* Chunks of one CPU that were found so far */
struct chunk_index {
	struct chunk_entry *entries;
	size_t nr;
	uint64_t offset;		/* where to look for the next header; 0: not started */
	uint64_t pos;
	uint64_t left;			/* chunks that remain; CHUNKS_UNKNOWN: until the end */
	bool lost;			/* the chain was broken and resumed by searching */
	bool complete;
	uint64_t last;			/* offset of the header of the last entry */
	size_t part;			/* in an unfinished recording: number of the part */
	uint64_t base;			/* offset of the part's data, from PART_DATA on */
	uint64_t gone;			/* the recorder has freed the data before this offset */
	const struct summary_run *run;	/* their rows in the file's index; NULL: none */
	bool run_sought;
};
#define CHUNKS_UNKNOWN UINT64_MAX

struct buffer {
	struct kt_buffer pub;
	uint64_t section;		/* offset of its section header, 0: none */
	struct kt_cpu_data *cpus;
	struct chunk_index *index;	/* per entry of @cpus; used when @compressed */
	bool compressed;
	uint64_t text;			/* offset of the section with a latency text, 0: none */
};

struct cache_entry;
struct cache {
	struct cache_entry *buckets[64];
	struct cache_entry *newest, *oldest;	/* of the unused entries */
	struct cache_entry *spare;	/* memory of dropped entries, for reuse */
	size_t idle, max_idle;		/* bytes held by unused entries */
	pthread_cond_t loaded;
};

struct reader;
struct readers {
	struct reader *newest;		/* list of the readers between two pieces of a chunk */
	size_t memory, limit;		/* bytes used by all readers */
};

struct kept {
	struct kept *next;
	char bytes[];
};

struct unpacker {			/* an idle decompressor */
	struct unpacker *next;
	void *ctx;
	uint8_t *in;			/* input buffer; NULL: not needed yet */
	size_t in_size;
};

struct kt_file {
	struct kt_file_info info;
	char *path;
	int fd;
	const uint8_t *map;		/* the file itself */
	struct mapped *mapped;		/* entry of the SIGBUS handler for @map */
	bool alone;			/* opened without its parts, or has none */
	struct region *parts;		/* of an unfinished recording */
	size_t nr_parts;
	struct region shared;		/* the file that long parts share */
	_Atomic uint64_t have;		/* bytes of the file itself; after another process truncated
					 * it, less than @info.size: do not read the map beyond */
	_Atomic uint64_t touched;	/* bytes of the map read since it was last released */
	struct timespec changed;	/* last known change of the file itself */
	bool swap;
	const struct codec *codec;	/* NULL: not compressed */
	uint64_t options_offset;	/* v7: of the first options section */
	uint64_t sections_offset;	/* v7: of the first section */

	struct section *sections;	/* by offset */
	size_t nr_sections;
	size_t nr_stray_sections;	/* found out of order */
	struct kt_option *options;
	size_t nr_options;
	struct buffer *buffers;
	size_t nr_buffers;
	size_t nr_cpu_data;		/* CPUs of all buffers */
	char *strings;			/* all strings sections, joined */
	size_t strings_size;
	_Atomic uint64_t unpacked;	/* decompressed bytes of all sections */

	pthread_mutex_t kallsyms_lock;	/* for loading kallsyms, which takes very long */
	pthread_mutex_t load_lock;	/* for everything else that is loaded on demand: */
	struct kt_event_source *events;
	size_t nr_events;
	bool events_loaded;
	struct kt_blob metas[KT_NR_METAS];	/* @data NULL: not loaded yet */
	struct summaries *summaries;	/* NULL: there are none */
	bool summaries_loaded;		/* @summaries was looked for */

	pthread_mutex_t lock;		/* for all other members; held for moments only */
	struct kept *kept;
	struct unpacker *unpackers;
	struct cache cache;
	struct readers readers;
	char *damages[FILE_MAX_DAMAGES];
	size_t nr_damages;
	uint64_t more_damages;		/* damages that did not fit into @damages */
	uint64_t *more_hashes;		/* their hashes; NULL: none yet */
	char more_line[32];		/* "and 7 more" */
};

/* damage.c */
void file_damage(struct kt_file *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* sigbus.c: register a map whose pages may vanish; @path must live as long. NULL: no memory */
struct mapped *file_note_map(const void *map, uint64_t size, const char *path);
void file_forget_map(struct mapped *m);

/* map.c */
int file_map(struct kt_file *f, struct kt_err *err);
/* Map the parts again. 1: done, 0: a new part exists, -ENOMEM */
int file_map_again(struct kt_file *f);
void file_unmap(struct kt_file *f);
uint64_t file_part_offset(size_t nr);
uint64_t file_shared_offset(void);
/* All bytes from @offset to the end of its file or part */
struct scan file_scan(const struct kt_file *f, uint64_t offset);
/* If another process has truncated the file, stop all access beyond its new end. */
void file_note_cut(struct kt_file *f);
/*
 * Read @size bytes at @offset of the file itself into @to and return how many were read. If
 * the file was truncated since it was opened, this notes the damage. Reading the map would
 * kill the process.
 */
size_t file_pread(struct kt_file *f, void *to, size_t size, uint64_t offset);
/* Format @offset for a message, in @text: "4711" or "4711 of part 2" */
const char *file_where(const struct kt_file *f, uint64_t offset, char *text, size_t size);
/* Count @bytes that were read from the map. Now and then this releases all of its pages. */
void file_touched(struct kt_file *f, uint64_t bytes);

/* memory.c: @size bytes that live as long as the file; NULL: no memory */
void *file_keep(struct kt_file *f, uint64_t size);
char *file_keep_text(struct kt_file *f, const char *text, size_t len);
struct unpacker *file_unpacker_get(struct kt_file *f);
void file_unpacker_put(struct kt_file *f, struct unpacker *u);

/* section.c */
/* v6: append @s, in any order; call file_sort_sections() after the last one. 0 or -ENOMEM */
int file_append_section(struct kt_file *f, const struct section *s);
void file_sort_sections(struct kt_file *f);
size_t file_find_section(const struct kt_file *f, uint64_t offset);
size_t file_section_by_id(const struct kt_file *f, uint16_t id);
/* The lock to hold while a section with that id is loaded */
pthread_mutex_t *file_section_lock(struct kt_file *f, uint16_t id);
/* The content, decompressed at the first call. 0, -ENOENT, -EBADMSG, -ENOMEM. */
int file_load_section(struct kt_file *f, size_t i, struct kt_blob *out);
/* Bytes that may still be decompressed for sections */
uint64_t file_unpack_room(const struct kt_file *f);
/* v7: list the section whose header is at @offset; FILE_NO_SECTION if there is none. */
size_t file_read_section(struct kt_file *f, uint64_t offset);
void file_walk_sections(struct kt_file *f, bool *cut);
int file_load_strings(struct kt_file *f);

/* option.c */
int file_add_option(struct kt_file *f, uint16_t id, const void *data, uint32_t size);
int file_take_options(struct kt_file *f, struct scan *s, uint64_t *next);

/* buffer.c */
struct buffer *file_add_buffer(struct kt_file *f, const char *name, const char *clock,
			       uint32_t page_size);
int file_add_cpu(struct kt_file *f, struct buffer *b, int cpu, uint64_t offset, uint64_t size);
int file_make_buffers(struct kt_file *f);	/* v7: from its options */
void file_sort_buffers(struct kt_file *f);
const char *file_option_clock(struct kt_file *f);

/* index.c */
/* The chunk whose header is at @offset; false if there cannot be one */
bool file_read_chunk(const struct kt_file *f, uint64_t offset, struct chunk_entry *e);
/* The @nr-th chunk; extends the index up to it. 1, 0 after the last, -ENOMEM. */
int file_index_find(struct kt_file *f, const struct buffer *b, size_t cpu_index, uint64_t nr,
		    struct chunk_entry *out);
/* The chunk that holds byte @pos of the uncompressed data. Returns like file_index_find(). */
int file_index_at(struct kt_file *f, const struct buffer *b, size_t cpu_index, uint64_t pos,
		  uint64_t *nr);
/* A recording has grown: read again what was incomplete at its end. */
void file_index_grow(struct kt_file *f, const struct buffer *b, size_t cpu_index, uint64_t end);
/* "CPU 3", or "CPU 3 of buffer 'x'", in @text */
const char *file_place(const struct buffer *b, size_t cpu_index, char *text, size_t size);

/* open/recover.c */
int file_recover_sections(struct kt_file *f);	/* data sections without an option */
uint64_t file_round_up(uint64_t offset, uint32_t page_size);
int file_recover_parts(struct kt_file *f);	/* of an unfinished recording */
/* Offsets of a part's data from PART_DATA on, and of its first kept data. False: no such part */
bool file_part_base(const struct kt_file *f, size_t nr, uint64_t *base, uint64_t *start);

/* open/input.c: sets @f's descriptor and size; a pipe is copied first. 0, -errno */
int open_input(struct kt_file *f, struct kt_err *err);
/* open/open.c: the file itself, without its parts if @alone. New (kt_file_close), or NULL */
struct kt_file *file_open(const char *path, bool alone, struct kt_err *err);

/* open/guess.c */
/* Estimate the size of the sub-buffers in @s, which ends at @end. 0, -ENOMEM */
int file_guess_page_size(struct kt_file *f, const struct section *s, uint64_t end, bool compressed,
			 uint32_t *size);

/* summary_read.c */
void file_summaries_free(struct kt_file *f);

/* open/v6.c, open/v7.c: the directory of a file whose first bytes have been read */
int file_read_v6(struct kt_file *f, struct scan *s);
int file_read_v7(struct kt_file *f);

/* meta.c */
/* Take one part from the start of @s; 0, -EBADMSG if it is truncated, -ENOMEM */
int file_take_header_info(struct kt_file *f, struct scan *s);
int file_take_ftrace_events(struct kt_file *f, struct scan *s);
int file_take_event_systems(struct kt_file *f, struct scan *s);
int file_take_meta(struct kt_file *f, struct scan *s, enum kt_meta which);
/* Find the fields of a sub-buffer; any damage is noted */
void file_load_header_page(struct kt_file *f);

/* cache.c */
void file_cache_fini(struct cache *c);
/* A copy of @size bytes at @offset of the file itself. 1, -ENOMEM, -EBADMSG. */
int file_cache_read(struct kt_file *f, uint64_t offset, size_t size, struct kt_chunk *out);
int file_cache_get(struct kt_file *f, const struct chunk_entry *e, struct kt_chunk *out);
/* Drop the cached chunk at @offset, because its data has changed. */
void file_cache_forget(struct kt_file *f, uint64_t offset);
/* Allocate @size bytes, to be filled through @out->data. 0, -ENOMEM */
int file_cache_room(struct kt_file *f, size_t size, struct kt_chunk *out);
/* Note that a chunk does not decompress to its stated size. */
void file_chunk_damage(struct kt_file *f, const struct chunk_entry *chunk);

/* piece.c */
void file_readers_fini(struct kt_file *f);
/* At most @size bytes of @chunk from @offset on; fewer where it is damaged. 1, -EBADMSG, -ENOMEM */
int file_piece_get(struct kt_file *f, const struct chunk_entry *chunk, size_t offset, size_t size,
		   struct kt_chunk *out);

/* The section as stored: two sizes and the frame. -ENOENT: not compressed, or truncated. */
int file_section_stored(const struct kt_file *file, size_t i, struct kt_blob *out);

/**
 * file_chunk_peek - read the first bytes of a chunk only
 *
 * Decompresses enough of a frame to fill @buf, for a search by time (the time stamp
 * of a sub-buffer is in its first 16 bytes). Returns the number of bytes, 0 after the last chunk.
 */
int file_chunk_peek(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
		    void *buf, size_t size, struct kt_err *err);

#endif
