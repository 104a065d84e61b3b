# capture.sh - `capture` of a load that breaks a limit in every third step, 1, 10 and 100 per
# second: each violation is caught once, and its file has all steps around it
# shellcheck shell=bash disable=SC2154
. tests/proof.sh
files=$KT_TMP/files
opts=(-B box -e sched -e irq -e task:task_rename --before 20ms --after 5ms -o "$files/")
arm() { ktrail capture "${opts[@]}" "$@"; }

# caught NAME KIND TARGET CONDITION [OPTION…]
caught() {
	rm -rf "$files"
	mkdir "$files"
	: >"$KT_TMP/log"
	SECONDS=0
	run arm --when "$4" "${@:5}" bash -c "sleep 0.3; violate $2 $3 3 333000 9 33000 9 3300 >'$KT_TMP/steps'; sleep 0.3"
	for file in "$files"/*.dat; do
		echo "file ${file##*/}"
		ktrail report -F task_rename "$file" 2>/dev/null | sed -nE 's/^cause: (.*) at ([0-9]+)\.([0-9]+).*/cause \2\3 \1/p
			s/.* newcomm=(bad|fine)-([0-9]+) .*/has \2/p'
	done >"$KT_TMP/caught"
	is "$status:$(wrong)" 0: "$1: all are caught once, with all that was around" || note "$err"
	note "$(find "$files" -name '*.dat' | wc -l) files, $SECONDS s"
	unlike "$err" ' more at once|lost| of 20.0 ms before' "… and none lacks its beginning"
}

# Compare the files with the output of the load: a cause has the number of a step, or its time.
# Other tasks may have latencies, too.
wrong() {
	awk 'function end_of_file(i) {
		if (!nr_causes)
			print file, "has no cause"
		for (i in from)
			if (from[i] > first - 20000 && until[i] < last + 5000 && !(i in has))
				print file, first, last, "lacks step", i, from[i], until[i]
		delete has
		nr_causes = 0
	}
	$1 == "pid" { pid = $2; next }
	FILENAME ~ /steps$/ { what[$2] = $1; from[$2] = $3; until[$2] = $4; next }
	$1 == "file" { if (file) end_of_file(); file = $2 }
	$1 == "has" { has[$2] }
	$1 == "cause" {
		first = nr_causes++ ? first : $2
		last = $2
		if (/ took / && $0 !~ ":" pid " took ")
			next
		step = ""
		if (!/ took / && match($0, /(newcomm=|: )(bad|fine)-[0-9]+/))
			step = substr($0, RSTART, RLENGTH)
		sub(/.*-/, "", step)
		for (i in from)
			if (!step && from[i] <= $2 && $2 <= until[i])
				step = i
		times[step]++
		if (what[step] == "fine" || !step) {
			near = ""
			for (i in from)
				if (from[i] <= $2 && (near == "" || from[i] > from[near]))
					near = i
			print file, "has no reason:", $0, "after step", near, what[near], from[near], until[near]
		}
	}
	END {
		end_of_file()
		for (i in what)
			if (what[i] == "bad" && times[i] != 1)
				print "step", i, "is in", times[i] + 0, "files"
		if (length(what) != 21)
			print "the load did not run"
	}' "$KT_TMP/steps" "$KT_TMP/caught" | head
}

# armed NAME COMMAND…: start a capture, and wait until its conditions are watched. A busy machine is
# slow; earlier causes do not count, nor does what the capture before it has told.
armed() {
	rm -f "$KT_TMP/told"
	"${@:2}" 2>"$KT_TMP/told" & pid=$!
	until_true 120 grep -qs ^armed "$KT_TMP/told"
	ok $? "it is armed: $1" || note "$(cat "$KT_TMP/told")"
}

# placed CONDITION PLACE: --explain prints this place
placed() { like "$(ktrail capture --explain --when "$1" | sed -n 2p)" "^    $2: " "$1: $2"; }

