/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setup.h - the options that record, start, set, stream and profile share */
#ifndef SETUP_H
#define SETUP_H

#include <stdbool.h>
#include <stdint.h>

#include <ktrail/session.h>

#include "cmd.h"
#include "level.h"

/* -h has one screen: these are for few. */
#define SETUP_RARE "v module max-graph-depth func-stack d D subbuf-size M cmdlines-size user " \
		   "no-filter i a date ts-offset tsc2nsec proc-map s r poll no-reset "
/*
 * Their order matters: -B says which buffer the following options are about,
 * -f and -R belong to the last -e, -v inverts every -e and -B after it.
 *
 * A command that takes them has a struct setup_args as the first member of its
 * arguments, SETUP_OPTS in its table, and setup_init and setup_fini as (or in)
 * its init and fini; its run calls setup_finish before anything else.
 */
/* Of --profile and `ktrail profile`: setup_profile.c */
struct profile_setup {
	bool enabled;
	bool only_given;		/* -S: no events but those that were named */
	bool global_irqs, by_comm;	/* for the report */
	const char **hooks;		/* ends with NULL; NULL: none. free */
	size_t nr_hooks;
};

#define SETUP_NO_PRIORITY INT_MIN

struct setup_args {
	struct kt_setup setup;
	struct kt_setup_buffer *cur;	/* what the next option is about */
	bool negate;			/* -v was seen */
	struct kt_state *session;	/* --session; owned */
	struct profile_setup profile;
	const char *module;		/* of functions named from here on */
	bool keep;			/* -k: leave everything as it is at the end */
	bool quiet;

	/* processes */
	bool only_command;		/* -F */
	const char *user;		/* whom the command runs as */
	bool no_filter;			/* trace ourselves, too */
	bool own_stdout;		/* a program reads it: what the command
					 * prints goes to stderr */

	/* for those that record; start and set accept and ignore them, as trace-cmd does */
	bool all_formats;		/* -a */
	bool date;
	const char *ts_offset;		/* raw units of the clock */
	bool tsc2nsec;
	bool proc_map;
	uint64_t sleep_us;		/* of a reader that found nothing; UINT64_MAX: not given */
	int  priority;			/* SCHED_FIFO of the readers, 0: none; SETUP_NO_PRIORITY */
	bool poll, nosplice;
	bool debug, notimeout;
};

int  setup_init(void *args);
void setup_fini(void *args);

/**
 * setup_finish - what can be said only when all options were seen
 * @needs_trace: a session without tracer and event is misuse
 * @argc: words left: the command to run and its arguments
 */
int setup_finish(struct setup_args *a, bool needs_trace, int argc, struct kt_err *err);
/* Keep with -k, else put back. @ret: how it went so far, which stays the first thing to report */
int setup_end(struct setup_args *a, int ret, struct kt_err *err);
/* kt_setup_open and kt_setup_apply; what was left alone is said */
int setup_apply(struct setup_args *a, struct kt_err *err);
/* --dry-run: print what apply, and start when @start, would write; when @stop, also the stop */
int setup_show(struct setup_args *a, bool start, bool stop, struct kt_err *err);

/* As kt_rec_opts has it, where 0 is the usual */
int setup_rt_priority(const struct setup_args *a);

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

/* Options about a file, and about the readers of the buffers: only record takes them */
#define SETUP_FILE_WORDS_   "a date ts-offset tsc2nsec proc-map"
#define SETUP_READER_WORDS_ "s r poll nosplice"
#define SETUP_NO_FILE_RULE(words) \
	{ .options = words, .never = "is about recording into a file: `record` takes it" },
#define SETUP_RULES \
	{ .options = "module", .with = "l n g" },
#define SETUP_PROFILE_RULES \
	{ .options = "only-given", .with = "profile" },

#define SETUP_FLAG_(c, n, member, h) OPT_BOOL(c, n, struct setup_args, member, h)

/* Of those that set the running kernel: a saved state below the other options */
#define SETUP_SESSION \
	OPT_CALL(0, "session", setup_session, "file", "start from a file of `ktrail state save`"),

#define SETUP_DRY_RUN \
	SETUP_FLAG_(0, "dry-run", setup.dry, "print the writes to tracefs, do nothing"),

/* What `ktrail report --profile` needs */
#define SETUP_HOOK_ \
	OPT_CALL('H', "hook", setup_hook, "hook", \
		 "--profile: one more pair, start,field/end,field"), \
	SETUP_FLAG_('S', "only-given", profile.only_given, \
		    "--profile: only the events and tracer named")
