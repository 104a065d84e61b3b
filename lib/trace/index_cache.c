/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * index_cache.c - store the index of a trace in the user's cache folder
 *
 * The name of the file is a hash that identifies the trace files by device, inode, size,
 * time of change, first and last bytes, and includes how their times are corrected. So
 * the index of a changed file is never found. The content is used
 * only if its checksum is right. It is only a cache: on any error the index is
 * silently built from the data.
 */
#include "trace/index.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/home.h"
#include "base/str.h"
#include "file/note.h"
#include "stream/cursor.h"

#define MAGIC	  0x31786e6972746bull	/* "ktrinx1", in the host's byte order */
#define PREFIX	  "index-"
#define MOST_KEPT 64			/* files; the oldest are removed */

struct head {
	uint64_t magic, key, nr_sources, size, sum;	/* @sum: of everything after it */
};

struct source_head {
	uint64_t nr, total, last, goes_back;
};

static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 29;
}

static uint64_t mix_words(uint64_t hash, const void *data, size_t size)
{
	const uint8_t *p = data;
	uint64_t word;

	for (; size >= sizeof(word); p += sizeof(word), size -= sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		hash = mix(hash, word);
	}
	return hash;
}

static uint64_t mix_times(uint64_t hash, const struct timefix *fix)
{
	uint64_t factor;
	size_t i;

	memcpy(&factor, &fix->factor, sizeof(factor));
	hash = mix(mix(hash, fix->add), factor);
	hash = mix(mix(hash, fix->mult), (uint64_t)fix->shift << 1 | fix->interpolate);
	for (i = 0; i < fix->nr_samples; i++) {
		const struct timefix_sample *s = &fix->samples[i];

		hash = mix(mix(hash, s->time), (uint64_t)s->offset);
		hash = mix(mix(hash, s->scaling), s->fraction);
	}
	return mix(hash, fix->nr_samples);
}

/* 0: no key, for example for a running recording */
static uint64_t key_of(const struct kt_index *ix)
{
	uint64_t key = MAGIC, id;
	struct cursor c;
	size_t i;

	for (i = 0; i < kt_trace_nr_files(ix->trace); i++) {
		id = file_identity(kt_trace_file(ix->trace, i));
		if (!id)
			return 0;
		key = mix(key, id);
	}
	for (i = 0; i < ix->nr_sources; i++) {
		const struct kt_source *src = kt_stream_source(ix->stream, i);

		stream_init_cursor(ix->stream, i, &c);
		key = mix(mix(key, src->file_index), src->buffer);
		key = mix_times(mix(key, src->cpu_index), c.fix);
	}
	return key ? key : 1;
}

/* New (free), NULL: no memory */
static char *path_of(const struct kt_index *ix, uint64_t key, const char *suffix)
{
	struct str path = STR_INIT;

	str_addf(&path, "%s/" PREFIX "%016" PRIx64 "%s", ix->cache, key, suffix);
	return str_take(&path);
}

/* ---- loading ---- */

/* Are the marks in order, and within the source? */
static bool is_sane(const struct source_head *h, const struct mark *m)
{
	size_t i;

	for (i = 0; i < h->nr; i++) {
		if (m[i].nr >= h->total || m[i].ts > h->last)
			return false;
		if (i && (m[i].ts < m[i - 1].ts || m[i].nr <= m[i - 1].nr ||
			  m[i].chunk < m[i - 1].chunk))
			return false;
	}
	return h->goes_back <= 1 && !m[0].nr;
}

enum direction { READ, WRITE };

static bool move_all(int fd, void *bytes, size_t left, enum direction direction)
{
	uint8_t *at = bytes;
	ssize_t got;

	while (left) {
		got = direction == READ ? read(fd, at, left) : write(fd, at, left);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		left -= (size_t)got;
	}
	return true;
}

/* @left: bytes left in the file; @sum: of the bytes read before */
static bool take_source(struct index_source *s, int fd, size_t *left, uint64_t *sum)
{
	struct source_head h;
	size_t size, i;

	if (*left < sizeof(h) || !move_all(fd, &h, sizeof(h), READ))
		return false;
	*left -= sizeof(h);
	if (h.nr > *left / sizeof(struct mark))
		return false;
	size = h.nr * sizeof(struct mark);
	s->marks.at = malloc(size + sizeof(struct mark));
	if (!s->marks.at || !move_all(fd, s->marks.at, size, READ))
		return false;
	*left -= size;
	*sum = mix_words(mix_words(*sum, &h, sizeof(h)), s->marks.at, size);
	s->marks.nr = h.nr;
	s->marks.total = h.total;
	s->marks.last = h.last;
	s->marks.goes_back = h.goes_back;
	for (i = 0; i < h.nr; i++)
		s->marks.lossy |= s->marks.at[i].lost;
	return h.nr ? is_sane(&h, s->marks.at) : !h.total;
}

