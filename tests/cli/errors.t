#!/bin/bash
# errors.t - errors that no other test provokes: each message names the cause, and nothing changes
. tests/kt_test.sh
. tests/kt_fake.sh

ktrail=$(realpath "$KTRAIL")
# shellcheck disable=SC2034
dat=$PWD/tests/data/6.12-events.dat long=$(printf '%05000d' 0)
cp tests/data/6.1-two-buffers.dat "$KT_TMP/two.dat"
printf 'int main(void) { return 0; }\n' >"$KT_TMP/plain"
fake() {
	fake_tracefs
	fake_instance one
	put dynamic_events 'p:kprobes/mine vfs_read'
	put synthetic_events ''
	put snapshot '# empty'
	put events/sched/sched_switch/hist ''
}
# refused: lines are STATUS|WORDS|MESSAGE; nothing is changed
refused() {
	before=$(fake_state)
	while IFS='|' read -r want words says; do
		[ -n "$want" ] || continue
		eval "args=($words)"
		cd "$KT_TMP" || exit
		run "$ktrail" "${args[@]}" </dev/null
		cd - >/dev/null || exit
		is "$status" "$want" "$words: refused"
		like "$err" "$says" "… and says why"
		after=$(fake_state)
		[ "$after" = "$before" ] || { is "$after" "$before" "… changes nothing"; fake; }
	done
}
fake
refused <<'TXT'
2|boot -e sched extra|unexpected argument 'extra'
2|buffer extra size|no verb|unexpected argument
2|buffer show extra|unexpected argument 'extra'
2|buffer set 0|'0' is less than one KiB
2|check-events extra|unexpected argument 'extra'
2|convert one.dat two.dat|unexpected second input 'two.dat'; -o names the output
2|agent|there is no `agent` yet
2|help listen|there is no `listen` yet
2|top|no command 'top', `ktrail help` lists them$
2|record -r -1 -e sched|no real-time priority -1: 0 to 99
2|record -M 0 -e sched|'0' leaves no CPU to trace
2|doctor extra|unexpected argument 'extra'
2|error-log show extra|unexpected argument 'extra'
2|error-log clear extra|unexpected argument 'extra'
2|extract extra|unexpected argument 'extra'
2|filter set sched_switch|an event and a filter in quotation marks
2|filter remove|no events given; use 'all' for all of them
2|hist|an event or a file is expected
2|instance list extra|unexpected argument 'extra'
2|instance create|the name of the instance is missing
2|list --proto -f vfs_read --json|--proto has no effect with --json
2|filter list 'a' 'b'|one pattern of events is expected, quote it
2|clock show extra|unexpected argument
2|options extra|unexpected argument 'extra'
2|record --rt-priority 99999999999 -e sched|number '99999999999' is too large
2|record --keep=1 -e sched|option '--keep' takes no value
2|record --output|option '--output' needs a value: <file>
2|record -Y -e sched|unknown option '-Y'
2|record -o|option '-o' needs a value: <file>
2|dump -Y|unknown option '-Y'
2|reset -B ''|an instance needs a name
2|stop -B ''|an instance needs a name
2|reset -b 0|'0' is less than one KiB
2|reset extra|unexpected argument 'extra'; use -B to name an instance
1|probe del nosuch|no probe 'nosuch'
2|probe add|a definition is expected
2|probe del|a probe is expected
2|record --duration 0 -e sched -o none.dat|'0': a time above 0 is expected
2|stream --duration 0.2ns -e sched|'0.2ns': a time above 0
2|profile --duration 0s|'0s': a time above 0
2|record --max-file-size 0 -e sched -o none.dat|'0': a size above 0
2|record --kallsyms some -e sched -o none.dat true|use used, all or none
1|record -P 99999999 -e sched -o none.dat|no such process
2|report --event '[' $dat|--event: not a regular expression: '\[': 
1|restore -o none.dat nosuch.dat|cannot open nosuch.dat
1|restore -i nosuch.dat $dat|-i: cannot open nosuch.dat
1|restore -i $dat -o none.dat nosuch.dat|cannot open nosuch.dat
2|restore $dat two.dat|one file at a time, not 'two.dat'
2|rv list extra|unexpected argument 'extra'
2|rv set|a monitor is expected
2|start -e sched --user nobody|--user needs a command to run
2|record -e sched -r 100 -o none.dat true|no real-time priority 100: 0 to 99
2|show extra|unexpected argument 'extra'
2|snapshot extra|unexpected argument 'extra'
2|split -i two.dat 1x|'1x' is not a time in seconds
2|split -i two.dat 1.x|'1.x' is not a time in seconds
2|split -i two.dat -s 1 -m 1|-s and -m exclude each other
2|split -i two.dat -r|-r
2|split -i two.dat --top -B second|--top and -B exclude each other
2|split -i two.dat 1 2 3|unexpected argument '3' after the end
2|probe list -f|`ktrail list -f` shows the functions that can be probed
1|sqlhist -f nosuch.sql|cannot read nosuch.sql
2|sqlhist|a query is expected, as words or with -f
2|stack extra|unexpected argument 'extra'
2|stat extra|unexpected argument 'extra'
2|state show a b|unexpected argument
2|state save|a file to save to is expected
2|state restore|a saved state is expected, or --last
1|state save /no/such/dir/state|cannot write /no/such/dir/state
2|synth list a b|unexpected argument '.'
2|synth del|an event is expected
1|synth del nosuch|no synthetic event 'nosuch'
2|tracer show a b|unexpected argument
1|trigger remove sched_switch stacktrace|no trigger 'stacktrace' there
2|trigger add sched_switch|an event and a trigger in quotation marks
2|trigger remove|events are expected, and optionally one of their triggers
2|user-events list extra|unexpected argument 'extra'
2|probe nosuchverb|no verb 'nosuchverb'
1|stop -B nosuch|no instance 'nosuch', only: one
1|probe add 'uprobe:/etc/passwd:main'|/etc/passwd: not a valid ELF file
1|probe add 'eprobe:sched:nosuch prev_pid'|no event 'sched:nosuch' in this kernel
1|probe add 'uprobe:$KT_TMP/plain:main'|plain
2|mem $dat two.dat|one file at a time
1|mem $dat|kmem
2|sqlhist -m m -c c 'SELECT prev_pid FROM sched_switch'|-m and -c exclude each other
2|sqlhist -s 'SELECT prev_pid FROM sched_switch'|-s goes with -m or -c
1|hist sched_switch|no hist trigger on sched_switch
1|stack|cannot read .*stack_trace: this kernel does not have it
1|snapshot -c 0 -s|per_cpu/cpu0/snapshot: this kernel does not have it
1|snapshot -c 99|per_cpu/cpu99/snapshot: there is no such CPU
1|boot --cmdline -B one -e sched:sched_switch -R traceoff|cannot set triggers of the instance 'one'
1|boot --cmdline -e sched:sched_switch -R 'hist:keys=prev_pid,next_pid'|cannot set a trigger with a comma or quotes
1|boot --cmdline -e sched:sched_switch -f 'prev_pid == 1'|a command line cannot filter 'sched:sched_switch'
1|user-events del nosuch|this kernel has no user events
1|split -i two.dat -C 99|no CPU 99 in two.dat
1|split -i two.dat -B nosuch|two.dat has no buffer 'nosuch'
2|split -i two.dat 5 4|the end, 4, is before the start, 5
2|restore -t /tmp $dat|-t and -k need -c
2|convert --index --no-index -i two.dat -o none.dat|--index and --no-index exclude each other
2|convert --index --file-version 6 -i two.dat -o none.dat|only a compressed file of version 7 has an index
1|report --kallsyms /no/such $dat|cannot read /no/such
2|buffer set 64 extra|unexpected argument 'extra'
2|buffer set --subbuf-size x|--subbuf-size: 'x' is not a size
2|boot --dump-on-oops=x -e sched|all or cpu is expected, not 'x'
2|instance delete|the name of the instance is missing
2|state diff a b c|one saved state .*or two are expected
1|probe add uprobe:$ktrail:cmd_program|'cmd_program' is data, not a function
1|probe add uprobe:$ktrail:run|[0-9]+ functions are named 'run': choose one by its offset
1|probe add uprobe:$ktrail:units_parse_sise|no function 'units_parse_sise', did you mean 'units_parse_size'
1|restore -c -t $long -o none.dat|-t: a path of 5000 bytes is too long
2|buffer set --percent 101|--percent: '101' is not 0 to 100
2|buffer set --percent many|--percent: 'many' is not 0 to 100
2|buffer set|the size is missing
1|buffer drain -c 99|per_cpu/cpu99/trace_pipe: there is no such CPU
2|clock set|the clock's name is missing
2|cpumask set|a list of CPUs, or 'all', is missing
1|dump-on-oops set nosuch|no instance 'nosuch': off, all, cpu, or a name
1|dump-on-oops set onee|no instance 'onee', did you mean 'one'
2|dump-on-oops set one=x|'one=x': all or cpu is expected after '='
2|dump-on-oops set one cpu|'cpu' applies to the top-level buffer and must come first
2|dump-on-oops set|expected: off, all, cpu
2|error-log nosuchverb|no verb 'nosuchverb': show, clear
2|functions add|the function or pattern is missing
2|functions show -n -g|-n and -g exclude each other
1|functions add mod:|'mod:': mod:MODULE or mod:MODULE:FUNCTIONS is expected
1|functions add --module ext4 mod:ext4|'mod:ext4' and module 'ext4' exclude each other
2|hist -i two.dat two.dat two.dat|one file at a time
2|instance use one two|unexpected argument 'two'
1|list -t nosuch|nothing matches 'nosuch'
1|list -e sched_swich|no event 'sched_swich' in this kernel, did you mean 'sched_switch'
2|list --proto -e|--proto goes with -f
2|list --full -e|--full goes with -F
2|list -N -e|go with -P
2|list -P -e|-P and -O exclude each other and all other lists
2|marker --raw 4294967296 text|--raw: '4294967296' is not a 32-bit number
2|marker --raw one text|--raw: 'one' is not a 32-bit number
2|probe vfs_read|no verb 'vfs_read': list, add, del; perhaps 'add vfs_read'
1|probe add uprobe:/no/such:main|/no/such: No such file or directory
1|profile --functions true|no function profiler \(CONFIG_FUNCTION_PROFILER=y\)
2|profile --functions --sort x true|cannot sort by 'x', only by total, hits, avg, name
2|profile --functions -e sched true|only -l, -n and --module choose
2|profile --functions -g vfs_read true|--functions takes no -g: -l names the functions
1|record -e sched -o none.dat $KT_TMP/plain|cannot run '.*plain': Permission denied
1|record -e sched -o none.dat nosuchprogram|cannot run 'nosuchprogram': No such file
1|record -e sched -o none.dat --session nosuch true|cannot read nosuch: No such file
2|report --layout 9 $dat|no layout '9', only: 3.1 3.3 current kernel
2|report --threads -1 $dat|--threads -1: 1 or more, or 0
2|report -F sched_switch -v $dat|-v needs a -F after it
2|report -O fgraph:tailprin $dat|no option 'tailprin', did you mean 'tailprint'
2|hepl|no command 'hepl', did you mean 'help'
2|complete|no command 'complete', .* help. lists them
2|record --hlep|unknown option '--hlep', did you mean '--help'
2|report --time x $dat|'x' is not a time window: FROM,UNTIL
2|report --time 5,4 $dat|'5,4' is not a time window
2|restore-settings extra|unexpected argument 'extra'
2|split -i two.dat -r -s 0|-r repeats one of -s, -m, -u, -e and -p: none is given
2|stack --start --stop|--start and --stop exclude each other
2|start --fork -e sched|--fork needs a command to run
1|state restore nosuch|cannot read nosuch: No such file
1|state restore plain|plain: state, line 1: 'KEY = VALUE' is expected
1|state restore --last|nothing to undo
1|tracer show nosuch|no tracer 'nosuch' in this kernel, only: function
1|tracer show functio|no tracer 'functio' in this kernel, did you mean 'function'
2|tracer set|the tracer's name is missing
2|tracer set function x|'x' is not NAME=VALUE
1|tracer set function nosuch=1|tracer 'function' has no parameters
2|user-events add|a name is expected, and fields
2|user-events del|an event is expected
2|instance create ''|an instance needs a name
2|start -e sched -b 0|--buffer-size: '0' is less than one KiB
2|split -C x -i two.dat|-C: 'x' is not a number
2|report -O fgraph:zzzzzzzz $dat|no option 'zzzzzzzz', .ktrail options. lists them
1|filter set sched_switch "comm == '$long'"|text of more than 255 bytes
1|filter set sched_switch 'prev_pid == "'|'prev_pid' is a number, not text
1|filter set sched_switch 'prev_pid.function == '|it ends where a value for 'prev_pid' is expected
1|filter set sched_switch 'prev_pid.function == )'|the name of a function is expected here
1|trigger add sched_switch 'hist:keys=zzzzzzzzzzzzz'|no field 'zzzzzzzzzzzzz'
1|trigger add sched_switch 'hist:keys=prev_pid,,prev_pid'|the name of a field is expected here
1|trigger add sched_switch 'hist:keys=prev_pid:a=prev_pid,b'|NAME=EXPRESSION is expected here
1|trigger add sched_switch 'hist keys=prev_pid'|':' is expected here
1|trigger add sched_switch 'traceoff 3'|':' and a count are expected here
1|probe add 'vfs_read arg1:zzzzzzzzzz'|no type 'zzzzzzzzzz', e.g. u32 s64 x64 string
1|probe add "vfs_read a${long:0:40}=arg1"|names of arguments have at most 31 bytes
1|probe add "vfs_read $(printf 'arg1 %.0s' {1..130})"|more than 128 arguments
1|probe add uprobe:$ktrail:main+x|a number of bytes is expected after '.'
1|synth add "x $(printf 'u64 f%d; ' {1..70})"|more fields than the kernel takes
1|synth add "x $(printf 'f%d:u64 ' {1..70})"|more fields than the kernel takes
1|probe add "uprobe:$ktrail:main arg99"|only arg1 to arg[0-9]+ are passed in registers: use .stackN
2|__complete|expected the words of a command line
TXT
[ ! -e "$KT_TMP/none.dat" ]
ok $? "no file is left"

