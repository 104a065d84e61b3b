/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recover.c - remove the remains of killed captures before the next one begins */
#include <string.h>

#include <ktrail/tracefs.h>

#include "base/str.h"
#include "capture.h"

/* "/usr/bin/ktrail capture -e sched …" */
static bool is_of_capture(const struct kt_journal *j)
{
	const char *blank = j->command ? strchr(j->command, ' ') : NULL;

	return blank && str_starts(blank, " capture ");
}

/*
 * The buffers would still cost time, and their names are needed. A setting that cannot be
 * restored stays in its journal.
 */
void capture_recover(const struct capture_args *a)
{
	struct kt_journals js = { 0 };
	struct kt_err err = { 0 };
	pid_t last = 0;
	size_t i;

	kt_journal_pending(&js, NULL);
	for (i = js.nr; i-- > 0;) {
		const struct kt_journal *j = &js.journals[i];

		if (!is_of_capture(j))
			continue;
		if (kt_journal_restore(j, &err) < 0)
			capture_tell(a, "a killed capture (pid %d): %s", (int)j->pid, err.msg);
		else if (j->pid != last)
			capture_tell(a, "what a killed capture (pid %d) had set is restored",
				     (int)j->pid);
		kt_err_clear(&err);
		last = j->pid;
	}
	kt_journals_fini(&js);
}
