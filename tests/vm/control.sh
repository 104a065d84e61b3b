# control.sh - control commands on a real kernel: function tracing, snapshots, probes, kills
# shellcheck shell=bash disable=SC2154
. tests/guest.sh

k() { run ktrail "$@"; }

# The whole comparison takes its time in an emulated machine: between the parts, files that exist
# once, the systems, and what lists events, filters of functions and instances.
# trace_pipe would be waited for, and free_buffer frees when it is closed.
light() {
	local files=() f
	for f in $T/[a-z]*_*; do
		case $f in
		*/trace_pipe | */free_buffer | */available_*) ;;
		*) files+=("$f") ;;
		esac
	done
	grep -sH '' "${files[@]}" $T/options/* $T/events/enable $T/events/*/enable \
		/proc/sys/kernel/{ftrace_enabled,stack_tracer_enabled} 2>/dev/null |
		grep -v -e /saved_cmdlines: -e /saved_tgids -e /trace_stat -e /error_log \
			-e /printk_formats -e trace_marker -e enabled_functions \
			-e touched_functions -e _profile -e dyn_ftrace -e stack_trace: -e stack_max
	ls $T/instances
}
as_before() {
	light >"$KT_TMP/light.after"
	same "$KT_TMP/light.after" "$KT_TMP/light" "$1"
}

# A buffer grows when it is first used, and stays so: that is no setting.
ktrail start -e sched:sched_switch true
ktrail reset
light >"$KT_TMP/light"
settings >"$KT_TMP/before"
works() { k "$@"; is "$status:$err" "0:" "$* (${SECONDS} s)"; }

# ---- function tracing ----
works start -p function -l '^vfs_(read|write)$' -n vfs_write cat /proc/version
like "$(cat $T/set_ftrace_filter)" 'vfs_read' "an expression selects functions"
like "$(cat $T/set_ftrace_notrace)" 'vfs_write' "others are left out"
works stop
k show
like "$out" 'vfs_read' "the trace has the function"
unlike "$out" 'vfs_write' "and not the other"
k stat
like "$out" 'Tracer: function' "stat tells the tracer"
works reset
as_before "reset brings everything back after a function trace"

works start -p function_graph -g vfs_read --max-graph-depth 2 -O nofuncgraph-irqs cat /proc/version
k show
like "$out" 'vfs_read' "a graph"
works reset
ktrail set -O funcgraph-irqs 2>/dev/null
as_before "reset brings everything back after a graph"

works start -p function -l schedule --func-stack sleep 0.1
works reset
as_before "reset takes away stack traces of functions"
k start -p function --func-stack
is "$status" 1 "stack traces of all functions are refused"
k start -p function -l vfs_raed
is "$status" 1 "an unknown function is refused"
like "$err" "did you mean 'vfs_read'" "and the nearest named"
as_before "a refused start leaves nothing behind"
works start -p nop -l 'schedule:traceoff:3' -e sched
like "$(cat $T/set_ftrace_filter)" 'schedule:traceoff' "a function command is set"
works reset
as_before "and taken away"

# ---- an instance of its own ----
works start -B own -p function -l vfs_read -e sched:sched_switch -b 128 cat /proc/version
works stop -B own
k show -B own
like "$out" 'vfs_read|sched_switch' "an instance traces by itself"
works reset -B own -d
as_before "deleted, it leaves nothing behind"

# ---- filters and triggers: the kernel's own reasons ----
k start -e sched_switch -f 'prev_pix == 1'
is "$status" 1 "a wrong filter is refused"
like "$err" 'Field not found' "with the kernel's reason"
like "$err" '\^' "and its caret"
as_before "and nothing is left behind"
k start -e sched_switch -R 'hist:keys=nonsense'
like "$err" "ouldn't find field" "a wrong histogram, too"
as_before "and nothing is left behind"
works start -e sched_switch -R 'hist:keys=next_pid:sort=hitcount' -R 'traceoff:3 if prev_pid == 99999' -R stacktrace:1 sleep 0.1
k show --hist sched_switch
like "$out" 'hitcount' "a histogram counts"
works reset
as_before "triggers of every kind are taken away"

# ---- snapshots ----
if [ -e $T/snapshot ]; then
	works start -e sched sleep 0.1
	works snapshot -s
	k snapshot
	like "$out" 'sched_' "a snapshot holds events"
	works snapshot -r
	works snapshot -f
	works reset
	as_before "snapshots leave nothing behind"
else
	skip snapshots "this kernel has none"
fi

# ---- probes that are in use stay ----
echo 'p:kt/one vfs_read' >>$T/dynamic_events
echo 'p:kt/two vfs_write' >>$T/dynamic_events
mkdir $T/instances/other
echo 1 >$T/instances/other/events/kt/two/enable
k reset
is "$status" 1 "reset says that it kept something"
like "$err" 'kt/two' "and what"
unlike "$(cat $T/dynamic_events)" 'kt/one' "what is free goes"
like "$(cat $T/dynamic_events)" 'kt/two' "what another instance uses stays"
works reset -B other -d
works reset
as_before "after that nothing is left"

# ---- stack tracer ----
if [ -e /proc/sys/kernel/stack_tracer_enabled ]; then
	works stack --start
	sleep 0.2
	works stack --stop
	k stack
	like "$out" 'not running' "the stack tracer is off"
	works stack --reset
	as_before "the stack tracer leaves nothing behind"
else
	skip "stack tracer" "this kernel has none"
fi

# ---- killed at random moments ----
bad=0
for i in $(seq 20); do
	signal=$(( i % 3 == 0 ? 9 : i % 3 == 1 ? 15 : 2 ))
	ktrail record -o "$KT_TMP/t.dat" -e sched -p function -l vfs_read -b 256 -T -C mono -f 'prev_pid != 1' sleep 5 >/dev/null 2>&1 &
	pid=$!
	sleep "0.$((RANDOM % 9))"
	kill -$signal $pid 2>/dev/null
	wait $pid 2>/dev/null
	ktrail restore-settings >/dev/null 2>&1
	light >"$KT_TMP/light.after"
	if ! cmp -s "$KT_TMP/light.after" "$KT_TMP/light"; then
		bad=$((bad + 1))
		note "signal $signal, round $i:"
		diff "$KT_TMP/light" "$KT_TMP/light.after" | head -5 | sed 's/^/#   /'
		ktrail reset >/dev/null 2>&1
	fi
done
is "$bad" 0 "killed 20 times while recording, all settings come back"

works check-events
works list -f '^vfs_'
start=$(date +%s%N)
ktrail list -f '^vfs_.*e$' >/dev/null
note "list -f took $(( ($(date +%s%N) - start) / 1000000 )) ms here (emulated CPU)"
unchanged

done_testing
