/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setup.h - the options that record, start, set, stream and profile share */
#ifndef SETUP_H
#define SETUP_H

#include <stdbool.h>
#include <stdint.h>

#include <ktrail/session.h>

#include "cmd/args/level.h"
#include "cmd/cmd.h"

/*
 * Their order matters: -B selects the buffer for the options that follow, -f and -R
 * apply to the last -e, and -v inverts every -e and -B after it.
 *
 * A command with these options has a struct setup_args as the first member of its
 * arguments and SETUP_OPTS in its table. Its init calls setup_init, its fini calls
 * setup_fini, and its run calls setup_finish first.
 */
/* For --profile and `ktrail profile`: setup_profile.c */
struct profile_setup {
	bool enabled;
	bool only_given;		/* -S: only the events that were named */
	bool global_irqs, by_comm;	/* for the report */
	const char **hooks;		/* ends with NULL; NULL: none. free */
	size_t nr_hooks;
};

#define SETUP_NO_PRIORITY INT_MIN

struct setup_args {
	struct kt_setup setup;
	struct kt_setup_buffer *cur;	/* the buffer to which the next option applies */
	bool negate;			/* -v was seen */
	struct kt_state *session;	/* --session; owned */
	struct profile_setup profile;
	const char *module;		/* of the functions that are named from here on */
	bool keep;			/* -k: do not restore the settings at the end */
	bool quiet;

	/* processes */
	bool only_command;		/* -F */
	const char *user;		/* the user to run the command as */
	bool no_filter;			/* trace our own threads, too */
	bool own_stdout;		/* our stdout is for a program: the output of the command
					 * goes to stderr */

	/* for recordings; start and set accept and ignore these, as trace-cmd does */
	bool all_formats;		/* -a */
	bool date;
	const char *ts_offset;		/* raw units of the clock */
	bool tsc2nsec;
	bool proc_map;
	uint64_t sleep_us;		/* of a reader that found no data; UINT64_MAX: not given */
	int  priority;			/* SCHED_FIFO of the readers, 0: none; SETUP_NO_PRIORITY */
	bool poll, nosplice;
	bool debug, notimeout;
};

int  setup_init(void *args);
void setup_fini(void *args);

/**
 * setup_finish - check what depends on several options, once all of them are known
 * @needs_trace: a session without tracer and event is misuse
 * @argc: words left: the command to run and its arguments
 */
int setup_finish(struct setup_args *a, bool needs_trace, int argc, struct kt_err *err);
/*
 * Keep the settings with -k, otherwise restore them. @ret: the result so far; if it is an error, it
 * is returned
 */
int setup_end(struct setup_args *a, int ret, struct kt_err *err);
/* kt_setup_open and kt_setup_apply; prints what was skipped */
int setup_apply(struct setup_args *a, struct kt_err *err);
/*
 * --dry-run: print the writes of apply; with @start also those that start; with @stop those that
 * stop
 */
int setup_show(struct setup_args *a, bool start, bool stop, struct kt_err *err);

/* The value for kt_rec_opts, where 0 is the default */
int setup_rt_priority(const struct setup_args *a);

/*
 * With -F: trace only the command's own process. Its id is known before it runs, so no event is
 * missed. @pid: 0 or less if there is no command
 */
int setup_child(struct setup_args *a, int pid, struct kt_err *err);
/* Set @key of the machine to @value */
int setup_machine(struct setup_args *a, const char *key, const char *value, struct kt_err *err);

