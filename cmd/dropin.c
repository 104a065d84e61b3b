/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dropin.c - started as `trace-cmd`: usage, messages and exit codes as scripts know them */
#include "dropin.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <ktrail/file.h>
#include <ktrail/instance.h>
#include <ktrail/version.h>

#include "base/str.h"

bool dropin_check(const char *argv0)
{
	if (strcmp(str_base_name(argv0), "trace-cmd") != 0)
		return false;
	cmd_program = "trace-cmd";
	return true;
}

/* An empty line first, all on stdout */
static void print_head(void)
{
	printf("\n%s version %s (ktrail %s)\n\nusage:\n", cmd_program, DROPIN_VERSION,
	       KTRAIL_VERSION);
}

int dropin_usage(void)
{
	size_t i;

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
	const struct cmd_opt *o;

	print_head();
	printf(" %s %s %s\n", cmd_program, cmd->name, cmd->usage);
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

	for (i = 0; i < setup->nr_buffers; i++)
		if (setup->buffers[i]->tracer)
			fprintf(stderr, "  plugin '%s'\n", setup->buffers[i]->tracer);
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

/* A CPU without data is told of as well: its data would be at the end. */
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
	fprintf(stderr, "CPU%d data recorded at offset=0x%" PRIx64 "\n    %" PRIu64 " bytes in size",
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
	bool missing = cmd_is_dropin && kt_instance_list(&have, NULL) == 0 &&
		       !kt_names_has(&have, name);

	kt_names_fini(&have);
	if (missing)
		kt_err_clear(err);
	return missing;
}

/*
 * Its exit status is errno, or 255 when that is 0. So it tells which call failed
 * last, which is another one here, or none: these are the failures that have
 * a status of their own there. The first row that fits counts.
 */
static const struct {
	const char *cmds;	/* names; NULL: any */
	int ret;		/* of the command */
	const char *says;	/* part of the message */
	int status;
} known[] = {
	{ "set extract", -EINVAL, "no tracer '", DROPIN_MISUSE },
	{ NULL, -EINVAL, "no tracer '", ENOENT },
	{ NULL, -ENOENT, "no function '", EINVAL },
	{ NULL, CMD_MISUSE, "--max-graph-depth: ", EINVAL },
	{ "record start stream profile", CMD_MISUSE, "--buffer-size: '-", ENOENT },
	{ "restore", -ENOENT, "-i: ", ENOENT },
	{ "restore", -ENOENT, "cannot open ", EINVAL },
	{ NULL, -EINVAL, "cannot write '", EINVAL },	/* the kernel says so */
	{ NULL, -EINVAL, "", DROPIN_MISUSE },		/* we do, as trace-cmd does */
	{ NULL, -ENODATA, "", DROPIN_MISUSE },		/* of a trace */
	{ NULL, CMD_MISUSE, "", DROPIN_MISUSE },
};

static int exit_status(const struct cmd *cmd, int ret, const struct kt_err *err)
{
	int code = ret == CMD_MISUSE || !err->code ? ret : err->code;
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if ((!known[i].cmds || str_has_word(known[i].cmds, cmd->name)) &&
		    known[i].ret == code && strstr(err->msg, known[i].says))
			return known[i].status;
	return -code < DROPIN_MISUSE ? -code : DROPIN_MISUSE;
}

int dropin_error(const struct cmd *cmd, int ret, bool understood, const struct kt_err *err)
{
	int status = exit_status(cmd, ret, err);

	fflush(stdout);
	if (status != DROPIN_MISUSE)
		fprintf(stderr, "%s: %s\n", cmd_program, strerror(status));
	if (err->code)
		fprintf(stderr, "  %s\n", err->msg);
	if (err->excerpt[0])
		fprintf(stderr, "%s\n", err->excerpt);
	if (ret == CMD_MISUSE && !understood)
		return dropin_help(cmd);
	return status;
}
