/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_formats.c - event formats of a kernel as test input, and generated records */
#include "kt_formats.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/bytes.h"
#include "base/str.h"
#include "kt_test.h"

const char kt_formats_kallsyms[] =
	"0000000000000000 A fixed_percpu_data\n"
	"ffffffff81000000 T _text\n"
	"ffffffff81000000 T _stext\n"
	"ffffffff81000040 t early_start\n"
	"ffffffff81001000 T vfs_read\n"
	"ffffffff81002000 T schedule\n"
	"ffffffff81002000 T schedule_alias\n"
	"ffffffff81003000 T hrtimer_nanosleep\n"
	"ffffffffc0000000 t ext4_read\t[ext4]\n"
	"ffffffffc0001000 t kt_probe\t[kttest]\n";

static void add(struct kt_formats *f, const char *system, char *text, size_t size)
{
	f->sources = realloc(f->sources, (f->nr + 1) * sizeof(*f->sources));
	assert_non_null(f->sources);
	f->sources[f->nr].system = strdup(system);
	f->sources[f->nr].format = (struct kt_blob){ text, size };
	f->nr++;
}

static int visible(const struct dirent *d)
{
	return d->d_name[0] != '.' && d->d_type == DT_DIR;
}

static void add_system(struct kt_formats *f, const char *dir, const char *system)
{
	struct dirent **names;
	struct str text;
	char path[600];
	int nr, i;

	snprintf(path, sizeof(path), "%s/%s", dir, system);
	nr = scandir(path, &names, visible, alphasort);
	for (i = 0; i < nr; i++) {
		text = (struct str)STR_INIT;
		snprintf(path, sizeof(path), "%s/%s/%s/format", dir, system, names[i]->d_name);
		if (str_read_file(&text, path) == 0) {
			size_t size = text.len;

			add(f, system, str_take(&text), size);
		}
		str_fini(&text);
		free(names[i]);
	}
	if (nr >= 0)
		free(names);
}

struct kt_formats kt_formats_of_tree(const char *dir)
{
	struct kt_formats f = { 0 };
	struct dirent **names;
	int nr = scandir(dir, &names, visible, alphasort), i;

	for (i = 0; i < nr; i++) {
		add_system(&f, dir, names[i]->d_name);
		free(names[i]);
	}
	if (nr >= 0)
		free(names);
	return f;
}

static char *unzstd(const char *path, size_t *size)
{
	size_t packed_size;
	char *packed = kt_slurp(path, &packed_size), *text;

	*size = ZSTD_getFrameContentSize(packed, packed_size);
	assert_true(*size < 64 << 20);
	text = calloc(1, *size + 1);
	assert_int_equal(ZSTD_decompress(text, *size, packed, packed_size), *size);
	free(packed);
	return text;
}

/* A line "system: NAME" precedes each format. */
struct kt_formats kt_formats_of_file(const char *path)
{
	struct kt_formats f = { 0 };
	char *all, *p, *next, *text, system[64];
	size_t size;

	all = unzstd(path, &size);
	for (p = strstr(all, "\nsystem: "); p; p = next) {
		assert_int_equal(sscanf(p, "\nsystem: %63s", system), 1);
		text = strchr(p + 1, '\n') + 1;
		next = strstr(text, "\nsystem: ");
		size = next ? (size_t)(next + 1 - text) : strlen(text);
		add(&f, system, strndup(text, size), size);
	}
	free(all);
	return f;
}

void kt_formats_free(struct kt_formats *f)
{
	size_t i;

	for (i = 0; i < f->nr; i++) {
		free((void *)f->sources[i].system);
		free((void *)f->sources[i].format.data);
	}
	free(f->sources);
	*f = (struct kt_formats){ 0 };
}

static bool is_long(const char *line, const char *end)
{
	const char *name = memchr(line, ';', end - line);
	size_t len = (name ? name : end) - line;

	if (memmem(line, len, "long long", 9) || memmem(line, len, "__data_loc", 10) ||
	    memmem(line, len, "__rel_loc", 9))
		return false;
	return memmem(line, len, "long ", 5) || memchr(line, '*', len) || memmem(line, len, "size_t ", 7);
}

/* One line of a format: halve the size of a long or pointer, or of an array of them */
static void narrow_line(const char *line, const char *end, struct str *s)
{
	const char *size = memmem(line, end - line, "\tsize:", 6);
	unsigned int nr;

	if (!str_starts(line, "\tfield:") || !size || sscanf(size, "\tsize:%u;", &nr) != 1 ||
	    nr % 8 || !is_long(line, end)) {
		str_addn(s, line, end - line);
		return;
	}
	str_addn(s, line, size - line);
	str_addf(s, "\tsize:%u", nr / 2);
	size = strchr(size, ';');
	str_addn(s, size, end - size);
}

void kt_formats_narrow(struct kt_formats *f)
{
	const char *p, *end, *eol;
	size_t i;

	f->long_size = 4;
	for (i = 0; i < f->nr; i++) {
		struct kt_blob *format = &f->sources[i].format;
		struct str s = STR_INIT;

		for (p = format->data, end = p + format->size; p < end; p = eol) {
			eol = memchr(p, '\n', end - p);
			eol = eol ? eol + 1 : end;
			narrow_line(p, eol, &s);
		}
		free((void *)format->data);
		format->size = s.len;
		format->data = str_take(&s);
	}
}

static const struct kt_event_source *source_at(void *data, size_t i)
{
	return &((const struct kt_formats *)data)->sources[i];
}

