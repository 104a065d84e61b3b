#!/bin/bash
# hist.t - `ktrail hist FILE`: the events of a trace file by call chain
. tests/kt_test.sh
. tests/kt_fake.sh
# shellcheck disable=SC2154
data=tests/data/peer

# trace-cmd 3.1.6 counts 60 where its own report shows 51; ours are those of the report
run "$KTRAIL" hist -P -i "$data/stacks.dat"
is "$status" 0 "hist reads a file"
like "$out" '^  %94.44 <all pids>                   sched_switch #51'$'\n' "-P counts all tasks together"
like "$out" $'\n''         --- \*sched_switch\*'$'\n''            \|'$'\n' "an event is printed between stars"
like "$out" $'\n''            \|--%100.00-- __cond_resched_rwlock_write  # 51'$'\n' "its caller below"
like "$out" $'\n'' {25}\|--%[0-9.]+-- schedule  # [0-9]+'$'\n'' {25}\| {12}\|'$'\n' "callers branch"
run "$KTRAIL" hist -i "$data/stacks.dat"
like "$out" '  \(15\) rcu_preempt                   sched_switch #9' "tasks are named"

sum=$("$KTRAIL" report "$data/fgraph-sched.dat" | grep -cE 'funcgraph_entry:|sched_[a-z_]*:')
run "$KTRAIL" hist "$data/fgraph-sched.dat"
is "$(awk -F'#' '/^  %/ { n += $2 } END { print n }' "$KT_TMP/out")" "$sum" \
	"every event and function of the report is counted"
like "$out" 'schedule #' "functions have no stars"
run "$KTRAIL" hist --top 2 "$data/events-irqs.dat"
is "$(grep -c '^  %' "$KT_TMP/out")" 2 "--top shows the first ones"
"$KTRAIL" hist --json "$data/stacks.dat" >"$KT_TMP/json"
is "$(json 'my $n; $n += $_->{count} for @$d; $n, $d->[0]{callers}[0]{function}' "$KT_TMP/json")" \
	'[54,"__cond_resched_rwlock_write"]' "--json is JSON, and complete"
run "$KTRAIL" hist -i "$data/stacks.dat" other.dat
is "$status" 2 "two files are misuse"
run "$KTRAIL" hist -i "$KT_TMP/none.dat"
is "$status" 1 "a missing file is an error"
like "$err" 'none\.dat' "which is named"

run "$KTRAIL" hist --time 99999999, -i "$data/stacks.dat"
is "$status:$out" "1:" "a window without records is an error"
like "$err" 'no records in .*stacks\.dat' "with a message"
run "$KTRAIL" hist --json --time 99999999, -i "$data/stacks.dat"
is "$status:$out" "0:[]" "as JSON it is an empty list"
run "$KTRAIL" hist -P -F sched_switch --top 1 -i "$data/stacks.dat"
like "$out" '%100\.00 <all pids> .* sched_switch #51' "a filter chooses the events that count"
run "$KTRAIL" hist -P --cpu 0 -i "$data/stacks.dat"
one=$(grep -o 'sched_switch #[0-9]*' <<<"$out")
run "$KTRAIL" hist -P --cpu 1 -i "$data/stacks.dat"
two=$(grep -o 'sched_switch #[0-9]*' <<<"$out")
is $((${one#*#} + ${two#*#})) 51 "and so do CPUs"
run "$KTRAIL" hist --live -F sched_switch
is "$status" 2 "a live table has no records to choose from"

cp "$data/stacks.dat" "$KT_TMP/trace.dat"
ln -s "$KTRAIL" "$KT_TMP/trace-cmd"
run bash -c "cd '$KT_TMP' && ./trace-cmd hist -P | head -1"
like "$out" '<all pids> .* sched_switch #51' "as trace-cmd it reads trace.dat by default"
run "$KT_TMP/trace-cmd" hist --time 99999999, -i "$data/stacks.dat"
is "$status:$out" "255:" "and fails like trace-cmd without records"
run "$KT_TMP/trace-cmd" mem --time 99999999, -i "$data/stacks.dat"
[ "$status" != 0 ]
ok $? "so does mem"

# ---- live tables ----
fake_tracefs
# table EVENT KEY ROW…: make a hist trigger with these values of the key, each hit once
table() {
	local event=$1 key=$2 rows='' n=$#
	shift 2
	for row; do rows+="{ $key:  $row } hitcount:  1\n"; done
	put "events/sched/$event/trigger" "hist:keys=$key:vals=hitcount:sort=hitcount:size=2048 [active]"
	put "events/sched/$event/hist" "# event histogram\n#\n# trigger info: hist:keys=$key:vals=hitcount:sort=hitcount:size=2048 [active]\n#\n\n$rows\nTotals:\n    Hits: $((n - 2))\n    Entries: $((n - 2))\n    Dropped: 0"
}
table sched_switch next_pid 5 7 6
table sched_wakeup pid 3 9 4
column() {	# a line for each table: its event, the texts of its key
	"$KTRAIL" hist --live --json "$@" | json '
		map { my @rows = @{$_->{rows}}; join " ", $_->{event},
		      map { my $r = $_; map { $r->{$_}{text} } grep { /pid$/ } keys %$r } @rows } @$d' | tr -d '[]"' | tr , '\n'
}
is "$(column -s pid.descending | grep wakeup)" "sched:sched_wakeup 9 4 3" "--sort orders the table that has the column"
is "$(column -s pid.descending | grep switch)" "$(column | grep switch)" "the other one stays as it is"
is "$(column -s next_pid | grep switch)" "sched:sched_switch 5 6 7" "whichever comes first"
is "$(LC_ALL=C "$KTRAIL" hist sched_wakeup | sed '1,/^$/d;/^$/d;s/#\{40\}$/BAR/')" \
"pid  hitcount      %  
  3         1  33.3%  BAR
  9         1  33.3%  BAR
  4         1  33.3%  BAR" "each row of the table is a line with a bar"
if has_terminals; then
	script -qec "stty cols 60; env LC_ALL=C PAGER=cat $KTRAIL hist sched_wakeup" /dev/null </dev/null |
		tr -d '\r' >"$KT_TMP/tty"
	is "$(grep -c '33.3%  ##*$' "$KT_TMP/tty"):$(grep -c '^ *##*$' "$KT_TMP/tty")" 3:0 \
		"in a narrow terminal the bars are shorter"
else
	skip "bars in a narrow terminal" "script(1) can make no terminal here"
fi
run "$KTRAIL" hist --live -s hitcount
is "$status" 0 "both have it"
run "$KTRAIL" hist --live -s nosuch
is "$status:$out:$err" "1::ktrail hist: no column 'nosuch' in any of these 2 tables" "if no table has it, nothing is printed"
run "$KTRAIL" hist sched_wakeup -s next_pid
like "$status:$err" "^1:.*no column 'next_pid' in hist:keys=pid" "a table alone is named"
put events/sched/sched_switch/hist "# event histogram\n#\n# trigger info: hist:keys=next_prio:vals=hitcount,next_prio:sort=hitcount:size=2048 [active]\n#\n\n{ next_prio:  120 } hitcount:  3  next_prio:  360\n\nTotals:\n    Hits: 3\n    Entries: 1\n    Dropped: 0"
run "$KTRAIL" hist sched_switch --json
like "$out" '"next_prio": \{"text": "120".*"next_prio.sum": 360' "a key that is also a value has two columns"
done_testing
