/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* builtin.c - the events with a formatter in C, and the fields that it needs */
#include "builtin/builtin.h"

#include <stdlib.h>
#include <string.h>

#define WAKEUP "%s:%u [%u]{ success=%u}{ CPU:%c}"

/* A name that ends in '?' is optional. All others must be numbers or, with '*', arrays of bytes. */
static const struct formatter {
	const char *system, *name;
	event_text_fn text;
	const char *line;		/* of builtin_line_text, else NULL */
	const char *fields[BUILTIN_FIELDS];
} formatters[] = {
	{ "sched", "sched_switch", builtin_line_text, "%s:%u [%d] %S ==> %s:%u [%d]",
	  { "prev_comm*", "prev_pid", "prev_prio", "prev_state", "next_comm*", "next_pid",
	    "next_prio" } },
	{ "sched", "sched_wakeup", builtin_line_text, WAKEUP,
	  { "comm*", "pid", "prio", "success?", "target_cpu?" } },
	{ "sched", "sched_wakeup_new", builtin_line_text, WAKEUP,
	  { "comm*", "pid", "prio", "success?", "target_cpu?" } },
	{ "ftrace", "bprint", builtin_bprint, NULL, { "ip", "fmt", "buf*" } },
	{ "ftrace", "kernel_stack", builtin_kernel_stack, NULL, { "caller*" } },
	{ "ftrace", "raw_data", builtin_raw_data, NULL, { "id", "buf*" } },
	{ "ftrace", "func_repeats", builtin_func_repeats, NULL,
	  { "ip", "count", "top_delta_ts", "bottom_delta_ts" } },
	{ "kmem", "kfree", builtin_kmem, NULL, { "call_site" } },
	{ "kmem", "kmalloc", builtin_kmem, NULL, { "call_site" } },
	{ "kmem", "kmalloc_node", builtin_kmem, NULL, { "call_site" } },
	{ "kmem", "kmem_cache_alloc", builtin_kmem, NULL, { "call_site" } },
	{ "kmem", "kmem_cache_alloc_node", builtin_kmem, NULL, { "call_site" } },
	{ "kmem", "kmem_cache_free", builtin_kmem, NULL, { "call_site" } },
	{ "syscalls", "sys_enter_futex", builtin_futex, NULL,
	  { "uaddr", "op", "val", "utime", "uaddr2", "val3" } },
};

/* No other program has these */
static const struct formatter of_kernel[] = {
	{ "ftrace", "blktrace", builtin_blk, NULL,
	  { "sector", "bytes", "action", "pid", "device", "error", "pdu_len", "data*" } },
};

/* As in libtraceevent 1.7.1. The print formats of these events give more information. */
static const struct formatter of_peer[] = {
	{ "timer", "hrtimer_expire_entry", builtin_line_text, "hrtimer=0x%x now=%u function=%f",
	  { "hrtimer", "now", "function" } },
	{ "timer", "hrtimer_start", builtin_line_text,
	  "hrtimer=0x%x function=%f expires=%u softexpires=%u",
	  { "hrtimer", "function", "expires", "softexpires" } },
	{ "tlb", "tlb_flush", builtin_tlb_flush, NULL, { "pages", "reason" } },
};

/* As in the kernel's own trace file; they have priority over the others */
static const struct formatter of_trace[] = {
	{ "ftrace", "kernel_stack", builtin_stack_of_trace, NULL, { "caller*" } },
	{ "ftrace", "user_stack", builtin_stack_of_trace, NULL, { "caller*" } },
	{ "ftrace", "func_repeats", builtin_func_repeats, NULL,
	  { "ip", "count", "top_delta_ts", "bottom_delta_ts", "parent_ip" } },
};

static bool is_int(const struct kt_field *f)
{
	return !(f->flags & (KT_FIELD_ARRAY | KT_FIELD_DYNAMIC)) &&
	       (f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8);
}

static bool place(const struct event *ev, const char *want, struct format_place *to)
{
	char name[32], kind;
	size_t len = strcspn(want, "*?");
	const struct kt_field *f;

	memcpy(name, want, len);
	name[len] = '\0';
	kind = want[len];
	f = kt_event_field(&ev->pub, name);
	if (!f)
		return kind == '?';
	if (kind == '*' ? (f->flags & KT_FIELD_DYNAMIC) ||
	    !(f->flags & KT_FIELD_ARRAY) : !is_int(f))
		return false;
	*to = (struct format_place){ f->offset, f->size };
	return true;
}

/* Arrays that extend to the end of the record */
static bool is_open(const char *want)
{
	return strcmp(want, "caller*") == 0 || strcmp(want, "buf*") == 0 ||
	       strcmp(want, "data*") == 0;
}

static struct builtin *places(const struct event *ev, const struct formatter *formatter,
			      uint32_t *min_size)
{
	struct builtin *d = calloc(1, sizeof(*d));
	uint32_t size;
	size_t i;

	for (i = 0; d && i < BUILTIN_FIELDS && formatter->fields[i]; i++) {
		if (!place(ev, formatter->fields[i], &d->f[i])) {
			free(d);
			return NULL;
		}
		size = d->f[i].offset + (is_open(formatter->fields[i]) ? 0 : d->f[i].size);
		if (size > *min_size)
			*min_size = size;
	}
	return d;
}

static const struct formatter *find_in(const struct formatter *list, size_t nr,
				       const struct event *ev)
{
	const struct formatter *f;

	for (f = list; f < list + nr; f++)
		if (strcmp(f->name, ev->pub.name) == 0 && strcmp(f->system, ev->pub.system) == 0)
			return f;
	return NULL;
}

#define FIND_IN(list, ev) find_in(list, sizeof(list) / sizeof((list)[0]), ev)

static const struct formatter *formatter_of(const struct event *ev)
{
	const struct formatter *f = NULL;

	if (ev->pub.events->opts.kernel)
		f = FIND_IN(of_trace, ev);
	if (!f)
		f = FIND_IN(formatters, ev);
	if (f)
		return f;
	return ev->pub.events->opts.exact ? FIND_IN(of_peer, ev) : FIND_IN(of_kernel, ev);
}

bool builtin_find(struct event *ev, struct printer *to)
{
	const struct formatter *f = formatter_of(ev);

	if (!f)
		return false;
	*to = (struct printer){ PRINTER_BUILTIN, f->text, .put_short = plain_text };
	ev->priv = places(ev, f, &to->min_size);
	if (!ev->priv || (f->line && !builtin_line(ev, f->line)))
		return false;
	if (f->text == builtin_kernel_stack)
		to->kind = PRINTER_STACK;
	to->line = ev->line;
	return true;
}
