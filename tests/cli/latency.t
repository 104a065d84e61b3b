#!/bin/bash
# latency.t - `ktrail latency`: its measures match the report, and its messages
. tests/kt_test.sh
# shellcheck disable=SC2154
data=tests/data events=tests/data/6.12-events.dat

run "$KTRAIL" latency "$events"
is "$(awk 'length > 80' "$KT_TMP/out")" "" "no line of the tables is longer than 80 columns"
run "$KTRAIL" latency --wide "$events"
is "$status:$err" "0:" "a recording is measured"
like "$out" '^wakeup M-bM-\^FM-\^R run, per task \(wakeup\)'$'\n''TASK +COUNT +TOTAL' "kind by kind"
like "$out" $'\n[^ ]+ .* [0-9.]+ +120  CPU [0-9]+ had ' "the task that had the CPU, and the priority of the waiting one"
golden latency-wakeup "$("$KTRAIL" latency -k wakeup --top 3 --worst 2 "$events")"
golden latency-wide "$("$KTRAIL" latency -k wakeup,syscall --wide --top 3 "$events")"
golden latency-pictures "$("$KTRAIL" latency -k softirq --hist --map "$events")"

# one EXPRESSION: a number or word of a document on stdin
one() {
	json "$1" | tr -d '[]"'
}

# pairs KIND: the number of pairs that were measured or cut
pairs() {
	"$KTRAIL" latency --top 0 --json -k "$1" "$events" |
		one 'my $n = 0; for my $l (@{$d->{latencies}}) { $n += $l->{cut}; $n += $_->{count} for @{$l->{rows}} } $n'
}
ends() {
	"$KTRAIL" report -N -F "$1" "$events" 2>/dev/null | grep -c "$2:"
}
is "$(pairs softirq)" "$(ends softirq_exit softirq_exit)" "each softirq that ends is counted once"
# Both CPUs had a task when the recording began.
is "$(pairs run)" "$(($(ends 'sched_switch: next_pid != 0' sched_switch) + 2))" "each time a task gets a CPU"

sum=$("$KTRAIL" latency --json -k wakeup --top 0 "$events" |
	one 'my $r = $d->{latencies}[0]{rows}; my $t = 0; $t += $_->{total} for @$r; $t')
like "$sum" '^[0-9]{4,}$' "JSON has nanoseconds"
longest=$("$KTRAIL" latency --json -k wakeup --worst 1 "$events" | one '$d->{latencies}[0]{worst}[0]{ns}')
all=$("$KTRAIL" latency --json -k wakeup "$events" | one '$d->{latencies}[0]{rows}[0]{max}')
is "$longest" "$all" "the worst wait is the maximum"
pid=$("$KTRAIL" latency --json -k wakeup "$events" | one '$d->{latencies}[0]{rows}[0]{worst}{pid}')
run "$KTRAIL" latency -k wakeup --wide --pid "$pid" --top 0 "$events"
like "$out" "[^ ]:$pid " "a task is chosen, independent of its wakers"
is "$(grep -c "[^ ]:[0-9]* .*CPU [0-9]* had" "$KT_TMP/out")" 1 "and no other task"
run "$KTRAIL" latency -k wakeup,preempted --comm kcompactd0,bash --top 0 "$events"
is "$(sed -n 's/^\([^ ]*\):[0-9].* us .*/\1/p' "$KT_TMP/out" | sort -u | paste -sd' ')" "bash kcompactd0" "tasks have names, independent of those that they follow"
run "$KTRAIL" latency -k wakeup --wide --cpu 1 --top 0 "$events"
unlike "$out" 'CPU 0 had' "a wait belongs to the CPU where it ended"
pair=$("$KTRAIL" latency --json --from sched_waking --to sched_switch --key pid=next_pid "$events" |
	one '$d->{latencies}[0]{rows}[0]{count}')
like "$pair" '^[1-9][0-9]+$' "two events are joined by a field"
low=$("$KTRAIL" latency --json --from 'sched/sched_waking: prio < 100' --to sched:sched_switch \
	--key pid=next_pid "$events" | one '$d->{latencies}[0]{rows}[0]{count} // 0')
[ "$low" -lt "$pair" ]
ok $? "events of a pair are chosen by an expression" || note "$low $pair"
chain=$("$KTRAIL" latency --json --from sched_waking --via sched_wakeup --to sched_switch \
	--key pid=pid=next_pid "$events" | one '$d->{latencies}[0]{rows}[0]{name}')
like "$chain" 'sched_waking . sched_wakeup . sched_switch|sched_waking.*sched_wakeup.*sched_switch' "a chain has its name"
run "$KTRAIL" latency --by-key --from sched_waking --to sched_switch --key pid=next_pid "$events"
like "$out" $'\n''pid '"$pid"' ' "a row for each key"

count() {
	"$KTRAIL" latency --json --top 0 -k "$1" "$events" |
		one 'my $n = 0; for my $l (@{$d->{latencies}}) { $n += $_->{count} for @{$l->{rows}} } $n'
}
is "$(count 'sched_waking -> sched_switch by pid=next_pid')" "$pair" "a pair can be selected, too"
all=$(count wakeup) real=$(count 'wakeup prio<100') other=$(count 'wakeup prio>=100')
is "$((real + other))" "$all" "a condition selects waits of a kind"
[ "$real" -gt 0 ] && [ "$real" -lt "$all" ]
ok $? "some, not all" || note "$real of $all"
is "$(count "wakeup pid==$pid")" "$("$KTRAIL" latency --json -k wakeup --pid "$pid" "$events" |
	one '$d->{latencies}[0]{rows}[0]{count}')" "of a task"
