/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.c - how far something is that takes more than a second, on a terminal */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/units.h"
#include "cmd.h"

#define FIRST_NS 1000000000
#define AGAIN_NS 200000000

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void progress_begin(struct progress *p, const char *what)
{
	*p = (struct progress){ .what = what, .begun_ns = now_ns(), .on = isatty(STDERR_FILENO) };
	p->told_ns = p->begun_ns + FIRST_NS - AGAIN_NS;
}

/* What is left at the pace so far; nothing for the first percent, which says little */
static void tell_left(int64_t since_ns, uint64_t done, uint64_t total)
{
	double left_s = (double)since_ns / 1e9 / (double)done * (double)(total - done);

	if (done > total / 100)
		fprintf(stderr, ", %.0f s left", left_s);
}

static const char *format_amount(const struct progress *p, uint64_t amount, char text[64])
{
	if (!p->unit)
		return units_format_size(amount, text);
	snprintf(text, 64, "%" PRIu64 " %s", amount, p->unit);
	return text;
}

void progress_tell(struct progress *p, uint64_t done, uint64_t total)
{
	int64_t now;
	char size[64];

	if (!p->on)
		return;
	now = now_ns();
	if (now - p->told_ns < AGAIN_NS)
		return;
	p->told_ns = now;
	p->shown = true;
	fprintf(stderr, "\r%s %s: ", cmd_program, p->what);
	if (total && done <= total) {
		fprintf(stderr, "%.0f %% of %s", 100.0 * (double)done / (double)total,
			format_amount(p, total, size));
		tell_left(now - p->begun_ns, done, total);
	} else {
		fprintf(stderr, "%s", format_amount(p, done, size));
	}
	fprintf(stderr, "\033[K");
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
}

void progress_of_copy(struct kt_copy *copy, void *data)
{
	progress_tell(data, copy->done, copy->total);
}

bool progress_of_pass(void *data, uint64_t done, uint64_t total)
{
	progress_tell(data, done, total);
	return true;
}
