/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* columns.c - the columns of a line: task, CPU, flags, time, event, text */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/num.h"
#include "base/put.h"
#include "text/text.h"

#define TASKS      1024		/* cached starts of lines; a power of two */
#define COLUMNS    256		/* room for all columns except the start and the event */
#define NS_PER_SEC 1000000000u

/*
 * "            work-144   [001]": prefix, task and CPU, as in the lines of a source; in JSON, the
 * members up to "comm"
 */
struct task {
	int32_t  pid;
	uint32_t source;	/* index + 1; 0: unused */
	uint32_t len;
	bool     in_ns;		/* times of the source are in ns */
	char    *text;		/* at least TEXT_COPY bytes of memory */
};

struct flags {
	uint32_t key;		/* flags and depth + 1; 0: unused */
	char     text[8];
};

struct line_writer {
	struct kt_text *x;
	struct kt_out  *info;		/* scratch: text to be escaped for a terminal or JSON */
	bool     plain;			/* lines like those of trace-cmd without options */
	enum { FLAGS_NONE, FLAGS_APART, FLAGS_BESIDE, FLAGS_RAW } flags_as;	/* after the CPU */
	uint64_t second;		/* in ns: the second printed last */
	size_t   second_len;		/* length of its text: " 1549." */
	char     second_text[TEXT_DATE + 8];
	struct json_context json;
	struct input in;		/* of the current line */
	struct flags flags[TEXT_FLAGS];
	struct task  tasks[TASKS];
	struct names names;
};

/* Parts of a line with their own colour on a terminal */
enum role { ROLE_TASK, ROLE_CPU, ROLE_TIME, ROLE_EVENT, ROLE_LOST, ROLE_END };

static const char *const colors[] = {
	[ROLE_TASK] = "\033[32m", [ROLE_CPU] = "\033[36m", [ROLE_TIME] = "\033[2m",
	[ROLE_EVENT] = "\033[1m", [ROLE_LOST] = "\033[31m", [ROLE_END] = "\033[m",
};

static char *put(char *p, const char *text, size_t len)
{
	memcpy(p, text, len);
	return p + len;
}

static char *put_spaces(char *p, int nr)
{
	if (nr <= 0)
		return p;
	memset(p, ' ', nr);
	return p + nr;
}

/* Like %*llu */
static char *put_right(char *p, uint64_t v, int width)
{
	int nr = num_dec_len(v);

	p = put_spaces(p, width - nr);
	return num_put_digits(p, v, nr);
}

static char *put_role(const struct line_writer *w, char *p, enum role role)
{
	return w->x->opts.color ? put(p, colors[role], strlen(colors[role])) : p;
}

/* At most @len bytes are used; see TEXT_COPY */
static char *put_short(char *p, const char *text, size_t len)
{
	if (len > TEXT_COPY)
		return put(p, text, len);
	memcpy(p, text, TEXT_COPY);
	return p + len;
}

/* ---- task and CPU ---- */

static void add_columns_task(const struct kt_text *x, const char *comm, int pid, struct str *s)
{
	struct str plain = STR_INIT;

	if (!x->opts.color && !x->opts.escape) {
		text_add_task(x, comm, pid, s);
		return;
	}
	text_add_task(x, comm, pid, &plain);
	if (x->opts.color)
		str_add(s, colors[ROLE_TASK]);
	if (x->opts.escape)
		str_add_escaped(s, plain.buf, plain.len);
	else
		str_addn(s, plain.buf, plain.len);
	if (x->opts.color)
		str_add(s, colors[ROLE_END]);
	str_fini(&plain);
}

static void add_columns_cpu(const struct kt_text *x, int cpu, struct str *s)
{
	if (x->opts.color)
		str_add(s, colors[ROLE_CPU]);
	if (cpu >= 0 && cpu < 1000 && !x->opts.latency) {
		str_add(s, " [");
		str_addn(s, num_threes[cpu], 3);
		str_addc(s, ']');
	} else {
		str_addf(s, x->opts.latency ? " %3d" : " [%03d]", cpu);
	}
	if (x->opts.color)
		str_add(s, colors[ROLE_END]);
}

