#!/bin/bash
# control.t - commands that set the kernel, on a fake tracefs: what they write, refuse and restore
. tests/kt_test.sh
. tests/kt_fake.sh

# file FILE WANTED NAME: the fake has this text
file() { is "$(get "$1")" "$2" "$3"; }

# refused STATUS REGEX COMMAND…: fails with one line that says why, and changes nothing
refused() {
	local want=$1 regex=$2 before
	shift 2
	before=$(fake_state)
	run "$KTRAIL" "$@"
	is "$status" "$want" "$* is refused"
	like "$err" "$regex" "… and says why"
	is "$(fake_state)" "$before" "… and changes nothing"
}

# ---- start, set ----
fake_tracefs
run "$KTRAIL" start -e sched:sched_switch -f 'prev_pid == 1' -R traceoff:3 -e irq -v -e sched_wakeup \
	-b 64 -C mono -O stacktrace -O norecord-cmd -M 1 -P 7,8 --cmdlines-size 256 --max-graph-depth 3
is "$status:$err" "0:" "start works"
file tracing_on 1 "it traces"
file events/sched/sched_switch/enable 1 "an event is on"
file events/sched/sched_switch/filter 'prev_pid == 1' "with its filter"
like "$(get events/sched/sched_switch/trigger)" 'traceoff:3' "with its trigger"
file events/irq/enable 1 "a system is on"
file events/sched/sched_wakeup/enable 0 "events after -v are off"
file buffer_size_kb 64 "the buffer has its size"
file trace_clock mono "the clock"
file options/stacktrace 1 "an option"
file options/record-cmd 0 "an option that is off"
file tracing_cpumask 1 "the CPUs"
file set_event_pid "7 8" "the pids"
file saved_cmdlines_size 256 "the number of names"
file max_graph_depth 3 "the depth"
is "$(ls "$KT_TMP/journals")" "" "no journal is left"

fake_tracefs
run "$KTRAIL" start -p function_graph -g vfs_read -n schedule -l '^vfs_' -T
is "$status" 0 "start with a tracer works"
file current_tracer function_graph "the tracer is set"
like "$(get set_ftrace_filter)" "vfs_read" "a regular expression is expanded to names"
like "$(get set_graph_function)" "vfs_read" "a function to graph"

fake_tracefs
fake_instance one
fake_instance two
run "$KTRAIL" start -b 16 -B one -e sched -B two -e irq -b 32
file instances/one/events/sched/enable 1 "an event of one instance"
file instances/two/events/sched/enable 0 "is not enabled in another"
file instances/one/buffer_size_kb 16 "-b before -B applies to all"
file instances/two/buffer_size_kb 32 "except those with their own -b"

fake_tracefs
put events/sched/sched_wakeup/filter 'pid == 9'
put tracing_on 0
run "$KTRAIL" set -e irq
file tracing_on 0 "set does not start"
file events/irq/enable 1 "it adds an event"
file events/sched/sched_wakeup/filter 'pid == 9' "it clears nothing"
run "$KTRAIL" set -v -e irq
file events/irq/enable 0 "set -v removes it"
mkdir "$FAKE/instances/gone"
run "$KTRAIL" set -v -B gone
[ ! -e "$FAKE/instances/gone" ]
ok $? "set -v -B deletes an instance" || note "$err"

fake_tracefs
run "$KTRAIL" start -e sched sh -c 'exit 7'
is "$status" 7 "the exit status of the command is passed on"
run "$KTRAIL" start -F -c -e sched sh -c 'echo $$ >'"$KT_TMP/pid"
file set_event_pid "$(cat "$KT_TMP/pid")" "-F traces the command"
file options/event-fork 1 "-c follows its children"
run timeout 60 "$KTRAIL" start --fork -e sched \
	sh -c "for _ in \$(seq 1200); do [ ! -e '$KT_TMP/enough' ] || break; sleep 0.1; done; : >'$KT_TMP/ended'"
is "$status:$(ls "$KT_TMP/ended" 2>&1 | grep -c '/ended$')" "0:0" "--fork does not wait"
touch "$KT_TMP/enough"
wait_until '[ -e "$KT_TMP/ended" ]'
ok $? "the command goes on"
run "$KTRAIL" start -i -e nothing -e sched
is "$status" 0 "-i skips events that do not exist"
like "$err" '1 of the events' "and says so"

rm "$FAKE/set_graph_function"
run "$KTRAIL" start -p function_grap -g vfs_read
like "$status:$err" "^1:.*no tracer 'function_grap' in this kernel, did you mean" "a missing tracer is reported before its missing files"
run "$KTRAIL" extract -s -o "$KT_TMP/none.dat"
is "$status:$err" "1:ktrail extract: this kernel has no snapshots (CONFIG_TRACER_SNAPSHOT)" "so is a missing snapshot"

# ---- --profile ----
for cmd in start set; do
	fake_tracefs
	run "$KTRAIL" $cmd --profile
	is "$status:$err" "0:" "$cmd --profile works"
	file events/sched/sched_switch/enable 1 "it traces scheduling"
	like "$(get events/sched/sched_switch/trigger)" stacktrace "with stacks"
	file current_tracer function_graph "and calls of functions"
	file max_graph_depth 1 "with a depth of one"
