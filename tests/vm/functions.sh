# functions.sh - function tracers, their filters and their commands, in both buffers
# shellcheck shell=bash disable=SC2154
. tests/proof.sh

# Switching all functions takes a minute on an emulated machine: never do it without a filter.
works start -p function -l '^vfs_(read|write)$' -n vfs_write cat /proc/version
is "$(cat $T/set_ftrace_filter)" $'vfs_read\nvfs_write' "an expression selects functions"
is "$(cat $T/set_ftrace_notrace)" vfs_write "others are not selected"
# Reading the trace calls vfs_read, which is traced: show must end anyway.
run timeout 100 ktrail show
is "$status" 0 "show ends although its own reads are traced"
works stop
k show
like "$out" 'vfs_read <-ksys_read' "the trace has the function"
unlike "$out" 'vfs_write' "and not the other"
k stat
like "$out" 'Tracer: function' "stat shows the tracer"
works reset
as_before "reset clears all settings after a function trace"

works start -p function_graph -g vfs_read --max-graph-depth 2 -l vfs_read -l rw_verify_area -O nofuncgraph-irqs cat /proc/version
is "$(cat $T/set_graph_function)$(cat $T/max_graph_depth)" vfs_read2 "a graph of one function, with a depth"
# Reading a trace of the reads themselves would never end.
works stop
k show
like "$out" 'vfs_read\(\) \{' "is in the trace"
for option in args retval retaddr; do
	if [ -e $T/options/funcgraph-$option ]; then
		works set -O funcgraph-$option
		works set -O nofuncgraph-$option
	else
		skip "funcgraph-$option" "not in this kernel"
	fi
done
works reset
ktrail set -O funcgraph-irqs
as_before "reset clears all settings after a graph"

works start -p function -l schedule --func-stack sleep 0.1
works stop
k show
like "$out" '=> (__)?schedule' "a function has a stack trace"
works reset
as_before "reset removes stack traces of functions"
k start -p function --func-stack
is "$status" 1 "stack traces of all functions are refused"
k start -p function_graph -g sys_openat
like "$status:$err" "^1:.*did you mean '__[a-z0-9]+_sys_openat'" "for a system call, its function is suggested"
k start -p function -l vfs_raed
is "$status" 1 "an unknown function is refused"
like "$err" "did you mean 'vfs_read'" "with a suggestion"
as_before "a refused start leaves nothing behind"
works start -p function -l 'virtio*' -l ':mod:virtio_blk'
like "$(cat $T/set_ftrace_filter)" 'virtblk_probe' "functions of a module"
works reset
as_before "are removed"

# ---- commands of functions ----
works start -p nop -l vfs_open:traceoff:3 -l vfs_read:traceon -l vfs_write:stacktrace:2 \
	-l vfs_fsync:snapshot:1 -l vfs_statfs:enable_event:sched:sched_switch:1
now=$(cat $T/set_ftrace_filter)
like "$now" 'vfs_open:traceoff:count=[0-9]' "a count for traceoff"
like "$now" 'vfs_read:traceon:unlimited' "none for traceon"
like "$now" 'vfs_write:stacktrace:count=[0-9]' "a stack trace"
like "$now" 'vfs_fsync:snapshot:count=1' "a snapshot"
like "$now" 'vfs_statfs:enable_event:sched:sched_switch:count=1' "an event"
works state save "$KT_TMP/commands"
works reset
as_before "reset removes all of them"
works state restore "$KT_TMP/commands"
is "$(cat $T/set_ftrace_filter | sed 's/count=.*//' | LC_ALL=C sort)" "$(sed 's/count=.*//' <<<"$now" | LC_ALL=C sort)" "a state restores them"
works state restore "$KT_TMP/commands"
works reset
as_before "reset removes these, too"
ktrail record -q -o "$KT_TMP/c.dat" -e sched:sched_switch -l vfs_fsync:traceoff:1 true
as_before "and record removes its own"
for command in vfs_fsync:traceoff:3 vfs_read:stacktrace; do
	works functions add $command
	works functions remove ${command%:3}
done
as_before "functions remove removes a command with a count"
works functions add vfs_statfs:traceoff:5 mod:not_loaded_here
works functions clear
as_before "clear also removes commands that a module in the list hides"
k functions add vfs_open:traceof
like "$status:$err" "^1:.*no command 'traceof', did you mean" "a misspelt command is refused"
k list -f vfs_raed
like "$err" "did you mean 'vfs_read'" "for a misspelt function, one is suggested"

# ---- former settings are restored ----
echo vfs_write >$T/set_ftrace_filter
echo 'vfs_fsync:traceoff:5' >>$T/set_ftrace_filter
echo vfs_open >$T/set_graph_function
settings >"$KT_TMP/mine"
ktrail record -q -o "$KT_TMP/c.dat" -p function -l vfs_read dd if=/dev/zero of=/dev/null count=3 2>/dev/null
like "$(ktrail report "$KT_TMP/c.dat")" 'dd-.* vfs_read' "a recording has its functions"
settings >"$KT_TMP/after"
same "$KT_TMP/after" "$KT_TMP/mine" "a recording restores the former list and command"
works reset
as_before

