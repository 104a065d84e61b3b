/* SPDX-License-Identifier: GPL-2.0-or-later */
/* extract.c - `ktrail extract`: what the kernel's buffers hold now, as a file */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/settings.h>

#include "base/str.h"
#include "dropin.h"
#include "extract_room.h"
#include "level.h"
#include "output.h"
#include "progress.h"
#include "record.h"
#include "rules.h"
#include "style.h"
#include "targets.h"

struct args {
	struct targets targets;		/* first: TARGETS_OPTS */
	const char *output, *compression, *kallsyms, *tracer;
	int  file_version;
	bool snapshot, date, keep, quiet;
	bool ignored;			/* what comes too late for a buffer that is already full */
	const char *ignored_word;
	struct kt_names options;
	struct kt_names names;		/* of the buffers, once known */
	struct kt_instance **insts;
	size_t nr_insts;
};

static int add_option(void *args, const char *value, struct kt_err *err)
{
	struct args *a = args;

	return kt_names_add(&a->options, value) < 0 ? kt_err_set(err, -ENOMEM, "out of memory") : 0;
}

#define PROGRESS_US 50000	/* between two looks at how far the readers are */

/* trace-cmd takes these from record's parser, and they change nothing there, either. */
#define LATE_FLAG(c)	OPT_BOOL(c, NULL, struct args, ignored, NULL)
#define LATE_WORD(c, a)	OPT_STR(c, NULL, struct args, ignored_word, a, NULL)

static const struct cmd_opt opts[] = {
	OPT_STR ('o', "output", struct args, output, "file",
		 "write to this file instead of trace.dat"),
	TARGETS_OPTS,
	TARGETS_DRY_RUN,
	OPT_BOOL('s', "snapshot", struct args, snapshot, "take the snapshot, not the live buffer"),
	OPT_CALL('O', "option", add_option, "opt", "set a trace option first; noOPT unsets it"),
	OPT_BOOL(0, "date", struct args, date, "store the wall-clock time in the file"),
	OPT_STR (0, "compression", struct args, compression, "method", "as for record"),
	OPT_INT (0, "file-version", struct args, file_version, "n", "6 or 7; 7 if not given"),
	OPT_BOOL('k', "keep", struct args, keep, "leave tracing off"),
	OPT_BOOL('q', "quiet", struct args, quiet, "print no status"),
	OPT_STR ('p', NULL, struct args, tracer, "tracer", NULL),
	LATE_FLAG('F'), LATE_FLAG('c'), LATE_FLAG('i'), LATE_FLAG('T'),
	LATE_WORD('f', "filter"), LATE_WORD('r', "prio"), LATE_WORD('g', "func"),
	LATE_WORD('l', "func"), LATE_WORD('n', "func"), LATE_WORD('P', "pid"),
	LATE_WORD('b', "kb"),
	OPT_LEVEL_IGNORED,
	OPT_END
};

static int note_name(struct kt_instance *inst, void *data, struct kt_err *err)
{
	struct args *a = data;

	return kt_names_add(&a->names, kt_instance_name(inst)) < 0 ?
		kt_err_set(err, -ENOMEM, "out of memory") : 0;
}

/* Reading a buffer that is written to meanwhile would not end: tracing is off while we read */
static int quieten(struct kt_instance *inst, void *data, struct kt_err *err)
{
	const struct args *a = data;
	int ret = 0;
	size_t i;

	if (a->snapshot && !kt_instance_has(inst, "snapshot"))
		return kt_err_set(err, -ENOENT,
				  "this kernel has no snapshots (CONFIG_TRACER_SNAPSHOT)");
	if (!a->snapshot)
		ret = kt_instance_set_tracing(inst, false, err);
	for (i = 0; ret >= 0 && i < a->options.nr; i++)
		ret = kt_instance_set_option(inst, a->options.names[i], true, err);
	return ret < 0 ? ret : 0;
}

static int open_instance(struct args *a, const char *name, struct kt_err *err)
{
	struct kt_instance *inst = kt_instance_open(name, 0, err);

	if (!inst)
		return err->code;
	a->insts[a->nr_insts++] = inst;
	return quieten(inst, a, err);
}

static int open_instances(struct args *a, struct kt_err *err)
{
	size_t i;
	int ret = targets_for_each(&a->targets, note_name, a, err);

	if (ret == 0 && !a->names.nr)
		ret = kt_err_set(err, -ENOENT, "there is no instance; -t takes the top buffer");
	if (ret < 0)
		return ret;
	a->insts = calloc(a->names.nr + 1, sizeof(*a->insts));
	if (!a->insts)
		return kt_err_set(err, -ENOMEM, "out of memory");
	for (i = 0; ret == 0 && i < a->names.nr; i++)
		ret = open_instance(a, a->names.names[i], err);
	return ret;
}

/* A buffer that survives a reboot says what its addresses mean */
static int add_last_boot(struct kt_rec *rec, struct kt_instance *inst, struct kt_err *err)
{
	char *info = kt_instance_read(inst, "last_boot_info", NULL);
	struct str text = STR_INIT;
	int ret = 0;

	if (info) {
		str_addf(&text, "%s:%s\n", kt_instance_name(inst), info);
		ret = kt_rec_option(rec, KT_OPTION_LAST_BOOT_INFO, text.buf, text.len + 1, err);
	}
	free(info);
	str_fini(&text);
	return ret;
}

