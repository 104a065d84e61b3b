# record.sh - record with the function tracers, report, and restore the settings
. tests/guest.sh

work() {
	dd if=/dev/zero of=/tmp/f bs=4k count=10 2>/dev/null
	sleep 0.01
}
export -f work

run ktrail record -o f.dat -p function -l 'vfs_*' bash -c work
is "$status" 0 "the function tracer is recorded"
run ktrail report -i f.dat
is "$status" 0 "and reported"
like "$out" 'function: +vfs_write' "with names of functions"
unlike "$out" 'function: +0x' "all of which are known"
run ktrail report -i f.dat -O ftrace:parent
like "$out" 'vfs_write <-- ksys_write' "and of their callers"

run ktrail record -o g.dat -p function_graph -g vfs_write --max-graph-depth 3 -e sched:sched_switch bash -c work
is "$status" 0 "the function graph is recorded"
run ktrail report -i g.dat
like "$out" 'funcgraph_entry: .*\|  vfs_write\(\) \{' "it begins with the chosen function"
like "$out" 'funcgraph_exit: +[+!#*@$]? *[0-9.]+ us +\|  \}' "durations are there"
like "$out" 'sched_switch: ' "events are between the calls"
unchanged "after the function tracers, the settings are restored"

run ktrail record -o n.dat -p function -l no_such_function true
is "$status" 1 "a function that does not exist is an error"
like "$err" no_such_function "that names it"

for sig in INT TERM; do
	rm -f s.dat
	ktrail record -q -o s.dat -p function_graph -l 'vfs_*' -e sched >/dev/null 2>&1 &
	until [ "$(cat $T/current_tracer)$(cat $T/tracing_on)" = function_graph1 ]; do sleep 0.2; done
	kill -$sig $!
	wait $!
	is $? 0 "SIG$sig ends a recording"
	run ktrail report -i s.dat
	is "$status" 0 "its file is complete"
done
unchanged "after signals, the settings are restored"

done_testing