#define SETUP_PROFILE \
	SETUP_FLAG_(0, "profile", profile.enabled, "trace what report --profile needs"), \
	SETUP_HOOK_,

/* A trailing comma is part of it: `static const struct cmd_opt opts[]
 * = { SETUP_OPTS … OPT_END };` */
#define SETUP_OPTS \
	OPT_CALL('e', "event", setup_event, "event", \
		 "trace this: sys:event, sys, event, glob, all"), \
	OPT_CALL('f', "filter", setup_filter, "expr", "only records of the last -e that match"), \
	OPT_CALL('R', "trigger", setup_trigger, "trigger", "do this when the last -e happens"), \
	OPT_CALL('v', NULL, setup_negate, NULL, "invert what follows: disable (-e), delete (-B)"), \
	OPT_CALL('p', "tracer", setup_tracer, "tracer", "trace with function, function_graph, …"), \
	OPT_CALL('l', "function", setup_function, "func", "trace only these functions"), \
	OPT_CALL('n', "notrace", setup_notrace, "func", "never trace these functions"), \
	OPT_CALL('g', "graph", setup_graph, "func", "graph these functions and what they call"), \
	OPT_STR(0, "module", struct setup_args, module, "mod", \
		"the following -l, -n, -g are of this module"), \
	OPT_CALL(0, "max-graph-depth", setup_depth, "n", "graph at most this many levels"), \
	OPT_CALL('T', NULL, setup_stack, NULL, "a stack trace with each event"), \
	OPT_CALL(0, "func-stack", setup_func_stack, NULL, \
		 "a stack trace with each function; needs -l"), \
	SETUP_FLAG_('d', NULL, setup.no_functions, "no function tracing by other tracers"), \
	OPT_CALL('D', NULL, setup_no_ftrace, NULL, "as -d, and set ftrace_enabled to 0"), \
	OPT_CALL('O', "option", setup_option, "opt", "set a trace option; noOPT unsets it"), \
	OPT_CALL('B', "instance", setup_instance, "name", \
		 "the options that follow are about this instance"), \
	OPT_CALL('C', "clock", setup_clock, "clock", "clock for the time stamps"), \
	OPT_CALL('b', "buffer-size", setup_buffer_size, "kb", \
		 "size of each CPU's buffer (64M works too)"), \
	OPT_CALL(0, "subbuf-size", setup_subbuf_size, "kb", \
		 "size of a sub-buffer"), \
	OPT_CALL('M', "cpumask", setup_cpumask, "hex", "trace these CPUs; -1: all"), \
	OPT_CALL(0, "cmdlines-size", setup_cmdlines_size, "n", \
		 "number of task names to remember"), \
	OPT_CALL('P', "pid", setup_pids, "pid,…", "trace only these processes"), \
	SETUP_FLAG_('F', NULL, only_command, "trace only the command that is run"), \
	SETUP_FLAG_('c', "follow", setup.follow, "with -F or -P: their children too"), \
	OPT_STR(0, "user", struct setup_args, user, "user", "run the command as this user"), \
	SETUP_FLAG_(0, "no-filter", no_filter, "trace ktrail's own threads too"), \
	SETUP_FLAG_('i', NULL, setup.ignore_missing, "ignore events that do not exist"), \
	SETUP_FLAG_('k', "keep", keep, "leave the settings as they are at the end"), \
	SETUP_FLAG_('q', "quiet", quiet, "print no status"), \
	SETUP_FLAG_('a', NULL, all_formats, "save the formats of all events"), \
	SETUP_FLAG_(0, "date", date, "store the wall-clock time in the file"), \
	OPT_STR(0, "ts-offset", struct setup_args, ts_offset, "n", "add to each time stamp"), \
	SETUP_FLAG_(0, "tsc2nsec", tsc2nsec, "save the factors from cycles to nanoseconds"), \
	SETUP_FLAG_(0, "proc-map", proc_map, "save the address maps of the traced processes"), \
	OPT_U64('s', "sleep", struct setup_args, sleep_us, "us", \
		"polling interval of the readers"), \
	OPT_INT('r', "rt-priority", struct setup_args, priority, "prio", \
		"readers run SCHED_FIFO"), \
	SETUP_FLAG_(0, "poll", poll, "readers spin instead of sleeping"), \
	SETUP_FLAG_(0, "nosplice", nosplice, NULL), \
	OPT_LEVEL_IGNORED, \
	SETUP_FLAG_(0, "debug", debug, NULL), \
	SETUP_FLAG_(0, "notimeout", notimeout, NULL),

#endif
