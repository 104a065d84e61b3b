#!/bin/bash
# record.t - record this kernel, in new instances, and let other programs read the files
. tests/kt_test.sh
. tests/kt_live.sh
# shellcheck disable=SC2154

tracing=/sys/kernel/tracing
[ "$(id -u)" = 0 ] && [ -w $tracing/instances ] && [ -e $tracing/events/sched/sched_switch ] ||
	skip_all "needs root, tracefs with instances and sched events"
export KTRAIL_JOURNAL_DIR=$KT_TMP/journal
mkdir -p "$KTRAIL_JOURNAL_DIR"
cd "$KT_TMP" || exit 1


# records FILE: the number of records that report finds
records() { "$KTRAIL" report "$1" 2>/dev/null | grep -vc '^cpus='; }
peer_records() { trace-cmd report -N -i "$1" 2>/dev/null | grep -vc '^cpus='; }

ln -s "$KTRAIL" "$KT_TMP/trace-cmd"
run "$KT_TMP/trace-cmd" record -B kt-dropin-$$ -e sched -o peer.dat sleep 0.2
is "$status:$out" "0:$(printf '\nBuffer: kt-dropin-%s' $$)" "as trace-cmd it names the buffer"
like "$err" '^CPU[0-9]+ data recorded at offset=0x[0-9a-f]+.    [0-9]+ bytes in size \([0-9]+ uncompressed\)' "and prints the offsets of the data"
if [ -e $tracing/buffer_percent ]; then
	mkdir $tracing/instances/kt-keep-$$
	echo 40 >$tracing/instances/kt-keep-$$/buffer_percent
	run "$KT_TMP/trace-cmd" record -k -B kt-keep-$$ -e sched -o peer.dat sh -c 'exit 3'
	is "$status" 0 "as trace-cmd it drops the status of the command"
	is "$(cat $tracing/instances/kt-keep-$$/buffer_percent)" 40 "-k keeps no setting that only the recording needs"
	like "$(cat $tracing/instances/kt-keep-$$/set_event)" 'sched:' "but the requested settings"
	"$KTRAIL" instance delete -y kt-keep-$$
fi
rm -f peer.dat trace-cmd

run "$KTRAIL" record -B auto -e sched sleep 0.2
is "$status" 0 "record works"
like "$err" 'trace.dat: [0-9]+ events of all processes in [0-9.]+ (ms|s), [0-9.]+ .?i?B raw, [0-9.]+ .?i?B stored, 0 events lost' \
	"and reports the recording"
like "$err" 'next: ktrail report; -F COMMAND or -P PID' "the next command, and how to record less"
is "$(sed -n 's/^trace.dat: \([0-9]*\) events.*/\1/p' "$KT_TMP/err")" "$(records trace.dat)" "its count matches the report"
[ "$(records trace.dat)" -gt 10 ]
ok $? "the file has records"
is "$(ls)" "$(printf 'err\nhome\njournal\nout\ntrace.dat')" "no other file is left"
unlike "$("$KTRAIL" report trace.dat)" 'ktrail-[0-9]+:' "its only buffer is the top-level one"
like "$("$KTRAIL" report --stat trace.dat)" 'overrun: 0' "with its counters"

# ---- former files are kept ----
chmod 600 trace.dat
cp trace.dat first.dat
run "$KTRAIL" record -B auto -F -e sched true
like "$status:$err" "^0:the former file is kept as trace.dat.old" "a second recording keeps the first one, and prints its name"
unlike "$err" "all processes" "with -F, there is no advice to record less"
same trace.dat.old first.dat "with the same content"
is "$(stat -c %a trace.dat)" 600 "the new one has the mode of the old one"
cp trace.dat first.dat
run "$KTRAIL" record -q -B auto -e sched nosuchcommand
is "$status:$(cmp trace.dat first.dat && echo same)" "1:same" "a recording that does not start changes neither"
if [ -e "$B/tests/refuse.so" ]; then
	. "$OLDPWD/tests/kt_refuse.sh"
	refusing 'openat:*/trace_pipe_raw:EIO' "$KTRAIL" record -q -B auto -e sched true
	like "$status:$err" "^1:.*Input/output error" "a recording whose buffers cannot be opened"
	is "$(cmp trace.dat first.dat && echo same)" same "… restores the name"
	ls trace.dat.* | grep -vx trace.dat.old
	is "$?" 1 "… and leaves nothing else"
