/* SPDX-License-Identifier: GPL-2.0-or-later */
/* extract_run.c - take the events out of buffers, into a file */
#include "extract.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/print/progress.h"
#include "cmd/style.h"
#include "extract_room.h"
#include "record.h"

#define PROGRESS_US 50000	/* the interval at which the progress of the readers is checked */

int extract_add(struct extract *x, struct kt_instance *inst, struct kt_err *err)
{
	char *info = kt_instance_read(inst, "last_boot_info", NULL);
	int ret = 0;

	x->insts[x->nr++] = inst;
	if (info)
		ret = kt_names_addf(&x->last_boots, "%s:%s\n", kt_instance_name(inst), info);
	free(info);
	return kt_err_result(err, ret);
}

/* Threads are reading the data; kt_rec_stop() waits for the rest in any case */
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

/* Read the buffers until they are empty. */
static int drain(const struct extract *x, struct kt_rec *rec, uint64_t held, struct kt_err *err)
{
	size_t i;
	int ret;

	for (i = 0; i < x->nr; i++) {
		ret = kt_rec_add(rec, x->insts[i], err);
		if (ret < 0)
			return ret;
	}
	ret = kt_rec_start(rec, err);
	if (ret < 0)
		return ret;
	show_progress(rec, held);
	return kt_rec_stop(rec, err);
}

static int finish(const struct extract *x, struct kt_rec *rec, struct kt_err *err)
{
	const struct kt_names *boots = &x->last_boots;
	int ret = x->date ? record_add_date(rec, x->insts[0], err) : 0;
	size_t i;

	for (i = 0; ret == 0 && i < boots->nr; i++)
		ret = kt_rec_option(rec, KT_OPTION_LAST_BOOT_INFO, boots->names[i],
				    strlen(boots->names[i]) + 1, err);
	return ret < 0 ? ret : kt_rec_finish(rec, err);
}

static bool took_nothing(struct kt_rec *rec)
{
	struct kt_rec_stats stats;

	return kt_rec_stats(rec, &stats, NULL) == 0 && !stats.raw_bytes;
}

static int take(struct extract *x, struct kt_rec *rec, uint64_t held, struct kt_err *err)
{
	int ret = drain(x, rec, held, err);

	if (ret == 0)
		ret = finish(x, rec, err);
	if (ret < 0 && took_nothing(rec))
		return ret;
	if (!x->quiet && cmd_style->advises)
		record_tell_kept(rec);
	if (ret < 0)
		extract_tell_lost(rec, x->output, extract_held(x->insts, x->nr, x->snapshot));
	/* trace-cmd replaces the old file: here it is removed when the new one is complete */
	if (cmd_style->replaces && kt_rec_kept(rec) && (ret < 0 || kt_rec_drop_kept(rec, NULL) < 0))
		record_tell_kept(rec);
	if (ret == 0)
		record_tell_end(rec,
				&(struct record_told){ .output = x->piped ? "stdout" : x->output,
						       .quiet = x->quiet, .no_next = x->piped });
	return ret;
}

int extract_run(struct extract *x, struct kt_rec_opts *o, struct kt_err *err)
{
	uint64_t held = extract_held(x->insts, x->nr, x->snapshot);
	struct kt_rec *rec;
	int ret = extract_check_room(x->output, held, err);

	if (ret < 0)
		return ret;
	o->snapshot = x->snapshot;
	o->held = held;
	/* The addresses of an earlier boot do not match this kernel's symbols: store all of them */
	if (x->last_boots.nr) {
		o->modules = true;
		o->no_wall = true;	/* the clock has begun again since */
		o->kallsyms = KT_REC_KALLSYMS_ALL;
	}
	rec = kt_rec_create(x->output, o, err);
	if (!rec)
		return err->code;
	ret = take(x, rec, held, err);
	/* The old file has its name again */
	if (ret < 0 && took_nothing(rec))
		kt_rec_discard(rec);
	else
		kt_rec_destroy(rec);
	return ret;
}

void extract_fini(struct extract *x)
{
	kt_names_fini(&x->last_boots);
}
