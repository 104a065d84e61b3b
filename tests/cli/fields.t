#!/bin/bash
# fields.t - report --fields, --csv and --limit: chosen values of chosen events
. tests/kt_test.sh
# shellcheck disable=SC2154
dat=tests/data/6.12-events.dat

run "$KTRAIL" report --fields time,comm,event,fields.next_pid --limit 2 -F sched_switch $dat
is "$out" $'126.603655989\tktrail\tsched_switch\t0\n126.604527434\tktrail/formats\tsched_switch\t18' "values of some events, by tabs"
run "$KTRAIL" report --fields pid,event $dat
is "$(cut -f2 <<<"$out" | sort | uniq -c)" "$("$KTRAIL" report --json $dat | sed 's/.*"event":"\([^"]*\)".*/\1/' | sort | uniq -c)" "a line for each event"
csv() { "$KTRAIL" report --csv "$@" $dat | sed 's/\r$/;/'; }
is "$(csv --limit 1)" 'time,cpu,comm,pid,event,text;
126.603107216,1,ktrail,194,sched_waking,comm=ktrail pid=195 prio=120 target_cpu=000;' "CSV has a first line, and the usual columns"
like "$(csv --fields cpu,time --time 126.604,+1ms --limit 1)" '^cpu,time;
[01],126\.604' "of a window"
run "$KTRAIL" report --fields nosuch $dat
like "$status:$err" "^1:.*no event has a field 'nosuch'" "an unknown field"
run "$KTRAIL" report --fields time --json $dat
like "$status:$err" "^2:.*--fields has no effect with --json" "and what does not go together"

for n in 1 5 6460 6461 6462; do
	is "$("$KTRAIL" report --limit $n $dat | sed 1d | cksum)" "$("$KTRAIL" report $dat | sed 1d | head -$n | cksum)" "the first $n events"
done
run "$KTRAIL" report --limit 7 tests/data/peer/stacks.dat
is "$(grep -c sched_switch <<<"$out")" "$("$KTRAIL" report tests/data/peer/stacks.dat | head -$(wc -l <<<"$out") | grep -c sched_switch)" "a stack belongs to its event"
is "$("$KTRAIL" report --limit 3 --json $dat | wc -l)" 3 "objects are counted, too"
run "$KTRAIL" report --wall $dat
like "$status:$err" "^1:.*does not store the time of day" "a trace without the time of day"
done_testing
