# oracle-passes.sh - in a guest: record every event there is, as the kernel's text and as a trace file
# shellcheck shell=bash disable=SC2154
. ./oracle-load.sh
# 6.1's own text is damaged without it: there all addresses are masked
echo 1 >$T/options/hash-ptr
case $(uname -r) in
6.1.*) : >/out/hashed ;;
*)     echo 0 >$T/options/hash-ptr ;;
esac
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
	for cpu in $T/per_cpu/cpu*; do cat "$cpu/trace" >"/out/$name.${cpu##*/cpu}"; done
	ktrail extract -q -o "/out/$name.dat"
	echo 0 >$T/events/enable
	echo "$name: $(cut -d. -f1 /proc/uptime) s"
}
define_events
everything() { marks; processes; network; files; memory; marks; }
pass rare 8000 'lock preemptirq kmem irq_vectors timer rcu raw_syscalls sched/sched_stat_runtime
	kt/t_switch memcg capability/cap_capable' everything
pass all 1000 '' everything
