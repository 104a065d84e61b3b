/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_scene.c - what happens on some CPUs, as a trace, and the reasons that `why` finds in it */
#include "kt_scene.h"

#include <stdlib.h>

#include "base/str.h"
#include "kt_reading.h"
#include "kt_test.h"

static const struct { int id; const char *system, *name, *fields; } formats[] = {
	{ SWITCH, "sched", "sched_switch", "prev_pid prev_state next_pid next_prio" },
	{ WAKEUP, "sched", "sched_wakeup", "pid prio target_cpu" },
	{ WAKING, "sched", "sched_waking", "pid prio target_cpu" },
	{ IRQ_ENTRY, "irq", "irq_handler_entry", "irq" },
	{ IRQ_EXIT, "irq", "irq_handler_exit", "irq ret" },
	{ SOFT_ENTRY, "irq", "softirq_entry", "vec" },
	{ SOFT_EXIT, "irq", "softirq_exit", "vec" },
	{ IDLE, "power", "cpu_idle", "state cpu_id" },
	{ MOVE, "sched", "sched_migrate_task", "pid orig_cpu dest_cpu" },
	{ LOCK_BEGIN, "lock", "contention_begin", "lock_addr flags" },
	{ LOCK_END, "lock", "contention_end", "lock_addr ret" },
	{ INSERT, "block", "block_rq_insert", "dev sector nr_sector" },
	{ ISSUE, "block", "block_rq_issue", "dev sector nr_sector" },
	{ COMPLETE, "block", "block_rq_complete", "dev sector nr_sector error rwbs:text" },
	{ TIMER_START, "timer", "hrtimer_start", "hrtimer function expires" },
	{ EXPIRE, "timer", "hrtimer_expire_entry", "hrtimer now function" },
	{ EXPIRE_EXIT, "timer", "hrtimer_expire_exit", "hrtimer" },
	{ FUTEX, "syscalls", "sys_enter_futex", "__syscall_nr uaddr op" },
	{ FUTEX_EXIT, "syscalls", "sys_exit_futex", "__syscall_nr ret" },
	{ VECTOR, "irq_vectors", "local_timer_entry", "vector" },
	{ VECTOR_EXIT, "irq_vectors", "local_timer_exit", "vector" },
	{ WAKEUP_NEW, "sched", "sched_wakeup_new", "pid prio target_cpu" },
};

#define NR_FORMATS (sizeof(formats) / sizeof(*formats))

struct happening *put(struct scene *s, int cpu, uint64_t ts, int id, int pid, uint64_t a,
		      uint64_t b, uint64_t c)
{
	assert_in_range(s->nr, 0, sizeof(s->at) / sizeof(*s->at) - 1);
	s->at[s->nr] = (struct happening){ .cpu = cpu, .id = id, .pid = pid, .ts = ts,
					   .values = { a, b, c } };
	return &s->at[s->nr++];
}

void run_next(struct scene *s, int cpu, uint64_t ts, int prev, int state, int next)
{
	put(s, cpu, ts, SWITCH, prev, (uint64_t)prev, (uint64_t)state, (uint64_t)next);
}

void wake(struct scene *s, int cpu, uint64_t ts, int by, int pid, int target)
{
	put(s, cpu, ts, WAKING, by, (uint64_t)pid, 120, (uint64_t)target);
	put(s, cpu, ts, WAKEUP, by, (uint64_t)pid, 120, (uint64_t)target);
}

static struct kt_trace *record_scene(const struct scene *s)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });
	size_t i, k;
	int cpu;

	for (i = 0; i < NR_FORMATS; i++)
		if (!(s->without & WITHOUT(formats[i].id)))
			kt_dat_numbers(d, formats[i].system, formats[i].name, formats[i].id,
				       formats[i].fields);
	kt_dat_buffer(d, "", "local", 4096);
	for (cpu = 0; cpu < 4; cpu++) {
		kt_dat_cpu(d, cpu);
		for (i = 0; i < s->nr; i++) {
			const struct happening *h = &s->at[i];

			if (h->cpu != cpu || s->without & WITHOUT(h->id))
				continue;
			kt_dat_begin(d, (uint16_t)h->id, h->pid);
			kt_dat_flags(d, h->flags, 0);
			for (k = 0; k < 5; k++)
				kt_dat_int(d, 8, h->values[k]);
			kt_dat_end(d, h->ts);
		}
	}
	return kt_dat_trace(d);
}

/* The direct parts of a line add up to at most its time; the outermost lines to the interval. */
static void check_sums(struct kt_why *w, const struct kt_why_opts *o)
{
	const struct kt_why_line *l;
	uint64_t all = 0, limit[64], sum[64];
	unsigned int depth = 0;
	size_t i;

	limit[0] = o->until - o->from;
	sum[0] = 0;
	for (i = 0; (l = kt_why_line(w, i)); i++) {
		assert_in_range(l->depth, 0, depth + 1);
		assert_in_range(l->depth, 0, 60);
		depth = l->depth;
		/* the parts of a fact share the time of the line that the fact belongs to */
		limit[depth + 1] = kt_why_is_part(l->kind) ? l->ns : limit[depth];
		sum[depth + 1] = 0;
		if (!kt_why_is_part(l->kind)) {
			assert_int_equal(l->ns, 0);
			continue;
		}
		sum[depth] += l->ns;
		assert_in_range(sum[depth], 0, limit[depth]);
		all += depth ? 0 : l->ns;
		assert_non_null(kt_why_text(w, i));
	}
	assert_int_equal(all, o->until - o->from);
}

/* As `ktrail why` does it: further back if that explains more */
static struct kt_why *explain(struct kt_trace *t, const struct kt_why_opts *o)
{
	struct kt_err err = { 0 };
	struct kt_why *w = kt_why_create(t, o, &err);
	struct kt_window window;

	CHECK_NO_ERR(&err);
	do {
		window = kt_why_window(w);
		kt_pass_run(t, (struct kt_analysis *[]){ kt_why_analysis(w) }, 1,
			    &(struct kt_pass_opts){ .windows = &window, .nr_windows = 1 }, &err);
		CHECK_NO_ERR(&err);
		check_sums(w, o);
	} while (kt_why_goes_back(w, &err));
	return w;
}

char *scene_explain(const struct scene *scene, const struct kt_why_opts *o)
{
	struct kt_trace *t = record_scene(scene);
	struct kt_why *w = explain(t, o);
	const struct kt_why_line *l;
	struct str s = STR_INIT;
	const char *missing;
	size_t i;

	for (i = 0; (l = kt_why_line(w, i)); i++)
		str_addf(&s, "%u %s %d %s\n", l->depth, kt_why_kind_name(l->kind), (int)l->ns,
			 kt_why_text(w, i));
	for (i = 0; (missing = kt_why_missing(w, i)); i++)
		str_addf(&s, "missing %s\n", missing);
	kt_why_destroy(w);
	kt_trace_destroy(t);
	return str_take(&s);
}

char *scene_summary(const struct scene *scene, const struct kt_why_opts *o)
{
	struct kt_trace *t = record_scene(scene);
	struct kt_why *w = explain(t, o);
	struct str s = STR_INIT;

	str_add(&s, kt_why_summary(w));
	kt_why_destroy(w);
	kt_trace_destroy(t);
	return str_take(&s);
}

void scene_check(const struct scene *s, uint64_t from, uint64_t until, const char *wanted)
{
	char *got = scene_explain(s, &(struct kt_why_opts){ .pid = APP, .from = from,
							    .until = until });

	assert_string_equal(got, wanted);
	free(got);
}