struct kt_events *kt_formats_events(const struct kt_formats *f, struct kt_symbols *syms,
				    bool big_endian)
{
	const struct kt_events_origin origin = {
		.big_endian = big_endian, .long_size = f->long_size ?
			      f->long_size : 8, .nr = f->nr, .at = source_at, .data = (void *)f,
	};
	struct kt_err err = { 0 };
	struct kt_events *evs = kt_events_create_from(&origin, syms, &err);

	CHECK_NO_ERR(&err);
	return evs;
}

static uint64_t rnd(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state * 0x2545f4914f6cdd1d;
}

static uint64_t pick_number(uint64_t *state, bool small)
{
	static const uint64_t interesting[] = {
		0, 1, 2, 3, 7, 8, 9, 10, 64, 99, 100, 127, 128, 255, 256, 1000, 4095, 32767, 32768,
		65535, 65536, 999999, 1000000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
		0x7fffffffffffffff, 0x8000000000000000, ~0ULL, ~0ULL - 1, ~0ULL - 10, ~0ULL - 4094,
		0xffffffff81000000, 0xffffffff81000048, 0xffffffff81002000, 0xffffffff81002004,
		0xffffffff81001fff, 0xffffffff80ffffff, 0xffffffffc0000123, 0xffffffffc0001000,
		0xffffffffc0001001, 0x0123456789abcdef,
	};
	uint64_t r = rnd(state);

	if (small)
		return r % 17;
	switch (r % 4) {
	case 0:
		return rnd(state);
	case 1:
		return 1ULL << (rnd(state) % 64);
	}
	return interesting[rnd(state) % (sizeof(interesting) / sizeof(interesting[0]))];
}

/*
 * Every second seed has only printable characters. Texts end with a zero byte:
 * after one that fills its array, libtraceevent -R continues with the next field.
 */
static void fill_text(uint64_t *state, bool plain, uint8_t *to, size_t size)
{
	static const char chars[] = "abcdefghijklmnopqrstuvwxyz/ :%=-\"0123456789\n\x1b\xc3";
	size_t len = size ? rnd(state) % size : 0, i;

	for (i = 0; i < size; i++)
		to[i] = i < len ? chars[rnd(state) % (sizeof(chars) - (plain ? 3 : 1))] : 0;
}

/* Dynamic arrays follow the fixed part, one after the other. */
static void fill_dynamic(const struct kt_field *f, uint64_t *state, bool plain, bool swap,
			 uint8_t *buf, uint32_t *end)
{
	uint32_t elem = f->elem_size && f->elem_size <= 8 ? f->elem_size : 4, i, loc;
	uint32_t size = rnd(state) % 9 * elem;

	if (strstr(f->type, "mask"))
		/* whole longs; only one where the library confuses their byte order */
		size = swap ? 8 : (size + 7) & ~7U;
	if (f->flags & KT_FIELD_STRING) {
		size = 1 + rnd(state) % 20;
		fill_text(state, plain, buf + *end, size);
		buf[*end + size - 1] = '\0';
	} else {
		for (i = 0; i < size; i++)
			buf[*end + i] = rnd(state);
	}
	loc = *end;
	if (f->flags & KT_FIELD_RELATIVE)
		loc -= f->offset + f->size;
	loc |= size << 16;
	if (swap)
		loc = __builtin_bswap32(loc);
	memcpy(buf + f->offset, &loc, sizeof(loc));
	*end = (*end + size + 3) & ~3U;
}

static void fill_field(const struct kt_field *f, uint64_t *state, bool small, bool plain,
		       bool swap, uint8_t *buf, uint32_t *end)
{
	uint64_t v;
	uint32_t i;

	if (f->flags & KT_FIELD_DYNAMIC) {
		if (f->size == 4)
			fill_dynamic(f, state, plain, swap, buf, end);
	} else if ((f->flags & KT_FIELD_STRING) && (f->flags & KT_FIELD_ARRAY)) {
		fill_text(state, plain, buf + f->offset, f->size);
	} else if (f->size <= 8) {
		v = pick_number(state, small);
		if (swap && f->size)
			v = __builtin_bswap64(v) >> (64 - 8 * f->size);
		memcpy(buf + f->offset, &v, f->size);
	} else {
		for (i = 0; i < f->size; i++)
			buf[f->offset + i] = rnd(state);
	}
}

struct kt_record kt_formats_record(const struct kt_event *ev, unsigned int seed, bool big_endian,
				   uint8_t *buf)
{
	bool swap = big_endian != KT_HOST_BIG;
	uint16_t type = swap ? __builtin_bswap16(ev->id) : ev->id;
	static const char *const lengths[] = { "*", "__print_hex", "__print_array", "[REC", NULL };
	uint64_t state = 0x9e3779b97f4a7c15 * (seed + 1) + ev->id;
	uint32_t end = 0;
	bool small = seed % 8 == 7;
	size_t i;

	for (i = 0; lengths[i]; i++)
		small |= strstr(ev->print_fmt, lengths[i]) != NULL;
	memset(buf, 0, 65536);
	for (i = 0; i < ev->nr_common + ev->nr_fields; i++) {
		const struct kt_field *f = i < ev->nr_common ? &ev->common[i]
							     : &ev->fields[i - ev->nr_common];

		if (f->offset + f->size > end)
			end = f->offset + f->size;
	}
	end = (end + 3) & ~3U;
	for (i = 1; i < ev->nr_common; i++)
		fill_field(&ev->common[i], &state, false, true, swap, buf, &end);
	for (i = 0; i < ev->nr_fields; i++)
		fill_field(&ev->fields[i], &state, small, seed % 2 == 0, swap, buf, &end);
	memcpy(buf, &type, sizeof(type));
	end += 256;		/* a length may reach beyond its array */
	return (struct kt_record){ .data = buf, .size = end, .type = ev->id };
}
