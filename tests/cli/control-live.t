#!/bin/bash
# control-live.t - control commands on the kernel of this machine, in their own instance
. tests/kt_test.sh

T=/sys/kernel/tracing
[ "$(id -u)" = 0 ] || skip_all "only root may trace"
[ -w $T/instances ] || skip_all "no tracefs with instances"
export KTRAIL_JOURNAL_DIR=$KT_TMP/journals
name=ktrail-test-$$
run "$KTRAIL" instance create "$name"
[ "$status" = 0 ] || skip_all "instances cannot be created here: $err"
# Not in the subshells of kt_kills.sh, which a signal may kill before they have reset the trap
trap '[ $BASHPID != $$ ] || rmdir "$T/instances/$name" "$T/instances/$name-new" 2>/dev/null' EXIT
"$KTRAIL" start -B "$name" -e sched:sched_switch true
"$KTRAIL" reset -B "$name"

# The settings of the instance, now and after each part. A buffer grows at its first use.
tests/cli/settings-snapshot "$T/instances/$name" >"$KT_TMP/before"
as_before() {
	tests/cli/settings-snapshot "$T/instances/$name" >"$KT_TMP/after"
	same "$KT_TMP/after" "$KT_TMP/before" "the instance is as it was after $1"
}

[ "$(wc -l <"$KT_TMP/before")" -gt 100 ]
ok $? "the comparison looks at many settings"

run "$KTRAIL" start -B "$name" -e sched -v -e 'sched:*stat*' -v -e irq -C mono -b 100 -O nooverwrite -M 1 -P 1
is "$status:$err" "0:" "start"
like "$(cat $T/instances/$name/set_event)" 'sched:sched_switch' "an event is on"
unlike "$(cat $T/instances/$name/set_event)" 'stat|irq' "events after -v are not"
run "$KTRAIL" stat -B "$name" --json
is "$(json '@{$d->{buffers}[0]}{"clock", "cpumask", "event_pids"}' "$KT_TMP/out")" '["mono","1",["1"]]' "stat shows it"
run "$KTRAIL" set -B "$name" -O overwrite
run "$KTRAIL" reset -B "$name" -b "$(sed -n 's/^\.\/buffer_size_kb://p' "$KT_TMP/before")"
is "$status:$err" "0:" "reset"
as_before "start, set and reset"

run "$KTRAIL" start -B "$name" -e sched:sched_switch -f 'prev_pix == 1' -b 64
is "$status" 1 "a wrong filter is refused"
like "$err" "no field 'prev_pix', did you mean 'prev_pid'" "with the nearest name"
run "$KTRAIL" start -B "$name" -e sched:sched_switch -f 'prev_pid.function == 0' -b 64
is "$status" 1 "also one that only the kernel can refuse"
like "$err" 'Illegal operation.*prev_pid.function == 0' "with the kernel's reason and the place"
as_before "a refused filter"
run "$KTRAIL" start -B "$name" -e sched -R nonsense
is "$status" 1 "a wrong trigger is refused"
as_before "a refused trigger"
run "$KTRAIL" start -B "$name-new" -e sched -e nothing_like_it
[ ! -e "$T/instances/$name-new" ]
ok $? "an instance that was created for a refused command is removed"

run "$KTRAIL" start -B "$name" -e sched -R traceoff:3 -R 'stacktrace:1 if prev_pid == 99999' -e sched:sched_wakeup -f 'pid == 1'
run "$KTRAIL" reset -B "$name"
as_before "filters and triggers"

# The dry run of record -k shows the settings that it leaves
recording=(record -B "$name" -k -e sched:sched_switch -C mono -b 64)
run "$KTRAIL" "${recording[@]}" --dry-run
printf '%s\n' "$out" >"$KT_TMP/paste"
run "$KTRAIL" "${recording[@]}" -q -o "$KT_TMP/kept.dat" true
is "$status" 0 "record -k"
tests/cli/settings-snapshot "$T/instances/$name" >"$KT_TMP/kept"
like "$(cat $T/instances/$name/tracing_on)" 0 "tracing is off then"
run "$KTRAIL" reset -B "$name"
sh -e "$KT_TMP/paste"
tests/cli/settings-snapshot "$T/instances/$name" >"$KT_TMP/pasted"
same "$KT_TMP/pasted" "$KT_TMP/kept" "the output of its dry run leaves the same settings"
run "$KTRAIL" reset -B "$name" -b "$(sed -n 's/^\.\/buffer_size_kb://p' "$KT_TMP/before")"
as_before "record -k"

run "$KTRAIL" marker -B "$name" "hello from $name"
run "$KTRAIL" show -B "$name"
like "$out" "hello from $name" "a marker is in the trace"
run "$KTRAIL" buffer -B "$name"
like "$out" 'CPU .*EVENTS' "the buffer is shown"
run "$KTRAIL" buffer drain -B "$name"
like "$out" "hello from $name" "drain prints it"
run "$KTRAIL" buffer drain -B "$name"
unlike "$out" "hello" "and removes it"

# ---- killed at random moments: settings are restored by the command or from the journal ----
. tests/kt_kills.sh
"$KTRAIL" reset -B "$name"
"$KTRAIL" start -B "$name" -e sched:sched_switch -f 'prev_pid != 1' -R 'stacktrace:7 if prev_prio < 0' \
	-R 'traceoff:3 if prev_prio < 0' -e irq:irq_handler_entry -C mono -O stacktrace -b 300
"$KTRAIL" state save -B "$name" "$KT_TMP/state"
settings() {
	tests/cli/settings-snapshot "$T/instances/$name"
	[ ! -e "$T/instances/$name-new" ] || echo "$name-new"
}
back() {
	"$KTRAIL" state restore "$KT_TMP/state" >/dev/null
	rmdir "$T/instances/$name-new" 2>/dev/null
}
commands=(
	"record -q --kallsyms=none -o $KT_TMP/t.dat -B $name -e sched:sched_wakeup -e irq:irq_handler_entry -f irq!=1 -C boot -b 200 -T sleep 0.1"
	"start -B $name -e sched:sched_wakeup -v -e irq -C boot -b 200 -O nooverwrite -M 1"
	"start -B $name-new -e sched:sched_wakeup -C boot"
	"set -B $name -e oom:mark_victim -R stacktrace:9 -C global"
	"stream -B $name -e timer:timer_start -C boot sleep 0.1"
	"profile -B $name -S -e sched:sched_switch sleep 0.1"
	"extract -q -B $name -o $KT_TMP/e.dat"
	"reset -B $name"
	"trigger remove -B $name all"
	"filter set -B $name sched prev_pid==3"
)
# A trigger that fires counts down in its file, which would be another setting: these do not.
kills_begin
kills "${KT_KILLS:-20}"
"$KTRAIL" reset -B "$name"

run "$KTRAIL" check-events
is "$status" 0 "all event formats of this kernel can be read"
run "$KTRAIL" list -e '^sched:sched_switch$' -F
like "$out" 'field:' "an event's fields"
run "$KTRAIL" instance delete "$name"
is "$status" 0 "the instance is deleted"
done_testing
