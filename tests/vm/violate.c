/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * violate.c - steps, every third of which breaks a limit: violate KIND TARGET COUNT PAUSE_US …
 *
 * KIND is name, sleep, call (sched_yield(), if the step breaks the limit), or file, which writes to
 * TARGET. Each COUNT is a number of steps, each after the pause that follows it. A step renames the
 * process, "bad-7" or "fine-8", then does what KIND says. The program prints its pid, and a line
 * for each step: bad, fine or doubtful, its number, its start and end in µs of CLOCK_MONOTONIC.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define SHORT_US 200			/* of a sleep within the limit */
#define LIMIT_US 5000
#define LONG_US	 6000			/* of a sleep beyond the limit */

static long long now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000ll + t.tv_nsec / 1000;
}

static void sleep_us(long us)
{
	struct timespec t = { us / 1000000, us % 1000000 * 1000 };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

/* Pause with another system call than the measured one */
static void pause_us(long us)
{
	poll(NULL, 0, (int)(us / 1000));
}

static void append(const char *path, const char *name)
{
	char line[64];
	int fd = open(path, O_WRONLY | O_APPEND), len = snprintf(line, sizeof(line), "%s\n", name);

	if (fd < 0 || write(fd, line, (size_t)len) != len) {
		perror(path);
		exit(1);
	}
	close(fd);
}

static void act(const char *kind, const char *target, const char *name, int bad)
{
	if (strcmp(kind, "sleep") == 0)
		sleep_us(bad ? LONG_US : SHORT_US);
	else if (strcmp(kind, "file") == 0)
		append(target, name);
	else if (strcmp(kind, "call") == 0 && bad)
		sched_yield();
}

/* A sleep that was longer than it should be may or may not break the limit. */
static void step(const char *kind, const char *target, int number)
{
	int bad = number % 3 == 0;
	const char *what = bad ? "bad" : "fine";
	long long from, until;
	char name[16];

	snprintf(name, sizeof(name), "%s-%d", what, number);
	from = now_us();
	prctl(PR_SET_NAME, name);
	act(kind, target, name, bad);
	until = now_us() + 1;
	if (!bad && strcmp(kind, "sleep") == 0 && until - from >= LIMIT_US)
		what = "doubtful";
	printf("%s %d %lld %lld\n", what, number, from, until);
}

int main(int argc, char **argv)
{
	int number = 0, i, arg;

	printf("pid %d\n", getpid());
	for (arg = 3; arg + 1 < argc; arg += 2)
		for (i = 0; i < atoi(argv[arg]); i++) {
			pause_us(atol(argv[arg + 1]));
			step(argv[1], argv[2], ++number);
		}
	return 0;
}
