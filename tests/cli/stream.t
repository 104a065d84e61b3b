#!/bin/bash
# stream.t - events are printed while they happen, each of them once
. tests/kt_test.sh
# shellcheck disable=SC2154

tracing=/sys/kernel/tracing
[ "$(id -u)" = 0 ] && [ -w $tracing/instances ] && [ -e $tracing/events/syscalls/sys_enter_write ] ||
	skip_all "needs root, tracefs with instances and syscall events"
export KTRAIL_JOURNAL_DIR=$KT_TMP/journal TMPDIR=$KT_TMP/tmp
mkdir -p "$KTRAIL_JOURNAL_DIR" "$TMPDIR"
# left: instances of recordings whose process is gone; others may trace at the same time
left() {
	local dir
	for dir in $tracing/instances/ktrail-[0-9]*; do
		[ ! -d "$dir" ] || kill -0 "${dir##*-}" 2>/dev/null || echo "$dir"
	done
}
before=$(left)

run "$KTRAIL" stream -B auto -F -s 50000 -e syscalls:sys_enter_write \
	dd if=/dev/zero of=/dev/null bs=1 count=20000 status=none
is "$status" 0 "stream works"
is "$(grep -c 'sys_enter_write:' "$KT_TMP/out")" 20000 "each event is printed once"
sed 's/.*\] [^ ]* *\([0-9]*\.[0-9]*\):.*/\1/' "$KT_TMP/out" >"$KT_TMP/times"
run sort -c -n "$KT_TMP/times"
is "$status" 0 "in the order of time"

mkfifo "$KT_TMP/fifo"
"$KTRAIL" stream -B auto -F -s 50000 -e sched:sched_process_exec sh -c '/bin/true; sleep 2' >"$KT_TMP/fifo" &
read -r -t 1.9 line <"$KT_TMP/fifo"
like "$line" 'sched_process_exec' "an event is there before the command ends"
wait

run bash -c "'$KTRAIL' stream -B auto -e sched --duration 20s | head -2"
is "$status" 0 "a reader that has enough ends it"
run "$KTRAIL" stream -B auto -F --json -e sched:sched_process_exec true
like "$out" '"event":"sched_process_exec"' "--json prints objects"
run "$KTRAIL" stream -B auto -F -e sched sh -c 'exit 3'
is "$status" 3 "the exit status of the command is passed on"
run "$KTRAIL" stream true
is "$status" 2 "nothing to trace is misuse"
run timeout -k 1 20 "$KTRAIL" stream -B auto -e sched_swich sleep 0
is "$status" 1 "what cannot be traced is a failure, and the command is not waited for"
like "$err" sched_switch "that names what would work"
is "$(left)$(ls "$TMPDIR")" "$before" "nothing is left behind"
done_testing
