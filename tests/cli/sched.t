#!/bin/bash
# sched.t - `ktrail sched`: its lists and sums match the events of the report
. tests/kt_test.sh
# shellcheck disable=SC2154
data=tests/data events=tests/data/6.12-events.dat

# sched WORDS…: run it on the recording
sched() {
	"$KTRAIL" sched "$@" "$events"
}

# of VERB EXPRESSION: a number in the document that VERB prints
of() {
	# shellcheck disable=SC2086
	sched $1 --json | one "$2"
}

# one EXPRESSION: a number or word of a document on stdin
one() {
	json "$1" | tr -d '[]"'
}

run "$KTRAIL" sched -i "$events"
is "$status:$err" "0:" "without a verb …"
like "$out" "^TASK +RUNTIME +SWITCHES" "… it is latency"
golden sched-latency "$(sched latency --top 5)"
golden sched-summary "$(sched timehist --summary --top 5)"
golden sched-map "$(sched map --time 128.4035,128.43)"
golden sched-runqueue "$(sched runqueue --top 5)"

# Counts match the events
switches=$("$KTRAIL" report -N -F 'sched_switch: next_pid != 0' "$events" 2>/dev/null | grep -c sched_switch:)
is "$(of "latency --top 0" 'my $n = 0; $n += $_->{switches} for @{$d->{tasks}}; $n')" "$switches" "each switch to a task is counted"
all=$("$KTRAIL" report -N -F sched_switch "$events" 2>/dev/null | grep -c sched_switch:)
is "$(sched map | grep -c '\*')" "$all" "and is a line of the map"
moved=$("$KTRAIL" report -N -F sched_migrate_task "$events" 2>/dev/null | grep -c sched_migrate_task:)
is "$(sched timehist -M | grep -c migrated:)" "$moved" "each migration is a line"
is "$(of "timehist -s" 'my $n = 0; $n += $_->{migrations} for @{$d->{tasks}}; $n')" "$moved" "and is counted"
waked=$(sched timehist -w --json | grep -c '"event": "wakeup"')
all=$("$KTRAIL" report -N -F sched_waking,sched_wakeup_new "$events" 2>/dev/null | grep -c sched_wak)
[ "$waked" -gt $((all / 2)) ] && [ "$waked" -le "$all" ]
ok $? "a wakeup is counted once" || note "$waked"
run=$(sched timehist --json |
	sed -n '/"pid": 0,/d; s/.*"run": \([0-9]*\).*/\1/p' | awk '{ sum += $1 } END { printf "%.0f\n", sum }')
is "$run" "$(of "timehist -s" '$d->{run}')" "the lines add up to the sums"
is "$(of "latency --top 0" 'my $n = 0; $n += $_->{runtime} for @{$d->{tasks}}; $n')" "$run" "of both verbs"
longest=$("$KTRAIL" latency -k wakeup,preempted --json "$events" |
	one 'my $m = 0; for (@{$d->{latencies}}) { $m = $_->{rows}[0]{max} if $_->{rows}[0]{max} > $m } $m')
is "$(of latency '$d->{tasks}[0]{delay_max}')" "$longest" "the longest delay is that of ktrail latency"
is "$(of runqueue 'my $bad = 0; for (@{$d->{cpus}}) { my $n = 0; $n += $_ for @{$_->{time_of_length}}; $bad++ if $n != $_->{known} } $bad')" 0 \
	"a queue has a length at each moment"

# Selections
is "$(sched timehist --comm dd | sed 1d | grep -vc 'dd\[')" 0 "--comm shows one task's stays"
pid=$(sched latency --comm dd --json | one '$d->{tasks}[0]{pid}')
is "$(sched timehist --pid "$pid" | sed 1d | grep -vc "\[$pid\]")" 0 "as --pid does"
is "$(sched timehist --cpu 1 | grep -c '\[0000\]')" 0 "--cpu shows one CPU"
is "$(sched map --cpu 0 | head -1 | wc -w)" 2 "the map has one column for it"
is "$(sched runqueue --cpu 1 --json | one 'scalar @{$d->{cpus}}')" 1 "and the queues one row"
like "$(sched map --comm dd | sed 1d | head -1)" '=> dd:' "the map begins with the task"
merged=$(sched latency --merge --top 0 --json | one 'join " ", grep { $_ > 1 } map { $_->{tasks} } @{$d->{tasks}}')
like "$merged" '[2-9]' "tasks of one name are merged"
run "$KTRAIL" sched latency --comm nobody "$events"
like "$status:$err" "^1:.*no task 'nobody'" "an unknown task is an error"

# Errors
run "$KTRAIL" sched latency "$data/6.12-fgraph-retval.dat"
is "$status" 1 "without switches it fails"
like "$err" 'ktrail record -e sched:sched_switch -e sched:sched_waking' "with the way to record them"
run "$KTRAIL" sched latency "$data/6.12-fgraph.dat"
like "$status:$err" "^0:.*no wakeups were recorded.* -e sched:sched_waking" "without wakeups it warns"
run "$KTRAIL" sched latency --sort size "$events"
like "$status:$err" "^2:.*cannot sort by 'size'" "an unknown order"
run "$KTRAIL" sched timehist --sort max "$events"
is "$status" 2 "a list is always in time order"
run "$KTRAIL" sched map -w "$events"
is "$status" 2 "-w is only for timehist"
run "$KTRAIL" sched replay "$events"
like "$status:$err" "^2:.*no verb 'replay'" "an unknown verb is misuse"

shown=$(sed -n '/\$ ktrail sched timehist/,/^$/{/\$ ktrail/d; /^$/d; s/^    //; p}' Documentation/ktrail-sched.md)
is "$shown" "$(sched timehist -wM --state --time 128.4059,128.4280)" "the page shows the real output"
done_testing