static const struct task *make_task(struct line_writer *w, struct task *t, size_t source, int pid)
{
	const struct text_source *src = &w->x->sources[source];
	const char *comm = kt_trace_comm(w->x->trace, src->file, pid);
	struct str s = STR_INIT;
	size_t len;

	if (w->x->opts.json) {
		json_task(w->x, src, comm, pid, &s);
	} else {
		str_addn(&s, src->prefix, src->prefix_len);
		add_columns_task(w->x, comm, pid, &s);
		add_columns_cpu(w->x, src->cpu, &s);
	}
	len = s.len;
	str_room(&s, TEXT_COPY);
	free(t->text);
	*t = (struct task){ .pid = pid, .source = source + 1, .len = len, .in_ns = src->in_ns,
			    .text = str_take(&s) };
	if (t->text)
		return t;
	t->source = 0;
	return NULL;
}

static inline const struct task *find_task(struct line_writer *w, uint32_t source, int pid)
{
	struct task *t = &w->tasks[((uint32_t)pid + source * 97) % TASKS];

	return t->pid == pid && t->source == source + 1 ? t : make_task(w, t, source, pid);
}

/* ---- flags ---- */

static char *put_any_flags(struct line_writer *w, char *p, const struct kt_record *rec,
			   const struct text_event *te)
{
	uint32_t key = text_shown_flags(rec, te) + 1;
	struct flags *f = &w->flags[text_flags_hash(key)];
	uint64_t lazy_depth;

	if (!te->usual && te->lazy_depth && w->x->opts.layout == KT_LAYOUT_KERNEL &&
	    kt_field_u64(te->ev, te->lazy_depth, rec, &lazy_depth) == 0)
		return text_put_rt_flags(p, key - 1, lazy_depth);
	if (f->key != key) {
		f->key = key;
		text_put_flags(f->text, key - 1, w->x->opts.layout);
	}
	p = put(p, f->text, FLAG_LETTERS);
	p = text_put_extra_flag(p, te->ev, te->migrate_disable, rec);
	return text_put_extra_flag(p, te->ev, te->lock_depth, rec);
}

/* The same few flags come again and again. */
static inline char *put_flags(struct line_writer *w, char *p, const struct kt_record *rec,
			      const struct text_event *te)
{
	uint32_t key = text_flags(rec, te) + 1;
	const struct flags *f = &w->flags[text_flags_hash(key)];

	if (__builtin_expect(f->key != key || te->more_flags, 0))
		return put_any_flags(w, p, rec, te);
	memcpy(p, f->text, sizeof(f->text));
	return p + FLAG_LETTERS;
}

static char *put_raw_flags(char *p, const struct kt_record *rec, const struct text_event *te)
{
	p = put(p, "-0x", 3);
	return num_put_hex(p, text_flags(rec, te) & 0xff);
}

static inline char *put_flags_column(struct line_writer *w, char *p, const struct kt_record *rec,
				     const struct text_event *te)
{
	if (w->flags_as == FLAGS_NONE)
		return p;
	if (w->flags_as == FLAGS_RAW)
		return put_raw_flags(p, rec, te);
	if (w->flags_as == FLAGS_APART)
		*p++ = ' ';
	return put_flags(w, p, rec, te);
}

/* ---- time ---- */

static void set_second(struct line_writer *w, uint64_t second)
{
	char *p = w->second_text;

	*p++ = ' ';
	p = w->x->opts.wall ? text_put_date(p, second / NS_PER_SEC) :
			      put_right(p, second / NS_PER_SEC, 5);
	*p++ = '.';
	w->second = second;
	w->second_len = p - w->second_text;
}

/* The second rarely changes between records. */
static inline char *put_second(struct line_writer *w, char *p, uint64_t ts)
{
	if (__builtin_expect(ts - w->second >= NS_PER_SEC, 0))
		set_second(w, ts - ts % NS_PER_SEC);
	memcpy(p, w->second_text, sizeof(w->second_text));
	return p + w->second_len;
}

static inline char *put_micros(struct line_writer *w, char *p, uint64_t ts)
{
	/* rounded half up, except close to the largest time */
	ts += ts > UINT64_MAX - 500 ? 0 : 500;
	p = put_second(w, p, ts);
	return num_put_six(p, (uint32_t)(ts - w->second) / 1000);
}

