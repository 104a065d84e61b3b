/* SPDX-License-Identifier: GPL-2.0-or-later */
/* convert.c - `ktrail convert`: change the version or compression of a trace file */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/writer.h>

#include "cmd/args/dropin.h"
#include "cmd/args/level.h"
#include "cmd/args/output.h"
#include "cmd/args/rules.h"
#include "cmd/print/progress.h"
#include "cmd/style.h"

struct args {
	const char *input, *output, *compression;
	int file_version;
	bool index, no_index, force;
};

static const struct cmd_opt opts[] = {
	OPT_STR('i', "input", struct args, input, "file", "read this file instead of trace.dat"),
	OPT_STR('o', "output", struct args, output, "file", "write to this file; - is stdout"),
	OUTPUT_FORCE(struct args, force),
	OPT_INT(0, "file-version", struct args, file_version, "n", "6 or 7 (default)"),
	OPT_STR(0, "compression", struct args, compression, "method",
		"any, none, zlib, zstd, optionally a level: zstd:9"),
	OPT_BOOL(0, "index", struct args, index, "index the events in each chunk, for filters"),
	OPT_BOOL(0, "no-index", struct args, no_index, "do not store an index"),
	OPT_LEVEL_IGNORED,
	OPT_END
};

static int init(void *args)
{
	struct args *a = args;

	a->file_version = 7;
	return 0;
}

/* Parts that could not be read are left out of the copy: report them */
static int report_damage(struct kt_file *in, const struct kt_copy *copy)
{
	size_t i;

	for (i = 0; kt_file_damage(in, i); i++)
		fprintf(stderr, "%s convert: %s\n", cmd_program, kt_file_damage(in, i));
	if (copy->nr_damaged)
		fprintf(stderr, "%s convert: %" PRIu64 " damaged pieces were left out\n",
			cmd_program, copy->nr_damaged);
	return i || copy->nr_damaged ? 1 : 0;
}

/* A word is the input, as in all commands; trace-cmd uses it as the output */
static int take_word(struct args *a, int argc, char **argv, struct kt_err *err)
{
	const char **word = cmd_style->old_words ? &a->output : &a->input;

	if (argc > 1 || (argc && *word))
		return cmd_misuse(err, cmd_style->old_words ? "unexpected second output '%s'"
				  : "unexpected second input '%s'; -o names the output",
				  argv[argc - 1]);
	if (argc)
		*word = argv[0];
	if (!a->output)
		return cmd_misuse(err, "no output file; use -o <output>");
	a->input = a->input ? a->input : "trace.dat";
	return 0;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct args *a = args;
	struct kt_writer_opts o = { .version = a->file_version, .compression = a->compression };
	struct progress progress;
	struct kt_copy copy = { .progress = progress_of_copy, .progress_data = &progress };
	struct output_pipe pipe = OUTPUT_PIPE_INIT;
	struct kt_file *in;
	int ret;

	ret = take_word(a, argc, argv, err);
	if (ret < 0)
		return ret;
	o.index = a->no_index ? KT_INDEX_NONE : KT_INDEX_CHEAP;
	if (a->index)
		o.index = KT_INDEX_ALL;
	if (a->index &&
	    (a->file_version == 6 || (a->compression && !strcmp(a->compression, "none"))))
		return cmd_misuse(err, "only a compressed file of version 7 has an index");
	if (kt_writer_check(a->file_version, a->compression, err) < 0)
		return CMD_MISUSE;
	in = kt_file_open(a->input, err);
	if (!in)
		return err->code;
	ret = strcmp(a->output, "-") ? output_check(a->output, a->force, err) : 0;
	if (ret == 0)
		ret = output_pipe_begin(&pipe, &a->output, err);
	if (ret < 0)
		goto out;
	if (!a->compression && a->file_version == 7)
		o.compression = "any";
	kt_copy_opts(in, &o);
	o.threads = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	progress_begin(&progress, "convert");
	ret = kt_copy_file(in, a->output, &o, &copy, err);
	progress_end(&progress);
	if (ret == 0 && cmd_style->old_reports)
		dropin_tell_file(a->output);
	if (ret == 0)
		ret = report_damage(in, &copy);
out:
	kt_file_close(in);
	return output_pipe_end(&pipe, ret, err);
}

static const struct cmd_rule rules[] = {
	{ .options = "index no-index", .alone = true },
	RULE_END
};

const struct cmd cmd_convert = {
	.name      = "convert",
	.summary   = "change version or compression of a trace file",
	.words     = "-o <output> [<file>]",
	.examples  = "  ktrail convert -o v6.dat --file-version 6 x.dat        for old readers\n"
		     "  ktrail convert -o x9.dat --compression zstd:19 x.dat  for an archive\n"
		     "  ktrail convert -f -o x.dat --index x.dat               to filter it "
		     "often\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.init      = init,
	.run       = run,
};
