#!/bin/bash
# capture-crash.t - the recorder that outlives a crash, on a folder that looks like a tracefs
# tests/vm/crash.sh tests it on a real kernel.
. tests/kt_test.sh
. tests/kt_fake.sh
fake_tracefs
put sysctl/panic 0
crash() { run "$KTRAIL" capture crash "$@"; }

crash status
is "$status:$err" "0:" "a machine without recorder has a status"
like "$out" "instance +none keeps its buffer" "… that reports this"
like "$out" "after a panic the machine waits for a reset" "… and what a panic would do"
is "$("$KTRAIL" capture crash status --json | json '$d->{instance}, $d->{entries}, $d->{recording}, $d->{panic_s}')" \
	'[null,0,false,0]' "… as JSON too"
crash collect
is "$status" 1 "there is nothing to collect from"
like "$err" "no instance keeps its buffer over a crash: .*capture crash setup. prepares" "… and what to do"

crash setup
is "$status" 2 "events must be named"
like "$err" "-e is missing" "… is said"
crash setup -e sched collect
is "$status" 2 "one verb at a time"
crash collect --memory 4M
is "$status" 2 "--memory is for setup"
crash status -o x
is "$status" 2 "-o is for collect"

if command -v setarch >/dev/null && setarch "$(uname -m)" --uname-2.6 true 2>/dev/null; then
	run setarch "$(uname -m)" --uname-2.6 "$KTRAIL" capture crash setup -e sched
	is "$status" 1 "an old kernel is refused"
	like "$err" "Linux 2\.6\.[0-9.a-z_-]* loses its trace in a crash: .*Linux 6.12 and later" "… with the reason"
	is "$out" "" "… and no parameters"
fi

IFS=. read -r major minor _ < <(uname -r)
if [ "$major" -gt 6 ] || { [ "$major" = 6 ] && [ "${minor%%[!0-9]*}" -ge 12 ]; }; then
	line='reserve_mem=16M:2M:trace trace_instance=crash^traceoff@trace ktrail.events=sched,irq:irq_handler_entry'
	crash setup -e sched -e irq:irq_handler_entry --memory 16M
	is "$status:$(tail -1 "$KT_TMP/out")" "0:$line" "the parameters are printed"
	is "$(grep -c '^# [a-z]' "$KT_TMP/out"):$(grep -c '^#     .' "$KT_TMP/out")" "3:3" "… each with an explanation"
	like "$err" "Add this to the kernel's command line.*collect. at each boot.*panic=10" "… and what is left to do"
	crash setup -e sched,irq:irq_handler_entry --memory 16M --json
	is "$(json '$d->{cmdline}, scalar @{$d->{parameters}}' "$KT_TMP/out")" "[\"$line\",3]" "… as JSON"
	crash setup -e sched -q --dump-on-oops=cpu --name mine
	like "$out" "trace_instance=mine\^traceoff@trace ktrail.events=sched ftrace_dump_on_oops=mine=orig_cpu" "… and the output at a crash"
	is "$err" "" "… and nothing else with -q"
	crash setup -e shced
	is "$status" 0 "an event that this kernel lacks may be in the next one"
	like "$err" "shced" "… but is reported"
	crash setup -e 'sched;reboot'
	is "$status" 1 "a word that means something to a shell is refused"

	crash setup -e sched,irq:irq_handler_entry --memory 16M --write="$KT_TMP/ktrail.cfg" </dev/null
	[ "$status" = 2 ] && [ ! -e "$KT_TMP/ktrail.cfg" ]
	ok $? "it asks before it writes"
	crash setup -e sched,irq:irq_handler_entry --memory 16M --write="$KT_TMP/ktrail.cfg" -y
	is "$status" 0 "with -y it writes"
	is "$(GRUB_CMDLINE_LINUX=quiet && . "$KT_TMP/ktrail.cfg" && echo "$GRUB_CMDLINE_LINUX")" "quiet $line" "… the text that GRUB's shell adds to the command line"
	crash setup -e irq --write="$KT_TMP/ktrail.cfg" -y
	is "$status:$(grep -c 'events=irq"' "$KT_TMP/ktrail.cfg")" "0:1" "it replaces its own file"
	echo 'GRUB_TIMEOUT=1' >"$KT_TMP/other.cfg"
	crash setup -e irq --write="$KT_TMP/other.cfg" -y
	is "$status:$(cat "$KT_TMP/other.cfg")" "1:GRUB_TIMEOUT=1" "but no other one"
fi

# As a kernel leaves it after a boot without earlier events
fake_buffer instances/crash/
put instances/crash/last_boot_info '# Current'
put instances/crash/tracing_on 0
for cpu in 0 1; do
	put instances/crash/per_cpu/cpu$cpu/stats 'entries: 0\nbytes: 0\noldest event ts: 0.000000\nnow ts: 12.5'
done
crash status
like "$out" "events +0: .*capture crash collect. begins to record" "an empty buffer is not yet used"
put instances/crash/current_tracer function
crash collect -e sched:sched_switch,nosuch:event
is "$status" 0 "there is nothing to collect"
like "$out" "nothing to collect: .*'crash' records sched:sched_switch" "… which is said, and it begins"
like "$err" "nosuch:event is not recorded: " "… without features that this kernel lacks"
is "$(cat "$FAKE"/instances/crash/{events/sched/sched_switch/enable,tracing_on,current_tracer} | tr '\n' ' ')" "1 1 nop " "… with the events, and tracing on"
crash collect
like "$out" "has been recording in this boot" "a second time nothing is done"
put instances/crash/tracing_on 0
for cpu in 0 1; do
	put instances/crash/per_cpu/cpu$cpu/stats 'entries: 3\nbytes: 96\noldest event ts: 10.0\nnow ts: 12.5'
done
crash collect
like "$out" "has been stopped in this boot: .*extract -B crash" "events of this boot are left where they are"
is "$(get instances/crash/tracing_on)" 0 "… and stay"
put instances/crash/last_boot_info 'ffffffff8e400000\t[kernel]'
crash status
like "$out" "events +6 of an earlier boot, the first at 10.000000 s: .*collect. saves them" "those of an earlier boot are announced"
crash status --name top
is "$status" 1 "an instance that does not exist is an error"

done_testing