fi
run "$KTRAIL" extract -B "kt-none-$$" -o trace.dat
is "$status:$(cmp trace.dat first.dat && echo same)" "1:same" "an extract that fails does not replace it"
run sh -c "\$KTRAIL record -B auto -e sched -o - sh -c 'echo from the command; exit 3' >'$KT_TMP/piped.dat'"
like "$status:$out$err" "^3:.*from the command.*stdout: [0-9]+ event" "-o - is stdout, which the command does not use"
run "$KTRAIL" report "$KT_TMP/piped.dat"
like "$status:$out" '^0:.*sched_' "and has the whole trace"
wall=$("$KTRAIL" report --wall --limit 1 "$KT_TMP/piped.dat" | grep -o '20[0-9-]*T[0-9:]*')
ago=$(($(date +%s) - $(date -d "$wall" +%s)))
[ $ago -ge 0 ] && [ $ago -lt 100 ]
ok $? "and the time of day"
run "$KTRAIL" report --wall --json --limit 1 "$KT_TMP/piped.dat"
like "$out" "\"wall\":\"$wall\.[0-9]{9}\+00:00\"" "in JSON with its zone"
is "$("$KTRAIL" report --wall --fields time --limit 1 "$KT_TMP/piped.dat" | cut -d. -f1)" "$wall" "and as a value"
[ ! -e ./- ]
ok $? "… and none exists"
rm -f trace.dat.old first.dat

run "$KTRAIL" record -q -B auto -e sched:sched_process_exec true
[ "$(stat -c %s trace.dat)" -lt 300000 ]
ok $? "a short recording is a small file"

for form in "7 zstd" "7 zstd:9" "7 none" "6 none" "7 zlib"; do
	read -r version method <<<"$form"
	run "$KTRAIL" record -q -B auto -e sched --file-version "$version" --compression "$method" \
		-o form.dat sleep 0.1
	is "$status" 0 "version $version, $method: record works"
	ours=$(records form.dat)
	[ "$ours" -gt 10 ]
	ok $? "version $version, $method: it has records"
	if ! have_peer || { [ "$method" = zlib ] && ! trace-cmd list -c | grep -q zlib; }; then
		skip "version $version, $method: trace-cmd" "it cannot read this here"
		continue
	fi
	is "$(peer_records form.dat)" "$ours" "version $version, $method: trace-cmd finds as many"
	run trace-cmd dump --validate -i form.dat
	is "$status" 0 "version $version, $method: trace-cmd finds it valid"
done

# Large sub-buffers: the file has the size of those of the recorded buffer
if [ -e $tracing/buffer_subbuf_size_kb ]; then
	run "$KTRAIL" record -q -B auto -e sched --subbuf-size 16 -b 512 sleep 0.1
	is "$status" 0 "large sub-buffers are recorded"
	[ "$(records trace.dat)" -gt 10 ]
	ok $? "and reported"
	! have_peer || is "$(peer_records trace.dat)" "$(records trace.dat)" "by trace-cmd too"
else
	skip "large sub-buffers" "this kernel has only one size"
fi

cc -o kshark "$OLDPWD/tests/cli/kshark.c" -ldl 2>/dev/null
# Long parts share a file that becomes the finished one. Noise cannot be compressed: it makes long
# parts.
head -c 2000000 /dev/urandom | base64 -w 900 >noise
cat >busy <<'EOF'
marker=$(ls -d /sys/kernel/tracing/instances/ktrail-$PPID)/trace_marker
for cpu in 0 $(($(nproc) - 1)); do
	taskset -c $cpu dd if=noise of=$marker bs=901 2>/dev/null &
done
wait
# compressing may lag: until the shared file has some 2000 lines of noise
end=$(($(date +%s) + 30))
while [ $(date +%s) -lt $end ]; do
	ls trace.dat.* >beside 2>/dev/null
	[ "$(du -ck $(grep 'parts$' beside) /dev/null | tail -1 | cut -f1)" -lt 1500 ] || break
	sleep 0.1