/* In units of the clock. A long time keeps a blank after the flags, as in trace-cmd since 3.3.2. */
static char *put_raw_time(const struct line_writer *w, char *p, uint64_t ts)
{
	if (w->flags_as && w->x->opts.layout != KT_LAYOUT_3_1 && num_dec_len(ts) >= 12)
		*p++ = ' ';
	return put_right(p, ts, 12);
}

static char *put_time(struct line_writer *w, char *p, const struct text_source *src, uint64_t ts)
{
	ts += src->wall - w->x->base_ts;
	p = put_role(w, p, ROLE_TIME);
	if (!src->in_ns) {
		p = put_raw_time(w, p, ts);
	} else if (w->x->opts.nanoseconds) {
		p = put_second(w, p, ts);
		p = num_put_digits(p, ts - w->second, 9);
	} else {
		p = put_micros(w, p, ts);
	}
	*p++ = ':';
	return put_role(w, p, ROLE_END);
}

/* " (+336)  ", at least eight columns; blank on the first line */
static char *put_diff(char *p, const struct mark *m)
{
	char *start = p + 1;

	*p++ = ' ';
	if (m->flags & MARK_DIFF) {
		p = put(p, "(+", 2);
		p = num_put_i64(p, m->diff);
		*p++ = ')';
	}
	return put_spaces(p, 8 - (p - start));
}

/* ---- the line ---- */

static void add_lost(const struct line_writer *w, const struct text_source *src, uint32_t lost,
		     struct str *s)
{
	str_addn(s, src->prefix, src->prefix_len);
	str_addf(s, "%sCPU:%d [", w->x->opts.color ? colors[ROLE_LOST] : "", src->cpu);
	if (lost != KT_LOST_UNKNOWN)
		str_addf(s, "%" PRIu32 " ", lost);
	str_addf(s, "EVENTS DROPPED]%s\n", w->x->opts.color ? colors[ROLE_END] : "");
}

static void add_page(const struct line_writer *w, const struct kt_record *rec,
		     const struct text_source *src, struct str *s)
{
	str_addn(s, src->prefix, src->prefix_len);
	str_addf(s, "CPU:%d [SUBBUFFER START]", src->cpu);
	if (w->x->opts.debug)
		debug_page(w->x, rec, s);
	str_addc(s, '\n');
}

/* trace-cmd prints it twice, since two of its steps fail independently. */
static void add_unknown_of_peer(const struct text_source *src, struct str *s)
{
	str_addn(s, src->prefix, src->prefix_len);
	str_add(s, "[UNKNOWN EVENT][UNKNOWN EVENT] (NULL):               [UNKNOWN EVENT]\n");
}

static void add_latency(uint64_t ns, struct str *s)
{
	str_addf(s, " Latency: %" PRIu64 ".%03" PRIu64 " usecs", ns / 1000, ns % 1000);
}

static char *put_columns(struct line_writer *w, char *p, const struct kt_record *rec,
			 const struct mark *m, const struct text_source *src)
{
	p = put_flags_column(w, p, rec, m->ev);
	p = put_time(w, p, src, rec->ts);
	if (w->x->opts.ts_diff)
		p = put_diff(p, m);
	return put_role(w, p, ROLE_EVENT);
}

static void add_columns(struct line_writer *w, const struct kt_record *rec, const struct mark *m,
			const struct text_source *src, const struct task *t, struct str *s)
{
	const struct text_event *te = m->ev;
	char *p = str_room(s, COLUMNS + t->len + te->head_len);

	if (!p)
		return;
	p = put_short(p, t->text, t->len);
	p = put_columns(w, p, rec, m, src);
	p = put_short(p, te->head, te->head_len);
	p = put_role(w, p, ROLE_END);
	*p = '\0';
	s->len = p - s->buf;
}

/* Line ends of a stack trace are ours; those in other text are the trace's, thus escaped. */
static void add_escaped_info(const char *text, size_t len, bool lines, struct str *s)
{
	const char *eol;

	while (lines && (eol = memchr(text, '\n', len))) {
		str_add_escaped(s, text, eol - text);
		str_addc(s, '\n');
		len -= eol + 1 - text;
		text = eol + 1;
	}
	str_add_escaped(s, text, len);
}

