/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load.c - delays with a known reason: load holder|mutex|pipe-lock|chain|storm|disk …
 *
 * Each word runs a load. It prints a line for each of its tasks, with its number, and one for each
 * window in which something is known to happen: start and end, as seconds of CLOCK_MONOTONIC, which
 * is the clock of a recording with `-C mono`. Times and durations that the load has measured are in
 * ns; NAME-asked is the time at which a sleep should have ended.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <net/if.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ull
#define MS     1000000ull
#define PAGE   4096
#define MIB    (1 << 20)

/* Shared by the tasks of a load */
static int first_pipe[2], second_pipe[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int faults = -1;			/* userfaultfd */
static char *missing;			/* the page that it provides */
static volatile pid_t sleeper;		/* the task that is about to wait; 0: none yet */
static volatile int chained;		/* the third task of a chain waits, the second is next */

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static void print_window(const char *name, uint64_t from, uint64_t until)
{
	printf("%s %llu.%09llu,%llu.%09llu\n", name, from / SECOND, from % SECOND,
	       until / SECOND, until % SECOND);
}

static void print_ns(const char *name, uint64_t ns)
{
	printf("%s %llu\n", name, (unsigned long long)ns);
}

static void must(int bad, const char *what)
{
	if (!bad)
		return;
	fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void nap(uint64_t ns)
{
	struct timespec t = { .tv_nsec = (long)ns };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

static uint64_t own_time(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Sleep, and print the earliest time at which that should have ended, and when it did end */
static void measured_nap(const char *asked, const char *ended, uint64_t ns)
{
	uint64_t from = now();

	nap(ns);
	print_ns(ended, now());
	print_ns(asked, from + ns);
}

/* S or D of /proc/self/task/PID/stat, which has the name in parentheses before it */
static int is_asleep(pid_t pid)
{
	char path[64], text[128] = "", *end;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", pid);
	f = fopen(path, "r");
	must(!f, path);
	end = fgets(text, sizeof(text), f) ? strrchr(text, ')') : NULL;
	fclose(f);
	return end && (end[2] == 'S' || end[2] == 'D');
}

/* Wait until the other task waits, however slow the machine is; with @ns 0, without sleeping */
static void wait_asleep(uint64_t ns)
{
	while (!sleeper || !is_asleep(sleeper))
		if (ns)
			nap(ns);
		else
			sched_yield();
}

/* Use @ns of this task's CPU time */
static void work(uint64_t ns)
{
	uint64_t end = own_time() + ns;

	while (own_time() < end)
		;
}

/* Rename the calling thread, and pin it to @cpu; with @prio, use SCHED_FIFO. */
static void become(const char *name, int cpu, int prio)
{
	struct sched_param param = { .sched_priority = prio };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	pthread_setname_np(pthread_self(), name);
	must(sched_setaffinity(0, sizeof(set), &set), "sched_setaffinity");
	if (prio)
		must(sched_setscheduler(0, SCHED_FIFO, &param), "sched_setscheduler");
	printf("%s %d\n", name, gettid());
}

static void pass_on(const int fds[2])
{
	must(write(fds[1], "x", 1) != 1, "write");
}

static void wait_for(const int fds[2])
{
	char c;

	must(read(fds[0], &c, 1) != 1, "read");
}

/* ---- holder: a real-time task keeps the CPU on which another task was woken ---- */

static void *victim(void *unused)
{
	become("victim", 1, 0);
	sleeper = gettid();
	wait_for(first_pipe);
	pass_on(second_pipe);
	return unused;
}

static void *holder(void *unused)
{
	uint64_t from, woken, own;

	become("holder", 1, 60);
	wait_asleep(MS);
	from = now();
	pass_on(first_pipe);
	woken = now();
	own = own_time();
	while (now() < woken + 5 * MS)
		;
	own = own_time() - own;
	print_ns("held-wall", now() - woken);
	print_ns("held-own", own);
	wait_for(second_pipe);
	print_window("held", from, now());
	return unused;
}

/* ---- mutex: a task sleeps while it holds a mutex that another one wants ---- */

static void *mutex_owner(void *unused)
{
	become("mutex-owner", 0, 0);
	pthread_mutex_lock(&mutex);
	pass_on(first_pipe);
	wait_asleep(0);
	measured_nap("owner-asked", "owner-ended", 20 * MS);
	print_ns("mutex-released", now());
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *mutex_waiter(void *unused)
{
	uint64_t from;

	become("mutex-waiter", 1, 0);
	wait_for(first_pipe);
	from = now();
	sleeper = gettid();
	pthread_mutex_lock(&mutex);
	print_window("mutex-waited", from, now());
	pthread_mutex_unlock(&mutex);
	return unused;
}

/*
 * ---- pipe-lock: a lock of the kernel ----
 * A task writes a missing page to a pipe, so it sleeps with the mutex of the pipe held until the
 * pager provides the page; meanwhile, another task wants to write.
 */

static void *pipe_owner(void *unused)
{
	become("pipe-owner", 0, 0);
	must(write(second_pipe[1], missing, PAGE) != PAGE, "write");
	return unused;
}

static void *pipe_waiter(void *unused)
{
	uint64_t from;

	become("pipe-waiter", 1, 0);
	wait_for(first_pipe);
	from = now();
	sleeper = gettid();
	pass_on(second_pipe);
	print_window("pipe-waited", from, now());
	return unused;
}

static void *pager(void *unused)
{
	static char page[PAGE] __attribute__((aligned(PAGE)));
	struct uffdio_copy copy = { .dst = (uintptr_t)missing, .src = (uintptr_t)page,
				    .len = PAGE };
	struct uffd_msg msg;

	become("pager", 0, 0);
	must(read(faults, &msg, sizeof(msg)) != sizeof(msg), "userfaultfd");
	pass_on(first_pipe);
	wait_asleep(0);
	measured_nap("pager-asked", "pager-ended", 20 * MS);
	print_ns("page-given", now());
	must(ioctl(faults, UFFDIO_COPY, &copy), "UFFDIO_COPY");
	return unused;
}

static void make_missing_page(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	missing = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(missing == MAP_FAILED, "mmap");
	faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	must(faults < 0 || ioctl(faults, UFFDIO_API, &api), "userfaultfd");
	reg.range.start = (uintptr_t)missing;
	reg.range.len = PAGE;
	must(ioctl(faults, UFFDIO_REGISTER, &reg), "UFFDIO_REGISTER");
}

/* ---- chain: a timer wakes a task, which wakes a second one, which wakes a third one ---- */

static void *chain_a(void *unused)
{
	uint64_t own, passes;

	become("chain-a", 0, 0);
	while (!chained)
		sched_yield();
	wait_asleep(0);
	measured_nap("chain-asked", "chain-ended", 50 * MS);
	own = own_time();
	work(4 * MS);
	own = own_time() - own;
	passes = now();
	pass_on(first_pipe);
	print_ns("chain-passed", now());
	print_ns("chain-passes", passes);
	print_ns("chain-a-own", own);
	return unused;
}

static void *chain_b(void *unused)
{
	uint64_t own;

	become("chain-b", 1, 0);
	wait_asleep(0);
	sleeper = gettid();
	chained = 1;
	wait_for(first_pipe);
	own = own_time();
	work(8 * MS);
	print_ns("chain-b-own", own_time() - own);
	print_ns("chain-over", now());
	pass_on(second_pipe);
	return unused;
}

static void *chain_c(void *unused)
{
	uint64_t from;

	become("chain-c", 0, 0);
	from = now();
	sleeper = gettid();
	wait_for(second_pipe);
	print_window("chain-waited", from, now());
	return unused;
}

/* ---- storm: softirqs on the CPU on which a task was woken ---- */

static void *storm_victim(void *unused)
{
	become("storm-victim", 1, 0);
	sleeper = gettid();
	wait_for(first_pipe);
	pass_on(second_pipe);
	return unused;
}

static void *storm(void *unused)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9),
				  .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	uint64_t from;
	int i;

	become("storm", 1, 60);
	must(fd < 0 || ioctl(fd, SIOCSIFFLAGS, &lo), "the interface lo");
	wait_asleep(MS);
	from = now();
	pass_on(first_pipe);
	/* No socket is bound there: the softirq answers each packet with an error. */
	for (i = 0; i < 100; i++)
		sendto(fd, "x", 1, 0, (struct sockaddr *)&to, sizeof(to));
	wait_for(second_pipe);
	print_window("stormed", from, now());
	close(fd);
	return unused;
}

/* ---- disk: a task waits for data that it reads from a device ---- */

static void *reader(void *unused)
{
	int fd = open("/dev/vda", O_RDONLY | O_DIRECT);
	void *to = aligned_alloc(PAGE, MIB);
	uint64_t slowest = 0, from;
	int i;

	become("reader", 1, 0);
	must(fd < 0 || !to, "/dev/vda");
	for (i = 0; i < 16; i++) {
		from = now();
		must(pread(fd, to, MIB, i * MIB) != MIB, "pread");
		slowest = now() - from > slowest ? now() - from : slowest;
	}
	print_ns("read-slowest", slowest);
	free(to);
	close(fd);
	return unused;
}

/* ---- */

static const struct load {
	const char *name;
	void *(*threads[3])(void *);
} loads[] = {
	{ "holder",    { victim, holder } },
	{ "mutex",     { mutex_owner, mutex_waiter } },
	{ "pipe-lock", { pager, pipe_owner, pipe_waiter } },
	{ "chain",     { chain_c, chain_b, chain_a } },
	{ "storm",     { storm_victim, storm } },
	{ "disk",      { reader } },
};

static void run(const struct load *load)
{
	pthread_t threads[3];
	int i, nr;

	sleeper = 0;
	must(pipe(first_pipe) || pipe(second_pipe), "pipe");
	for (nr = 0; nr < 3 && load->threads[nr]; nr++)
		must((errno = pthread_create(&threads[nr], NULL, load->threads[nr], NULL)),
		     "pthread_create");
	for (i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	for (i = 0; i < 2; i++) {
		close(first_pipe[i]);
		close(second_pipe[i]);
	}
}

int main(int argc, char **argv)
{
	size_t k;
	int i;

	make_missing_page();
	for (i = 1; i < argc; i++)
		for (k = 0; k < sizeof(loads) / sizeof(*loads); k++)
			if (strcmp(argv[i], loads[k].name) == 0)
				run(&loads[k]);
	return 0;
}
