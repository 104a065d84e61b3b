#!/bin/bash
# check.t - `ktrail check`: tables, JSON and exit statuses
. tests/kt_test.sh
# shellcheck disable=SC2154
data=tests/data events=$data/6.12-events.dat

run "$KTRAIL" check -m 'p99(wakeup comm==bash) < 10ms and count(event sched_switch) < 400' "$events"
is "$status:$out" "1:METRIC                     SAMPLES   VALUE  LIMIT   VERDICT
p99(wakeup comm==bash)          14  6.5 ms  < 10ms  holds
count(event sched_switch)      478     478  < 400   does not hold" "the example of its page"
run "$KTRAIL" check -m 'max(wakeup) < 10s' -m 'errors(syscall) > 0' "$events"
is "$status" 0 "all hold"
run "$KTRAIL" check -m 'max(lock) < 10s' "$events"
is "$status:${out##*$'\n'}" "125:$events: cannot tell max(lock): its events were not recorded; record with \`ktrail record -e lock:contention_begin -e lock:contention_end\`" \
	"a metric whose events were not recorded is undecided, with the way to record them"
run "$KTRAIL" check -m 'max(lock) < 10s and max(wakeup) < 1us' "$events"
is "$status" 1 "a failure is reported although something else cannot be decided"
run "$KTRAIL" check -m 'count(event sched_switch) == 478' "$events" $data/6.1-events.dat
like "$status:$out" '^1:FILE +METRIC.*6.12-events.dat +count.* holds'$'\n''.*6.1-events.dat .*does not hold' "each file is measured by itself"

# The same figures as those of latency and report
max=$("$KTRAIL" latency --json -k wakeup "$events" | json '$d->{latencies}[0]{rows}[0]{max}' | tr -d '[]')
"$KTRAIL" check -m "max(wakeup) <= ${max}ns" "$events" >/dev/null && ! "$KTRAIL" check -m "max(wakeup) < ${max}ns" "$events" >/dev/null
ok $? "the maximum is that of latency"
switches=$("$KTRAIL" report -F 'sched_switch: next_pid == 0' $data/6.12-stacks.dat | grep -c 'sched_switch:')
run "$KTRAIL" check -m "count(event sched:sched_switch: next_pid == 0) == $switches" $data/6.12-stacks.dat
is "$status" 0 "events are counted as report prints them, stacks are not events"

# Chosen records
all=$("$KTRAIL" check --json -m 'count(wakeup) > 0' "$events" | json '$d->{files}[0]{metrics}[0]{samples}')
cpus=$(for cpu in 0 1; do "$KTRAIL" check --cpu $cpu --json -m 'count(wakeup) > 0' "$events"; done |
	grep -o '"samples": [0-9]*' | awk '{ sum += $2 } END { print "[" sum "]" }')
is "$cpus" "$all" "those of each CPU are all"
is "$("$KTRAIL" check --comm bash -m 'count(wakeup) == 14' "$events" >/dev/null; echo $?)" 0 "tasks are chosen"
is "$("$KTRAIL" check --comm bash --json -m 'count(event sched_wakeup) > 0' "$events" | json '$d->{files}[0]{metrics}[0]{samples}' | tr -d '[]')" \
	"$("$KTRAIL" report -F "sched_wakeup: common_comm == \"bash\"" "$events" | grep -c sched_wakeup:)" "of events those that they made"
rate=$("$KTRAIL" check --time +0.5s,+1s --json -m 'rate(event sched_switch) > 0' -m 'count(event sched_switch) > 0' "$events" |
	json '$d->{files}[0]{metrics}[0]{value} == $d->{files}[0]{metrics}[1]{value} ? 1 : 0')
is "$rate" '[1]' "a rate is per second of the window"

run "$KTRAIL" check --json -m 'max(wakeup) < 1us and max(lock) < 1s' "$events" $data/6.1-events.dat
is "$(json '$d->{verdict}, map { $_->{verdict}, map { $_->{verdict} } @{$_->{metrics}} } @{$d->{files}}' <<<"$out")" \
	'["fails","fails","fails","unknown","fails","fails","unknown"]' "JSON has all verdicts"
run "$KTRAIL" check -m 'max(irq) < 1s' "$KT_TMP/none.dat"
is "$status" 125 "a file that cannot be read cannot be decided"
run "$KTRAIL" check "$events"
like "$status:$err" '^2:.*--metric is missing' "a metric is required"
run "$KTRAIL" check -m 'p99(wakup) < 1ms' "$events"
like "$status:$err" "^2:.*did you mean 'wakeup'\?, at character 5" "a wrong metric is misuse, with the place"
run "$KTRAIL" check -m 'count(event sched_switch: nothing > 1) < 1' "$events"
like "$status:$err" "^(2|125):.*nothing" "a field that does not exist is named"
done_testing
