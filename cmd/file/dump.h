/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump.h - the parts of `ktrail dump` */
#ifndef DUMP_H
#define DUMP_H

#include <stdbool.h>
#include <stdint.h>

#include <ktrail/file.h>

struct dump_args {
	const char *input;
	bool validate, all;
	/* what to print; the summary if nothing is set */
	bool summary, head_page, head_event, ftrace_events, systems, events, kallsyms, printk,
	     cmd_lines, options, flyrecord, clock, strings, sections, modules;
};

/* Each prints its part if @a contains it, as trace-cmd does */
void dump_options(const struct dump_args *a, struct kt_file *f);
void dump_metas(const struct dump_args *a, struct kt_file *f);
/* A line on the section at @offset, for version 7 only */
void dump_section_line(struct kt_file *f, uint64_t offset);
/* Print text of the trace with control characters made visible on a terminal */
void dump_text(const char *text, size_t len);

#endif
