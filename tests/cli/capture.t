#!/bin/bash
# capture.t - the time around a rare event is saved, each time, and only then
. tests/kt_test.sh
# shellcheck disable=SC2154

run "$KTRAIL" capture -e sched
is "$status" 2 "a condition is required"
like "$err" '--when is missing' "and asked for"
run "$KTRAIL" capture -e sched --when 'wakeop > 1ms'
like "$status:$err" "^2:.*'wakeop' is not a condition; did you mean 'wakeup'\?, at character 1 of 'wakeop > 1ms'" "a misspelt condition is reported with its place"
for wrong in 3 0/hour 3/0s 3/ -1/s 3/week; do
	run "$KTRAIL" capture -e sched --when signal --at-most $wrong
	like "$status:$err" '^2:.*as in 3/hour' "--at-most $wrong is refused"
done
run "$KTRAIL" capture --when signal -C global -e sched
like "$status:$err" '^2:.*use the clock mono' "another clock is refused"
run "$KTRAIL" capture --when signal -e sched -B box -e irq
like "$status:$err" "^2:.*a capture has one buffer, so its name comes first" "events before -B would be in another buffer"
run "$KTRAIL" capture --when signal -b 64M -e sched
like "$status:$err" '^2:.*--memory is its bound' "a size is refused"
run "$KTRAIL" capture --explain --when "wakeup<1ms or (signal and event a:b)" --when 'psi io some > 3%' --when 'function vfs_*'
is "$status:$out" "0:wakeup<1ms
    in user space: only its events go into a second buffer, which is read all the time; not by the kernel: it reports only what takes longer
signal
    from outside: the signal goes to ktrail itself
event a:b
    in the kernel: it filters this event into a second buffer, and wakes ktrail when one comes
psi io some > 3%
    from outside: the kernel watches this itself and wakes ktrail (/proc/pressure)
function vfs_*
    in the kernel: it traces only this function into a second buffer, and wakes ktrail when it is called" "--explain names the place of each"
run "$KTRAIL" capture --explain --when "sleep > 1ms" --when "syscall rea? > 1ms"
is "$status:$(grep -c 'not by the kernel: it' <<<"$out")" "0:2" "latencies that the kernel cannot measure are measured in user space, with the reason" || note "$out"
run "$KTRAIL" capture --now "kt-none-$$"
like "$status:$err" "^1:.*no capture waits for 'now kt-none" "no task waits for a name"

# A capture contains its cause; this one was made in a guest
file=tests/data/6.12-capture.dat
cause='wakeup of sleep:171 took 9.3 ms at 44.230558, CPU 0'
is "$("$KTRAIL" report "$file" | head -2)" "cause: $cause
cpus=2" "report begins with the cause"
is "$("$KTRAIL" report --json "$file" | grep -c cause)" 0 "… but not in JSON"
is "$("$KTRAIL" why "$file" | sed -n '2p;4p')" "9.3 ms until 44.230558:
     6.9 ms  74.8%  bash:163 ran there" "why without a time explains the cause"
like "$("$KTRAIL" view --no-session --print events "$file")" 'A 44.221298  B 44.230558  A-B 9.3 ms.*event 17 of 17' \
	"view begins at it, with marks around it"
like "$("$KTRAIL" dump --options "$file")" 'Option CAPTURE of ktrail' "dump names its option"
"$KTRAIL" convert -i "$file" -o "$KT_TMP/copy.dat" >/dev/null
is "$("$KTRAIL" report "$KT_TMP/copy.dat" | head -1)" "cause: $cause" "a copy has it too"

tracing=/sys/kernel/tracing
if ! [ "$(id -u)" = 0 ] || ! [ -w $tracing/instances ] || ! [ -e $tracing/events/sched/sched_process_exec ]; then
	skip "captures" "needs root and tracefs with instances"
	done_testing
	exit 0
fi
export KTRAIL_JOURNAL_DIR=$KT_TMP/journal TMPDIR=$KT_TMP/tmp
mkdir -p "$KTRAIL_JOURNAL_DIR" "$TMPDIR"
name=ktrail-capture-test-$$
dir=$KT_TMP/files
ln -s "$(type -P true)" "$KT_TMP/violates"
ln -s "$(type -P true)" "$KT_TMP/obeys"
filter="filename == \"$KT_TMP/violates\""

