/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* formats.c - read the formats of events/ and join them as a file stores them */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/tracefs.h>

#include "base/bytes.h"
#include "rec/rec_priv.h"

static void put_u32(struct str *s, uint32_t v)
{
	str_addn(s, &v, sizeof(v));
}

static void put_u64(struct str *s, uint64_t v)
{
	str_addn(s, &v, sizeof(v));
}

/*
 * u64 size, text; with numbers in place of names if @e is not NULL. -ENOENT and the like if
 * the file cannot be read, and then @out is unchanged
 */
static int put_file_of(struct str *out, const char *dir, const char *name, struct enums *e)
{
	struct str text = STR_INIT, path = STR_INIT;
	size_t at = out->len;
	int ret = -ENOMEM;

	str_addf(&path, "%s/events/%s", dir ? dir : "", name);
	if (!path.failed)
		ret = str_read_file(&text, path.buf);
	if (ret == 0) {
		put_u64(out, text.len);
		if (e)
			enums_to_numbers(e, name, text.buf, out);
		else
			str_addn(out, text.buf, text.len);
		if (!out->failed)
			store_u64(out->buf + at, out->len - at - 8, false);
	}
	str_fini(&text);
	str_fini(&path);
	return ret;
}

/* A user who may read only an instance finds the same formats there. */
static const char *events_dir(const struct kt_rec *rec)
{
	const char *dir = kt_tracefs_dir(NULL);
	struct str path = STR_INIT;
	bool closed;

	str_addf(&path, "%s/events/header_page", dir ? dir : "");
	closed = !path.failed && access(path.buf, R_OK) < 0 && errno == EACCES;
	str_fini(&path);
	return closed && rec->nr_buffers ? kt_instance_dir(rec->buffers[0].inst) : dir;
}

/* From the first buffer, since it includes the size of its sub-buffers */
int rec_header_info(const struct kt_rec *rec, struct str *out)
{
	const char *dir = kt_instance_dir(rec->buffers[0].inst);
	int ret;

	str_addn(out, "header_page", 12);
	ret = put_file_of(out, dir, "header_page", NULL);
	if (ret < 0)
		return ret;
	str_addn(out, "header_event", 13);
	ret = put_file_of(out, dir, "header_event", NULL);
	if (ret == -ENOENT) {		/* kernels built without it still record */
		put_u64(out, 0);
		ret = 0;
	}
	if (ret < 0)
		return ret;
	return out->failed ? -ENOMEM : 0;
}