placed 'syscall clock_nanosleep > 5ms' "in the kernel"
placed 'wakeup comm==x prio<100 cpu==0 > 5ms' "in the kernel"
placed 'sched_waking -> sched_switch by pid=next_pid > 5ms' "in the kernel"
placed 'wakeup < 5ms' "in user space"
placed 'irq timer > 5ms' "in user space"
caught "an event" name - 'event task_rename: newcomm ~ "bad-*"'
caught "a system call" sleep - 'syscall clock_nanosleep > 5ms'
caught "a system call in user space" sleep - 'syscall clock_nanosleep* > 5ms'
caught "a pair of events" sleep - 'syscalls:sys_enter_clock_nanosleep -> syscalls:sys_exit_clock_nanosleep by common_pid > 5ms'
caught "a line" file "$KT_TMP/log" "line $KT_TMP/log ~ ^bad-"
[ ! -e $T/options/copy_trace_marker ] || caught "a marker" file $T/trace_marker 'marker ~ ^bad-'
mkdir $T/instances/box
tracers=$(cat $T/instances/box/available_tracers)
rmdir $T/instances/box
if [[ $tracers == *function_graph* ]]; then
	placed 'call hrtimer_nanosleep > 5ms' "in the kernel"
	caught "a slow call" sleep - 'call hrtimer_nanosleep > 5ms'
	is "$(cat $T/tracing_thresh)" 0 "… and the limit of calls is gone"
fi
caught "a call" call - 'function *_sys_sched_yield'

# Control groups, and pressure
seen() { [ "$(grep -c 'populated at .* 20.0 ms before' "$KT_TMP/told")" = "$1" ]; }
mkdir -p /cg
mount -t cgroup2 none /cg
mkdir /cg/app
rm -rf "$files"
mkdir "$files"
armed "a control group" ktrail capture "${opts[@]}" --when 'cgroup /cg/app populated'
sleep 0.3
for i in 1 2 3; do
	# The number goes back to 0, which is not seen while a file is saved.
	sleep 60 & member=$!
	echo $member >/cg/app/cgroup.procs
	until_true 20 seen $i
	echo $member >/cg/cgroup.procs
	kill $member
	sleep 1
done
kill $pid
wait $pid
is "$?:$(grep -c 'populated at .* 20.0 ms before' "$KT_TMP/told"):$(ls "$files" | wc -l)" 0:3:3 \
	"a control group: three times of three" || note "$(cat "$KT_TMP/told")"
rmdir /cg/app
umount /cg
armed "pressure" arm --when 'psi cpu some > 50%' --count 1
hogs=()
for _ in 1 2 3 4; do
	while :; do :; done & hogs+=($!)
done
until_true 60 grep -q ': psi cpu some > 50% at .*events$' "$KT_TMP/told"
ok $? "tasks that wait for a CPU" || note "$(cat "$KT_TMP/told")"
kill "${hogs[@]}"
wait "${hogs[@]}" $pid 2>/dev/null

# Beyond the limit
rm -rf "$files"
mkdir "$files"
run arm --when 'event task_rename: newcomm ~ "bad-*"' --at-most 3/hour bash -c "sleep 0.3; violate name - 30 33000 >'$KT_TMP/steps'; sleep 0.3"
is "$(ls "$files" | wc -l):$(grep -o '[0-9]* more beyond' <<<"$err")" "3:7 more beyond" "of ten, three are saved, and seven counted"

# While nothing happens, no thread wakes up
# asleep CONDITION: arm it, watch it for 3 s, and kill it
asleep() {
	armed "$1" ktrail capture -B box -e sched --when "$1"
	sleep 4
	woken=$(switches)
	sleep 3
	woken=$(($(switches) - woken))
	[ "$(ls /proc/$pid/task)" = $pid ] && [ $woken -le 2 ]
	ok $? "$1: one task waits, and wakes no more than twice in 3 s" || note "$woken times"
}
switches() { awk '/^voluntary/ { print $2 }' /proc/$pid/status; }
asleep 'event task_rename: newcomm ~ "bad-*"'
kill $pid
wait $pid
asleep 'wakeup > 60s'
kill -9 $pid
wait $pid 2>/dev/null
ktrail restore-settings >/dev/null
is "$(cat $T/synthetic_events):$(ls $T/instances)" ":" "after a kill, restore-settings removes the measuring events of the kernel"

# Its tables have 4096 keys: here, the arguments of kill(2)
armed "a pair of events" ktrail capture -B box -e sched --when 'syscalls:sys_enter_kill -> syscalls:sys_exit_kill by pid=ret > 1s'
for number in {100001..104000}; do
	kill -0 "$number"
done 2>/dev/null
like "$(cat $T/instances/box-when/events/syscalls/sys_enter_kill/hist)" "Entries: 4[0-9]{3}" "a table is nearly full"
until_true 120 grep -q 'evaluated in user space.*were nearly full$' "$KT_TMP/told"
ok $? "before tables are full, it goes on in user space" || note "$(cat "$KT_TMP/told")"
kill $pid
wait $pid
[ ! -e $T/instances/box ]
ok $? "the buffer is gone"
as_before
done_testing
