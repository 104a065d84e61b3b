# buffers.sh - the settings of a buffer: size, clock, CPUs, pids, markers, snapshots; instances
# shellcheck shell=bash disable=SC2154
. tests/proof.sh
fire() { taskset 1 sh -c 'sleep 0.01'; taskset 2 sh -c 'sleep 0.01'; }

# ---- clocks, CPUs, pids, markers ----
for clock in $(tr -d '[]' <$T/trace_clock); do
	ktrail clock set "$clock" && [[ $(cat $T/trace_clock) = *"[$clock]"* ]]
	ok $? "the clock $clock"
done
works clock set local
works start -e sched:sched_switch -M 2
is "$(cat $T/tracing_cpumask)" 2 "one CPU is traced"
fire
works stop
k show
like "$out" '\[001\]' "that CPU is in the trace"
unlike "$out" '\[000\]' "the other is not"
works reset
as_before "clock and CPUs are restored"

works start -e sched:sched_process_exec -P $$ -c
like " $(tr '\n' ' ' <$T/set_event_pid)" " $$ " "one process"
is "$(cat $T/options/event-fork)" 1 "and its children"
/bin/true
works marker "hello from $$"
is "$(printf 'ab\0c' | ktrail marker --raw 42 2>&1)" "" "raw data is accepted"
works stop
k show
like "$out" 'filename=/bin/true' "the child is in the trace"
like "$out" "tracing_mark_write: hello from $$" "so is the marker"
like "$out" '# 2a buf:' "so is raw data"
works reset
ktrail set -O noevent-fork
as_before "the pids are restored"

# ---- sizes ----
kb=$(sed 's/.*expanded: //; s/[^0-9]//g' $T/buffer_size_kb)
works buffer set 256k
works buffer set 512k -c 1
is "$(cat $T/buffer_size_kb)" X "CPUs with different sizes"
ktrail state save "$KT_TMP/sizes"
sizes=$(cat $T/per_cpu/cpu*/buffer_size_kb)
ktrail record -q -o "$KT_TMP/s.dat" -b 1024 -e sched true
is "$(cat $T/per_cpu/cpu*/buffer_size_kb)" "$sizes" "are restored after a recording"
works buffer set "${kb}k"
works state restore "$KT_TMP/sizes"
is "$(cat $T/per_cpu/cpu*/buffer_size_kb)" "$sizes" "and from a state"
works buffer set "${kb}k"
if [ -e $T/buffer_subbuf_size_kb ]; then
	works buffer set --subbuf-size 16 --percent 70
	is "$(cat $T/buffer_subbuf_size_kb)" 16 "larger sub-buffers"
	works start -e sched sleep 0.1
	k show
	like "$out" 'sched_' "can be traced into"
	works reset
	ktrail buffer set --subbuf-size 4 --percent 50
	ktrail buffer set "${kb}k"
	as_before "and are restored"
	ktrail record -q -o "$KT_TMP/s.dat" --subbuf-size 32 -e sched sleep 0.1
	as_before "a recording with larger ones restores the size"
else
	ktrail buffer set --percent 70
	is "$(cat $T/buffer_percent)" 70 "a buffer's percent"
	ktrail buffer set --percent 50
	k buffer set --subbuf-size 16
	is "$status" 1 "this kernel has one size of sub-buffers"
	as_before "the sizes are restored"
fi
works start -e sched:sched_switch
fire
works stop
is "$(ktrail buffer --json | grep -c '"cpu": [01]')" 2 "each CPU's buffer is shown"
ktrail buffer drain -c 1 >"$KT_TMP/drained"
like "$(cat "$KT_TMP/drained")" '\[001\].*sched_switch' "one CPU is drained"
is "$(sed -n 's/^entries: //p' $T/per_cpu/cpu1/stats)" 0 "and empty"
works reset

# ---- snapshots ----
if [ -e $T/snapshot ]; then
	works start -e sched sleep 0.1
	works snapshot -s
	works clear
	k snapshot
	like "$out" 'sched_' "a snapshot keeps events that the buffer has lost"
	works extract -q -s -o "$KT_TMP/snap.dat"
	like "$(ktrail report "$KT_TMP/snap.dat")" 'sched_' "and is written to a file"
	works snapshot -r
	k snapshot
	unlike "$out" 'sched_' "emptied"
	k snapshot -s -c 1
	if grep -q '^CONFIG_TRACER_SNAPSHOT_PER_CPU_SWAP=y' /boot/config-*; then
		is "$status" 0 "one CPU's snapshot"
	else
		is "$status" 1 "this kernel has no snapshot of one CPU"
		like "$err" 'CONFIG_TRACER_SNAPSHOT_PER_CPU_SWAP' "with a message"
	fi
	works snapshot -f
	like "$(cat $T/snapshot)" 'freed' "its memory is freed"
	# A trigger works at once: its count may be used up before tracing begins
	works start -e sched:sched_process_exec -R 'snapshot if filename == "/bin/false"' bash -c '/bin/true; /bin/false; :'
	works reset
	k snapshot
	like "$out" 'filename=/bin/true' "a trigger takes one"
	works snapshot -f
	as_before "snapshots leave nothing behind"
else
	skip snapshots "not in this kernel"
fi

# ---- instances ----
works instance create one two
works start -B one -e irq -B two -e sched -C mono -b 128
k instance --json
like "$out" '"name": "one"' "instances are listed"
works stop -a
k show -B two
like "$out" 'sched_' "each has its own trace"
works instance delete -y 'tw*'
works reset -a -d
as_before "instances are deleted"

# ---- the reasons of the kernel ----
k start -e sched_switch -f 'prev_pix == 1'
is "$status" 1 "a wrong filter is refused"
like "$err" "did you mean 'prev_pid'" "with the nearest name"
like "$err" '\^' "and its caret"
echo 'prev_pix == 1' 2>/dev/null >$T/events/sched/sched_switch/filter
echo 0 >$T/events/sched/sched_switch/filter
k error-log
like "$out" 'Field not found' "the kernel's log has the refusals"
works error-log clear
k error-log
unlike "$out" 'Field' "until it is cleared"
k start -e sched_switch -R 'hist:keys=nonsense'
like "$err" "no field 'nonsense'" "a wrong table, too"
as_before "nothing is left behind"

unchanged
done_testing
