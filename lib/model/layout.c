/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* layout.c - the columns of a line: task, CPU, flags, time, event, text */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/num.h"
#include "model/text.h"

#define TASKS     512		/* cached names; a power of two */
#define TASK_MAX  47
#define COLUMNS   192		/* room for all columns but prefix, task and event */

#define IRQS_OFF     0x01	/* common_flags of a record */
#define IRQS_NOSUP   0x02
#define NEED_RESCHED 0x04
#define HARDIRQ      0x08
#define SOFTIRQ      0x10

/* "            work-144  ", as it stands in the line */
struct task {
	int32_t  pid;
	uint32_t file;		/* index + 1; 0: unused */
	uint8_t  len;
	char     text[TASK_MAX];
};

struct writer {
	struct kt_text *x;
	struct kt_out  *info;		/* scratch: text on its way to a terminal */
	uint64_t second;		/* the last one printed, and its digits */
	uint8_t  second_len;
	char     second_text[NUM_MAX];
	struct task tasks[TASKS];
};

/* What a terminal shows in which colour */
enum role { ROLE_TASK, ROLE_CPU, ROLE_TIME, ROLE_EVENT, ROLE_LOST, ROLE_END };

static const char *const colors[] = {
	[ROLE_TASK] = "\033[32m", [ROLE_CPU] = "\033[36m", [ROLE_TIME] = "\033[2m",
	[ROLE_EVENT] = "\033[1m", [ROLE_LOST] = "\033[31m", [ROLE_END] = "\033[m",
};

struct writer *writer_create(struct kt_text *x)
{
	struct writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->x = x;
	w->second = UINT64_MAX;
	w->info = kt_out_create();
	if (!w->info) {
		writer_destroy(w);
		return NULL;
	}
	return w;
}

void writer_destroy(struct writer *w)
{
	if (!w)
		return;
	kt_out_destroy(w->info);
	free(w);
}

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

/* As %*llu */
static char *put_right(char *p, uint64_t v, int width)
{
	int nr = num_dec_len(v);

	p = put_spaces(p, width - nr);
	return num_put_digits(p, v, nr);
}

static char *put_role(const struct writer *w, char *p, enum role role)
{
	return w->x->opts.color ? put(p, colors[role], strlen(colors[role])) : p;
}

/* ---- task ---- */

static void add_task(struct str *s, bool latency, const char *comm, int pid)
{
	str_addf(s, latency ? "%8.8s-%-5d" : "%16s-%-5d", comm, pid);
}

static const struct task *find_task(struct writer *w, size_t file, int pid)
{
	struct task *t = &w->tasks[((uint32_t)pid * 2654435761u + file) % TASKS];
	struct str s = STR_INIT;

	if (t->pid == pid && t->file == file + 1)
		return t;
	add_task(&s, w->x->opts.latency, kt_trace_comm(w->x->trace, file, pid), pid);
	if (s.len <= TASK_MAX) {
		*t = (struct task){ .pid = pid, .file = file + 1, .len = s.len };
		memcpy(t->text, s.buf, s.len);
	}
	str_fini(&s);
	return t->pid == pid && t->file == file + 1 ? t : NULL;
}

static void put_task(struct writer *w, const struct text_source *src, int pid, struct str *s)
{
	const struct task *t = find_task(w, src->file, pid);

	if (t)
		str_addn(s, t->text, t->len);
	else	/* a name that no kernel gives is too long for the cache */
		add_task(s, w->x->opts.latency, kt_trace_comm(w->x->trace, src->file, pid), pid);
}

/* ---- CPU and flags ---- */

static char hex_or_dot(unsigned int v)
{
	return v ? "0123456789abcdef"[v & 15] : '.';
}

/* Fields of some kernels only; negative says "none" for the depth of the big lock. */
static char *put_extra_flag(char *p, const struct kt_event *ev, const struct kt_field *f,
			    const struct kt_record *rec)
{
	int64_t v;

	if (!f || kt_field_i64(ev, f, rec, &v) < 0)
		return p;
	if (v < 0 || (v == 0 && f->name[7] == 'm'))
		*p++ = '.';
	else
		p = num_put_u64(p, v);
	return p;
}

static char *put_flags(char *p, const struct text_source *src, const struct kt_record *rec,
		       const struct text_event *te)
{
	static const char irq[4] = { '.', 'h', 's', 'H' };
	unsigned int flags = kt_record_flags(src->events, rec);
	unsigned int depth = kt_record_preempt(src->events, rec);

	*p++ = flags & IRQS_OFF ? 'd' : flags & IRQS_NOSUP ? 'X' : '.';
	*p++ = flags & NEED_RESCHED ? 'N' : '.';
	*p++ = irq[(flags & (HARDIRQ | SOFTIRQ)) / HARDIRQ];
	*p++ = hex_or_dot(depth & 15);
	*p++ = hex_or_dot(depth >> 4);
	p = put_extra_flag(p, te->ev, te->migrate_disable, rec);
	return put_extra_flag(p, te->ev, te->lock_depth, rec);
}

static char *put_raw_flags(char *p, const struct text_source *src, const struct kt_record *rec)
{
	p = put(p, "-0x", 3);
	return num_put_hex(p, kt_record_flags(src->events, rec));
}

static char *put_cpu(const struct writer *w, char *p, const struct text_source *src,
		     const struct kt_record *rec, const struct text_event *te)
{
	const struct kt_text_opts *opts = &w->x->opts;

	p = put_role(w, p, ROLE_CPU);
	*p++ = ' ';
	if (opts->latency) {
		p = put_right(p, src->cpu, 3);
	} else {
		*p++ = '[';
		p = src->cpu < 1000 ? num_put_digits(p, src->cpu, 3) : num_put_u64(p, src->cpu);
		*p++ = ']';
	}
	p = put_role(w, p, ROLE_END);
	if (!opts->latency && opts->layout == KT_LAYOUT_3_1)
		return p;
	if (opts->raw)
		return put_raw_flags(p, src, rec);
	if (!opts->latency)
		*p++ = ' ';
	return put_flags(p, src, rec, te);
}

