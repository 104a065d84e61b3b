/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kernel_format.c - formats for events that the kernel's trace file prints with its own code */
#include "printer/kernel_format.h"

#include <string.h>

/*
 * System calls, probes and synthetic events have a print format for tools, but in the trace
 * file, a kernel function prints them with different words. Source: Linux 6.12,
 * kernel/trace/trace_kprobe.c, trace_fprobe.c, trace_events_synth.c.
 */
static bool begins(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

bool kernel_format_has_name(const struct event *ev)
{
	static const char *const of_ftrace[] = {
		"print", "bprint", "bputs", "raw_data", "kernel_stack", "user_stack", "function",
		"func_repeats", "funcgraph_entry", "funcgraph_exit", "fgraph_retaddr_entry",
	};
	const char *name = ev->pub.name;
	size_t i;

	if (!ev->pub.events->opts.kernel)
		return false;
	if (strcmp(ev->pub.system, "syscalls") == 0)
		return begins(name, "sys_enter_") || begins(name, "sys_exit_");
	for (i = 0; i < sizeof(of_ftrace) / sizeof(of_ftrace[0]); i++)
		if (strcmp(name, of_ftrace[i]) == 0 && strcmp(ev->pub.system, "ftrace") == 0)
			return true;
	return false;
}

#define RETURN "\"(%lx <- %lx)"
#define RETURN_ARGS "REC->__probe_func, REC->__probe_ret_ip"

/* The trace file separates the fields of a synthetic event by a blank, without a comma. */
static void synthetic(const char *fmt, struct str *s)
{
	bool quoted = false;

	for (; *fmt; fmt++) {
		if (*fmt == '"')
			quoted = !quoted;
		if (!(quoted && begins(fmt, ", ")))
			str_addc(s, *fmt);
	}
}

char *kernel_format(const struct event *ev)
{
	const char *fmt = ev->pub.print_fmt, *name = ev->pub.name, *args;
	struct str s = STR_INIT;

	if (kernel_format_has_name(ev) && begins(name, "sys_enter_")) {
		kernel_syscall_enter(ev, &s);
	} else if (kernel_format_has_name(ev) && begins(name, "sys_exit_")) {
		str_addf(&s, "\"sys_%s -> \" %s", name + strlen("sys_exit_"), fmt);
	} else if (begins(fmt, RETURN) && (args = strstr(fmt, RETURN_ARGS))) {
		fmt += strlen(RETURN);
		str_addf(&s, "\"(%%pS <- %%ps)%.*sREC->__probe_ret_ip, REC->__probe_func%s",
			 (int)(args - fmt), fmt, args + strlen(RETURN_ARGS));
	} else if (begins(fmt, "\"(%lx)") && strstr(fmt, "REC->__probe_ip")) {
		str_addf(&s, "\"(%%pS)%s", fmt + strlen("\"(%lx)"));
	} else if (strcmp(ev->pub.system, "synthetic") == 0) {
		synthetic(fmt, &s);
	} else {
		str_add(&s, fmt);
	}
	return str_take(&s);
}
