/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show.c - `ktrail show`: the trace as the kernel prints it, or a setting */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/settings.h>
#include <ktrail/status.h>

#include "cmd/args/rules.h"
#include "cmd/cmd.h"
#include "cmd/print/pager.h"
#include "show_copy.h"

struct args {
	bool pipe, snapshot, path;
	const char *instance, *cpu;
	const char *hist, *trigger;	/* events */
	const char *setting;		/* the file of the last option that names a setting */
};

/* One option for each file that trace-cmd shows */
#define SETTING(fn, file) \
	static int fn(void *args, const char *value, struct kt_err *err) \
	{ \
		(void)value; \
		(void)err; \
		((struct args *)args)->setting = file; \
		return 0; \
	}
SETTING(show_tracing_on, "tracing_on")
SETTING(show_tracer, "current_tracer")
SETTING(show_size, "buffer_size_kb")
SETTING(show_total, "buffer_total_size_kb")
SETTING(show_subbuf, "buffer_subbuf_size_kb")
SETTING(show_percent, "buffer_percent")
SETTING(show_filter, "set_ftrace_filter")
SETTING(show_notrace, "set_ftrace_notrace")
SETTING(show_pid, "set_ftrace_pid")
SETTING(show_graph, "set_graph_function")
SETTING(show_graph_not, "set_graph_notrace")
SETTING(show_cpumask, "tracing_cpumask")
SETTING(show_latency, "tracing_max_latency")

static const struct cmd_opt opts[] = {
	OPT_BOOL('p', "pipe", struct args, pipe, "print trace_pipe: wait for events, consume them"),
	OPT_BOOL('s', "snapshot", struct args, snapshot, "print the snapshot"),
	OPT_STR('c', "cpu", struct args, cpu, "cpu", "only this CPU"),
	OPT_STR('B', "instance", struct args, instance, "name", "apply to this instance"),
	OPT_BOOL('f', NULL, struct args, path, "print the path of the file first"),
	OPT_STR(0, "hist", struct args, hist, "event", "print the histograms of an event"),
	OPT_STR(0, "trigger", struct args, trigger, "event", "print the triggers of an event"),
	OPT_CALL(0, "tracing_on", show_tracing_on, NULL, "whether it is tracing"),
	OPT_CALL(0, "current_tracer", show_tracer, NULL, "the tracer"),
	OPT_CALL(0, "buffer_size", show_size, NULL, "the size of each CPU's buffer in KiB"),
	OPT_CALL(0, "buffer_total_size", show_total, NULL, "the size of all CPUs' buffers in KiB"),
	OPT_CALL(0, "buffer_subbuf_size", show_subbuf, NULL, "the size of a sub-buffer in KiB"),
	OPT_CALL(0, "buffer_percent", show_percent, NULL,
		"how full a buffer is when a reader wakes"),
	OPT_CALL(0, "ftrace_filter", show_filter, NULL, "the functions that are traced"),
	OPT_CALL(0, "ftrace_notrace", show_notrace, NULL, "the functions that are not traced"),
	OPT_CALL(0, "ftrace_pid", show_pid, NULL, "the pids of the function tracers"),
	OPT_CALL(0, "graph_function", show_graph, NULL, "the functions that are graphed"),
	OPT_CALL(0, "graph_notrace", show_graph_not, NULL, "the functions that are not graphed"),
	OPT_CALL(0, "cpumask", show_cpumask, NULL, "the CPUs that are traced"),
	OPT_CALL(0, "max_latency", show_latency, NULL, "the longest latency seen"),
	OPT_END
};

/* Opened by the library, which explains missing files and permissions. */
static int open_file(const struct kt_instance *inst, const char *file, char **path,
		     struct kt_err *err)
{
	char *text;
	int fd;

	*path = kt_instance_path(inst, file);
	fd = *path ? open(*path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd >= 0)
		return fd;
	text = kt_instance_read(inst, file, err);
	free(text);
	return err->code ? err->code : kt_err_set(err, -EIO, "cannot read %s/%s",
						  kt_instance_dir(inst), file);
}

