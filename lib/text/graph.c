/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* graph.c - print function_graph records as a call tree with durations */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/num.h"
#include "base/put.h"
#include "trace/pretty.h"
#include "builtin/builtin.h"
#include "symbols/symbols.h"
#include "text/text.h"
#include "plug/plug.h"

#define MAX_DEPTH   512		/* the kernel stops at about 50, but a file may be forged */
#define INDENT      2
#define MAX_ERRNO   4095
#define FIXED_TEXT  64		/* all of a line except indentation and names */

/* The kernel's trace file has two more marks than libtraceevent: * 10 ms, @ 100 ms. */
static char overhead_mark(const struct kt_text *x, uint64_t ns)
{
	if ((x->graph.on || x->opts.layout == KT_LAYOUT_KERNEL) && ns > 10000000 &&
	    ns <= 1000000000)
		return ns > 100000000 ? '@' : '*';
	if (ns > 1000000000)
		return '$';
	if (ns > 1000000)
		return '#';
	if (ns > 100000)
		return '!';
	return ns > 10000 ? '+' : ' ';
}

static char *put_long_duration(const struct kt_text *x, char *p, uint64_t ns)
{
	char *start;

	*p++ = overhead_mark(x, ns);
	*p++ = ' ';
	start = p;
	p = num_put_u64(p, ns / 1000);
	if (p - start < 7) {
		*p++ = '.';
		p = num_put_digits(p, ns % 1000, 3);
	}
	p = put_lit(p, " us ");
	while (p - start < 11)
		*p++ = ' ';
	return put_lit(p, "|  ");
}

/*
 * Like the kernel: one column more, and decimals up to seven digits in all. Source:
 * Linux 7.2, trace_functions_graph.c, trace_print_graph_duration().
 */
static char *put_kernel_duration(const struct kt_text *x, char *p, uint64_t ns)
{
	char *start;
	size_t len;

	*p++ = overhead_mark(x, ns);
	*p++ = ' ';
	start = p;
	p = num_put_u64(p, ns / 1000);
	if (p - start < 7) {
		*p++ = '.';
		p = num_put_digits(p, ns % 1000, 3);
	}
	len = p - start;
	if (len > 8 && ns < 10000000000)
		len = 8;
	p = put_lit(start + len, " us ");
	p = put_blanks(p, len < 8 ? 8 - len : 0);
	return put_lit(p, "|  ");
}

/* "! 118.355 us |  ": microseconds in seven columns, three decimals if they fit */
static inline char *put_duration(const struct kt_text *x, char *p, uint64_t ns)
{
	uint32_t us = ns / 1000;
	char *digits = p + 2;

	if (x->opts.layout == KT_LAYOUT_KERNEL)
		return put_kernel_duration(x, p, ns);
	if (__builtin_expect(ns >= 1000000, 0))
		return put_long_duration(x, p, ns);
	p[0] = overhead_mark(x, ns);
	p[1] = ' ';
	p = num_put_small(digits, us);
	*p++ = '.';
	p = num_put_three(p, (uint32_t)ns - us * 1000);
	memcpy(p, " us     ", 8);
	return put_lit(digits + 11, "|  ");
}

static char *put_no_duration(const struct kt_text *x, char *p)
{
	p = put_blanks(p, x->opts.layout == KT_LAYOUT_KERNEL ? 14 : 13);
	return put_lit(p, "|  ");
}

static void add_nameless(const struct text_source *src, uint64_t addr, struct str *s)
{
	if (!symbols_put_nameless(src->symbols, addr, true, s))
		str_addf(s, "%" PRIx64, addr);
}

/* @name: the result of names_find() for @addr; the character @after it */
static inline void add_name(const struct text_source *src, const struct name *name, uint64_t addr,
			    char after, struct str *s)
{
	char *p = name->len ? put_room(s, name->len + 1) : NULL;

	if (p) {
		p = put_padded(p, name->text, name->len);
		*p++ = after;
		put_done(s, p);
	} else {
		add_nameless(src, addr, s);
		str_addc(s, after);
	}
}

/* An int may leave the upper half zero: extend its sign, as the kernel does in its own text. */
static int retval_errno(uint64_t value)
{
	if (value >> 32 == 0 && value >> 31)
		value |= 0xffffffff00000000;
	return value < (uint64_t)-MAX_ERRNO ? 0 : (int)-value;
}