done
fake_tracefs
run "$KTRAIL" start --profile -S -H sched_wakeup,pid/sched_switch,prev_pid
file events/sched/sched_wakeup/enable 1 "a hook's events"
file current_tracer nop "-S traces nothing else"
refused 2 "is not a hook" start --profile -H nonsense

fake_tracefs
refused 1 "'sched'\?" start -e shed
refused 1 "'sched_switch'\?" start -e irq -e sched_swich
refused 1 "'function_graph'\?" start -p function_grap
refused 1 "'mono'\?" start -e sched -C momo
refused 1 "'stacktrace'\?" start -e sched -O stacktrac
refused 1 "no such file or directory|No such file" start -e sched /nonexistent/program
refused 1 "no user 'nobody-like-it'" start -e sched --user nobody-like-it true
refused 1 "stack trace on every function" start -p function --func-stack
refused 2 "no event or plugin was specified" start
refused 2 "needs an -e before it" start -f x
refused 2 "needs an -e before it" start -R x
refused 2 "one tracer for each instance" start -p function -p nop
refused 2 "not a list of process ids" start -e sched -P x
refused 2 "command to run" start -e sched -F
refused 2 "-F or -P" start -e sched -c true
refused 2 "is about recording" start -e sched --date --ts-offset 1
refused 2 "exclude each other" record -e sched --date --ts-offset 1
refused 2 "--ts-offset: 'x' is not a number" record -e sched --ts-offset x
refused 2 "is not a size" start -e sched -b lots
refused 2 "out of range" start -e sched --max-graph-depth -1
refused 2 "needs a name" start -B '' -e sched
refused 1 "not a valid name for an instance" start -B ../x -e sched

# ---- stop, restart, clear, reset ----
fake_tracefs
refused 1 "there are no instances; -t" extract -a -o "$KT_TMP/none.dat"
fake_instance one
run "$KTRAIL" stop
file tracing_on 0 "stop stops the top-level buffer"
file instances/one/tracing_on 1 "and no instance"
run "$KTRAIL" restart
file tracing_on 1 "restart continues"
run "$KTRAIL" stop -B one
file "tracing_on" 1 "stop -B does not change the top-level buffer"
file "instances/one/tracing_on" 0 "and stops the instance"
run "$KTRAIL" restart -a -t
file "instances/one/tracing_on" 1 "restart -a applies to all instances"
refused 1 "no instance 'onr', did you mean .one" stop -B onr
refused 2 "unexpected argument" stop one

put trace old
put instances/one/trace old
run "$KTRAIL" clear -B one
file trace old "clear -B does not change the top-level buffer"
file instances/one/trace "" "and empties the instance"
run "$KTRAIL" clear -a
file trace "" "clear -a empties the top-level buffer too"
refused 1 "no instance" clear -B none
refused 2 "unexpected argument" clear x

fake_tracefs
fake_instance one
put current_tracer function
put events/enable 1
put events/sched/sched_switch/filter 'prev_pid == 1'
put dynamic_events 'p:kprobes/a vfs_read\ns:synthetic/b u64 x;'
put set_ftrace_filter vfs_read
put tracing_on 0
run "$KTRAIL" reset -b 8 -k synth
is "$status:$err" "0:" "reset works"
file current_tracer nop "no tracer"
file events/enable 0 "no events"
file events/sched/sched_switch/filter 0 "no filter"
file tracing_on 1 "tracing is on"
file buffer_size_kb 8 "the buffer has the size of -b"
file set_ftrace_filter "" "no function filter"
like "$(get dynamic_events)" '-:kprobes/a' "probes are removed"
unlike "$(get dynamic_events)" '-:synthetic/b' "-k keeps the named settings"
put tracing_on 0
run "$KTRAIL" reset -B one -b 4
file instances/one/buffer_size_kb 4 "-b after -B applies to the instance"
file tracing_on 0 "reset -B does not change the top-level buffer"
refused 2 "top-level buffer cannot be deleted" reset -d
refused 2 "not one of kprobe" reset -k nothing
refused 1 "no instance" reset -B none

# ---- stat: hooked functions and their users; lines as Linux 6.12 prints them ----
fake_tracefs
put enabled_functions 'vfs_open (1) R         \ttramp: 0xffffffffc028d000 (fprobe_handler+0x0/0x240) ->fprobe_handler+0x0/0x240
vfs_writev (1)           \ttramp: 0xffffffffc0287000 (function_trace_call+0x0/0x110) ->function_trace_call+0x0/0x110
vfs_read (2) R          ->arch_ftrace_ops_list_func+0x0/0x1d0
vfs_write (1)           \ttramp: 0xffffffffc0287000 (function_trace_call+0x0/0x110) ->function_trace_call+0x0/0x110
do_exit (1) R I     \ttramp: 0xffffffffc0289000 (klp_ftrace_handler+0x0/0x110) ->klp_ftrace_handler+0x0/0x110
do_unlinkat (1) D   M \ttramp: 0xffffffffc0289000 (ftrace_regs_caller+0x0/0x65) ->call_direct_funcs+0x0/0x20
\tdirect-->bpf_trampoline_6442491671+0x0/0x1000
schedule (1)           \ttramp: 0xffffffffc0289000 (my_handler+0x0/0x110 [my_module]) ->my_handler+0x0/0x110 [my_module]'
mkdir -p "$FAKE/debug/kprobes"
put debug/kprobes/list 'ffffffff93257c14  k  vfs_write+0x4    [DISABLED][FTRACE]
ffffffff93257344  k  vfs_read+0x4    [FTRACE]
ffffffff93257345  r  do_sys_open+0x0    [FTRACE]
ffffffff93257347  k
ffffffff93257346  k  do_exit+0x10'
put dynamic_events 'p:kprobes/mine vfs_read\np:kprobes/mine2 vfs_write+4\nr:kprobes/mine3 do_sys_open'
for p in mine mine2 mine3; do put events/kprobes/$p/enable 0; done
run "$KTRAIL" stat
is "$(sed -n '/^Functions hooked/,/^$/p' <<<"$out" | sed '/^$/d')" 'Functions hooked by:
 fprobes: 1 (vfs_open)
 function tracer: 2 (vfs_writev, vfs_write)
 several at once: 1 (vfs_read)
 livepatch: 1 (do_exit)
 BPF: 1 (do_unlinkat)
 my_handler: 1 (schedule)
 kprobes of others: 1 (do_exit+0x10)' "stat shows the users of hooked functions, and kprobes without an event"
