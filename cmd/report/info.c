/* SPDX-License-Identifier: GPL-2.0-or-later */
/* info.c - what `ktrail report` prints about a file instead of its records */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/base.h>

#include "base/escape.h"
#include "base/grep.h"
#include "base/str.h"
#include "base/suggest.h"
#include "cmd/print/safe.h"
#include "report.h"

static void print_text(const struct report_args *a, const char *text, size_t len)
{
	const char *eol;
	struct str s = STR_INIT;

	if (!a->text.escape) {
		fwrite(text, 1, len, stdout);
		return;
	}
	for (; len && (eol = memchr(text, '\n', len)); len -= eol + 1 - text, text = eol + 1) {
		str_add_escaped(&s, text, eol - text);
		str_addc(&s, '\n');
	}
	str_add_escaped(&s, text, len);
	fwrite(s.buf, 1, s.len, stdout);
	str_fini(&s);
}

static void print_word(const struct report_args *a, const char *word)
{
	print_text(a, word, strlen(word));
}

/* ---- byte order, page size, symbols ---- */

static const char *endian(bool big)
{
	return big ? "big" : "little";
}

static int show_endian(struct kt_trace *t, size_t file, const struct report_args *a,
		       struct kt_err *err)
{
	(void)a;
	(void)err;
	printf("file is %s endian and host is %s endian\n",
	       endian(kt_file_info(kt_trace_file(t, file))->big_endian),
	       endian(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__));
	return 0;
}

static int show_page_size(struct kt_trace *t, size_t file, const struct report_args *a,
			  struct kt_err *err)
{
	(void)a;
	(void)err;
	printf("file page size is %" PRIu32 ", and host page size is %ld\n",
	       kt_file_info(kt_trace_file(t, file))->page_size, sysconf(_SC_PAGESIZE));
	return 0;
}

static int show_symbols(struct kt_trace *t, size_t file, const struct report_args *a,
			struct kt_err *err)
{
	struct kt_symbols *syms = kt_trace_symbols(t, file);
	struct kt_symbol sym;
	size_t i;

	(void)err;
	for (i = 0; i < kt_symbols_nr(syms); i++) {
		if (!kt_symbols_at(syms, i, &sym))
			continue;
		printf("%016" PRIx64 " ", sym.addr);
		print_word(a, sym.name);
		if (*sym.module) {
			printf(" [");
			print_word(a, sym.module);
			putchar(']');
		}
		putchar('\n');
	}
	return 0;
}

/* 0xffffffff9a75b460 : "mt_find" */
static bool parse_printk(const char *p, const char *end, struct report_printk *to)
{
	const char *text;
	char *colon;

	to->addr = strtoull(p, &colon, 16);	/* the whole text ends with a NUL */
	while (colon < end && *colon == ' ')
		colon++;
	if (colon >= end || *colon != ':')
		return false;
	text = memchr(colon, '"', end - colon);
	if (!text)
		return false;
	to->text = text + 1;
	to->len = end - to->text;
	if (to->len && end[-1] == '"')
		to->len--;
	if (to->len >= 2 && memcmp(to->text + to->len - 2, "\\n", 2) == 0)
		to->len -= 2;	/* the kernel writes newlines as these two characters */
	return true;
}

static int compare_printk(const void *x, const void *y)
{
	const struct report_printk *a = x, *b = y;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return a->text < b->text ? -1 : a->text > b->text;
}

static size_t count_lines(struct kt_blob text)
{
	size_t i, nr = 1;

	for (i = 0; i < text.size; i++)
		nr += text.data[i] == '\n';
	return nr;
}

int report_printks(struct kt_trace *t, size_t file, struct report_printk **all, size_t *nr,
		   struct kt_err *err)
{
	const char *p, *end, *eol;
	struct kt_blob text;
	int ret = kt_file_meta(kt_trace_file(t, file), KT_META_PRINTK, &text, err);

	*all = NULL;
	*nr = 0;
	if (ret == -ENOENT) {
		kt_err_clear(err);
		return 0;
	}
	if (ret < 0)
		return ret;
	*all = calloc(count_lines(text), sizeof(**all));
	if (!*all)
		return kt_err_no_memory(err);
	for (p = text.data, end = p + text.size; p < end; p = eol + 1) {
		eol = memchr(p, '\n', end - p);
		if (!eol)
			eol = end;
		*nr += parse_printk(p, eol, *all + *nr);
	}
	qsort(*all, *nr, sizeof(**all), compare_printk);
	return 0;
}

