#!/bin/bash
# why.t - `ktrail why`: the reasons why a task waited
. tests/kt_test.sh
# shellcheck disable=SC2154
events=tests/data/6.12-events.dat

golden why-wakeup "$("$KTRAIL" why "$events")"
golden why-syscall "$("$KTRAIL" why --worst syscall --nth 3 "$events")"
run "$KTRAIL" why --pid 41 --time 127.53,127.6 "$events"
is "$status:$err" "0:" "a task in a window is explained"
like "$out" 'ktrail/formats:196 ran there' "the task that had the CPU is named"
is "$("$KTRAIL" why --json --worst syscall "$events" |
	json 'my $n = 0; $n += $_->{ns} for grep { !$_->{depth} } @{$d->{reasons}}; $n - $d->{until} + $d->{from}')" \
	"[0]" "the outermost lines add up to the interval"
run "$KTRAIL" why --pid 41 --worst wakeup "$events"
like "$out" $'^khugepaged:41 waited 58\\.3 ms for CPU 0: 58\\.3 ms ktrail/formats:196\n' "the longest of a task, in one line"
run "$KTRAIL" why --pid 41 --worst wakeup --nth 9 "$events"
is "$status" 1 "a number beyond the last"
like "$err" "has 1 of 'wakeup' chosen by --pid" "is reported"
run "$KTRAIL" why --worst nothing "$events"
is "$status" 2 "an unknown kind"
run "$KTRAIL" why --nth 0 "$events"
is "$status" 2 "the first one has number 1"
run "$KTRAIL" why tests/data/6.12-fgraph.dat
is "$status" 1 "without scheduler events there are no reasons"
like "$err" 'ktrail record -e sched -e irq' "with the way to record them"
run "$KTRAIL" why --pid 41 --time 5,5 "$events"
is "$status" 1 "a window has a length"
like "$err" 'the interval is empty' "is reported"
run "$KTRAIL" why "$events" 127.56
is "$status:$err" "0:" "a moment is explained"
like "$out" $'At 127.560000:\n  CPU 0   ktrail/formats:196, for ' "by the activity of each CPU"
like "$out" $'the longest:\nkhugepaged:41 waited 58' "and the longest wait then"
run "$KTRAIL" why "$events" --at 127.56 --task 41
like "$out" $'\n58\\.7 ms until 127\\.594839:\n' "a task at a moment: its state"
run "$KTRAIL" why "$events" --task 212 --at 128.55
like "$out" $'\n105 ms until 128\\.605009:\n' "or its system call"
run "$KTRAIL" why "$events" --task 41 --at 5
is "$status" 1 "a moment that is not in the file"
like "$err" '5 is not in tests/data/6.12-events.dat' "is said"
run "$KTRAIL" why "$events" 5x
is "$status" 2 "a word that is neither a file nor a time"
run "$KTRAIL" why "$events" --worst wakeup 127.56
is "$status" 2 "--worst finds its own moment"
is "$("$KTRAIL" why --json --top 3 --worst 'wakeup' "$events" |
	json '[map { $_->{until} - $_->{from} } @$d]' | tr -d ' \n')" "[[58349386,32547912,19972769]]" \
	"the longest ones, one after the other"
is "$("$KTRAIL" why --json --top 3 --sort time --worst 'wakeup' "$events" |
	json 'join ",", map { $_->{from} } @$d')" \
	"$("$KTRAIL" why --json --top 3 "$events" | json 'join ",", sort { $a <=> $b } map { $_->{from} } @$d')" "or as they happened"
run "$KTRAIL" why --top 3 --sort name "$events"
is "$status" 2 "another order is refused"
is "$("$KTRAIL" why --json --worst softirq "$events" |
	json 'my $n = 0; $n += $_->{ns} for grep { !$_->{depth} } @{$d->{reasons}}; [$d->{cpu}, $n - $d->{until} + $d->{from}]' |
	tr -d ' \n')" "[[1,0]]" "the parts of a softirq's time on its CPU add up to it"
run "$KTRAIL" why --worst 'syscall execve' --comm md5sum "$events"
like "$out" $'^md5sum:212 .*\n.* syscall execve:' "a system call of a program"
run "$KTRAIL" why --worst block "$events"
is "$status" 1 "what was not recorded"
like "$err" 'record -e block:block_rq_issue -e block:block_rq_complete' "is said with the line that records it"
run "$KTRAIL" why --call vfs_write tests/data/6.12-fgraph.dat
like "$out" $'own time:\n    37\\.2 ms  97\\.6%  shmem_allowable_huge_orders\n' "of a call the functions in it"
run "$KTRAIL" why --call nothing tests/data/6.12-fgraph.dat
like "$err" "has none of 'calls nothing'" "a function that was not called"
done_testing