int setup_tracer(void *args, const char *value, struct kt_err *err);
int setup_event(void *args, const char *value, struct kt_err *err);
int setup_filter(void *args, const char *value, struct kt_err *err);
int setup_trigger(void *args, const char *value, struct kt_err *err);
int setup_negate(void *args, const char *value, struct kt_err *err);
int setup_instance(void *args, const char *value, struct kt_err *err);
int setup_stack(void *args, const char *value, struct kt_err *err);
int setup_func_stack(void *args, const char *value, struct kt_err *err);
int setup_function(void *args, const char *value, struct kt_err *err);
int setup_notrace(void *args, const char *value, struct kt_err *err);
int setup_graph(void *args, const char *value, struct kt_err *err);
int setup_option(void *args, const char *value, struct kt_err *err);
int setup_clock(void *args, const char *value, struct kt_err *err);
int setup_cpumask(void *args, const char *value, struct kt_err *err);
int setup_buffer_size(void *args, const char *value, struct kt_err *err);
int setup_subbuf_size(void *args, const char *value, struct kt_err *err);
int setup_cmdlines_size(void *args, const char *value, struct kt_err *err);
int setup_depth(void *args, const char *value, struct kt_err *err);
int setup_pids(void *args, const char *value, struct kt_err *err);
int setup_no_ftrace(void *args, const char *value, struct kt_err *err);
int setup_hook(void *args, const char *value, struct kt_err *err);
int setup_session(void *args, const char *value, struct kt_err *err);

/* Options about a file, and about the readers of the buffers: only record has them */
#define SETUP_FILE_WORDS_   "a date ts-offset tsc2nsec proc-map"
#define SETUP_READER_WORDS_ "s r poll nosplice"
#define SETUP_NO_FILE_RULE(words) \
	{ .options = words, .never = "is about recording into a file: `record` takes it" },
#define SETUP_RULES \
	{ .options = "module", .with = "l n g" }, \
	{ .options = "date ts-offset", .alone = true, .always = true },
#define SETUP_PROFILE_RULES \
	{ .options = "only-given", .with = "profile" },

#define SETUP_FLAG_(c, n, member, ...) OPT_BOOL(c, n, struct setup_args, member, __VA_ARGS__)

/* For commands that set up the running kernel: a saved state, below the other options */
#define SETUP_SESSION(flags) \
	OPT_CALL(0, "session", setup_session, "file", \
		"start from a file of `ktrail state save`", flags),

#define SETUP_DRY_RUN \
	SETUP_FLAG_(0, "dry-run", setup.dry, "print the writes to tracefs instead"),

/* What `ktrail report --profile` needs */
#define SETUP_HOOK_(flags) \
	OPT_CALL('H', "hook", setup_hook, "hook", \
		 "with --profile: time a pair start,field/end,field", flags), \
	SETUP_FLAG_('S', "only-given", profile.only_given, \
		    "with --profile: only the events and tracer named", flags)
#define SETUP_PROFILE \
	SETUP_FLAG_(0, "profile", profile.enabled, "trace what report --profile needs", RARE), \
	SETUP_HOOK_(RARE),

/*
 * Options for the events of a buffer, now or from boot. Ends with a comma, like SETUP_OPTS.
 * @flags: RARE if the command chooses its own events, and only a few of these are common.
 */
#define SETUP_BUFFER_OPTS(flags) \
	OPT_CALL('f', "filter", setup_filter, "expr", \
		"record only events of the last -e that match", flags), \
	OPT_CALL('R', "trigger", setup_trigger, "trigger", "attach this trigger to the last -e", \
		 flags), \
	OPT_CALL('p', "tracer", setup_tracer, "tracer", \
		"set the tracer: function, function_graph, …"), \
	OPT_CALL('l', "function", setup_function, "func", "trace only these functions"), \
	OPT_CALL('n', "notrace", setup_notrace, "func", "never trace these functions", flags), \
	OPT_CALL('g', "graph", setup_graph, "func", "graph these functions and their callees", \
		 flags), \
	OPT_CALL(0, "max-graph-depth", setup_depth, "n", "graph at most n nested levels", RARE), \
	OPT_CALL('T', NULL, setup_stack, NULL, "record a stack trace with each event", flags), \
	OPT_CALL('O', "option", setup_option, "opt", "set a trace option; noOPT clears it", \
		 flags), \
	OPT_CALL('B', "instance", setup_instance, "name", \
		 "the options that follow apply to this instance"), \
	OPT_CALL('C', "clock", setup_clock, "clock", "set the clock for time stamps", flags), \
	OPT_CALL('b', "buffer-size", setup_buffer_size, "kb", \
		 "set the size of each CPU's buffer: 4096, 64M", flags), \
	OPT_CALL('M', "cpumask", setup_cpumask, "hex", "trace these CPUs; -1: all", RARE),