# ---- features that only some kernels have ----
rm "$FAKE"/options/event-fork
run "$KTRAIL" start -F -c -e sched true
like "$status:$err" "1:.*this kernel cannot follow children" "-c without event-fork"
rm "$FAKE"/synthetic_events
run "$KTRAIL" synth del nosuch
like "$status:$err" "1:.*no synthetic events.*CONFIG_SYNTH_EVENTS" "synth without synthetic events"
rm "$FAKE"/events/sched/sched_switch/hist
run "$KTRAIL" hist sched_switch
like "$status:$err" "1:.*this kernel has no hist triggers .CONFIG_HIST_TRIGGERS=y" "hist without hist triggers"
fake

# ---- a kernel that refuses ----
put user_events_status ''
put kprobe_events ''
put function_profile_enabled 1
rm "$FAKE/sysctl/stack_tracer_enabled" "$FAKE/instances/one/tracing_on"
mkdir "$FAKE/instances/one/tracing_on"
{
	echo 'p:kprobes/vfs_read vfs_read'
	for ((i = 1; i < 1000; i++)); do echo "p:kprobes/vfs_read_$i vfs_read"; done
} >"$FAKE/dynamic_events"
hist='hist:keys=prev_pid:vals=hitcount:sort=hitcount:size=2048'
put events/sched/sched_switch/trigger "$hist [active]"
put events/sched/sched_switch/hist "# event histogram\n#\n# trigger info: $hist [active]\n#\n\n{ prev_pid:  1 } hitcount:  1\n\nTotals:\n    Hits: 1\n    Entries: 1\n    Dropped: 0"
put events/sched/sched_wakeup/trigger "$hist [active]"
put events/header_page '\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;'
put events/header_event '# compressed entry header'
printf '%s\n' '[machine]' 'tracing_thresh = 0' >"$KT_TMP/session"
# shellcheck disable=SC2034
from='FROM sched_switch AS s JOIN sched_wakeup AS e ON s.prev_pid = e.prev_pid'
refused <<'TXT'
1|hist -s nosuch sched_switch|no column 'nosuch' in hist:keys=prev_pid
1|hist sched_wakeup|sched_wakeup: this kernel has no hist triggers \(CONFIG_HIST_TRIGGERS=y\)
1|user-events del nosuch|no user event 'nosuch'
1|profile --functions true|functions are being profiled already \(function_profile_enabled is 1\)
1|stack|stack tracer not configured on running kernel \(CONFIG_STACK_TRACER\)
1|stop -B one|instance 'one': cannot read .*one/tracing_on: Is a directory
1|instance delete one|cannot remove the instance .*one: Directory not empty
1|probe add vfs_read|no free name for 'vfs_read' in the group 'kprobes'
1|sqlhist -n x -m pid 'SELECT prev_pid FROM sched_switch'|a maximum or change needs two joined events
1|sqlhist -n x -m nosuch "SELECT s.prev_pid AS a $from"|'nosuch' is not a name that AS gives to a result
1|sqlhist -n x -c a -S nosuch "SELECT s.prev_pid AS a $from"|no field 'nosuch' in sched_wakeup, the joined event
2|record --session session --session session -o none.dat true|unexpected second --session
TXT
fake
rm "$FAKE"/events/header_* 2>/dev/null
run "$KTRAIL" sqlhist 'SELECT prev_pid FROM sched_switch'
like "$status:$err" "1:.*libtracefs cannot read the events below $FAKE" "a query without the layout of sub-buffers"
run env TMPDIR=/no/such "$KTRAIL" stream -e sched
like "$status:$err" "1:.*cannot create a folder in /no/such: No such file" "stream without a folder for its files"
run env KTRAIL_INSTANCE=nosuch "$KTRAIL" stat
like "$status:$err" "1:.*KTRAIL_INSTANCE=nosuch: no instance 'nosuch'" "an instance that only the environment names"
mkdir -p -m 777 "$KT_TMP/open"
chmod 777 "$KT_TMP/open"
run env KTRAIL_JOURNAL_DIR="$KT_TMP/open" "$KTRAIL" state restore --last
like "$status:$err" "1:.*$KT_TMP/open: another user owns it or may write to it" "a folder of journals that others may write to"