run "$KTRAIL" stat --json
like "$out" '"who": "kprobes of others", "functions": 1, "some": \["do_exit\+0x10"\]' "in JSON, too"

# ---- show, stat, list, snapshot, stack, check-events ----
fake_tracefs
fake_instance one
put trace 'a\033[31mtrace'
run "$KTRAIL" show
is "$(cat "$KT_TMP/out")" "$(get trace)" "show prints the trace as it is into a pipe"
# A trace may grow while it is read: show prints only what existed when it began.
put trace "$(echo '# tracer: function'; for i in 1 2 3 4 5 6 7 8; do
	echo "            cat-$i   [00$((i % 2))] ....1    1.00000$i: vfs_read <-ksys_read"
	echo " => entry_SYSCALL_64"; done)"
run "$KTRAIL" show
is "$(grep -c vfs_read "$KT_TMP/out"):$(tail -1 "$KT_TMP/out")" "6: => entry_SYSCALL_64" "show ends where the buffer ended, stacks included"
put per_cpu/cpu1/trace "$(for i in 1 2 3 4 5; do echo " $i)   0.123 us    |  foo();"; done)"
run "$KTRAIL" show -c 1
is "$(wc -l <"$KT_TMP/out")" 3 "also the trace of a CPU"
put current_tracer wakeup_rt
run "$KTRAIL" show
is "$(grep -c vfs_read "$KT_TMP/out")" 8 "the longest latency is shown whole: it is not in the buffer"
run "$KTRAIL" show -c 1
is "$(wc -l <"$KT_TMP/out")" 5 "also that of a CPU"
put current_tracer nop
put per_cpu/cpu1/trace "# of CPU 1"
run "$KTRAIL" show -c 1
is "$out" "# of CPU 1" "show -c prints that of a CPU"
run "$KTRAIL" show -f -B one --buffer_size
is "$out" "$FAKE/instances/one/buffer_size_kb
1408" "show -f prints the path first"
run "$KTRAIL" show --trigger sched_switch
like "$out" 'Available triggers' "show --trigger prints triggers"
refused 2 "exclude each other" show -p -s
refused 2 "not a CPU number" show -c x
refused 1 "this kernel does not have it" show -s
refused 1 "no instance" show -B none
refused 1 "did you mean" show --hist sched_swtich

put events/enable X
put set_event 'sched:sched_switch\nirq:irq_handler_entry\nsched:sched_wakeup\nkprobes:early'
put events/sched/sched_switch/enable '1*'
put events/irq/irq_handler_entry/enable 1
put events/sched/sched_wakeup/enable '0*'	# for its trigger only
run "$KTRAIL" stat --json
is "$(json '@{$d->{buffers}[0]}{"systems", "events"}' "$KT_TMP/out")" '[["irq","kprobes"],["sched:sched_switch"]]' \
	"stat does not list events that are enabled only for a trigger"
put set_event 'sched:sched_wakeup'
run "$KTRAIL" stat
like "$out" '^.Events:. All disabled.' "also if nothing else is on"
put set_event 'sched:sched_switch\nirq:irq_handler_entry'
put events/sched/sched_switch/filter 'prev_pid == 1'
put trace_clock 'local [mono]'
put tracing_cpumask 1
run "$KTRAIL" stat
golden control-stat "$(sed '/^In use by/,$d' "$KT_TMP/out")"
run "$KTRAIL" stat --json
is "$(json '@{$d->{buffers}[0]}{"clock", "systems", "events"}, $d->{buffers}[0]{buffer}{entries}' "$KT_TMP/out")" \
	'["mono",["irq"],["sched:sched_switch"],6]' "stat --json is JSON"
refused 1 "no instance" stat -B none
put sysctl/ftrace_dump_on_oops 2
put sysctl/ftrace_enabled 0
put tracing_thresh 70
put dynamic_events 'p:kprobes/a vfs_read\ns:synthetic/lat u64 delta\ne:eprobes/ep sched.sched_switch'
put kprobe_events 'p:kprobes/a vfs_read\nr:kprobes/b vfs_write'
put error_log '[  237.943555] trace_kprobe: error: String accepts only memory argument\n  Command: p:a vfs_read $arg2:string\n                         ^'
run "$KTRAIL" stat
like "$out" $'Kprobe events:\np:kprobes/a vfs_read\nr:kprobes/b vfs_write\n\nError log:\n.*argument\n  Command: .*string\n +\\^\n' \
	"stat keeps the lines of probes and of refused ones"