is "$(count 'softirq TIMER,irq')" "$(($(count 'softirq T?MER') + $(count irq)))" "by a name, and of several kinds"
run "$KTRAIL" latency -k 'wakeup prio<x' "$events"
like "$status:$err" "^2:.*'x'" "a condition that cannot be read is misuse"

run "$KTRAIL" latency -k lock "$events"
is "$status" 1 "events that were not recorded are an error"
like "$err" 'ktrail record -e lock:contention_begin -e lock:contention_end' "with the way to record them"
run "$KTRAIL" latency -k wakup "$events"
is "$status" 2 "an unknown kind is misuse"
like "$err" "did you mean 'wakeup'" "the nearest one is suggested"
run "$KTRAIL" latency -k help
like "$out" 'softirq-wait ' "-k help lists the kinds"
run "$KTRAIL" latency --from sched_waking "$events"
is "$status" 2 "--from needs --to"
run "$KTRAIL" latency --sort size "$events"
is "$status" 2 "an unknown order"
run "$KTRAIL" latency --from nope --to sched_switch "$events"
is "$status" 1 "an event that is not in the trace is an error"
like "$err" "no event 'nope'" "that is named"
run "$KTRAIL" latency --time 99999999, "$events"
is "$status" 1 "a window without events is an error"
run "$KTRAIL" latency --time 0,+1us --comm ktrail "$events"
like "$status:$err" "^1:.*nothing chosen by --time, --comm in .* can be measured$" "which names the options that leave nothing"
run "$KTRAIL" latency "$KT_TMP/none.dat"
is "$status" 1 "a missing file, too"
run "$KTRAIL" latency "$data/6.12-fgraph.dat"
like "$out" $'\n''FUNCTION +COUNT' "function_graph shows the durations of functions"
run "$KTRAIL" latency "$data/6.12-rt-timerlat.dat"
like "$out" 'timerlat thread, CPU' "the measures of timerlat are shown"
run "$KTRAIL" latency "$data/6.12-irqsoff.dat"
like "$status:$out" '^0:irqsoff measured one latency of 150 ms: bash-70, from call_timer_fn to call_timer_fn' \
	"the report of irqsoff has its latency"
is "$("$KTRAIL" syscalls --top 3 "$events")" "$("$KTRAIL" latency -k syscall --sort total --top 3 "$events")" "syscalls is 'latency -k syscall', by total"
run "$KTRAIL" irq "$events"
like "$status:$out" '^0:.*\(softirq\)' "irq shows those of its kinds that were recorded"
run "$KTRAIL" lock "$events"
like "$status:$err" '^1:.*record -e lock:contention_begin' "lock names the events to record"
run "$KTRAIL" irq tests/data/6.12-events.dat --json
is "$status" 0 "options may follow the file"

run "$KTRAIL" latency -k fault "$events"
like "$out" 'nothing was measured: record it with `ktrail record -p function_graph -l handle_mm_fault`' "the events that measure page faults are named"
run "$KTRAIL" latency --from 'softirq_entry: vec==99' --to softirq_exit --key vec "$events"
is "$status:$(tail -1 "$KT_TMP/out")" "0:nothing was measured" "a pair that never occurs"
run "$KTRAIL" latency -k syscall --top 0 --svg "$KT_TMP/map.svg" "$events"
is "$status:$(grep -o '<title>[0-9]*' "$KT_TMP/map.svg" | awk -F'>' '{ s += $2 } END { print s }')" \
	"0:$("$KTRAIL" latency -k syscall --top 0 --json "$events" | json 'my $n = 0; $n += $_->{count} for map { @{$_->{rows}} } @{$d->{latencies}}; $n' | tr -d '[]')" "a heat map as a picture"

# Two states that users call stopped, but the kernel does not
sleep_of() {
	cat <<-TEXT
	             bash-10      [000] d..2.     $1.000000: sched_switch: prev_comm=bash prev_pid=10 prev_prio=120 prev_state=$2 ==> next_comm=swapper/0 next_pid=0 next_prio=120
	           <idle>-0       [000] d..3.     $1.010000: sched_waking: comm=bash pid=10 prio=120 target_cpu=000
	           <idle>-0       [000] d..2.     $1.010010: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=bash next_pid=10 next_prio=120
	TEXT
}
{ sleep_of 1 T; sleep_of 2 t; } >"$KT_TMP/stopped.txt"
"$KTRAIL" import -o "$KT_TMP/stopped.dat" "$KT_TMP/stopped.txt" 2>/dev/null
run "$KTRAIL" latency -k sleep --sort name "$KT_TMP/stopped.dat"
like "$out" $'\nstopped +1 .*\nstopped by a tracer +1 ' "a signal and a debugger stop a task"
# The return from a signal handler ends with the number -1
printf '%s\n' '  bash-7 [000] d..1. 5.000001: sys_enter: NR 15 (1, 2, 3, 4, 5, 6)' \
	'  bash-7 [000] d..1. 5.000004: sys_exit: NR -1 = 0' |
	"$KTRAIL" import --machine x86_64 -o "$KT_TMP/sigreturn.dat" - 2>/dev/null
like "$("$KTRAIL" latency -k syscall "$KT_TMP/sigreturn.dat")" 'rt_sigreturn +1 +3.0 us' "a return from a signal handler"
"$KTRAIL" import -f -o "$KT_TMP/sigreturn.dat" - 2>/dev/null <<<'  bash-7 [000] d..1. 5.000001: sys_exit: NR -1 = 0'
unlike "$("$KTRAIL" export --to chrome "$KT_TMP/sigreturn.dat")" '18446744073709551615' "which does not count as another call"

done_testing
