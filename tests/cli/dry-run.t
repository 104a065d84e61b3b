#!/bin/bash
# dry-run.t - the output of --dry-run, pasted into a shell, does the same as the command
. tests/kt_test.sh
. tests/kt_fake.sh

# A session in all settings that these commands change
busy_tracefs() {
	fake_tracefs
	fake_instance one
	put instances/one/events/irq/irq_handler_entry/enable 1
	put instances/one/events/irq/enable 1
	put instances/one/events/enable 1
	put instances/one/trace 'a record'
	put tracing_on 0
	put current_tracer function
	put events/sched/sched_switch/enable 1
	put events/sched/enable X
	put events/enable X
	put events/sched/sched_switch/filter 'prev_pid > 3'
	put set_event_pid 77
	put options/stacktrace 1
	put max_graph_depth 5
	put trace_clock 'local [mono] boot'
	put trace 'a record'
	put trace_marker ''
	put trace_marker_raw ''
}

# pasted WORDS…: the command, and the output of its dry run, have the same effect
pasted() {
	local before by_command
	busy_tracefs
	before=$(fake_state)
	run "$KTRAIL" "$1" --dry-run "${@:2}"
	is "$status:$err" "0:" "$* --dry-run works"
	is "$(fake_state)" "$before" "… changes nothing"
	[ -n "$out" ]
	ok $? "… prints something"
	printf '%s\n' "$out" >"$KT_TMP/paste"
	run "$KTRAIL" "$@"
	is "$status" 0 "$* works"
	by_command=$(fake_state)
	busy_tracefs
	sh -e "$KT_TMP/paste"
	ok $? "the output can be pasted"
	is "$(fake_state)" "$by_command" "… and does the same"
}

pasted stop -t -B one
pasted restart
pasted clear
pasted clear -a
pasted reset
pasted reset -b 64 -B one -b 128
pasted start -p function_graph -g vfs_read -e sched -f 'prev_pid == 1' -b 64 -C mono -O nostacktrace
pasted set -e irq -v -e sched:sched_switch -P 1,2
pasted start -e sched -v -e sched:sched_wakeup
# a new instance begins with default settings, independent of those of the top-level buffer
busy_tracefs
put events/irq/enable 1
run "$KTRAIL" start --dry-run -B new -e irq -C mono
like "$out" "echo mono > $FAKE/instances/new/trace_clock" "the clock of a new instance is set"
like "$out" "echo 1 > $FAKE/instances/new/events/irq/enable" "and its events"

# text that the echo of some shells would change
pasted marker 'a\tb "c" $d'
pasted marker -- -n
pasted marker --raw 42 "100% 'x\n'"
pasted filter set sched_switch 'prev_pid == 7'

