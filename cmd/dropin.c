/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dropin.c - started as `trace-cmd`: usage, messages and exit codes as scripts know them */
#include "dropin.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <ktrail/file.h>
#include <ktrail/version.h>

bool dropin_check(const char *argv0)
{
	const char *slash = strrchr(argv0, '/');

	if (strcmp(slash ? slash + 1 : argv0, "trace-cmd") != 0)
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

void dropin_tell_file(const char *path)
{
	struct kt_file *f = kt_file_open(path, NULL);
	const struct kt_buffer *b;
	size_t i, cpu;

	fflush(stdout);
	for (i = 0; f && (b = kt_file_buffer(f, i)); i++)
		for (cpu = 0; cpu < b->nr_cpus; cpu++) {
			fprintf(stderr, "CPU%d data recorded at offset=0x%" PRIx64 "\n    %" PRIu64
				" bytes in size", b->cpus[cpu].cpu, b->cpus[cpu].offset,
				b->cpus[cpu].size);
			if (strcmp(kt_file_info(f)->compression, "none") != 0)
				fprintf(stderr, " (%" PRIu64 " uncompressed)", raw_size(f, i, cpu));
			fputc('\n', stderr);
		}
	kt_file_close(f);
}

int dropin_error(const struct cmd *cmd, int ret, bool parsed, const struct kt_err *err)
{
	int error = ret == CMD_MISUSE ? 0 : err->code ? -err->code : -ret;

	if (error == ENODATA)
		error = 0;	/* of a trace, which has no errno there */
	fflush(stdout);
	if (error)
		fprintf(stderr, "%s: %s\n", cmd_program, strerror(error));
	if (err->code)
		fprintf(stderr, "  %s\n", err->msg);
	if (err->excerpt[0])
		fprintf(stderr, "%s\n", err->excerpt);
	if (ret == CMD_MISUSE && !parsed)
		return dropin_help(cmd);
	return error > 0 && error < DROPIN_MISUSE ? error : DROPIN_MISUSE;
}
