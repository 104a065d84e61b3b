/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import.c - `ktrail import`: make a recording from files of other programs */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/export.h>
#include <ktrail/writer.h>

#include "base/str.h"
#include "cmd/args/output.h"
#include "cmd/cmd.h"
#include "cmd/print/progress.h"

struct args {
	const char *input, *from, *output, *machine, *compression;
	bool force;
};

static const struct cmd_opt opts[] = {
	OPT_STR('i', "input", struct args, input, "file", "read this file; - is stdin"),
	OPT_STR(0, "from", struct args, from, "source",
		"text or perfetto, if it is not recognized"),
	OPT_STR('o', "output", struct args, output, "file",
		"write to this file, not to trace.dat; - is stdout"),
	OUTPUT_FORCE(struct args, force),
	OPT_STR(0, "machine", struct args, machine, "name",
		"that was traced, to name system calls: x86_64"),
	OPT_STR(0, "compression", struct args, compression, "method",
		"any, none, zlib, zstd, optionally a level: zstd:9"),
	OPT_END
};

static int choose(struct args *a, struct kt_import_opts *o, int argc, char **argv,
		  struct kt_err *err)
{
	if (argc > 1 || (argc && a->input))
		return cmd_misuse(err, "unexpected second input '%s'; -o names the output",
				  argv[argc - 1]);
	a->input = argc ? argv[0] : a->input;
	if (!a->input)
		return cmd_misuse(err, "which file? - is standard input");
	for (; a->from; o->from++) {
		const char *name = kt_import_name(o->from + 1);

		if (!name)
			return cmd_misuse(err, "no format '%s', only: text perfetto", a->from);
		if (strcmp(name, a->from) == 0) {
			o->from++;
			break;
		}
	}
	a->output = a->output ? a->output : "trace.dat";
	o->name = strcmp(a->input, "-") ? a->input : "standard input";
	o->compression = a->compression;
	o->machine = a->machine;
	return kt_writer_check(7, a->compression, err) < 0 ? CMD_MISUSE : 0;
}

static int open_input(const struct args *a, struct kt_import_opts *o, struct kt_err *err)
{
	o->fd = strcmp(a->input, "-") ? open(a->input, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	if (o->fd < 0)
		return kt_err_set(err, -errno, "cannot open %s: %s", a->input, strerror(errno));
	return 0;
}

static void tell(const struct args *a, const struct kt_import_result *result)
{
	size_t i;

	for (i = 0; i < result->notes.nr; i++)
		fprintf(stderr, "%s import: %s\n", cmd_program, result->notes.names[i]);
	if (isatty(STDERR_FILENO)) {
		fprintf(stderr, "%s: %" PRIu64 " events", a->output, result->events);
		if (result->lost)
			fprintf(stderr, ", %" PRIu64 " lost", result->lost);
		fputc('\n', stderr);
	}
}

static int import(const struct args *a, const struct kt_import_opts *opts, struct kt_err *err)
{
	struct kt_import_opts o = *opts;
	struct kt_import_result result = { 0 };
	struct progress progress;
	int ret = open_input(a, &o, err);

	if (ret < 0)
		return ret;
	o.path = a->output;
	o.progress = progress_of_pass;
	o.data = &progress;
	progress_begin(&progress, "import");
	ret = kt_import(&o, &result, err);
	progress_end(&progress);
	if (o.fd != STDIN_FILENO)
		close(o.fd);
	if (ret == 0)
		tell(a, &result);
	kt_names_fini(&result.notes);
	return ret;
}

static int run(void *data, int argc, char **argv, struct kt_err *err)
{
	struct args *a = data;
	struct output_pipe pipe = OUTPUT_PIPE_INIT;
	struct kt_import_opts o = { .threads = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN) };
	int ret = choose(a, &o, argc, argv, err);

	if (ret < 0)
		return ret;
	ret = strcmp(a->output, "-") ? output_check(a->output, a->force, err) : 0;
	if (ret < 0)
		return ret;
	ret = output_pipe_begin(&pipe, &a->output, err);
	if (ret == 0)
		ret = import(a, &o, err);
	return output_pipe_end(&pipe, ret, err);
}

const struct cmd cmd_import = {
	.name      = "import",
	.summary   = "make a recording from the text of a trace, or from a Perfetto trace",
	.words     = "<file>",
	.examples  = "  ktrail import trace.txt                   what `cat trace` has printed\n"
		     "  ktrail import -o x.dat x.pftrace          a trace of Perfetto\n"
		     "  ssh host cat /sys/kernel/tracing/trace | ktrail import -o x.dat -\n",
	.opts      = opts,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.run       = run,
};
