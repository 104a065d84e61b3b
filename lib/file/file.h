/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* file.h - the inside of a struct kt_file, shared by the parts of the reader */
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
#define FILE_MAX_CPU	   65535		/* far above what kernels know; keeps cpus= sane */
#define FILE_MAX_EVENTS	   131072	/* formats: ids of events have 16 bits */
#define FILE_MAX_OPTIONS   (1u << 20)	/* one a CPU and buffer are the most that writers make */
#define FILE_NO_SECTION	   SIZE_MAX
/* The kernel maps more than the page that is touched: up to a large folio around it */
#define FILE_MAPPED_AROUND (256u << 10)

/* A part of an unfinished recording, see part.h: offsets from file_part_offset() on are in it */
struct region {
	const uint8_t *map;		/* NULL: it is empty, or cannot be mapped */
	uint64_t size;
	struct mapped *mapped;
};

struct section {
	struct kt_section pub;
	uint64_t body;			/* offset of what follows the header */
	uint32_t string_id;
	bool loaded;			/* @data is there, or was tried in vain */
	struct kt_blob data;		/* decompressed, borrowed from the map or kept */
};

/* One chunk as the file stores it */
struct chunk_entry {
	uint64_t offset;		/* of its first stored byte in the file */
	uint64_t pos;			/* of its first byte in the CPU's uncompressed data */
	uint32_t size, raw_size;
};

/* Chunks of one CPU, found while reading goes on */
struct chunk_index {
	struct chunk_entry *entries;
	size_t nr;
	uint64_t offset;		/* where the next header is looked for; 0: not begun */
	uint64_t pos;
	uint64_t left;			/* chunks still to come, CHUNKS_UNKNOWN: until the end */
	bool lost;			/* the chain was broken, and taken up again by searching */
	bool complete;
	uint64_t last;			/* offset of the header of the last entry */
	size_t part;			/* of an unfinished recording: its number … */
	uint64_t base;			/* … offset of its data, from PART_DATA on … */
	uint64_t gone;			/* … and up to which they were given back */
	const struct summary_run *run;	/* what the file's index says of them, NULL: nothing */
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
	struct cache_entry *newest, *oldest;	/* of those nobody refers to */
	struct cache_entry *spare;	/* memory of dropped entries, to be used again */
	size_t idle, max_idle;		/* bytes held by entries nobody refers to */
	pthread_cond_t loaded;
};

struct reader;
struct readers {
	struct reader *newest;		/* of those between two pieces of a chunk */
	size_t memory, limit;		/* bytes of all of them */
};

struct kept {
	struct kept *next;
	char bytes[];
};

struct unpacker {			/* an idle decompressor */
	struct unpacker *next;
	void *ctx;
	uint8_t *in;			/* for what it reads; NULL: not needed yet */
	size_t in_size;
};

struct kt_file {
	struct kt_file_info info;
	char *path;
	int fd;
	const uint8_t *map;		/* the file itself */
	struct mapped *mapped;		/* that others may cut */
	bool alone;			/* its parts do not count */
	struct region *parts;		/* of an unfinished recording … */
	size_t nr_parts;
	struct region shared;		/* … and the file that long ones share */
	_Atomic uint64_t have;		/* bytes of the file itself; less than @info.size when
					   somebody has cut it meanwhile: the map has nothing behind
					   them */
	_Atomic uint64_t touched;	/* bytes of the map read since it was last released */
	struct timespec changed;	/* when the file itself was written to, as far as known */
	bool swap;
	const struct codec *codec;	/* NULL: not compressed */
	uint64_t options_offset;	/* v7: of the first options section */
	uint64_t sections_offset;	/* v7: of the first section */

	struct section *sections;	/* by offset */
	size_t nr_sections;
	size_t nr_stray_sections;	/* that were found out of order */
	struct kt_option *options;
	size_t nr_options;
	struct buffer *buffers;
	size_t nr_buffers;
	size_t nr_cpu_data;		/* CPUs of all buffers */
	char *strings;			/* all strings sections, one behind the other */
	size_t strings_size;
	_Atomic uint64_t unpacked;	/* bytes of sections that were decompressed */