rm "$FAKE/kprobe_events"
put events/irq/filter ''
for filter in 'irq == 3' 'irq > 3'; do
	put error_log "[ 1.5] event filter parse error: error: Couldn't find or set field\\n  Command: irq == 3\\n           ^"
	run "$KTRAIL" set -e irq -f "$filter"
	echo "$(wc -l <"$FAKE/error_log")"
done >"$KT_TMP/left"
is "$(tr '\n' ' ' <"$KT_TMP/left")" "0 3 " "errors of events that refuse a system's filter are removed from error_log, others stay"
: >"$FAKE/error_log"
put error_log '[  237.943555] trace_kprobe: error: String accepts only memory argument\n  Command: p:a vfs_read $arg2:string\n                         ^'
put events/irq/irq_handler_entry/filter 'irqq == 1\n^\nparse_error: Field not found'
run "$KTRAIL" stat
like "$out" '  irq:irq_handler_entry "irqq == 1 \(refused: Field not found\)"' "stat shows a filter that the kernel refused"
run "$KTRAIL" filter list irq_handler_entry
is "$(tail -1 <<<"$out")" "irq:irq_handler_entry  irqq == 1 (refused: Field not found)" "filter shows it in one line"
put events/irq/irq_handler_entry/filter none
run "$KTRAIL" stat
: >"$FAKE/error_log"
like "$out" 'Other dynamic events:.s:synthetic/lat u64 delta.e:eprobes/ep' "stat shows dynamic events that are not probes"
like "$out" 'ftrace_enabled = 0: function tracing is disabled' "switches that stop what is expected"
like "$out" 'ftrace_dump_on_oops = 2: an oops prints the trace' "and the effect of an oops"
like "$out" $'\n tracing_thresh = 70\n' "each setting of the machine that is not the default is shown"
run "$KTRAIL" stat --json
is "$(json '@{$d->{machine}}{"ftrace_dump_on_oops", "tracing_thresh"}, scalar @{$d->{machine}{dynamic_events}}' "$KT_TMP/out")" '["2","70",3]' \
	"in JSON, too"
put sysctl/ftrace_dump_on_oops 0
put sysctl/ftrace_enabled 1
put tracing_thresh 0
: >"$FAKE/dynamic_events"

run "$KTRAIL" list -e switch
is "$out" "sched:sched_switch" "list -e takes an expression"
mkdir -p "$FAKE/events/ftrace/"{function,bprint}
put events/ftrace/enable 0
run "$KTRAIL" list -e 'ftrace:'
is "$out" "ftrace:bprint
ftrace:function" "events that tracers write are listed on request"
run "$KTRAIL" list -s '^(f|sched)'
is "$out" "ftrace
sched" "and its system"
rm -r "$FAKE/events/ftrace"
run "$KTRAIL" list -f '^vfs' -t -C
is "$out" "function_graph function nop
vfs_read
vfs_write
local [mono]" "several lists"
run "$KTRAIL" list -B
is "$out" one "instances"
run "$KTRAIL" list -e switch -F
like "$out" 'field:int prev_pid' "fields"
unlike "$out" 'print fmt' "no print format"
run "$KTRAIL" list -e switch -F --full
like "$out" 'print fmt' "the print format"
run "$KTRAIL" list --json
is "$(json '[sort keys %$d], $d->{events}[0]' "$KT_TMP/out")" \
	'[["clocks","compressions","events","instances","options","systems","tracers"],{"id":314,"name":"sched_switch","system":"sched"}]' "list --json is JSON"
is "$("$KTRAIL" list -e 'sched_switch,nosuch')" "$("$KTRAIL" list -e sched_switch)" "a comma between events is an or"
refused 1 "regular expression" list -e '['
before_tracer=$(get current_tracer) before_on=$(get tracing_on)
put current_tracer function
put tracing_on 0
unlike "$("$KTRAIL" doctor 2>&1 | grep '^tracing now')" "top-level buffer" "doctor: a buffer with tracing off does not count"
put tracing_on 1
like "$("$KTRAIL" doctor 2>&1 | grep '^tracing now')" "top-level buffer .function" "doctor: one with tracing on does"
put current_tracer "$before_tracer"
put tracing_on "$before_on"
if [ -e "$B/tests/refuse.so" ]; then
	. tests/kt_refuse.sh
	refusing 'open:*/set_ftrace_filter:EPERM' "$KTRAIL" doctor --json
	like "$out" '"name": "function", "state": "refused"' "doctor: a policy that closes set_ftrace_filter refuses the tracer"
	like "$out" '"name": "function_graph", "state": "refused"' "… and the graph"
	like "$out" '"name": "triggers", "state": "present"' "… but no events"
fi
refused 1 "did you mean 'sched_switch'" list -e sched_swtich
refused 2 "try .list -e sched." list sched