static void add_info(struct line_writer *w, const struct kt_record *rec, const struct mark *m,
		     struct kt_out *out)
{
	if (!w->x->opts.escape) {
		text_info(w->x, &w->names, rec, m, out);
		return;
	}
	kt_out_reset(w->info);
	text_info(w->x, &w->names, rec, m, w->info);
	add_escaped_info(w->info->text.buf, w->info->text.len, m->ev->kind == TEXT_STACK,
			 &out->text);
}

/* Extra lines before a record's line */
static void add_notes(const struct line_writer *w, const struct kt_record *rec,
		      const struct mark *m, const struct text_source *src, struct str *s)
{
	if (rec->lost)
		add_lost(w, src, rec->lost, s);
	if (m->flags & MARK_PAGE)
		add_page(w, rec, src, s);
}

static void add_line(struct line_writer *w, const struct kt_record *rec, const struct mark *m,
		     const struct task *t, struct kt_out *out)
{
	const struct text_source *src = &w->x->sources[rec->source];
	struct str *s = &out->text;

	add_notes(w, rec, m, src, s);
	if (!m->ev->ev && w->x->opts.layout == KT_LAYOUT_3_1) {
		add_unknown_of_peer(src, s);
		return;
	}
	add_columns(w, rec, m, src, t, s);
	if (m->ev->ev)
		add_info(w, rec, m, out);
	else
		str_addf(s, "type %u, %u bytes", rec->type, rec->size);
	if (w->x->opts.debug)
		debug_record(w->x, rec, s);
	if (m->flags & MARK_LATENCY)
		add_latency(m->duration, s);
	str_addc(s, '\n');
}

/* ---- the same for the usual reports, in which no option changes a line ---- */

static inline bool is_plain(const struct line_writer *w, const struct kt_record *rec,
			    const struct mark *m)
{
	return w->plain && m->ev->ev && !rec->lost;
}

static inline char *put_plain_columns(struct line_writer *w, char *p, const struct kt_record *rec,
				      const struct text_event *te, bool in_ns)
{
	uint64_t ts = rec->ts - w->x->base_ts;

	p = put_flags_column(w, p, rec, te);
	p = in_ns ? put_micros(w, p, ts) : put_raw_time(w, p, ts);
	*p++ = ':';
	return put_short(p, te->head, te->head_len);
}

/* Function records are the most frequent: their text is a name that the front has found. */
static inline char *put_function(char *p, const struct mark *m)
{
	size_t spaces = m->indent * FUNCTION_INDENT;

	p = put_blanks(p, spaces);
	p = put_padded(p, m->name, m->name_len);
	*p++ = '\n';
	return p;
}

static inline void add_plain(struct line_writer *w, const struct kt_record *rec,
			     const struct mark *m, const struct task *t, struct kt_out *out)
{
	const struct text_event *te = m->ev;
	struct str *s = &out->text;
	size_t name = m->flags & MARK_NAME ? m->name_len + m->indent * FUNCTION_INDENT : 0;
	char *p = put_room(s, COLUMNS + t->len + te->head_len + te->line.room + name);

	if (!p)
		return;
	p = put_short(p, t->text, t->len);
	p = put_plain_columns(w, p, rec, te, t->in_ns);
	if (m->flags & MARK_NAME) {
		put_done(s, put_function(p, m));
		return;
	}
	if (rec->size >= te->line_size) {
		w->in.data = rec->data;
		if (te->line.asks)
			text_set_input(w->x, rec, te, &w->in);
		p = line_put(&te->line, p, &w->in);
		if (p)
			put_done(s, p);
		return;
	}
	put_done(s, p);
	if (te->graph)
		graph_text(w->x, &w->names, rec, m, out);
	else if (te->printer)
		printer_put(te->printer, w->x->sources[rec->source].events, to_event(te->ev), rec,
			    out);
	else
		text_info(w->x, &w->names, rec, m, out);
	p = put_room(s, 1);
	if (!p)
		return;
	/* Many print formats end with a newline, which the line already has. */
	if (te->own_newline || p[-1] != '\n')
		*p++ = '\n';
	put_done(s, p);
}

/* ---- one column by itself ---- */

