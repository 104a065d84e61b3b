#!/bin/bash
# latency.t - `ktrail latency`: what it measures is what the report shows, and what it says otherwise
. tests/kt_test.sh
# shellcheck disable=SC2154
data=tests/data events=tests/data/6.12-events.dat

run "$KTRAIL" latency "$events"
is "$status:$err" "0:" "a recording is measured"
like "$out" '^wakeup M-bM-\^FM-\^R run, per task \(wakeup\)'$'\n''TASK +COUNT +TOTAL' "kind by kind"
like "$out" 'CPU [0-9]+ had [^ ]+, prio 120' "who had the CPU, and how urgent the other was"
golden latency-wakeup "$("$KTRAIL" latency -k wakeup --top 3 --worst 2 "$events")"
golden latency-pictures "$("$KTRAIL" latency -k softirq --hist --map "$events")"

# one EXPRESSION: a number or word of a document on stdin
one() {
	json "$1" | tr -d '[]"'
}

# pairs KIND: how many pairs were measured or cut
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
is "$longest" "$all" "the worst one is the maximum"
pid=$("$KTRAIL" latency --json -k wakeup "$events" | one '$d->{latencies}[0]{rows}[0]{worst}{pid}')
run "$KTRAIL" latency -k wakeup --pid "$pid" --top 0 "$events"
like "$out" "[^ ]:$pid " "a task is chosen, whoever woke it"
is "$(grep -c "[^ ]:[0-9]* .*CPU [0-9]* had" "$KT_TMP/out")" 1 "and no other one"
run "$KTRAIL" latency -k wakeup --cpu 1 --top 0 "$events"
unlike "$out" 'CPU 0 had' "a CPU is where it ended"
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

run "$KTRAIL" latency -k lock "$events"
is "$status" 1 "events that were not recorded are an error"
like "$err" 'ktrail record -e lock:contention_begin -e lock:contention_end' "that says how to record them"
run "$KTRAIL" latency -k wakup "$events"
is "$status" 2 "a kind that there is not is misuse"
like "$err" "did you mean 'wakeup'" "the nearest is named"
run "$KTRAIL" latency -k help
like "$out" 'softirq-wait ' "-k help lists the kinds"
run "$KTRAIL" latency --from sched_waking "$events"
is "$status" 2 "a beginning needs an end"
run "$KTRAIL" latency --sort size "$events"
is "$status" 2 "there is no such order"
run "$KTRAIL" latency --from nope --to sched_switch "$events"
is "$status" 1 "an event that is not in the trace is an error"
like "$err" "no event 'nope'" "that is named"
run "$KTRAIL" latency --time 99999999, "$events"
is "$status" 1 "a window without events is an error"
run "$KTRAIL" latency "$KT_TMP/none.dat"
is "$status" 1 "a file that is not there, too"
run "$KTRAIL" latency "$data/6.12-fgraph.dat"
like "$out" $'\n''FUNCTION +COUNT' "function_graph tells how long functions took"
run "$KTRAIL" latency "$data/6.12-rt-timerlat.dat"
like "$out" 'timerlat thread, CPU' "timerlat's own measures are shown"
done_testing