refused 1 "no snapshots" snapshot -s
put snapshot old
run "$KTRAIL" snapshot
is "$out" old "snapshot prints it"
run "$KTRAIL" snapshot --json
is "$(tr -d ' \n' <"$KT_TMP/out")" '{"instance":"","allocated":true,"trace":["old"]}' "as JSON too"
put snapshot '# tracer: nop\n#\n# * Snapshot is freed *\n#'
run "$KTRAIL" snapshot --json
is "$(tr -d ' \n' <"$KT_TMP/out")" '{"instance":"","allocated":false,"trace":[]}' "also when there is none"
refused 2 "has no effect with --take" snapshot --json -s
run "$KTRAIL" snapshot -s
file snapshot 1 "snapshot -s takes one"
run "$KTRAIL" snapshot -r
file snapshot 2 "snapshot -r empties it"
run "$KTRAIL" snapshot -f
file snapshot 0 "snapshot -f frees it"
fake_instance one
put instances/one/snapshot old
run "$KTRAIL" snapshot -B one -s
file instances/one/snapshot 1 "snapshot -B is about the instance"
refused 2 "exclude each other" snapshot -s -f
run "$KTRAIL" snapshot -s -B one --dry-run
is "$out" "echo 1 > $FAKE/instances/one/snapshot" "snapshot --dry-run prints the write"
run "$KTRAIL" stack --start --dry-run
like "$out" "echo 1 > .*stack_tracer_enabled" "so does that of stack"
refused 2 "not a CPU number" snapshot -c x
refused 2 "exclude each other" stack --start --stop

run "$KTRAIL" check-events
is "$status:$out" "0:" "check-events finds no error"
run "$KTRAIL" check-events --json
is "$status:$(tr -d ' \n' <<<"$out")" '0:{"events":3,"unreadable":[]}' "as JSON too"
run "$KTRAIL" boot --json -e sched -e shed
is "$status:$err:$(tr -d ' \n' <<<"$out")" '0::{"for":"bootconfig","lines":["ftrace.events=sched,shed"],"notes":["noevent'"'shed'inthiskernel,didyoumean'sched'"'?"]}' "boot as JSON has the notes"
printf '# ktrail state: elsewhere\n[buffer]\ncurrent_tracer = function\nset_event_pid = 1\033]0;title\007\n' >"$KT_TMP/evil.state"
run "$KTRAIL" boot --session "$KT_TMP/evil.state"
like "$err" 'set_event_pid = 1\\x1b\]0;title\\x07: cannot be set at boot' "text of a file is escaped"
put events/sched/sched_wakeup/format 'nonsense'
run "$KTRAIL" check-events
is "$status" 1 "check-events fails by its exit status"
run "$KTRAIL" check-events --json
like "$status:$out" '^1:.*"unreadable": \[.*"sched:' "in JSON by name"
like "$out" 'sched:sched_wakeup' "and by name"

# ---- dry runs: they print the writes, and do not make them ----
fake_tracefs
before=$(fake_state)
run "$KTRAIL" start --dry-run -B new -e sched:sched_switch -f 'prev_pid == 1' -C mono -b 8M --max-graph-depth 2
is "$status:$err" "0:" "start --dry-run works"
is "$(sed "s|$FAKE|T|" "$KT_TMP/out")" "mkdir T/instances/new
echo 0 > T/instances/new/tracing_on
echo mono > T/instances/new/trace_clock
echo 8192 > T/instances/new/buffer_size_kb
echo 'prev_pid == 1' > T/instances/new/events/sched/sched_switch/filter
echo 1 > T/instances/new/events/sched/sched_switch/enable
echo 2 > T/max_graph_depth
echo 1 > T/instances/new/tracing_on" "it prints lines of shell"
is "$(fake_state)" "$before" "and changes nothing"
[ ! -e "$FAKE/instances/new" ]
ok $? "nor makes an instance"
for words in 'clock set mono' 'cpumask set 0' 'tracer set function' 'buffer set 1M' \
	'functions add vfs_read' 'functions -n clear' 'instance create x' 'marker hello' 'error-log clear'; do
	run "$KTRAIL" $words --dry-run
	[ "$words" != 'marker hello' ] || run "$KTRAIL" marker --dry-run hello
	is "$status:$err:$(fake_state | grep -c .)" "0::$(grep -c . <<<"$before")" "$words --dry-run changes nothing"
done

# ---- instance, buffer, tracer, clock, cpumask, marker, functions, error-log ----
fake_tracefs
run "$KTRAIL" instance create one two
is "$status:$err" "0:" "instance create"
[ -d "$FAKE/instances/one" ] && [ -d "$FAKE/instances/two" ]
ok $? "makes them"
run "$KTRAIL" instance delete one
[ ! -e "$FAKE/instances/one" ]
ok $? "instance delete removes one"
refused 1 "exists already" instance create two
refused 1 "no instance 'three', did you mean .two|only: two" instance delete three
refused 1 "not a valid name for an instance" instance create a/b
refused 2 "is missing" instance create
refused 2 "did you mean 'create'" instance creat
run "$KTRAIL" instance create three
refused 2 "use --yes to confirm" instance delete 't*'
run "$KTRAIL" instance delete -y 't*'
is "$(ls "$FAKE/instances")" "" "instance delete -y removes the instances that a glob matches"
run "$KTRAIL" instance
is "$out" "no instances" "instance lists none"
fake_instance four
run "$KTRAIL" instance --json
is "$(json '@{$d->[0]}{"name", "entries", "tracing"}' "$KT_TMP/out")" '["four",6,true]' \
	"instance --json is JSON"