static int show(const struct args *a, const struct kt_instance *inst, const char *file,
		uint64_t records, struct kt_err *err)
{
	char *path = NULL;
	int fd, ret;

	fd = ret = open_file(inst, file, &path, err);
	if (fd >= 0) {
		if (a->path)
			printf("%s\n", path);
		fflush(stdout);
		ret = show_copy(fd, path, records, err);
		close(fd);
	}
	free(path);
	return ret;
}

static int show_of_event(const struct args *a, const struct kt_instance *inst, const char *event,
			 const char *what, struct kt_err *err)
{
	struct kt_names dirs = { 0 };
	char file[600];
	int ret;
	size_t i;

	ret = kt_selection_find_each(inst, event, &dirs, err);
	for (i = 0; ret >= 0 && i < dirs.nr; i++) {
		snprintf(file, sizeof(file), "%s/%s", dirs.names[i], what);
		ret = show(a, inst, file, SHOW_ALL, err);
	}
	kt_names_fini(&dirs);
	return ret < 0 ? ret : 0;
}

/*
 * The number of records in the buffer now, of one CPU or of all. It does not grow if the reading
 * itself is traced.
 */
static uint64_t count_records(const struct kt_instance *inst, const char *cpu)
{
	struct kt_buffer_stats all = { 0 };
	struct kt_cpu_stats one = { 0 };
	int ret;

	if (kt_instance_shows_max(inst))
		return SHOW_ALL;
	ret = cpu ? kt_cpu_stats_read(inst, atoi(cpu), &one, NULL)
		  : kt_buffer_stats_read(inst, &all, NULL);
	if (ret < 0)
		return SHOW_ALL;
	return cpu ? one.sum.entries : all.entries;
}

static int show_trace(const struct args *a, const struct kt_instance *inst, struct kt_err *err)
{
	const char *trace = a->snapshot ? "snapshot" : "trace";
	const char *name = a->pipe ? "trace_pipe" : trace;
	bool grows = !a->pipe && !a->snapshot;
	char file[128];

	if (!a->cpu)
		return show(a, inst, name, grows ? count_records(inst, NULL) : SHOW_ALL, err);
	if (!*a->cpu || a->cpu[strspn(a->cpu, "0123456789")])
		return cmd_misuse(err, "'%s' is not a CPU number", a->cpu);
	snprintf(file, sizeof(file), "per_cpu/cpu%.10s/%s", a->cpu, name);
	return show(a, inst, file, grows ? count_records(inst, a->cpu) : SHOW_ALL, err);
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_instance *inst;
	struct pager p = { 0 };
	int ret;

	if (argc)
		return cmd_misuse(err, "unexpected argument '%s'", argv[0]);
	inst = kt_instance_open(a->instance, 0, err);
	if (!inst)
		return err->code;
	/* The pipe is live and ends with Ctrl-C. */
	ret = a->pipe ? 0 : pager_start_usual(&p, err);
	if (ret < 0)
		goto out;
	if (a->hist)
		ret = show_of_event(a, inst, a->hist, "hist", err);
	else if (a->trigger)
		ret = show_of_event(a, inst, a->trigger, "trigger", err);
	else if (a->setting)
		ret = show(a, inst, a->setting, SHOW_ALL, err);
	else
		ret = show_trace(a, inst, err);
out:
	ret = pager_wait(&p, ret, err);
	kt_instance_close(inst, NULL);
	return ret;
}

static const struct cmd_rule rules[] = {
	{ .options = "hist trigger tracing_on current_tracer buffer_size buffer_total_size "
		     "buffer_subbuf_size buffer_percent ftrace_filter ftrace_notrace ftrace_pid "
		     "graph_function graph_notrace cpumask max_latency pipe|snapshot|cpu",
	  .alone = true },
	{ .options = "p s", .alone = true, .always = true },
	RULE_END
};

const struct cmd cmd_show = {
	.name      = "show",
	.summary   = "print the trace of a running kernel, or a setting",
	.examples  = "  ktrail show                 the events of the top-level buffer\n"
		     "  ktrail show -p -B disk       follow an instance\n"
		     "  ktrail show --buffer_size\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.run       = run,
};