static int show_printk(struct kt_trace *t, size_t file, const struct report_args *a,
		       struct kt_err *err)
{
	struct report_printk *all;
	size_t i, nr;
	int ret = report_printks(t, file, &all, &nr, err);

	for (i = 0; ret == 0 && i < nr; i++) {
		printf("%016" PRIx64 " ", all[i].addr);
		print_text(a, all[i].text, all[i].len);
		putchar('\n');
	}
	free(all);
	return ret;
}

/* ---- events ---- */

static int compare_events(const void *x, const void *y)
{
	const struct kt_event *a = *(const struct kt_event *const *)x;
	const struct kt_event *b = *(const struct kt_event *const *)y;
	int order = strcmp(a->system, b->system);

	if (order == 0)
		order = strcmp(a->name, b->name);
	return order ? order : a->id - b->id;
}

const struct kt_event **report_events(struct kt_trace *t, size_t file, size_t *nr,
				      struct kt_err *err)
{
	struct kt_events *events = kt_trace_events(t, file);
	size_t i, max = kt_events_nr(events);
	const struct kt_event **all = calloc(max + 1, sizeof(*all));

	*nr = 0;
	if (!all) {
		kt_err_no_memory(err);
		return NULL;
	}
	for (i = 0; i < max; i++) {
		all[*nr] = kt_events_at(events, i);
		*nr += all[*nr] != NULL;
	}
	qsort(all, *nr, sizeof(*all), compare_events);
	return all;
}

static int show_events(struct kt_trace *t, size_t file, const struct report_args *a,
		       struct kt_err *err)
{
	size_t i, nr;
	const struct kt_event **all = report_events(t, file, &nr, err);

	if (!all)
		return err->code;
	for (i = 0; i < nr; i++) {
		print_word(a, all[i]->system);
		putchar(':');
		print_word(a, all[i]->name);
		putchar('\n');
	}
	free(all);
	return 0;
}

char *report_format_name(const struct kt_event_source *source)
{
	const char *text = source->format.data, *name, *eol;
	size_t size = source->format.size;

	name = memmem(text, size, "name: ", 6);
	if (!name)
		return strdup("");
	name += 6;
	eol = memchr(name, '\n', text + size - name);
	return strndup(name, (eol ? eol : text + size) - name);
}

static bool is_wanted(const struct kt_event_source *source, const regex_t *re)
{
	char *name, *full = NULL;
	bool wanted = false;

	if (!re)	/* as in trace-cmd: events of tracers are printed only if named */
		return strcmp(source->system, "ftrace") != 0;
	name = report_format_name(source);
	if (name && asprintf(&full, "%s:%s", source->system, name) >= 0)
		wanted = regexec(re, name, 0, NULL, 0) == 0 || regexec(re, full, 0, NULL, 0) == 0;
	free(name);
	free(full);
	return wanted;
}

static bool any_event(struct kt_trace *t, const regex_t *re)
{
	size_t file, i;
	bool found = false;

	for (file = 0; file < kt_trace_nr_files(t); file++) {
		struct kt_file *f = kt_trace_file(t, file);

		for (i = 0; i < kt_file_nr_events(f) && !found; i++)
			found = regexec(re, kt_file_event(f, i)->system, 0, NULL, 0) == 0 ||
				is_wanted(kt_file_event(f, i), re);
	}
	return found;
}

void report_check_matches(struct kt_trace *t, const struct report_args *a)
{
	size_t i;

	for (i = 0; i < a->nr_matches && !a->choose.quiet; i++)
		if (!any_event(t, &a->matches[i].re)) {
			fprintf(stderr, "%s report: no event in the file matches ", cmd_program);
			safe_put_to(stderr, a->matches[i].text);
			fputc('\n', stderr);
		}
}

static int no_such_event(struct kt_file *f, const char *pattern, struct kt_err *err)
{
	struct kt_names names = { 0 };
	char hint[SUGGEST_SIZE];
	size_t i;

	for (i = 0; i < kt_file_nr_events(f); i++) {
		char *name = report_format_name(kt_file_event(f, i));

		if (name)
			kt_names_add(&names, name);
		free(name);
	}
	kt_err_set(err, -ENOENT, "no event in the file matches '%s'%s", pattern,
		   suggest_one(pattern, suggest_from(&names), hint));
	kt_names_fini(&names);
	return -ENOENT;
}

