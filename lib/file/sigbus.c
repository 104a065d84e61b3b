/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sigbus.c - survive the truncation of a file that is mapped
 *
 * Most of a file is read, not mapped. Access to a mapped page that was truncated kills the
 * process with SIGBUS. A program may install our handler. The handler knows the maps of all
 * open files and replaces a missing page by zeros. It passes faults at any other address
 * to the previous handler. Entries of the list are reused but never freed, since a handler
 * may be reading them.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "file/file.h"

struct mapped {
	struct mapped *next;
	_Atomic uintptr_t start, end;	/* 0: this entry is free */
	const char *path;
};

static struct mapped *_Atomic all;	/* the only global state of the library */
static struct {
	void (*told)(const char *path);
	struct sigaction before;
	size_t page_size;
} catcher;

static const struct mapped *find(uintptr_t addr)
{
	const struct mapped *m;

	for (m = atomic_load(&all); m; m = m->next)
		if (addr >= atomic_load(&m->start) && addr < atomic_load(&m->end))
			return m;
	return NULL;
}

/* Not one of our maps: do what the previous handler would do */
static void pass_on(int sig, siginfo_t *info, void *context)
{
	const struct sigaction *before = &catcher.before;

	if (before->sa_flags & SA_SIGINFO)
		before->sa_sigaction(sig, info, context);
	else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN)
		before->sa_handler(sig);
	else
		signal(sig, SIG_DFL);	/* the fault repeats and ends the process */
}

static void on_sigbus(int sig, siginfo_t *info, void *context)
{
	uintptr_t addr = (uintptr_t)info->si_addr;
	const struct mapped *m = info->si_code == BUS_ADRERR ? find(addr) : NULL;
	int saved = errno;

	if (m && catcher.told)
		catcher.told(m->path);
	if (!m || mmap((void *)(addr & ~(catcher.page_size - 1)), catcher.page_size, PROT_READ,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		pass_on(sig, info, context);
	errno = saved;
}

int kt_file_catch_cuts(void (*told)(const char *path))
{
	struct sigaction act = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO }, now;

	catcher.told = told;
	catcher.page_size = (size_t)sysconf(_SC_PAGESIZE);
	sigemptyset(&act.sa_mask);
	if (sigaction(SIGBUS, NULL, &now) < 0)
		return -errno;
	if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_sigbus)
		return 0;
	catcher.before = now;
	return sigaction(SIGBUS, &act, NULL) < 0 ? -errno : 0;
}

/* Claims a free entry through its @end, which is ignored while @start is 0. */
static struct mapped *take_free(void)
{
	struct mapped *m;
	uintptr_t none;

	for (m = atomic_load(&all); m; m = m->next) {
		none = 0;
		if (atomic_compare_exchange_strong(&m->end, &none, 1))
			return m;
	}
	m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	atomic_store(&m->end, 1);
	m->next = atomic_load(&all);
	while (!atomic_compare_exchange_weak(&all, &m->next, m))
		;
	return m;
}

struct mapped *file_note_map(const void *map, uint64_t size, const char *path)
{
	struct mapped *m = take_free();

	if (!m)
		return NULL;
	m->path = path;
	atomic_store(&m->start, (uintptr_t)map);
	atomic_store(&m->end, (uintptr_t)map + size);
	return m;
}

void file_forget_map(struct mapped *m)
{
	if (!m)
		return;
	atomic_store(&m->start, UINTPTR_MAX);
	m->path = NULL;
	atomic_store(&m->end, 0);
}
