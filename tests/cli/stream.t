#!/bin/bash
# stream.t - events are printed while they happen, each of them once
. tests/kt_test.sh
# shellcheck disable=SC2154

tracing=/sys/kernel/tracing
[ "$(id -u)" = 0 ] && [ -w $tracing/instances ] && [ -e $tracing/events/syscalls/sys_enter_write ] ||
	skip_all "needs root, tracefs with instances and syscall events"
export KTRAIL_JOURNAL_DIR=$KT_TMP/journal TMPDIR=$KT_TMP/tmp
mkdir -p "$KTRAIL_JOURNAL_DIR" "$TMPDIR"
# Others may trace at the same time: what we make has a name of its own
name=ktrail-stream-test-$$

run "$KTRAIL" stream -B $name -F -s 50000 -b 4M -e syscalls:sys_enter_write \
	dd if=/dev/zero of=/dev/null bs=1 count=20000 status=none
is "$status" 0 "stream works"
is "$(grep -c 'sys_enter_write:' "$KT_TMP/out")" 20000 "each event is printed once"
sed 's/.*\] [^ ]* *\([0-9]*\.[0-9]*\):.*/\1/' "$KT_TMP/out" >"$KT_TMP/times"
run sort -c -n "$KT_TMP/times"
is "$status" 0 "in the order of time"

mkfifo "$KT_TMP/fifo"
# However slow the machine: the command goes on until the event was seen, or for too long
"$KTRAIL" stream -B $name -F -s 50000 -e sched:sched_process_exec \
	sh -c "/bin/true; until [ -e '$KT_TMP/seen' ]; do sleep 0.1; done" >"$KT_TMP/fifo" &
exec 5<"$KT_TMP/fifo"
read -r -t 60 -u 5 line
like "$line" 'sched_process_exec' "an event is there before the command ends"
touch "$KT_TMP/seen"
cat <&5 >/dev/null
wait

run bash -c "'$KTRAIL' stream -B $name -e sched --duration 20s | head -2"
is "$status" 0 "a reader that has enough ends it"
run "$KTRAIL" stream -B auto -F --json -e sched:sched_process_exec true
like "$out" '"event":"sched_process_exec"' "--json prints objects"
run "$KTRAIL" stream -B $name -F -e sched sh -c 'exit 3'
is "$status" 3 "the exit status of the command is passed on"
run "$KTRAIL" stream true
is "$status" 2 "nothing to trace is misuse"
run timeout -k 1 120 "$KTRAIL" stream -B $name -e sched_swich sleep 0
is "$status" 1 "what cannot be traced is a failure, and the command is not waited for"
like "$err" sched_switch "that names what would work"
is "$(ls "$TMPDIR" "$KTRAIL_JOURNAL_DIR" | grep -v :)$(ls $tracing/instances | grep "^$name")" "" "nothing is left behind"
done_testing
