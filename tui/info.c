/* SPDX-License-Identifier: GPL-2.0-or-later */
/* info.c - the view of the file: what is it, and can I believe it? */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/units.h"

#define BAR 15				/* columns of the longest bar */

/* What is known of one CPU of one buffer */
struct source {
	const struct kt_source *src;
	uint64_t nr;			/* records; UINT64_MAX: not counted yet */
	uint64_t first, last;		/* times; first > last: it has none */
	uint32_t lost_places;		/* stretches of the strip in which events were lost */
};

struct state {
	struct source *sources;
	size_t nr;
	bool counted;
	struct str text;		/* lines; the first character says how each looks */
	int top, nr_lines;
};

#define STRETCHES 512			/* of the whole time, in which losses are looked for */

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

/* What only the index knows; false while it is not ready */
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

/* A line of some look: '=' a heading, '!' a warning, ' ' a plain one */
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
	add(s, ' ', "  words       %d bit, %s-endian, sub-buffers of %u bytes", i->commit_size * 8,
	    i->big_endian ? "big" : "little", i->page_size);
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

/* What a reader should know, the most important first */
static void add_doubts(struct str *s, struct view *v)
{
	struct state *st = v->state;
	struct kt_trace *t = kt_model_trace(v->model);
	size_t file, i, nr = 0;
	const char *line;

	add(s, '=', "What to know");
	for (i = 0; i < st->nr; i++)
		if (st->sources[i].lost_places) {
			add(s, '!', "  CPU %d lost events: L in the events leads to each place",
			    st->sources[i].src->cpu);
			nr++;
		}
	for (file = 0; file < kt_trace_nr_files(t); file++)
		for (i = 0; (line = kt_file_damage(kt_trace_file(t, file), i)) && i < 8; i++) {
			add(s, '!', "  %s", line);
			nr++;
		}
	if (!nr)
		add(s, ' ', "  %s", st->counted ? "nothing was lost, and nothing is damaged"
					     : "nothing so far; the index is not ready yet");
}

static void add_source(struct str *s, const struct source *src, uint64_t most, bool several)
{
	char name[64], nr[32] = "…";
	int bar, i;

	snprintf(name, sizeof(name), "CPU %d", src->src->cpu);
	if (several)
		snprintf(name, sizeof(name), "%zu:%zu CPU %d", src->src->file_index,
			 src->src->buffer, src->src->cpu);
	if (src->first > src->last) {
		add(s, ' ', "  %-12s no events", name);
		return;
	}
	if (src->nr != UINT64_MAX)
		snprintf(nr, sizeof(nr), "%" PRIu64, src->nr);
	str_addf(s, "%c  %-12s %12s  %7" PRIu64 ".%06" PRIu64 " to %7" PRIu64 ".%06" PRIu64 "  ",
		 src->lost_places ? '!' : ' ', name, nr, src->first / 1000000000,
		 src->first % 1000000000 / 1000, src->last / 1000000000,
		 src->last % 1000000000 / 1000);
	bar = src->nr != UINT64_MAX ? (int)((double)src->nr / (double)most * BAR) : 0;
	for (i = 0; i < bar; i++)
		str_add(s, "\xe2\x96\x88");
	str_add(s, src->lost_places ? " lost\n" : "\n");
}

static void add_sources(struct str *s, struct state *st)
{
	uint64_t most = 1;
	size_t i;
	bool several = false;

	add(s, '=', "CPUs");
	for (i = 0; i < st->nr; i++) {
		if (st->sources[i].nr != UINT64_MAX && st->sources[i].nr > most)
			most = st->sources[i].nr;
		several |= st->sources[i].src->file_index || st->sources[i].src->buffer;
	}
	for (i = 0; i < st->nr; i++)
		add_source(s, &st->sources[i], most, several);
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
	}
	add(&st->text, ' ', "%s", "");
	add_sources(&st->text, st);
	st->nr_lines = 0;
	for (p = st->text.buf; (p = strchr(p, '\n')); p++)
		st->nr_lines++;
}

/* ---- the view ---- */

static bool work(struct view *v, unsigned int budget_ms)
{
	struct state *st = v->state;
	size_t i;

	(void)budget_ms;
	if (st->counted)
		return false;
	for (i = 0; i < st->nr; i++)
		if (!count(v, &st->sources[i], i))
			return false;		/* threads are at the index: no work for us */
	st->counted = true;
	write_text(v);
	return false;
}

static void find_all_ends(struct view *v)
{
	struct state *st = v->state;
	size_t i;

	for (i = 0; i < st->nr; i++)
		find_ends(v, &st->sources[i], i);
}

/* What stands there stays until all is counted again. */
static void refresh(struct view *v)
{
	struct state *st = v->state;

	find_all_ends(v);
	st->counted = false;
}

/* No cursor here: it follows, wherever that is. */
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
	int row;

	for (row = -st->top; row < a.rows && (end = strchr(line, '\n')); row++, line = end + 1)
		if (row >= 0)
			area_putn(a, row, 1, *line == '=' ? STYLE_HEAD : *line == '!' ? STYLE_WARN :
				  STYLE_NORMAL, line + 1, (size_t)(end - line - 1), -1);
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

	st->text = (struct str)STR_INIT;
	st->nr = kt_stream_nr_sources(stream);
	st->sources = calloc(st->nr + 1, sizeof(*st->sources));
	if (!st->sources)
		return kt_err_set(err, -ENOMEM, "out of memory");
	find_all_ends(v);
	write_text(v);
	return 0;
}

static void close_view(struct view *v)
{
	struct state *st = v->state;

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
	.grown = grown, .refresh = refresh,
};
