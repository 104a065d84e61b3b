#!/bin/bash
# session.t - a saved state as the beginning of a session: start, set, record, and refusals half-way
. tests/kt_test.sh
. tests/kt_fake.sh

# the settings as a kernel would show them, except probes: plain files only grow
now() {
	fake_state | grep -v -e dynamic_events -e '/trace:' | sed 's/:none$/:0/; s/:\[local\].*/:local/'
}

file() { is "$(get "$1")" "$2" "$3"; }

cat >"$KT_TMP/disk.state" <<'TXT'
# a hand-written state
[machine]
max_graph_depth = 5
probe = p:kprobes/reads vfs_read

[buffer]
tracing_on = 0

[instance disk]
tracing_on = 1
trace_clock = mono
event = sched:sched_switch
filter = sched:sched_switch prev_pid > 3
set_event_pid = 7
TXT

# ---- start ----
fake_tracefs
fake_instance disk
put instances/disk/events/irq/irq_handler_entry/enable 1
put instances/disk/events/irq/enable X
put instances/disk/trace old
put trace old
run "$KTRAIL" start --session "$KT_TMP/disk.state"
is "$status:$out:$err" "0::" "start --session works"
file instances/disk/events/sched/sched_switch/enable 1 "an event is on"
file instances/disk/events/sched/sched_switch/filter 'prev_pid > 3' "with its filter"
file instances/disk/events/irq/irq_handler_entry/enable 0 "events that the session does not have are off"
file instances/disk/trace_clock mono "the clock is the session's"
file instances/disk/set_event_pid 7 "its pids"
file instances/disk/tracing_on 1 "and it traces"
file instances/disk/trace "" "the old trace is cleared"
file max_graph_depth 5 "a setting of the machine"
file dynamic_events "p:kprobes/reads vfs_read" "a probe"
file tracing_on 0 "a buffer in which the session does not trace gets its settings"
file trace old "with its trace"
is "$(ls "$KT_TMP/journals")" "" "no journal is left"

fake_tracefs
fake_instance disk
run "$KTRAIL" start --session "$KT_TMP/disk.state" -e irq -B disk -C boot
file instances/disk/trace_clock boot "options add to the session"
file instances/disk/events/sched/sched_switch/enable 1 "which stays"
file events/irq/enable 1 "and may apply to other buffers"
file tracing_on 1 "which trace, too"

# ---- set ----
fake_tracefs
fake_instance disk
put instances/disk/tracing_on 0
sed 's/^tracing_on = 1/tracing_on = 0/' "$KT_TMP/disk.state" >"$KT_TMP/off.state"
run "$KTRAIL" set --session "$KT_TMP/off.state"
is "$status:$err" "0:" "set --session works"
file instances/disk/tracing_on 0 "and switches tracing as in the session"
run "$KTRAIL" start --session - <"$KT_TMP/off.state"
file instances/disk/tracing_on 1 "start starts it in any case; '-' is stdin"

# Probes of others are not in the session, and stay; the kernel lists a synthetic event with a tab.
fake_tracefs
fake_instance disk
put dynamic_events 'p:kprobes/others vfs_write\ns:synthetic/lat\tu64 d; pid_t pid'
sed 's/^probe.*/probe = s:synthetic\/lat u64 d; pid_t pid/' "$KT_TMP/disk.state" >"$KT_TMP/synth.state"
run "$KTRAIL" start --session "$KT_TMP/synth.state"
is "$status:$err" "0:" "start --session beside other probes works"
file dynamic_events $'p:kprobes/others vfs_write\ns:synthetic/lat\tu64 d; pid_t pid' "which stay; existing ones are not created again"

# ---- --dry-run ----
fake_tracefs
before=$(fake_state)
run "$KTRAIL" start --session "$KT_TMP/disk.state" -B disk -b 64 --dry-run
is "$status:$err" "0:" "--dry-run works"
is "$(fake_state)" "$before" "and changes nothing"
first=$(head -1 <<<"$out") last=$(tail -1 <<<"$out")
like "$out" "mkdir [^ ]*/instances/disk" "it makes the instance"
like "$out" "echo 'p:kprobes/reads vfs_read' *>> *[^ ]*/dynamic_events" "it adds the probe"
like "$out" "echo 'prev_pid > 3' *> *[^ ]*/instances/disk/events/sched/sched_switch/filter" "filters"
like "$last" "echo 1 *> *[^ ]*/instances/disk/tracing_on" "and starts tracing last" || note "$first"

