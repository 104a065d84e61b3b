/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why.c - `ktrail why`: what a task waited for, and which task was the reason */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/latencies.h>
#include <ktrail/span.h>
#include <ktrail/why.h>

#include "base/json.h"
#include "base/str.h"
#include "base/units.h"
#include "cmd.h"
#include "choose.h"
#include "input.h"
#include "json_print.h"
#include "moment.h"
#include "rules.h"
#include "safe.h"

struct why_args {
	struct choose choose;		/* first: for its progress and --time */
	const char *input, *worst;
	int  pid;
	bool has_pid, json;
	uint64_t nth;
};

static int take_pid(void *args, const char *value, struct kt_err *err)
{
	struct why_args *a = args;
	char *end;
	long pid = strtol(value, &end, 10);

	if (end == value || *end || pid <= 0 || pid > INT32_MAX)
		return cmd_misuse(err, "'%s' is not the number of a task", value);
	a->pid = (int)pid;
	a->has_pid = true;
	return 0;
}

static const struct cmd_opt opts[] = {
	OPT_STR ('i', "input", struct why_args, input, "file", "read this, not trace.dat"),
	OPT_STR (0, "worst", struct why_args, worst, "kind",
		 "the longest: wakeup (default), syscall, blocked …"),
	OPT_U64 (0, "nth", struct why_args, nth, "n", "the n-th longest, not the longest"),
	OPT_CALL(0, "pid", take_pid, "pid", "this task …"),
	OPT_CALL(0, "time", choose_take_window, "from,until", "… in this window"),
	OPT_BOOL(0, "json", struct why_args, json, "print JSON"),
	OPT_END
};

/* ---- which interval ---- */

/* Of --pid with --worst: only what that task ends */
struct wanted {
	int pid;
	uint64_t nth;
	struct kt_latency *found;	/* longest first, @nth of them at most */
	size_t nr;
};

static int take_one(void *data, uint64_t key, const struct kt_latency *one)
{
	struct wanted *w = data;
	uint64_t ns = one->until - one->from;
	size_t i = w->nr;

	(void)key;
	if (w->pid >= 0 && one->pid != w->pid)
		return 0;
	while (i && w->found[i - 1].until - w->found[i - 1].from < ns) {
		if (i < w->nth)
			w->found[i] = w->found[i - 1];
		i--;
	}
	if (i < w->nth)
		w->found[i] = *one;
	w->nr += w->nr < w->nth;
	return 0;
}

static int find_kind(const char *name, enum kt_latency_kind *kind, struct kt_err *err)
{
	unsigned int i;

	for (i = 0; i < KT_LATENCY_PAIR; i++)
		if (strcmp(kt_latency_kind_name(i), name) == 0) {
			*kind = i;
			return 0;
		}
	return cmd_misuse(err, "--worst: '%s' is not a kind of latency; `%s latency -k help` lists "
			  "them", name, cmd_program);
}

static int find_worst(struct kt_trace *t, struct why_args *a, struct kt_why_opts *o,
		      struct kt_err *err)
{
	struct wanted w = { .pid = a->has_pid ? a->pid : -1, .nth = a->nth };
	struct kt_latency_opts lo = { .each = take_one, .data = &w };
	struct kt_latency_table *table;
	enum kt_latency_kind kind = KT_LATENCY_WAKEUP;
	int ret = find_kind(a->worst, &kind, err);

