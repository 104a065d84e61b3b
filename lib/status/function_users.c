/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* function_users.c - what has hooked functions of the kernel, through tracefs or otherwise */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/probe.h>
#include <ktrail/status.h>
#include <ktrail/tracefs.h>

#include "base/str.h"
#include "tracefs/tracefs.h"

#define SOME 5

/* The owners of handlers in the kernel; the first match counts */
static const struct { const char *handler, *who; } handlers[] = {
	{ "kprobe_ftrace_handler", "kprobes" },
	{ "klp_ftrace_handler", "livepatch" },
	{ "bpf_", "BPF" },
	{ "fprobe_", "fprobes" },
	{ "perf_ftrace_function_call", "perf" },
	{ "stack_trace_call", "stack tracer" },
	{ "function_profile_call", "function profiler" },
	{ "function_trace_probe_call", "function commands" },
	{ "function_", "function tracer" },
	{ "ftrace_graph_", "function_graph tracer" },
	{ "tracer_call", "latency tracer" },
};

void kt_function_users_fini(struct kt_function_users *h)
{
	size_t i;

	for (i = 0; i < h->nr; i++) {
		free(h->at[i].who);
		kt_names_fini(&h->at[i].some);
	}
	free(h->at);
	*h = (struct kt_function_users){ 0 };
}

static int add(struct kt_function_users *h, const char *who, size_t who_len, const char *what,
	       size_t len)
{
	struct kt_function_user *more;
	size_t i;

	for (i = 0; i < h->nr; i++)
		if (strncmp(h->at[i].who, who, who_len) == 0 && !h->at[i].who[who_len])
			break;
	if (i == h->nr) {
		more = reallocarray(h->at, h->nr + 1, sizeof(*more));
		if (!more)
			return -ENOMEM;
		h->at = more;
		more[i] = (struct kt_function_user){ .who = strndup(who, who_len) };
		if (!more[i].who)
			return -ENOMEM;
		h->nr++;
	}
	return h->at[i].nr++ < SOME ? kt_names_addn(&h->at[i].some, what, len) : 0;
}

/* Does the text have the word @handler, or, if that ends with '_', a word that begins with it? */
static bool mentions(const char *text, size_t size, const char *handler)
{
	size_t len = strlen(handler);
	const char *p = text, *end = text + size;

	while ((p = memmem(p, end - p, handler, len))) {
		if ((p == text || !strchr("_abcdefghijklmnopqrstuvwxyz", p[-1])) &&
		    (handler[len - 1] == '_' || p + len == end || strchr("+ )\n", p[len])))
			return true;
		p += len;
	}
	return false;
}

/* A handler that is not in the table above: "tramp: … (my_handler+0x0/0x10 [my_module])" or
 * "->my_handler+…". ops_list_func only means that the function has several handlers. */
static size_t unknown_handler(const char *text, size_t size, const char **name)
{
	const char *open = memchr(text, '(', size), *arrow = memmem(text, size, "->", 2);
	size_t len;

	if (!open && !arrow)
		return 0;
	*name = open ? open + 1 : arrow + 2;
	len = strcspn(*name, "+ )\n");
	return memmem(*name, len, "ops_list_func", 13) || (*name)[0] == '0' ? 0 : len;
}

/* One function: "NAME (COUNT) FLAGS", then its handlers, also on further lines */
static int add_function(struct kt_function_users *h, const char *text, size_t size)
{
	size_t name = strcspn(text, " \t\n"), i, len;
	const char *rest = memchr(text, ')', size), *handler;
	bool known = false;
	int ret = 0;

	if (!rest || name >= size)
		return 0;
	rest++;
	size -= rest - text;
	for (i = 0; ret == 0 && i < sizeof(handlers) / sizeof(*handlers); i++) {
		if (!mentions(rest, size, handlers[i].handler))
			continue;
		/* some handlers before it in the table begin with "function_" as well */
		if (known && strcmp(handlers[i].handler, "function_") == 0)
			continue;
		known = true;
		ret = add(h, handlers[i].who, strlen(handlers[i].who), text, name);
	}
	len = known ? 0 : unknown_handler(rest, size, &handler);
	if (!known && len)
		ret = add(h, handler, len, text, name);
	else if (!known)
		ret = add(h, "several at once", strlen("several at once"), text, name);
	return ret;
}

