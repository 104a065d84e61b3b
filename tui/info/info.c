/* SPDX-License-Identifier: GPL-2.0-or-later */
/* info.c - the view of the file: what is it, and can I believe it? */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "info.h"

#define BAR 12				/* columns of the longest bar, which fits into 80 */

/* The facts about one CPU of one buffer */
struct source {
	const struct kt_source *src;
	uint64_t nr;			/* records; UINT64_MAX: not counted yet */
	uint64_t first, last;		/* times; first > last: it has none */
	uint32_t lost_places;		/* parts of the strip in which events were lost */
	uint64_t lost;			/* events, by the kernel's counters; 0: not known */
};

struct state {
	struct source *sources;
	size_t nr;
	bool counted;
	struct info_scan scan;
	struct str text;		/* lines; the first character of each selects its style */
	int top, nr_lines;
};

#define STRETCHES 512			/* parts of the whole time, each checked for losses */

/* ---- facts ---- */

static void find_ends(struct view *v, struct source *s, size_t i)
{
	struct kt_stream *stream = kt_trace_stream(kt_model_trace(v->model));
	struct kt_record rec;

	*s = (struct source){ .src = kt_stream_source(stream, i), .nr = UINT64_MAX, .first = 1 };
	if (kt_stream_first(stream, i, &rec, NULL) <= 0)
		return;
	s->first = rec.ts;
	s->last = kt_stream_last(stream, i, &rec, NULL) > 0 ? rec.ts : s->first;
}

/* The number in "overrun: 12", or 0 if the text does not have it */
static uint64_t counted(const char *text, const char *what)
{
	const char *at = strstr(text, what);

	return at ? strtoull(at + strlen(what), NULL, 10) : 0;
}

/*
 * Events that the kernel has dropped, by its statistics. Use these only if there is one for each
 * CPU of each buffer, in order: otherwise their CPUs are not known.
 */
static void count_lost(struct state *st, struct kt_file *f, size_t file)
{
	size_t i, k = 0;

	for (i = 0; i < st->nr; i++)
		k += st->sources[i].src->file_index == file;
	for (i = 0; i < kt_file_nr_options(f); i++)
		k -= kt_file_option(f, i)->id == KT_OPTION_CPUSTAT;
	if (k)
		return;
	for (i = 0; i < st->nr && st->sources[i].src->file_index != file; i++)
		;
	for (; k < kt_file_nr_options(f); k++) {
		const struct kt_option *o = kt_file_option(f, k);
		char *text;

		if (o->id != KT_OPTION_CPUSTAT)
			continue;
		text = strndup((const char *)o->raw.data, o->raw.size);
		if (text && counted(text, "CPU: ") == (uint64_t)st->sources[i].src->cpu)
			st->sources[i].lost = counted(text, "\noverrun: ") +
					      counted(text, "commit overrun: ") +
					      counted(text, "dropped events: ");
		free(text);
		i++;
	}
}

/* Facts that only the index has; false while it is not ready */
static bool count(struct view *v, struct source *s, size_t i)
{
	struct kt_index *ix = kt_model_index(v->model);
	struct kt_err err = { 0 };
	uint64_t counts[STRETCHES];
	bool lost[STRETCHES];
	size_t k;

	if (kt_index_nr(ix, i, &s->nr, &err) < 0) {
		s->nr = UINT64_MAX;
		return false;
	}
	s->lost_places = 0;
	if (kt_index_density(ix, i, v->app->span.from, v->app->span.until, STRETCHES, counts, lost,
			     &err) == 0)
		for (k = 0; k < STRETCHES; k++)
			s->lost_places += lost[k];
	return true;
}

/* ---- lines ---- */

