# extract.sh - record and extract the top-level buffer, snapshots, latency tracers
. tests/guest.sh

work() { for _ in 1 2 3 4 5 6 7 8; do dd if=/dev/zero of=/tmp/f bs=4k count=20 2>/dev/null; done; }
export -f work
peer() { trace-cmd report -N -i "$1" 2>/dev/null | grep -vc '^cpus='; }
ours() { ktrail report "$1" 2>/dev/null | grep -vc '^cpus='; }

for form in "7 zstd" "7 none" "6 none"; do
	read -r version method <<<"$form"
	run ktrail record -q -o top.dat --file-version "$version" --compression "$method" \
		-e sched -B side -e irq bash -c work
	is "$status" 0 "$form: the top-level buffer and an instance are recorded together"
	[ "$(ours top.dat)" -gt 20 ]
	ok $? "$form: they have records"
	like "$(ktrail report top.dat)" 'side:.*(irq|softirq)' "$form: also of the instance"
	is "$(peer top.dat)" "$(ours top.dat)" "$form: trace-cmd finds the same number"
	unchanged "$form: the settings are restored"
done

run ktrail record -q -o st.dat -T -e sched:sched_switch bash -c work
like "$(ktrail report st.dat)" '=> (__)?schedule' "stack traces have names from the used symbols"
is "$(ktrail report st.dat | grep -c '=> 0x')" 0 "all of them"
unchanged

clock=$(sed 's/.*\[\(.*\)\].*/\1/' $T/trace_clock)
ktrail start -e sched -q
work
ktrail stop
run ktrail extract -q -o ex.dat
is "$status" 0 "extract takes the top-level buffer"
[ "$(ours ex.dat)" -gt 20 ]
ok $? "which had records"
is "$(peer ex.dat)" "$(ours ex.dat)" "trace-cmd finds the same number"
is "$(cat $T/events/sched/enable)" 1 "and the session continues"
ktrail reset --yes >/dev/null 2>&1 || ktrail reset >/dev/null
echo "$clock" >$T/trace_clock	# reset sets it to local, as trace-cmd's does

if [ -e $T/snapshot ]; then
	echo 1 >$T/events/sched/enable
	work
	echo 1 >$T/snapshot
	echo 0 >$T/events/sched/enable
	run ktrail extract -q -s -o snap.dat
	is "$status" 0 "extract -s takes the snapshot"
	[ "$(ours snap.dat)" -gt 20 ]
	ok $? "which had records"
	echo 0 >$T/snapshot
	echo >$T/trace
else
	skip "snapshot" "not in this kernel"
fi

for tracer in wakeup irqsoff preemptirqsoff; do
	grep -qw $tracer $T/available_tracers || { skip "$tracer" "not in this kernel"; continue; }
	for version in 6 7; do
		run ktrail record -q -o lat.dat --file-version $version -p $tracer bash -c work
		is "$status" 0 "$tracer is recorded, version $version"
		like "$(ktrail report lat.dat)" "# $tracer latency trace|tracer: $tracer" "as its text"
		like "$(trace-cmd report -i lat.dat 2>&1)" "tracer: $tracer" "which trace-cmd shows, too"
	done
done
echo nop >$T/current_tracer

# Killed in the middle: the file is readable, and restore-settings restores the settings
ktrail record -q -o k.dat -e sched -e irq -b 512 -C mono &
sleep 8
kill -9 $!
wait $! 2>/dev/null
[ "$(ours k.dat)" -gt 5 ]
ok $? "a killed recording can be read"
run ktrail restore k.dat
is "$(peer k.dat)" "$(ours k.dat)" "and restored"
run ktrail restore-settings
is "$status" 0 "its settings are restored"
unchanged "after SIGKILL, the settings are restored"
done_testing