/* The addresses of an earlier boot are not those of this kernel's symbols: none can be left out. */
static bool any_last_boot(const struct args *a)
{
	size_t i;

	for (i = 0; i < a->nr_insts; i++)
		if (kt_instance_is_persistent(a->insts[i]))
			return true;
	return false;
}

/* Threads take the data out meanwhile; kt_rec_stop() waits for the rest, whatever was seen here */
static void show_progress(struct kt_rec *rec, uint64_t held)
{
	uint64_t before;
	struct kt_rec_stats now = { 0 };
	struct progress progress;

	progress_begin(&progress, "extract");
	if (!progress.on)
		return;
	do {
		before = now.raw_bytes;
		usleep(PROGRESS_US);
		if (kt_rec_stats(rec, &now, NULL) < 0)
			break;
		progress_tell(&progress, now.raw_bytes, held);
	} while (now.raw_bytes > before && now.raw_bytes < held);
	progress_end(&progress);
}

static int extract(struct args *a, struct kt_rec *rec, struct kt_err *err)
{
	uint64_t held = extract_held(a->insts, a->nr_insts, a->snapshot);
	size_t i;
	int ret = 0;

	if (!a->quiet && cmd_style->advises)
		record_tell_kept(rec);
	for (i = 0; ret == 0 && i < a->nr_insts; i++)
		ret = kt_rec_add(rec, a->insts[i], err);
	if (ret == 0)
		ret = kt_rec_start(rec, err);
	if (ret == 0)
		show_progress(rec, held);
	if (ret == 0)
		ret = kt_rec_stop(rec, err);
	if (ret < 0)
		extract_tell_lost(rec, a->output, extract_held(a->insts, a->nr_insts, a->snapshot));
	if (ret == 0 && a->date)
		ret = record_add_date(rec, a->insts[0], err);
	for (i = 0; ret == 0 && i < a->nr_insts; i++)
		ret = add_last_boot(rec, a->insts[i], err);
	if (ret == 0)
		ret = kt_rec_finish(rec, err);
	/* trace-cmd replaces the old file: here it goes when the new one is whole */
	if (cmd_style->replaces && kt_rec_kept(rec) && (ret < 0 || kt_rec_drop_kept(rec, NULL) < 0))
		record_tell_kept(rec);
	if (ret == 0)
		record_tell_end(rec,
				&(struct record_told){ .output = a->output, .quiet = a->quiet });
	return ret;
}

/* As a drop-in the old file is kept for a moment only: not at the cost of another one. */
static bool may_keep_old(const struct args *a)
{
	struct str kept = STR_INIT;
	bool may;

	str_addf(&kept, "%s.old", a->output);
	may = !cmd_style->replaces || access(kept.buf, F_OK) < 0;
	str_fini(&kept);
	return may;
}

/* What was set goes back, or stays with -k. Returns @ret, or why it did not. */
static int close_instances(struct args *a, int ret, struct kt_err *err)
{
	int one;

	while (a->nr_insts > 0) {
		if (a->keep)
			kt_instance_keep(a->insts[a->nr_insts - 1]);
		one = kt_instance_close(a->insts[--a->nr_insts], err);
		ret = ret < 0 ? ret : one;
	}
	return ret;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct args *a = args;
	struct kt_rec_opts o = {
		.version = a->file_version, .compression = a->compression, .all_formats = true,
		.snapshot = a->snapshot, .keep_old = may_keep_old(a),
	};
	struct kt_rec *rec = NULL;
	int ret, fd;

	if (argc)
		return cmd_misuse(err, "unexpected argument '%s'", argv[0]);
	ret = output_check_name(a->output, err);
	if (ret < 0)
		return ret;
	a->targets.all_means_top = cmd_style->all_means_top;
	if (a->targets.dry_run)
		return targets_for_each(&a->targets, quieten, a, err);
	/* It takes a moment; an interrupt in between would leave tracing off */
	fd = record_catch_signals(err);
	if (fd < 0)
		return fd;
	close(fd);
	ret = open_instances(a, err);
	if (ret == 0)
		ret = extract_check_room(a->output,
					 extract_held(a->insts, a->nr_insts, a->snapshot), err);
	o.modules = any_last_boot(a);
	if (o.modules)
		o.kallsyms = KT_REC_KALLSYMS_ALL;
	if (ret == 0) {
		rec = kt_rec_create(a->output, &o, err);
		ret = rec ? extract(a, rec, err) : err->code;
		kt_rec_destroy(rec);
	}
	return close_instances(a, ret, err);
}

static int init(void *args)
{
	struct args *a = args;

	a->output = "trace.dat";
	return 0;
}

static void fini(void *args)
{
	struct args *a = args;

	free(a->insts);
	kt_names_fini(&a->names);
	kt_names_fini(&a->options);
	targets_fini(args);
}

static const struct cmd_rule rules[] = {
	{ .options = "F c i T f r g l n P b",
	  .never = "comes too late for a buffer that is full already" },
	RULE_END
};

const struct cmd cmd_extract = {
	.name      = "extract",
	.summary   = "write the kernel's buffers to a file",
	.usage     = "[-B <instance>]… [-a] [-t] [-s] [-o <file>] [<options>]",
	.examples  = "  ktrail extract                   after ktrail start … and ktrail stop\n"
		     "  ktrail extract -B disk -o disk.dat\n"
		     "  ktrail extract -s                the snapshot\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.init      = init,
	.run       = run,
	.fini      = fini,
};