/* Errors in decimal; other values in hex, since they are often pointers. */
static void add_retval(const struct kt_text *x, size_t file, uint64_t value, struct str *s)
{
	enum kt_retval how = x->opts.graph_retval;
	const char *error;

	if (x->graph.on && how == KT_RETVAL_AUTO) {
		error = retval_errno(value) ?
			plug_error(pretty_view(x->pretty, file), retval_errno(value)) : NULL;
		if (x->graph.retval && error)
			str_addf(s, " = -%s", error);
		else if (x->graph.retval)
			str_addf(s, " = 0x%" PRIx64, value);
		return;
	}
	if (how == KT_RETVAL_SKIP || x->opts.layout == KT_LAYOUT_3_1)
		return;
	if (how == KT_RETVAL_DEC || (how == KT_RETVAL_AUTO && value >= (uint64_t)-MAX_ERRNO))
		str_addf(s, " (ret=%" PRId64 ")", (int64_t)value);
	else
		str_addf(s, " (ret=0x%" PRIx64 ")", value);
}

/*
 * "= -2", since Linux 6.13 "ret=-2": as with its option funcgraph-retval, since nothing
 * in a file says whether that was on. Source: Linux 6.12, 7.2, trace_functions_graph.c
 */
static void add_kernel_retval(const struct kt_text *x, const struct mark *m, uint64_t value,
			      struct str *s)
{
	enum kt_retval how = x->opts.graph_retval;
	int error = how == KT_RETVAL_AUTO ? retval_errno(value) : 0;

	str_add(s, m->ev->ev->events->version < LINUX(6, 13) ? "= " : "ret=");
	if (error)
		str_addf(s, "-%d", error);
	else if (how == KT_RETVAL_DEC)
		str_addf(s, "%" PRId64, (int64_t)value);
	else
		str_addf(s, "0x%" PRIx64, value);
}

static bool is_on(const struct kt_plugins *p, size_t plugin, const char *option)
{
	const char *value = kt_plugins_option(p, plugin, option);

	return value && strcmp(value, "0");
}

void graph_prepare(struct kt_text *x)
{
	struct kt_plugins *p = x->opts.plugins;
	struct kt_plugin_info info;
	size_t i;

	for (i = 0; i < kt_plugins_nr(p); i++) {
		kt_plugins_at(p, i, &info);
		if (!info.used || strcmp(info.name, "function_graph"))
			continue;
		x->graph = (struct graph_style){
			.on = true, .args = is_on(p, i, "args"), .retval = is_on(p, i, "retval"),
			.retaddr = is_on(p, i, "retaddr"), .tail = is_on(p, i, "tailprint"),
		};
		return;
	}
}

/* After the arguments. A comment has the caller and the value: "<-caller+0x10 ret=0x0" */
static void end_kernel_entry(const struct kt_text *x, const struct text_source *src,
			     const struct kt_record *rec, const struct mark *m,
			     struct kt_out *out)
{
	bool leaf = m->flags & MARK_LEAF, value, caller;
	struct str *s = &out->text;
	uint64_t addr;

	value = leaf && m->flags & MARK_RETVAL && x->opts.graph_retval != KT_RETVAL_SKIP;
	caller = m->ev->slot[SLOT_GRAPH_RETADDR].size &&
		 slot_get(&m->ev->slot[SLOT_GRAPH_RETADDR], rec, &addr);
	str_add(s, leaf ? ");" : ") {");
	if (!value && !caller)
		return;
	str_add(s, " /* ");
	if (caller) {
		str_add(s, "<-");
		builtin_put_ip(src->symbols, addr, true, out);
		str_addc(s, ' ');
	}
	if (value) {
		add_kernel_retval(x, m, m->retval, s);
		str_addc(s, ' ');
	}
	str_add(s, "*/");
}