for event in sched_switch sched_wakeup; do
	put "events/sched/$event/filter" 'x == 1\n^\nparse_error: Field not found'
done
run "$KTRAIL" set -e sched -f 'prev_pid == 1'
like "$status:$err" "1:.*no event of system 'sched' takes the filter 'prev_pid == 1'" "an error that the file of a system hides"
fake
rm "$FAKE/dynamic_events"
mkdir "$FAKE/dynamic_events"
run "$KTRAIL" reset
like "$status:$err" "1:.*cannot read $FAKE/dynamic_events: Is a directory" "reset if the list of probes cannot be read"
fake

# ---- as trace-cmd, where hardly any options exclude each other ----
ln -s "$ktrail" "$KT_TMP/trace-cmd"
run "$KT_TMP/trace-cmd" split -i "$KT_TMP/two.dat" -s 1 -m 1
like "$status:$err" "255:.*-s and -m exclude each other" "split by seconds and by milliseconds"
run "$KT_TMP/trace-cmd" restore
like "$status:$err" "255:.*no data files found" "restore of nothing"

# ---- programs that cannot be probed by name ----
cat >"$KT_TMP/ifunc.c" <<'C'
static int one(void) { return 1; }
static int (*choose(void))(void) { return one; }
int chosen(void) __attribute__((ifunc("choose")));
int main(void) { return chosen(); }
C
if ${CC:-cc} -o "$KT_TMP/ifunc" "$KT_TMP/ifunc.c" 2>/dev/null; then
	run "$KTRAIL" probe add "uprobe:$KT_TMP/ifunc:chosen"
	like "$status:$err" "1:.*'chosen' is chosen among variants when a program starts" "a function of many variants"
	printf '.globl far, main\n.type far, @function\n.set far, 0x7fffff000\n.type main, @function\nmain: ret\n' >"$KT_TMP/far.s"
	${CC:-cc} -o "$KT_TMP/far" "$KT_TMP/far.s" 2>/dev/null
	run "$KTRAIL" probe add "uprobe:$KT_TMP/far:far"
	like "$status:$err" "1:.*far: 'far' is not in a segment that is loaded from the file" "a function without an address in the file"
	strip -s "$KT_TMP/ifunc"
	run "$KTRAIL" probe add "uprobe:$KT_TMP/ifunc:main"
	like "$status:$err" "1:.*ifunc: no symbols in it: install its debug symbols" "a program without symbols"
