# doctor.sh - features that doctor reports as present can be used, and the others cannot
# shellcheck shell=bash disable=SC2154
. tests/proof.sh

option() { [ -e $T/options/"$1" ] && echo 1 >$T/options/"$1" && echo 0 >$T/options/"$1"; }
tracer() {
	echo schedule >$T/set_ftrace_filter
	local r=0
	{ echo "$1" >$T/current_tracer && echo nop >$T/current_tracer; } || r=1
	echo >$T/set_ftrace_filter
	return $r
}
dynamic() { echo "$1" >>$T/dynamic_events && echo "-:$2" >>$T/dynamic_events; }
trigger() { echo "$1" >>$T/events/sched/sched_switch/trigger && echo "!$1" >>$T/events/sched/sched_switch/trigger; }
pids() { echo $$ >$T/"$1" && grep -qw $$ $T/"$1" && echo >$T/"$1"; }
config() { grep -q "^$1=y" /boot/config-*; }
version() { [ "$(printf '%s\n' "$1" "$(uname -r)" | sort -V | head -1)" = "$1" ]; }

# usable FEATURE: try it
usable() {
	case $1 in
	events)			echo 1 >$T/events/sched/sched_switch/enable && echo 0 >$T/events/sched/sched_switch/enable ;;
	syscalls)		echo 1 >$T/events/syscalls/sys_enter_openat/enable && echo 0 >$T/events/syscalls/sys_enter_openat/enable ;;
	"pid filters")		pids set_event_pid ;;
	"pid exclusion")	pids set_event_notrace_pid ;;
	triggers)		trigger 'traceoff:1 if prev_pid == -7' ;;
	hist)			trigger hist:keys=next_pid ;;
	synth)			echo 'kt_probe u64 a' >>$T/synthetic_events && echo '!kt_probe' >>$T/synthetic_events ;;
	instances)		mkdir $T/instances/kt && rmdir $T/instances/kt ;;
	snapshot)		echo 1 >$T/snapshot && echo 0 >$T/snapshot ;;
	error_log)		echo 'x == 1' >$T/events/sched/sched_switch/filter; grep -q 'x == 1' $T/error_log
				local r=$?; echo 0 >$T/events/sched/sched_switch/filter; echo >$T/error_log; return $r ;;
	"raw marker")		printf '\1\0\0\0abc' >$T/trace_marker_raw ;;
	"sub-buffer size")	echo 8 >$T/buffer_subbuf_size_kb && echo 4 >$T/buffer_subbuf_size_kb ;;
	"follow forks")		option event-fork ;;
	"CPU filters")		echo 'target_cpu & CPUS{0}' >$T/events/sched/sched_wakeup/filter
				# a refused value is shown there, too, until the next write
				local r=$?; echo 0 >$T/events/sched/sched_wakeup/filter; return $r ;;
	"events of modules")	echo :mod:nobody >>$T/set_event && echo '!:mod:nobody' >>$T/set_event ;;
	"filter lists")		cat $T/show_event_filters >/dev/null ;;
	"syscall texts")	[ -e $T/syscall_user_buf_size ] ;;
	onmax | onchange)	trigger "hist:keys=next_pid:p=prev_pid:$1(\$p).save(next_comm)" ;;
	buckets)		trigger hist:keys=next_pid.buckets=10 ;;
	"task names in hist")	trigger hist:keys=common_comm ;;
	"snapshot of a CPU")	echo 1 >$T/per_cpu/cpu0/snapshot && echo 0 >$T/snapshot ;;
	"group access")		version 5.16 ;;
	"trace_printk choice")	[ -e $T/options/trace_printk_dest ] ;;
	"copies of markers")	[ -e $T/options/copy_trace_marker ] ;;
	"boot instances")	version 6.3 ;;
	"functions of modules")	echo :mod:virtio_blk >$T/set_ftrace_filter && echo >$T/set_ftrace_filter ;;
	"function commands")	echo schedule:traceoff:1 >>$T/set_ftrace_filter && echo '!schedule:traceoff:0' >>$T/set_ftrace_filter && echo 1 >$T/tracing_on ;;
	"function addresses")	[ "$(head -c 1 $T/available_filter_functions_addrs)" ] ;;
	"function pids")	pids set_ftrace_notrace_pid ;;
	"graph filters")	echo schedule >$T/set_graph_function && echo >$T/set_graph_function ;;
	"graph depth")		echo 2 >$T/max_graph_depth && echo 0 >$T/max_graph_depth ;;
	"graph in instances")	mkdir $T/instances/kt && grep -qw function_graph $T/instances/kt/available_tracers
				local r=$?; rmdir $T/instances/kt; return $r ;;
	tracing_thresh)		echo 5 >$T/tracing_thresh && echo 0 >$T/tracing_thresh ;;
	preemptirqsoff | wakeup_rt | wakeup_dl | \
	function | function_graph | irqsoff | preemptoff | wakeup | osnoise | timerlat | blk)	tracer "$1" ;;
	hwlat)			tracer "$1"
				# a kernel that cannot move the tracer's thread to other CPUs sets
				# the mode to none
				local r=$?; echo round-robin >$T/hwlat_detector/mode; return $r ;;
	"function filters")	echo schedule >$T/set_ftrace_filter && echo >$T/set_ftrace_filter ;;
	"return values")	option funcgraph-retval ;;
	"return addresses")	option funcgraph-retaddr ;;
	arguments)		option func-args ;;
	"function profiler")	[ -e $T/function_profile_enabled ] ;;
	"touched functions")	cat $T/touched_functions >/dev/null ;;
	"stack tracer")		[ -e /proc/sys/kernel/stack_tracer_enabled ] && cat $T/stack_trace >/dev/null ;;
	kprobes)		dynamic p:kt/a\ vfs_read kt/a ;;
	uprobes)		dynamic 'p:kt/a /bin/bash:0x1000' kt/a ;;
	eprobes)		dynamic 'e:kt/a sched.sched_switch p=$prev_pid' kt/a ;;
	fprobes)		dynamic f:kt/a\ vfs_read kt/a ;;
	"tracepoint probes")	dynamic 't:kt/a sched_switch' kt/a ;;
	"BTF arguments")	dynamic 'f:kt/a vfs_read count' kt/a ;;
	user_events)		[ -e $T/user_events_data ] ;;
	rv)			cat $T/rv/available_monitors >/dev/null ;;
	remotes)		[ -d $T/remotes ] ;;
	"boot tracing")		config CONFIG_BOOTTIME_TRACING && [ -e /proc/bootconfig ] ;;
	"mapped buffer")	version 6.10 ;;		# proved by the next part
	"persistent buffer")	version 6.12 ;;		# proved by boot.t
	*)			note "nobody knows how to try '$1'"; return 2 ;;
	esac 2>/dev/null
}

ktrail doctor --json >"$KT_TMP/doctor.json"
ok $? "doctor runs"
sed -n 's/.*"name": "\([^"]*\)", "state": "\([^"]*\)".*/\1:\2/p' "$KT_TMP/doctor.json" >"$KT_TMP/features"
[ "$(wc -l <"$KT_TMP/features")" -gt 30 ]
ok $? "it knows many features"
while IFS=: read -r feature state; do
	usable "$feature"
	case $?:$state in
	0:present | 1:absent)	ok 0 "$feature is $state" ;;
	*)			ok 1 "$feature is $state, as is seen when it is tried" ;;
	esac
done <"$KT_TMP/features"
unlike "$(cat "$KT_TMP/doctor.json")" '"state": "unknown"' "nothing is unknown to root"
unchanged
done_testing
