/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.c - `ktrail report`: print the records of trace files */
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "cmd/args/rules.h"
#include "cmd/explain/profile_print.h"
#include "cmd/print/cause.h"
#include "cmd/print/progress.h"
#include "cmd/record/view.h"
#include "cmd/style.h"

#define HARDIRQ 0x08		/* common_flags of a record */
#define SOFTIRQ 0x10
#define NS UINT64_C(1000000000)		/* of a second */

struct report {
	struct report_args *args;
	struct kt_trace    *trace;
	struct kt_filter   *filter;
	struct kt_text     *text;
	struct kt_out      *out;
	struct pager        pager;
	bool any;			/* was any record printed? */
	bool headed;			/* was the head printed? */
	bool to_file;			/* the output goes to a file: its lines do not show the
					 * progress */
	struct progress progress;
};

static int open_files(struct report *r, struct kt_err *err)
{
	struct report_args *a = r->args;
	size_t i;
	int ret = 0;

	r->trace = kt_trace_create();
	if (!r->trace)
		return kt_err_no_memory(err);
	for (i = 0; i < a->choose.nr_inputs && ret == 0; i++) {
		struct kt_stream_opts opts = a->stream;

		opts.forget_lost = true;
		opts.ts_offset = a->inputs[i].ts_offset;
		opts.ts2secs_hz = a->inputs[i].hz;
		ret = kt_trace_add(r->trace, a->inputs[i].path, &opts, err);
	}
	return ret;
}

static int set_plugins(struct report *r, struct kt_err *err)
{
	const struct kt_events_opts opts = {
		.no_plugins = r->args->no_plugins, .local_plugins = r->args->local_plugins,
		.exact = r->args->text.layout == KT_LAYOUT_3_1,
		.kernel = r->args->text.layout == KT_LAYOUT_KERNEL,
		.nanoseconds = r->args->text.nanoseconds, .raw_times = r->args->stream.raw_ts,
		.options = r->args->plugins.options,
	};
	size_t i;
	int ret = 0;

	for (i = 0; i < kt_trace_nr_files(r->trace) && ret == 0; i++)
		ret = kt_events_set_opts(kt_trace_events(r->trace, i), &opts, err);
	return ret;
}

static bool has_symbols(const char *text)
{
	char line[64], gap[2], name;	/* sscanf would read to the end of the text each time */
	size_t len;

	for (; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		snprintf(line, sizeof(line), "%.*s",
			 (int)(len < sizeof(line) ? len : sizeof(line) - 1), text);
		if (sscanf(line, "%*x%1[ \t]%*c%1[ \t]%c", gap, gap, &name) == 3)
			return true;
	}
	return false;
}

static int add_symbols(struct report *r, struct kt_err *err)
{
	struct str text = STR_INIT;
	size_t i;
	int ret = str_read_file(&text, r->args->kallsyms);

	if (ret < 0)
		kt_err_set(err, ret, "cannot read %s: %s", r->args->kallsyms, strerror(-ret));
	else if (text.len && !has_symbols(text.buf))
		ret = kt_err_set(err, -EINVAL, "%s holds no symbols, as 'ffffffff81000000 T _text'",
				 r->args->kallsyms);
	for (i = 0; i < kt_trace_nr_files(r->trace) && ret == 0; i++)
		ret = kt_symbols_add_text(kt_trace_symbols(r->trace, i), text.buf, text.len, err);
	str_fini(&text);
	return ret;
}

static int set_layout(struct report_args *a, struct kt_err *err)
{
	static const char *const old[] = { "3.1", "3.1.6", "3.2", NULL };
	static const char *const current[] = { "current", "3.3", "3.4", NULL };
	size_t i;

	/* For scripts that parse the columns of trace-cmd 3.1 and cannot be changed */
	if (!a->layout)
		a->layout = getenv("KTRAIL_LAYOUT");
	if (!a->layout || !*a->layout)
		return 0;
	for (i = 0; old[i]; i++)
		if (strcmp(a->layout, old[i]) == 0) {
			a->text.layout = KT_LAYOUT_3_1;
			return 0;
		}
	for (i = 0; current[i]; i++)
		if (strcmp(a->layout, current[i]) == 0)
			return 0;
	if (strcmp(a->layout, "kernel") == 0) {
		a->text.layout = KT_LAYOUT_KERNEL;
		return 0;
	}
	return cmd_misuse(err, "no layout '%s', only: 3.1 3.3 current kernel", a->layout);
}

static void warn(void *data, const char *line)
{
	(void)data;
	fprintf(stderr, "%s report: %s\n", cmd_program, line);
}

