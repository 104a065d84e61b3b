# refused.sh - messages after refusals of a kernel: what uses the file, and what would work
# shellcheck shell=bash disable=SC2154,SC2016,SC2086
. tests/proof.sh
SYSTEMS="$SYSTEMS kprobes synthetic"
settings >"$KT_TMP/before"
# refuses TEXT NAME ARG…: with status 1, and TEXT in the message
refuses() {
	local text=$1 name=$2
	shift 2
	k "$@"
	like "$status:$err" "^1:.*$text" "$name"
}
# hold FILE: have a process open it
# shellcheck disable=SC2217
hold() { sleep 1000 <"$1" & holder=$!; until_true 20 grep -q sleep /proc/$holder/comm; }
drop() { kill $holder; wait $holder 2>/dev/null; }

# ---- files of a buffer that a program has open ----
works instance create one
hold $T/instances/one/trace_pipe
refuses "'one' is in use by $holder sleep" "an instance whose trace is read cannot go" instance delete one
refuses "it is in use by $holder sleep, which reads trace_pipe" "nor change its tracer" tracer -B one set function
grep -qw function_graph $T/instances/one/available_tracers ||
	refuses "'function_graph' works in the top-level buffer only" "one that instances do not have" tracer -B one set function_graph
drop
hold $T/instances/one/trace
refuses "it is in use by $holder sleep, which reads trace" "a trace that is read holds the sizes" buffer -B one set 300k
refuses "instance 'one': .*which reads trace" "start says the same" start -B one -e sched -b 333
is "$(cat $T/instances/one/set_event)" "" "and leaves no event enabled"
drop
hold $T/instances/one/events/sched/sched_switch/enable
refuses "'one' is in use by $holder sleep" "any file of it holds it" instance delete one
drop
works instance delete one
hold $T/trace_pipe
refuses "which reads trace_pipe" "the top-level buffer's tracer, too" start -p function -l vfs_read
is "$(cat $T/set_ftrace_filter)" "#### all functions enabled ####" "with nothing left behind"
drop
works reset
as_before

# ---- the snapshot has one owner ----
if [ -e $T/snapshot ] && has_tracer wakeup; then
	echo schedule >$T/set_ftrace_filter
	works tracer set wakeup
	refuses "the snapshot holds the maximum of the tracer 'wakeup'" "a latency tracer has the snapshot" snapshot -s
	refuses "the snapshot holds the maximum" "its memory cannot be freed" snapshot -f
	refuses "the snapshot holds the maximum" "nor can a table take one" \
		trigger add sched_switch 'hist:keys=next_pid:p=next_prio:onmax($p).snapshot()'
	until_true 60 grep -qs '^[^#]' $T/trace
	k show
	like "$(grep -v '^#' "$KT_TMP/out")" '[a-z]' "its trace is shown, although the buffer is empty"
	works tracer set nop
	works trigger add sched_switch 'hist:keys=next_pid:p=next_prio:onmax($p).snapshot()'
	refuses "the snapshot belongs to a trigger of sched:sched_switch" "a table has it" tracer set wakeup
	refuses "the snapshot belongs to a trigger of sched:sched_switch" "for itself" snapshot -s
	refuses "sched:sched_switch has the trigger .*kernel would crash" "and no other command gets one" \
		trigger add sched_waking 'snapshot if prio < 0'
	refuses "kernel would crash" "not at a function, either" functions add vfs_fsync:snapshot:1
	works trigger remove all
	works functions add vfs_fsync:snapshot:1
	refuses "set_ftrace_filter.*kernel would crash" "nor can a table while a function does" \
		trigger add sched_switch 'hist:keys=next_pid:p=next_prio:onmax($p).snapshot()'
	works reset
	works snapshot -f
	as_before "the snapshot is free again"
else
	skip "snapshots and latency tracers" "not in this kernel"
fi

# ---- tracers that exclude each other ----
if has_tracer osnoise && has_tracer timerlat; then
	works instance create a b
	works tracer -B a set osnoise
	refuses "the instance 'a' has the tracer 'osnoise', which excludes it" "osnoise excludes timerlat" tracer -B b set timerlat
	works reset -B a
	works instance delete -y a b
	refuses "machine does not have" "a CPU that is not there" tracer set osnoise cpus=99
	refuses "options has no 'NOSUCH', only:.* OSNOISE_WORKLOAD" "an option that is not there" tracer set osnoise options=NOSUCH
	refuses "mode has no 'foo', only: none round-robin per-cpu" "nor a mode" tracer set hwlat mode=foo
	as_before
fi

# ---- probes, synthetic events, triggers ----
works error-log clear
k probe add kprobe:vfs_read
k trigger add kprobes:vfs_read 'stacktrace:1 if __probe_ip == 0'
refuses "kprobes:vfs_read has a trigger in the top-level buffer: --force" "a probe with a trigger" probe del vfs_read
works probe del --force vfs_read
refuses "the kernel does not allow probes on 'kprobe_dispatcher'" "a function of kprobes itself" probe add kprobe:kprobe_dispatcher
works error-log clear
k probe add kprobe:vfs_open
refuses "kprobes.vfs_open is a probe, and a probe cannot use another" "a probe on a probe" probe add 'eprobe:kprobes:vfs_open __probe_ip'
works error-log clear
works probe del vfs_open
works synth add 'wl u64 lat; pid_t pid'
works trigger add sched_waking 'hist:keys=pid:ts0=common_timestamp.usecs'
works trigger add sched_switch 'hist:keys=next_pid:w=common_timestamp.usecs-$ts0:onmatch(sched.sched_waking).trace(wl,$w,next_pid)'
refuses "a trigger of sched:sched_switch uses the variable 'ts0' of sched:sched_waking" "a variable in use" trigger remove sched_waking
refuses "'wl' is used by a trigger of sched:sched_switch" "a synthetic event in use" synth del wl
k error-log
is "$out" "no errors" "a refused write is not undone: the kernel's log has no other error"
works trigger remove all
works synth del wl
works reset
works clock set local
as_before

# ---- features that this kernel lacks, CPUs that do not exist ----
works instance create d1
if grep -q instance /proc/sys/kernel/ftrace_dump_on_oops 2>/dev/null || ktrail dump-on-oops set d1 2>"$KT_TMP/err"; then
	k dump-on-oops
	like "$out" "instance 'd1': all CPUs" "an oops prints one instance"
	works dump-on-oops set off
else
	like "$(cat "$KT_TMP/err")" "since Linux 6.9" "an oops cannot print one instance, with a message"
fi
works instance delete d1
refuses "machine does not have" "a mask of CPUs that are not there" cpumask set 0-9
refuses "there is no such CPU" "the snapshot of a CPU that is not there" snapshot -c 99
unchanged
done_testing
