# dropin.sh - the checks of trace-cmd's own test program, with ktrail under the name trace-cmd
# To compare with the real one: tests/vm/parts -x trace-cmd 6.12 dropin
# shellcheck shell=bash disable=SC2154
. tests/proof.sh
mkdir -p "$KT_TMP/bin"
ln -sf "$(command -v ktrail)" "$KT_TMP/bin/trace-cmd"
tc() { run "$KT_TMP/bin/trace-cmd" "$@"; }
tc_works() { tc "$@"; is "$status" 0 "trace-cmd $*" || note "$err"; }
# finds REGEX WORDS…: like `trace-cmd WORDS | grep REGEX`, including stderr
finds() {
	tc "${@:2}"
	grep -qie "$1" "$KT_TMP/out" "$KT_TMP/err"
	ok $? "trace-cmd ${*:2} says /$1/" || note "$(head -20 "$KT_TMP/out")"
}
one=$KT_TMP/one.dat two=$KT_TMP/two.dat

# ---- files ----
# A time of 12 digits in nanoseconds begins at 100 s
until [ "$(cut -d. -f1 /proc/uptime)" -gt 101 ]; do sleep 1; done
tc_works record -o "$one" -e sched sleep 1
tc_works convert --file-version 6 -i "$one" -o "$two"
finds '[ 	]6[ 	]*\[Version\]' dump -i "$two"
finds '\[[0-9][0-9][0-9]\] [^ ]*\. [0-9]\{12,\}:' report -i "$one" --raw-ts --ts-offset 100000000000000
is "$(grep -c '\[[0-9][0-9][0-9]\] [^ ]*\.[0-9]\{12,\}:' "$KT_TMP/out")" 0 "flags and a long time do not run together"
tc_works record -o "$one" -p function -m 5000 sleep 3
finds '.*bytes in size' report -i "$one" --stat

# ---- histograms and synthetic events from SQL ----
tc_works sqlhist -e 'SELECT irq FROM irq_handler_entry'
sleep 1
finds ' *Hits: [0-9][0-9]*' show --hist irq_handler_entry
tc_works sqlhist -e -n wakeup 'SELECT start.pid AS this_pid, (end.TIMESTAMP_USECS - start.TIMESTAMP_USECS) AS delta FROM sched_waking as start JOIN sched_switch AS end ON start.pid = end.next_pid'
tc_works start -e wakeup
sleep 1
finds 'wakeup:' show
tc_works reset -k synth
finds wakeup stat
tc_works reset
tc stat
unlike "$out" wakeup "a reset without -k removes it"

# ---- settings that reset -k keeps ----
program=$(command -v bash)
for kind in kprobe kretprobe uprobe uretprobe eprobe; do
	case $kind in
	kprobe)    file=kprobe_events line='p vfs_open' shown='p:kprobes/p_vfs_open_0 vfs_open' ;;
	kretprobe) file=kprobe_events line='r vfs_open' shown='r[0-9]*:kprobes/r_vfs_open_0 vfs_open' ;;
	uprobe)    file=uprobe_events line="p $program:0x4245c0" shown="p:uprobes/p_bash_0x4245c0 $program:0x0*4245c0" ;;
	uretprobe) file=uprobe_events line="r $program:0x4245c0" shown="r:uprobes/p_bash_0x4245c0 $program:0x0*4245c0" ;;
	eprobe)    file=dynamic_events line='e:eprobes/sopen_in syscalls/sys_enter_openat' shown='e:eprobes/sopen_in syscalls' ;;
	esac
	echo "$line" >>"$T/$file"
	finds "$shown" stat
	tc_works reset -k $kind
	finds "$shown" stat
	tc_works reset
	tc stat
	unlike "$out" "$shown" "a reset without -k removes it"
done

# ---- bad values: refused, with a message on stderr and the status of trace-cmd 3.1.6 ----
# trace-cmd ignores some of these: tests/compat/statuses.
refused() {
	# shellcheck disable=SC2086
	tc $2 true
	is "$status" "$1" "trace-cmd $2 exits with $1"
	like "$err" "$3" "and prints the error"
	[ ! -e trace.dat ] || { ok 1 "trace-cmd $2 leaves no file"; rm -f trace.dat; }
}
while IFS='|' read -r code words says; do
	refused "$code" "$words" "$says"
done <<'TXT'
255|record --nosuch|nosuch
255|record -M zz -e sched|'zz' is not a hexadecimal
75|record -M 80000000 -e sched|CPUs that this machine does not have
255|record -C nosuch -e sched|no clock 'nosuch'
2|record -p nosuch|no tracer 'nosuch'
255|record -O nosuch -e sched|no option 'nosuch'
255|record -b x -e sched|'x' is not a size
2|record -e nosuch|no event 'nosuch'
2|record -e no:such|no event 'no:such'
255|record -f prev_pid==1|needs an -e before it
255|record -R traceoff|needs an -e before it
255|record -e sched:sched_switch -f nosuch==1|no field 'nosuch'
255|record -e sched:sched_switch -R nosuch|no command 'nosuch'
22|record -p function -l nosuchfunc|no function 'nosuchfunc'
22|record -p function_graph -g nosuchfunc|no function 'nosuchfunc'
2|record -b -5 -e sched|'-5' is not a size
255|record -e sched -P abc|'abc' is not a list
2|record -e sched -o /no/such/dir/x.dat|cannot create /no/such/dir
21|record -e sched -o /tmp|Is a directory
255|record -e sched --file-version 9|no version 9
255|record -e sched --compression nosuch|no compression 'nosuch'
22|record -e sched --max-graph-depth x|'x' is not a number
TXT
as_before "refused commands changed nothing"

# ---- compared with trace-cmd, if it is here ----
if command -v trace-cmd >/dev/null; then
	side() {
		tc "$@"
		trace-cmd "$@" >"$KT_TMP/theirs" 2>/dev/null
		is "$status" $? "as with trace-cmd: the status of $*"
		[ "$status" != 0 ] || same "$KT_TMP/out" "$KT_TMP/theirs" "… and its output"
	}
	echo 1 >$T/events/sched/sched_switch/enable
	sleep 0.3
	echo 0 >$T/tracing_on
	for words in show 'show -c 0' 'show -f' 'show --tracing_on' 'show --current_tracer' 'show --buffer_size' \
		'show --buffer_total_size' 'show --ftrace_filter' 'show --ftrace_notrace' 'show --ftrace_pid' \
		'show --graph_function' 'show --graph_notrace' 'show --cpumask' 'show -s' 'show -B nosuch' \
		'start -e nosuch:event' 'start -e irq' stop restart reset stack; do
		# shellcheck disable=SC2086
		side $words
	done
fi
tc reset
as_before
done_testing
