/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sigbus.c - report that another process has truncated a mapped file
 *
 * The library reads what it can and maps the rest: an access to bytes that no
 * longer exist raises SIGBUS. The program then completes its lines of output and
 * prints one line, instead of a core dump. (If it mapped zeros and continued, it
 * would print records that it had found before with zeros as their content.) All
 * calls here are safe in a signal handler.
 */
#include "sigbus.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/file.h>

#include "base/escape.h"
#include "cmd/cmd.h"

static char start_of_line[64];		/* "ktrail report: " */
static atomic_bool writing, ending;

static void say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		_exit(1);
}

static void on_cut(const char *name)
{
	char path[1024];

	if (atomic_exchange(&ending, true))	/* another thread met it, too */
		for (;;)
			pause();
	kt_escape(path, sizeof(path), name, strlen(name));
	say(start_of_line);
	say(path);
	say(" was truncated while it was read\n");
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
	snprintf(start_of_line, sizeof(start_of_line), "%s %s: ", cmd_program, command);
	kt_file_catch_cuts(on_cut);
}
