/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dropin.c - started as `trace-cmd`: usage, messages and exit codes as scripts know them */
#include "dropin.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/file.h>
#include <ktrail/ktrail.h>
#include <ktrail/tracefs.h>

#include "base/str.h"
#include "cmd/style.h"

/* All on stdout, after an empty line */
static void print_head(void)
{
	printf("\n%s version %s (ktrail %s)\n\nusage:\n", cmd_program, DROPIN_VERSION,
	       KTRAIL_VERSION);
}

int dropin_no_command(int argc, char **argv)
{
	size_t i;

	if (argc)
		style_tell_missing(argv[0]);
	print_head();
	printf("  %s [COMMAND] ...\n\n  commands:\n", cmd_program);
	for (i = 0; cmd_table[i]; i++)
		if (!cmd_table[i]->hidden)
			printf("     %s - %s\n", cmd_table[i]->name, cmd_table[i]->summary);
	printf("\n");
	return DROPIN_MISUSE;
}

int dropin_help(const struct cmd *cmd)
{
	char *usage = cmd_usage(cmd);
	const struct cmd_opt *o;

	print_head();
	printf(" %s %s %s\n", cmd_program, cmd->name, usage ? usage : "");
	free(usage);
	for (o = cmd->opts; o && !opt_is_end(o); o++) {
		if (!o->help)
			continue;
		if (o->ch)
			printf("          -%c %s\n", o->ch, o->help);
		else
			printf("          --%s %s\n", o->name, o->help);
	}
	printf("\n");
	return DROPIN_MISUSE;
}

void dropin_tell_tracers(const struct kt_setup *setup)
{
	size_t i;

	for (i = 0; i < setup->nr_buffers; i++) {
		const char *tracer = kt_state_value(&setup->buffers[i]->wish, "current_tracer");

		if (tracer)
			fprintf(stderr, "  plugin '%s'\n", tracer);
	}
}

/* Bytes of the ring buffer in the data of a CPU */
static uint64_t raw_size(struct kt_file *f, size_t buffer, size_t cpu)
{
	struct kt_raw_chunk chunk;
	uint64_t size = 0, nr;

	for (nr = 0; kt_file_chunk_raw(f, buffer, cpu, nr, &chunk, NULL) > 0; nr++)
		size += chunk.raw_size;
	return size;
}

/* A CPU without data is listed too: its data would begin at the end of the file. */
static void tell_cpu(struct kt_file *f, size_t buffer, int cpu)
{
	const struct kt_file_info *info = kt_file_info(f);
	const struct kt_buffer *b = kt_file_buffer(f, buffer);
	uint64_t offset = info->size, size = 0, raw = 0;
	size_t i;

	for (i = 0; i < b->nr_cpus; i++)
		if (b->cpus[i].cpu == cpu) {
			offset = b->cpus[i].offset;
			size = b->cpus[i].size;
			raw = raw_size(f, buffer, i);
		}
	fprintf(stderr,
		"CPU%d data recorded at offset=0x%" PRIx64 "\n    %" PRIu64 " bytes in size",
		cpu, offset, size);
	if (strcmp(info->compression, "none") != 0)
		fprintf(stderr, " (%" PRIu64 " uncompressed)", raw);
	fputc('\n', stderr);
}

void dropin_tell_file(const char *path)
{
	struct kt_file *f = kt_file_open(path, NULL);
	size_t i;
	int cpu;

	fflush(stdout);
	for (i = 0; f && kt_file_buffer(f, i); i++)
		for (cpu = 0; cpu < kt_file_info(f)->nr_cpus; cpu++)
			tell_cpu(f, i, cpu);
	kt_file_close(f);
}

bool dropin_spares(const char *name, struct kt_err *err)
{
	struct kt_names have = { 0 };
	bool missing = cmd_style->spares_missing && kt_instance_list(&have, NULL) == 0 &&
		       !kt_names_has(&have, name);

	kt_names_fini(&have);
	if (missing)
		kt_err_clear(err);
	return missing;
}

/*
 * The exit status of trace-cmd is errno, or 255 if that is 0, so it depends on the last system
 * call that failed, which ktrail may not have made. This table lists the failures that have a
 * status of their own; the first row that matches is used.
 */
static const struct known {
	int ret;		/* of the command */
	enum kt_err_kind kind;	/* KT_ERR_OTHER: any */
	int status;
	const char *cmds;	/* names; NULL: any */
	const char *opt;	/* the option with the wrong value; NULL: any, or none */
} known[] = {
	{ -EINVAL, KT_ERR_NO_TRACER, DROPIN_MISUSE, "set extract", NULL },
	{ -EINVAL, KT_ERR_NO_TRACER, ENOENT, NULL, NULL },
	{ -ENOENT, KT_ERR_NO_FUNCTION, EINVAL, NULL, NULL },
	{ CMD_MISUSE, KT_ERR_OTHER, EINVAL, NULL, "max-graph-depth" },
	{ CMD_MISUSE, KT_ERR_NEGATIVE, ENOENT, "record start stream profile", "buffer-size" },
	{ -ENOENT, KT_ERR_NO_INPUT, EINVAL, "restore", NULL },
	{ -EINVAL, KT_ERR_KERNEL, EINVAL, NULL, NULL },
	{ -EINVAL, KT_ERR_OTHER, DROPIN_MISUSE, NULL, NULL },	/* as trace-cmd does */
	{ -ENODATA, KT_ERR_OTHER, DROPIN_MISUSE, NULL, NULL },	/* of a trace */
	{ CMD_MISUSE, KT_ERR_OTHER, DROPIN_MISUSE, NULL, NULL },
};

static bool fits(const struct known *k, const struct cmd *cmd, const struct cmd_opt *bad,
		 enum kt_err_kind kind)
{
	return (!k->kind || k->kind == kind) && (!k->cmds || str_has_word(k->cmds, cmd->name)) &&
	       (!k->opt || (bad && bad->name && strcmp(bad->name, k->opt) == 0));
}

static int exit_status(const struct cmd *cmd, int ret, const struct cmd_opt *bad,
		       const struct kt_err *err)
{
	int code = ret == CMD_MISUSE || !err->code ? ret : err->code;
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].ret == code && fits(&known[i], cmd, bad, err->kind))
			return known[i].status;
	return -code < DROPIN_MISUSE ? -code : DROPIN_MISUSE;
}

int dropin_error(const struct cmd *cmd, int ret, bool misread, const struct cmd_opt *bad,
		 const struct kt_err *err)
{
	int status = exit_status(cmd, ret, bad, err);

	fflush(stdout);
	if (status != DROPIN_MISUSE)
		fprintf(stderr, "%s: %s\n", cmd_program, strerror(status));
	if (err->code)
		fprintf(stderr, "  %s\n", err->msg);
	if (err->excerpt[0])
		fprintf(stderr, "%s\n", err->excerpt);
	if (ret == CMD_MISUSE && misread)
		return dropin_help(cmd);
	return status;
}
