/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scan.c - find missing information of a file in its records, and count them */
#include <string.h>

#include "base/moment.h"
#include "info.h"

#define RECORDS_MAX 50000000		/* records to examine: some seconds */

int info_scan_begin(struct info_scan *s, struct kt_model *m, struct kt_err *err)
{
	s->reader = kt_reader_create(kt_model_trace(m), kt_model_index(m), err);
	return s->reader ? 0 : err->code;
}

void info_scan_end(struct info_scan *s)
{
	kt_reader_destroy(s->reader);
	info_counts_fini(&s->counts);
	keymap_fini(&s->names.seen);
	keymap_fini(&s->formats.seen);
}

static void note(struct info_missing *m, uint64_t number)
{
	m->nr_events++;
	if (keymap_get(&m->seen, number) != KEYMAP_NONE)
		return;
	if (m->seen.nr < INFO_SOME)
		m->some[m->seen.nr] = number;
	keymap_put(&m->seen, number, 1);
}

/* Most events are of the same task as the one before: check that first. */
static bool is_named(struct info_scan *s, struct kt_trace *t, size_t file, int pid)
{
	if (pid == s->named_pid && file == s->named_file)
		return true;
	if (strcmp(kt_trace_comm_known(t, file, pid), "<...>") == 0)
		return false;
	s->named_pid = pid;
	s->named_file = file;
	return true;
}

static void look_at(struct info_scan *s, struct kt_trace *t, const struct kt_record *rec)
{
	static const char *const with_addresses[] = {
		"function", "funcgraph_entry", "kernel_stack", "fgraph_retaddr_entry",
	};
	const struct kt_event *ev = kt_trace_event(t, rec);
	size_t file = kt_stream_source(kt_trace_stream(t), rec->source)->file_index, i;
	int pid;

	if (!ev) {
		note(&s->formats, rec->type);
		return;
	}
	pid = kt_record_pid(ev->events, rec);
	if (pid > 0 && !is_named(s, t, file, pid))
		note(&s->names, (uint64_t)pid);
	info_count(&s->counts, ev);
	for (i = 0; i < sizeof(with_addresses) / sizeof(with_addresses[0]) && !s->uses_symbols; i++)
		s->uses_symbols = strcmp(ev->system, "ftrace") == 0 &&
				  strcmp(ev->name, with_addresses[i]) == 0;
}

bool info_scan_work(struct info_scan *s, struct kt_model *m, unsigned int budget_ms)
{
	uint64_t until = moment_ms() + budget_ms;
	struct kt_record rec;

	/* A name that is learned later is not missing. */
	if (!s->done && kt_model_work(m, budget_ms))
		return true;
	while (!s->done) {
		if (s->nr == RECORDS_MAX || kt_reader_next(s->reader, &rec, NULL) <= 0) {
			s->whole = s->nr < RECORDS_MAX;
			s->done = true;
			break;
		}
		look_at(s, kt_model_trace(m), &rec);
		if (++s->nr % 256 == 0 && moment_ms() > until)
			return true;
	}
	return false;
}
