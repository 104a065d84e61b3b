/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* backup_reader.c - takes a CPU's sub-buffers while its reader is not let run */
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "rec/rec_priv.h"

/*
 * A reader keeps off the CPU that it reads, where it would take a tenth of the traced
 * process's time: a real-time thread stays where it ran last. But the CPU that it is
 * on may be away for longer than the buffer lasts (15 ms of 2 million events a second):
 * a host that gives it to others, an interrupt that does not end, a task of higher
 * priority. The CPU that fills the buffer is there as long as it fills it. So a second
 * reader is bound to it, looks now and then whether the first one came, and takes what
 * is due if it did not. In turns on a virtual machine whose host was busy, 7 recordings
 * of 4 million events lost 282,000 without it and 168 with it. To be woken with the
 * first one each time made the traced process a tenth slower.
 */
#define PATIENCE_NS 5000000	/* since the reader came, at least */
#define LONGEST_NS  12000000	/* at most: a burst behind a slow load fills the buffer in 14 ms */
#define LEAST_NS    1000000

/* Where this thread may run: on @cpu only, or of the CPUs it has on all others, if there are any */
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

/* Did the reader come, in the time that it may take? */
static bool reader_came(const struct worker *w, int64_t patience_ns)
{
	struct timespec patience = { .tv_nsec = (long)patience_ns };
	int64_t before = w->came_ns;

	nanosleep(&patience, NULL);
	return w->came_ns != before;
}

/* As long as it takes to fill six tenths of the buffer, at the pace of late */
static int64_t patience_ns(const struct worker *w)
{
	int64_t ns = w->apart_ns * 60 / REC_WAKE_PERCENT;

	return ns < PATIENCE_NS ? PATIENCE_NS : ns > LONGEST_NS ? LONGEST_NS : ns;
}

/* It came: as long as more comes, it is soon enough to look when it would be late again */
static int64_t until_late(const struct worker *w)
{
	int64_t left = w->came_ns + patience_ns(w) - rec_now_ns();

	return left > LEAST_NS ? left : LEAST_NS;
}

/* Take what is due, as long as something is: the next look is far away. False: nothing is. */
static bool step_in(struct worker *w, struct pollfd *fds, int *ret, struct kt_err *err)
{
	uint64_t before;

	if (poll(fds, w->nr_readers + 1, 0) <= 0)
		return false;
	/* Held: the reader is about it */
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

/* Waits for the first data that is due; then, as long as more comes, a look at times costs less. */
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

	/* Who looks all the time, or whenever something is there, is not late */
	if (opts->busy || opts->wake_for_all || opts->snapshot || w->rec->nr_workers < 2 ||
	    !w->nr_readers)
		return false;
	return rec_thread_start(w->rec, &(struct rec_thread){ stand_in, w, "ktrail/%d:alt",
							      w->readers[0]->cpu },
				&w->backup, NULL) == 0;
}
