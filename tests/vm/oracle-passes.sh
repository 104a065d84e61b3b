# oracle-passes.sh [quick] - in a guest: record every event, as the kernel's text and as a trace file
# shellcheck shell=bash disable=SC2154
. ./oracle-load.sh
# the text of 6.1 is damaged without it: it masks all addresses
echo 1 >$T/options/hash-ptr
case $(uname -r) in
6.1.*) : >/out/hashed ;;
*)     echo 0 >$T/options/hash-ptr ;;
esac
echo 0 >$T/options/overwrite

# switch 0|1 EVENTS
switch() {
	local event
	for event in $2; do [ ! -e $T/events/$event/enable ] || echo "$1" >$T/events/$event/enable; done
}

# pass NAME KIB LOAD…: record the enabled events as text and as a file; the buffer keeps the first ones
pass() {
	local name=$1 kib=$2 cpu
	shift 2
	echo 0 >$T/tracing_on; echo >$T/trace
	echo "$kib" >$T/buffer_size_kb
	echo 1 >$T/tracing_on
	"$@" >/dev/null 2>&1
	echo 0 >$T/tracing_on
	for cpu in $T/per_cpu/cpu*; do cat "$cpu/trace" >"/out/$name.${cpu##*/cpu}"; done
	ktrail extract -q -o "/out/$name.dat"
	echo 0 >$T/events/enable
	echo "$name: $(cut -d. -f1 /proc/uptime) s"
}
everything() { marks; processes; network; files; memory; marks; }
# Very frequent events need not be recorded a hundred thousand times
frequent='lock preemptirq kmem irq_vectors timer rcu raw_syscalls sched/sched_stat_runtime kt/t_switch memcg
	capability/cap_capable'

# option 0|1 NAME…: those that this kernel has
option() {
	local name
	for name in "${@:2}"; do [ ! -e "$T/options/$name" ] || echo "$1" >"$T/options/$name"; done
}

# The records of the function tracers, among those of events
functions() {
	echo 'vfs_read vfs_write schedule do_sys_openat2 kfree' >$T/set_ftrace_filter
	echo function >$T/current_tracer
	echo 1 >$T/options/func-no-repeats
	switch 1 sched/sched_switch
	pass function 300 processes
	echo 0 >$T/options/func-no-repeats
	if [ -e $T/options/func-args ]; then
		echo 1 >$T/options/func-args
		switch 1 sched/sched_switch
		pass function-args 300 processes
		echo 0 >$T/options/func-args
	fi
	option 1 funcgraph-args funcgraph-retaddr funcgraph-retval
	echo function_graph >$T/current_tracer
	switch 1 sched/sched_switch
	pass graph 300 processes
	option 0 funcgraph-args funcgraph-retaddr funcgraph-retval
	echo nop >$T/current_tracer
	echo >$T/set_ftrace_filter
}
define_events
triggers
if [ "${1:-}" = quick ]; then
	some() { marks; processes; }
	echo 1 >$T/events/enable
	pass all 600 some
	triggers '!'
	functions
	return
fi
echo 1 >$T/events/enable
switch 0 "$frequent"
pass rare 8000 everything
echo 1 >$T/events/enable
pass all 1000 everything
triggers '!'
switch 1 'sched/sched_switch syscalls/sys_enter_openat kt/r_read'
echo 1 >$T/options/stacktrace
echo 1 >$T/options/userstacktrace
pass stacks 200 busybox true
echo 0 >$T/options/stacktrace
echo 0 >$T/options/userstacktrace
functions