# capture [OPTION…] -- COMMAND: files in an empty $dir; the messages about them in $KT_TMP/err
capture() {
	rm -rf "$dir"
	mkdir "$dir"
	run timeout 120 "$KTRAIL" capture -B $name -e sched -o "$dir/" "$@"
}

# A load that sometimes breaks the limit; its pause is longer than the time to save a file
load() {
	echo "for i in 1 2 3 4 5 6 7 8 9; do
		'$KT_TMP/obeys'; case $1 in *\$i*) '$KT_TMP/violates';; esac; sleep ${2:-0.4}; done"
}

capture --when "event sched_process_exec: $filter" --before 30ms --after 20ms bash -c "sleep 1; $(load 259)"
is "$status" 0 "a load with three violations"
is "$(cd "$dir" && echo *)" "capture-0001.dat capture-0002.dat capture-0003.dat" "has three captures"
like "$err" '(: [^:]*.*; 30.0 ms before, 20.0 ms after.*){3}3 captures$' "and each is reported, with its whole window"
bad=$(for f in "$dir"/*; do
	"$KTRAIL" report "$f" | awk -v f="$f" '
		/^cause: / { match($0, / at [0-9.]+/); at = substr($0, RSTART + 4, RLENGTH - 4) + 0; causes++ }
		/^ / { match($0, / [0-9]+\.[0-9]+:/); t = substr($0, RSTART + 1, RLENGTH - 2); if (!first) first = t + 0; last = t + 0 }
		/sched_process_exec:.*violates/ { nr++ }
		# On an idle machine there may be no event at its borders.
		END { if (causes != 1 || nr != 1 || first < at - 0.0301 || last > at + 0.0201)
			  printf "%s %d %d %f %f %f\n", f, causes, nr, first, at, last }'
done)
is "$bad" "" "each has its cause, and nothing beyond the window"
ls $tracing/instances | grep -q "$name"
is "$?" 1 "no buffer is left"

capture --when "event sched_process_exec: $filter" bash -c "$(load 0 0.05)"
is "$status:$err:$(ls "$dir")" "0:0 captures:" "nothing happens: nothing is saved"

capture --when "event sched_process_exec: $filter" --at-most 2/hour --keep 1 bash -c "sleep 0.3; $(load 1479)"
is "$(ls "$dir")" "capture-0002.dat" "--at-most limits them, --keep removes the oldest"
like "$err" '2 captures; 2 more beyond --at-most$' "the others are counted"
like "$err" 'removed .*capture-0001.dat' "removed files are reported"

capture --when "event sched_process_exec: $filter" --count 1 bash -c "sleep 0.3; $(load 13)"
is "$(ls "$dir"):$status" "capture-0001.dat:0" "--count ends it, and the command goes on to its end"

# Causes outside of the trace
log=$KT_TMP/app.log fifo=$KT_TMP/fifo
: >"$log"
mkfifo "$fifo"
capture --when "line $log ~ miss" --when "line $fifo ~ '^x'" --when signal --when "now kt-$$" --when 'exit != 0' \
	bash -c "sleep 0.3; echo no >>'$log'; echo miss 1 >>'$log'
	sleep 0.3; mv '$log' '$log.1'; echo miss 2 >'$log'
	sleep 0.3; echo a >'$fifo'; echo xyz >'$fifo'
	sleep 0.3; kill -USR1 \$PPID
	sleep 0.3; '$KTRAIL' capture --now kt-$$ 'frame 17'
	sleep 0.3; exit 3"
is "$status" 3 "the status is that of the command"
is "$(for f in "$dir"/*; do "$KTRAIL" report "$f" | sed -n 's/^cause: \(.*\) at .*/\1/p'; done)" "line: miss 1
line: miss 2
line: xyz
signal: User defined signal 1
now kt-$$: frame 17
the command has ended with status 3" "lines, a rotated file, a fifo, a signal, a message, an exit"

run "$KTRAIL" why "$dir/capture-0001.dat"
like "$out" $'^cause: line: miss 1 at .*\nAt [0-9.]*:\n' "why shows the cause before the activity of the CPUs"

if [ -e $tracing/options/copy_trace_marker ]; then
	capture --when "marker ~ '^$name late [0-9]+'" bash -c "sleep 0.3; echo early >$tracing/trace_marker
		echo $name late 7 >$tracing/trace_marker; sleep 0.3"
	like "$err" "marker of [^:]*:[0-9]*: $name late 7 at .*1 capture\$" "a marker"
fi
capture --when 'sched_waking: prio < 200 -> sched_switch by pid=next_pid > 1ns' --count 1 sleep 0.5
like "$err" 'sched_switch by pid=next_pid of .* took .*1 capture$' "the time between two events"
capture --when 'syscall clock_nanosleep > 150ms and now x or death' sh -c 'sleep 0.3; sleep 0.2; kill -9 $$'
is "$status" 137 "a command that is killed"
like "$err" 'ended by a signal: Killed.*1 capture($|;)' "is a cause; half an 'and' is none"

run "$KTRAIL" capture -B $name -e sched --when 'event sched_swich'
like "$status:$err" "^1:.*'event sched_swich': .*sched_switch" "an event that does not exist"
run "$KTRAIL" capture -B $name -e sched --when 'event sched_switch: nopid == 1'
like "$status:$err" "^1:.*'event sched_switch: nopid == 1': .*nopid" "a field that does not exist"
run "$KTRAIL" capture -B $name -e sched --when "cgroup $KT_TMP oom_kill"
like "$status:$err" "^1:.*none of its .*events files has 'oom_kill'" "a group without the number"
run "$KTRAIL" capture -B $name -e sched --when signal -o "$KT_TMP/none/a"
like "$status:$err" "^1:.*none/: No such file" "a folder that does not exist"

# ktrail's own tasks wait as well, above all while it saves a file.
capture --when 'wakeup > 1ns' --after 1us --keep 100 sh -c 'sleep 0.5; sleep 0.5'
like "$err" 'wakeup of [^:]*:[0-9]* took ' "a wait of any task"
unlike "$err" 'wakeup of ktrail[/:]' "but not of ktrail" || note "$err"
capture --when 'wakeup comm==ktrail > 1ns' --count 1 sleep 0.5
like "$err" 'wakeup of ktrail:[0-9]* took ' "unless it is requested"

# Events that occur while the last windows are saved are no longer causes.
capture --when 'event sched_switch' --after 1us --duration 300ms
unlike "$err" '[0-9]{6} s after|, 0 events' "events that come all the time, until the end" || note "$err"

# After a kill, the next one cleans up, and takes its names
run_dir=/run/ktrail-capture
killed() {
	"$KTRAIL" capture -q -B $name -e sched -o "$dir/killed" --when 'wakeup > 1us' >/dev/null 2>&1 & pid=$!
	wait_until "[ -S $run_dir/status-$pid ]"
	kill -9 $pid
	wait $pid 2>/dev/null
}
killed
capture --when signal --duration 10ms
like "$status:$err" "^0:.*a killed capture \(pid $pid\) had set is restored.*0 captures" "after a kill the next capture takes over"
ls $tracing/instances | grep -q "$name"
is "$?" 1 "… and removes both buffers"
killed
run "$KTRAIL" restore-settings
ls $tracing/instances | grep -q "$name"
is "$?" 1 "after a kill restore-settings removes both buffers"

# After a crash of the machine, the files of the earlier boot exist, but its settings are gone.
killed
journals=("$KTRAIL_JOURNAL_DIR"/*)
sed -i 's/ boot [^ ]*$/ boot 00000000-dead-dead-dead-000000000000/' "${journals[@]}"
[ ${#journals[@]} -ge 2 ] && [ -S $run_dir/status-$pid ]
ok $? "there are a journal and a socket of the earlier boot" || note "${journals[@]} $(ls $run_dir)"
rmdir $tracing/instances/$name $tracing/instances/$name-when
touch "$dir/killed-0900.dat.new0"
run "$KTRAIL" capture -B $name -e sched -o "$dir/killed" --when "now $name" --duration 10ms
like "$status:$err" "^0:armed|^0:0 captures" "after a reboot it begins without a word about the past"
is "$(ls "$KTRAIL_JOURNAL_DIR" $run_dir "$TMPDIR" | grep -E "^(status-$pid|now-$name|ktrail-capture.*|[0-9]+.*)$"; ls "$dir" | grep new)" "" "its journal, socket, temporary folder and half a file are gone"
done_testing
