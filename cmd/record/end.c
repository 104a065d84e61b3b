/* SPDX-License-Identifier: GPL-2.0-or-later */
/* end.c - the summary of a recording, in words */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "cmd/args/dropin.h"
#include "cmd/print/safe.h"
#include "cmd/style.h"
#include "record.h"

/* The CPUs that lost events, in the format of trace-cmd, which names each buffer */
static void tell_cpus(const struct kt_rec *rec, bool quiet)
{
	const char *buffer = "";
	struct kt_rec_cpu c;
	size_t i;

	for (i = 0; kt_rec_cpu(rec, i, &c); i++) {
		bool lost = c.lost || c.commit_overrun;

		if (strcmp(buffer, c.buffer) != 0 && (lost || (cmd_style->old_reports && !quiet))) {
			printf("\nBuffer: %s\n\n", c.buffer);
			buffer = c.buffer;
		}
		if (!lost)
			continue;
		printf("CPU %d: %" PRIu64 " events lost", c.cpu, c.lost);
		if (c.commit_overrun)
			printf(", %" PRIu64 " events lost due to commit overrun", c.commit_overrun);
		printf("\n");
	}
	fflush(stdout);
}

/* "12 events of all processes in 1.0 s, " */
static void tell_events(const struct kt_rec_stats *s, const struct record_told *t)
{
	char ns[32];

	if (!s->events && s->raw_bytes)
		return;		/* a text or a snapshot, whose events were not counted */
	fprintf(stderr, "%s%" PRIu64 " event%s%s", t->last_only ? "the last of " : "", s->events,
		s->events == 1 ? "" : "s", t->whole ? " of all processes" : "");
	if (t->ns)
		fprintf(stderr, " in %s", units_format_time(t->ns, ns));
	fprintf(stderr, ", ");
}

static void tell_command(const char *command, const char *output)
{
	fprintf(stderr, "%s %s", cmd_program, command);
	if (strcmp(output, "trace.dat") != 0) {
		fputc(' ', stderr);
		safe_put_to(stderr, output);
	}
}

static void tell_next(const struct record_told *t)
{
	fprintf(stderr, "next: ");
	if (isatty(STDERR_FILENO)) {
		tell_command("view", t->output);
		fprintf(stderr, " or ");
	}
	tell_command("report", t->output);
	fprintf(stderr, "%s\n",
		t->whole ? "; -F COMMAND or -P PID records only some processes" : "");
}

void record_tell_end(struct kt_rec *rec, const struct record_told *t)
{
	struct kt_rec_stats s;
	char raw[32], file[32];

	if (kt_rec_stats(rec, &s, NULL) < 0)
		return;
	tell_cpus(rec, t->quiet);
	if (cmd_style->old_reports && !t->quiet) {
		dropin_tell_file(t->output);
	} else if (!t->quiet || s.lost + s.dropped) {
		safe_put_to(stderr, t->output);
		fprintf(stderr, ": ");
		tell_events(&s, t);
		fprintf(stderr, "%s raw, %s stored, %" PRIu64 " events lost\n",
			units_format_size(s.raw_bytes, raw), units_format_size(s.file_bytes, file),
			s.lost + s.dropped);
	}
	if (cmd_style->advises && !t->quiet && !t->no_next)
		tell_next(t);
}

void record_tell_kept(const struct kt_rec *rec)
{
	if (!kt_rec_kept(rec))
		return;
	fprintf(stderr, "the former file is kept as ");
	safe_put_to(stderr, kt_rec_kept(rec));
	fputc('\n', stderr);
}