/* Columns that are written into memory allocated before */
static void add_column(struct line_writer *w, enum kt_cell_role role, const struct kt_record *rec,
		       const struct mark *m, struct str *s)
{
	char *p = str_room(s, COLUMNS);

	if (!p)
		return;
	p = role == KT_CELL_FLAGS ? put_flags_column(w, p, rec, m->ev) :
				    put_time(w, p, &w->x->sources[rec->source], rec->ts);
	*p = '\0';
	s->len = p - s->buf;
}

static void add_known_task(struct line_writer *w, const struct kt_record *rec, const struct mark *m,
			   struct str *s)
{
	int pid = text_pid(w->x, rec, m->ev);
	size_t file = w->x->sources[rec->source].file;

	add_columns_task(w->x, kt_trace_comm_known(w->x->trace, file, pid), pid, s);
}

void writer_column(struct line_writer *w, enum kt_cell_role role, const struct kt_record *rec,
		   const struct mark *m, struct kt_out *out)
{
	const struct text_source *src = &w->x->sources[rec->source];

	w->in.out = out;
	if (role == KT_CELL_BUFFER)
		str_addn(&out->text, src->prefix, src->prefix_len);
	else if (role == KT_CELL_TASK)
		add_known_task(w, rec, m, &out->text);
	else if (role == KT_CELL_CPU)
		add_columns_cpu(w->x, src->cpu, &out->text);
	else if (m->ev->ev && (role == KT_CELL_FLAGS || role == KT_CELL_TIME))
		add_column(w, role, rec, m, &out->text);
	else if (m->ev->ev && role == KT_CELL_EVENT)
		str_addn(&out->text, m->ev->head, m->ev->head_len);
	else if (m->ev->ev && role == KT_CELL_INFO)
		add_info(w, rec, m, out);
	else if (role == KT_CELL_EVENT)
		str_add(&out->text, " [UNKNOWN EVENT]");
}

/* ---- any line ---- */

static inline void add_any_line(struct line_writer *w, const struct kt_record *rec,
				const struct mark *m, const struct task *t, struct kt_out *out)
{
	if (w->x->opts.json)
		json_line(&w->json, rec, m, t->text, t->len);
	else if (is_plain(w, rec, m))
		add_plain(w, rec, m, t, out);
	else
		add_line(w, rec, m, t, out);
}

struct line_writer *writer_create(struct kt_text *x)
{
	struct line_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->x = x;
	w->flags_as = x->opts.latency ? FLAGS_BESIDE : FLAGS_APART;
	if (!x->opts.latency && x->opts.layout == KT_LAYOUT_3_1)
		w->flags_as = FLAGS_NONE;
	else if (x->opts.raw)
		w->flags_as = FLAGS_RAW;
	w->plain = !x->opts.json && !x->opts.escape && !x->opts.color && !x->opts.debug &&
		   !x->opts.latency && !x->opts.ts_diff && !x->opts.nanoseconds &&
		   !x->opts.boundary && !x->opts.wakeup && !x->opts.wall;
	set_second(w, 0);
	w->info = kt_out_create();
	w->json.x = x;
	w->json.names = &w->names;
	w->json.scratch = w->info;
	if (!w->info) {
		writer_destroy(w);
		return NULL;
	}
	return w;
}

void writer_destroy(struct line_writer *w)
{
	size_t i;

	if (!w)
		return;
	for (i = 0; i < TASKS; i++)
		free(w->tasks[i].text);
	kt_out_destroy(w->info);
	free(w);
}

struct names *writer_names(struct line_writer *w)
{
	return &w->names;
}

void writer_lines(struct line_writer *w, const struct kt_record *recs, const struct mark *marks,
		  size_t nr, struct kt_out *out)
{
	const struct kt_record *rec = recs;
	const struct mark *m = marks;
	const struct task *t;

	w->in.out = w->json.in.out = out;
	for (; rec < recs + nr; rec++, m++) {
		if (m->flags & MARK_SKIP)
			continue;
		t = find_task(w, rec->source, text_pid(w->x, rec, m->ev));
		if (!t) {
			out->text.failed = true;
			return;
		}
		add_any_line(w, rec, m, t, out);
	}
}