done
[ -z "$1" ] || kill -$1 $PPID
EOF
for method in zstd none zlib; do
	rm -f trace.dat*
	run "$KTRAIL" record -q -B auto -b 4000 -e sched --compression $method sh busy 0
	is "$status" 0 "$method: noise of two CPUs is recorded"
	like "$(cat beside)" 'trace.dat.parts' "$method: their parts share a file"
	is "$(ls trace.dat*)" trace.dat "$method: which is the finished one"
	"$KTRAIL" report -t trace.dat >ours 2>err
	is "$(cat err)" "" "$method: it is complete"
	[ "$(grep -c ': print: ' ours)" -gt 1000 ]
	ok $? "$method: and has the noise"
	[ "$(stat -c %s trace.dat)" -lt $(($(stat -c %b trace.dat) * 512 + 2200000)) ]
	ok $? "$method: with small holes"
	if ! have_peer || { [ $method = zlib ] && ! trace-cmd list -c | grep -q zlib; }; then
		skip "$method: trace-cmd" "it cannot read this here"
		continue
	fi
	# Without names of tasks: ktrail finds more. Two events with the same time may swap
	"$KTRAIL" report --layout 3.1 -N -t trace.dat | sed 's/^[^[]*//' | sort >sorted
	trace-cmd report -N -t -i trace.dat 2>/dev/null | sed 's/^[^[]*//' | sort >theirs
	same sorted theirs "$method: trace-cmd reads the same"
	run trace-cmd dump --validate -i trace.dat
	is "$status" 0 "$method: and finds it valid"
	! "$KT_TMP/kshark" trace.dat >kshark.out 2>/dev/null ||
		is "$(cut -d' ' -f1 kshark.out)" "$(records trace.dat)" "$method: KernelShark's library too"
done
mkdir elsewhere
ln -s elsewhere/real.dat link.dat
sed -i 's/trace\.dat\.\*/elsewhere\/*/' busy
for signal in 0 9; do
	rm -f elsewhere/*
	"$KTRAIL" record -q -B auto -b 4000 -e sched -o link.dat sh busy $signal 2>/dev/null
	"$KTRAIL" restore-settings >/dev/null
	like "$(cat beside)" 'elsewhere/real.dat.parts' "the parts of a link are next to its target"
	[ "$(records link.dat)" -gt 1000 ]
	ok $? "and are found there (signal $signal)"
	[ $signal = 0 ] || "$KTRAIL" restore link.dat >/dev/null 2>&1
	is "$(readlink link.dat) $(ls elsewhere)" "elsewhere/real.dat real.dat" "the link stays, the parts are removed"
done
sed -i 's/elsewhere\/\*/trace.dat.*/' busy
rm -f trace.dat*
"$KTRAIL" record -q -B auto -b 4000 -e sched sh busy 9 2>/dev/null
"$KTRAIL" restore-settings >/dev/null
n=$(records trace.dat)
[ "$n" -gt 1000 ]
ok $? "killed while parts share a file: it can be read"
"$KTRAIL" record -q -B auto -e sched true
is "$(records trace.dat.old)" "$n" "a new recording keeps it, with its parts"
mv trace.dat.old trace.dat
for part in trace.dat.old.*; do mv "$part" "trace.dat${part#trace.dat.old}"; done
mkdir apart
cp trace.dat* apart
run "$KTRAIL" restore apart/trace.dat.part*
is "$status:$(records apart/trace.dat)$(ls apart)" "0:${n}trace.dat" "its parts can be read by its name"
rm -r apart
"$KTRAIL" restore trace.dat >/dev/null 2>&1
is "$(records trace.dat)$(ls trace.dat*)" "${n}trace.dat" "and restored"

# The command and its end
run "$KTRAIL" record -q -B auto -e sched sh -c 'exit 7'
is "$status" 7 "the exit status of the command is returned"
run "$KTRAIL" record -q -B auto -e sched sh -c 'kill -9 $$'
is "$status" 137 "also a signal that ended the command"
run "$KTRAIL" record -q -B auto -e sched /nonexistent/command
is "$status" 1 "a command that cannot be run is a failure"
like "$err" 'No such file' "and says why"
run "$KTRAIL" record -q -B auto -F -e sched:sched_process_exec true
like "$("$KTRAIL" report trace.dat)" 'filename=[^ ]*true' "-F traces the command"
run "$KTRAIL" record -q -B auto -e sched --duration 200ms
is "$status" 0 "--duration ends it"
for signal in INT TERM; do
	rm -f trace.dat
	"$KTRAIL" record -q -B auto -e sched &
	recording $! sched/sched_switch
	for _ in 1 2 3 4 5; do /bin/true; done
	kill -$signal $!
	ended $!
	is "$?" 0 "SIG$signal ends it normally"
	[ "$(records trace.dat)" -gt 10 ]
	ok $? "and the file is complete"