static int read_functions(const struct kt_instance *top, struct kt_function_users *out)
{
	char *text = kt_instance_has(top, "enabled_functions") ?
		     kt_instance_read(top, "enabled_functions", NULL) : NULL;
	const char *p = text, *end;
	int ret = 0;

	for (; ret == 0 && p && *p; p = end) {
		end = p + strcspn(p, "\n") + 1;
		if (!end[-1])
			end--;
		while (*end == ' ' || *end == '\t') {
			end += strcspn(end, "\n");
			end += *end == '\n';
		}
		ret = add_function(out, p, end - p);
	}
	free(text);
	return ret;
}

/* Convert "vfs_read", "vfs_read+16", "ext4:ext4_read" to the form in the list of kprobes:
 * "vfs_read+0x10" */
static void place_of(const char *place, char *out, size_t size)
{
	const char *symbol = strchr(place, ':') ? strchr(place, ':') + 1 : place;
	size_t len = strcspn(symbol, "+ ");
	unsigned long offset = symbol[len] == '+' ? strtoul(symbol + len + 1, NULL, 0) : 0;

	snprintf(out, size, "%.*s+0x%lx", (int)len, symbol, offset);
}

static bool forget_one(struct kt_names *ours, const char *place)
{
	size_t i;

	for (i = 0; i < ours->nr; i++)
		if (strcmp(ours->names[i], place) == 0) {
			*ours->names[i] = '\0';
			return true;
		}
	return false;
}

/* With branch tracking (IBT) a function's code begins after four bytes of endbr64: a probe at the
 * beginning is listed with that offset (seen on 6.12). */
static bool is_ours(struct kt_names *ours, const char *place)
{
	size_t len = strlen(place);
	char start[512];

	if (forget_one(ours, place))
		return true;
	if (len < 4 || strcmp(place + len - 4, "+0x4") != 0)
		return false;
	snprintf(start, sizeof(start), "%.*s+0x0", (int)len - 4, place);
	return forget_one(ours, start);
}

static int our_kprobes(const struct kt_instance *top, struct kt_names *out)
{
	struct kt_probes *probes = kt_probes_read(top, NULL);
	char place[512];
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && probes && i < probes->nr; i++) {
		if (probes->at[i].kind > KT_PROBE_KRETPROBE)
			continue;
		place_of(probes->at[i].place, place, sizeof(place));
		ret = kt_names_add(out, place);
	}
	kt_probes_destroy(probes);
	return ret;
}

/* Lines "ffffffff811a5d90 k vfs_read+0x0 [FTRACE]", except those of probes in dynamic_events */
static int read_kprobes(const struct kt_instance *top, struct kt_function_users *out)
{
	char *path = ctl_path(debugfs_dir(), "kprobes/list"), *text, *line, place[512];
	struct kt_names ours = { 0 };
	static const char who[] = "kprobes of others";
	int ret = path ? our_kprobes(top, &ours) : -ENOMEM;

	text = ret == 0 && ctl_exists(path) ? ctl_read_text(path, NULL) : NULL;
	for (line = text; ret == 0 && line && *line;
	     line += strcspn(line, "\n"), line += *line == '\n') {
		/* "%s" would skip newlines and continue in the next line after a truncated one */
		if (sscanf(line, "%*[^ \n]%*[ ]%*1[kr]%*[ ]%511[^ \n]", place) != 1)
			continue;
		if (!is_ours(&ours, place))
			ret = add(out, who, strlen(who), place, strlen(place));
	}
	free(text);
	free(path);
	kt_names_fini(&ours);
	return ret;
}

int kt_function_users_read(const struct kt_instance *top, struct kt_function_users *out,
			   struct kt_err *err)
{
	int ret = read_functions(top, out);

	if (ret == 0)
		ret = read_kprobes(top, out);
	return kt_err_result(err, ret);
}
