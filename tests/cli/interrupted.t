#!/bin/bash
# interrupted.t - recordings that are killed or fill the disk: the data until then can be read
. tests/kt_test.sh
. tests/kt_live.sh
# shellcheck disable=SC2154

tracing=/sys/kernel/tracing
[ "$(id -u)" = 0 ] && [ -w $tracing/instances ] && [ -e $tracing/events/raw_syscalls ] ||
	skip_all "needs root, tracefs with instances and raw_syscalls"
export KTRAIL_JOURNAL_DIR=$KT_TMP/journal
mkdir -p "$KTRAIL_JOURNAL_DIR"
cd "$KT_TMP" || exit 1
# The parts hold complete chunks: the first is less than half of this
much() { find . -name 'trace.dat.part*' -size +200k | grep -q .; }

# The moment differs each time: before there is data, in the middle of a load that outlives
# its recorder, at the end
bad=0 unread=0 left=0 orphans=0 cut=0
for i in 1 2 3 4 5 6 7 8; do
	rm -f trace.dat*
	load="until [ -e killed$i ]; do dd if=/dev/zero of=/dev/null bs=1 count=20000; done 2>/dev/null"
	[ $i -lt 7 ] || load='dd if=/dev/zero of=/dev/null bs=1 count=200000 2>/dev/null'
	"$KTRAIL" record -q -B auto -e raw_syscalls sh -c "$load" &
	pid=$!
	[ $i -lt 3 ] || wait_until "much || ! kill -0 $pid"
	sleep 0.$((RANDOM % 5))$((RANDOM % 10))
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	touch killed$i
	[ -e trace.dat ] || continue
	ls trace.dat.part* >/dev/null 2>&1 || { "$KTRAIL" report trace.dat >/dev/null 2>&1; continue; }
	cut=$((cut + 1))
	n=$("$KTRAIL" report trace.dat 2>/dev/null | grep -c sys_)
	[ "$n" -gt 0 ] || ! much || unread=$((unread + 1))
	"$KTRAIL" restore trace.dat >/dev/null 2>&1 || bad=$((bad + 1))
	m=$("$KTRAIL" report trace.dat 2>err | grep -c sys_)
	[ "$n" = "$m" ] && [ ! -s err ] || bad=$((bad + 1))
	ls trace.dat.part* >/dev/null 2>&1 && left=$((left + 1))
	if command -v trace-cmd >/dev/null; then
		trace-cmd dump --validate -i trace.dat >/dev/null 2>&1 || bad=$((bad + 1))
	fi
	ls -l /proc/[0-9]*/fd 2>/dev/null | grep -qF "$PWD/trace.dat" && orphans=$((orphans + 1))
done
[ $cut -ge 4 ]
ok $? "recordings are cut off ($cut of 8)"
is "$unread" 0 "a killed recording can be read without restoring it"
is "$bad" 0 "restore makes a whole file of it, with the same records"
is "$left" 0 "and removes the parts"
is "$orphans" 0 "no reader survives its recorder"
"$KTRAIL" restore-settings >/dev/null
no_orphans "the settings are restored afterwards"

# A slow recording: the data of each second is stored
rm -f trace.dat*
"$KTRAIL" record -q -B auto -e sched:sched_process_exec &
pid=$!
recording $pid sched/sched_process_exec
/bin/true
wait_until '"$KTRAIL" report trace.dat | grep -q filename=/bin/true'
ok $? "a single event is on the disk after some seconds"
# another thread stores them once the event is there
wait_until '"$KTRAIL" report --stat trace.dat 2>/dev/null | grep -q "overrun: 0"'
kill -9 $pid
wait $pid 2>/dev/null
like "$("$KTRAIL" report --stat trace.dat 2>/dev/null)" 'CPU: [0-9]+.*overrun: 0' \
	"the counters, too"
"$KTRAIL" restore trace.dat >/dev/null 2>&1
run "$KTRAIL" report --stat trace.dat
like "$out" 'CPU: [0-9]+.*overrun: 0' "also when it is restored"
like "$("$KTRAIL" report trace.dat)" "cpus=$(nproc --all)" "with the number of all CPUs"
"$KTRAIL" restore-settings >/dev/null

# A new recording over an old, unfinished one does not mix them
rm -f trace.dat*
"$KTRAIL" record -q -B auto -e raw_syscalls sh -c '
	for _ in $(seq 600); do [ ! -s trace.dat.part0 ] || break; sleep 0.1; done
	kill -9 $PPID'
like "$("$KTRAIL" report trace.dat 2>&1)" 'not finished' "a recording is unfinished"
"$KTRAIL" record -q -B auto -e sched sleep 0.1
unlike "$("$KTRAIL" report trace.dat 2>&1)" 'sys_|not finished' "a new recording replaces an unfinished one"
"$KTRAIL" restore-settings >/dev/null

# The disk is full
mkdir full
if mount -t tmpfs -o size=3m none full 2>/dev/null; then
	# The command waits for the message
	run timeout 60 "$KTRAIL" record -q -B auto -e raw_syscalls --compression none -o full/x.dat sh -c '
		dd if=/dev/zero of=/dev/null bs=1 count=400000 2>/dev/null
		for i in $(seq 300); do
			! grep -q "recording has ended, the command continues:.* No space left" "$1" || { echo told; break; }
			sleep 0.1
		done' sh "$KT_TMP/err"
	is "$status:$out" "1:told" "a full disk is a failure, reported immediately"
	like "$err" 'No space left on device' "with the reason"
	like "$err" 'ktrail restore full/x.dat' "and what to do"
	is "$(printf '%s\n' "$err" | grep -c 'ktrail record')" 1 "in one line"
	n=$("$KTRAIL" report full/x.dat 2>/dev/null | grep -c sys_)
	[ "$n" -gt 1000 ]
	ok $? "the data recorded before can be read"
	run "$KTRAIL" restore -o whole.dat full/x.dat
	is "$("$KTRAIL" report whole.dat 2>/dev/null | grep -c sys_)" "$n" "and restored elsewhere"
	umount full
	# With more space, some of it is reserved to finish the file.
	mount -t tmpfs -o size=5m none full
	run timeout 60 "$KTRAIL" record -q -B auto -e raw_syscalls -o full/x.dat dd if=/dev/zero of=/dev/null bs=1 count=2000000
	like "$status:$err" '^1:.*there is no space for more data; the events until then are in full/x.dat' "a disk that becomes full ends a recording"
	is "$(ls full)" x.dat "whose file is complete"
	run "$KTRAIL" report full/x.dat
	is "$status:$err" "0:" "… and has no damage"
	like "$("$KTRAIL" report full/x.dat | tail -1)" ' dd-.*sys_' "it has the names of tasks"
	umount full
else
	skip "a full disk" "cannot mount a small tmpfs"
fi
no_orphans "no instance is left"

run "$KTRAIL" restore -o r.dat nosuch.dat
is "$status" 1 "a missing file cannot be restored"
run "$KTRAIL" restore a.dat b.dat
is "$status" 2 "two files at a time are misuse"
done_testing
