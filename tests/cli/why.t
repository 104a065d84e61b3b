#!/bin/bash
# why.t - `ktrail why`: who kept a task waiting
. tests/kt_test.sh
# shellcheck disable=SC2154
events=tests/data/6.12-events.dat

golden why-wakeup "$("$KTRAIL" why "$events")"
golden why-syscall "$("$KTRAIL" why --worst syscall --nth 3 "$events")"
run "$KTRAIL" why --pid 41 --time 127.53,127.6 "$events"
is "$status:$err" "0:" "a task in a window is explained"
like "$out" 'ktrail/formats:196 ran there' "who had the CPU is named"
is "$("$KTRAIL" why --json --worst syscall "$events" |
	json 'my $n = 0; $n += $_->{ns} for grep { !$_->{depth} } @{$d->{reasons}}; $n - $d->{until} + $d->{from}')" \
	"[0]" "what is outermost adds up to the interval"
run "$KTRAIL" why --pid 41 --worst wakeup "$events"
like "$out" '^khugepaged:41, 58\.3 ms' "the longest of a task"
run "$KTRAIL" why --pid 41 --worst wakeup --nth 9 "$events"
is "$status" 1 "what it has not so often"
like "$err" "has 1 of 'wakeup' of that task" "is said"
run "$KTRAIL" why --worst nothing "$events"
is "$status" 2 "there is no such kind"
run "$KTRAIL" why --nth 0 "$events"
is "$status" 2 "the first one has number 1"
run "$KTRAIL" why tests/data/6.12-fgraph.dat
is "$status" 1 "without the scheduler's events there are no reasons"
like "$err" 'ktrail record -e sched -e irq' "how to record them is said"
run "$KTRAIL" why --pid 41 --time 5,5 "$events"
is "$status" 1 "a window has a length"
like "$err" 'the interval is empty' "is said"
done_testing