/* … and by the running kernel only */
#define SETUP_TRACE_OPTS(flags) \
	OPT_CALL('e', "event", setup_event, "event", \
		 "trace these: sys:event, sys, event, glob, all"), \
	SETUP_BUFFER_OPTS(flags) \
	OPT_CALL('P', "pid", setup_pids, "pid,…", "trace only these processes"), \
	SETUP_FLAG_('F', NULL, only_command, "trace only the command that is run"), \
	SETUP_FLAG_('c', "follow", setup.follow, "with -F or -P: their children too"), \
	OPT_STR(0, "user", struct setup_args, user, "user", "run the command as this user", RARE), \
	OPT_CALL('v', NULL, setup_negate, NULL, "invert the next options: disable -e, delete -B", \
		 RARE), \
	OPT_STR(0, "module", struct setup_args, module, "mod", \
		"the next -l, -n, -g name functions of this module", RARE), \
	OPT_CALL(0, "func-stack", setup_func_stack, NULL, \
		 "record a stack trace with each function; needs -l", RARE), \
	SETUP_FLAG_('d', NULL, setup.no_functions, "other tracers do not trace functions", RARE), \
	OPT_CALL('D', NULL, setup_no_ftrace, NULL, "as -d, and set ftrace_enabled to 0", RARE), \
	OPT_CALL(0, "subbuf-size", setup_subbuf_size, "kb", \
		 "set the size of a sub-buffer", RARE), \
	OPT_CALL(0, "cmdlines-size", setup_cmdlines_size, "n", \
		 "number of task names that the kernel keeps", RARE), \
	SETUP_FLAG_(0, "no-filter", no_filter, "trace ktrail's own threads too", RARE), \
	SETUP_FLAG_('i', NULL, setup.ignore_missing, "ignore events that do not exist", RARE),

/* `static const struct cmd_opt opts[] = { SETUP_OPTS() … OPT_END };` */
#define SETUP_OPTS(flags) \
	SETUP_TRACE_OPTS(flags) \
	SETUP_FLAG_('k', "keep", keep, "do not restore the settings at the end", flags), \
	SETUP_FLAG_('q', "quiet", quiet, "do not print status lines", RARE), \
	SETUP_FLAG_('a', NULL, all_formats, "store the formats of all events", RARE), \
	SETUP_FLAG_(0, "date", date, "store the wall-clock time in the file", RARE), \
	OPT_STR(0, "ts-offset", struct setup_args, ts_offset, "n", "add this to each time stamp", \
		 RARE), \
	SETUP_FLAG_(0, "tsc2nsec", tsc2nsec, "store the factors from cycles to nanoseconds", \
		 RARE), \
	SETUP_FLAG_(0, "proc-map", proc_map, "store the address maps of the traced processes", \
		 RARE), \
	OPT_U64('s', "sleep", struct setup_args, sleep_us, "us", \
		"polling interval of the readers", RARE), \
	OPT_INT('r', "rt-priority", struct setup_args, priority, "prio", \
		"run readers with this SCHED_FIFO priority", RARE), \
	SETUP_FLAG_(0, "poll", poll, "let readers spin instead of sleeping", RARE), \
	SETUP_FLAG_(0, "nosplice", nosplice, NULL), \
	OPT_LEVEL_IGNORED, \
	SETUP_FLAG_(0, "debug", debug, NULL), \
	SETUP_FLAG_(0, "notimeout", notimeout, NULL),

#endif
