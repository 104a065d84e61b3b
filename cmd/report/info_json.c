/* SPDX-License-Identifier: GPL-2.0-or-later */
/* info_json.c - what `ktrail report --json` prints about files instead of their records */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "report.h"

static void add_address(struct json *j, uint64_t addr)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, addr);
	json_str(j, "address", text);
}

/* ---- symbols and texts ---- */

static void add_symbols(struct json *j, struct kt_symbols *syms)
{
	struct kt_symbol sym;
	size_t i;

	json_open(j, "functions", '[');
	for (i = 0; i < kt_symbols_nr(syms); i++) {
		if (!kt_symbols_at(syms, i, &sym))
			continue;
		json_open(j, NULL, '{');
		add_address(j, sym.addr);
		json_str(j, "name", sym.name);
		if (*sym.module)
			json_str(j, "module", sym.module);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static int add_printks(struct json *j, struct kt_trace *t, size_t file, struct kt_err *err)
{
	struct report_printk *all;
	size_t i, nr;
	int ret = report_printks(t, file, &all, &nr, err);

	json_open(j, "printk", '[');
	for (i = 0; i < nr; i++) {
		json_open(j, NULL, '{');
		add_address(j, all[i].addr);
		json_strn(j, "text", all[i].text, all[i].len);
		json_close(j, '}');
	}
	json_close(j, ']');
	free(all);
	return ret;
}

/* ---- events ---- */

static int add_events(struct json *j, struct kt_trace *t, size_t file, struct kt_err *err)
{
	size_t i, nr;
	const struct kt_event **all = report_events(t, file, &nr, err);

	if (!all)
		return err->code;
	json_open(j, "events", '[');
	for (i = 0; i < nr; i++) {
		json_open(j, NULL, '{');
		json_str(j, "system", all[i]->system);
		json_str(j, "name", all[i]->name);
		json_int(j, "id", all[i]->id);
		json_close(j, '}');
	}
	json_close(j, ']');
	free(all);
	return 0;
}

static void add_format(void *data, const struct kt_event_source *source)
{
	struct json *j = data;
	char *name = report_format_name(source);

	json_open(j, NULL, '{');
	json_str(j, "system", source->system);
	json_str(j, "name", name);
	json_strn(j, "format", source->format.data, source->format.size);
	json_close(j, '}');
	free(name);
}

static int add_formats(struct json *j, struct kt_trace *t, size_t file,
		       const struct report_args *a, struct kt_err *err)
{
	int ret;

	json_open(j, "formats", '[');
	ret = report_formats(t, file, a, add_format, j, err);
	json_close(j, ']');
	return ret;
}

/* The events with a problem. Returns the number of those that cannot be read. */
static size_t add_troubles(struct json *j, struct kt_trace *t, size_t file)
{
	struct kt_file *f = kt_trace_file(t, file);
	const struct kt_event *ev;
	size_t i, nr_bad = 0;

	json_uint(j, "events", kt_file_nr_events(f));
	json_open(j, "troubles", '[');
	for (i = 0; i < kt_file_nr_events(f); i++) {
		const struct kt_event_source *source = kt_file_event(f, i);
		char *name = report_format_name(source);

		ev = kt_events_at(kt_trace_events(t, file), i);
		if (!ev || !kt_event_is_compiled(ev)) {
			json_open(j, NULL, '{');
			json_str(j, "system", source->system);
			json_str(j, "name", name);
			json_bool(j, "readable", ev);
			if (ev)
				json_str(j, "not_compiled", kt_event_why_not(ev));
			json_close(j, '}');
		}
		nr_bad += !ev;
		free(name);
	}
	json_close(j, ']');
	return nr_bad;
}

/* ---- CPUs ---- */

static int add_cpu(struct json *j, struct kt_trace *t, const struct report_args *a, size_t source,
		   struct kt_err *err)
{
	struct kt_stream *stream = kt_trace_stream(t);
	const struct kt_source *src = kt_stream_source(stream, source);
	struct kt_record first, last;
	int ret = kt_stream_first(stream, source, &first, err);

	if (ret <= 0)
		return ret;
	json_open(j, NULL, '{');
	json_str(j, "buffer", kt_file_buffer(src->file, src->buffer)->name);
	json_int(j, "cpu", src->cpu);
	if (a->show_first)
		json_uint(j, "first", first.ts);
	if (a->show_last && kt_stream_last(stream, source, &last, err) > 0)
		json_uint(j, "last", last.ts);
	json_close(j, '}');
	return 0;
}

static int add_cpus(struct json *j, struct kt_trace *t, size_t file, const struct report_args *a,
		    struct kt_err *err)
{
	struct kt_stream *stream = kt_trace_stream(t);
	size_t i;
	int ret = 0;

	json_open(j, "cpus", '[');
	for (i = 0; i < kt_stream_nr_sources(stream) && ret >= 0; i++)
		if (kt_stream_source(stream, i)->file_index == file &&
		    !kt_stream_is_muted(stream, i))
			ret = add_cpu(j, t, a, i, err);
	json_close(j, ']');
	return ret < 0 ? ret : 0;
}

/* ---- what the recorder noted ---- */

/* "commit overrun: 5" becomes a number commit_overrun; times become nanoseconds, counts stay */
static void add_counter(struct json *j, const char *line, size_t len)
{
	const char *colon = memchr(line, ':', len);
	char key[64], value[64];
	size_t i, key_len = colon ? (size_t)(colon - line) : 0, value_len;
	unsigned int us = 0;
	long long number;
	int end = 0;

	if (!key_len || key_len >= sizeof(key) || len - key_len - 1 >= sizeof(value))
		return;
	for (i = 0; i < key_len; i++)
		key[i] = line[i] == ' ' ? '_' : (char)tolower((unsigned char)line[i]);
	key[key_len] = '\0';
	value_len = len - key_len - 1;
	memcpy(value, colon + 1, value_len);
	value[value_len] = '\0';
	if (sscanf(value, "%lld%n.%6u%n", &number, &end, &us, &end) < 1 || value[end])
		return;
	json_int(j, key,
		 strchr(value, '.') ? (int64_t)((uint64_t)number * 1000000000 + us * 1000ull) :
		 number);
}

/* The counters of one CPU; "Buffer: NAME" precedes those of a buffer */
static void add_counters(struct json *j, const struct kt_option *o, char **buffer)
{
	static const char of_buffer[] = "\nBuffer: ";
	const char *text = o->raw.data, *eol;
	size_t left = strnlen(text, o->raw.size), len;
	size_t skip = sizeof(of_buffer) - 1;

	if (left > skip && memcmp(text, of_buffer, skip) == 0) {
		eol = memchr(text + skip, '\n', left - skip);
		free(*buffer);
		*buffer = strndup(text + skip, eol ? (size_t)(eol - text) - skip : left - skip);
		return;
	}
	json_open(j, NULL, '{');
	json_str(j, "buffer", *buffer ? *buffer : "");
	for (; left; text += len, left -= len) {
		eol = memchr(text, '\n', left);
		len = eol ? (size_t)(eol - text) : left;
		add_counter(j, text, len);
		len += eol != NULL;
	}
	json_close(j, '}');
}

static void add_stat(struct json *j, struct kt_file *f)
{
	char *buffer = NULL;
	size_t i;

	json_open(j, "stat", '[');
	for (i = 0; i < kt_file_nr_options(f); i++)
		if (kt_file_option(f, i)->id == KT_OPTION_CPUSTAT)
			add_counters(j, kt_file_option(f, i), &buffer);
	json_close(j, ']');
	free(buffer);
}

static void add_option(struct json *j, const char *key, struct kt_file *f, uint16_t id)
{
	const struct kt_option *o = kt_file_find_option(f, id);

	json_strn(j, key, o ? o->raw.data : "", o ? strnlen(o->raw.data, o->raw.size) : 0);
}

/* ---- all of it ---- */

static int add_file(struct json *j, struct kt_trace *t, size_t file, const struct report_args *a,
		    struct kt_err *err)
{
	struct kt_file *f = kt_trace_file(t, file);
	const struct kt_file_info *info = kt_file_info(f);
	int ret = 0;

	json_str(j, "path", info->path);
	if (a->show_endian)
		json_str(j, "endian", info->big_endian ? "big" : "little");
	if (a->show_page_size)
		json_uint(j, "page_size", info->page_size);
	if (a->show_events)
		ret = add_events(j, t, file, err);
	if (a->check_events && add_troubles(j, t, file))
		ret = kt_err_set(err, -EINVAL, "event formats of %s cannot be read", info->path);
	if (a->show_symbols)
		add_symbols(j, kt_trace_symbols(t, file));
	if (a->show_printk)
		ret = add_printks(j, t, file, err);
	if (a->show_formats || a->event)
		ret = add_formats(j, t, file, a, err);
	if (a->show_cpus || a->show_first || a->show_last)
		ret = add_cpus(j, t, file, a, err);
	if (a->show_stat)
		add_stat(j, f);
	if (a->show_uname)
		add_option(j, "uname", f, KT_OPTION_UNAME);
	if (a->show_uname || a->show_version)
		add_option(j, "version", f, KT_OPTION_VERSION);
	return ret;
}

int report_info_json(struct kt_trace *t, const struct report_args *a, struct kt_err *err)
{
	struct json j = JSON_INIT;
	size_t i;
	int ret = 0;

	json_open(&j, NULL, '{');
	json_open(&j, "files", '[');
	for (i = 0; i < kt_trace_nr_files(t) && ret == 0; i++) {
		json_open(&j, NULL, '{');
		ret = add_file(&j, t, i, a, err);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	if (j.text.failed)
		ret = kt_err_no_memory(err);
	else if (ret == 0 || a->check_events)
		printf("%s\n", j.text.buf);
	str_fini(&j.text);
	return ret;
}
