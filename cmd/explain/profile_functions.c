/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile_functions.c - `ktrail profile --functions`: the kernel's function profiler */
#include "profile_functions.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/status.h>

#include "base/json.h"
#include "base/str.h"

static int parse_order(const char *word, enum kt_function_order *order, struct kt_err *err)
{
	static const char *const names[] = { "total", "hits", "avg", "name", NULL };
	bool by_count = word && strcmp(word, "count") == 0;
	int i = word ? cmd_sort(by_count ? "hits" : word, names, err) : KT_FUNCTIONS_BY_TOTAL;

	if (i >= 0)
		*order = (enum kt_function_order)i;
	return i < 0 ? i : 0;
}

/* The profiler counts functions; no other option of a trace applies to it. */
static int check(const struct setup_args *s, struct kt_err *err)
{
	const struct kt_setup *setup = &s->setup;
	const struct kt_state_section *wish = &setup->buffers[0]->wish;

	if (setup->nr_buffers > 1 || kt_setup_traces(setup) || setup->pids || s->only_command ||
	    setup->session)
		return cmd_misuse(err,
				  "--functions counts calls of the whole machine; only -l, -n and "
				  "--module choose what it counts");
	if (kt_state_value(wish, "set_graph_function"))
		return cmd_misuse(err, "--functions takes no -g: -l names the functions");
	return 0;
}

/* Use the functions of -l instead of the current ones; without -l, the current ones */
static int choose(struct kt_instance *top, const struct kt_setup_buffer *buf, struct kt_err *err)
{
	int list, ret = 0;

	for (list = KT_FUNCTIONS_FILTER; ret == 0 && list <= KT_FUNCTIONS_NOTRACE; list++) {
		const char *file = kt_function_list_file(list), *value;
		size_t i = 0;

		if (kt_state_value(&buf->wish, file))
			ret = kt_instance_clear_functions(top, list, err);
		while (ret == 0 && (value = kt_state_next(&buf->wish, file, &i)))
			ret = kt_instance_add_functions(top, list, value, NULL, err);
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

/* Run until something ends it. Returns 0 or a negative errno */
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

	if (ret < 0)
		return ret;
	ret = choose(top, s->setup.buffers[0], err);
	if (ret < 0)
		return ret;
	ret = count(top, w, err);
	if (ret < 0)
		return ret;
	ret = kt_function_profile_read(top, p, err);
	if (ret < 0)
		return ret;
	kt_function_profile_sort(p, order);
	return 0;
}

static int count_calls(const struct function_profile_args *f, const struct setup_args *s,
		       struct record_wait *w, struct kt_function_profile *p, struct kt_err *err)
{
	struct kt_instance *top = kt_instance_open(NULL, 0, err);
	int ret = top ? run(f, top, s, w, p, err) : err->code;

	if (kt_instance_close(top, err) < 0 && ret == 0)
		ret = err->code;
	return ret;
}

/* --dry-run: print the settings that would be made at the beginning */
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
	int ret = check(s, err);

	if (ret < 0)
		return ret;
	if (s->setup.dry)
		return show(s, text, err);
	w.signal_fd = record_catch_signals(err);
	if (w.signal_fd < 0)
		return err->code;
	if (json)
		c.stdout_fd = STDERR_FILENO;
	ret = argc ? child_spawn(&c, argv, s->user, err) : 0;
	if (ret < 0)
		goto out;
	ret = count_calls(f, s, &w, &p, err);
	if (ret < 0)
		goto out;
	(json ? add_json : add_table)(&p, f->order->top, text);
	record_end_command(&w);
out:
	child_fini(&c);
	close(w.signal_fd);
	kt_function_profile_fini(&p);
	return ret < 0 ? ret : w.child_status;
}