static int no_dots(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* Sorted entries of a folder below events/; @sub "" is events/ itself. Returns their number. */
static int list_dir(const char *dir, const char *sub, struct dirent ***out)
{
	struct str path = STR_INIT;
	int nr;

	str_addf(&path, "%s/events/%s", dir ? dir : "", sub);
	nr = scandir(path.buf, out, no_dots, alphasort);
	str_fini(&path);
	return nr < 0 ? -errno : nr;
}

static void free_dir(struct dirent **list, int nr)
{
	while (nr > 0)
		free(list[--nr]);
	free(list);
}

int rec_ftrace_events(const struct kt_rec *rec, struct str *out)
{
	const char *dir = events_dir(rec);
	struct dirent **list = NULL;
	struct str name = STR_INIT;
	size_t at = out->len;
	uint32_t count = 0;
	int i, nr = list_dir(dir, "ftrace", &list);

	put_u32(out, 0);
	for (i = 0; i < nr; i++) {
		str_reset(&name);
		str_addf(&name, "ftrace/%s/format", list[i]->d_name);
		count += put_file_of(out, dir, name.buf, NULL) == 0;
	}
	free_dir(list, nr);
	str_fini(&name);
	if (out->failed)
		return -ENOMEM;
	store_u32(out->buf + at, count, false);
	return 0;
}

/* The events of one system: the lines from @line on that begin with @system. Returns the rest. */
static char *put_system(const char *dir, char *line, struct enums *e, struct str *out)
{
	size_t len = strcspn(line, ":\n"), at;
	struct str name = STR_INIT;
	uint32_t count = 0;
	char *system = line;

	str_addn(out, system, len);
	str_addc(out, 0);
	at = out->len;
	put_u32(out, 0);
	while (*line && strncmp(line, system, len) == 0 && line[len] == ':') {
		size_t rest = strcspn(line + len + 1, "\n");

		str_reset(&name);
		str_addf(&name, "%.*s/%.*s/format", (int)len, system, (int)rest, line + len + 1);
		count += put_file_of(out, dir, name.buf, e) == 0;
		line += len + 1 + rest;
		line += *line == '\n';
	}
	str_fini(&name);
	if (!out->failed)
		store_u32(out->buf + at, count, false);
	/* Not "system:event": skip the line to make progress */
	return line == system ? line + strcspn(line, "\n") + 1 : line;
}

/* @events: sorted "system:event" lines */
int rec_event_formats(const struct kt_rec *rec, char *events, struct str *out)
{
	struct enums e = { .path = rec->opts.btf_path };
	const char *dir = kt_tracefs_dir(NULL);
	struct str path = STR_INIT, dynamic = STR_INIT;
	size_t at = out->len;
	uint32_t systems = 0;

	str_addf(&path, "%s/dynamic_events", dir ? dir : "");
	if (!path.failed && str_read_file(&dynamic, path.buf) == 0)
		e.dynamic_events = str_take(&dynamic);
	str_fini(&dynamic);
	str_fini(&path);
	put_u32(out, 0);
	while (*events) {
		events = put_system(events_dir(rec), events, &e, out);
		systems++;
	}
	enums_fini(&e);
	if (out->failed)
		return -ENOMEM;
	store_u32(out->buf + at, systems, false);
	return 0;
}

static void add_all_events(const struct kt_rec *rec, struct str *lines)
{
	const char *dir = events_dir(rec);
	struct dirent **systems = NULL, **events = NULL;
	int i, j, nr = list_dir(dir, "", &systems), nr_events;

	for (i = 0; i < nr; i++) {
		if (strcmp(systems[i]->d_name, "ftrace") == 0)
			continue;
		nr_events = list_dir(dir, systems[i]->d_name, &events);
		for (j = 0; j < nr_events; j++)
			if (strcmp(events[j]->d_name, "enable") != 0 &&
			    strcmp(events[j]->d_name, "filter") != 0)
				str_addf(lines, "%s:%s\n", systems[i]->d_name, events[j]->d_name);
		if (nr_events >= 0)
			free_dir(events, nr_events);
		events = NULL;
	}
	if (nr >= 0)
		free_dir(systems, nr);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int sort_lines(struct str *lines, struct str *out)
{
	char **array, *line, *rest = lines->buf;
	size_t nr = 0, i;

	array = calloc(lines->len / 2 + 1, sizeof(*array));
	if (!array)
		return -ENOMEM;
	while ((line = strsep(&rest, "\n")))
		if (*line)
			array[nr++] = line;
	qsort(array, nr, sizeof(*array), by_text);
	for (i = 0; i < nr; i++)
		if (!i || strcmp(array[i], array[i - 1]) != 0)
			str_addf(out, "%s\n", array[i]);
	free(array);
	return out->failed ? -ENOMEM : 0;
}

/* Sorted "system:event" lines without duplicates: events that the data may contain, and @more */
int rec_enabled_events(const struct kt_rec *rec, const char *more, struct str *out)
{
	struct str lines = STR_INIT;
	char *text;
	size_t i;
	int ret;

	str_add(&lines, more ? more : "");
	for (i = 0; i < rec->nr_buffers; i++) {
		text = kt_instance_read(rec->buffers[i].inst, "set_event", NULL);
		if (text)
			str_addf(&lines, "%s\n", text);
		free(text);
	}
	if (rec->opts.all_formats)
		add_all_events(rec, &lines);
	ret = lines.failed ? -ENOMEM : sort_lines(&lines, out);
	str_fini(&lines);
	return ret;
}