	if (ret < 0)
		return ret;
	lo.kinds = 1u << kind;
	w.found = calloc(a->nth, sizeof(*w.found));
	table = w.found ? kt_latency_table_create(t, &lo, err) : NULL;
	if (!table) {
		free(w.found);
		return kt_err_set(err, -ENOMEM, "out of memory");
	}
	ret = choose_run(t, &a->choose, 0,
			 (struct kt_analysis *[]){ kt_latency_table_analysis(table) }, 1, err);
	if (ret == 0 && !w.nr && !a->has_pid)
		ret = kt_err_set(err, -ENODATA, "%s has no '%s' to explain: record what tasks do "
				 "with `%s record -e sched -e irq`", a->input, a->worst,
				 cmd_program);
	if (ret == 0 && w.nr < a->nth)
		ret = kt_err_set(err, -ENODATA, "%s has %zu of '%s'%s", a->input, w.nr, a->worst,
				 a->has_pid ? " of that task" : "");
	if (ret == 0)
		*o = (struct kt_why_opts){
			.file = w.found[a->nth - 1].file, .pid = w.found[a->nth - 1].pid,
			.from = w.found[a->nth - 1].from, .until = w.found[a->nth - 1].until,
		};
	kt_latency_table_destroy(table);
	free(w.found);
	return ret;
}

/* ---- text ---- */

static void add_task(struct str *s, struct kt_trace *t, size_t file, int pid)
{
	const char *comm = kt_trace_comm(t, file, pid);

	str_addf(s, "%s:%d", comm ? comm : "<...>", pid);
}

static void add_state(struct str *s, struct kt_trace *t, size_t file, const struct kt_why_line *l)
{
	struct kt_symbol sym;

	if (l->key == KT_WHY_NO_KEY) {
		str_add(s, "blocked");
		return;
	}
	str_addf(s, "blocked, %s", l->key & 2 ? "uninterruptible" :
		 l->key & 1 ? "interruptible" : l->key & 0x80 ? "idle" : "stopped");
	if (l->function && kt_symbols_find(kt_trace_symbols(t, file), l->function, &sym) > 0)
		str_addf(s, ", in %s", sym.name);
}

/* That of the timer has no events of its own. */
static void add_interrupt(struct str *s, const struct kt_why_line *l)
{
	if (l->key == KT_WHY_NO_KEY)
		str_add(s, "an interrupt");
	else
		str_addf(s, "interrupt %" PRIu64 "%s%s", l->key, l->name ? " " : "",
			 l->name ? l->name : "");
}

static void add_vector(struct str *s, uint64_t vector)
{
	if (vector == KT_WHY_NO_KEY)
		str_add(s, "a softirq");
	else if (kt_softirq_name(vector))
		str_addf(s, "softirq %s", kt_softirq_name(vector));
	else
		str_addf(s, "softirq %" PRIu64, vector);
}

/* Of several stretches that were added up the CPU is not known. */
static void add_cpu(struct str *s, const char *what, const char *cpu, int nr)
{
	str_add(s, what);
	if (nr >= 0)
		str_addf(s, "%s %d", cpu, nr);
	else if (strcmp(cpu, " CPUs") == 0)
		str_add(s, cpu);
}

static void add_what(struct str *s, struct kt_trace *t, const struct kt_why_opts *o,
		     const struct kt_why_line *l)
{
	switch (l->kind) {
	case KT_WHY_RAN:
		add_cpu(s, "ran", " on CPU", l->cpu);
		break;
	case KT_WHY_PREEMPTED:
		add_cpu(s, "preempted", ", until it had CPU", l->cpu);
		break;
	case KT_WHY_WAITED:
		add_cpu(s, "woken, waited for", l->cpu < 0 ? " CPUs" : " CPU", l->cpu);
		break;
	case KT_WHY_BLOCKED:
		add_state(s, t, o->file, l);
		break;
	case KT_WHY_UNKNOWN:
		str_add(s, "unexplained");
		break;
	case KT_WHY_MORE:
		str_add(s, "shorter ones");
		break;
	case KT_WHY_HOLDER:
		add_task(s, t, o->file, l->pid);
		str_add(s, " ran there");
		break;
	case KT_WHY_IDLE:
		str_addf(s, "CPU %d was idle, or on its way out of it", l->cpu);
		break;
	case KT_WHY_IRQ: case KT_WHY_WAKER_IRQ:
		str_add(s, l->kind == KT_WHY_IRQ ? "" : "woken by ");
		add_interrupt(s, l);
		break;
	case KT_WHY_SOFTIRQ: case KT_WHY_WAKER_SOFTIRQ:
		str_add(s, l->kind == KT_WHY_SOFTIRQ ? "" : "woken by ");
		add_vector(s, l->key);
		break;
	case KT_WHY_WAKER_TASK:
		str_add(s, "woken by ");
		add_task(s, t, o->file, l->pid);
		break;
	}
}

