#!/bin/bash
# stream.t - events are printed as they occur, each one once
. tests/kt_test.sh
# shellcheck disable=SC2154

tracing=/sys/kernel/tracing
[ "$(id -u)" = 0 ] && [ -w $tracing/instances ] && [ -e $tracing/events/syscalls/sys_enter_write ] ||
	skip_all "needs root, tracefs with instances and syscall events"
export KTRAIL_JOURNAL_DIR=$KT_TMP/journal TMPDIR=$KT_TMP/tmp
mkdir -p "$KTRAIL_JOURNAL_DIR" "$TMPDIR"
# Others may trace at the same time: use unique names
name=ktrail-stream-test-$$

# One window after the other: a late event is not lost, but printed with the next window
run "$KTRAIL" stream -B $name -F -s 10000 -b 16M -e syscalls:sys_enter_write \
	dd if=/dev/zero of=/dev/null bs=1 count=200000 status=none
is "$status" 0 "stream works"
lost=$(sed -n 's/ events lost$//p' "$KT_TMP/err")
is "$(($(grep -c 'sys_enter_write:' "$KT_TMP/out") + ${lost:-0}))" 200000 \
	"each event is printed once, or reported as lost"
is "$(awk '$3 ~ /^\[[0-9]+\]$/ { nr++; bad += $5 + 0 < last[$3]; last[$3] = $5 + 0 }
	END { print (nr > 100000), bad + 0 }' "$KT_TMP/out")" "1 0" \
	"on each CPU in the order of time"

mkfifo "$KT_TMP/fifo"
# Even on a slow machine: the command runs until the event was seen, or a timeout
"$KTRAIL" stream -B $name -F -s 50000 -e sched:sched_process_exec \
	sh -c "/bin/true; for _ in \$(seq 1200); do [ ! -e '$KT_TMP/seen' ] || break; sleep 0.1; done" >"$KT_TMP/fifo" &
exec 5<"$KT_TMP/fifo"
read -r -t 120 -u 5 line
like "$line" 'sched_process_exec' "an event is printed before the command ends"
touch "$KT_TMP/seen"
cat <&5 >/dev/null
wait

run bash -c "timeout 120 '$KTRAIL' stream -B $name -e sched --duration 600s | head -2; exit \${PIPESTATUS[0]}"
like "$status:$err" '^(0|141):$' "a reader that closes the pipe ends it"
is "$(wc -l <"$KT_TMP/out")" 2 "and has the event"
run "$KTRAIL" stream -B auto -F --json -e sched:sched_process_exec true
like "$out" '"event":"sched_process_exec"' "--json prints objects"
run "$KTRAIL" stream -B auto -F --json -e sched:sched_process_exec sh -c '/bin/echo of the command'
is "$status:$(grep -vc '^{"' "$KT_TMP/out")" "0:0" "and nothing else" || note "$out"
like "$err" 'of the command' "the output of the command goes to stderr"
run "$KTRAIL" stream -B auto -F -s 60000000 -e syscalls:sys_enter_exit_group env env true
like "$out" '^ *true-[0-9]+ ' "a task that is new since the last read has its name"
run "$KTRAIL" stream -B $name -F -e sched sh -c 'exit 3'
is "$status" 3 "the exit status of the command is returned"
run "$KTRAIL" stream true
is "$status" 2 "nothing to trace is misuse"
run timeout -k 1 120 "$KTRAIL" stream -B $name -e sched_swich sleep 0
is "$status" 1 "an event that cannot be traced is a failure, without waiting for the command"
like "$err" sched_switch "with a suggestion"
is "$(ls "$TMPDIR" "$KTRAIL_JOURNAL_DIR" | grep -v :)$(ls $tracing/instances | grep "^$name")" "" "nothing is left behind"
done_testing
