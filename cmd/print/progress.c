/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.c - the progress of operations that take more than a second, on a terminal */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/moment.h"
#include "base/units.h"
#include "cmd/cmd.h"

#define FIRST_NS 1000000000
#define AGAIN_NS 200000000

void progress_begin(struct progress *p, const char *what)
{
	*p = (struct progress){ .what = what, .begun_ns = moment_ns(),
			       .on = isatty(STDERR_FILENO) };
	p->told_ns = p->begun_ns + FIRST_NS - AGAIN_NS;
}

/* The remaining time at the current pace; none during the first percent, which is too uncertain */
static void tell_left(uint64_t since_ns, uint64_t done, uint64_t total)
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
	uint64_t now;
	char size[64];

	if (!p->on)
		return;
	now = moment_ns();
	if (now < p->told_ns + AGAIN_NS)
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