run "$KTRAIL" buffer set 2M
file buffer_size_kb 2048 "buffer set"
run "$KTRAIL" buffer set 64 -c 1 --subbuf-size 8 --percent 20
file per_cpu/cpu1/buffer_size_kb 64 "buffer set -c"
file buffer_subbuf_size_kb 8 "--subbuf-size"
file buffer_percent 20 "--percent"
run "$KTRAIL" buffer
golden control-buffer "$out"
put per_cpu/cpu1/trace_pipe 'an event'
run "$KTRAIL" buffer drain -c 1
is "$out" "an event" "buffer drain prints the present events"
run "$KTRAIL" buffer --json -c 0
is "$(json 'scalar @$d, $d->[0]{oldest_age_ns}' "$KT_TMP/out")" '[1,2500000000]' "buffer --json is JSON"
refused 1 "no CPU 9" buffer set 1M -c 9
refused 1 "no CPU 9" buffer -c 9
refused 2 "not a CPU number" buffer -c x
refused 2 "is not a size" buffer set much
refused 2 "is missing" buffer set
refused 2 "0 to 100" buffer set --percent 200
refused 1 "no such CPU" buffer drain -c 9

put synthetic_events ''
: >"$FAKE/dynamic_events"
run "$KTRAIL" synth add 'lat u64 delta; pid_t pid'
is "$status:$(get dynamic_events)" "0:s:lat u64 delta; pid_t pid" "synth add takes the kernel's spelling in one word" || note "$err"
put synthetic_events 'lat\tu64 delta; pid_t pid\nother\tu64 x'
run "$KTRAIL" synth list 'l*'
like "$out" '^EVENT +FIELDS.synthetic:lat +u64 delta; pid_t pid$' "synth list takes a pattern"
refused 1 "no synthetic event 'x\*'" synth list 'x*'
refused 1 "no synthetic event 'latt', did you mean 'lat'\?" synth del latt
refused 1 "no synthetic event 'xyzzy', only: lat other" synth list xyzzy
: >"$FAKE/dynamic_events"
run "$KTRAIL" synth del synthetic:lat
is "$status:$(get dynamic_events)" "0:-:synthetic/lat" "synth del takes the name as synth list prints it" || note "$err"
refused 2 "a name and fields" synth add lat2

run "$KTRAIL" tracer set function_graph depth=3 thresh=10
file current_tracer function_graph "tracer set"
file max_graph_depth 3 "with a parameter"
file tracing_thresh 10 "and another"
run "$KTRAIL" tracer
like "$out" 'function_graph: calls and returns.*depth +3 ' "tracer shows them"
like "$out" 'thresh +10 +only calls that take longer' "and says what they mean"
put max_graph_depth 0
run "$KTRAIL" tracer set function_graph max_graph_depth=3
file max_graph_depth 3 "a parameter goes by the name of its file as well"
refused 1 "no tracer 'functoin' in this kernel, did you mean 'function'" tracer show functoin
run "$KTRAIL" tracer list
like "$out" '\*  function_graph' "tracer list marks the present one"
run "$KTRAIL" tracer --json
is "$(json '$d->{tracer}, $d->{parameters}{depth}' "$KT_TMP/out")" '["function_graph","3"]' "tracer --json is JSON"
refused 1 "'function'\?" tracer set functoin
refused 1 "only: thresh, depth" tracer set function_graph nothing=1
refused 1 "no parameters" tracer set function x=1
refused 2 "NAME=VALUE" tracer set function_graph depth
refused 1 "is a result" tracer set wakeup max=5
refused 1 "no tracer 'timerlat' in this kernel" tracer set timerlat stop=100
refused 2 "is missing" tracer set
# The run time never exceeds the period: the order of the writes must keep it so.
put available_tracers 'osnoise hwlat nop'
put osnoise/period_us 1000000
put osnoise/runtime_us 900000
run "$KTRAIL" tracer set --dry-run osnoise period=20000 runtime=10000
is "$(sed "s|$FAKE/||" <<<"$out" | tr '\n' ,)" \
	"echo 10000 > osnoise/runtime_us,echo 20000 > osnoise/period_us,echo osnoise > current_tracer," "shorter ones"
run "$KTRAIL" tracer set --dry-run osnoise runtime=2000000 period_us=3000000
is "$(sed "s|$FAKE/||" <<<"$out" | tr '\n' ,)" \
	"echo 3000000 > osnoise/period_us,echo 2000000 > osnoise/runtime_us,echo osnoise > current_tracer," "longer ones"
put available_tracers 'timerlat wakeup irqsoff nop'
put osnoise/timerlat_period_us 1000
put tracing_max_latency 77
run "$KTRAIL" tracer set timerlat period=2000
file osnoise/timerlat_period_us 2000 "timerlat's period, as osnoise's is called"
put current_tracer wakeup
run "$KTRAIL" tracer show wakeup
like "$out" 'max +77 ' "the tracer that runs has a maximum"
run "$KTRAIL" tracer show irqsoff
unlike "$out" 'max +[0-9]' "another tracer does not have it"

