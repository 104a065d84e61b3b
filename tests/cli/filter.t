#!/bin/bash
# filter.t - report -F keeps the same records as trace-cmd, and explains filters and their errors
. tests/kt_test.sh
data=tests/data/peer

# compare FILE FILTER…: the same bytes as trace-cmd's report; "-v" inverts those after it
compare() {
	local file=$1 args=() f
	shift
	for f in "$@"; do
		if [ "$f" = -v ]; then args+=(-v); else args+=(-F "$f"); fi
	done
	"$KTRAIL" report -q --layout 3.1 "${args[@]}" -i "$data/$file.dat" >"$KT_TMP/ours" 2>&1
	trace-cmd report "${args[@]}" -i "$data/$file.dat" >"$KT_TMP/theirs" 2>/dev/null
	same "$KT_TMP/ours" "$KT_TMP/theirs" "$file: $*"
}

# compare_meaning FILTER: the output of -T
compare_meaning() {
	"$KTRAIL" report -q -T -F "$1" -i $data/events-irqs.dat >"$KT_TMP/ours" 2>&1
	trace-cmd report -T -F "$1" -i $data/events-irqs.dat 2>/dev/null |
		grep -a "^ '" >"$KT_TMP/theirs"
	same "$KT_TMP/ours" "$KT_TMP/theirs" "-T: $1"
}

if trace-cmd 2>/dev/null | grep -q 'version 3\.1\.'; then
	for file in events-irqs lost; do
		compare $file 'sched_switch: prev_state == 0'
		compare $file 'sched_switch: prev_pid & 1 && next_prio < 121'
		compare $file 'sched: COMM =~ "work"'
		compare $file '.*: CPU == 1'
		compare $file '.*: COMM == "<idle>"'
		compare $file sched_switch -v 'sched_switch: CPU == 0'
		compare $file '.*' -v sched
		compare $file 'sched_switch: next_comm =~ "^t" || prev_comm =~ "^[kr]"'
		compare $file '.*: common_pid != 0 && CPU < 1 || COMM =~ "rcu"'
		compare $file '.*: COMM =~ "rcu" || common_pid != 0 && CPU < 1'
		compare $file 'sched_switch: !prev_pid==0 && next_pid > 10'
		compare $file '.*: pid == 15 || next_pid == 15 || common_pid == 15'
		compare $file 'sched_switch: prev_state != 0' 'sched_wakeup: prio <= 120'
		compare $file '.*: COMM !~ "[a-k]"'
		compare $file 'sched_switch: next_comm != "work"'
		compare $file 'sched_switch: prev_pid - 15'
		compare $file 'sched_switch: prev_pid % 3'
		compare $file 'sched_switch: prev_pid << 63'
	done
	compare events-irqs 'hrtimer_start: function == "hrtimer_nanosleep"'
	compare events-irqs 'timer.*,hrtimer.*: function =~ "sleep"'
	compare events-irqs 'sys_exit_.*: ret == 0xfffffffffffffffe'
	compare events-irqs 'sched_process_exec: filename =~ "busy"'
	compare events-irqs 'sys_enter_openat: flags & 0x80000'
	compare events-irqs 'irq,timer'
	compare events-irqs 'SCHED_\(switch\|wakeup\),irq'
	compare events-irqs '.*: common_flags & 1'
	compare events-irqs '.*: !(vec == 1) && common_preempt_count > 0'
	compare v6-function 'function: ip =~ "vfs_read"'
	compare v6-function 'function: ip == "vfs_read" || parent_ip =~ "write"'
	compare v6-function '.*: parent_ip !~ "sys"'
	compare fgraph-sched 'sched_switch'
	compare probes 'wakelat'
	compare probes '.*: delta > 1000'
	compare markers 'bputs,print'

	compare_meaning 'sched_switch: prev_pid==1 || next_pid==2 && prev_prio==3'
	compare_meaning 'sched_switch: !prev_pid==1 && (next_pid==2 || prev_comm =~ "a\|b")'
	compare_meaning 'sched: prev_pid > 3'
	compare_meaning 'sched_switch,irq.*: !(vec == 1) && CPU == 0'
	compare_meaning '.*: !(vec == 1)'
	compare_meaning '.*: common_pid == 1 && nope == 2 || vec == 0x10'
	compare_meaning 'hrtimer_start: function == "tick" && softexpires > 5000000000000'
else
	skip "the same as trace-cmd" "no trace-cmd 3.1 here"
fi

# count FILTER: the number of lines of events-irqs that it keeps
count() {
	"$KTRAIL" report -F "$1" $data/events-irqs.dat | grep -vc '^cpus='
}

is "$(count 'sched_switch: prev_comm ~ "kwork*"')" "$(count 'sched_switch: prev_comm =~ "^kwork"')" \
	"globs of the kernel are understood"
is "$(count 'prev_comm ~ "kwork*"')" "$(count 'sched_switch: prev_comm =~ "^kwork"')" \
	"so are filters of the kernel, which do not name an event"
is "$(count 'sys_exit_openat: ret < 0')" "$(count 'sys_exit_openat: ret > 0xfffffffffffff000')" \
	"errors of system calls are negative"
is "$(count 'comm == "<idle>" && vec == 1 && cpu == 0')" \
	"$(count '.*: COMM == "<idle>" && vec == 1 && CPU == 0')" "comm and cpu are those of the record"
is "$(count 'comm == rcu_preempt && prio == 120')" "$(count 'sched: comm == "rcu_preempt" && prio == 120')" \
	"unless the event has a field of that name"
is "$("$KTRAIL" report -F 'duration > 300us' $data/fgraph-sched.dat | grep -c ' us')" \
	"$("$KTRAIL" report -F 'funcgraph_exit: rettime - calltime > 300000' $data/fgraph-sched.dat | grep -c ' us')" \
	"durations of functions have units"

others=$("$KTRAIL" report $data/events-irqs.dat $data/markers.dat | grep -c '^ *markers.dat')
run "$KTRAIL" report -i $data/events-irqs.dat -F sched_switch -i $data/markers.dat
is "$(grep -c '^events-irqs.dat' <<<"$out"):$(grep -c '^ *markers.dat' <<<"$out")" \
	"$("$KTRAIL" report -F sched_switch $data/events-irqs.dat | grep -c .):$others" \
	"after -i a filter applies to that file only, others are shown completely"
run "$KTRAIL" report -v -F sched_switch -i $data/events-irqs.dat -F timer -i $data/markers.dat
is "$(grep -c '^ *markers.dat' <<<"$out")" "$others" "also if other filters exclude events"

run "$KTRAIL" report -F 'sched_switch: prev_pdi == 1' $data/events-irqs.dat
is "$err" "ktrail report: sched_switch has no field 'prev_pdi', did you mean 'prev_pid'?
  sched_switch: prev_pdi == 1
                ^" "a misspelt field is named, with its place and the nearest name"
[ "$status" != 0 ]
ok $? "and fails"
is "$out" "" "and prints nothing"

run "$KTRAIL" report -F prev_pid $data/events-irqs.dat
is "$err" "ktrail report: 'prev_pid' is a field, not an event: compare it with a value
  prev_pid
  ^" "a field alone is not a filter"

done_testing
