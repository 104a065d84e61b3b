/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.c - all subcommands, in the order that help lists them */
#include "cmd.h"

/* one line for each command */
extern const struct cmd cmd_bisect;
extern const struct cmd cmd_boot;
extern const struct cmd cmd_buffer;
extern const struct cmd cmd_capture;
extern const struct cmd cmd_capture_crash;
extern const struct cmd cmd_check;
extern const struct cmd cmd_check_events;
extern const struct cmd cmd_clear;
extern const struct cmd cmd_clock;
extern const struct cmd cmd_complete;
extern const struct cmd cmd_convert;
extern const struct cmd cmd_cpumask;
extern const struct cmd cmd_diff;
extern const struct cmd cmd_doctor;
extern const struct cmd cmd_dump;
extern const struct cmd cmd_dump_on_oops;
extern const struct cmd cmd_error_log;
extern const struct cmd cmd_export;
extern const struct cmd cmd_flame;
extern const struct cmd cmd_extract;
extern const struct cmd cmd_filter;
extern const struct cmd cmd_functions;
extern const struct cmd cmd_hist;
extern const struct cmd cmd_import;
extern const struct cmd cmd_instance;
extern const struct cmd cmd_irq;
extern const struct cmd cmd_latency;
extern const struct cmd cmd_list;
extern const struct cmd cmd_lock;
extern const struct cmd cmd_marker;
extern const struct cmd cmd_mem;
extern const struct cmd cmd_options;
extern const struct cmd cmd_probe;
extern const struct cmd cmd_profile;
extern const struct cmd cmd_record;
extern const struct cmd cmd_report;
extern const struct cmd cmd_view;
extern const struct cmd cmd_reset;
extern const struct cmd cmd_restart;
extern const struct cmd cmd_restore;
extern const struct cmd cmd_restore_settings;
extern const struct cmd cmd_rv;
extern const struct cmd cmd_sched;
extern const struct cmd cmd_set;
extern const struct cmd cmd_show;
extern const struct cmd cmd_snapshot;
extern const struct cmd cmd_split;
extern const struct cmd cmd_sqlhist;
extern const struct cmd cmd_stack;
extern const struct cmd cmd_start;
extern const struct cmd cmd_stat;
extern const struct cmd cmd_state;
extern const struct cmd cmd_stop;
extern const struct cmd cmd_stream;
extern const struct cmd cmd_synth;
extern const struct cmd cmd_syscalls;
extern const struct cmd cmd_tracer;
extern const struct cmd cmd_trigger;
extern const struct cmd cmd_user_events;
extern const struct cmd cmd_why;

const struct cmd *const cmd_table[] = {
	&cmd_record,
	&cmd_stream,
	&cmd_capture,
	&cmd_profile,
	&cmd_extract,
	&cmd_report,
	&cmd_view,
	&cmd_latency,
	&cmd_why,
	&cmd_diff,
	&cmd_check,
	&cmd_bisect,
	&cmd_sched,
	&cmd_irq,
	&cmd_lock,
	&cmd_syscalls,
	&cmd_start,
	&cmd_set,
	&cmd_stop,
	&cmd_restart,
	&cmd_reset,
	&cmd_clear,
	&cmd_show,
	&cmd_snapshot,
	&cmd_stack,
	&cmd_stat,
	&cmd_list,
	&cmd_check_events,
	&cmd_instance,
	&cmd_buffer,
	&cmd_tracer,
	&cmd_clock,
	&cmd_cpumask,
	&cmd_marker,
	&cmd_functions,
	&cmd_error_log,
	&cmd_dump_on_oops,
	&cmd_user_events,
	&cmd_mem,
	&cmd_options,
	&cmd_probe,
	&cmd_rv,
	&cmd_boot,
	&cmd_capture_crash,
	&cmd_sqlhist,
	&cmd_synth,
	&cmd_doctor,
	&cmd_hist,
	&cmd_state,
	&cmd_trigger,
	&cmd_filter,
	&cmd_export,
	&cmd_import,
	&cmd_flame,
	&cmd_dump,
	&cmd_restore,
	&cmd_convert,
	&cmd_split,
	&cmd_restore_settings,
	&cmd_complete,
	NULL
};
