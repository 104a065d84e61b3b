/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* live.c - a recording into a temporary file that is read along */
#include "rec/live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/settings.h>

#include "rec/rec_priv.h"

#define MEMORY (256ull << 20)

struct kt_live {
	struct kt_instance *inst;
	struct kt_rec *rec;		/* NULL: nothing is recorded */
	struct kt_err why;
	char *dir, *path;
	unsigned int nr;		/* of the file */
	uint64_t memory, came;		/* @came: bytes at the last sync */
	bool held, saved;		/* nothing is given up: it is frozen; being saved */
};

static int nr_cpus(const struct kt_live *l)
{
	int *cpus = NULL, nr = kt_instance_cpus(l->inst, &cpus, NULL);

	free(cpus);
	return nr > 0 ? nr : 1;
}

static int record(struct kt_live *l, struct kt_err *err)
{
	const struct kt_rec_opts o = {
		.compression = "none", .kallsyms = KT_REC_KALLSYMS_ALL, .all_formats = true,
		.follow = true, .observe = true,
		.max_kb_per_cpu = l->memory / 1024 / (uint64_t)nr_cpus(l) + 64,
	};
	int ret;

	l->rec = kt_rec_create(l->path, &o, err);
	if (!l->rec)
		return err->code ? err->code : -ENOMEM;
	ret = kt_rec_add(l->rec, l->inst, err);
	if (ret == 0)
		ret = kt_rec_start(l->rec, err);
	if (ret < 0) {
		kt_rec_discard(l->rec);
		l->rec = NULL;
	}
	return ret;
}

/* A file in any case: without events, if they cannot be had */
static int begin(struct kt_live *l, struct kt_err *err)
{
	const struct kt_rec_opts o = { .compression = "none", .kallsyms = KT_REC_KALLSYMS_NONE };

	free(l->path);
	if (asprintf(&l->path, "%s/trace%u.dat", l->dir, l->nr++) < 0) {
		l->path = NULL;
		return kt_err_set(err, -ENOMEM, "out of memory");
	}
	l->came = 0;
	l->held = l->saved = false;
	kt_err_clear(&l->why);
	return record(l, &l->why) < 0 ? kt_rec_describe(l->path, &o, err) : 0;
}

struct kt_live *kt_live_open(struct kt_instance *inst, const struct kt_live_opts *opts,
			     struct kt_err *err)
{
	struct kt_live *l = calloc(1, sizeof(*l));

	if (!l) {
		kt_err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	l->inst = inst;
	l->memory = opts && opts->memory ? opts->memory : MEMORY;
	l->dir = kt_temp_create("/var/tmp", "ktrail-live", err);
	if (l->dir && begin(l, err) == 0)
		return l;
	kt_live_close(l);
	return NULL;
}

void kt_live_close(struct kt_live *l)
{
	if (!l)
		return;
	kt_rec_discard(l->rec);
	if (l->dir)
		kt_temp_remove(l->dir);
	free(l->dir);
	free(l->path);
	free(l);
}

const char *kt_live_path(const struct kt_live *l)
{
	return l->path;
}

const char *kt_live_why(const struct kt_live *l)
{
	return l->rec ? NULL : l->why.msg;
}

int kt_live_sync(struct kt_live *l, struct kt_err *err)
{
	uint64_t before = l->came;
	int ret = l->rec ? kt_rec_sync(l->rec, err) : 0;

	if (ret < 0) {
		/* What it has stored stays readable. */
		l->why = err ? *err : l->why;
		kt_rec_stop(l->rec, NULL);
		kt_rec_destroy(l->rec);
		l->rec = NULL;
		return ret;
	}
	if (!l->rec)
		return 0;
	l->came = rec_stored(l->rec);
	return l->came != before;
}

void kt_live_pause(struct kt_live *l, bool on)
{
	struct kt_err err = { 0 };

	if (on) {
		if (!l->rec)
			unlink(l->path);
		kt_rec_discard(l->rec);
		l->rec = NULL;
	} else if (begin(l, &err) < 0 && !*l->why.msg) {
		l->why = err;
	}
}

static void hold(struct kt_live *l, bool *why, bool on)
{
	bool before = l->held || l->saved;

	*why = on;
	if (l->rec && before != (l->held || l->saved))
		rec_hold(l->rec, before ? 0 : l->memory);
}

void kt_live_hold(struct kt_live *l, bool on)
{
	hold(l, &l->held, on);
}

void live_hold_to_save(struct kt_live *l, bool on)
{
	hold(l, &l->saved, on);
}

int live_bring_up(struct kt_live *l, struct kt_err *err)
{
	return l->rec ? kt_rec_sync(l->rec, err) : 0;
}

int kt_live_stats(struct kt_live *l, struct kt_rec_stats *stats, struct kt_err *err)
{
	*stats = (struct kt_rec_stats){ 0 };
	return l->rec ? kt_rec_stats(l->rec, stats, err) : 0;
}