static bool is_waker(enum kt_why_kind kind)
{
	return kind == KT_WHY_WAKER_TASK || kind == KT_WHY_WAKER_IRQ ||
	       kind == KT_WHY_WAKER_SOFTIRQ;
}

static void add_line(struct str *s, struct kt_trace *t, const struct kt_why_opts *o,
		     const struct kt_why_line *l)
{
	uint64_t all = o->until - o->from;
	char text[32];

	str_addf(s, "%*s", 2 * (int)l->depth, "");
	if (is_waker(l->kind))
		str_addf(s, "%16s  ", "");
	else
		str_addf(s, "%9s %5.1f%%  ", units_format_time(l->ns, text),
			 100.0 * (double)l->ns / (double)all);
	add_what(s, t, o, l);
	if (is_waker(l->kind))
		str_addf(s, " on CPU %d at ", l->cpu);
	else if (l->until && l->depth == 0)
		str_add(s, ", until ");
	if (is_waker(l->kind) || (l->until && l->depth == 0))
		moment_add(s, l->until);
	if (l->count > 1)
		str_addf(s, " (%" PRIu64 " times)", l->count);
	str_addc(s, '\n');
}

static int print_text(const struct why_args *a, struct kt_trace *t, const struct kt_why_opts *o,
		      const struct kt_why *w)
{
	const struct kt_why_line *l;
	struct str s = STR_INIT;
	char text[32];
	size_t i;
	int ret;

	add_task(&s, t, o->file, o->pid);
	str_addf(&s, ", %s until ", units_format_time(o->until - o->from, text));
	moment_add(&s, o->until);
	str_addf(&s, "%s%s:\n", a->worst ? ", " : "", a->worst ? a->worst : "");
	for (i = 0; (l = kt_why_line(w, i)); i++)
		add_line(&s, t, o, l);
	str_addf(&s, "Look at it:\n  %s report ", cmd_program);
	moment_add_window(&s, o->from, o->until);
	str_addf(&s, " %s\n", a->input);
	ret = s.failed ? -ENOMEM : safe_write(s.buf, s.len, safe_for_person());
	str_fini(&s);
	return ret;
}

/* ---- JSON ---- */

static const char *const kind_names[] = {
	[KT_WHY_RAN] = "ran", [KT_WHY_PREEMPTED] = "preempted", [KT_WHY_WAITED] = "waited",
	[KT_WHY_BLOCKED] = "blocked", [KT_WHY_UNKNOWN] = "unexplained", [KT_WHY_MORE] = "shorter",
	[KT_WHY_HOLDER] = "holder", [KT_WHY_IDLE] = "idle", [KT_WHY_IRQ] = "irq",
	[KT_WHY_SOFTIRQ] = "softirq", [KT_WHY_WAKER_TASK] = "waker",
	[KT_WHY_WAKER_IRQ] = "waker-irq", [KT_WHY_WAKER_SOFTIRQ] = "waker-softirq",
};

