/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map.c - `ktrail sched map`: which task each CPU had, a column for each CPU */
#include <stdlib.h>

#include "base/keymap.h"
#include "base/str.h"
#include "cmd/print/moment.h"
#include "sched.h"

/* Short names, "A0" to "zz". When they are used up, the oldest are given to other tasks. */
#define LETTERS 52
#define NAMES   (LETTERS * (LETTERS + 10))

/* States of a CPU, besides the numbers of names */
enum { NOBODY = NAMES, IDLE, OTHER };

struct map {
	struct { size_t file; int pid; } named[NAMES];
	struct keymap name_of;		/* by file and pid; valid only if @named agrees */
	size_t nr_named;		/* including those that lost their name */
	size_t nr_sources;
	uint32_t now[];
};

static struct map *make_map(struct sched_args *a)
{
	size_t nr = kt_stream_nr_sources(kt_trace_stream(a->trace)), i;
	struct map *m = calloc(1, sizeof(*m) + nr * sizeof(m->now[0]));

	if (!m)
		return NULL;
	m->nr_sources = nr;
	for (i = 0; i < nr; i++)
		m->now[i] = NOBODY;
	return m;
}

static void end(void *of_verb)
{
	struct map *m = of_verb;

	if (m)
		keymap_fini(&m->name_of);
	free(m);
}

/* ---- names ---- */

static void add_short(struct str *s, uint32_t name)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
	uint32_t second = name % (LETTERS + 10);

	if (name < NAMES)
		str_addf(s, "%c%c", letters[name / (LETTERS + 10)],
			 second < 10 ? '0' + (int)second : letters[second - 10]);
	else if (name == IDLE)
		str_add(s, ". ");
	else
		str_add(s, name == OTHER ? "- " : "  ");
}

/* KEYMAP_NONE: no memory */
static uint32_t name_of(struct map *m, size_t file, int pid, bool *is_new)
{
	uint64_t key = (uint64_t)file << 32 | (uint32_t)pid;
	uint32_t name = keymap_get(&m->name_of, key);

	*is_new = name == KEYMAP_NONE || m->named[name].pid != pid || m->named[name].file != file;
	if (!*is_new)
		return name;
	name = (uint32_t)(m->nr_named++ % NAMES);
	m->named[name].file = file;
	m->named[name].pid = pid;
	return keymap_put(&m->name_of, key, name) < 0 ? KEYMAP_NONE : name;
}

/* ---- lines ---- */

static bool has_column(const struct sched_args *a, size_t source)
{
	return choose_has_cpu(&a->choose, kt_stream_source(kt_trace_stream(a->trace), source)->cpu);
}

static void add_head(struct sched_args *a, const struct map *m)
{
	size_t i;

	for (i = 0; i < m->nr_sources; i++)
		if (has_column(a, i))
			str_addf(&a->out, " %-3d",
				 kt_stream_source(kt_trace_stream(a->trace), i)->cpu);
	str_addf(&a->out, "%14s\n", "TIME");
}

static void add_line(struct sched_args *a, const struct map *m, const struct kt_sched_event *ev,
		     bool is_new)
{
	size_t i;

	if (!a->lines++)
		add_head(a, m);
	for (i = 0; i < m->nr_sources; i++) {
		if (!has_column(a, i))
			continue;
		str_addc(&a->out, i == ev->source ? '*' : ' ');
		add_short(&a->out, m->now[i]);
		str_addc(&a->out, ' ');
	}
	moment_add_aligned(&a->out, ev->ts, 7);
	if (is_new) {
		str_add(&a->out, "  ");
		add_short(&a->out, m->now[ev->source]);
		str_add(&a->out, " => ");
		sched_add_task(&a->out, a, ev->file, ev->pid);
	}
	str_addc(&a->out, '\n');
}

static void add_json(struct sched_args *a, const struct kt_sched_event *ev)
{
	struct json j = JSON_LINE_INIT;

	j.text = a->out;
	json_open(&j, NULL, '{');
	json_uint(&j, "time", ev->ts);
	json_int(&j, "cpu", ev->cpu);
	sched_json_task(&j, a, ev->file, ev->pid);
	json_int(&j, "prev_pid", ev->other);
	json_close(&j, '}');
	a->out = j.text;
	str_addc(&a->out, '\n');
}

/* Print the lines in which a chosen task comes or goes. */
static int each(void *args, const struct kt_sched_event *ev, struct kt_err *err)
{
	struct sched_args *a = args;
	struct map *m = a->of_verb ? a->of_verb : make_map(a);
	bool is_new = false;
	uint32_t was, now = IDLE;

	a->of_verb = m;
	if (!m)
		return kt_err_no_memory(err);
	if (ev->kind != KT_SCHED_ARRIVED)
		return 0;
	was = m->now[ev->source];
	if (ev->pid != 0)
		now = sched_chooses(a, ev->file, ev->pid) ? name_of(m, ev->file, ev->pid, &is_new)
							  : OTHER;
	if (now == KEYMAP_NONE)
		return kt_err_no_memory(err);
	m->now[ev->source] = now;
	if (now >= NAMES && was >= NAMES && (a->choose.pids || a->choose.comms))
		return 0;
	if (a->json)
		add_json(a, ev);
	else
		add_line(a, m, ev, is_new);
	return sched_write(a, false);
}

const struct sched_verb sched_map = { .each = each, .end = end };
