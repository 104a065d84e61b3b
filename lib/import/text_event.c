/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* text_event.c - the text of an event becomes a record with the fields that the text shows */
#include "import/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "shape/known.h"
#include "shape/scan_text.h"

#define NAME_MAX_LEN 64
#define NAME_COLUMN  22			/* where trace-cmd and ktrail begin the text after a name */
#define STACK_MAX    256		/* frames */

static size_t word_len(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && (isalnum((unsigned char)s[n]) || s[n] == '_'))
		n++;
	return n && !isdigit((unsigned char)*s) ? n : 0;
}

static bool begins(const char *s, size_t len, const char *with)
{
	return len >= strlen(with) && memcmp(s, with, strlen(with)) == 0;
}

/* @number: of the system call, a hidden field of its events */
static int put_match(struct text *t, struct shape_event *ev, int number, const char *text,
		     size_t len, struct kt_err *err)
{
	struct shape_event *shape;
	struct shape_values v;

	if (!ev)
		return kt_err_no_memory(err);
	for (shape = ev; shape; shape = shape->next) {
		if (!shape_match(&shape->shape, text, len, &t->im->addresses, &v))
			continue;
		if (number)
			v.number[0] = (uint64_t)number;
		/* The last fallback: one text field, in a system of its own */
		t->nr_as_text += strcmp(shape->system, ev->system) != 0;
		return import_record(t->im, &t->rec, shape, &v, err);
	}
	t->nr_as_text += strcmp(ev->system, SHAPE_SYSTEM) != 0;
	return import_text_record(t->im, &t->rec, ev, text, len, err);
}

static int put_known(struct text *t, const char *system, const char *name, const char *text,
		     size_t len, struct kt_err *err)
{
	return put_match(t, shape_events_known(&t->im->events, system, name), 0, text, len, err);
}

/* ---- stacks ---- */

/* One line: " => schedule", "=> schedule (ffffffffa0ced443)", " =>  <00007f12…>" */
static bool parse_frame(struct import *im, const char *line, size_t len, uint64_t *address)
{
	const char *p = line, *end = line + len, *open;
	uint64_t told;
	size_t n;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (end - p < 3 || memcmp(p, "=>", 2) != 0)
		return false;
	for (p += 2; p < end && (*p == ' ' || *p == '<'); p++)
		;
	n = scan_hex(p, (size_t)(end - p), address);
	if (n && (p + n == end || p[n] == '>'))
		return true;
	open = memmem(p, (size_t)(end - p), " (", 2);
	if (open && scan_hex(open + 2, (size_t)(end - open - 2), &told)) {
		*address = told;
		return addresses_told(&im->addresses, told, p, (size_t)(open - p)) == 0;
	}
	if (end - p == 19 && memcmp(p, "[FTRACE TRAMPOLINE]", 19) == 0)
		*address = INT32_MAX;
	else
		*address = addresses_of(&im->addresses, p, (size_t)(end - p));
	return *address && p < end;
}

/* The frames after the first line; false: one of the lines is not a frame */
static bool parse_stack(struct import *im, const char *text, size_t len, uint64_t *frames,
			size_t *nr)
{
	const char *p = text, *end = text + len, *line;

	for (*nr = 0; p < end && *nr < STACK_MAX; p = line) {
		line = memchr(p, '\n', (size_t)(end - p));
		line = line ? line : end;
		if (line > p && !parse_frame(im, p, (size_t)(line - p), &frames[(*nr)++]))
			return false;
		line += line < end;
	}
	return true;
}

static int put_stack(struct text *t, const char *name, const char *text, size_t len,
		     struct kt_err *err)
{
	struct shape_event *ev = shape_events_known(&t->im->events, "ftrace", name);
	const char *first = memchr(text, '\n', len);
	uint64_t frames[STACK_MAX + 8] = { 0 };
	size_t rest = first ? len - (size_t)(first + 1 - text) : 0, nr;
	struct shape_values v = { 0 };

	if (!ev)
		return kt_err_no_memory(err);
	if (!parse_stack(t->im, text + len - rest, rest, frames, &nr))
		return import_text_record(t->im, &t->rec, ev, text, len, err);
	v.number[0] = strcmp(name, "kernel_stack") == 0 ? nr : 0;
	if (!v.number[0])	/* eight addresses, unused ones zero */
		nr = nr < 8 ? 8 : nr;
	v.text[1] = (struct kt_blob){ (char *)frames, nr * sizeof(*frames) };
	return import_record(t->im, &t->rec, ev, &v, err);
}

/* ---- system calls ---- */

/*
 * "dfd: ffffff9c, filename: 7ffd…": a template with these arguments. The text lacks the number of
 * the call; readers only need the same number at its entry and exit.
 */
static bool call_template(const char *args, size_t len, struct str *to)
{
	const char *p = args, *end = args + len;
	uint64_t v;
	size_t n;

	str_add(to, "{__syscall_nr:hidden}");
	while (p < end) {
		n = word_len(p, (size_t)(end - p));
		if (!n || end - p < (ptrdiff_t)n + 3 || memcmp(p + n, ": ", 2) != 0)
			return false;
		str_addf(to, "%.*s: {%.*s:argument}", (int)n, p, (int)n, p);
		p += n + 2;
		p += begins(p, (size_t)(end - p), "0x") ? 2 : 0;
		p += n = scan_hex(p, (size_t)(end - p), &v);
		if (!n)
			return false;
		if (p < end && !begins(p, (size_t)(end - p), ", "))
			return false;
		if (p < end) {
			str_add(to, ", ");
			p += 2;
		}
	}
	return true;
}