static int print_json(struct kt_trace *t, const struct kt_why_opts *o, const struct kt_why *w)
{
	const struct kt_why_line *l;
	struct json j = JSON_INIT;
	struct str what = STR_INIT;
	size_t i;

	json_open(&j, NULL, '{');
	json_int(&j, "pid", o->pid);
	json_str(&j, "comm", kt_trace_comm(t, o->file, o->pid));
	json_uint(&j, "from", o->from);
	json_uint(&j, "until", o->until);
	json_open(&j, "reasons", '[');
	for (i = 0; (l = kt_why_line(w, i)); i++) {
		str_reset(&what);
		add_what(&what, t, o, l);
		json_open(&j, NULL, '{');
		json_uint(&j, "depth", l->depth);
		json_str(&j, "kind", kind_names[l->kind]);
		json_uint(&j, "ns", l->ns);
		json_uint(&j, "from", l->from);
		json_uint(&j, "until", l->until);
		json_uint(&j, "count", l->count);
		json_int(&j, "pid", l->pid);
		json_int(&j, "cpu", l->cpu);
		json_str(&j, "text", what.buf);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	j.text.failed |= what.failed;
	str_fini(&what);
	return json_print(&j);
}

/* ---- */

static int explain(struct kt_trace *t, struct why_args *a, const struct kt_why_opts *o,
		   struct kt_err *err)
{
	struct kt_why *w = kt_why_create(t, o, err);
	struct kt_window window;
	struct choose all = { .command = "why", .windows = &window, .nr_windows = 1 };
	int ret;

	if (!w)
		return kt_err_code(err, -ENOMEM);
	window = kt_why_window(w);
	ret = choose_run(t, &all, 0, (struct kt_analysis *[]){ kt_why_analysis(w) }, 1, err);
	if (ret == 0)
		ret = a->json ? print_json(t, o, w) : print_text(a, t, o, w);
	kt_why_destroy(w);
	return ret == -EPIPE ? 0 : ret;
}

static int find_interval(struct kt_trace *t, struct why_args *a, struct kt_why_opts *o,
			 struct kt_err *err)
{
	int ret = choose_prepare(t, &a->choose, err);

	if (ret < 0)
		return ret;
	if (!kt_latency_kind_is_recorded(t, KT_LATENCY_WAKEUP))
		return kt_err_set(err, -ENODATA, "%s does not say what tasks did: record that with "
				  "`%s record -e sched -e irq`", a->input, cmd_program);
	if (a->worst)
		return find_worst(t, a, o, err);
	*o = (struct kt_why_opts){ .pid = a->pid, .from = a->choose.windows[0].from,
				   .until = a->choose.windows[0].until };
	return 0;
}

static int check_words(struct why_args *a, int argc, char **argv, struct kt_err *err)
{
	int ret = input_choose(&a->input, argc, argv, err);

	if (ret < 0)
		return ret;
	if (a->choose.nr_windows > 1)
		return cmd_misuse(err, "one window at a time");
	if (!a->worst && !(a->has_pid && a->choose.nr_windows))
		a->worst = "wakeup";
	if (!a->nth || a->nth > 100000)
		return cmd_misuse(err, "--nth is 1 for the longest, 2 for the next …");
	return 0;
}

static int run(void *data, int argc, char **argv, struct kt_err *err)
{
	struct why_args *a = data;
	struct kt_why_opts o = { 0 };
	struct kt_trace *t;
	int ret = check_words(a, argc, argv, err);

	if (ret < 0)
		return ret;
	t = input_open(a->input, err);
	ret = t ? find_interval(t, a, &o, err) : kt_err_code(err, -ENOMEM);
	if (ret == 0)
		ret = explain(t, a, &o, err);
	kt_trace_destroy(t);
	return ret;
}

static int init(void *data)
{
	struct why_args *a = data;

	a->choose.command = "why";
	a->nth = 1;
	return 0;
}

static void fini(void *data)
{
	choose_fini(&((struct why_args *)data)->choose);
}

const struct cmd cmd_why = {
	.name      = "why",
	.summary   = "explain why something was slow: who had the CPU, who woke it when",
	.usage     = "[--worst <kind>] [--nth <n>] [--pid <pid>] [--time <from,until>] [--json] "
		     "[-i <file> | <file>]",
	.examples  = "  ktrail why                           the longest wait for a CPU\n"
		     "  ktrail why --worst syscall --pid 42  the longest system call of a task\n"
		     "  ktrail why --pid 42 --time 3.5,+20ms what it did then, and why\n",
	.opts      = opts,
	.args_size = sizeof(struct why_args),
	.paged     = true,
	.init      = init,
	.run       = run,
	.fini      = fini,
};
