#!/bin/bash
# profile.t - where tasks spent their time, from files and live
. tests/kt_test.sh
# shellcheck disable=SC2154
data=tests/data/peer

# Under the name trace-cmd, the lines are those of trace-cmd 3.1.6, for scripts that read them
ln -s "$KTRAIL" "$KT_TMP/trace-cmd"
run "$KT_TMP/trace-cmd" report --profile "$data/events-irqs.dat"
is "$status" 0 "report --profile works"
like "$out" $'\n\ntask: kworker/0:0-7\n  Event: sched_switch:. \(1\) Total: 6654619 Avg: 6654619 Max: 6654619\(ts:18.911970\) Min:6654619\(ts:18.911970\)\n' \
	"a task, its events and their times"
like "$out" '  Event: softirq_entry:RCU \(1\) Total: 41692 Avg: 41692 Max: 41692\(ts:18.986469\)' "an interrupt"
like "$out" '  Event: hrtimer_start:0xff25a23ff75235c0 \(7\)'$'\n' "events that are only counted"
like "$out" '  Event: sys_enter_openat \(30\) Total: ' "system calls are timed"
run "$KT_TMP/trace-cmd" report --profile -G "$data/events-irqs.dat"
like "$out" $'^cpus=2\nGlobal CPU\[0\] Events\n  Event: softirq_' "-G counts interrupts by CPU"
run "$KT_TMP/trace-cmd" report --profile --by-comm "$data/events-irqs.dat"
like "$out" $'\n\ngroup: rcu_preempt\n  Event: sched_switch:. \(12\) Total: 89520989 ' "--by-comm groups tasks"
unlike "$out" 'task: ' "… all of them"
run "$KT_TMP/trace-cmd" report --profile "$data/stacks.dat"
like "$out" '\) time:[0-9]+ max:[0-9]+\(ts:[0-9.]+\) min:[0-9]+\(ts:[0-9.]+\) avg:[0-9]+'$'\n'' {15}schedule_on_each_cpu \(0x' \
	"stacks have their times"
run "$KT_TMP/trace-cmd" report --profile "$data/fgraph-sched.dat"
like "$out" 'Event: func: do_nanosleep\(\) \(1\) Total: 3604608 ' "functions have the times of the report"

# ---- for users: the largest time first ----
run "$KTRAIL" report --profile "$data/events-irqs.dat"
like "$out" $'^   COUNT     TOTAL       AVG       MAX          MAX AT  EVENT\n\ntrace-cmd-149\n       1    103 ms    103 ms    103 ms       18.997752  sched_switch:S\n' \
	"a head, then the task that took longest, in human units"