static int prepare(struct report *r, struct kt_err *err)
{
	struct report_args *a = r->args;
	int ret = set_layout(a, err);

	if (ret < 0)
		return ret;
	a->text.warn = warn;
	a->text.drop_flags = (a->no_irqs ? HARDIRQ : 0) | (a->no_softirqs ? SOFTIRQ : 0);
	ret = open_files(r, err);
	if (ret < 0)
		return ret;
	ret = set_plugins(r, err);
	if (ret < 0)
		return ret;
	ret = report_open_plugins(r->trace, a, err);
	if (ret < 0)
		return ret;
	report_check_matches(r->trace, a);
	ret = a->kallsyms ? add_symbols(r, err) : 0;
	return ret < 0 ? ret : choose_prepare(r->trace, &a->choose, err);
}

/* ---- printing ---- */

/* Not in the layout of another program */
static bool is_ours(const struct report *r)
{
	return !cmd_style->old_layout && r->args->text.layout != KT_LAYOUT_3_1 &&
	       r->args->text.layout != KT_LAYOUT_KERNEL;
}

/* Before the first record, not earlier: until then the terminal shows the progress */
static int print_heads(struct report *r)
{
	struct str causes = STR_INIT;
	size_t i;

	if (r->headed || r->args->text.json)
		return 0;
	r->headed = true;
	for (i = 0; is_ours(r) && i < kt_trace_nr_files(r->trace); i++)
		cause_add_lines(&causes, kt_trace_file(r->trace, i));
	pager_write(NULL, causes.buf, causes.len);
	str_fini(&causes);
	kt_out_reset(r->out);
	for (i = 0; i < kt_trace_nr_files(r->trace); i++)
		kt_text_head(r->text, i, r->out);
	return pager_write(NULL, kt_out_data(r->out), kt_out_len(r->out));
}

static int write_lines(void *data, const char *text, size_t len)
{
	struct report *r = data;
	int ret;

	if (!r->any && !r->to_file)
		progress_end(&r->progress);
	r->any |= len > 0;
	ret = print_heads(r);
	return ret < 0 ? ret : pager_write(NULL, text, len);
}

/* The lines show the progress, unless they go to a file or there are none yet */
static void tell_progress(void *data, uint64_t done, uint64_t total)
{
	struct report *r = data;

	if (r->to_file || (r->pager.tty && !r->any))
		progress_tell(&r->progress, done, total);
}

static int print_windows(struct report *r, struct kt_err *err)
{
	const struct report_args *a = r->args;
	size_t i;
	int ret = 0;

	if (!a->choose.nr_windows)
		return kt_text_run(r->text, UINT64_MAX, write_lines, r, err);
	for (i = 0; i < a->choose.nr_windows && ret == 0; i++) {
		ret = kt_stream_seek(kt_trace_stream(r->trace), a->choose.windows[i].from, err);
		if (ret == 0)
			ret = kt_text_run(r->text, a->choose.windows[i].until, write_lines, r, err);
	}
	return ret;
}

/* Records that the text shows as [UNKNOWN EVENT] */
static void tell_unknown(const struct report *r)
{
	size_t nr = r->text ? kt_text_nr_unknown(r->text) : 0;

	if (nr && !r->args->choose.quiet && cmd_style->advises)
		fprintf(stderr,
			"%s report: %zu record%s cannot be read: the file has no format of %s\n",
			cmd_program, nr, nr == 1 ? "" : "s", nr == 1 ? "it" : "them");
}

/* No matching event is a valid result, but hardly the expected one. */
static void tell_nothing(const struct report *r)
{
	const struct report_args *a = r->args;
	bool chosen = a->choose.nr_filters || a->choose.pids || a->choose.comms ||
		      a->choose.nr_windows || a->choose.cpus ||
		      a->no_irqs || a->no_softirqs;
	struct kt_window span;

	if (r->any || !chosen || a->choose.quiet || !cmd_style->advises)
		return;
	fprintf(stderr, "%s report: no matching events", cmd_program);
	if (a->choose.nr_windows && choose_find_span(kt_trace_stream(r->trace), &span, NULL) > 0)
		fprintf(stderr,
			" (the trace covers %" PRIu64 ".%06" PRIu64
			" to %" PRIu64 ".%06" PRIu64 ")",
			span.from / NS, span.from % NS / 1000, span.until / NS,
			span.until % NS / 1000);
	fputc('\n', stderr);
}

