/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meta.c - the metadata of the recording kernel: headers, event formats, symbols, tasks */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "file/file.h"

static const struct {
	const char *name;
	uint16_t section;
	unsigned int size_bytes;	/* of the length before it; 0: none */
} metas[KT_NR_METAS] = {
	[KT_META_HEADER_PAGE]  = { "header_page", KT_OPTION_HEADER_INFO, 8 },
	[KT_META_HEADER_EVENT] = { "header_event", KT_OPTION_HEADER_INFO, 8 },
	[KT_META_KALLSYMS]     = { "kallsyms", KT_OPTION_KALLSYMS, 4 },
	[KT_META_PRINTK]       = { "printk_formats", KT_OPTION_PRINTK, 4 },
	[KT_META_CMDLINES]     = { "saved_cmdlines", KT_OPTION_CMDLINES, 8 },
	[KT_META_BTF]	       = { "BTF", KT_OPTION_BTF_FILE, 0 },
	[KT_META_MODULES]      = { "modules", KT_OPTION_MODULES_FILE, 0 },
};

/* @terminated: a NUL follows the bytes of @s, so text that reaches their end need not be copied. */
static int take_meta(struct kt_file *f, struct scan *s, enum kt_meta which, bool terminated)
{
	uint64_t size = metas[which].size_bytes ? scan_uint(s, metas[which].size_bytes) : s->left;
	uint64_t have = size < s->left ? size : s->left;
	const char *text = (const char *)s->at;

	if (s->failed)
		return -EBADMSG;
	if (!terminated || have < s->left)
		text = file_keep_text(f, text, have);
	if (!text)
		return -ENOMEM;
	f->metas[which] = (struct kt_blob){ text, have };
	if (have < size)
		file_damage(f, "%s is truncated: %llu of %llu bytes", metas[which].name,
			    (unsigned long long)have, (unsigned long long)size);
	scan_bytes(s, size);
	return s->failed ? -EBADMSG : 0;
}

int file_take_meta(struct kt_file *f, struct scan *s, enum kt_meta which)
{
	return take_meta(f, s, which, false);
}

int file_take_header_info(struct kt_file *f, struct scan *s)
{
	int ret;

	if (!scan_word(s, "header_page"))
		return -EBADMSG;
	ret = file_take_meta(f, s, KT_META_HEADER_PAGE);
	if (ret < 0)
		return ret;
	if (!scan_word(s, "header_event"))
		return -EBADMSG;
	return file_take_meta(f, s, KT_META_HEADER_EVENT);
}

static int take_event(struct kt_file *f, struct scan *s, const char *system)
{
	uint64_t size = scan_u64(s);
	const char *text = scan_bytes(s, size);
	struct kt_event_source *e;

	if (!text || f->nr_events == FILE_MAX_EVENTS)
		return -EBADMSG;
	e = array_add(f->events, f->nr_events);
	if (!e)
		return -ENOMEM;
	e->system = system;
	e->format = (struct kt_blob){ text, size };
	return 0;
}

int file_take_ftrace_events(struct kt_file *f, struct scan *s)
{
	uint32_t nr = scan_u32(s);
	int ret = s->failed ? -EBADMSG : 0;

	while (nr-- && !ret)
		ret = take_event(f, s, "ftrace");
	return ret;
}

int file_take_event_systems(struct kt_file *f, struct scan *s)
{
	uint32_t systems = scan_u32(s), nr;
	const char *name;
	int ret = s->failed ? -EBADMSG : 0;

	while (systems-- && !ret) {
		name = scan_str(s);
		nr = scan_u32(s);
		ret = s->failed ? -EBADMSG : 0;
		while (nr-- && !ret)
			ret = take_event(f, s, name);
	}
	return ret;
}

#define TIME_STAMP_SIZE 8	/* at the start of every sub-buffer, in every kernel */

/* The number after @key ("offset:"), within one line of header_page; -1 if missing */
static long number_after(const char *line, const char *end, const char *key)
{
	const char *at = memmem(line, end - line, key, strlen(key));

	return at ? strtol(at + strlen(key), NULL, 10) : -1;
}

