/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump.c - `ktrail dump`: show the metadata of a trace file */
#include "dump.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "cmd/args/level.h"
#include "cmd/args/rules.h"
#include "cmd/print/safe.h"
#include "cmd/style.h"

#define FLAG(n, member, h) OPT_BOOL(0, n, struct dump_args, member, h)

static const struct cmd_opt opts[] = {
	OPT_STR ('i', "input", struct dump_args, input, "file",
		"read this file instead of trace.dat"),
	OPT_BOOL('v', "validate", struct dump_args, validate,
		 "check that the file is complete and valid"),
	FLAG("summary", summary, "one line for each part; the default"),
	FLAG("head-page", head_page, "print the layout of a sub-buffer"),
	FLAG("head-event", head_event, "print the layout of an event's header"),
	FLAG("ftrace-events", ftrace_events, "print the formats of ftrace's own events"),
	FLAG("systems", systems, "print event systems with their number of events"),
	FLAG("events", events, "print the formats of all events"),
	FLAG("kallsyms", kallsyms, "print the kernel symbols"),
	FLAG("printk", printk, "print the formats of trace_printk()"),
	FLAG("cmd-lines", cmd_lines, "print the names of tasks"),
	FLAG("options", options, "print all options"),
	FLAG("flyrecord", flyrecord, "print where the data of each CPU is"),
	FLAG("clock", clock, "print the clock of the time stamps"),
	FLAG("strings", strings, "print the descriptions of sections"),
	FLAG("sections", sections, "print the sections"),
	FLAG("modules", modules, "print the loaded modules"),
	FLAG("all", all, "print all of these"),
	OPT_LEVEL_IGNORED,
	OPT_END
};

void dump_text(const char *text, size_t len)
{
	safe_write(text, len, safe_for_person());
}

