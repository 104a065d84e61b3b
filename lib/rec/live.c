/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* live.c - a recording into a temporary file, with a reader that follows it */
#include "rec/live.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/settings.h>

#include "base/keymap.h"
#include "base/str.h"
#include "base/threads.h"
#include "rec/rec_priv.h"

#define MEMORY (256ull << 20)

/* A sync waits for the readers, the packers and the disk, so a thread does it for the viewer. */
struct live_sync {
	pthread_t thread;
	bool started;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* protected by @lock; while SYNC_BEGUN, the thread owns kt_live.rec */
	enum { SYNC_NONE, SYNC_BEGUN, SYNC_DONE, SYNC_END } state;
	bool whole;			/* also store the texts that a first screen does not need */
	int ret;			/* 1: more texts are stored */
	struct kt_err err;
	struct kt_rec_stats stats;
};

struct kt_live {
	struct kt_instance *inst;
	struct kt_rec *rec;		/* NULL: not recording */
	struct kt_err why;
	struct kt_temp *dir;
	char *path;
	unsigned int nr;		/* number of the file */
	uint64_t memory, came;		/* @came: bytes at the last sync */
	bool held, saved;		/* frozen, being saved: in both cases no data is dropped */
	struct live_sync sync;
	unsigned int nr_syncs;		/* of this file */
	uint64_t events_mark;		/* mark_events() when all formats were stored; 0: never */
	struct kt_rec_stats stats;	/* at the last sync */
};

/* ---- texts that a first screen does not need ---- */

/* Changes if probes, synthetic events or modules come or go. Reading all events would take 5 ms. */
static uint64_t mark_events(void)
{
	const char *dirs[] = { kt_tracefs_dir(NULL), "/proc" };
	static const char *const names[] = { "dynamic_events", "modules" };
	uint64_t mark = 1;
	size_t i;

	for (i = 0; i < 2; i++) {
		struct str text = STR_INIT, path = STR_INIT;

		str_addf(&path, "%s/%s", dirs[i] ? dirs[i] : "", names[i]);
		if (!path.failed && str_read_file(&text, path.buf) == 0)
			mark = keymap_mix(mark, keymap_text(text.buf));
		str_fini(&path);
		str_fini(&text);
	}
	return mark;
}

/* 1: stored, on the first call and when the events have changed; 0: nothing to store */
static int add_texts(struct kt_live *l, struct kt_err *err)
{
	uint64_t mark = mark_events();
	int ret;

	if (mark == l->events_mark)
		return 0;
	l->events_mark = mark;
	ret = rec_retract_names(l->rec, err);
	if (ret < 0)
		return kt_err_result(err, ret);
	ret = rec_collect_more(l->rec, err);
	if (ret < 0)
		return kt_err_result(err, ret);
	ret = rec_store_names(l->rec, err);
	return ret < 0 ? kt_err_result(err, ret) : 1;
}

/* ---- the thread that syncs ---- */

