/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refuse.c - make system calls fail for a test: LD_PRELOAD=refuse.so
 *
 * KT_REFUSE="CALL:PATH:ERROR[:WHICH] …": CALL fails with ERROR if PATH, a glob in which * matches
 * slashes, too, matches the named file or the file of the descriptor. For calls without a file,
 * PATH is empty. WHICH selects matching calls of this process, counted from 1 ("3", "2-");
 * without it, all fail.
 *
 *	KT_REFUSE="write:*\/current_tracer:EBUSY fork::EAGAIN:1"
 *
 * ERROR 0: the call does nothing and returns 0 (the end of a file, a write of nothing).
 * KT_CLOCK=FACTOR: CLOCK_MONOTONIC runs faster by this factor.
 * KT_REFUSE_LOG=FILE gets a line for each refused call.
 */
#undef _FILE_OFFSET_BITS	/* keep open and open64 apart */
#undef _FORTIFY_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define MAX_RULES 16

static struct rule {
	char call[16], glob[128];
	int error;
	unsigned int from, to, seen;
} rules[MAX_RULES];
static unsigned int nr_rules;

static int error_of(const char *name)
{
	static const struct { const char *name; int error; } names[] = {
		{ "0", 0 }, { "EACCES", EACCES }, { "EAGAIN", EAGAIN }, { "EBADF", EBADF },
		{ "EBUSY", EBUSY }, { "EEXIST", EEXIST }, { "EINTR", EINTR }, { "EINVAL", EINVAL },
		{ "EIO", EIO }, { "EMFILE", EMFILE }, { "ENODEV", ENODEV }, { "ENOENT", ENOENT },
		{ "ENOEXEC", ENOEXEC }, { "ENOMEM", ENOMEM }, { "ENOSPC", ENOSPC },
		{ "ENOSYS", ENOSYS }, { "EOPNOTSUPP", EOPNOTSUPP }, { "EPERM", EPERM },
		{ "EPIPE", EPIPE }, { "EROFS", EROFS }, { "EXDEV", EXDEV },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i].name, name) == 0)
			return names[i].error;
	fprintf(stderr, "refuse.so: no error '%s'\n", name);
	abort();
}

/* "CALL:PATH:ERROR[:WHICH]" */
static void add_rule(char *word)
{
	struct rule *r = &rules[nr_rules++];
	char *call = strsep(&word, ":"), *glob = strsep(&word, ":"), *error = strsep(&word, ":");

	if (!error || nr_rules == MAX_RULES) {
		fprintf(stderr, "refuse.so: CALL:PATH:ERROR is expected, at most %d times\n", MAX_RULES - 1);
		abort();
	}
	snprintf(r->call, sizeof(r->call), "%s", call);
	snprintf(r->glob, sizeof(r->glob), "%s", glob);
	r->error = error_of(error);
	r->from = word ? strtoul(word, &word, 10) : 1;
	r->to = word && !*word ? r->from : ~0u;
}

static void __attribute__((constructor)) read_rules(void)
{
	const char *wish = getenv("KT_REFUSE");
	char *copy = wish ? strdup(wish) : NULL, *rest = copy, *word;

	while ((word = strsep(&rest, " ")))
		if (*word)
			add_rule(word);
	free(copy);
}