static int call_number(const char *call)
{
	unsigned int h = 5381;

	for (; *call; call++)
		h = h * 33 + (unsigned char)*call;
	return (int)(1000 + h % 1000000);
}

/* Newer kernels print arguments as words: one text field, which still pairs with its exit */
static struct shape_event *make_call(struct shape_events *e, const char *name, bool enter,
				      const char *text, size_t len)
{
	struct str template = STR_INIT;
	struct shape_event *ev = NULL;

	if (!enter)
		str_add(&template, "{__syscall_nr:hidden}0x{ret:hex}");
	else if (!call_template(text, len, &template))
		str_reset(&template);
	if (!template.len)
		str_add(&template, "{__syscall_nr:hidden}");
	if (!template.failed)
		ev = shape_events_add(e, "syscalls", name, template.buf, NULL);
	str_fini(&template);
	return ev && shape_events_add_shape(e, ev, "syscalls", name,
					     "{__syscall_nr:hidden}{text:text}") ? ev : NULL;
}

/* @text: arguments or result, as trace-cmd prints them */
static int put_call(struct text *t, const char *call, bool enter, const char *text, size_t len,
		    struct kt_err *err)
{
	struct shape_event *ev;
	char name[NAME_MAX_LEN + 16];

	snprintf(name, sizeof(name), "sys_%s_%s", enter ? "enter" : "exit", call);
	ev = shape_events_find(&t->im->events, "syscalls", name);
	if (!ev)
		ev = make_call(&t->im->events, name, enter, text, len);
	return put_match(t, ev, call_number(call), text, len, err);
}

/* The kernel's own words: "sys_read(fd: 3, …)", "sys_read -> 0x340" */
static bool is_call(const char *text, size_t len, size_t *name, bool *enter)
{
	*name = word_len(text, len);
	if (!begins(text, len, "sys_") || *name >= NAME_MAX_LEN)
		return false;
	*enter = *name < len && text[*name] == '(' && text[len - 1] == ')';
	return *enter || begins(text + *name, len - *name, " -> ");
}

static int put_kernel_call(struct text *t, const char *text, size_t len, size_t name, bool enter,
			   struct kt_err *err)
{
	char call[NAME_MAX_LEN];

	snprintf(call, sizeof(call), "%.*s", (int)(name - 4), text + 4);
	if (enter)
		return put_call(t, call, true, text + name + 1, len - name - 2, err);
	return put_call(t, call, false, text + name + 4, len - name - 4, err);
}

/* ---- all others ---- */

/* The first text of an unknown event determines its fields. */
static int put_unknown(struct text *t, const char *name, const char *text, size_t len,
		       struct kt_err *err)
{
	return put_match(t, shape_events_guess(&t->im->events, name, text, len), 0, text, len,
			 err);
}

static int put_named(struct text *t, const char *name, const char *text, size_t len,
		     struct kt_err *err)
{
	const struct known_event *k = known_find(NULL, NULL, name);
	int ret;

	if (begins(name, strlen(name), "funcgraph_")) {
		ret = graph_put(&t->graph, &t->rec, text, len, err);
		if (ret)
			return ret < 0 ? ret : 0;
		return put_unknown(t, name, text, len, err);
	}
	if (begins(text, len, "<stack trace") && strcmp(name, "kernel_stack") == 0)
		return put_stack(t, name, text, len, err);
	if (begins(name, strlen(name), "sys_enter_"))
		return put_call(t, name + 10, true, text, len, err);
	if (begins(name, strlen(name), "sys_exit_"))
		return put_call(t, name + 9, false, text, len, err);
	if (k)
		return put_known(t, k->system, name, text, len, err);
	return put_unknown(t, name, text, len, err);
}

/* "sched_switch:         ktrail:194 …": the text begins in its column, or after one blank */
static size_t text_after(const char *text, size_t len, size_t name)
{
	size_t least = name + 1 + (name + 1 < len && text[name + 1] == ' '), at = least;

	while (at < len && text[at] == ' ' && at < NAME_COLUMN)
		at++;
	/* The kernel does not pad names: blanks that end before the column belong to the text. */
	return at < NAME_COLUMN && at < len ? least : at;
}

int text_put_event(struct text *t, struct kt_err *err)
{
	const char *text = t->event.buf;
	size_t len = t->event.len, n = word_len(text, len), at;
	char name[NAME_MAX_LEN];
	bool enter;
	int ret = graph_flush(&t->graph, t->rec.cpu, t->rec.ts, err);

	if (ret == 0 && !n)
		ret = graph_put(&t->graph, &t->rec, text, len, err);
	if (ret)
		return ret < 0 ? ret : 0;
	if (begins(text, len, "<stack trace>"))
		return put_stack(t, "kernel_stack", text, len, err);
	if (begins(text, len, "<user stack trace>"))
		return put_stack(t, "user_stack", text, len, err);
	if (begins(text, len, "tracing_mark_write"))
		return put_known(t, "ftrace", "print", text, len, err);
	if (n && n < len && text[n] == ':' && n < sizeof(name)) {
		at = text_after(text, len, n);
		snprintf(name, sizeof(name), "%.*s", (int)n, text);
		return put_named(t, name, text + at, len - at, err);
	}
	if (is_call(text, len, &n, &enter))
		return put_kernel_call(t, text, len, n, enter, err);
	if (memmem(text, len, " <-", 3))
		return put_known(t, "ftrace", "function", text, len, err);
	return put_unknown(t, "text", text, len, err);
}
