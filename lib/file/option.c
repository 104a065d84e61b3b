/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* option.c - the options of a file, as records of id, size and bytes */
#include <errno.h>

#include "base/array.h"
#include "file/file.h"

#define COPY_LIMIT 65536	/* names and the like are copied: they must outlive the map */

int file_add_option(struct kt_file *f, uint16_t id, const void *data, uint32_t size)
{
	if (!array_reserve(f->options, f->nr_options))
		return -ENOMEM;
	if (size <= COPY_LIMIT || id == KT_OPTION_INDEX)
		data = file_keep_text(f, data, size);
	if (!data)
		return -ENOMEM;
	f->options[f->nr_options].id = id;
	f->options[f->nr_options++].raw = (struct kt_blob){ data, size };
	return 0;
}

/*
 * Add all options up to DONE. @next: v7, offset of the next options section, 0 if
 * this is the last. Returns -EBADMSG if DONE is missing.
 */
int file_take_options(struct kt_file *f, struct scan *s, uint64_t *next)
{
	const void *data;
	uint32_t size;
	uint16_t id;
	int ret;

	*next = 0;
	for (;;) {
		id = scan_u16(s);
		if (!s->failed && id == KT_OPTION_DONE && f->info.version < 7)
			return 0;	/* v6 stores no size here */
		size = scan_u32(s);
		if (!s->failed && id == KT_OPTION_DONE) {
			*next = size >= 8 ? scan_u64(s) : 0;
			return s->failed ? -EBADMSG : 0;
		}
		data = scan_bytes(s, size);
		if (s->failed || f->nr_options == FILE_MAX_OPTIONS)
			return -EBADMSG;
		ret = file_add_option(f, id, data, size);
		if (ret < 0)
			return ret;
	}
}

size_t kt_file_nr_options(const struct kt_file *file)
{
	return file->nr_options;
}

const struct kt_option *kt_file_option(const struct kt_file *file, size_t i)
{
	return i < file->nr_options ? &file->options[i] : NULL;
}

const struct kt_option *kt_file_find_option(const struct kt_file *file, uint16_t id)
{
	size_t i;

	for (i = 0; i < file->nr_options; i++)
		if (file->options[i].id == id)
			return &file->options[i];
	return NULL;
}
