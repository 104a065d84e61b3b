#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# capture.sh [RUNS] - the cost of an armed recorder, of trace-cmd start, of perf record --overwrite
#
# A pinned process makes getppid calls while system calls are traced; two tasks wake each other
# (perf bench sched pipe) while scheduler events are traced. Each round runs them untraced, then
# with each program. Prints medians over RUNS (5) rounds: the CPU time of a call, the time of a
# turn, and its ratio to the untraced time of the same round. All buffers have 4 MiB for each CPU.
set -u
cd "$(dirname "$0")/../.." || exit 1
K=${KTRAIL:-${B:-build}/ktrail}
runs=${1:-5}
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
tracing=/sys/kernel/tracing I=$tracing/instances/ktrail-bench

[ "$(id -u)" = 0 ] && [ -e $tracing/events/raw_syscalls ] ||
	{ echo "capture.sh: needs root and tracefs with raw_syscalls"; exit 77; }
command -v perf >/dev/null || { echo "capture.sh: no perf to compare with"; exit 77; }
make -s "${B:-build}"/{ktrail,tests/bench/getppid} || exit 1
getppid=${B:-build}/tests/bench/getppid

# ns NAME: CPU time of one call; time of one turn
ns() {
	case $1 in
	getppid) "$getppid" 2000000 "$T/l" && awk '{ print $3 * 500 }' "$T/l" ;;
	pipe)	 perf bench -f simple sched pipe -l 100000 2>/dev/null | awk '{ print $1 * 10000 }' ;;
	esac
}

# armed LOAD EVENT PROGRAM: its time with this program armed
armed() {
	local pid
	case $3 in
	untraced) ns "$1"; return ;;
	trace-cmd)			# start -B: trace-cmd 3.1 crashes where functions are refused
		mkdir "$I"
		echo mono >"$I/trace_clock"
		echo 4096 >"$I/buffer_size_kb"
		echo "$2" >"$I/set_event"
		ns "$1"
		rmdir "$I"
		return ;;
	perf)	perf record -q -a --overwrite --switch-output=signal -m 1024 -c 1 -e "$2:*" \
			-o "$T/perf.data" >/dev/null 2>&1 & pid=$! ;;
	capture-event)
		"$K" capture -q -B ktrail-bench --memory $(($(nproc) * 4))M -e "$2" -o "$T/c" \
			--when 'event sched_process_exec: pid == -2' & pid=$! ;;
	capture-wakeup)
		"$K" capture -q -B ktrail-bench --memory $(($(nproc) * 4))M -e "$2" -o "$T/c" \
			--when 'wakeup > 100s' & pid=$! ;;
	esac
	sleep 2.5			# until the ring buffer has its size
	ns "$1"
	kill -INT $pid
	wait $pid 2>/dev/null
}

median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

programs='untraced trace-cmd perf capture-event capture-wakeup'
for load in "getppid raw_syscalls" "pipe sched"; do
	read -r name event <<<"$load"
	for ((i = 0; i < runs; i++)); do
		for p in $programs; do
			t=$(armed "$name" "$event" "$p")
			[ "$p" != untraced ] || base=$t
			echo "$t" >>"$T/$name.$p"
			echo "$t $base" | awk '{ print $1 / $2 }' >>"$T/$name.$p.ratio"
		done
	done
	echo "$name, $event traced: ns each, times untraced"
	for p in $programs; do
		printf '  %-16s%8.0f %6.2f\n' "$p" "$(median "$T/$name.$p")" "$(median "$T/$name.$p.ratio")"
	done
done
