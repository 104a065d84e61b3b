/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* section.c - the sections of a file: where they are and what they hold */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "file/file.h"

#define HEADER_SIZE 16
#define FLAG_COMPRESSED 1
#define MAX_SECTION_ID 1023	/* a larger id means that the walk went astray */
#define MAX_WALK 65536		/* sections: writers make about twenty, plus two per buffer */
#define MAX_STRAY 1024		/* sections that a walk missed: each insert moves all after it */
#define MAX_UNPACKED (256u << 20)	/* bytes of all sections of a file together */

/*
 * Largest decompressed size of a section, since 185 KB can claim 6 GB. Kernels and writers stay
 * far below: the kallsyms of a large kernel take 30 MB, its formats 10, its BTF 15;
 * saved_cmdlines has at most 32,768 lines.
 */
static const uint32_t most[] = {
	[KT_OPTION_DONE]	  = 32 << 20,	/* the options themselves */
	[KT_OPTION_STRINGS]	  = 4 << 20,
	[KT_OPTION_HEADER_INFO]	  = 64 << 10,
	[KT_OPTION_FTRACE_EVENTS] = 1 << 20,
	[KT_OPTION_EVENT_FORMATS] = 64 << 20,
	[KT_OPTION_KALLSYMS]	  = 128 << 20,
	[KT_OPTION_PRINTK]	  = 16 << 20,
	[KT_OPTION_CMDLINES]	  = 4 << 20,
	[KT_OPTION_BTF_FILE]	  = 64 << 20,
	[KT_OPTION_MODULES_FILE]  = 4 << 20,
};
#define MOST_OTHERS (1u << 20)