done
run "$KTRAIL" record -q -B auto -e sched sh -c "exec 3<$tracing/instances/ktrail-\$PPID/events/enable; sleep 0.5 &"
is "$status:$err" "0:" "another reader of the instance delays its removal"
no_orphans "no instance is left"

sleep 1000 &
sleeper=$!
"$KTRAIL" record -q -B auto -e sched:sched_switch -P $sleeper &
recording $! sched/sched_switch
kill $sleeper
ended $!
is "$?" 0 "-P ends with the process"
like "$("$KTRAIL" report trace.dat)" "-$sleeper .*sched_switch" "and has its events"
cat >thread.c <<'EOF'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *f(void *arg)
{
	printf("%d\n", gettid());
	fflush(stdout);
	while (access("tid", F_OK) == 0)
		usleep(50000);
	return arg;
}

int main(void)
{
	pthread_t t;

	return pthread_create(&t, NULL, f, NULL) || pthread_join(t, NULL);
}
EOF
cc -D_GNU_SOURCE -pthread -o thread thread.c
./thread >tid &
wait_until '[ -s tid ]'
tid=$(cat tid)
"$KTRAIL" record -q -B auto -e sched:sched_switch -P "$tid" &
recording $! sched/sched_switch
rm tid
ended $!
is "$?" 0 "-P ends with a thread"
like "$("$KTRAIL" report trace.dat)" "-$tid .*sched_switch" "and has its events, too"
if has_terminals; then
	cat >lossy <<-'EOF'
		end=$(($(date +%s) + 20))
		while [ $(date +%s) -lt $end ] && ! grep -q 'lost so far' lines; do
			dd if=/dev/zero of=/dev/null bs=1 count=200000 2>/dev/null
		done
	EOF
	script -qefc "'$KTRAIL' record -B auto -b 4 -s 3000000 -e raw_syscalls sh lossy" lines >/dev/null
	if grep -q ', 0 events lost' lines; then
		skip "on a terminal, losses are reported while the command runs" "no loss could be provoked"
	else
		like "$(cat lines)" 'trace.dat: [0-9]+ events lost so far' "on a terminal, losses are reported while the command runs"
	fi
	rm -f lines		# the first status line must come from this recorder
	script -qefc "echo \$\$ >pid; exec '$KTRAIL' record -B auto -e sched" lines >/dev/null &
	wait_until "grep -q ' on disk,' lines"
	kill -INT "$(cat pid)"
	ended $!
	like "$(cat lines)" 'trace.dat: [0-9]+ s, .* on disk, 0 events lost' "without a command, the progress is shown"
else
	skip "a terminal" "script(1) can make none here"
fi

# Options that are stored in the file
before=$(date +%s)
run "$KTRAIL" record -q -B auto -e sched --date sleep 0.1
first=$("$KTRAIL" report trace.dat | sed -n '2s/.* \([0-9]*\)\.[0-9]*:.*/\1/p')
[ $((first + 1)) -ge "$before" ] && [ "$first" -le "$(date +%s)" ]
ok $? "--date gives the time of day" || note "began at $before, first event at $first"
run "$KTRAIL" record -q -B auto -e sched -a sleep 0.1
[ "$("$KTRAIL" report -E trace.dat | wc -l)" -gt 500 ]
ok $? "-a stores all formats"
run "$KTRAIL" record -q -B auto -e timer --kallsyms all sleep 0.2
all=$("$KTRAIL" report -f trace.dat | wc -l)
text=$("$KTRAIL" report trace.dat | grep -o 'function=[^ ]*' | sort -u)
[ "$all" -gt 20000 ]
ok $? "--kallsyms all stores all symbols"
run "$KTRAIL" record -q -B auto -e timer sleep 0.2
used=$("$KTRAIL" report -f trace.dat | wc -l)
[ "$used" -gt 0 ] && [ "$used" -lt $((all / 10)) ]
ok $? "by default only the used ones"
unlike "$("$KTRAIL" report trace.dat | grep -o 'function=[^ ]*' | sort -u)" 'function=(0x)?f{8}' \
	"which are enough to name every function" || note "with all: $text"
