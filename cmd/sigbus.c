/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sigbus.c - what to say when a mapped file is cut by somebody else
 *
 * The library reads what it can and maps the rest, where bytes that are gone
 * mean SIGBUS. What to do then is the program's decision: a line, instead of a
 * core, behind whole lines of output. (Zeros in place of what is gone would let
 * the report go on, and print records that were found before as if they were of
 * zeros.) Only calls that are safe in a signal handler.
 */
#include "sigbus.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "cmd.h"

static char start_of_line[64];		/* "ktrail report: " */
static atomic_bool writing, ending;

static uint64_t parse_hex(const char **p)
{
	uint64_t v = 0;
	char c;

	for (; (c = **p) && strchr("0123456789abcdef", c); (*p)++)
		v = v << 4 | (c <= '9' ? c - '0' : c - 'a' + 10);
	return v;
}

/* "7f0000000000-7f0000001000 r--p 00000000 fe:00 42   /tmp/trace.dat": its path, if @addr is in it */
static const char *path_if(const char *line, uint64_t addr)
{
	uint64_t from = parse_hex(&line), to;

	line += *line == '-';
	to = parse_hex(&line);
	return addr >= from && addr < to ? strchr(line, '/') : NULL;
}

/* The file that is mapped at @addr, in @line; NULL if that cannot be told */
static const char *mapped_at(uint64_t addr, char *line, size_t size)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	const char *path = NULL;
	size_t len = 0;
	char c;

	while (fd >= 0 && !path && read(fd, &c, 1) == 1) {
		if (c != '\n') {
			line[len] = c;
			len += len < size - 1;
			continue;
		}
		line[len] = '\0';
		path = path_if(line, addr);
		len = 0;
	}
	if (fd >= 0)
		close(fd);
	return path;
}

static void say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		_exit(1);
}

static void on_sigbus(int sig, siginfo_t *info, void *context)
{
	char line[512], path[1024];
	const char *found;

	(void)context;
	if (info->si_code != BUS_ADRERR) {	/* a mistake of ours: happens again, and ends us */
		signal(sig, SIG_DFL);
		return;
	}
	if (atomic_exchange(&ending, true))	/* another thread met it, too */
		for (;;)
			pause();
	found = mapped_at((uintptr_t)info->si_addr, line, sizeof(line));
	if (found)
		kt_escape(path, sizeof(path), found, strlen(found));
	say(start_of_line);
	say(found ? path : "a file");
	say(" was cut by somebody else while it was read\n");
	while (atomic_load(&writing))
		usleep(1000);
	_exit(1);
}

void sigbus_begin_write(void)
{
	atomic_store(&writing, true);
	if (!atomic_load(&ending))
		return;
	atomic_store(&writing, false);
	for (;;)
		pause();
}

void sigbus_end_write(void)
{
	atomic_store(&writing, false);
}

void sigbus_explain(const char *command)
{
	struct sigaction act = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO };

	snprintf(start_of_line, sizeof(start_of_line), "%s %s: ", cmd_program, command);
	sigemptyset(&act.sa_mask);
	sigaction(SIGBUS, &act, NULL);
}