static void tell(const char *call, const char *path)
{
	const char *log = getenv("KT_REFUSE_LOG");
	int fd = log ? openat(AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;

	if (fd < 0)
		return;
	dprintf(fd, "%s %s\n", call, path);
	close(fd);
}

/* Must the call fail? Sets errno and *@error */
static bool refused(const char *call, const char *path, int *error)
{
	static __thread bool inside;
	bool hit = false;
	unsigned int i;

	for (i = 0; i < nr_rules && !hit && !inside; i++) {
		struct rule *r = &rules[i];

		if (strcmp(r->call, call) != 0 || fnmatch(r->glob, path, 0) != 0)
			continue;
		r->seen++;
		hit = r->seen >= r->from && r->seen <= r->to;
		*error = r->error;
	}
	if (hit) {
		inside = true;
		tell(call, path);
		inside = false;
		errno = *error;
	}
	return hit;
}

static bool refused_fd(const char *call, int fd, int *error)
{
	char link[32], path[4096];
	ssize_t len;
	int before = errno;

	if (!nr_rules)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	path[len < 0 ? 0 : len] = '\0';
	errno = before;
	return refused(call, path, error);
}

/* The original function */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define REFUSE(type, name, is_refused, failed, params, args) \
	type name params \
	{ \
		int error = 0; \
		if (is_refused) \
			return error ? (failed) : (type)0; \
		return REAL(name) args; \
	}
#define BY_PATH(type, name, call, params, args) \
	REFUSE(type, name, refused(call, path, &error), (type)-1, params, args)
#define BY_FD(type, name, call, params, args) \
	REFUSE(type, name, refused_fd(call, fd, &error), (type)-1, params, args)
#define BY_NAME(type, name, params, args) \
	REFUSE(type, name, refused(#name, "", &error), (type)-1, params, args)
#define NULL_BY_PATH(type, name, params, args) \
	REFUSE(type, name, refused("open", path, &error), (type)0, params, args)

/* There is a mode only if a file is created */
#define OPEN(name, params, args) \
	int name params \
	{ \
		int error = 0; \
		mode_t mode = 0; \
		va_list ap; \
		va_start(ap, flags); \
		if (flags & (O_CREAT | O_TMPFILE)) \
			mode = va_arg(ap, mode_t); \
		va_end(ap); \
		return refused("open", path, &error) ? -1 : REAL(name) args; \
	}

OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int dir, const char *path, int flags, ...), (dir, path, flags, mode))
OPEN(openat64, (int dir, const char *path, int flags, ...), (dir, path, flags, mode))
NULL_BY_PATH(FILE *, fopen, (const char *path, const char *mode), (path, mode))
NULL_BY_PATH(FILE *, fopen64, (const char *path, const char *mode), (path, mode))
NULL_BY_PATH(DIR *, opendir, (const char *path), (path))

BY_PATH(int, access, "access", (const char *path, int how), (path, how))
BY_PATH(int, mkdir, "mkdir", (const char *path, mode_t mode), (path, mode))
BY_PATH(int, rmdir, "rmdir", (const char *path), (path))
BY_PATH(int, unlink, "unlink", (const char *path), (path))
BY_PATH(int, rename, "rename", (const char *from, const char *path), (from, path))
BY_PATH(int, truncate, "truncate", (const char *path, off_t len), (path, len))
BY_PATH(int, truncate64, "truncate", (const char *path, off64_t len), (path, len))
BY_PATH(int, mkstemp, "mkstemp", (char *path), (path))
BY_PATH(int, mkstemp64, "mkstemp", (char *path), (path))
BY_PATH(int, mount, "mount", (const char *what, const char *path, const char *type,
			     unsigned long flags, const void *data),
			     (what, path, type, flags, data))

BY_FD(ssize_t, read, "read", (int fd, void *buf, size_t len), (fd, buf, len))
BY_FD(ssize_t, write, "write", (int fd, const void *buf, size_t len), (fd, buf, len))
BY_FD(ssize_t, readv, "read", (int fd, const struct iovec *iov, int nr), (fd, iov, nr))
BY_FD(ssize_t, pread, "pread", (int fd, void *buf, size_t len, off_t at), (fd, buf, len, at))
BY_FD(ssize_t, pread64, "pread", (int fd, void *buf, size_t len, off64_t at), (fd, buf, len, at))
BY_FD(ssize_t, pwrite, "pwrite", (int fd, const void *buf, size_t len, off_t at), (fd, buf, len, at))
BY_FD(ssize_t, pwrite64, "pwrite", (int fd, const void *buf, size_t len, off64_t at),
      (fd, buf, len, at))
BY_FD(int, ftruncate, "ftruncate", (int fd, off_t len), (fd, len))
BY_FD(int, ftruncate64, "ftruncate", (int fd, off64_t len), (fd, len))
BY_FD(int, fstat, "fstat", (int fd, struct stat *st), (fd, st))
BY_FD(int, fstat64, "fstat", (int fd, struct stat64 *st), (fd, st))
BY_FD(int, fchmod, "fchmod", (int fd, mode_t mode), (fd, mode))
BY_FD(int, flock, "flock", (int fd, int how), (fd, how))
BY_FD(ssize_t, splice, "splice", (int fd, off64_t *from, int out, off64_t *to, size_t len,
				 unsigned int flags), (fd, from, out, to, len, flags))
BY_FD(ssize_t, copy_file_range, "copy_file_range", (int fd, off64_t *from, int out, off64_t *to,
      size_t len, unsigned int flags), (fd, from, out, to, len, flags))
/* Do not refuse anonymous memory, which threads and allocators need */
REFUSE(void *, mmap, fd >= 0 && refused_fd("mmap", fd, &error), MAP_FAILED,
       (void *at, size_t len, int prot, int flags, int fd, off_t from),
       (at, len, prot, flags, fd, from))
REFUSE(void *, mmap64, fd >= 0 && refused_fd("mmap", fd, &error), MAP_FAILED,
       (void *at, size_t len, int prot, int flags, int fd, off64_t from),
       (at, len, prot, flags, fd, from))

BY_NAME(pid_t, fork, (void), ())
BY_NAME(int, pipe, (int fd[2]), (fd))
BY_NAME(int, pipe2, (int fd[2], int flags), (fd, flags))
BY_NAME(int, eventfd, (unsigned int value, int flags), (value, flags))
BY_NAME(int, poll, (struct pollfd *fds, nfds_t nr, int timeout), (fds, nr, timeout))
BY_NAME(int, signalfd, (int fd, const sigset_t *set, int flags), (fd, set, flags))
BY_NAME(int, setuid, (uid_t uid), (uid))
BY_NAME(int, uname, (struct utsname *u), (u))
/* By name, for the calls listed here: the numbers differ between machines */
long syscall(long nr, ...)
{
	long arg[6];
	va_list ap;
	int error = 0;
	size_t i;

	va_start(ap, nr);
	for (i = 0; i < 6; i++)
		arg[i] = va_arg(ap, long);
	va_end(ap);
	if (refused("syscall", nr == SYS_perf_event_open ? "perf_event_open" :
			       nr == SYS_pidfd_open ? "pidfd_open" : "", &error))
		return error ? -1 : 0;
	return REAL(syscall)(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

/* Functions for threads return their error */
REFUSE(int, pthread_create, refused("pthread_create", "", &error), error,
       (pthread_t *id, const pthread_attr_t *attr, void *(*run)(void *), void *arg),
       (id, attr, run, arg))

int clock_gettime(clockid_t id, struct timespec *t)
{
	const char *factor = getenv("KT_CLOCK");
	int ret = REAL(clock_gettime)(id, t);
	unsigned long long ns;

	if (ret < 0 || !factor || id != CLOCK_MONOTONIC)
		return ret;
	ns = (t->tv_sec * 1000000000ull + t->tv_nsec) * strtoull(factor, NULL, 10);
	*t = (struct timespec){ ns / 1000000000, ns % 1000000000 };
	return 0;
}