run "$KTRAIL" record -q -B auto -e sched --proc-map sleep 0.2
is "$status" 0 "--proc-map works"


# policy niceness priority name of each thread of the recorder
threads='for t in /proc/$PPID/task/*; do echo "$(cut -d" " -f41,19,40 $t/stat) $(cat $t/comm)"; done >threads'
run "$KTRAIL" record -q -B auto -e sched sh -c "$threads"
if chrt -f 1 true 2>/dev/null; then usual='-19 1 1'; else usual='-19 0 0'; fi
like "$(cat threads)" "$usual ktrail/0"$'\n' "readers run before ordinary processes"
like "$(cat threads)" $'\n'"$(nice) 0 0 ktrail/0:pack" "an ordinary thread packs their data"
run "$KTRAIL" record -q -B auto -e sched -r 0 sh -c "$threads"
like "$(cat threads)" '-19 0 0 ktrail/0'$'\n' "-r 0: no real-time thread"
if [ "$usual" = '-19 1 1' ]; then
	run "$KTRAIL" record -q -B auto -e sched -r 3 sh -c "$threads"
	like "$(cat threads)" '-19 3 1 ktrail/0'$'\n' "-r 3: one of this priority"
fi
# Former settings: a filter of a recorded event must not apply; other filters may stay
mkdir $tracing/instances/ktrail-test-$$
own=$tracing/instances/ktrail-test-$$/events
echo 'prev_pid == 987654' >"$own/sched/sched_switch/filter"
echo 'pid == 7' >"$own/sched/sched_wakeup/filter"
echo 'traceoff:3' >"$own/sched/sched_process_exec/trigger"
run "$KTRAIL" record -q -B ktrail-test-$$ -e sched:sched_switch sh -c "sleep 0.1; cat $own/sched/sched_switch/filter $own/sched/sched_process_exec/trigger >seen"
is "$status" 0 "a buffer with former settings is recorded"
[ "$("$KTRAIL" report trace.dat | grep -c sched_switch)" -gt 2 ]
ok $? "without the former filter"
unlike "$(cat seen)" 'prev_pid|traceoff:' "and without the former trigger"
is "$(cat "$own"/sched/{sched_switch,sched_wakeup}/filter)" "$(printf 'prev_pid == 987654\npid == 7')" \
	"filters are restored"
like "$(cat "$own/sched/sched_process_exec/trigger")" traceoff "triggers too"
echo '!traceoff:3' >"$own/sched/sched_process_exec/trigger"
rmdir $tracing/instances/ktrail-test-$$

# Limits
# The buffer holds all events, so even a slow machine loses none
run "$KTRAIL" record -B auto -F -e raw_syscalls -f 'id == 1' -b 30000 \
	dd if=/dev/zero of=/dev/null bs=1 count=200000 status=none
like "$err" ', 0 events lost' "a load that fills many sub-buffers at once loses nothing"
is "$("$KTRAIL" report trace.dat | awk '/NR 1[ (]/ { n++; bad += $4 < last; last = $4 } END { print n, bad + 0 }')" \
	"400000 0" "each event is there, once and in order"
run "$KTRAIL" record -q -B auto -e raw_syscalls -m 256 --compression none \
	dd if=/dev/zero of=/dev/null bs=1 count=200000
size=$(stat -c %s trace.dat)
[ "$size" -lt $((2 * 1024 * 1024 * $(nproc))) ]
ok $? "-m keeps only the last part" || note "$size bytes"
[ "$(records trace.dat)" -gt 1000 ]
ok $? "which is readable"
run timeout 20 "$KTRAIL" record -q -B auto -e raw_syscalls --max-file-size 300k --compression none \
	sh -c 'while :; do :; done & p=$!; dd if=/dev/zero of=/dev/null bs=1 count=3000000; kill $p'
