/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cause.c - what a capture is about, as text */
#include "cause.h"

#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "moment.h"

void cause_add(struct str *s, const struct kt_cause *cause)
{
	str_add_escaped(s, cause->text, strlen(cause->text));
	str_add(s, " at ");
	moment_add(s, cause->at);
	if (cause->cpu >= 0)
		str_addf(s, ", CPU %d", cause->cpu);
}

void cause_add_lines(struct str *s, const struct kt_file *file)
{
	struct kt_capture_note note;
	size_t i;

	if (kt_capture_read_note(file, &note) < 0)
		return;
	for (i = 0; i < note.nr; i++) {
		str_add(s, "cause: ");
		cause_add(s, &note.causes[i]);
		str_addc(s, '\n');
	}
	if (note.nr_more)
		str_addf(s, "cause: %" PRIu64 " more\n", note.nr_more);
}
