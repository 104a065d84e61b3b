# oracle-passes.sh - in a guest: record every event there is, as the kernel's text and as a trace file
# shellcheck shell=bash disable=SC2154
. ./oracle-load.sh
echo 1 >$T/options/hash-ptr
echo 0 >$T/options/hash-ptr
echo 0 >$T/options/overwrite

# pass NAME KIB EVENTS LOAD…: all events but EVENTS; the buffer keeps the first ones
pass() {
	local name=$1 kib=$2 off=$3 cpu event
	shift 3
	echo 0 >$T/tracing_on; echo >$T/trace
	echo "$kib" >$T/buffer_size_kb
	echo 1 >$T/events/enable
	for event in $off; do [ ! -e $T/events/$event/enable ] || echo 0 >$T/events/$event/enable; done
	echo 1 >$T/tracing_on
	"$@" >/dev/null 2>&1
	echo 0 >$T/tracing_on
	for cpu in $T/per_cpu/cpu*; do gzip -1 <"$cpu/trace" >"/out/$name.${cpu##*/cpu}.gz"; done
	ktrail extract -q -o "/out/$name.dat"
	echo 0 >$T/events/enable
}
define_events
everything() { marks; processes; network; files; memory; marks; }
pass rare 30000 'lock preemptirq kmem irq_vectors timer rcu raw_syscalls sched/sched_stat_runtime kt/
	kt/t_switch' everything
pass all 2000 '' everything
