/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* backup_reader.c - read a CPU's buffer while its reader cannot run */
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clamp.h"
#include "rec/rec_priv.h"

/*
 * A reader avoids the CPU that it reads, where it would take a tenth of the traced process's time:
 * a real-time thread stays on the CPU where it ran last. But the reader's own CPU may be
 * unavailable for longer than the buffer lasts (15 ms at 2 million events a second): the host runs
 * other guests, an interrupt takes long, or a task of higher priority runs. The CPU that fills the
 * buffer is available by definition. So a second reader is bound to it. It checks from time to
 * time whether the first one has read, and otherwise reads the data that is due. On a virtual
 * machine with a busy host, 7 recordings of 4 million events lost 282,000 without it and 168 with
 * it, measured alternately. Waking it together with the first reader made the traced process a
 * tenth slower.
 */
#define PATIENCE_NS 5000000	/* least time since the last read */
#define LONGEST_NS  12000000	/* most: a burst after a slow load fills the buffer in 14 ms */
#define LEAST_NS    1000000

/* The CPUs for this thread: only @cpu, or all of its CPUs except @cpu, if there are others */
static bool bind(int cpu, bool others)
{
	size_t nr = (size_t)sysconf(_SC_NPROCESSORS_CONF), size;
	cpu_set_t *set;
	bool done;

	nr = nr > (size_t)cpu ? nr : (size_t)cpu + 1;
	set = CPU_ALLOC(nr);
	if (!set)
		return false;
	size = CPU_ALLOC_SIZE(nr);
	CPU_ZERO_S(size, set);
	done = !others || sched_getaffinity(0, size, set) == 0;
	if (others)
		CPU_CLR_S((size_t)cpu, size, set);
	else
		CPU_SET_S((size_t)cpu, size, set);
	done = done && CPU_COUNT_S(size, set) > 0 && sched_setaffinity(0, size, set) == 0;
	CPU_FREE(set);
	return done;
}

void rec_backup_trust(const struct worker *w)
{
	if (w->has_backup)
		bind(w->readers[0]->cpu, true);
}

static bool is_over(const struct worker *w)
{
	return w->rec->stopping || w->rec->failed;
}

/* Waits for @patience_ns: has the reader read since? */
static bool reader_came(const struct worker *w, int64_t patience_ns)
{
	struct timespec patience = { .tv_nsec = (long)patience_ns };
	int64_t before = w->came_ns;

	nanosleep(&patience, NULL);
	return w->came_ns != before;
}

/* The time to fill six tenths of the buffer at the recent rate */
static int64_t patience_ns(const struct worker *w)
{
	int64_t ns = w->apart_ns * 60 / REC_WAKE_PERCENT;

	return clamp(ns, PATIENCE_NS, LONGEST_NS);
}

/* The reader is on time: under load, check again when it could be late next */
static int64_t until_late(const struct worker *w)
{
	int64_t left = w->came_ns + patience_ns(w) - rec_now_ns();

	return left > LEAST_NS ? left : LEAST_NS;
}

/* Read all data that is due, since the next check is far away. False: no data is due. */
static bool step_in(struct worker *w, struct pollfd *fds, int *ret, struct kt_err *err)
{
	uint64_t before;

	if (poll(fds, w->nr_readers + 1, 0) <= 0)
		return false;
	/* If the lock is held, the reader is reading */
	if (is_over(w) || pthread_mutex_trylock(&w->taking) != 0)
		return true;
	do {
		before = w->taken;
		*ret = rec_take_due(w, fds, false, err);
	} while (*ret == 0 && w->taken != before && poll(fds, w->nr_readers + 1, 0) > 0 &&
		 !is_over(w));
	pthread_mutex_unlock(&w->taking);
	return true;
}

/* Waits for the first data that is due. Under load, a check at intervals costs less. */
static int watch(struct worker *w, struct pollfd *fds, struct kt_err *err)
{
	int64_t patience;
	bool busy;
	int ret = 0;

	while (ret == 0 && !is_over(w)) {
		if (poll(fds, w->nr_readers + 1, -1) <= 0)
			continue;
		patience = PATIENCE_NS;
		for (busy = true; busy && ret == 0 && !is_over(w); ) {
			busy = reader_came(w, patience);
			patience = busy ? until_late(w) : PATIENCE_NS;
			busy = busy || step_in(w, fds, &ret, err);
		}
	}
	return ret;
}

static void *stand_in(void *data)
{
	struct worker *w = data;
	struct pollfd *fds = calloc(w->nr_readers + 1, sizeof(*fds));
	struct kt_err err = { 0 };
	bool bound = fds && bind(w->readers[0]->cpu, false);
	size_t i;

	if (bound)
		rec_hurry(w);
	rec_thread_tell(w->rec, &w->backup_tid);
	for (i = 0; bound && i < w->nr_readers; i++)
		fds[i] = (struct pollfd){ .fd = w->readers[i]->source.fd, .events = POLLIN };
	if (bound)
		fds[i] = (struct pollfd){ .fd = w->rec->stop_fd, .events = POLLIN };
	if (bound && watch(w, fds, &err) < 0 && err.code)
		rec_fail(w->rec, &err);
	free(fds);
	return NULL;
}

bool rec_backup_start(struct worker *w)
{
	const struct kt_rec_opts *opts = &w->rec->opts;

	/* A reader that polls, or wakes at any data, is never late */
	if (opts->busy || opts->wake_for_all || opts->snapshot || w->rec->nr_workers < 2 ||
	    !w->nr_readers)
		return false;
	return rec_thread_start(w->rec, &(struct rec_thread){ stand_in, w, "ktrail/%d:alt",
							      w->readers[0]->cpu, false },
				&w->backup, NULL) == 0;
}
