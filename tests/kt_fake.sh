# kt_fake.sh - a folder that looks like a tracefs, for shell tests: . tests/kt_fake.sh
# shellcheck shell=bash
#
# Plain files: they keep what is written, without a check. fake_tracefs makes one in $KT_TMP, as a
# copy of the first, and points ktrail at it; put FILE TEXT changes a file of it, get FILE prints one.

put() {
	[ -d "$FAKE/${1%/*}" ] || [[ $1 != */* ]] || mkdir -p "$FAKE/${1%/*}"
	printf '%b\n' "$2" >"$FAKE/$1"
}

get() {
	cat "$FAKE/$1"
}

# fake_buffer PREFIX: the files that every instance has
fake_buffer() {
	local event dir file cpu

	put "$1tracing_on" 1
	put "$1current_tracer" nop
	put "$1available_tracers" 'function_graph function nop'
	put "$1trace" '# tracer: nop'
	put "$1trace_clock" '[local] global mono boot'
	put "$1trace_options" 'nostacktrace\nrecord-cmd'
	put "$1options/stacktrace" 0
	put "$1options/record-cmd" 1
	put "$1options/event-fork" 0
	put "$1buffer_size_kb" 1408
	put "$1buffer_total_size_kb" 2816
	put "$1buffer_subbuf_size_kb" 4
	put "$1buffer_percent" 50
	put "$1tracing_cpumask" 3
	for file in set_event set_event_pid set_event_notrace_pid error_log; do
		: >"$FAKE/$1$file"
	done
	for cpu in 0 1; do
		put "$1per_cpu/cpu$cpu/buffer_size_kb" 1408
		put "$1per_cpu/cpu$cpu/trace" "# of CPU $cpu"
		put "$1per_cpu/cpu$cpu/stats" 'entries: 3\noverrun: 1\ncommit overrun: 0\nbytes: 96\noldest event ts: 10.000000\nnow ts: 12.500000\ndropped events: 0\nread events: 4'
	done
	put "$1events/enable" 0
	for event in sched:sched_switch sched:sched_wakeup irq:irq_handler_entry; do
		dir=$1events/${event/:/\/}
		put "$dir/enable" 0
		put "$dir/filter" none
		put "$dir/trigger" '# Available triggers:\n# traceon traceoff'
		put "${dir%/*}/enable" 0
		put "${dir%/*}/filter" none
	done
}

fake_first() {
	local event system name id
	mkdir -p "$FAKE/instances"
	put sysctl/ftrace_enabled 1
	put sysctl/ftrace_dump_on_oops 0
	put sysctl/stack_tracer_enabled 0
	fake_buffer ''
	put available_events 'sched:sched_switch\nsched:sched_wakeup\nirq:irq_handler_entry'
	put available_filter_functions 'vfs_read\nvfs_write\nschedule\next4_map_blocks [ext4]'
	put set_ftrace_filter '#### all functions enabled ####'
	put set_ftrace_notrace '#### no functions disabled ####'
	put set_ftrace_pid 'no pid'
	put set_graph_function '#### all functions enabled ####'
	put set_graph_notrace '#### no functions disabled ####'
	put max_graph_depth 0
	put tracing_thresh 0
	put saved_cmdlines_size 128
	: >"$FAKE/dynamic_events"
	for event in sched:sched_switch:314 sched:sched_wakeup:315 irq:irq_handler_entry:20; do
		IFS=: read -r system name id <<<"$event"
		put "events/$system/$name/id" "$id"
		put "events/$system/$name/format" "name: $name\nID: $id\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:int prev_pid;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"prev_pid=%d\", REC->prev_pid"
	done
}

fake_tracefs() {
	FAKE=$KT_TMP/tracefs
	rm -rf "$FAKE"
	export KTRAIL_TRACEFS=$FAKE KTRAIL_JOURNAL_DIR=$KT_TMP/journals KTRAIL_SYSCTL=$FAKE/sysctl
	export KTRAIL_DEBUGFS=$FAKE/debug
	[ -d "$FAKE.first" ] || { fake_first && mv "$FAKE" "$FAKE.first"; }
	cp -r "$FAKE.first" "$FAKE"
}

# fake_instance NAME: an instance as if created by another user
fake_instance() {
	fake_buffer "instances/$1/"
}

# fake_state: all settings, to compare before and after
fake_state() {
	(cd "$FAKE" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 grep -aH '' | grep -av '^./trace:' | tr -d '\0')
}