# ---- refused half-way ----
fake_tracefs
fake_instance disk
put instances/disk/events/irq/irq_handler_entry/enable 1
put instances/disk/events/irq/enable X
before=$(now)
{ cat "$KT_TMP/disk.state"; echo 'event = sched:sched_swich'; } >"$KT_TMP/bad.state"
run "$KTRAIL" start --session "$KT_TMP/bad.state"
is "$status" 1 "a session with an unknown event is refused"
like "$err" "sched_swich" "… with the place"
is "$(now)" "$before" "… and all settings are unchanged"
like "$(get dynamic_events)" "-:kprobes/reads" "… the probe, too"
fake_tracefs
fake_instance disk
before=$(now)
run "$KTRAIL" start --session "$KT_TMP/disk.state" -e nothing
is "$status" 1 "a refused option also undoes the session"
is "$(now)" "$before" "… completely"

fake_tracefs
printf '[bufer]\n' >"$KT_TMP/bad.state"
run "$KTRAIL" start --session "$KT_TMP/bad.state"
like "$status:$err" "^1:.*bad.state: state, line 1: no section '\[bufer\]'" "an error names file and line"
run "$KTRAIL" start --session "$KT_TMP/none.state"
like "$status:$err" "^1:.*cannot read .*none.state" "a missing file"
printf '[buffer]\ntracing_on = 1\n' >"$KT_TMP/idle.state"
run "$KTRAIL" start --session "$KT_TMP/idle.state"
like "$status:$err" "^2:.*nothing is traced: the session has no event" "a session that traces nothing is an error"
run "$KTRAIL" start --session "$KT_TMP/idle.state" --session "$KT_TMP/idle.state" -e irq
like "$status:$err" "^2:.*unexpected second --session" "two sessions are misuse"

# A tracer that runs while its functions are chosen traces all of them, so it is set after them.
fake_tracefs
printf '[buffer]\ncurrent_tracer = function\nset_ftrace_filter = vfs_read\n' >"$KT_TMP/order.state"
rm "$FAKE/set_ftrace_filter"
mkdir "$FAKE/set_ftrace_filter"		# cannot be written
before=$(stat -c %y "$FAKE/current_tracer")
run "$KTRAIL" state restore "$KT_TMP/order.state"
is "$status:$(stat -c %y "$FAKE/current_tracer")" "1:$before" "the tracer is not set before its functions are chosen"
rmdir "$FAKE/set_ftrace_filter"
put set_ftrace_filter vfs_write
run "$KTRAIL" state restore "$KT_TMP/order.state"
is "$status:$(get current_tracer):$(get set_ftrace_filter)" "0:function:vfs_read" "both are set" || note "$err"
put current_tracer function_graph
rm "$FAKE/set_ftrace_filter"
mkdir "$FAKE/set_ftrace_filter"
run "$KTRAIL" state restore "$KT_TMP/order.state"
is "$status:$(get current_tracer)" "1:function_graph" "a refusal restores the former tracer"
rmdir "$FAKE/set_ftrace_filter"

# Undoing a restore changes only what it changed: others may set up tracing meanwhile.
fake_tracefs
fake_instance mine
fake_instance theirs
run "$KTRAIL" state save -B mine "$KT_TMP/mine.state"
put instances/mine/trace_clock 'local [mono]'
run "$KTRAIL" state restore "$KT_TMP/mine.state"
put instances/theirs/tracing_cpumask 1
run "$KTRAIL" state restore --last
is "$status:$(get instances/mine/trace_clock):$(get instances/theirs/tracing_cpumask)" "0:mono:1" "--last undoes the restore, and no settings of others" || note "$err"