like "$out" $'\n       7 +hrtimer_start:0xff25a23ff75235c0\n' "events that are only counted have no times"
like "$out" $'\nswapper/1 \(idle\)\n.*$' "idle tasks have a block"
is "$(grep -A1 '^$' "$KT_TMP/out" | grep '[a-z]' | tail -2 | sort)" $'swapper/0 (idle)\nswapper/1 (idle)' "… at the end"
# rows EXPR: its value for @r, [task, row] of each row of the JSON
rows() { json 'my @r = map { my $t = $_; map { [$t->{comm}, $_] } @{$t->{events}} } @$d; '"$1" "$KT_TMP/out"; }
for by in total max count; do
	run "$KTRAIL" report --profile --json --sort $by --top 7 "$data/events-irqs.dat"
	is "$(rows "scalar @r")" '[7]' "--top 7 --sort $by: seven rows"
	"$KTRAIL" report --profile --json "$data/events-irqs.dat" >"$KT_TMP/all"
	is "$(rows "join ',', sort { \$b <=> \$a } map { \$_->[1]{$by} // 0 } @r")" \
		"$(json "join ',', (sort { \$b <=> \$a } map { \$_->{$by} // 0 } map { @{\$_->{events}} } grep { \$_->{comm} !~ /swapper/ } @\$d)[0 .. 6]" "$KT_TMP/all")" \
		"… those with the most"
done
run "$KTRAIL" report --profile --sort name "$data/events-irqs.dat"
is "$(grep -A1 '^$' "$KT_TMP/out" | grep '[a-z]' | grep -v idle | sed 's/-[0-9]*$//')" \
	"$(grep -A1 '^$' "$KT_TMP/out" | grep '[a-z]' | grep -v idle | sed 's/-[0-9]*$//' | LC_ALL=C sort)" "--sort name: tasks by name"
run "$KTRAIL" report --profile --sort size "$data/events-irqs.dat"
like "$status:$err" "^2:.*cannot sort by 'size', only by total, count, avg, max, name" "an unknown order"
run "$KTRAIL" report --profile "$data/stacks.dat"
like "$out" $'\n {12}\+ 66 %, 1 time, 7.8 ms, max 7.8 ms\n {12}\| ksys_unshare\n' "stacks with their share"
for cols in 60 40; do
	script -qec "stty cols $cols; PAGER=cat $KTRAIL report --profile $data/events-irqs.dat" /dev/null </dev/null | tr -d '\r' >"$KT_TMP/narrow"
	is "$(awk "length > $cols" "$KT_TMP/narrow" | wc -l):$(grep -c sched_switch "$KT_TMP/narrow" | sed 's/[1-9][0-9]*/some/')" "0:some" \
		"lines keep to the width of the terminal and show the event: $cols"
done

# ---- the selection of records ----
run "$KTRAIL" report --profile -F 'common_pid==7' "$data/events-irqs.dat"
is "$(grep -cx "ksoftirqd/0-7\|kworker/0:0-7\|[^ ].*-7" "$KT_TMP/out"):$(grep -c "^\$" "$KT_TMP/out")" 1:1 "a filter selects the records"
"$KTRAIL" split -i "$data/events-irqs.dat" -o "$KT_TMP/part.dat" 18.92 18.95
"$KTRAIL" report --profile "$KT_TMP/part.dat" >"$KT_TMP/part"
run "$KTRAIL" report --profile --time 18.92,18.95 "$data/events-irqs.dat"
same "$KT_TMP/out" "$KT_TMP/part" "--time is the profile of that part"
"$KTRAIL" report --profile -F '.*:common_flags & 24 == 0' "$data/events-irqs.dat" >"$KT_TMP/part"
run "$KTRAIL" report --profile -I -S "$data/events-irqs.dat"
same "$KT_TMP/out" "$KT_TMP/part" "-I and -S omit the time of interrupts"
unlike "$out" '(irq_handler|softirq)_entry' "… and themselves"
run "$KTRAIL" report --profile --time 18.9,18.91 --time 18.97,18.99 "$data/events-irqs.dat"
run "$KTRAIL" report --profile --json --time 18.9,18.91 --time 18.97,18.99 "$data/events-irqs.dat"
unlike "$out" '"max": ?([3-9][0-9]{7}|[0-9]{9,}),' "no pair spans two windows"
run "$KTRAIL" report --profile -H 'hrtimer_start,hrtimer/hrtimer_expire_entry,hrtimer' "$data/events-irqs.dat"
like "$out" ' [mun]s +[0-9.]+  hrtimer_start:0x' "-H pairs two more events"
run "$KTRAIL" report --profile -H nonsense "$data/events-irqs.dat"
is "$status" 2 "an invalid hook is misuse"
like "$err" "nonsense.*START,FIELD" "with the correct form"
run "$KTRAIL" report --profile -H 'hrtimer_strat,hrtimer/hrtimer_expire_entry,hrtimer' "$data/events-irqs.dat"
is "$status $err" "1 ktrail report: hook 'hrtimer_strat,hrtimer/hrtimer_expire_entry,hrtimer': the trace has no event 'hrtimer_strat', did you mean 'hrtimer_start'?" \
	"a misspelt event in a hook gets a suggestion"
"$KTRAIL" report --profile --json "$data/stacks.dat" >"$KT_TMP/json"
is "$(json 'my ($t) = grep { ($_->{comm} // "") eq "rcu_preempt" } @$d; my $row = $t->{events}[0];
	@$row{"event", "count"}, $row->{stacks}[0]{total} == $row->{total} ? 1 : 0' "$KT_TMP/json")" '["sched_switch",8,1]' \
	"--json is JSON"

# ---- live, in our own instances ----
tracing=/sys/kernel/tracing
if [ "$(id -u)" != 0 ] || [ ! -w $tracing/instances ] || [ ! -e $tracing/events/sched/sched_switch ]; then
	skip "live profiles" "needs root and tracefs with instances"
	done_testing
	exit
fi
export KTRAIL_JOURNAL_DIR=$KT_TMP/journal TMPDIR=$KT_TMP/tmp
mkdir -p "$KTRAIL_JOURNAL_DIR" "$TMPDIR"
run "$KTRAIL" profile -B auto -p nop sleep 0.2
is "$status" 0 "profile works"
like "$out" $'\nsleep-[0-9]+\n +[0-9]+ +([2-9][0-9]{2} ms|[0-9.]+ s) .*sched_switch:S\n' "a sleep is found with its cause"
like "$out" 'nanosleep' "with the stack that led there"
is "$(ls "$TMPDIR")" "" "nothing is left behind"
run "$KTRAIL" profile -B auto -p nop --time -1ms, sleep 0.2
is "$status" 0 "--time is a window of the recorded time"
unlike "$out" $'\nsleep-[0-9]+\n +[0-9]+ +([2-9][0-9]{2} ms|[0-9.]+ s) .*sched_switch:S' "here the end, when the sleep is over"
run "$KTRAIL" profile -B auto -p nop -o "$KT_TMP/profile" sh -c 'echo hello; exit 3'
is "$status $out" "3 hello" "-o does not change the output and the exit status of the command"
like "$(cat "$KT_TMP/profile")" "sched_wakeup:" "and gets the profile"
run "$KTRAIL" profile -B auto --stderr -S -e sched:sched_process_exec true
like "$err" 'sched_process_exec:' "--stderr, and -S: only the named events"
unlike "$err" 'sched_switch' "nothing else"
run "$KTRAIL" profile -B auto -S true
is "$status" 2 "-S without events is misuse"
run "$KTRAIL" profile -B auto -H nonsense true
is "$status" 2 "an invalid hook, too"

hook=sched:sched_process_fork,child_pid,parent_pid/sched:sched_process_exec,pid
run "$KTRAIL" record --profile -S -H $hook -B auto -q -o "$KT_TMP/hook.dat" sh -c 'env true; :'
is "$status" 0 "record --profile works"
run "$KTRAIL" report --profile "$KT_TMP/hook.dat"
like "$out" ' [mun]s +[0-9.]+  sched_process_fork:0x' "report finds the hook in the file"

done_testing