else
	skip "probes of a program" "no compiler makes one with variants"
fi

# ---- without instances, without a tracefs ----
mkdir "$KT_TMP/folder"
mv "$FAKE/current_tracer" "$KT_TMP"
mv "$KT_TMP/folder" "$FAKE/current_tracer"
run "$KTRAIL" tracer set function
like "$status:$err" "1:.*cannot switch to tracer 'function'.*current_tracer" "a tracer that cannot be set"
fake
rm -r "$FAKE/instances/one"
run "$KTRAIL" stop -B nosuch
like "$status:$err" "1:.*no instance 'nosuch', there are none" "no instance at all"
rmdir "$FAKE/instances"
echo >"$FAKE/instances"
run "$KTRAIL" instance list
like "$status:$err" "1:.*cannot read $FAKE/instances" "no folder of instances"
run "$KTRAIL" instance create new
like "$status:$err" "1:.*cannot create the instance 'new'" "… and none can be made"
run env KTRAIL_TRACEFS="$KT_TMP/nowhere" "$KTRAIL" stat
is "$status" 1 "no tracefs there"
like "$err" "$KT_TMP/nowhere" "… which is named"

# ---- tracefs is not mounted, and the user cannot mount it ----
bare=$(mktemp -d /tmp/ktrail-errors.XXXXXX)
trap 'rm -rf "$bare"' EXIT
chmod 755 "$bare"
cp "$ktrail" "$bare/ktrail"
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	# shellcheck disable=SC2016
	run env -u KTRAIL_TRACEFS unshare -m --propagation private sh -c '
		umount -a -t tracefs; umount -a -t debugfs
		exec setpriv --reuid=65534 --regid=65534 --clear-groups "$0" stat' "$bare/ktrail"
	like "$status:$err" "1:.*tracefs is not mounted; as root: mount -t tracefs" "the message says what root can do"
else
	skip "tracefs is not mounted" "this needs root"
fi
done_testing
