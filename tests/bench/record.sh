#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# record.sh [RUNS [CALLS…]] - recording compared with trace-cmd: cost, loss, size, time to finish
#
# A pinned process makes CALLS getppid calls (2 and 10 million) while raw_syscalls are
# recorded, two events each: as fast as it can, then a million per second, alone and
# with four busy processes on each CPU. Then 300 MB of noise that cannot be compressed,
# from one CPU and from all: the time to finish a long recording. CALLS 0: skip the
# first part. Medians of RUNS (5); the programs take turns.
# On a kernel that refuses function tracing, trace-cmd cannot record, so it runs in
# its own mount namespace with empty files over the refused ones.
set -u
cd "$(dirname "$0")/../.." || exit 1
K=${KTRAIL:-${B:-build}/ktrail}
runs=${1:-5}
shift
[ $# -gt 0 ] || set -- 2000000 10000000
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
tracing=/sys/kernel/tracing

[ "$(id -u)" = 0 ] && [ -e $tracing/events/raw_syscalls ] ||
	{ echo "record.sh: needs root and tracefs with raw_syscalls"; exit 77; }
command -v trace-cmd >/dev/null || { echo "record.sh: no trace-cmd to compare with"; exit 77; }
make -s "${B:-build}"/{ktrail,tests/bench/{getppid,measure,noise}} || exit 1
cp "${B:-build}"/tests/bench/{getppid,measure,noise} "$T" || exit 1

# trace-cmd, directly or where the refused files are harmless
peer() {
	unshare -m --propagation private sh -c '
		for f in /proc/sys/kernel/ftrace_enabled $0/set_ftrace_filter \
			 $0/set_ftrace_notrace $0/set_ftrace_pid $0/set_ftrace_notrace_pid; do
			[ ! -e "$f" ] || mount --bind "$1" "$f"
		done
		shift; exec trace-cmd "$@"' $tracing "$T/empty" "$@"
}
export -f peer
export T tracing
: >"$T/empty"

# one NAME CALLS [RATE]: a line "ns/call cpu after MB lost raw-events" into $T/NAME.CALLS[.RATE]
one() {
	local name=$1 calls=$2 dat=$T/$1.dat cpu end ns load_end load_cpu exit_at lost
	local load=("$T/getppid" "$calls" "$T/l" ${3:+"$3"}) event=raw_syscalls
	[ "${calls%% *}" != noise ] || {
		event=sched:sched_process_exec
		load=("$T/noise" $tracing/trace_marker "${calls#* }" 300 80 "$T/l")
		calls=0
	}
	case $name in
	ktrail)    "$T/measure" "$T/m" "$K" record -q -o "$dat" -e "$event" "${load[@]}" \
			>"$T/out" 2>&1 ;;
	trace-cmd) "$T/measure" "$T/m" bash -c 'peer "$@"' peer record -q -o "$dat" \
			-e "$event" "${load[@]}" >"$T/out" 2>&1 ;;
	untraced)  "$T/measure" "$T/m" "${load[@]}" ;;
	esac
	read -r ns load_end load_cpu <"$T/l"
	read -r exit_at cpu _ <"$T/m"
	lost=0
	[ "$name" = untraced ] || lost=$(trace-cmd report --stat "$dat" 2>/dev/null |
		awk '/^overrun/ { n += $2 } END { print n + 0 }')
	raw=$((calls * 2 * 49 / 1000000))	# MB: 98 bytes a call with its page headers
	echo "$ns $(echo "$cpu $load_cpu $exit_at $load_end" | awk '{ print $1 - $2, $3 - $4 }')" \
	     "$(stat -c %s "$dat" 2>/dev/null || echo 0) $lost $raw" >>"$T/$name.${2#* }${3:+.$3}"
	rm -f "$dat" "$dat".* "$T/l" "$T/m"
}

# median FILE COLUMN
median() {
	awk -v c="$2" '{ print $c }' "$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# row NAME FILE: medians of one program
row() {
	local raw
	raw=$(median "$2" 6)
	printf '%-12s %9.0f %9.3f %9.2f %9.3f %9.2f %s\n' "$1" "$(median "$2" 1)" "$(median "$2" 2)" \
		"$(echo "$(median "$2" 2) $raw" | awk '{ print $2 ? $1 * 1000 / $2 : 0 }')" \
		"$(median "$2" 3)" "$(median "$2" 4 | awk '{ print $1 / 1e6 }')" \
		"$(awk '{ printf "%s ", $5 }' "$2")"
}

# turns SUFFIX TITLE NAME… -- CALLS [RATE]: all of them RUNS times, then the rows
turns() {
	local suffix=$1 title=$2 name names=()
	shift 2
	while [ "$1" != -- ]; do names+=("$1"); shift; done
	shift
	for _ in $(seq "$runs"); do
		for name in "${names[@]}"; do one "$name" "$@"; done
	done
	echo "$title"
	printf '%-12s %9s %9s %9s %9s %9s %s\n' "" ns/call cpu-s "s/GB" after-s MB "lost (each run)"
	for name in "${names[@]}"; do row "$name" "$T/$name.$suffix"; done
}

[ "$1" != 0 ] || set --
for calls in "$@"; do
	turns "$calls" "$calls calls, medians of $runs; recorder CPU is without the traced process" \
		untraced trace-cmd ktrail -- "$calls"
	a=$T/ktrail.$calls b=$T/trace-cmd.$calls
	echo "$(median "$a" 1) $(median "$b" 1) $(median "$a" 2) $(median "$b" 2) $(median "$a" 4) $(median "$b" 4)" |
		awk '{ printf "ktrail / trace-cmd: %.2f time of the traced process, %.2f recorder CPU, %.2f file\n\n",
		       $1 / $2, $3 / $4, $5 / $6 }'
done

# Busy processes in their own sessions: niceness does not help against these
crowd() {
	for _ in $(seq $((4 * $(nproc)))); do
		setsid sh -c 'while :; do :; done' &
		busy+=($!)
	done
}

busy=()
trap 'kill "${busy[@]}" 2>/dev/null; rm -rf "$T"' EXIT
turns 5000000.1000000 "5 s of 2 million events a second on one CPU" trace-cmd ktrail -- 5000000 1000000
crowd
turns 2000000.1000000 "2 million of them at this rate where 4 busy processes share each CPU" \
	trace-cmd ktrail -- 2000000 1000000
kill "${busy[@]}"
wait 2>/dev/null
for cpus in $([ "$(nproc)" = 1 ] || echo 1) $(nproc); do
	echo
	turns "$cpus" "300 MB of noise from $cpus CPUs at 80 MB a second; recorder CPU with the noise" \
		trace-cmd ktrail -- "noise $cpus"
done