static int print_records(struct report *r, struct kt_err *err)
{
	int ret;

	r->args->text.progress = tell_progress;
	r->args->text.progress_data = r;
	r->text = kt_text_create(r->trace, r->args->choose.filter, &r->args->text, err);
	r->out = kt_out_create();
	if (!r->text || !r->out)
		return kt_err_no_memory(err);
	ret = kt_text_narrow(r->text, err);
	if (ret < 0)
		return ret;
	progress_begin(&r->progress, "report");
	ret = print_windows(r, err);
	progress_end(&r->progress);
	if (ret < 0)
		return ret;
	ret = print_heads(r);
	if (ret < 0)
		return ret;
	tell_nothing(r);
	tell_unknown(r);
	if (!r->args->text.wakeup)
		return 0;
	kt_out_reset(r->out);
	kt_text_wakeups(r->text, r->out);
	return pager_write(NULL, kt_out_data(r->out), kt_out_len(r->out));
}

/* Hooks that the recording was given */
static int take_stored_hooks(struct report *r, struct kt_err *err)
{
	const struct kt_option *o;
	size_t file, i;
	int ret = 0;

	for (file = 0; file < kt_trace_nr_files(r->trace); file++)
		for (i = 0; i < kt_file_nr_options(kt_trace_file(r->trace, file)) && ret == 0;
		     i++) {
			o = kt_file_option(kt_trace_file(r->trace, file), i);
			if (o->id == KT_OPTION_HOOK && memchr(o->raw.data, 0, o->raw.size))
				ret = report_add_hook(r->args, (const char *)o->raw.data, err);
		}
	return ret;
}

static int print_profile(struct report *r, struct kt_err *err)
{
	const struct report_args *a = r->args;
	struct kt_profile_opts o = { .global_irqs = a->global_irqs, .by_comm = a->by_comm };
	struct kt_profile *p;
	struct str s = STR_INIT;
	int ret = a->nr_hooks ? 0 : take_stored_hooks(r, err);

	o.hooks = a->hooks;
	p = ret < 0 ? NULL : kt_profile_create(r->trace, &o, err);
	if (!p)
		return err->code == -EINVAL ? CMD_MISUSE : err->code;
	ret = choose_run(r->trace, &a->choose, a->text.drop_flags,
			 (struct kt_analysis *[]){ kt_profile_analysis(p) }, 1, err);
	if (ret == 0 && !cmd_style->old_layout)
		ret = profile_sort(p, &a->profile_order, err);
	if (ret < 0)
		goto out;
	if (a->text.json) {
		profile_json(p, &s);
	} else if (!cmd_style->old_layout) {
		profile_table(p, &s, r->pager.tty, pager_width());
	} else {
		str_addf(&s, "cpus=%d\n", kt_file_info(kt_trace_file(r->trace, 0))->nr_cpus);
		profile_text(p, &s, r->pager.tty);
	}
	ret = s.failed ? -ENOMEM : pager_write(NULL, s.buf, s.len);
out:
	str_fini(&s);
	kt_profile_destroy(p);
	return ret;
}

/*
 * Damage does not stop a report, but one line must report it. The first damage shows where it
 * begins; -V shows those that follow from it.
 */
static int tell_damage(const struct report *r)
{
	size_t file, i, nr = 0, left;
	const char *line;

	for (file = 0; file < kt_trace_nr_files(r->trace); file++) {
		struct kt_file *f = kt_trace_file(r->trace, file);

		left = kt_file_nr_damages(f);
		nr += left;
		for (i = 0; !r->args->choose.quiet && (line = kt_file_damage(f, i)); i++) {
			left--;
			fprintf(stderr, "%s report: %s: %s", cmd_program, kt_file_info(f)->path,
				line);
			if (left && !r->args->verbose)
				fprintf(stderr, left < 32 ? " (and %zu more, which -V shows)" :
					" (and many more)", left);
			fputc('\n', stderr);
			if (!r->args->verbose)
				break;
		}
	}
	return nr ? 1 : 0;
}

static int test_filters(struct report *r, struct kt_err *err)
{
	r->out = kt_out_create();
	if (!r->out)
		return kt_err_no_memory(err);
	kt_filter_print(r->args->choose.filter, r->out);
	return pager_write(NULL, kt_out_data(r->out), kt_out_len(r->out));
}