static bool find_field(const struct kt_blob *page, const char *name, long *offset, long *size)
{
	const char *at = memmem(page->data, page->size, name, strlen(name)), *end;

	if (!at)
		return false;
	end = memchr(at, '\n', page->data + page->size - at);
	if (!end)
		end = page->data + page->size;
	*offset = number_after(at, end, "offset:");
	*size = number_after(at, end, "size:");
	return *offset >= 0;
}

static void parse_header_page(struct kt_file *f)
{
	struct kt_blob page = f->metas[KT_META_HEADER_PAGE];
	struct kt_file_info *info = &f->info;
	long offset, size;

	info->commit_offset = TIME_STAMP_SIZE;
	info->commit_size = info->long_size;
	info->data_offset = TIME_STAMP_SIZE + info->long_size;
	info->old_events = page.data && !page.size;
	if (!page.size)
		return;

	/* Code that walks the data reads the time stamp before it unchecked. */
	if (find_field(&page, " commit;", &offset, &size) && offset >= TIME_STAMP_SIZE &&
	    offset <= 64 && (size == 4 || size == 8)) {
		info->commit_offset = offset;
		info->commit_size = size;
		info->data_offset = offset + size;
	}
	if (find_field(&page, " data;", &offset, &size) &&
	    offset >= info->commit_offset + info->commit_size && offset <= 256)
		info->data_offset = offset;
	else
		file_damage(f, "header_page lacks the offset of the data");
}

/* v7: a section is parsed when its content is first needed. */
static int load_meta(struct kt_file *f, enum kt_meta which)
{
	size_t i = file_section_by_id(f, metas[which].section);
	struct kt_blob body;
	struct scan s;
	int ret;

	if (f->info.version < 7 || i == FILE_NO_SECTION)
		return -ENOENT;
	ret = file_load_section(f, i, &body);
	if (ret < 0)
		return ret;
	s = scan_init(body.data, body.size, f->swap);
	if (metas[which].section == KT_OPTION_HEADER_INFO)
		return file_take_header_info(f, &s);
	return take_meta(f, &s, which, f->sections[i].pub.compressed);
}

int kt_file_meta(struct kt_file *file, enum kt_meta which, struct kt_blob *out, struct kt_err *err)
{
	pthread_mutex_t *lock = file_section_lock(file, metas[which].section);
	int ret = 0;

	pthread_mutex_lock(lock);
	if (!file->metas[which].data)
		ret = load_meta(file, which);
	*out = file->metas[which];
	pthread_mutex_unlock(lock);
	if (out->data)
		return 0;
	if (ret == -ENOENT)
		return kt_err_set(err, ret, "%s: has no %s", file->path, metas[which].name);
	return kt_err_set(err, ret ? ret : -EBADMSG, "%s: its %s cannot be read", file->path,
			  metas[which].name);
}

static void load_events(struct kt_file *f, uint16_t id,
			int (*take)(struct kt_file *f, struct scan *s))
{
	size_t i = file_section_by_id(f, id);
	struct kt_blob body;
	struct scan s;

	if (i == FILE_NO_SECTION) {
		file_damage(f, "no section with event formats (id %u)", id);
		return;
	}
	if (file_load_section(f, i, &body) < 0)
		return;
	s = scan_init(body.data, body.size, f->swap);
	if (take(f, &s) == -EBADMSG)
		file_damage(f, "event formats (section %u at %llu) are truncated", id,
			    (unsigned long long)f->sections[i].pub.offset);
}

size_t kt_file_nr_events(struct kt_file *file)
{
	size_t nr;

	pthread_mutex_lock(&file->load_lock);
	if (!file->events_loaded && file->info.version > 6) {
		load_events(file, KT_OPTION_FTRACE_EVENTS, file_take_ftrace_events);
		load_events(file, KT_OPTION_EVENT_FORMATS, file_take_event_systems);
	}
	file->events_loaded = true;
	nr = file->nr_events;
	pthread_mutex_unlock(&file->load_lock);
	return nr;
}

const struct kt_event_source *kt_file_event(struct kt_file *file, size_t i)
{
	return i < kt_file_nr_events(file) ? &file->events[i] : NULL;
}

void file_load_header_page(struct kt_file *f)
{
	struct kt_blob page;

	if (kt_file_meta(f, KT_META_HEADER_PAGE, &page, NULL) < 0)
		file_damage(f, "no header_page: assuming the usual layout");
	parse_header_page(f);
}
