/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_program.c - compiled print formats have the text of libtraceevent, byte by byte */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "kt_formats.h"
#include "kt_test.h"

#define SEEDS 40		/* even ones first, then the odd ones */
#define LIVE  "/sys/kernel/tracing/events"

const char *__lsan_default_suppressions(void);

/* We jump out of the library if it divides by zero; its memory leaks then. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent";
}

struct rig {
	struct kt_symbols *syms;
	struct kt_events *evs;
	struct tep_handle *tep;
	struct trace_seq seq;
	struct tep_plugin_list *list;
	struct kt_out *out;
	bool plugins;
	sigjmp_buf divided;
	uint8_t buf[3 * 65536];
	size_t differ, compared, not_compiled;
	size_t slow_usual;		/* not compiled, of a system that is often recorded */
};

static sigjmp_buf *dividing;

static void on_fpe(int sig)
{
	(void)sig;
	siglongjmp(*dividing, 1);
}

static void start(struct rig *r, const struct kt_formats *f, bool plugins, bool big_endian)
{
	const struct kt_events_opts opts = { .no_plugins = !plugins, .exact = true };
	struct kt_err err = { 0 };
	char *kallsyms = strdup(kt_formats_kallsyms);
	size_t i;

	memset(r, 0, sizeof(*r));
	r->syms = kt_symbols_create(NULL, &err);
	kt_symbols_add_text(r->syms, kallsyms, strlen(kallsyms), &err);
	CHECK_NO_ERR(&err);
	r->evs = kt_formats_events(f, r->syms, big_endian);
	assert_int_equal(kt_events_set_opts(r->evs, &opts, &err), 0);
	r->plugins = plugins;
	r->out = kt_out_create();
	tep_set_loglevel(TEP_LOG_NONE);
	r->tep = tep_alloc();
	tep_set_long_size(r->tep, f->long_size ? f->long_size : 8);
	tep_set_file_bigendian(r->tep, big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	if (plugins)
		r->list = tep_load_plugins(r->tep);
	tep_parse_kallsyms(r->tep, kallsyms);
	for (i = 0; i < f->nr; i++)
		tep_parse_event(r->tep, f->sources[i].format.data, f->sources[i].format.size,
				f->sources[i].system);
	trace_seq_init(&r->seq);
	free(kallsyms);
}

static void stop(struct rig *r)
{
	kt_events_destroy(r->evs);
	kt_symbols_destroy(r->syms);
	kt_out_destroy(r->out);
	trace_seq_destroy(&r->seq);
	if (r->list)
		tep_unload_plugins(r->list, r->tep);
	tep_free(r->tep);
}

/* Shows the first few differences; the caller fails at the end. */
static void compare(struct rig *r, const struct kt_event *ev, const struct kt_record *rec, bool raw)
{
	struct tep_record tr = { .data = (void *)rec->data, .size = rec->size };

	trace_seq_reset(&r->seq);
	/* The library divides by the value in the record, also by zero. */
	if (sigsetjmp(r->divided, 1))
		return;
	dividing = &r->divided;
	tep_print_event(r->tep, &r->seq, &tr, "%s", raw ? TEP_PRINT_INFO_RAW : TEP_PRINT_INFO);
	trace_seq_terminate(&r->seq);
	kt_out_reset(r->out);
	if (raw)
		kt_event_raw(r->evs, ev, rec, r->out);
	else
		kt_event_text(r->evs, ev, rec, r->out);
	r->compared++;
	if (kt_out_len(r->out) == r->seq.len &&
	    memcmp(kt_out_data(r->out), r->seq.buffer, r->seq.len) == 0)
		return;
	if (r->differ++ < 30)
		printf("# %s:%s\n#   have %.300s\n#   want %.300s\n", ev->system, ev->name,
		       kt_out_data(r->out), r->seq.buffer);
}

/* As the library prints this event: only by its fields */
static bool is_failed(const struct kt_event *ev)
{
	return !kt_event_is_compiled(ev) && strcmp(kt_event_why_not(ev), "a function of a plugin");
}

/* Systems that are often recorded: no format of these may be left to the library. */
static bool is_usual(const struct kt_event *ev)
{
	static const char *const systems[] = {
		"sched", "irq", "irq_vectors", "timer", "syscalls", "raw_syscalls", "block", "net",
		"kmem", "workqueue", "rcu", "writeback", "signal", "task", "cgroup", "power",
		"ftrace", NULL
	};
	size_t i;

	for (i = 0; systems[i]; i++)
		if (strcmp(systems[i], ev->system) == 0)
			return true;
	return false;
}

/* Indented by what came before: ktrail/text.h prints these. */
static bool is_of_text_layer(const struct kt_event *ev)
{
	return strcmp(ev->name, "function") == 0 || strcmp(ev->name, "func_repeats") == 0;
}

/*
 * The library assumes its own byte order in addresses of texts, families of sockets
 * and arrays, and the other one in words of a mask if they have 32 bits.
 */
static bool is_wrong_when_big(const struct kt_event *ev, unsigned int long_size)
{
	size_t i;

	if (strstr(ev->print_fmt, "%pIS") || strstr(ev->print_fmt, "__print_array"))
		return true;
	if (long_size == 4 && (strstr(ev->print_fmt, "__get_bitmask") ||
			       strstr(ev->print_fmt, "__get_cpumask")))
		return true;
	for (i = 0; i < ev->nr_fields; i++)
		if (ev->fields[i].size == long_size && strstr(ev->fields[i].type, "char *"))
			return true;
	return false;
}

static void compare_all(const struct kt_formats *f, const char *what, bool plugins,
			bool big_endian)
{
	struct rig *r = malloc(sizeof(*r));
	const struct kt_event *ev;
	unsigned int seed, long_size = f->long_size ? f->long_size : 8;
	size_t i, before;

	NEEDS_TEP_1_7();
	start(r, f, plugins, big_endian);
	signal(SIGFPE, on_fpe);
	for (i = 0; i < kt_events_nr(r->evs); i++) {
		ev = kt_events_at(r->evs, i);
		if (!ev || is_of_text_layer(ev) || (big_endian && is_wrong_when_big(ev, long_size)))
			continue;
		if (!kt_event_is_compiled(ev)) {
			r->not_compiled++;
			r->slow_usual += is_usual(ev);
			printf("# not compiled: %s:%s %s\n", ev->system, ev->name, kt_event_why_not(ev));
		}
		before = r->differ;
		for (seed = 0; seed < SEEDS && r->differ == before;
		     seed += seed == SEEDS - 2 ? 3 - SEEDS : 2) {
			struct kt_record rec = kt_formats_record(ev, seed, big_endian, r->buf);

			if (seed % 2 && is_failed(ev))
				break;
			compare(r, ev, &rec, false);
			/* After a text that is not printable, the library shows
			 * no more texts with -R. */
			if (seed % 2 == 0)
				compare(r, ev, &rec, true);
		}
	}
	printf("# %s%s: %zu formats, %zu not compiled, %zu records compared, %zu differ\n", what,
	       plugins ? " with plugins" : "",
	       kt_events_nr(r->evs), r->not_compiled, r->compared, r->differ);
	signal(SIGFPE, SIG_DFL);
	assert_int_equal(r->differ, 0);
	assert_int_equal(r->slow_usual, 0);
	stop(r);
	free(r);
}

TEST(every_event_of_the_running_kernel_reads_as_in_libtraceevent)
{
	struct kt_formats f = kt_formats_of_tree(LIVE);

	if (!f.nr)
		skip();
	compare_all(&f, "running kernel", false, false);
	compare_all(&f, "running kernel", true, false);
	kt_formats_free(&f);
}

TEST(every_event_of_debian_6_1_reads_as_in_libtraceevent)
{
	struct kt_formats f = kt_formats_of_file(kt_data("formats-6.1.zst"));

	compare_all(&f, "6.1", false, false);
	compare_all(&f, "6.1", true, false);
	kt_formats_free(&f);
}

TEST(every_event_of_debian_6_12_reads_as_in_libtraceevent)
{
	struct kt_formats f = kt_formats_of_file(kt_data("formats-6.12.zst"));

	compare_all(&f, "6.12", false, false);
	compare_all(&f, "6.12", true, false);
	kt_formats_free(&f);
}

TEST(records_of_big_endian_machines_read_as_in_libtraceevent)
{
	struct kt_formats f = kt_formats_of_file(kt_data("formats-6.12.zst"));

	compare_all(&f, "6.12 big-endian", false, true);
	kt_formats_free(&f);
}

TEST(records_of_kernels_of_32_bits_read_as_in_libtraceevent)
{
	struct kt_formats f = kt_formats_of_file(kt_data("formats-6.12.zst"));

	kt_formats_narrow(&f);
	compare_all(&f, "6.12 of 32 bits", false, false);
	compare_all(&f, "6.12 of 32 bits, big-endian", false, true);
	kt_formats_free(&f);
}

/* An argument chooses tests: all of them would take tests/mutate too long. */
int main(int argc, char **argv)
{
	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return RUN(unit(every_event_of_debian_6_1_reads_as_in_libtraceevent),
		   unit(every_event_of_debian_6_12_reads_as_in_libtraceevent),
		   unit(every_event_of_the_running_kernel_reads_as_in_libtraceevent),
		   unit(records_of_big_endian_machines_read_as_in_libtraceevent),
		   unit(records_of_kernels_of_32_bits_read_as_in_libtraceevent));
}