void dump_section_line(struct kt_file *f, uint64_t offset)
{
	size_t lo = 0, hi = kt_file_nr_sections(f), mid;
	const struct kt_section *s;

	while (lo < hi) {	/* a hostile file may have 100,000 sections and options */
		mid = lo + (hi - lo) / 2;
		if (kt_file_section(f, mid)->offset < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	s = kt_file_section(f, lo);
	if (!s || s->offset != offset || kt_file_info(f)->version < 7)
		return;
	printf("\t[Section %u @ %" PRIu64 ": \"", s->id, s->offset);
	dump_text(s->description, strlen(s->description));
	printf("\", flags 0x%x, %" PRIu64 " bytes]\n", s->compressed, s->size);
}

static void dump_header(struct kt_file *f)
{
	const struct kt_file_info *info = kt_file_info(f);

	printf("\n Tracing meta data in file ");
	safe_put(info->path);
	printf(":\n");
	printf("\t[Initial format]\n\t\t%d\t[Version]\n", info->version);
	printf("\t\t%d\t[%s endian]\n", info->big_endian, info->big_endian ? "Big" : "Little");
	printf("\t\t%d\t[Bytes in a long]\n", info->long_size);
	printf("\t\t%u\t[Page size, bytes]\n", info->page_size);
	if (info->version < 7)
		return;
	printf("\t\t");
	safe_put(info->compression);
	printf("\t[Compression algorithm]\n\t\t");
	safe_put(info->compression_version);
	printf("\t[Compression version]\n");
}

static void dump_strings(struct kt_file *f)
{
	struct kt_blob blob;
	size_t i, at = 0, base = 0;

	printf("\t[String @ offset]\n");
	for (i = 0; kt_file_section(f, i); i++) {
		if (kt_file_section(f, i)->id != KT_OPTION_STRINGS ||
		    kt_file_section_data(f, i, &blob, NULL) < 0)
			continue;
		for (at = 0; at < blob.size; at += strnlen(blob.data + at, blob.size - at) + 1) {
			printf("\t\t\"");
			dump_text(blob.data + at, strnlen(blob.data + at, blob.size - at));
			printf("\" @ %zu\n", base + at);
		}
		base += blob.size;
	}
}

static void dump_sections(struct kt_file *f)
{
	const struct kt_section *s;
	struct kt_blob blob;
	size_t i;

	for (i = 0; (s = kt_file_section(f, i)); i++) {
		printf("\t[Section %2u @ %-16" PRIu64 "\t\"", s->id, s->offset);
		dump_text(s->description, strlen(s->description));
		printf("\", flags 0x%x, ", s->compressed);
		if (s->compressed && s->id != KT_SECTION_DATA && s->size >= 8 &&
		    kt_file_section_data(f, i, &blob, NULL) == 0)
			printf("%" PRIu64 " compressed, %zu uncompressed]\n", s->size - 8,
			       blob.size);
		else
			printf("%" PRIu64 "%s bytes]\n", s->size,
			       s->compressed ? " compressed" : "");
	}
}

/* Returns the exit status. */
static int report_damage(struct kt_file *f)
{
	size_t i;

	if (kt_file_damage(f, 0))
		fflush(stdout);
	for (i = 0; kt_file_damage(f, i); i++)
		fprintf(stderr, "%s dump: %s\n", cmd_program, kt_file_damage(f, i));
	return i ? cmd_style->damage_status : 0;
}

/* trace-cmd checks only the frame; for ktrail a damaged file is not valid */
static int validate(struct kt_file *f)
{
	int ret = report_damage(f);

	if (ret)
		return ret;
	printf("File ");
	safe_put(kt_file_info(f)->path);
	printf(" is a valid trace-cmd file\n");
	return 0;
}

static void ask_for_all(struct dump_args *a)
{
	a->summary = a->head_page = a->head_event = a->ftrace_events = a->systems = a->events =
	a->kallsyms = a->printk = a->cmd_lines = a->options = a->flyrecord = a->clock =
	a->strings = a->sections = a->modules = true;
}

static bool asks_nothing(const struct dump_args *a)
{
	return !(a->summary || a->head_page || a->head_event || a->ftrace_events || a->systems ||
		 a->events || a->kallsyms || a->printk || a->cmd_lines || a->options ||
		 a->flyrecord || a->clock || a->strings || a->sections || a->modules);
}

static void dump(struct dump_args *a, struct kt_file *f)
{
	bool sections = kt_file_info(f)->version > 6;

	if (a->all)
		ask_for_all(a);
	if (asks_nothing(a))
		a->summary = true;
	if (a->summary)
		dump_header(f);
	if (a->strings && sections)
		dump_strings(f);
	if (a->sections && sections)
		dump_sections(f);
	if (!sections)
		dump_metas(a, f);
	dump_options(a, f);
	if (sections)
		dump_metas(a, f);
	if ((a->summary || a->sections) && sections)
		printf("\t[%zu sections]\n", kt_file_nr_sections(f));
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct dump_args *a = args;
	struct kt_file *f;
	int ret;

	if (argc > 1 || (argc && a->input))
		return cmd_misuse(err, "only one file at a time, not '%s'", argv[argc - 1]);
	if (argc)
		a->input = argv[0];
	f = kt_file_open(a->input ? a->input : "trace.dat", err);
	if (!f)
		return err->code;
	if (a->validate) {
		ret = validate(f);
	} else {
		dump(a, f);
		ret = report_damage(f);
	}
	kt_file_close(f);
	return ret;
}

static const struct cmd_rule rules[] = {
	{ .options = "summary head-page head-event ftrace-events systems events kallsyms printk "
		     "cmd-lines options flyrecord clock strings sections modules all",
	  .without = "validate" },
	RULE_END
};

const struct cmd cmd_dump = {
	.name      = "dump",
	.summary   = "show the metadata of a trace file",
	.words     = "[<file>]",
	.examples  = "  ktrail dump              one line for each part of trace.dat\n"
		     "  ktrail dump --options     all options with their content\n"
		     "  ktrail dump -v cut.dat   check that it is complete\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct dump_args),
	.paged     = true,
	.options_anywhere = true,
	.run       = run,
};
