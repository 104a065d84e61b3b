/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_scene.c - what happens on some CPUs, as a trace, and the reasons that `why` finds in it */
#include "kt_scene.h"

#include <stdlib.h>

#include "base/str.h"
#include "kt_reading.h"
#include "kt_test.h"

#define FIELD(name, offset) \
	"\tfield:unsigned long " name ";\toffset:" offset ";\tsize:8;\tsigned:0;\n"
#define FMT "\nprint fmt: \"x\"\n"

static const struct { int id; const char *system, *format; } formats[] = {
	{ SWITCH, "sched", "name: sched_switch\nID: 20\n" KT_COMMON FIELD("prev_pid", "8")
	  FIELD("prev_state", "16") FIELD("next_pid", "24") FIELD("next_prio", "32") FMT },
	{ WAKEUP, "sched", "name: sched_wakeup\nID: 21\n" KT_COMMON FIELD("pid", "8")
	  FIELD("prio", "16") FIELD("target_cpu", "24") FMT },
	{ WAKING, "sched", "name: sched_waking\nID: 22\n" KT_COMMON FIELD("pid", "8")
	  FIELD("prio", "16") FIELD("target_cpu", "24") FMT },
	{ IRQ_ENTRY, "irq", "name: irq_handler_entry\nID: 23\n" KT_COMMON FIELD("irq", "8") FMT },
	{ IRQ_EXIT, "irq", "name: irq_handler_exit\nID: 24\n" KT_COMMON FIELD("irq", "8")
	  FIELD("ret", "16") FMT },
	{ SOFT_ENTRY, "irq", "name: softirq_entry\nID: 25\n" KT_COMMON FIELD("vec", "8") FMT },
	{ SOFT_EXIT, "irq", "name: softirq_exit\nID: 26\n" KT_COMMON FIELD("vec", "8") FMT },
	{ IDLE, "power", "name: cpu_idle\nID: 27\n" KT_COMMON FIELD("state", "8")
	  FIELD("cpu_id", "16") FMT },
	{ MOVE, "sched", "name: sched_migrate_task\nID: 28\n" KT_COMMON FIELD("pid", "8")
	  FIELD("orig_cpu", "16") FIELD("dest_cpu", "24") FMT },
	{ LOCK_BEGIN, "lock", "name: contention_begin\nID: 29\n" KT_COMMON FIELD("lock_addr", "8")
	  FIELD("flags", "16") FMT },
	{ LOCK_END, "lock", "name: contention_end\nID: 30\n" KT_COMMON FIELD("lock_addr", "8")
	  FIELD("ret", "16") FMT },
	{ INSERT, "block", "name: block_rq_insert\nID: 31\n" KT_COMMON FIELD("dev", "8")
	  FIELD("sector", "16") FIELD("nr_sector", "24") FMT },
	{ ISSUE, "block", "name: block_rq_issue\nID: 32\n" KT_COMMON FIELD("dev", "8")
	  FIELD("sector", "16") FIELD("nr_sector", "24") FMT },
	{ COMPLETE, "block", "name: block_rq_complete\nID: 33\n" KT_COMMON FIELD("dev", "8")
	  FIELD("sector", "16") FIELD("nr_sector", "24") FIELD("error", "32")
	  "\tfield:char rwbs[8];\toffset:40;\tsize:8;\tsigned:0;\n" FMT },
	{ TIMER_START, "timer", "name: hrtimer_start\nID: 34\n" KT_COMMON FIELD("hrtimer", "8")
	  FIELD("function", "16") FIELD("expires", "24") FMT },
	{ EXPIRE, "timer", "name: hrtimer_expire_entry\nID: 35\n" KT_COMMON FIELD("hrtimer", "8")
	  FIELD("now", "16") FIELD("function", "24") FMT },
	{ EXPIRE_EXIT, "timer", "name: hrtimer_expire_exit\nID: 36\n" KT_COMMON
	  FIELD("hrtimer", "8") FMT },
	{ FUTEX, "syscalls", "name: sys_enter_futex\nID: 37\n" KT_COMMON FIELD("__syscall_nr", "8")
	  FIELD("uaddr", "16") FIELD("op", "24") FMT },
	{ FUTEX_EXIT, "syscalls", "name: sys_exit_futex\nID: 38\n" KT_COMMON
	  FIELD("__syscall_nr", "8") FIELD("ret", "16") FMT },
	{ VECTOR, "irq_vectors", "name: local_timer_entry\nID: 39\n" KT_COMMON
	  FIELD("vector", "8") FMT },
	{ VECTOR_EXIT, "irq_vectors", "name: local_timer_exit\nID: 40\n" KT_COMMON
	  FIELD("vector", "8") FMT },
	{ WAKEUP_NEW, "sched", "name: sched_wakeup_new\nID: 41\n" KT_COMMON FIELD("pid", "8")
	  FIELD("prio", "16") FIELD("target_cpu", "24") FMT },
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
			kt_dat_event(d, formats[i].system, formats[i].format);
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

/* The direct parts of a line add up to at most its time; the outermost add up to the interval. */
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
		/* what belongs to a fact shares the time of the line that the fact belongs to */
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

/* As `ktrail why` does it: further back where that tells more */
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
