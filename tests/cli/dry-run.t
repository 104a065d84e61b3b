#!/bin/bash
# dry-run.t - what --dry-run prints, pasted into a shell, does what the command does
. tests/kt_test.sh
. tests/kt_fake.sh

# A session in all that these commands change
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

# pasted WORDS…: as it is, as it is printed, the same
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
	ok $? "what was printed can be pasted"
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
# a new instance begins with its own settings, whatever those of the top buffer are
busy_tracefs
put events/irq/enable 1
run "$KTRAIL" start --dry-run -B new -e irq -C mono
like "$out" "echo mono > $FAKE/instances/new/trace_clock" "a new instance is told its clock"
like "$out" "echo 1 > $FAKE/instances/new/events/irq/enable" "and its events"

# what the echo of some shells would make something else of
pasted marker 'a\tb "c" $d'
pasted marker -- -n
pasted marker --raw 42 "100% 'x\n'"
pasted filter set sched_switch 'prev_pid == 7'

# a list of pids whose tasks have ended lets nothing through, and reads as none
busy_tracefs
: >"$FAKE/set_event_pid"
for words in 'reset' 'start -e irq' 'record -e irq'; do
	# shellcheck disable=SC2086
	run "$KTRAIL" ${words%% *} --dry-run ${words#"${words%% *}"}
	like "$out" "(^|.)> $FAKE/set_event_pid" "$words clears a list of pids that reads as none"
	unlike "$out" "(notrace|ftrace)_pid" "and not those that are none"
done
: >"$FAKE/set_ftrace_pid"
run "$KTRAIL" reset --dry-run
like "$out" "> $FAKE/set_ftrace_pid" "that of functions says when there is none"

busy_tracefs
put tracing_on 1
run "$KTRAIL" extract --dry-run -t -B one -o "$KT_TMP/e.dat"
is "$out" "echo 0 > $FAKE/tracing_on
echo 0 > $FAKE/instances/one/tracing_on" "extract would stop what it reads"
[ ! -e "$KT_TMP/e.dat" ]
ok $? "and writes no file"

# dynamic events have no files in a fake: their lines are enough
busy_tracefs
printf 'p:kprobes/mine vfs_read\ns:synthetic/lat u64 d\n' >"$FAKE/dynamic_events"
run "$KTRAIL" reset --dry-run
like "$out" "echo -:kprobes/mine >> $FAKE/dynamic_events" "probes are removed"
like "$out" "echo -:synthetic/lat >> $FAKE/dynamic_events" "synthetic events, too"
is "$(get dynamic_events)" $'p:kprobes/mine vfs_read\ns:synthetic/lat u64 d' "in print only"
run "$KTRAIL" reset --dry-run -k kprobe
unlike "$out" "kprobes/mine" "but not what -k keeps"
run "$KTRAIL" reset --dry-run -B one -d
is "$out" "rmdir $FAKE/instances/one" "an instance is deleted"
[ -d "$FAKE/instances/one" ]
ok $? "in print only"

# a program writes its events once they are on, so tracing is on before
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
	"start enables events of programs when tracing is on"
run "$KTRAIL" record --dry-run -K -e irq
is "$(sed "s|$FAKE/||; s|echo ||" "$KT_TMP/out" | tr '\n' ,)" "0 > tracing_on,1 > events/irq/enable,1 > tracing_on," \
	"a recording that keeps what is set does not record how it is set up"
run "$KTRAIL" set --dry-run -e user_events:ticks
like "$out" "echo 1 > $FAKE/events/user_events/ticks/enable" "set at once: nothing comes behind it"

# the kernel does not let go of a buffer that outlives a reboot
put instances/one/last_boot_info '# Boot'
run "$KTRAIL" reset --dry-run -a -d
like "$err" "'one' keeps its buffer over reboots and stays" "all instances go but that one, which is said"
like "$out" "echo nop > $FAKE/instances/one/current_tracer" "it is reset"
unlike "$out" rmdir "and not removed"

# triggers make synthetic events: who asks for those keeps the triggers
busy_tracefs
put events/sched/sched_switch/trigger 'hist:keys=next_pid:onmatch(sched.sched_waking).lat(next_pid) [active]'
put events/synthetic/lat/enable 0
put events/synthetic/enable 0
echo synthetic:lat >>"$FAKE/available_events"
run "$KTRAIL" start --dry-run -e irq
like "$out" '!hist:keys=next_pid' "start clears triggers"
run "$KTRAIL" start --dry-run -e lat
is "$status:$err" "0:" "start with a synthetic event works"
unlike "$out" 'hist:keys=next_pid' "those that make it stay"
like "$out" "echo 1 > $FAKE/events/synthetic/lat/enable" "it is traced"

# what records prints its beginning, and does nothing
for command in record stream "profile -S"; do
	# shellcheck disable=SC2086
	run "$KTRAIL" $command --dry-run -B work -e irq touch "$KT_TMP/ran"
	is "$status:$err" "0:" "$command --dry-run works"
	like "$out" "^mkdir $FAKE/instances/work" "it would make an instance"
	like "$out" "echo 1 > $FAKE/instances/work/events/irq/enable" "and trace into it"
	like "$out" "echo 1 > $FAKE/instances/work/tracing_on\$" "which begins at last"
	[ ! -e "$KT_TMP/ran" ] && [ ! -e "$FAKE/instances/work" ] && [ ! -e trace.dat ]
	ok $? "nothing ran, nothing was made"
done
for words in '--kallsyms some' '--compression lzma' '--file-version 5'; do
	# shellcheck disable=SC2086
	run "$KTRAIL" record --dry-run -B work -e irq $words
	is "$status:$out" "2:" "a dry run finds '$words' as wrong as the recording would"
done
run "$KTRAIL" record --dry-run -F -e irq true
like "$out" '^# -F: .*set_event_pid' "the process that is not there yet is spoken of"
run sh -en <<<"$out"
is "$status" 0 "in a comment"

done_testing