# a list of pids whose tasks have ended blocks all events, but reads as empty
busy_tracefs
: >"$FAKE/set_event_pid"
for words in 'reset' 'start -e irq' 'record -e irq'; do
	# shellcheck disable=SC2086
	run "$KTRAIL" ${words%% *} --dry-run ${words#"${words%% *}"}
	like "$out" "(^|.)> $FAKE/set_event_pid" "$words clears a list of pids that reads as empty"
	unlike "$out" "(notrace|ftrace)_pid" "and not the lists that are empty"
done
: >"$FAKE/set_ftrace_pid"
run "$KTRAIL" reset --dry-run
like "$out" "> $FAKE/set_ftrace_pid" "so is an empty set_ftrace_pid, which reads 'no pid' if there is no list"

busy_tracefs
put tracing_on 1
run "$KTRAIL" extract --dry-run -t -B one -o "$KT_TMP/e.dat"
is "$out" "echo 0 > $FAKE/tracing_on
echo 0 > $FAKE/instances/one/tracing_on" "extract would stop the buffers that it reads"
[ ! -e "$KT_TMP/e.dat" ]
ok $? "and writes no file"

# dynamic events have no files in the fake tracefs: their lines suffice
busy_tracefs
printf 'p:kprobes/mine vfs_read\ns:synthetic/lat u64 d\n' >"$FAKE/dynamic_events"
run "$KTRAIL" reset --dry-run
like "$out" "echo -:kprobes/mine >> $FAKE/dynamic_events" "probes are removed"
like "$out" "echo -:synthetic/lat >> $FAKE/dynamic_events" "synthetic events, too"
is "$(get dynamic_events)" $'p:kprobes/mine vfs_read\ns:synthetic/lat u64 d' "only in the output"
run "$KTRAIL" reset --dry-run -k kprobe
unlike "$out" "kprobes/mine" "but not those that -k keeps"
run "$KTRAIL" reset --dry-run -B one -d
is "$out" "rmdir $FAKE/instances/one" "an instance is deleted"
[ -d "$FAKE/instances/one" ]
ok $? "only in the output"

# a program writes its events as soon as they are enabled, so tracing is enabled before
busy_tracefs
for event in ticks ticks2; do
	put events/user_events/$event/enable 0
	put events/user_events/$event/filter none
	put events/user_events/$event/trigger '#'
done
put events/user_events/enable 0
put events/user_events/filter none
printf 'user_events:%s\n' ticks ticks2 >>"$FAKE/available_events"
run "$KTRAIL" start --dry-run -K -e irq -e user_events -v -e ticks2
is "$(sed "s|$FAKE/||; s|echo ||" "$KT_TMP/out" | tr '\n' ,)" \
	"1 > events/irq/enable,0 > events/user_events/ticks2/enable,1 > tracing_on,1 > events/user_events/enable,0 > events/user_events/ticks2/enable," \
	"start enables events of programs after tracing"
run "$KTRAIL" record --dry-run -K -e irq
is "$(sed "s|$FAKE/||; s|echo ||" "$KT_TMP/out" | tr '\n' ,)" "0 > tracing_on,1 > events/irq/enable,1 > tracing_on," \
	"a recording that keeps the settings does not record its own setup"
run "$KTRAIL" set --dry-run -e user_events:ticks
like "$out" "echo 1 > $FAKE/events/user_events/ticks/enable" "set enables it immediately: nothing follows"

# the kernel does not delete a buffer that is kept across reboots
put instances/one/last_boot_info '# Boot'
run "$KTRAIL" reset --dry-run -a -d
like "$err" "'one' keeps its buffer over reboots" "all instances are deleted except that one, with a message"
like "$out" "echo nop > $FAKE/instances/one/current_tracer" "it is reset"
unlike "$out" rmdir "and not removed"

# triggers generate synthetic events, so tracing these keeps the triggers
busy_tracefs
put events/sched/sched_switch/trigger 'hist:keys=next_pid:onmatch(sched.sched_waking).lat(next_pid) [active]'
put events/synthetic/lat/enable 0
put events/synthetic/enable 0
echo synthetic:lat >>"$FAKE/available_events"
run "$KTRAIL" start --dry-run -e irq
like "$out" '!hist:keys=next_pid' "start clears triggers"
run "$KTRAIL" start --dry-run -e lat
is "$status:$err" "0:" "start with a synthetic event works"
unlike "$out" 'hist:keys=next_pid' "the triggers that generate it stay"
like "$out" "echo 1 > $FAKE/events/synthetic/lat/enable" "it is traced"

# commands that record print only how they begin
for command in record stream "profile -S"; do
	# shellcheck disable=SC2086
	run "$KTRAIL" $command --dry-run -B work -e irq touch "$KT_TMP/ran"
	is "$status:$err" "0:" "$command --dry-run works"
	like "$out" "^mkdir $FAKE/instances/work" "it would make an instance"
	like "$out" "echo 1 > $FAKE/instances/work/events/irq/enable" "and trace into it"
	like "$out" "echo 1 > $FAKE/instances/work/tracing_on\$" "which begins after all settings"
	[ ! -e "$KT_TMP/ran" ] && [ ! -e "$FAKE/instances/work" ] && [ ! -e trace.dat ]
	ok $? "nothing ran, nothing was made"
done
for words in '--kallsyms some' '--compression lzma' '--file-version 5'; do
	# shellcheck disable=SC2086
	run "$KTRAIL" record --dry-run -B work -e irq $words
	is "$status:$out" "2:" "a dry run refuses '$words' like the recording"
done
run "$KTRAIL" record --dry-run -F -e irq true
like "$out" '^# -F: .*set_event_pid' "the process that does not exist yet is mentioned"
run sh -en <<<"$out"
is "$status" 0 "in a comment"

done_testing