size_t file_find_section(const struct kt_file *f, uint64_t offset)
{
	size_t lo = 0, hi = f->nr_sections;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (f->sections[mid].pub.offset < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < f->nr_sections && f->sections[lo].pub.offset == offset ? lo : FILE_NO_SECTION;
}

static struct section *append(struct kt_file *f, const struct section *s)
{
	struct section *added = array_add(f->sections, f->nr_sections);

	if (!added)
		return NULL;
	*added = *s;
	added->pub.description = "";
	return added;
}

int file_append_section(struct kt_file *f, const struct section *s)
{
	return append(f, s) ? 0 : -ENOMEM;
}

static int by_offset(const void *a, const void *b)
{
	const struct section *x = a, *y = b;

	return (x->pub.offset > y->pub.offset) - (x->pub.offset < y->pub.offset);
}

void file_sort_sections(struct kt_file *f)
{
	if (f->nr_sections)
		qsort(f->sections, f->nr_sections, sizeof(*f->sections), by_offset);
}

/* Keeps the order of offsets, so indices change. FILE_NO_SECTION: no memory, or too many */
static size_t insert(struct kt_file *f, const struct section *s)
{
	size_t nr = f->nr_sections, i = nr;
	struct section added;

	while (i && f->sections[i - 1].pub.offset > s->pub.offset)
		i--;
	if (i < nr && f->nr_stray_sections == MAX_STRAY)
		return FILE_NO_SECTION;
	if (!append(f, s))
		return FILE_NO_SECTION;
	if (i < nr) {
		f->nr_stray_sections++;
		added = f->sections[nr];
		memmove(&f->sections[i + 1], &f->sections[i], (nr - i) * sizeof(added));
		f->sections[i] = added;
	}
	return i;
}

size_t file_section_by_id(const struct kt_file *f, uint16_t id)
{
	size_t i = f->nr_sections;

	/* Take the last one: a running recording stores a text again when it has grown. */
	while (i--)
		if (f->sections[i].pub.id == id)
			return i;
	return FILE_NO_SECTION;
}

size_t file_read_section(struct kt_file *f, uint64_t offset)
{
	struct scan s = file_scan(f, offset);
	struct section sec = { .pub = { .offset = offset } };
	size_t known = file_find_section(f, offset);

	if (known != FILE_NO_SECTION)
		return known;
	sec.pub.id = scan_u16(&s);
	sec.pub.compressed = scan_u16(&s) & FLAG_COMPRESSED;
	sec.string_id = scan_u32(&s);
	sec.pub.size = scan_u64(&s);
	if (s.failed || sec.pub.id > MAX_SECTION_ID)
		return FILE_NO_SECTION;
	sec.body = offset + HEADER_SIZE;
	return insert(f, &sec);
}

/* Zeros look like empty options, but they are the unwritten end of a file. */
static bool is_blank(const struct kt_file *f, uint64_t offset)
{
	static const uint8_t zeros[HEADER_SIZE];
	struct scan s = file_scan(f, offset);
	const void *header = scan_bytes(&s, HEADER_SIZE);

	return header && memcmp(header, zeros, HEADER_SIZE) == 0;
}

/* Sections follow each other from the end of the file header to the end of the file. */
void file_walk_sections(struct kt_file *f, bool *cut)
{
	uint64_t at = f->sections_offset, size = f->info.size;
	struct section *s;
	size_t i;

	*cut = false;
	while (at < size) {
		i = is_blank(f, at) || f->nr_sections >= MAX_WALK ? FILE_NO_SECTION :
		    file_read_section(f, at);
		if (i == FILE_NO_SECTION) {
			*cut = true;
			file_damage(f, "no section at %" PRIu64 " but the file ends at "
				    "%" PRIu64, at, size);
			return;
		}
		s = &f->sections[i];
		if (s->pub.size > size - s->body) {
			*cut = true;
			file_damage(f, "section %u at %" PRIu64 " ends at %" PRIu64
				    ", but the file ends at %" PRIu64, s->pub.id, at,
				    s->body + s->pub.size, size);
			return;
		}
		at = s->body + s->pub.size;
	}
}

/* The bytes of section @s that the file contains */
static struct scan stored(const struct kt_file *f, const struct section *s)
{
	struct scan scan = file_scan(f, s->body);

	if (scan.left > s->pub.size)
		scan.left = s->pub.size;
	return scan;
}

int file_section_stored(const struct kt_file *f, size_t i, struct kt_blob *out)
{
	const struct section *s = i < f->nr_sections ? &f->sections[i] : NULL;
	struct scan in;

	if (!s || !s->pub.compressed || f->info.version < 7)
		return -ENOENT;
	in = stored(f, s);
	*out = (struct kt_blob){ (const char *)in.at, in.left };
	return in.left == s->pub.size ? 0 : -ENOENT;
}

uint64_t file_unpack_room(const struct kt_file *f)
{
	return MAX_UNPACKED - f->unpacked;
}

/* How many bytes to read, of the @raw_size that @s claims to hold */
static uint64_t limit(struct kt_file *f, const struct section *s, uint64_t raw_size)
{
	uint16_t id = s->pub.id;
	uint64_t room = id < sizeof(most) / sizeof(*most) && most[id] ? most[id] : MOST_OTHERS;

	if (room > file_unpack_room(f))
		room = file_unpack_room(f);
	if (raw_size <= room)
		return raw_size;
	file_damage(f, "section %u at %" PRIu64 " claims to hold %" PRIu64 " bytes: only %" PRIu64
		    " bytes of it are read", id, s->pub.offset, raw_size, room);
	return room;
}

static int unpack(struct kt_file *f, const struct section *s, struct kt_blob *out)
{
	struct scan in = stored(f, s);
	uint64_t size = scan_u32(&in), raw_size = scan_u32(&in), room;
	struct unpacker *u;
	ssize_t got;
	char *data;

	if (in.failed || !f->codec)
		return -EBADMSG;
	if (size > in.left)
		size = in.left;
	if (raw_size > FILE_MAX_RATIO * (size + 1))	/* impossible: the size is forged */
		raw_size = FILE_MAX_RATIO * (size + 1);
	room = limit(f, s, raw_size);
	data = file_keep(f, room + 1);
	u = data ? file_unpacker_get(f) : NULL;
	if (!u)
		return -ENOMEM;
	got = room < raw_size ? -ENOSPC : f->codec->decompress(u->ctx, data, room, in.at, size);
	if (got == -EBADMSG || got == -ENOSPC) {
		if (room == raw_size)
			file_damage(f, "section %u at %" PRIu64 " does not decompress", s->pub.id,
				    s->pub.offset);
		got = codec_peek(f->codec, u->ctx, data, room, in.at, size);
	}
	file_unpacker_put(f, u);
	if (got < 0)
		return got;
	f->unpacked += got;
	data[got] = '\0';
	*out = (struct kt_blob){ data, got };
	return 0;
}

pthread_mutex_t *file_section_lock(struct kt_file *f, uint16_t id)
{
	return id == KT_OPTION_KALLSYMS ? &f->kallsyms_lock : &f->load_lock;
}

int file_load_section(struct kt_file *f, size_t i, struct kt_blob *out)
{
	struct section *s = &f->sections[i];
	struct scan in;
	int ret = 0;

	if (!s->loaded && s->pub.compressed && f->info.version > 6) {
		ret = unpack(f, s, &s->data);
	} else if (!s->loaded) {
		in = stored(f, s);
		s->data = (struct kt_blob){ (const char *)in.at, in.left };
	}
	s->loaded = ret != -ENOMEM;
	*out = s->data;
	if (ret < 0)
		return ret;
	return s->data.data ? 0 : -EBADMSG;
}

static int add_strings(struct kt_file *f, size_t section)
{
	struct kt_blob more;
	char *all;

	if (file_load_section(f, section, &more) < 0)
		return 0;
	all = realloc(f->strings, f->strings_size + more.size + 1);
	if (!all)
		return -ENOMEM;
	memcpy(all + f->strings_size, more.data, more.size);
	f->strings = all;
	f->strings_size += more.size;
	all[f->strings_size] = '\0';
	return 0;
}

/*
 * String ids are offsets into all strings sections, joined. Only a walk finds these sections.
 * A strings section inside another is ignored: a file could nest thousands of them.
 */
int file_load_strings(struct kt_file *f)
{
	const struct section *s;
	uint64_t end = 0;
	size_t i;

	for (i = 0; i < f->nr_sections; i++) {
		s = &f->sections[i];
		if (s->pub.id != KT_OPTION_STRINGS || s->pub.offset < end)
			continue;
		if (add_strings(f, i) < 0)
			return -ENOMEM;
		end = s->body + stored(f, s).left;
	}
	for (i = 0; i < f->nr_sections; i++)
		if (f->sections[i].string_id < f->strings_size)
			f->sections[i].pub.description = f->strings + f->sections[i].string_id;
	return 0;
}