int report_formats(struct kt_trace *t, size_t file, const struct report_args *a,
		   report_format_fn fn, void *data, struct kt_err *err)
{
	struct kt_file *f = kt_trace_file(t, file);
	const regex_t *re = NULL;
	struct kt_err why = { 0 };
	regex_t compiled;
	bool found = false;
	size_t i;

	if (a->event) {
		if (grep_compile(&compiled, a->event, REG_EXTENDED | REG_NOSUB | REG_ICASE,
				 &why) < 0)
			return cmd_misuse(err, "--event: not a regular expression: %s", why.msg);
		re = &compiled;
	}
	for (i = 0; i < kt_file_nr_events(f); i++) {
		const struct kt_event_source *source = kt_file_event(f, i);

		if (!is_wanted(source, re))
			continue;
		fn(data, source);
		found = true;
	}
	if (re)
		regfree(&compiled);
	if (!found && re)
		return no_such_event(f, a->event, err);
	return 0;
}

struct format_list {
	const struct report_args *args;
	const char *system;		/* of the previous event; NULL: none yet */
};

static void print_format(void *data, const struct kt_event_source *source)
{
	struct format_list *list = data;
	const struct report_args *a = list->args;

	if (!list->system || strcmp(list->system, source->system)) {
		printf("\nsystem: ");
		print_word(a, source->system);
		putchar('\n');
	}
	list->system = source->system;
	print_text(a, source->format.data, source->format.size);
	putchar('\n');
}

static int show_formats(struct kt_trace *t, size_t file, const struct report_args *a,
			struct kt_err *err)
{
	struct format_list list = { .args = a };

	return report_formats(t, file, a, print_format, &list, err);
}

/* True: it can be read. An event whose print format is left to libtraceevent is only slow. */
static bool check_event(const struct kt_event *ev, const struct kt_event_source *source,
			const char *name, const struct report_args *a)
{
	/* trace-cmd 3.1 does not report formats that it can print in some way */
	if (ev && (kt_event_is_compiled(ev) || a->text.layout == KT_LAYOUT_3_1))
		return true;
	print_word(a, source->system);
	putchar(':');
	print_word(a, name);
	printf(ev ? " has a print format that is not compiled: " : " has a format that ");
	print_word(a, ev ? kt_event_why_not(ev) : "cannot be read");
	putchar('\n');
	return ev;
}

static int check_events(struct kt_trace *t, size_t file, const struct report_args *a,
			struct kt_err *err)
{
	struct kt_file *f = kt_trace_file(t, file);
	size_t i, nr_bad = 0;

	for (i = 0; i < kt_file_nr_events(f); i++) {
		char *name = report_format_name(kt_file_event(f, i));

		if (!name)
			return kt_err_no_memory(err);
		nr_bad += !check_event(kt_events_at(kt_trace_events(t, file), i),
				       kt_file_event(f, i), name, a);
		free(name);
	}
	if (nr_bad)
		return kt_err_set(err, -EINVAL, "%zu event formats cannot be read", nr_bad);
	return 0;
}

/* ---- CPUs and their times ---- */

static bool is_in_ns(struct kt_trace *t, size_t source)
{
	return kt_stream_source_in_ns(kt_trace_stream(t), source);
}

static void print_time(struct kt_trace *t, const struct report_args *a, size_t source,
		       const char *what, uint64_t ts)
{
	uint64_t us = ts / 1000 + (ts % 1000 >= 500);

	printf("\t%s event:", what);
	if (!is_in_ns(t, source))
		printf("%12" PRIu64, ts);
	else if (a->text.nanoseconds)
		printf("%5" PRIu64 ".%09" PRIu64, ts / 1000000000, ts % 1000000000);
	else
		printf("%5" PRIu64 ".%06" PRIu64, us / 1000000, us % 1000000);
}

static int show_cpu(struct kt_trace *t, const struct report_args *a, size_t source,
		    struct kt_err *err)
{
	struct kt_stream *stream = kt_trace_stream(t);
	const struct kt_source *src = kt_stream_source(stream, source);
	const char *buffer = kt_file_buffer(src->file, src->buffer)->name;
	struct kt_record first, last;
	int ret;

	ret = kt_stream_first(stream, source, &first, err);
	if (ret <= 0)
		return ret;
	printf("  %d", src->cpu);
	if (*buffer) {
		putchar(' ');
		print_word(a, buffer);
	}
	if (a->show_first)
		print_time(t, a, source, "First", first.ts);
	if (a->show_last && kt_stream_last(stream, source, &last, err) > 0)
		print_time(t, a, source, "Last", last.ts);
	putchar('\n');
	return 0;
}

