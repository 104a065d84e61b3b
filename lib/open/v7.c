/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* v7.c - the directory of a version 7 file: a chain of options sections */
#include <errno.h>
#include <inttypes.h>

#include "file/file.h"

/* One options section. *@next: offset of the next one. *@done: it was already taken. */
static int take_section(struct kt_file *f, size_t i, uint64_t *next, bool *done)
{
	struct kt_blob body;
	struct scan s;
	int ret;

	*next = 0;
	*done = f->sections[i].loaded;
	if (*done)
		return 0;
	ret = file_load_section(f, i, &body);
	if (ret < 0)
		return ret;
	s = scan_init(body.data, body.size, f->swap);
	return file_take_options(f, &s, next);
}

/* Returns 0 if the whole chain was followed, else -EBADMSG. */
static int follow_chain(struct kt_file *f)
{
	uint64_t at = f->options_offset, next;
	bool seen = false;
	size_t i;
	int ret;

	if (!at)
		file_damage(f, "the recording was not finished: its options are not linked");
	while (at && !seen) {
		i = file_read_section(f, at);
		if (i == FILE_NO_SECTION || f->sections[i].pub.id != KT_OPTION_DONE) {
			file_damage(f,
				    "no options section at %" PRIu64 " (the file ends at %" PRIu64
				    ")", at, f->info.size);
			return -EBADMSG;
		}
		ret = take_section(f, i, &next, &seen);
		if (ret == -ENOMEM)
			return ret;
		if (ret < 0) {
			file_damage(f, "options section at %" PRIu64 " is truncated", at);
			return -EBADMSG;
		}
		if (seen)
			file_damage(f, "options sections are linked in a loop at %" PRIu64, at);
		at = next;
	}
	return f->options_offset ? 0 : -EBADMSG;
}

/* Take the options that the broken chain missed, in file order */
static int take_unlinked(struct kt_file *f)
{
	uint64_t next;
	bool seen;
	size_t i;
	int ret;

	for (i = 0; i < f->nr_sections; i++) {
		if (f->sections[i].pub.id != KT_OPTION_DONE)
			continue;
		ret = take_section(f, i, &next, &seen);
		if (ret == -ENOMEM)
			return ret;
	}
	return 0;
}

int file_read_v7(struct kt_file *f)
{
	int ret, chain;
	bool cut;

	file_walk_sections(f, &cut);
	chain = follow_chain(f);
	if (chain == -ENOMEM)
		return chain;
	if (chain < 0) {
		ret = take_unlinked(f);
		if (ret < 0)
			return ret;
	}
	ret = file_load_strings(f);
	if (ret < 0)
		return ret;
	ret = file_make_buffers(f);
	if (ret < 0)
		return ret;
	file_load_header_page(f);
	if (chain < 0 || cut)
		ret = file_recover_sections(f);
	if (ret < 0)
		return ret;
	return !f->nr_buffers && f->nr_parts ? file_recover_parts(f) : 0;
}