static int show(struct report *r, struct kt_err *err)
{
	struct report_args *a = r->args;
	bool log = a->verbose && !a->text.json;		/* there, only JSON goes to stdout */
	bool test = a->test_filters && r->args->choose.filter;
	struct stat st;
	int ret = pager_start(&r->pager, &a->pager, err);

	if (ret < 0)
		return ret == -EINVAL ? CMD_MISUSE : ret;
	/* In a pipe, a program of the user's such as less may control the terminal */
	r->to_file = fstat(STDOUT_FILENO, &st) == 0 && S_ISREG(st.st_mode);
	a->text.escape = r->pager.tty;
	a->text.color = r->pager.color;
	if (log)
		report_log_begin(r->trace, a);
	fflush(stdout);
	if (report_wants_info(a) && !test)
		return report_info(r->trace, a, err);
	if (test)
		ret = test_filters(r, err);
	else if (a->columns)
		ret = report_columns(r->trace, a, err);
	else if (a->fields || a->csv)
		ret = report_fields(r->trace, a, err);
	else
		ret = a->profile ? print_profile(r, err) : print_records(r, err);
	if (ret == -EPIPE) {	/* the reader has closed the pipe */
		kt_err_clear(err);
		return 0;
	}
	return ret < 0 && !(err && err->code) ?
	       kt_err_set(err, ret, "cannot write: %s", strerror(-ret)) : ret;
}

static int print(struct report *r, int argc, char **argv, struct kt_err *err)
{
	int i, ret = 0;

	for (i = 0; i < argc && ret == 0; i++)
		ret = report_add_input(r->args, argv[i], err);
	if (ret == 0 && !r->args->choose.nr_inputs)
		ret = report_add_input(r->args, "trace.dat", err);
	if (ret < 0)
		return ret;
	ret = prepare(r, err);
	return ret < 0 ? ret : show(r, err);
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct report_args *a = args;
	struct report r = { .args = a };
	int ret;

	if (a->text.threads < 0)
		return cmd_misuse(err, "--threads %d: 1 or more, or 0 for all CPUs",
				  a->text.threads);
	if (a->choose.exclude && a->choose.nr_filters &&
	    !a->choose.filters[a->choose.nr_filters - 1].exclude && !cmd_style->any_options)
		return cmd_misuse(err, "-v needs a -F after it");
	ret = pager_wait(&r.pager, print(&r, argc, argv, err), err);
	if (ret == 0)
		ret = tell_damage(&r);
	if (ret == 0 && r.any)
		view_hint(a->inputs[0].path);

	kt_out_destroy(r.out);
	kt_text_destroy(r.text);
	report_close_plugins(a);
	kt_filter_destroy(r.filter);
	kt_trace_destroy(r.trace);
	return ret;
}

/* Options that print something instead of records; only one may be given, except those of a list */
#define INFO "endian page-size list-events check-events functions printk events event stat " \
	     "uname version"
#define CPU_INFO "cpus first-event last-event"

static const struct cmd_rule rules[] = {
	{ .options = "endian page-size list-events check-events functions printk events|event "
		     "cpus|first-event|last-event stat uname|version profile columns",
		     .alone = true },
	/* Options about the form of records are accepted here: they may be part of an alias */
	{ .options = "filter exclude time pid comm no-irq no-softirq",
	  .without = INFO " " CPU_INFO },
	{ .options = "cpu", .without = INFO },
	{ .options = "global-irqs hook by-comm sort top", .with = "profile" },
	{ .options = "no-irq no-softirq", .without = "columns" },
	{ .options = "plain-event", .without = "raw" },
	{ .options = "pager no-pager", .alone = true },
	{ .options = "fields csv", .without = "json raw latency profile columns layout ts-diff "
					      "align-ts raw pretty plain-event" },
	{ .options = "wall", .without = "align-ts raw-ts ts2secs latency" },
	{ .options = "exclude", .with = "filter" },
	{ .options = "filter-test", .with = "filter pid comm" },
	{ .options = "filter-test", .without = "json" },
	RULE_END
};

const struct cmd cmd_report = {
	.name      = "report",
	.summary   = "print the records of trace files",
	.words     = "[<file>…]",
	.examples  =
	"  ktrail report                        everything in ./trace.dat\n"
	"  ktrail report -F 'sched_switch: next_prio < 100' a.dat\n"
	"  ktrail report --time 12.5,+20ms --cpu 0-3 a.dat\n"
	"  ktrail report --json a.dat | jq .fields.next_comm\n"
	"  ktrail report --columns             statistics of numbers in events\n"
	"  ktrail report --profile              where tasks spent their time\n",
	.opts      = report_opts,
	.rules     = rules,
	.args_size = sizeof(struct report_args),
	.options_anywhere = true,
	.init      = report_init,
	.run       = run,
	.fini      = report_fini,
};