# ---- a traced command: the kernel removes tasks from its lists when they end ----
ktrail record -q -o "$KT_TMP/c.dat" -F -c -p function -l vfs_read -e sched:sched_switch sh -c 'dd if=/dev/zero of=/dev/null count=3; true' 2>/dev/null
like "$(ktrail report "$KT_TMP/c.dat")" 'dd-.* vfs_read' "a command and its children are followed"
as_before "and no list of tasks remains"
ktrail record -q -o "$KT_TMP/c.dat" -p function -l vfs_read -e sched:sched_switch sh -c 'dd if=/dev/zero of=/dev/null count=3; sleep 1' 2>/dev/null
like "$(ktrail report "$KT_TMP/c.dat")" 'sched_switch: ' "the next recording has the events of all"
like "$(ktrail report "$KT_TMP/c.dat")" ' vfs_read' "and their functions"
works reset
as_before
# The kernel's own view afterwards, without ktrail
all_pass() {
	echo >$T/trace
	echo 1 >$T/tracing_on
	echo vfs_read >$T/set_ftrace_filter
	echo function >$T/current_tracer
	echo 1 >$T/events/sched/sched_process_exec/enable
	sh -c 'dd if=/dev/zero of=/dev/null count=1' 2>/dev/null
	echo 0 >$T/events/sched/sched_process_exec/enable
	cp $T/trace "$KT_TMP/all"
	echo nop >$T/current_tracer
	echo >$T/set_ftrace_filter
	echo >$T/trace
	grep -q sched_process_exec: "$KT_TMP/all" && grep -q 'dd-.* vfs_read' "$KT_TMP/all"
	ok $? "$1" || note "$(cat "$KT_TMP/all")"
}
ktrail record -q -o "$KT_TMP/c.dat" -F -c -p function -l vfs_read -e sched:sched_switch sh -c 'dd if=/dev/zero of=/dev/null count=3; true' 2>/dev/null
all_pass "after a traced command, all tasks are traced"
# Lists that others have left: they read as empty because their tasks have ended
left_behind() {
	echo 1 >$T/options/event-fork
	echo 1 >$T/options/function-fork
	sleep 100 >/dev/null 2>&1 &
	echo $! | tee $T/set_event_pid >$T/set_ftrace_pid
	kill $!
	wait $! 2>/dev/null
	until_true 20 sh -c "! cat $T/set_event_pid $T/set_ftrace_pid | grep -q ."
	echo 0 >$T/options/event-fork
	echo 0 >$T/options/function-fork
}
left_behind
is "$(cat $T/set_event_pid $T/set_ftrace_pid)" "" "lists of ended pids read as empty"
works record -q -o "$KT_TMP/c.dat" -p function -l vfs_read -e sched:sched_process_exec sh -c 'dd if=/dev/zero of=/dev/null count=3 2>/dev/null'
ktrail report "$KT_TMP/c.dat" >"$KT_TMP/text"
like "$(cat "$KT_TMP/text")" 'sched_process_exec: .*filename' "record clears those: it has all events"
like "$(cat "$KT_TMP/text")" 'dd-.* vfs_read' "and functions"
all_pass "after it they block no task"
left_behind
works reset
all_pass "also after reset"
as_before

# ---- a running task: its lists are restored ----
sleep 1000 >/dev/null 2>&1 &
echo $! | tee $T/set_event_pid $T/set_event_notrace_pid $T/set_ftrace_notrace_pid >$T/set_ftrace_pid
settings >"$KT_TMP/mine"
ktrail record -q -o "$KT_TMP/c.dat" -F -c -p function -l vfs_read -e sched:sched_switch sh -c 'dd if=/dev/zero of=/dev/null count=3; true' 2>/dev/null
like "$(ktrail report "$KT_TMP/c.dat")" 'dd-.* vfs_read' "another command is traced"
settings >"$KT_TMP/after"
same "$KT_TMP/after" "$KT_TMP/mine" "and all lists of pids are restored"
kill $!
works reset
as_before

# ---- an instance of its own ----
works start -B own -p function -l vfs_read -e sched:sched_switch -b 128 cat /proc/version
works stop -B own
k show -B own
like "$out" 'vfs_read' "an instance traces functions independently"
works reset -B own -d
as_before "its deletion leaves nothing behind"

# ---- the profiler of functions, the stack tracer ----
if [ -e $T/function_profile_enabled ]; then
	works profile --functions -l 'vfs_*' cat /proc/version
	as_before "the function profiler leaves nothing behind"
else
	skip "function profiler" "not in this kernel"
fi
if [ -e /proc/sys/kernel/stack_tracer_enabled ]; then
	echo vfs_read >$T/stack_trace_filter
	works stack --start
	until_true 20 grep -q '^ *[0-9])' $T/stack_trace || cat /proc/version >/dev/null
	works stack --stop
	k stack
	like "$out" 'not running' "the stack tracer is off"
	works stack --reset
	echo >$T/stack_trace_filter
	as_before "the stack tracer leaves nothing behind"
else
	skip "stack tracer" "not in this kernel"
fi

unchanged
done_testing