/* After the arguments. trace-cmd prints the return value of a leaf after the semicolon. */
static inline void end_entry(const struct kt_text *x, const struct text_source *src,
			     const struct mark *m, struct str *s)
{
	bool leaf = m->flags & MARK_LEAF;
	char *p = put_room(s, 8);

	if (!p)
		return;
	if (!leaf)
		p = put_lit(p, ") {");
	else if (x->graph.on)
		p = put_lit(p, ")");
	else
		p = put_lit(p, ");");
	put_done(s, p);
	if (leaf && m->flags & MARK_RETVAL)
		add_retval(x, src->file, m->retval, s);
	if (leaf && x->graph.on)
		str_addc(s, ';');
}

static inline void entry(const struct kt_text *x, struct names *names, const struct kt_record *rec,
			 const struct mark *m, struct kt_out *out)
{
	const struct text_source *src = &x->sources[rec->source];
	const struct text_event *te = m->ev;
	struct str *s = &out->text;
	uint64_t func = 0, caller;
	const struct name *name;

	slot_get_usual(te, SLOT_GRAPH_FUNC, rec, &func);
	name = names_find(names, src->symbols, func);
	add_name(src, name, func, '(', s);
	if (te->args && (x->graph.on ? x->graph.args : x->opts.layout != KT_LAYOUT_3_1))
		function_args(x, name->len ? name->text : NULL, te, rec, s);
	if (x->opts.layout == KT_LAYOUT_KERNEL) {
		end_kernel_entry(x, src, rec, m, out);
		return;
	}
	end_entry(x, src, m, s);
	if (te->slot[SLOT_GRAPH_RETADDR].size && (!x->graph.on || x->graph.retaddr) &&
	    slot_get(&te->slot[SLOT_GRAPH_RETADDR], rec, &caller)) {
		str_add(s, " /* <-");
		add_name(src, names_find(names, src->symbols, caller), caller, ' ', s);
		str_add(s, "*/");
	}
}

static inline void leave(const struct kt_text *x, struct names *names, const struct kt_record *rec,
			 const struct mark *m, struct str *s)
{
	const struct text_source *src = &x->sources[rec->source];
	char *p = put_room(s, 1);
	bool kernel = x->opts.layout == KT_LAYOUT_KERNEL, returns, inside;
	uint64_t func, value;

	if (!p)
		return;
	*p++ = '}';
	put_done(s, p);
	returns = slot_get(&m->ev->slot[SLOT_GRAPH_RETVAL], rec, &value);
	inside = returns && kernel && x->opts.graph_retval != KT_RETVAL_SKIP;
	if ((inside || x->opts.graph_tail || x->graph.tail || m->flags & MARK_ALONE) &&
	    slot_get(&m->ev->slot[SLOT_GRAPH_FUNC], rec, &func)) {
		str_add(s, " /* ");
		add_name(src, names_find(names, src->symbols, func), func, ' ', s);
		if (inside)
			add_kernel_retval(x, m, value, s);
		str_add(s, inside ? " */" : "*/");
	}
	if (returns && !kernel)
		add_retval(x, src->file, value, s);
}

static uint64_t duration_of(const struct kt_record *rec, const struct text_event *te)
{
	uint64_t called = 0, returned = 0;

	slot_get_usual(te, SLOT_GRAPH_CALLTIME, rec, &called);
	slot_get_usual(te, SLOT_GRAPH_RETTIME, rec, &returned);
	return returned - called;
}

void graph_text(const struct kt_text *x, struct names *names, const struct kt_record *rec,
		const struct mark *m, struct kt_out *out)
{
	bool is_exit = m->ev->kind == TEXT_GRAPH_EXIT;
	struct str *s = &out->text;
	uint64_t depth = 0;
	size_t levels;
	char *p;

	slot_get(&m->ev->slot[SLOT_GRAPH_DEPTH], rec, &depth);
	levels = (size_t)clamp((int64_t)depth, 0, MAX_DEPTH);
	p = put_room(s, FIXED_TEXT + levels * INDENT);
	if (!p)
		return;
	if (is_exit)
		p = put_duration(x, p, duration_of(rec, m->ev));
	else if (m->flags & MARK_LEAF)
		p = put_duration(x, p, m->duration);
	else
		p = put_no_duration(x, p);
	put_done(s, put_blanks(p, levels * INDENT));

	if (is_exit)
		leave(x, names, rec, m, s);
	else
		entry(x, names, rec, m, out);
	if (x->opts.graph_depth)
		str_addf(s, " (%" PRId64 ")", (int64_t)depth);
}