/* ---- time ---- */

/* The second seldom changes from one record to the next. */
static char *put_second(struct writer *w, char *p, uint64_t second)
{
	if (second != w->second) {
		w->second = second;
		w->second_len = put_right(w->second_text, second, 5) - w->second_text;
	}
	return put(p, w->second_text, w->second_len);
}

static char *put_time(struct writer *w, char *p, const struct text_source *src, uint64_t ts)
{
	uint64_t us;

	ts -= w->x->base_ts;
	p = put_role(w, p, ROLE_TIME);
	if (!src->in_ns) {
		p = put_right(p, ts, 12);
	} else if (w->x->opts.nanoseconds) {
		*p++ = ' ';
		p = put_second(w, p, ts / 1000000000);
		*p++ = '.';
		p = num_put_digits(p, ts % 1000000000, 9);
	} else {
		us = ts / 1000 + (ts % 1000 >= 500);
		*p++ = ' ';
		p = put_second(w, p, us / 1000000);
		*p++ = '.';
		p = num_put_digits(p, us % 1000000, 6);
	}
	*p++ = ':';
	return put_role(w, p, ROLE_END);
}

/* " (+336)  ", eight columns and more; blank for the first line */
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

static void add_lost(const struct writer *w, const struct text_source *src, uint32_t lost,
		     struct str *s)
{
	str_addn(s, src->prefix, src->prefix_len);
	str_addf(s, "%sCPU:%d [", w->x->opts.color ? colors[ROLE_LOST] : "", src->cpu);
	if (lost != KT_LOST_UNKNOWN)
		str_addf(s, "%" PRIu32 " ", lost);
	str_addf(s, "EVENTS DROPPED]%s\n", w->x->opts.color ? colors[ROLE_END] : "");
}

static void add_page(const struct text_source *src, struct str *s)
{
	str_addn(s, src->prefix, src->prefix_len);
	str_addf(s, "CPU:%d [SUBBUFFER START]\n", src->cpu);
}

/* trace-cmd says it thrice where it prints flags, since each of its pieces fails alone. */
static void add_unknown(const struct writer *w, const struct text_source *src, struct str *s)
{
	str_addn(s, src->prefix, src->prefix_len);
	str_add(s, "[UNKNOWN EVENT][UNKNOWN EVENT]");
	if (w->x->opts.layout == KT_LAYOUT_CURRENT && !w->x->opts.latency)
		str_add(s, "[UNKNOWN EVENT]");
	str_add(s, " (NULL):               [UNKNOWN EVENT]\n");
}

static void add_latency(uint64_t ns, struct str *s)
{
	str_addf(s, " Latency: %" PRIu64 ".%03" PRIu64 " usecs", ns / 1000, ns % 1000);
}

static void add_columns(struct writer *w, const struct kt_record *rec, const struct mark *m,
			const struct text_source *src, struct str *s)
{
	const struct text_event *te = m->ev;
	char *p = str_room(s, COLUMNS + te->head_len);

	if (!p)
		return;
	p = put_cpu(w, p, src, rec, te);
	p = put_time(w, p, src, rec->ts);
	if (w->x->opts.ts_diff)
		p = put_diff(p, m);
	p = put_role(w, p, ROLE_EVENT);
	p = put(p, te->head, te->head_len);
	p = put_role(w, p, ROLE_END);
	*p = '\0';
	s->len = p - s->buf;
}

/* The lines of a stack trace are ours, those inside any other text are the trace's. */
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

static void add_info(struct writer *w, const struct kt_record *rec, const struct mark *m,
		     struct kt_out *out)
{
	if (!w->x->opts.escape) {
		text_info(w->x, rec, m, out);
		return;
	}
	kt_out_reset(w->info);
	text_info(w->x, rec, m, w->info);
	add_escaped_info(w->info->text.buf, w->info->text.len, m->ev->kind == TEXT_STACK,
			 &out->text);
}

static void add_task_column(struct writer *w, const struct kt_record *rec,
			    const struct text_source *src, struct str *s)
{
	int pid = kt_record_pid(src->events, rec);

	if (!w->x->opts.escape) {
		put_task(w, src, pid, s);
		return;
	}
	kt_out_reset(w->info);
	put_task(w, src, pid, &w->info->text);
	if (w->x->opts.color)
		str_add(s, colors[ROLE_TASK]);
	str_add_escaped(s, w->info->text.buf, w->info->text.len);
	if (w->x->opts.color)
		str_add(s, colors[ROLE_END]);
}

void writer_line(struct writer *w, const struct kt_record *rec, const struct mark *m,
		 struct kt_out *out)
{
	const struct text_source *src = &w->x->sources[rec->source];
	struct str *s = &out->text;

	if (w->x->opts.json) {
		json_line(w->x, rec, m, w->info, out);
		return;
	}
	if (rec->lost)
		add_lost(w, src, rec->lost, s);
	if (m->flags & MARK_PAGE)
		add_page(src, s);
	if (!m->ev->ev) {
		add_unknown(w, src, s);
		return;
	}
	if (src->prefix_len)
		str_addn(s, src->prefix, src->prefix_len);
	add_task_column(w, rec, src, s);
	add_columns(w, rec, m, src, s);
	add_info(w, rec, m, out);
	if (m->flags & MARK_LATENCY)
		add_latency(m->duration, s);
	str_addc(s, '\n');
}
