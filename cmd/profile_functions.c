/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile_functions.c - `ktrail profile --functions`: the kernel's function profiler */
#include "profile_functions.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/hist.h>

#include "base/json.h"
#include "base/str.h"

static int parse_order(const char *word, enum kt_function_order *order, struct kt_err *err)
{
	static const char *const names[] = { "total", "hits", "avg", "name", NULL };
	size_t i;

	*order = KT_FUNCTIONS_BY_TOTAL;
	for (i = 0; word && names[i]; i++) {
		*order = (enum kt_function_order)i;
		if (strcmp(word, names[i]) == 0 ||
		    (i == KT_FUNCTIONS_BY_HITS && strcmp(word, "count") == 0))
			return 0;
	}
	return word ? cmd_misuse(err, "--sort: total, hits, avg or name, not '%s'", word) : 0;
}

/* The profiler knows functions, and nothing else of what could be asked of a trace. */
static int check(const struct setup_args *s, struct kt_err *err)
{
	const struct kt_setup *setup = &s->setup;
	const struct kt_setup_buffer *top = setup->buffers[0];
	size_t i;

	if (setup->nr_buffers > 1 || top->nr_events || top->tracer || setup->pids ||
	    s->only_command || setup->session)
		return cmd_misuse(err,
				  "--functions counts calls of the whole machine: of what chooses "
				  "it takes only -l, -n and --module");
	for (i = 0; i < top->nr_functions; i++)
		if (top->functions[i].list > KT_FUNCTIONS_NOTRACE)
			return cmd_misuse(err, "--functions takes no -g: -l names the functions");
	return 0;
}

/* Those of -l instead of what is chosen now; without -l, what is chosen now */
static int choose(struct kt_instance *top, const struct kt_setup_buffer *buf, struct kt_err *err)
{
	bool cleared[2] = { false };
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < buf->nr_functions; i++) {
		const struct kt_setup_function *f = &buf->functions[i];

		if (!cleared[f->list])
			ret = kt_instance_clear_functions(top, f->list, err);
		cleared[f->list] = true;
		if (ret == 0)
			ret = kt_instance_add_functions(top, f->list, f->pattern, f->module, err);
	}
	return ret;
}

static void add_table(const struct kt_function_profile *p, uint64_t top, struct str *s)
{
	size_t i;

	str_addf(s, "%-32s %10s", "FUNCTION", "HITS");
	if (p->timed)
		str_addf(s, " %14s %12s %12s", "TOTAL us", "AVG us", "STDDEV us");
	str_addc(s, '\n');
	for (i = 0; i < p->nr && (!top || i < top); i++) {
		const struct kt_function_cost *f = &p->at[i];

		str_addf(s, "%-32s %10" PRIu64, f->name, f->hits);
		if (p->timed)
			str_addf(s, " %14.3f %12.3f %12.3f", f->total_us, f->avg_us, f->stddev_us);
		str_addc(s, '\n');
	}
}

static uint64_t in_ns(double us)
{
	return (uint64_t)(us * 1000 + 0.5);
}

static void add_json(const struct kt_function_profile *p, uint64_t top, struct str *s)
{
	struct json j = JSON_INIT;
	size_t i;

	json_open(&j, NULL, '[');
	for (i = 0; i < p->nr && (!top || i < top); i++) {
		const struct kt_function_cost *f = &p->at[i];

		json_open(&j, NULL, '{');
		json_str(&j, "function", f->name);
		json_uint(&j, "hits", f->hits);
		if (p->timed) {
			json_uint(&j, "total_ns", in_ns(f->total_us));
			json_uint(&j, "avg_ns", in_ns(f->avg_us));
			json_uint(&j, "stddev_ns", in_ns(f->stddev_us));
		}
		json_close(&j, '}');
	}
	json_close(&j, ']');
	str_add(s, j.text.buf);
	s->failed |= j.text.failed;
	str_fini(&j.text);
}

/* Until something ends it. Returns 0, or what went wrong */
static int count(struct kt_instance *top, struct record_wait *w, struct kt_err *err)
{
	int ret = kt_function_profile_start(top, err), end;

	if (ret == 0 && w->child->pid > 0)
		ret = child_go(w->child, err);
	if (ret < 0)
		return ret;
	end = record_wait(w, err);
	ret = kt_function_profile_stop(top, end < 0 ? NULL : err);
	return end < 0 ? end : ret;
}

static int run(const struct function_profile_args *f, struct kt_instance *top,
	       const struct setup_args *s, struct record_wait *w,
	       struct kt_function_profile *p, struct kt_err *err)
{
	enum kt_function_order order;
	int ret = parse_order(f->order->sort, &order, err);

	if (ret == 0)
		ret = choose(top, s->setup.buffers[0], err);
	if (ret == 0)
		ret = count(top, w, err);
	if (ret == 0)
		ret = kt_function_profile_read(top, p, err);
	if (ret == 0)
		kt_function_profile_sort(p, order);
	return ret;
}

/* --dry-run: what would be set at the beginning */
static int show(const struct setup_args *s, struct str *text, struct kt_err *err)
{
	struct kt_instance *top = kt_instance_open(NULL, KT_INSTANCE_DRY, err);
	int ret = top ? choose(top, s->setup.buffers[0], err) : err->code;

	if (ret == 0)
		ret = kt_function_profile_start(top, err);
	if (ret == 0)
		str_add(text, kt_instance_notes(top));
	kt_instance_close(top, NULL);
	return ret;
}

int profile_functions(const struct function_profile_args *f, struct setup_args *s,
		      uint64_t duration_ns, bool json, int argc, char **argv, struct str *text,
		      struct kt_err *err)
{
	struct kt_function_profile p = { 0 };
	struct child c = CHILD_INIT;
	struct record_wait w = { .child = &c, .duration_ns = duration_ns };
	struct kt_instance *top;
	int ret = check(s, err);

	if (ret < 0)
		return ret;
	if (s->setup.dry)
		return show(s, text, err);
	top = kt_instance_open(NULL, 0, err);
	w.signal_fd = top ? record_catch_signals(err) : -1;
	ret = w.signal_fd < 0 ? err->code : 0;
	c.quiet_stdout = json;
	if (ret == 0 && argc)
		ret = child_spawn(&c, argv, s->user, err);
	if (ret == 0)
		ret = run(f, top, s, &w, &p, err);
	if (kt_instance_close(top, err) < 0 && ret == 0)
		ret = err->code;
	if (ret == 0) {
		(json ? add_json : add_table)(&p, f->order->top, text);
		record_end_command(&w);
	}
	child_fini(&c);
	if (w.signal_fd >= 0)
		close(w.signal_fd);
	kt_function_profile_fini(&p);
	return ret < 0 ? ret : w.child_status;
}