static bool take_all(struct kt_index *ix, int fd, uint64_t key)
{
	uint64_t sum = key;
	struct head h;
	struct stat st;
	size_t left, i;

	if (fstat(fd, &st) < 0 || !move_all(fd, &h, sizeof(h), READ))
		return false;
	left = (size_t)st.st_size - sizeof(h);
	if (h.magic != MAGIC || h.key != key || h.nr_sources != ix->nr_sources || h.size != left)
		return false;
	for (i = 0; i < ix->nr_sources; i++)
		if (!take_source(&ix->sources[i], fd, &left, &sum))
			return false;
	return !left && sum == h.sum;
}

static void forget(struct kt_index *ix)
{
	size_t i;

	for (i = 0; i < ix->nr_sources; i++) {
		free(ix->sources[i].marks.at);
		ix->sources[i].marks = (struct marks){ 0 };
	}
}

/* Opens only a file that this user wrote, and makes it the newest. */
static int open_own(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid()) {
		futimens(fd, NULL);
		return fd;
	}
	close(fd);
	return -1;
}

bool index_load(struct kt_index *ix)
{
	uint64_t key = ix->cache ? key_of(ix) : 0;
	char *path = key ? path_of(ix, key, "") : NULL;
	int fd = path ? open_own(path) : -1;
	bool good = false;

	if (fd >= 0) {
		good = take_all(ix, fd, key);
		if (!good)
			forget(ix);
		close(fd);
	}
	free(path);
	return good;
}

/* ---- saving ---- */

static void put_all(const struct kt_index *ix, struct str *file, uint64_t key)
{
	struct head h = { .magic = MAGIC, .key = key, .nr_sources = ix->nr_sources };
	size_t i;

	str_addn(file, &h, sizeof(h));
	for (i = 0; i < ix->nr_sources; i++) {
		const struct marks *m = &ix->sources[i].marks;
		struct source_head s = { m->nr, m->total, m->last, m->goes_back };

		str_addn(file, &s, sizeof(s));
		str_addn(file, m->at, m->nr * sizeof(*m->at));
	}
	if (file->failed)
		return;
	h.size = file->len - sizeof(h);
	h.sum = mix_words(key, file->buf + sizeof(h), h.size);
	memcpy(file->buf, &h, sizeof(h));
}

struct kept {
	char name[64];
	time_t changed;
};

static int by_age(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	return x->changed > y->changed ? -1 : x->changed < y->changed;
}

/* Keeps the newest ones */
static void remove_oldest(const char *folder)
{
	struct kept *all = NULL;
	DIR *dir = opendir(folder);
	struct dirent *e;
	struct stat st;
	size_t nr = 0;

	while (dir && (e = readdir(dir))) {
		if (!str_starts(e->d_name, PREFIX) || strlen(e->d_name) >= sizeof(all->name) ||
		    fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		if (!array_reserve(all, nr))
			break;
		strcpy(all[nr].name, e->d_name);
		all[nr++].changed = st.st_mtime;
	}
	if (nr > MOST_KEPT)
		qsort(all, nr, sizeof(*all), by_age);
	while (dir && nr > MOST_KEPT)
		unlinkat(dirfd(dir), all[--nr].name, 0);
	if (dir)
		closedir(dir);
	free(all);
}

void index_save(struct kt_index *ix)
{
	uint64_t key = ix->cache ? key_of(ix) : 0;
	struct str file = STR_INIT;
	char *path, *temporary, suffix[32];
	int fd = -1;

	if (!key)
		return;
	snprintf(suffix, sizeof(suffix), ".%ld", (long)getpid());
	path = path_of(ix, key, "");
	temporary = path_of(ix, key, suffix);
	put_all(ix, &file, key);
	home_make_folder(ix->cache);
	if (path && temporary && !file.failed)
		fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0) {
		bool good = move_all(fd, file.buf, file.len, WRITE);

		if (close(fd) < 0 || !good || rename(temporary, path) < 0)
			unlink(temporary);
		remove_oldest(ix->cache);
	}
	str_fini(&file);
	free(path);
	free(temporary);
}