# Of 480 MB: the thread that stops it may have to wait for a CPU
size=$(stat -c %s trace.dat)
[ "$size" -lt 64000000 ]
ok $? "--max-file-size stops it" || note "$size bytes"

# Two at a time
# Runs until the file "enough" exists
cat >patient <<'EOF'
for _ in $(seq 1200); do [ ! -e enough ] || break; sleep 0.1; done
EOF
"$KTRAIL" record -q -B auto -e sched -o one.dat sh patient &
one=$!
recording $one sched/sched_switch
run "$KTRAIL" record -q -B auto -e irq -e timer -o two.dat sleep 0.1
touch enough
ended $one
is "$?$status" 00 "two recordings side by side work"
events() { "$KTRAIL" report "$1" | grep -oE '(sched_switch|hrtimer_start): ' | sort -u; }
is "$(events one.dat)" 'sched_switch: ' "the first has only its events"
is "$(events two.dat)" 'hrtimer_start: ' "the second too"
rm enough
"$KTRAIL" record -q -B auto -e sched -o one.dat sh patient &
one=$!
recording $one sched/sched_switch
wait_until '[ -s one.dat.part0 ]'
run "$KTRAIL" record -q -B auto -e sched -o one.dat sleep 0.1
is "$status" 1 "two recordings cannot write one file at the same time"
like "$err" 'another recording is writing to one.dat' "with a message"
touch enough
ended $one
[ "$(records one.dat)" -gt 10 ]
ok $? "the first recording is unharmed"

# Misuse
run "$KTRAIL" record -B auto true
is "$status" 2 "nothing to trace is misuse"
run "$KTRAIL" record -B auto -e sched_swich true
is "$status" 1 "an unknown event is a failure"
like "$err" "sched_switch" "that names the nearest one"
run "$KTRAIL" record -B auto -e sched -f 'prev_pidd > 3' true
is "$status" 1 "a filter that no event of a system accepts is a failure"
like "$err" "no field 'prev_pidd', did you mean 'prev_pid'" "that names the nearest field of any of them"
run "$KTRAIL" record -q -B auto -e sched -f 'prev_pid > 3' true
is "$status" 0 "one event that accepts it is enough"
run "$KTRAIL" record -B auto -e sched:sched_switch -R stacktraze true
like "$err" "no command 'stacktraze', did you mean 'stacktrace'" "an unknown trigger names the nearest one"
run "$KTRAIL" record -q -B auto -e sched -P 99999999
is "$status" 1 "a process that does not exist is not waited for"
like "$err" "no such process" "with a message"
echo precious >kept.dat
run "$KTRAIL" record -q -B auto -e sched -o kept.dat no-such-command
is "$status:$err" "1:ktrail record: cannot run 'no-such-command': No such file or directory" "a command that does not exist is named"
run "$KTRAIL" record -q -B auto -e sched -o kept.dat ./kept.dat
is "$status:$err" "1:ktrail record: cannot run './kept.dat': Permission denied" "so is one that cannot be run"
is "$(cat kept.dat)" precious "and neither removes the existing file"
run "$KTRAIL" record -q -B auto -e sched --verbose=foo true
like "$status:$err" "^2:.*no level 'foo', only: 0 to 7, none" "an unknown level"
run "$KTRAIL" record -q -B auto -e sched -H nonsense true
like "$status:$err" "^2:.*'nonsense' is not a hook" "an invalid hook is misuse without --profile, too"
run "$KTRAIL" record -q -B auto -H sched_switch,next_pid/sched_wakeup,pid sleep 0.1
is "$status" 0 "a hook suffices to record"
like "$("$KTRAIL" report trace.dat)" 'sched_switch: ' "namely its events"
run "$KTRAIL" record -B auto -k -e sched:sched_switch true
like "$err" 'ktrail: instance ktrail-[0-9]+ is kept' "-k prints the name of an instance that stays"
kept=$(grep -o 'ktrail-[0-9]*' <<<"$err" | head -1)
[ -d "$tracing/instances/$kept" ]
ok $? "which exists"
"$KTRAIL" instance delete "$kept"
[ ! -d "$tracing/instances/$kept" ]
ok $? "and can be deleted"
run "$KTRAIL" record -q -B auto -e sched -M zz true
is "$status" 2 "an invalid mask is misuse"
run "$KTRAIL" record -q -B auto -e sched -r 100 true
is "$status" 2 "an invalid priority"
run "$KTRAIL" record -q -B auto -e sched --file-version 6 --compression zstd true
is "$status" 2 "version 6 is not compressed"
run "$KTRAIL" record -q -B auto -e sched --compression lzma true
like "$err" "only: any none zstd zlib" "an unknown compression lists the known ones"
run "$KTRAIL" record -q -B auto -e sched --kallsyms some true
is "$status" 2 "an unknown --kallsyms is misuse"
run "$KTRAIL" record -q -B auto -e sched -o /nonexistent/x.dat true
like "$err" "/nonexistent/x.dat: No such file" "an output that cannot be created is an error"
no_orphans "no instance is left"