static int show_cpus(struct kt_trace *t, size_t file, const struct report_args *a,
		     struct kt_err *err)
{
	struct kt_stream *stream = kt_trace_stream(t);
	size_t i;
	int ret = 0;

	printf("List of CPUs in ");
	print_word(a, kt_file_info(kt_trace_file(t, file))->path);
	printf(" with data:\n");
	for (i = 0; i < kt_stream_nr_sources(stream) && ret >= 0; i++)
		if (kt_stream_source(stream, i)->file_index == file &&
		    !kt_stream_is_muted(stream, i))
			ret = show_cpu(t, a, i, err);
	return ret;
}

/* ---- what the recorder noted ---- */

static void print_cpus(struct kt_trace *t, size_t file, const struct report_args *a)
{
	size_t i, len, longest = 0;

	for (i = 0; i < a->choose.nr_inputs && a->choose.nr_inputs > 1; i++) {
		len = strlen(str_base_name(a->inputs[i].path));
		longest = len > longest ? len : longest;
	}
	if (longest)
		printf("%*s: ", (int)longest, str_base_name(a->inputs[file].path));
	printf("cpus=%d\n", kt_file_info(kt_trace_file(t, file))->nr_cpus);
}

/* A text that ends with a newline is followed by an empty line: trace-cmd prints its NUL as one. */
static void print_option(const struct report_args *a, const struct kt_option *o)
{
	print_text(a, o->raw.data, strnlen(o->raw.data, o->raw.size));
	putchar('\n');
}

static void print_options(struct kt_trace *t, size_t file, const struct report_args *a,
			  uint16_t id)
{
	struct kt_file *f = kt_trace_file(t, file);
	size_t i;

	for (i = 0; i < kt_file_nr_options(f); i++)
		if (kt_file_option(f, i)->id == id)
			print_option(a, kt_file_option(f, i));
}

static int show_version(struct kt_trace *t, size_t file, const struct report_args *a,
			struct kt_err *err)
{
	(void)err;
	print_cpus(t, file, a);
	if (a->show_uname)
		print_options(t, file, a, KT_OPTION_UNAME);
	print_options(t, file, a, KT_OPTION_VERSION);
	return 0;
}

static void print_places(struct kt_file *f)
{
	const struct kt_buffer *buf;
	size_t i;

	if (!kt_file_nr_buffers(f))
		return;
	buf = kt_file_buffer(f, 0);
	for (i = 0; i < buf->nr_cpus; i++)
		printf("CPU%d data recorded at offset=0x%" PRIx64 "\n    %" PRIu64
		       " bytes in size\n", buf->cpus[i].cpu, buf->cpus[i].offset,
		       buf->cpus[i].size);
}

static int show_stat(struct kt_trace *t, size_t file, const struct report_args *a,
		     struct kt_err *err)
{
	(void)err;
	print_cpus(t, file, a);
	printf("\nKernel buffer statistics:\n"
	       "  Note: \"entries\" are the entries left in the kernel ring buffer and are not\n"
	       "        recorded in the trace data. They should all be zero.\n\n");
	print_options(t, file, a, KT_OPTION_CPUSTAT);
	putchar('\n');
	print_places(kt_trace_file(t, file));
	return 0;
}

/* ---- the table ---- */

typedef int (*show_fn)(struct kt_trace *t, size_t file, const struct report_args *a,
		       struct kt_err *err);

/* The first option that is given is used, as in trace-cmd. */
static show_fn wanted(const struct report_args *a)
{
	if (a->show_endian)
		return show_endian;
	if (a->show_page_size)
		return show_page_size;
	if (a->show_events)
		return show_events;
	if (a->check_events)
		return check_events;
	if (a->show_symbols)
		return show_symbols;
	if (a->show_printk)
		return show_printk;
	if (a->show_formats || a->event)
		return show_formats;
	if (a->show_cpus || a->show_first || a->show_last)
		return show_cpus;
	if (a->show_stat)
		return show_stat;
	if (a->show_uname || a->show_version)
		return show_version;
	return NULL;
}

bool report_wants_info(const struct report_args *a)
{
	return wanted(a);
}

int report_info(struct kt_trace *t, const struct report_args *a, struct kt_err *err)
{
	show_fn show = wanted(a);
	size_t i;
	int ret = 0;

	if (a->text.json)
		return report_info_json(t, a, err);
	for (i = 0; i < kt_trace_nr_files(t) && ret == 0; i++)
		ret = show(t, i, a, err);
	return ret;
}