run "$KTRAIL" clock set mono
file trace_clock mono "clock set"
run "$KTRAIL" clock
like "$out" '\*  mono +CLOCK_MONOTONIC' "clock explains"
refused 2 "is missing" clock set
put trace_clock '[local] global mono boot'
refused 1 "'mono'\?" clock set momo
run "$KTRAIL" cpumask set 0
file tracing_cpumask 1 "cpumask set"
run "$KTRAIL" cpumask set all
file tracing_cpumask 3 "cpumask set all"
run "$KTRAIL" cpumask
is "$out" "CPUs 0-1 (mask 3)" "cpumask shows a list"
refused 2 "x" cpumask set x
put trace_marker ''
run "$KTRAIL" marker the door
is "$(get trace_marker)" "the door" "marker writes its words"
printf 'a\n\nb\n' | "$KTRAIL" marker
is "$(get trace_marker)" "b" "or each line of its input"
put trace_marker_raw ''
run "$KTRAIL" marker --raw 7 xyz
is "$(od -An -tx1 "$FAKE/trace_marker_raw" | tr -d ' ')" "0700000078797a" "--raw puts the number first"
refused 2 "32-bit" marker --raw 0x1ffffffff x

run "$KTRAIL" functions add '^vfs_'
is "$status:$out" "0:^vfs_: 2 functions
set_ftrace_filter: 2 in all" "functions add says how many"
run "$KTRAIL" functions clear
file set_ftrace_filter "" "functions clear"
run "$KTRAIL" functions -n add schedule
like "$(get set_ftrace_notrace)" schedule "-n is another list"
run "$KTRAIL" functions -g --json
is "$(json '$d' "$KT_TMP/out")" '[{"set_graph_function":[]}]' "functions --json is JSON"
refused 1 "did you mean 'vfs_read'" functions add '^vfs_rea$'
refused 2 "exclude each other" functions -n -g
refused 2 "is missing" functions add
put error_log '[ 1.0] a: error: Bad\n  Command: x\n           ^'
run "$KTRAIL" error-log
like "$out" 'error: Bad' "error-log shows it"
run "$KTRAIL" error-log clear
file error_log "" "error-log clear"

# ---- after a kill ----
fake_tracefs
# The command removes its journal
{
	"$KTRAIL" start -e sched -b 8 sh -c '
		for _ in $(seq 600); do [ -n "$(ls "$KTRAIL_JOURNAL_DIR")" ] || break; sleep 0.1; done
		kill -9 $PPID'
	status=$?
} >/dev/null 2>&1
is "$status:$(get buffer_size_kb)" 137:8 "the settings of start stay"
run "$KTRAIL" restore-settings
is "$out" "nothing to restore" "restore-settings has nothing to do after start"
run "$KTRAIL" restore-settings -n
is "$out" "# nothing to restore" "… as a line of shell, too"
refused 2 "unexpected argument" restore-settings x

# A journal as after a kill: no process has this pid.
put tracing_on 0
printf 'pid 4194000 start 1 boot %s\ncommand a run\nput %s/tracing_on 1\n' \
	"$(cat /proc/sys/kernel/random/boot_id)" "$FAKE" >"$KTRAIL_JOURNAL_DIR/4194000.journal"
chmod 600 "$KTRAIL_JOURNAL_DIR/4194000.journal"
run "$KTRAIL" set -e irq
like "$err" 'pid 4194000.*restore-settings' "the next run says that something is left"
run "$KTRAIL" restore-settings -l
like "$out" "put $FAKE/tracing_on 1" "restore-settings -l lists it"
file tracing_on 0 "and changes nothing"
run "$KTRAIL" restore-settings
like "$out" 'restored 1 setting of pid 4194000: a run' "restore-settings restores it"
file tracing_on 1 "really"
run "$KTRAIL" set -e irq
is "$err" "" "then nothing is reported"

# journal TEXT…: as after a kill, with a pid that no process has
journal() {
	printf 'pid 4194000 start 1 boot %s\n' "$(cat /proc/sys/kernel/random/boot_id)" \
		>"$KTRAIL_JOURNAL_DIR/4194000.journal"
	printf "$@" >>"$KTRAIL_JOURNAL_DIR/4194000.journal"
	chmod 600 "$KTRAIL_JOURNAL_DIR/4194000.journal"
}

journal 'command a\033[2Jrun\nput %s/tracing_on 0\033[2J\nfoo \033[2J\n' "$FAKE"
for args in -l ""; do
	# shellcheck disable=SC2086
	run "$KTRAIL" restore-settings $args
	unlike "$out$err" $'\033' "restore-settings $args: control characters do not reach the terminal"
	like "$out$err" 'x1b\[2J' "restore-settings $args: … they are shown escaped"
done
run script -qec "$KTRAIL restore-settings -n" /dev/null
unlike "$out" $'\033\[2J' "restore-settings -n on a terminal: they are escaped, too"
rm "$KTRAIL_JOURNAL_DIR/4194000.journal"