/* A line with a style: '=' heading, '!' warning, ' ' plain */
static void add(struct str *s, char look, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void add(struct str *s, char look, const char *fmt, ...)
{
	va_list ap;

	str_addc(s, look);
	va_start(ap, fmt);
	str_vaddf(s, fmt, ap);
	va_end(ap);
	str_addc(s, '\n');
}

static void add_text_option(struct str *s, struct kt_file *f, uint16_t id, const char *label)
{
	const struct kt_option *o = kt_file_find_option(f, id);
	size_t len;

	if (!o || !o->raw.size)
		return;
	len = strnlen(o->raw.data, o->raw.size);
	str_addf(s, "   %-12s", label);
	str_add_escaped(s, o->raw.data, len);
	str_addc(s, '\n');
}

static void add_file(struct str *s, struct kt_file *f)
{
	const struct kt_file_info *i = kt_file_info(f);
	char size[32];

	units_format_size(i->size, size);
	add(s, '=', "%s", i->path);
	add(s, ' ', "  format      trace.dat version %d, %s, %s", i->version, size,
	    *i->compression ? i->compression : "not compressed");
	add_text_option(s, f, KT_OPTION_UNAME, "machine");
	add_text_option(s, f, KT_OPTION_VERSION, "written by");
	if (i->trace_id)
		add(s, ' ', "  trace id    %016" PRIx64, i->trace_id);
	add_text_option(s, f, KT_OPTION_DATE, "date");
	add_text_option(s, f, KT_OPTION_OFFSET, "offset");
	add_text_option(s, f, KT_OPTION_HOOK, "hook");
	add(s, ' ', "  words       %d bit, %s-endian, sub-buffers of %u bytes", i->commit_size * 8,
	    i->big_endian ? "big" : "little", i->page_size);
}

/* Other content of the file */
static void add_contents(struct str *s, struct kt_file *f)
{
	static const struct { uint16_t id; const char *text; } contents[] = {
		{ KT_OPTION_KALLSYMS, "names of functions" }, { KT_OPTION_CMDLINES, "of tasks" },
		{ KT_OPTION_PRINTK, "formats of trace_printk" },
		{ KT_OPTION_BTF_FILE, "types (BTF)" }, { KT_OPTION_PROCMAPS, "maps of processes" },
		{ KT_OPTION_GUEST, "a guest" }, { KT_OPTION_TIME_SHIFT, "times of a host" },
		{ KT_OPTION_TSC2NSEC, "cycles as nanoseconds" },
		{ KT_OPTION_LAST_BOOT_INFO, "the boot before" },
		{ KT_OPTION_INDEX, "an index" }, { KT_OPTION_CPUSTAT, "statistics" },
	};
	size_t i, nr = 0;

	for (i = 0; i < sizeof(contents) / sizeof(contents[0]); i++)
		if (kt_file_find_option(f, contents[i].id))
			str_addf(s, "%s%s", nr++ ? ", " : "   holds       ", contents[i].text);
	if (nr)
		str_addc(s, '\n');
}

static void add_clocks(struct str *s, struct kt_file *f)
{
	size_t i;

	for (i = 0; i < kt_file_nr_buffers(f); i++) {
		const struct kt_buffer *b = kt_file_buffer(f, i);

		add(s, ' ', "  buffer      %s, clock %s, %zu CPUs", *b->name ? b->name : "(top)",
		    b->clock, b->nr_cpus);
	}
}

/* ---- warnings and notes, the most important first ---- */

static void add_losses(struct str *s, struct view *v)
{
	struct state *st = v->state;
	size_t i;

	for (i = 0; i < st->nr; i++) {
		const struct source *src = &st->sources[i];

		if (src->lost_places && src->lost)
			add(s, '!', "  CPU %d lost %" PRIu64 " events: L in the events leads to "
			    "each place", src->src->cpu, src->lost);
		else if (src->lost_places)
			add(s, '!', "  CPU %d lost events: L in the events leads to each place",
			    src->src->cpu);
		else if (src->lost)
			add(s, '!', "  CPU %d dropped %" PRIu64 " events, the kernel says: not "
			    "where", src->src->cpu, src->lost);
	}
}

/* Times of different clocks are merged like those of one clock. */
static void add_other_clocks(struct str *s, struct kt_trace *t)
{
	const struct kt_buffer *first = kt_file_buffer(kt_trace_file(t, 0), 0), *b;
	size_t file;

	for (file = 1; file < kt_trace_nr_files(t); file++) {
		b = kt_file_buffer(kt_trace_file(t, file), 0);
		if (first && b && strcmp(first->clock, b->clock) != 0)
			add(s, '!', "  file %zu has clock %s, file 1 %s: :files moves one in time",
			    file + 1, b->clock, first->clock);
	}
}

static void add_damages(struct str *s, struct view *v)
{
	struct kt_trace *t = kt_model_trace(v->model);
	struct state *st = v->state;
	struct kt_index_progress p;
	const char *line;
	size_t file, i;

	kt_index_progress(kt_model_index(v->model), &p);
	if (p.nr_damaged)
		add(s, '!', "  %" PRIu64 " chunk%s of events cannot be read, or not all of %s",
		    p.nr_damaged, p.nr_damaged > 1 ? "s" : "", p.nr_damaged > 1 ? "them" : "it");
	for (file = 0; file < kt_trace_nr_files(t); file++)
		for (i = 0; (line = kt_file_damage(kt_trace_file(t, file), i)) && i < 8; i++)
			add(s, '!', "  %s", line);
	for (i = 0; i < st->nr; i++)
		if (kt_index_goes_back(kt_model_index(v->model), i))
			add(s, '!', "  CPU %d: its time goes back, as if its clock had been set",
			    st->sources[i].src->cpu);
}

/* "3 tasks without a name: pid 12, 15, 20, in 7 events" */
static void add_missing(struct str *s, const struct info_missing *m, const char *thing,
			const char *lack)
{
	size_t i;

	if (!m->seen.nr)
		return;
	str_addf(s, "!  %zu %s%s %s", m->seen.nr, thing, m->seen.nr > 1 ? "s" : "", lack);
	for (i = 0; i < m->seen.nr && i < INFO_SOME; i++)
		str_addf(s, "%s%" PRIu64, i ? ", " : " ", m->some[i]);
	str_addf(s, "%s, in %" PRIu64 " event%s\n", m->seen.nr > INFO_SOME ? " \u2026" : "",
		 m->nr_events, m->nr_events > 1 ? "s" : "");
}

static void add_scanned(struct str *s, struct view *v)
{
	const struct info_scan *scan = &((struct state *)v->state)->scan;
	struct kt_trace *t = kt_model_trace(v->model);
	size_t file, nr = 0;

	add_missing(s, &scan->formats, "event type", "without a format, which cannot be read: id");
	add_missing(s, &scan->names, "task", "without a name: pid");
	for (file = 0; file < kt_trace_nr_files(t); file++)
		nr += kt_symbols_nr(kt_trace_symbols(t, file));
	if (scan->uses_symbols && kt_model_knows_symbols(v->model, 0) && !nr)
		add(s, '!', "  functions have no names: kallsyms was not recorded");
}

static void add_doubts(struct str *s, struct view *v)
{
	struct state *st = v->state;
	struct kt_plugins *plugins = kt_model_plugins(v->model);
	const char *line;
	size_t before, i;

	add(s, '=', "What to know");
	before = s->len;
	add_losses(s, v);
	add_damages(s, v);
	add_other_clocks(s, kt_model_trace(v->model));
	add_scanned(s, v);
	for (i = 0; plugins && (line = kt_plugins_complaint(plugins, i)); i++)
		add(s, '!', "  %s", line);
	if (s->len == before)
		add(s, ' ', "  %s", st->counted ? "nothing was lost, and nothing is damaged"
					     : "nothing so far; the index is not ready yet");
	if (st->scan.done && !st->scan.whole)
		add(s, ' ', "  names, formats and counts are those of the first %" PRIu64 " events",
		    st->scan.nr);
}

static void add_source(struct str *s, const struct source *src, uint64_t most, bool several)
{
	char name[64], nr[32] = "…", lost[32] = "", first[32], last[32];
	int bar, i;

	snprintf(name, sizeof(name), "CPU %d", src->src->cpu);
	if (several)
		snprintf(name, sizeof(name), "%zu:%s CPU %d", src->src->file_index + 1,
			 kt_file_buffer(src->src->file, src->src->buffer)->name, src->src->cpu);
	if (src->first > src->last) {
		add(s, ' ', "  %-12s no events", name);
		return;
	}
	if (src->nr != UINT64_MAX)
		snprintf(nr, sizeof(nr), "%" PRIu64, src->nr);
	if (src->lost)
		snprintf(lost, sizeof(lost), "%" PRIu64, src->lost);
	str_addf(s, "%c  %-12s %10s %8s %14s %14s  ", src->lost_places ? '!' : ' ', name, nr,
		 src->lost_places && !src->lost ? "some" : lost,
		 units_format_moment(src->first, first), units_format_moment(src->last, last));
	bar = src->nr != UINT64_MAX ? (int)((double)src->nr / (double)most * BAR) : 0;
	for (i = 0; i < bar; i++)
		str_add(s, "\xe2\x96\x88");
	str_addc(s, '\n');
}

static void add_sources(struct str *s, struct state *st)
{
	uint64_t most = 1;
	size_t i;
	bool several = false;

	add(s, '=', "%-14s %10s %8s %14s %14s", "CPUs", "events", "lost", "first", "last");
	for (i = 0; i < st->nr; i++) {
		if (st->sources[i].nr != UINT64_MAX && st->sources[i].nr > most)
			most = st->sources[i].nr;
		several |= st->sources[i].src->file_index || st->sources[i].src->buffer;
	}
	for (i = 0; i < st->nr; i++)
		add_source(s, &st->sources[i], most, several);
}

static void add_plugins(struct str *s, struct kt_plugins *plugins)
{
	struct kt_plugin_info info;
	size_t i;

	if (!plugins || !kt_plugins_nr(plugins))
		return;
	add(s, ' ', "%s", "");
	add(s, '=', "Plugins, for pretty texts (p in the events)");
	for (i = 0; i < kt_plugins_nr(plugins); i++) {
		kt_plugins_at(plugins, i, &info);
		str_addf(s, "%c  %-16s ", info.used ? ' ' : '!', info.name);
		str_add(s, info.used ? info.summary : info.reason);
		str_addc(s, '\n');
	}
}

static void write_text(struct view *v)
{
	struct state *st = v->state;
	struct kt_trace *t = kt_model_trace(v->model);
	const char *p;
	size_t file;

	str_reset(&st->text);
	add_doubts(&st->text, v);
	for (file = 0; file < kt_trace_nr_files(t); file++) {
		add(&st->text, ' ', "%s", "");
		add_file(&st->text, kt_trace_file(t, file));
		add_clocks(&st->text, kt_trace_file(t, file));
		add(&st->text, ' ', "  formats     of %zu events",
		    kt_file_nr_events(kt_trace_file(t, file)));
		add_contents(&st->text, kt_trace_file(t, file));
	}
	add(&st->text, ' ', "%s", "");
	add_sources(&st->text, st);
	if (st->scan.done && st->scan.nr)
		info_counts_print(&st->scan.counts, st->scan.nr, &st->text);
	add_plugins(&st->text, kt_model_plugins(v->model));
	st->nr_lines = 0;
	for (p = st->text.buf; (p = strchr(p, '\n')); p++)
		st->nr_lines++;
}

/* ---- the view ---- */

static bool work(struct view *v, unsigned int budget_ms)
{
	struct state *st = v->state;
	bool scanned = st->scan.done, counted = st->counted;
	size_t i;

	/* The counts come from the index, which threads build. */
	for (i = 0; !counted && i < st->nr; i++)
		if (!count(v, &st->sources[i], i))
			break;
	st->counted = counted || i == st->nr;
	if (info_scan_work(&st->scan, v->model, budget_ms))
		return true;
	if (scanned != st->scan.done || counted != st->counted)
		write_text(v);
	return false;
}

static bool stop(struct view *v)
{
	struct state *st = v->state;

	if (st->scan.done)
		return false;
	st->scan.done = true;
	write_text(v);
	app_say(v->app, "stopped: counts are those of the events so far");
	return true;
}

static void status(const struct view *v, struct str *out)
{
	const struct state *st = v->state;

	if (!st->scan.done && st->scan.nr)
		str_addf(out, "%" PRIu64 " events counted, Esc stops", st->scan.nr);
}

static void find_all_ends(struct view *v)
{
	struct state *st = v->state;
	size_t i;

	for (i = 0; i < st->nr; i++)
		find_ends(v, &st->sources[i], i);
}

/* Keep the old lines until everything is counted again. */
static void refresh(struct view *v)
{
	struct state *st = v->state;

	find_all_ends(v);
	st->counted = false;
	st->scan.done = false;
}

/* This view does not depend on the cursor. */
static void grown(struct view *v, bool follow)
{
	(void)follow;
	v->stale = true;
}

static void scroll(struct view *v, int by)
{
	struct state *st = v->state;
	int last = st->nr_lines - v->rows;

	st->top += by;
	if (st->top > last)
		st->top = last;
	if (st->top < 0)
		st->top = 0;
}

#define MOVE(name, by)									\
	static int name(struct view *v, const char *arg, struct kt_err *err)		\
	{										\
		(void)arg, (void)err;							\
		scroll(v, by);								\
		return 0;								\
	}
MOVE(down, 1)
MOVE(up, -1)
MOVE(page_down, v->rows - 1)
MOVE(page_up, 1 - v->rows)

static const struct view_command commands[] = {
	{ "down", "j Down WheelDown", NULL, "a line down", down, "down" },
	{ "up", "k Up WheelUp", NULL, "a line up", up, NULL },
	{ "page-down", "PgDn Space", NULL, "a screen down", page_down, NULL },
	{ "page-up", "PgUp b", NULL, "a screen up", page_up, NULL },
	VIEW_COMMANDS_END
};

static void draw(const struct view *v, struct area a)
{
	const struct state *st = v->state;
	const char *line = st->text.buf, *end;
	enum style style;
	int row;

	for (row = -st->top; row < a.rows && (end = strchr(line, '\n')); row++, line = end + 1) {
		style = *line == '!' ? STYLE_WARN : STYLE_NORMAL;
		if (row >= 0)
			area_putn(a, row, 1, *line == '=' ? STYLE_HEAD : style, line + 1,
				  (size_t)(end - line - 1), -1);
	}
}

static void yank(struct view *v, struct str *out)
{
	const struct state *st = v->state;
	const char *line = st->text.buf, *end;

	for (; (end = strchr(line, '\n')); line = end + 1)
		str_addn(out, line + 1, (size_t)(end - line));
}

static int open_view(struct view *v, struct kt_err *err)
{
	struct kt_stream *stream = kt_trace_stream(kt_model_trace(v->model));
	struct state *st = v->state;
	size_t i;

	st->text = (struct str)STR_INIT;
	st->nr = kt_stream_nr_sources(stream);
	st->sources = calloc(st->nr + 1, sizeof(*st->sources));
	if (!st->sources)
		return kt_err_no_memory(err);
	if (info_scan_begin(&st->scan, v->model, err) < 0)
		return err->code;
	find_all_ends(v);
	for (i = 0; i < kt_trace_nr_files(kt_model_trace(v->model)); i++)
		count_lost(st, kt_trace_file(kt_model_trace(v->model), i), i);
	write_text(v);
	return 0;
}

static void close_view(struct view *v)
{
	struct state *st = v->state;

	info_scan_end(&st->scan);
	free(st->sources);
	if (st->text.buf)
		str_fini(&st->text);
}

const struct view_ops info_view = {
	.name       = "info",
	.purpose    = "what is this file, and can I believe it?",
	.commands   = commands,
	.state_size = sizeof(struct state),
	.open = open_view, .close = close_view, .work = work, .draw = draw, .yank = yank,
	.grown = grown, .refresh = refresh, .stop = stop, .status = status,
};