# daemonize
# All recordings share the file with the pid: use a private /run if possible
alone=(sh -c)
! unshare -m true 2>/dev/null || alone=(unshare -m --propagation private sh -c 'mount -t tmpfs none /run; eval "$0"')
run "${alone[@]}" '"$KTRAIL" record -q -B auto --daemonize -e sched -o daemon.dat && cat /var/run/trace-cmd-record.pid'
is "$status" 0 "--daemonize returns"
pid=$out
wait_until '[ -s daemon.dat.part0 ]'
kill -INT "$pid"
wait_until "! kill -0 $pid"
[ "$(records daemon.dat)" -gt 10 ]
ok $? "and has recorded until it is ended"
# Without room on the disk, nothing is read from the kernel, and the old file stays
mkdir $tracing/instances/ktrail-test-$$
echo 1 >$tracing/instances/ktrail-test-$$/events/sched/sched_process_exec/enable
/bin/true
echo 0 >$tracing/instances/ktrail-test-$$/tracing_on
held() { cat $tracing/instances/ktrail-test-$$/per_cpu/cpu*/stats | grep ^entries; }
before=$(held)
mkdir full
if [ "${#alone[@]}" -gt 2 ]; then
	run unshare -m --propagation private sh -c 'mount -t tmpfs -o size=64k none full && echo old >full/x.dat &&
		"$KTRAIL" extract -B '"ktrail-test-$$"' -o full/x.dat; s=$?; cat full/*; exit $s'
	like "$status:$err" "^1:ktrail extract: the buffers hold [0-9]+ B, but only 60.0 KiB are free for full/x.dat: nothing was read" \
		"too little room is an error"
	is "$out" "old" "… before the old file is changed"
	is "$(held)" "$before" "… or data is read from the kernel"
	# Half of a chunk on a tmpfs that is full must not be touched: its missing pages cannot be read
	run unshare -m --propagation private sh -c 'mount -t tmpfs -o size=2m none full &&
		"$KTRAIL" record -q -B auto -e all -o full/x.dat sh -c "
			for i in 1 2; do for j in \$(seq 500); do /bin/true; done & done; wait" 2>full/said; echo "$?"
		"$KTRAIL" report -q full/x.dat | wc -l'
	like "$status:$out" "^0:1"$'\n'"[0-9]{4,}$" "a recording that has filled a disk is readable"
else
	skip "a full disk" "no mount here"
fi
echo 0 >$tracing/instances/ktrail-test-$$/events/enable
rmdir $tracing/instances/ktrail-test-$$
# trace-cmd's parser accepts record's options, which come too late for a full buffer
ln -s "$KTRAIL" "$KT_TMP/trace-cmd"
mkdir $tracing/instances/ktrail-test-$$
echo 1 >$tracing/instances/ktrail-test-$$/events/sched/sched_process_exec/enable
/bin/true
run "$KT_TMP/trace-cmd" extract -B ktrail-test-$$ -q -T -F -c -i -f x==1 -r 5 -g a -l b -n c -P 1 -b 100 -o "$KT_TMP/extract.dat"
is "$status" 0 "extract accepts record's options"
echo 0 >$tracing/instances/ktrail-test-$$/events/enable
rmdir $tracing/instances/ktrail-test-$$
like "$("$KTRAIL" report "$KT_TMP/extract.dat")" 'sched_process_exec: .*true' "and the file has the content of the buffer"
no_orphans "no instance is left"
done_testing