: >"$KTRAIL_JOURNAL_DIR/4194000.journal"
: >"$KTRAIL_JOURNAL_DIR/$$.journal"
chmod 600 "$KTRAIL_JOURNAL_DIR"/*.journal
run "$KTRAIL" restore-settings
is "$out" "nothing to restore" "a journal without a line has nothing to restore"
is "$(ls "$KTRAIL_JOURNAL_DIR")" "$$.journal" "it is removed unless its process runs"
rm "$KTRAIL_JOURNAL_DIR/$$.journal"

journal 'command long\n'
yes "put $FAKE/tracing_cpumask ff" | head -300000 >>"$KTRAIL_JOURNAL_DIR/4194000.journal"
SECONDS=0
run timeout 60 "$KTRAIL" restore-settings -l
is "$(wc -l <<<"$out")" 300001 "300,000 lines of a journal are shown"
[ $SECONDS -lt 20 ]
ok $? "in a time linear in their number" || note "$SECONDS s"
rm "$KTRAIL_JOURNAL_DIR/4194000.journal"

mkdir "$KT_TMP/open"
chmod 777 "$KT_TMP/open"
for dir in "$KT_TMP/open" "$KT_TMP/missing/journals"; do
	run env KTRAIL_JOURNAL_DIR="$dir" "$KTRAIL" set -e irq
	is "$status" 0 "${dir##*/}: without a journal the command continues"
	like "$err" "cannot write a journal \\($dir" "${dir##*/}: with a warning"
done

# ---- started as trace-cmd ----
fake_tracefs
ln -s "$KTRAIL" "$KT_TMP/trace-cmd"
dropin() { run "$KT_TMP/trace-cmd" "$@"; }
fake_tracefs
fake_instance one
dropin stop -a
is "$status:$(get tracing_on):$(get instances/one/tracing_on)" "0:0:0" "trace-cmd stop -a applies to the top-level buffer, too"
dropin restart -a
is "$status:$(get tracing_on):$(get instances/one/tracing_on)" "0:1:1" "so is restart -a"
put trace_clock '[mono] local'
put tracing_on 0
dropin reset -a
is "$status:$(get tracing_on)" "0:1" "and reset -a"
put tracing_on 0
run "$KTRAIL" reset -y -a
is "$status:$(get tracing_on)" "0:0" "which ktrail reset -a does not change"
for words in '' help -h --version nonsense; do
	dropin $words
	is "$status:$(sed -n '1p;4p' "$KT_TMP/out")" "255:
usage:" "trace-cmd $words prints usage on stdout and exits 255"
done
like "$out" 'trace-cmd version [0-9]+\.[0-9]+' "with a version"
like "$out" '     start - ' "and the commands"
dropin start -h
is "$status" 255 "help of a command exits 255"
dropin start --nonsense
is "$status" 255 "misuse exits 255"
dropin start
is "$status:$(wc -l <"$KT_TMP/out"):$err" "255:0:  no event or plugin was specified... aborting" "an error in options has no usage text"
dropin start -p function
is "$status:$err" "0:  plugin 'function'" "-p is confirmed"
dropin list -c
like "$out" 'zstd, [0-9.]+.+zlib, [0-9.]+' "list -c has versions"
unlike "$out" none "and not those that are none"
put trace_clock '[local] mono x86-tsc'
KTRAIL_TRACEFS=/nowhere run "$KTRAIL" list -c
is "$status" 0 "lists that do not come from the kernel need no tracefs" || note "$err"
dropin list -C
is "$out" "[local] mono x86-tsc tsc2nsec" "list -C has the clock that trace-cmd derives from another"
dropin options
is "$(head -5 "$KT_TMP/out" | cut -c1-12)" "$(printf '  plugin:\tft\n  option:\tpa\n    desc:\tpr\n     set:\t0\n------------')" "options come in blocks"
dropin start -B x -e nothing_like_it
is "$status:$(sed -n 1p "$KT_TMP/err")" "2:trace-cmd: No such file or directory" "a failure exits with its errno"
like "$(sed -n 2p "$KT_TMP/err")" '^  .*nothing_like_it' "the message is on the second line, indented"
dropin start -e sched false
is "$status" 0 "the status of the command is dropped"
dropin list -e nothing_like_it
is "$status:$out" "0:" "a list without matches is silent"
for words in -F -R '-l -F'; do
	dropin list -t $words
	is "$out" "function_graph function nop" "list $words adds nothing without -e"
	dropin list $words
	like "$out" $'sched:sched_wakeup\n' "… and no details in the overview"
	unlike "$out" 'Available triggers|field:|none' "… nor details of any event"
done
dropin list -e sched_switch -R -l
is "$out" "sched:sched_switch
none" "of a filter and a trigger, the filter is shown"
run "$KTRAIL" list -e sched_switch -R -l
like "$out" 'none.*Available triggers' "ktrail shows both"
dropin list -o
is "$(sed s/^no// "$KT_TMP/out" | sort)" "$(ls "$FAKE/options" | sort)" "options come with their state"
dropin list -s
is "$(tail -1 "$KT_TMP/out")" "" "systems end with an empty line"
dropin list -t nothing_like_it
is "$status:$out" "0:function_graph function nop" "a word after -t is ignored"
dropin stat
unlike "$out" 'In use by' "stat has no more than trace-cmd's"

# ---- no tracefs ----
KTRAIL_TRACEFS=$KT_TMP/nowhere run "$KTRAIL" stat
is "$status" 1 "a missing tracefs is an error"
like "$err" "KTRAIL_TRACEFS: .*nowhere" "that names it"

# A probe of the kernel's command line, before the kernel has made its folder
fake_tracefs
put events/enable X
put set_event 'sched:sched_switch\nkprobes:early'
run "$KTRAIL" reset -y -t
is "$status:$err:$(get events/enable)" "0::0" "an event that has no files yet does not stop a reset"

done_testing