	pthread_mutex_t kallsyms_lock;	/* for its section, which takes far longer than … */
	pthread_mutex_t load_lock;	/* … what else is loaded when first asked for: */
	struct kt_event_source *events;
	size_t nr_events;
	bool events_loaded;
	struct kt_blob metas[KT_NR_METAS];	/* @data NULL: not loaded yet */
	struct summaries *summaries;	/* NULL: there are none … */
	bool summaries_loaded;		/* … or they were not needed yet */

	pthread_mutex_t lock;		/* for the rest, held for moments only */
	struct kept *kept;
	struct unpacker *unpackers;
	struct cache cache;
	struct readers readers;
	char *damages[FILE_MAX_DAMAGES];
	size_t nr_damages;
	uint64_t more_damages;		/* for which there was no room */
	uint64_t *more_hashes;		/* of these; NULL: none yet */
	char more_line[32];		/* "and 7 more" */
};

/* damage.c */
void file_damage(struct kt_file *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* sigbus.c: a map whose pages may vanish; @path must live as long. NULL: no memory */
struct mapped *file_note_map(const void *map, uint64_t size, const char *path);
void file_forget_map(struct mapped *m);

/* map.c */
int file_map(struct kt_file *f, struct kt_err *err);
/* The parts as they are now. 1, 0: there is another one, -ENOMEM */
int file_map_again(struct kt_file *f);
void file_unmap(struct kt_file *f);
uint64_t file_part_offset(size_t nr);
uint64_t file_shared_offset(void);
/* All bytes from @offset to the end of the file, or of the part, that it is in */
struct scan file_scan(const struct kt_file *f, uint64_t offset);
/* Has somebody cut the file? Then nobody shall look beyond its end any more. */
void file_note_cut(struct kt_file *f);
/*
 * @size bytes at @offset of the file itself into @to: how many there are. Somebody may
 * have cut the file since it was opened; a read then notes the damage, where the
 * map would end the process.
 */
size_t file_pread(struct kt_file *f, void *to, size_t size, uint64_t offset);
/* The place as people find it: "4711", or "4711 of part 2", in @text */
const char *file_where(const struct kt_file *f, uint64_t offset, char *text, size_t size);
/* @bytes of the map have been read, in one place: now and then, all of it is released. */
void file_touched(struct kt_file *f, uint64_t bytes);

/* memory.c: @size bytes that live as long as the file; NULL: no memory */
void *file_keep(struct kt_file *f, uint64_t size);
char *file_keep_text(struct kt_file *f, const char *text, size_t len);
void *file_grow(void *array, size_t nr, size_t size);	/* room for one more, or NULL */
struct unpacker *file_unpacker_get(struct kt_file *f);
void file_unpacker_put(struct kt_file *f, struct unpacker *u);

/* section.c */
/* v6: list @s in any order; file_sort_sections when all are there. 0 or -ENOMEM */
int file_append_section(struct kt_file *f, const struct section *s);
void file_sort_sections(struct kt_file *f);
size_t file_find_section(const struct kt_file *f, uint64_t offset);
size_t file_section_by_id(const struct kt_file *f, uint16_t id);
/* What to hold while a section with that id is loaded */
pthread_mutex_t *file_section_lock(struct kt_file *f, uint16_t id);
/* Content, decompressed when first asked for. 0, -ENOENT, -EBADMSG, -ENOMEM. */
int file_load_section(struct kt_file *f, size_t i, struct kt_blob *out);
/* Bytes that may still be decompressed outside of event data */
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
/* The chunk whose header is at @offset; false if there can be none */
bool file_read_chunk(const struct kt_file *f, uint64_t offset, struct chunk_entry *e);
/* The @nr-th chunk; the index grows as far as that. 1, 0 after the last, -ENOMEM. */
int file_index_find(struct kt_file *f, const struct buffer *b, size_t cpu_index, uint64_t nr,
		    struct chunk_entry *out);
/* The chunk that holds byte @pos of the uncompressed data. Likewise. */
int file_index_at(struct kt_file *f, const struct buffer *b, size_t cpu_index, uint64_t pos,
		  uint64_t *nr);
/* A recording has grown: what was found at its end, and was not whole, is looked for again. */
void file_index_grow(struct kt_file *f, const struct buffer *b, size_t cpu_index, uint64_t end);
/* "CPU 3", or "CPU 3 of buffer 'x'", in @text */
const char *file_place(const struct buffer *b, size_t cpu_index, char *text, size_t size);

/* open/recover.c */
int file_recover_sections(struct kt_file *f);	/* data sections that no option speaks of */
uint64_t file_round_up(uint64_t offset, uint32_t page_size);
int file_recover_parts(struct kt_file *f);	/* of a recording that was not finished */
/* Offsets of the data of a part: of all from PART_DATA on, and of what is kept. False: not one */
bool file_part_base(const struct kt_file *f, size_t nr, uint64_t *base, uint64_t *start);

/* open/open.c: the file itself, without its parts if @alone. New (kt_file_close), or NULL */
struct kt_file *file_open(const char *path, bool alone, struct kt_err *err);

/* open/guess.c */
/* How long the sub-buffers in @s, which goes to @end, seem to be. 0, -ENOMEM */
int file_guess_page_size(struct kt_file *f, const struct section *s, uint64_t end, bool compressed,
			 uint32_t *size);

/* summary_read.c */
void file_summaries_free(struct kt_file *f);

/* open/v6.c, open/v7.c: the directory of a file whose first bytes have been read */
int file_read_v6(struct kt_file *f, struct scan *s);
int file_read_v7(struct kt_file *f);

/* meta.c */
/* Take one part off the front of @s; 0, or -EBADMSG when it is cut short, -ENOMEM */
int file_take_header_info(struct kt_file *f, struct scan *s);
int file_take_ftrace_events(struct kt_file *f, struct scan *s);
int file_take_event_systems(struct kt_file *f, struct scan *s);
int file_take_meta(struct kt_file *f, struct scan *s, enum kt_meta which);
/* Where the fields of a sub-buffer are; what is damaged has been noted after */
void file_load_header_page(struct kt_file *f);

/* cache.c */
void file_cache_fini(struct cache *c);
/* A copy of @size bytes at @offset of the file itself. 1, -ENOMEM, -EBADMSG. */
int file_cache_read(struct kt_file *f, uint64_t offset, size_t size, struct kt_chunk *out);
int file_cache_get(struct kt_file *f, const struct chunk_entry *e, struct kt_chunk *out);
/* What was decompressed of the chunk at @offset is not what is there now. */
void file_cache_forget(struct kt_file *f, uint64_t offset);
/* Room for @size bytes, to be filled through @out->data. 0, -ENOMEM */
int file_cache_room(struct kt_file *f, size_t size, struct kt_chunk *out);
/* Say that a chunk does not decompress to what it should. */
void file_chunk_damage(struct kt_file *f, const struct chunk_entry *chunk);

/* piece.c */
void file_readers_fini(struct kt_file *f);
/* Of @chunk at most @size bytes from @offset on; fewer where it is damaged. 1, -EBADMSG, -ENOMEM */
int file_piece_get(struct kt_file *f, const struct chunk_entry *chunk, size_t offset, size_t size,
		   struct kt_chunk *out);

/* … as it is stored: two sizes and the frame. -ENOENT: it is not compressed, or not all there. */
int file_section_stored(const struct kt_file *file, size_t i, struct kt_blob *out);

/**
 * file_chunk_peek - the first bytes of a chunk, without the rest
 *
 * Enough of a frame is decompressed to fill @buf (16 bytes hold a sub-buffer's
 * time stamp): what a search by time needs. Returns bytes, 0 after the last.
 */
int file_chunk_peek(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
		    void *buf, size_t size, struct kt_err *err);

#endif
