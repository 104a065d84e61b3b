/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen.c - how long a person waits for the viewer, on a terminal of 100x30
 *
 * screen KTRAIL FILE: the first screen, the slowest of many keys, a jump to the middle, a search
 * through all lines, the slowest keys of the timeline and of the latencies while these read the
 * trace, and the memory that all this took
 */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define QUIET_MS 60			/* without output: the screen is drawn */

static int terminal;
static char seen[1 << 16];		/* the last bytes written to it */
static size_t nr_seen;

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Wait up to @ms for some output. False: there was none */
static bool take(int ms)
{
	struct pollfd p = { terminal, POLLIN, 0 };
	ssize_t nr;

	if (poll(&p, 1, ms) <= 0)
		return false;
	if (nr_seen > sizeof(seen) / 2) {
		memmove(seen, seen + nr_seen / 2, nr_seen - nr_seen / 2);
		nr_seen -= nr_seen / 2;
	}
	nr = read(terminal, seen + nr_seen, sizeof(seen) - 1 - nr_seen);
	if (nr <= 0)
		return false;
	nr_seen += (size_t)nr;
	seen[nr_seen] = 0;
	return true;
}

/* Wait until @text is written: the time since @from, or -1 after two minutes */
static double wait_for(const char *text, double from)
{
	while (now_ms() - from < 120000) {
		if (memmem(seen, nr_seen, text, strlen(text)))
			return now_ms() - from;
		take(100);
	}
	return -1;
}

/* Type @keys: the time until their last output */
static double type(const char *keys)
{
	double from, last;

	while (take(QUIET_MS))
		;
	nr_seen = 0;
	from = last = now_ms();
	if (write(terminal, keys, strlen(keys)) < 0)
		exit(1);
	while (take(QUIET_MS))
		last = now_ms();
	return last - from;
}

/* Time each key until the whole screen is sent again, which Ctrl-L after the key requests */
static double slowest_key(const char *keys, int times)
{
	double took, worst = 0;
	char typed[2] = "?\f";

	for (; times > 0; times--)
		for (const char *key = keys; *key; key++) {
			while (take(5))
				;
			nr_seen = 0;
			typed[0] = *key;
			if (write(terminal, typed, 2) != 2)
				exit(1);
			took = wait_for("\033[2J", now_ms());
			if (took > worst || took < 0)
				worst = took;
			if (getenv("KT_BENCH_KEYS"))
				fprintf(stderr, "%c %.0f ms\n", *key, took);
		}
	return worst;
}

int main(int argc, char **argv)
{
	const struct winsize size = { .ws_row = 30, .ws_col = 100 };
	struct rusage usage;
	double from, first, busy, keys, jump, search, timeline, latency;
	pid_t pid;

	if (argc != 3)
		return 2;
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	from = now_ms();
	pid = forkpty(&terminal, NULL, NULL, &size);
	if (pid == 0) {
		execl(argv[1], argv[1], "view", "--no-session", argv[2], (char *)NULL);
		_exit(127);
	}
	first = wait_for("help", from);
	busy = slowest_key("jjjk  jbbj  jk", 3);
	while (take(300))		/* until the index is there */
		;
	keys = slowest_key("jjjk  jbbj  jk", 3);
	jump = type("@50%\n");
	type("/no such text anywhere");
	from = now_ms();
	nr_seen = 0;
	if (write(terminal, "\n", 1) != 1)
		return 1;
	search = wait_for("no match", from);
	timeline = slowest_key("3+++---0=]=[jkhl.,W++++++++++0", 2);
	latency = slowest_key("4jkxj\niwcjk>>r<", 2);
	type("q");
	close(terminal);
	kill(pid, SIGHUP);
	if (wait4(pid, NULL, 0, &usage) < 0)
		return 1;
	printf("first screen %.0f ms; slowest key %.0f ms, %.0f ms while the index is made; "
	       "middle %.0f ms; full search %.1f s; timeline %.0f ms a key; latencies %.0f ms a key; "
	       "%ld MiB\n",
	       first, keys, busy, jump, search / 1e3, timeline, latency, usage.ru_maxrss >> 10);
	return first < 0 || search < 0;
}
