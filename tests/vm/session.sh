# session.sh - start and record --session in a guest: applied, refused half-way, killed
# shellcheck shell=bash
. tests/guest.sh

snap() { ktrail state save - | grep -v '^#'; }

cat >/tmp/a.state <<'TXT'
[machine]
probe = s:synthetic/lat u64 d; pid_t pid
probe = p:kprobes/reads vfs_read
sysctl/ftrace_dump_on_oops = 2
sysctl/traceoff_on_warning = 1
max_graph_depth = 4

[instance work]
tracing_on = 1
trace_clock = mono
set_ftrace_filter = vfs_read
current_tracer = function
event = kprobes:reads
event = sched:sched_switch
filter = sched:sched_switch prev_pid > 3
trigger = sched:sched_waking hist:keys=pid:ts0=common_timestamp.usecs
trigger = sched:sched_switch hist:keys=next_pid:d=common_timestamp.usecs-$ts0:onmatch(sched.sched_waking).lat($d,next_pid)
TXT
run ktrail start --session /tmp/a.state
is "$status:$err" "0:" "a session with probes, a synthetic event, hist triggers and a tracer starts"
is "$(cat /proc/sys/kernel/ftrace_dump_on_oops)" 2 "an oops will print the trace"
is "$(cat /proc/sys/kernel/traceoff_on_warning)" 1 "a warning will stop tracing"
like "$(ktrail state show -a)" 'sysctl/traceoff_on_warning = 1' "which a saved state has"
like "$(cat $T/instances/work/events/sched/sched_switch/trigger)" 'onmatch.sched.sched_waking..lat' "the events are joined"
cat /proc/version >/dev/null
sleep 0.5
like "$(cat $T/instances/work/trace)" 'reads:' "and it traces"
run ktrail start --session /tmp/a.state
is "$status:$err" "0:" "applying it again changes nothing and succeeds"

sed 's/prev_pid > 3/no_such > 3/; s/max_graph_depth = 4/max_graph_depth = 9/' /tmp/a.state >/tmp/bad.state
snap >/tmp/before
run ktrail start --session /tmp/bad.state
is "$status" 1 "a filter that the kernel refuses"
like "$err" 'no_such' "is reported"
snap >/tmp/after
same /tmp/after /tmp/before "and all earlier settings are undone"

# Record another session, without a change to this one
printf '[machine]\nmax_graph_depth = 7\n[instance rec]\nevent = sched:sched_switch\ntrace_clock = mono\n' >/tmp/rec.state
run ktrail record -q --session /tmp/rec.state -o /tmp/x.dat sleep 0.5
is "$status:$err" "0:" "record --session beside another session"
like "$(ktrail report /tmp/x.dat 2>/dev/null)" 'sched_switch:' "has the events of the session"
snap >/tmp/after
same /tmp/after /tmp/before "and does not change other settings"
# SIGKILL while the kernel allocates the buffers of an instance makes it warn (trace_rb_cpu_prepare in 6.12), and
# with traceoff_on_warning it then turns tracing off.
echo 0 >/proc/sys/kernel/traceoff_on_warning
snap >/tmp/before
bad=0 told=
for s in 0.02 0.05 0.1 0.2 0.4 0.8; do
	ktrail record -q --session /tmp/rec.state -o /tmp/x.dat sleep 5 2>/dev/null &
	sleep $s
	kill -9 $!
	wait $! 2>/dev/null
	ktrail restore-settings >/tmp/restored 2>&1 || told+=$(cat /tmp/restored)
	snap >/tmp/after
	cmp -s /tmp/after /tmp/before || { bad=$((bad + 1)); told+=$'\n'"killed after $s: $(diff /tmp/before /tmp/after)"; }
done
is "$bad" 0 "after a kill at any time, restore-settings restores everything" || note "$told" "$(dmesg | grep -A3 WARNING: | tail -20)"
echo 1 >/proc/sys/kernel/traceoff_on_warning

run ktrail functions add schedule:traceoff:3 vfs_read:stacktrace do_exit:enable_event:sched:sched_switch:2
is "$status:$err" "0:" "function commands are set"
run ktrail functions clear
is "$status:$(grep -v '^#' $T/set_ftrace_filter)" "0:" "and cleared, counted ones as well"

ktrail dump-on-oops set off
echo 0 >/proc/sys/kernel/traceoff_on_warning
ktrail reset -y -t -a -d
unchanged
done_testing
