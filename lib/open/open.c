/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* open.c - open a file: read its first bytes and find the rest; close it */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "file/note.h"

static const char magic[] = "\x17\x08\x44tracing";

static int read_compression(struct kt_file *f, struct scan *s, struct kt_err *err)
{
	f->info.compression = scan_str(s);
	f->info.compression_version = scan_str(s);
	f->options_offset = scan_u64(s);
	if (s->failed)
		return kt_err_set(err, -EINVAL, "%s is cut off within its first bytes", f->path);
	f->sections_offset = s->at - f->map;
	if (strcmp(f->info.compression, "none") == 0)
		return 0;
	f->codec = codec_find(f->info.compression);
	if (!f->codec)
		return kt_err_set(err, -ENOTSUP,
				  "%s is compressed with '%s', this ktrail knows zstd and zlib",
				  f->path, f->info.compression);
	return 0;
}

static int read_header(struct kt_file *f, struct scan *s, struct kt_err *err)
{
	const char *start = scan_bytes(s, sizeof(magic) - 1), *version;
	uint8_t endian;
	char *end;

	if (!start || memcmp(start, magic, sizeof(magic) - 1) != 0)
		return kt_err_set(err, -EINVAL, "%s is not a trace.dat file", f->path);
	version = scan_str(s);
	if (!version)
		return kt_err_set(err, -EINVAL, "%s is cut off within its first bytes", f->path);
	f->info.version = strtol(version, &end, 10);
	if (*end || end == version || f->info.version < 6 || f->info.version > 7)
		return kt_err_set(err, -ENOTSUP,
				  "%s is a trace.dat of version '%s', this ktrail reads 6 and 7",
				  f->path, version);

	endian = scan_u8(s);
	f->info.big_endian = endian == 1;
	f->swap = s->swap = f->info.big_endian != KT_HOST_BIG;
	f->info.long_size = scan_u8(s);
	f->info.page_size = scan_u32(s);
	if (s->failed)
		return kt_err_set(err, -EINVAL, "%s is cut off within its first bytes", f->path);
	if (endian > 1)
		file_damage(f, "unknown byte order %u: assuming little endian", endian);
	if (f->info.long_size != 4 && f->info.long_size != 8) {
		file_damage(f, "unknown size of a long, %d: assuming 8", f->info.long_size);
		f->info.long_size = 8;
	}
	if (f->info.page_size < 64 || f->info.page_size > FILE_MAX_PAGE_SIZE) {
		file_damage(f, "invalid sub-buffer size %u: assuming 4096",
			    f->info.page_size);
		f->info.page_size = 4096;
	}
	f->info.compression = "none";
	f->info.compression_version = "";
	return f->info.version > 6 ? read_compression(f, s, err) : 0;
}

/* Prepare what the rest of the library expects of every file */
static void finish(struct kt_file *f)
{
	const struct kt_option *o = kt_file_find_option(f, KT_OPTION_TRACEID);
	size_t i;

	if (o && o->raw.size >= 8)
		f->info.trace_id = load_u64(o->raw.data, f->swap);
	o = kt_file_find_option(f, KT_OPTION_CPUCOUNT);
	if (f->info.version > 6 && o && o->raw.size >= 4) {
		uint32_t nr = load_u32(o->raw.data, f->swap);

		if (nr <= 65536 && (int)nr > f->info.nr_cpus)
			f->info.nr_cpus = nr;
	}
	file_sort_buffers(f);
	for (i = 0; i < f->nr_buffers; i++)
		if (!*f->buffers[i].pub.clock)
			f->buffers[i].pub.clock = file_option_clock(f);
}

struct kt_file *file_open(const char *path, bool alone, struct kt_err *err)
{
	struct kt_file *f = calloc(1, sizeof(*f));
	struct scan s;
	int ret = -ENOMEM;

	if (!f) {
		kt_err_no_memory(err);
		return NULL;
	}
	f->fd = -1;
	f->alone = alone;
	pthread_mutex_init(&f->lock, NULL);
	pthread_mutex_init(&f->load_lock, NULL);
	pthread_mutex_init(&f->kallsyms_lock, NULL);
	pthread_cond_init(&f->cache.loaded, NULL);
	f->cache.max_idle = KT_FILE_CACHE;
	file_limit_readers(f, 1);
	f->path = strdup(path);
	if (!f->path)
		goto out;
	f->info.path = f->path;
	ret = open_input(f, err);
	if (ret < 0)
		goto out;
	ret = file_map(f, err);
	if (ret < 0)
		goto out;

	s = file_scan(f, 0);
	ret = read_header(f, &s, err);
	if (ret < 0)
		goto out;
	ret = f->info.version > 6 ? file_read_v7(f) : file_read_v6(f, &s);
	if (ret < 0)
		goto out;
	finish(f);
	return f;
out:
	kt_err_set(err, ret, "cannot read %s: %s", path, strerror(-ret));
	kt_file_close(f);
	return NULL;
}

struct kt_file *kt_file_open(const char *path, struct kt_err *err)
{
	return file_open(path, false, err);
}

static void free_buffers(struct kt_file *f)
{
	size_t i, cpu;

	for (i = 0; i < f->nr_buffers; i++) {
		struct buffer *b = &f->buffers[i];

		for (cpu = 0; cpu < b->pub.nr_cpus; cpu++)
			free(b->index[cpu].entries);
		free(b->index);
		free(b->cpus);
	}
	free(f->buffers);
}

static void free_lists(struct kt_file *f)
{
	struct unpacker *u;
	struct kept *k;

	while ((k = f->kept)) {
		f->kept = k->next;
		free(k);
	}
	while ((u = f->unpackers)) {
		f->unpackers = u->next;
		f->codec->decompressor_free(u->ctx);
		free(u->in);
		free(u);
	}
	while (f->nr_damages)
		free(f->damages[--f->nr_damages]);
	free(f->more_hashes);
}

void kt_file_close(struct kt_file *f)
{
	if (!f)
		return;
	file_readers_fini(f);
	file_cache_fini(&f->cache);
	file_summaries_free(f);
	free_buffers(f);
	free_lists(f);
	free(f->sections);
	free(f->options);
	free(f->events);
	free(f->strings);
	file_unmap(f);
	pthread_cond_destroy(&f->cache.loaded);
	pthread_mutex_destroy(&f->load_lock);
	pthread_mutex_destroy(&f->kallsyms_lock);
	pthread_mutex_destroy(&f->lock);
	free(f->path);
	free(f);
}

const struct kt_file_info *kt_file_info(const struct kt_file *file)
{
	return &file->info;
}

size_t kt_file_nr_sections(const struct kt_file *file)
{
	return file->nr_sections;
}

const struct kt_section *kt_file_section(const struct kt_file *file, size_t i)
{
	return i < file->nr_sections ? &file->sections[i].pub : NULL;
}

int kt_file_section_data(struct kt_file *file, size_t i, struct kt_blob *out, struct kt_err *err)
{
	pthread_mutex_t *lock;
	int ret;

	if (i >= file->nr_sections)
		return kt_err_set(err, -ENOENT, "%s: has no section number %zu", file->path, i);
	lock = file_section_lock(file, file->sections[i].pub.id);
	pthread_mutex_lock(lock);
	ret = file_load_section(file, i, out);
	pthread_mutex_unlock(lock);
	if (ret < 0)
		kt_err_set(err, ret, "%s: section %u at %llu cannot be read", file->path,
			   file->sections[i].pub.id,
			   (unsigned long long)file->sections[i].pub.offset);
	return ret;
}