static void *run_syncs(void *data)
{
	struct kt_live *l = data;
	struct live_sync *s = &l->sync;

	pthread_mutex_lock(&s->lock);
	while (s->state != SYNC_END) {
		if (s->state != SYNC_BEGUN) {
			pthread_cond_wait(&s->changed, &s->lock);
			continue;
		}
		pthread_mutex_unlock(&s->lock);
		kt_err_clear(&s->err);
		s->ret = kt_rec_sync(l->rec, &s->err);
		if (s->ret == 0)
			kt_rec_stats(l->rec, &s->stats, NULL);
		if (s->ret == 0 && s->whole)
			s->ret = add_texts(l, &s->err);
		pthread_mutex_lock(&s->lock);
		s->state = SYNC_DONE;
		pthread_cond_broadcast(&s->changed);
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

static int start_syncs(struct kt_live *l, struct kt_err *err)
{
	int ret;

	pthread_mutex_init(&l->sync.lock, NULL);
	pthread_cond_init(&l->sync.changed, NULL);
	ret = thread_start(&l->sync.thread, run_syncs, l);
	l->sync.started = ret == 0;
	return ret < 0 ? kt_err_set(err, ret, "cannot start a thread: %s", strerror(-ret)) : 0;
}

/* With the lock: the recorder belongs to the caller's thread again. */
static void wait_for_sync(struct live_sync *s)
{
	while (s->state == SYNC_BEGUN)
		pthread_cond_wait(&s->changed, &s->lock);
}

/* The result of a sync that still runs is dropped. */
static void set_sync(struct live_sync *s, int state)
{
	pthread_mutex_lock(&s->lock);
	wait_for_sync(s);
	s->state = state;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

static void end_syncs(struct live_sync *s)
{
	if (s->started) {
		set_sync(s, SYNC_END);
		pthread_join(s->thread, NULL);
	}
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->lock);
}

/*
 * Begins a sync unless one is running. 0; 1: texts were added; -EINPROGRESS; another negative
 * errno with @err set. The formats of all events and the symbols take long to read: the first
 * sync omits them.
 */
static int do_sync(struct kt_live *l, bool wait, struct kt_err *err)
{
	struct live_sync *s = &l->sync;
	int ret = -EINPROGRESS;

	pthread_mutex_lock(&s->lock);
	if (s->state == SYNC_NONE) {
		s->state = SYNC_BEGUN;
		s->whole = wait || l->nr_syncs++;
		pthread_cond_broadcast(&s->changed);
	}
	if (wait)
		wait_for_sync(s);
	if (s->state == SYNC_DONE) {
		s->state = SYNC_NONE;
		ret = s->ret;
		if (err)
			*err = s->err;
		l->stats = s->stats;
	}
	pthread_mutex_unlock(&s->lock);
	return ret;
}

/* ---- the recording ---- */

static int nr_cpus(const struct kt_live *l)
{
	int *cpus = NULL, nr = kt_instance_cpus(l->inst, &cpus, NULL);

	free(cpus);
	return nr > 0 ? nr : 1;
}

static int record(struct kt_live *l, struct kt_err *err)
{
	const struct kt_rec_opts o = {
		.compression = "none", .kallsyms = KT_REC_KALLSYMS_NONE,
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

/* Makes a file in any case, without events if they are not available */
static int begin(struct kt_live *l, struct kt_err *err)
{
	const struct kt_rec_opts o = { .compression = "none", .kallsyms = KT_REC_KALLSYMS_NONE };

	free(l->path);
	if (asprintf(&l->path, "%s/trace%u.dat", kt_temp_path(l->dir), l->nr++) < 0) {
		l->path = NULL;
		return kt_err_no_memory(err);
	}
	l->came = 0;
	l->nr_syncs = 0;
	l->events_mark = 0;
	l->stats = (struct kt_rec_stats){ 0 };
	l->held = l->saved = false;
	kt_err_clear(&l->why);
	return record(l, &l->why) < 0 ? rec_describe(l->inst, l->path, &o, err) : 0;
}

struct kt_live *kt_live_open(struct kt_instance *inst, const struct kt_live_opts *opts,
			     struct kt_err *err)
{
	struct kt_live *l = calloc(1, sizeof(*l));

	if (!l) {
		kt_err_no_memory(err);
		return NULL;
	}
	l->inst = inst;
	l->memory = opts && opts->memory ? opts->memory : MEMORY;
	if (start_syncs(l, err) == 0)
		l->dir = kt_temp_open("/var/tmp", "ktrail-live", err);
	if (l->dir && begin(l, err) == 0)
		return l;
	kt_live_close(l);
	return NULL;
}

void kt_live_close(struct kt_live *l)
{
	if (!l)
		return;
	end_syncs(&l->sync);
	kt_rec_discard(l->rec);
	kt_temp_close(l->dir);
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

int kt_live_sync(struct kt_live *l, bool wait, struct kt_err *err)
{
	uint64_t before = l->came;
	int ret = l->rec ? do_sync(l, wait, err) : 0;

	if (ret == -EINPROGRESS)
		return ret;
	if (ret < 0) {
		/* The data stored so far stays readable. */
		l->why = err ? *err : l->why;
		kt_rec_stop(l->rec, NULL);
		kt_rec_destroy(l->rec);
		l->rec = NULL;
		return ret;
	}
	if (!l->rec)
		return 0;
	l->came = rec_stored(l->rec);
	return ret || l->came != before;
}

void kt_live_pause(struct kt_live *l, bool on)
{
	struct kt_err err = { 0 };

	set_sync(&l->sync, SYNC_NONE);
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
	int ret;

	set_sync(&l->sync, SYNC_NONE);
	ret = l->rec ? kt_rec_sync(l->rec, err) : 0;
	return ret == 0 && l->rec ? add_texts(l, err) : ret;
}

struct kt_rec_stats kt_live_stats(const struct kt_live *l)
{
	return l->stats;
}