# The output of save: a file keeps its mode, a link its target, and a pipe is not replaced
chmod 600 "$KT_TMP/mine.state"
ln -s mine.state "$KT_TMP/link.state"
run "$KTRAIL" state save -B mine "$KT_TMP/link.state"
is "$status:$(stat -c %a "$KT_TMP/mine.state"):$(readlink "$KT_TMP/link.state")" "0:600:mine.state" "a file that is saved again keeps its mode, a link stays one"
mkfifo "$KT_TMP/pipe"
grep -c '^# ktrail state' "$KT_TMP/pipe" >"$KT_TMP/got" &
run timeout 60 "$KTRAIL" state save -B mine "$KT_TMP/pipe"
[ -p "$KT_TMP/pipe" ] && wait $!
is "$status:$(cat "$KT_TMP/got")" "0:1" "a pipe is written to, not replaced"
[ -w /dev/full ] && run "$KTRAIL" state save -B mine /dev/full && like "$err" 'No space left' "a state that cannot be written is reported"
is "$status" 1 "and a failure"

mkdir -m 700 "$KT_TMP/empty"
run env KTRAIL_JOURNAL_DIR="$KT_TMP/empty" "$KTRAIL" state restore --last
is "$status:$err" "1:ktrail state: nothing to undo: this user has not restored a state since boot" "before any restore there is nothing to undo"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	mkdir -m 700 "$KT_TMP/mine"
	chmod 755 "$KT_TMP"
	chown 65534 "$KT_TMP/mine"
	cp "$KTRAIL" "$KT_TMP/ktrail"	# other users may have no access to the build
	run setpriv --reuid=65534 --clear-groups env -u KTRAIL_JOURNAL_DIR XDG_RUNTIME_DIR="$KT_TMP/mine" "$KT_TMP/ktrail" state restore --last
	is "$status:$err" "1:ktrail state: nothing to undo: this user has not restored a state since boot" "nor from the folder of another user"
else
	skip "without root" "this needs root"
fi

# Others create and delete instances at any time.
fake_tracefs
fake_instance disk
ln -s /nowhere "$FAKE/instances/gone"
run "$KTRAIL" state show -a
is "$status:$err" "0:" "an instance that vanishes meanwhile is not listed"
like "$out" 'instance disk' "but the others are"

# ---- a kernel ----
live=/sys/kernel/tracing
if [ "$(id -u)" != 0 ] || [ ! -w $live/instances ]; then
	skip "record --session" "no tracefs here, or no permission"
	done_testing
fi
unset KTRAIL_TRACEFS
name=kt-session-$$
printf '[instance %s]\ntrace_clock = mono\nevent = sched:sched_switch\n' $name >"$KT_TMP/live.state"
run "$KTRAIL" record -q --session "$KT_TMP/live.state" -o "$KT_TMP/live.dat" sleep 0.2
is "$status" 0 "record --session works on a kernel" || note "$err"
run "$KTRAIL" report "$KT_TMP/live.dat"
like "$out" 'sched_switch' "the events of the session are in the file"
[ ! -e $live/instances/$name ]
ok $? "the instance is gone"
run "$KTRAIL" start --session "$KT_TMP/live.state"
is "$status:$err" "0:" "start --session works on a kernel"
"$KTRAIL" state save -B $name "$KT_TMP/after.state"
like "$(cat "$KT_TMP/after.state")" 'event = sched:sched_switch' "the event is on"
run "$KTRAIL" start --session "$KT_TMP/after.state"
is "$status:$err" "0:" "a state saved from a kernel can be started"
printf '[instance %s]\ntrace_clock = boot\nevent = sched:sched_switch\nfilter = sched:sched_switch no_such > 1\n' $name >"$KT_TMP/bad.state"
run "$KTRAIL" start --session "$KT_TMP/bad.state"
like "$status:$err" "^1:.*no_such" "a refusal of the kernel is reported"
"$KTRAIL" state save -B $name - | grep -v '^#' >"$KT_TMP/again.state"
grep -v '^#' "$KT_TMP/after.state" >"$KT_TMP/after.plain"
same "$KT_TMP/again.state" "$KT_TMP/after.plain" "and nothing of it is left"
"$KTRAIL" instance delete -y $name >/dev/null 2>&1 || rmdir $live/instances/$name
done_testing
