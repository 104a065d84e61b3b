/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tell.c - messages of a running capture: each file and its cause, and what was not saved */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/str.h"
#include "base/units.h"
#include "capture.h"
#include "cmd/print/cause.h"
#include "cmd/print/safe.h"

/* "8.0 ms of 50.0 ms before, 10.0 ms after" */
static void add_window(struct str *s, const struct kt_capture_note *n)
{
	uint64_t before = n->causes[0].at - n->from;
	char text[32];

	str_add(s, "; ");
	if (n->missing)
		str_addf(s, "%s of ",
			 units_format_time(n->missing < before ? before - n->missing : 0, text));
	str_addf(s, "%s before, ", units_format_time(before, text));
	str_addf(s, "%s after", units_format_time(n->until - n->causes[0].at, text));
}

static void tell(const struct capture_args *a, struct str *s)
{
	if (!s->failed && !a->s.quiet) {
		safe_put_to(stderr, s->buf);
		fputc('\n', stderr);
	}
	str_fini(s);
}

void capture_tell(const struct capture_args *a, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	tell(a, &s);
}

/* "capture-0001.dat: wakeup of a:1 took 812 us at 12.345678, CPU 1; 50 ms before …" */
void capture_tell_saved(void *data, const struct kt_capture_file *f)
{
	const struct kt_capture_note *n = f->note;
	struct capture_args *a = data;
	struct str s = STR_INIT;

	a->nr_saved++;
	str_addf(&s, "%s: ", f->path);
	cause_add(&s, &n->causes[0]);
	if (n->nr + n->nr_more > 1)
		str_addf(&s, ", and %" PRIu64 " more", n->nr + n->nr_more - 1);
	add_window(&s, n);
	str_addf(&s, ", %" PRIu64 " events", f->nr_events);
	if (f->nr_lost)
		str_addf(&s, ", %" PRIu64 " lost", f->nr_lost);
	if (f->nr_removed > 1)
		str_addf(&s, "; removed %" PRIu64 " files, up to %s", f->nr_removed, f->removed);
	else if (f->removed)
		str_addf(&s, "; removed %s", f->removed);
	tell(a, &s);
}

void capture_tell_passed(void *data, const struct kt_cause *cause, enum kt_capture_pass why,
			 const char *text)
{
	struct str s = STR_INIT;

	str_add(&s, "not saved: ");
	cause_add(&s, cause);
	str_addf(&s, ": %s", text);
	if (why != KT_CAPTURE_ALIKE && why != KT_CAPTURE_FAILED)
		str_add(&s, "; the next ones are only counted");
	tell(data, &s);
}

void capture_tell_displaced(void *data, const char *text)
{
	capture_tell(data, "%s", text);
}

void capture_tell_end(const struct capture_args *a, const struct kt_capture *c)
{
	static const char *const words[] = {
		[KT_CAPTURE_LIMITED] = "beyond --at-most",
		[KT_CAPTURE_MISSED] = "at once than can be saved",
		[KT_CAPTURE_ALIKE] = "like earlier ones",
		[KT_CAPTURE_NO_ROOM] = "without room on the disk",
		[KT_CAPTURE_FAILED] = "could not be written",
	};
	struct kt_capture_stats s;
	int i;

	if (a->s.quiet)
		return;
	kt_capture_stats(c, &s);
	fprintf(stderr, "%" PRIu64 " capture%s", s.nr_files, s.nr_files == 1 ? "" : "s");
	for (i = 0; i < KT_CAPTURE_PASSES; i++)
		if (s.nr_passed[i])
			fprintf(stderr, "; %" PRIu64 " more %s", s.nr_passed[i], words[i]);
	if (s.nr_unread)
		fprintf(stderr, "; %" PRIu64 " events of the conditions were lost", s.nr_unread);
	fputc('\n', stderr);
}

int capture_explain(const struct kt_when *when)
{
	struct kt_when_atom atom;
	size_t i;

	for (i = 0; kt_when_atom(when, i, &atom); i++) {
		safe_put(atom.text);
		printf("\n    %s: %s\n", kt_when_place_name(atom.place), atom.why);
	}
	return 0;
}

