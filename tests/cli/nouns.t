#!/bin/bash
# nouns.t - small commands for files of tracefs, on a fake tree
. tests/kt_test.sh

tree=$KT_TMP/tracefs
mkdir -p "$tree"/{instances,rv/monitors/{wwnr,sched/sco}}
export KTRAIL_TRACEFS=$tree KTRAIL_JOURNAL_DIR=$KT_TMP/journal
mkdir -m 700 "$KTRAIL_JOURNAL_DIR"

run "$KTRAIL" error-log
is "$status" 1 "a kernel without error_log is an error"
like "$err" 'Linux 5.2' "that names the release with it"
printf '[ 1.0] event filter parse: error: Field not found\n  Command: x\e[31m == 3\n' >"$tree/error_log"
run "$KTRAIL" error-log
like "$out" 'Field not found' "errors are shown"
like "$out" 'x\\x1b\[31m' "escaped for a terminal"
printf '[  117.404295] hist:sched:sched_switch: error: Couldn'"'"'t find field\n  Command: hist:keys=nonsense\n                     ^\n[ 120.5] event filter parse error: error: Invalid value (did you forget quotes)?\n  Command: a == foo\n                ^\n' >"$tree/error_log"
run "$KTRAIL" error-log --json
is "$(tr -d ' \n' <"$KT_TMP/out")" '[{"time_us":117404295,"where":"hist:sched:sched_switch","error":"Couldn'"'"'tfindfield","command":"hist:keys=nonsense","place":10},{"time_us":120500000,"where":"eventfilterparseerror","error":"Invalidvalue(didyouforgetquotes)?","command":"a==foo","place":5}]' "errors as JSON"
run "$KTRAIL" error-log clear
is "$status:$(cat "$tree/error_log")" "0:" "and cleared"
run "$KTRAIL" error-log
is "$out" "no errors" "with a message"

run "$KTRAIL" restore-settings -l --json
is "$(tr -d ' \n' <<<"$out")" "[]" "nothing to restore, as JSON"
printf 'pid 4194000 start 1 boot %s\ncommand ktrail start\nput %s/tracing_on 1\nput %s/x 2\n' "$(cat /proc/sys/kernel/random/boot_id)" "$tree" "$tree" >"$KTRAIL_JOURNAL_DIR/4194000.journal"
chmod 600 "$KTRAIL_JOURNAL_DIR/4194000.journal"
run "$KTRAIL" restore-settings -l --json
is "$(tr -d ' \n' <<<"$out")" '[{"pid":4194000,"command":"ktrailstart","steps":["put'"$tree"'/x2","put'"$tree"'/tracing_on1"]}]' "the settings of a killed run, as JSON"
mkdir -p "$tree/instances/gone" "$tree/events/a/b"
printf 'put %s/events/a/b/trigger # none\\ntraceoff:3\nput /etc/passwd x\nappend %s/dynamic_events -:p/q\nrmdir %s/instances/gone\n' "$tree" "$tree" "$tree" >>"$KTRAIL_JOURNAL_DIR/4194000.journal"
run "$KTRAIL" restore-settings --dry-run
is "$status:$out" "0:# pid 4194000: ktrail start
rmdir $tree/instances/gone
echo -:p/q >> $tree/dynamic_events
# not about tracing: put /etc/passwd x
echo traceoff:3 >> $tree/events/a/b/trigger
echo 2 > $tree/x
echo 1 > $tree/tracing_on" "… as lines of shell, the last change first"
[ -d "$tree/instances/gone" ] && [ -e "$KTRAIL_JOURNAL_DIR/4194000.journal" ]
ok $? "… and nothing is restored"
rmdir "$tree/instances/gone"
rm "$KTRAIL_JOURNAL_DIR/4194000.journal"
run "$KTRAIL" restore-settings --json
is "$status" 2 "--json without -l is misuse"

mkdir -p "$tree/sysctl"
export KTRAIL_SYSCTL=$tree/sysctl
echo 1 >"$tree/sysctl/stack_tracer_enabled"
printf '        Depth    Size   Location    (2 entries)\n        -----    ----   --------\n  0)     2928     224   update_sd_lb_stats+0xbc/0x4ac\n  1)     2704     160   find_busiest_group+0x31/0x1f1\n' >"$tree/stack_trace"
run "$KTRAIL" stack --json
is "$(tr -d ' \n' <<<"$out")" '{"running":true,"frames":[{"depth":2928,"size":224,"place":"update_sd_lb_stats+0xbc/0x4ac"},{"depth":2704,"size":160,"place":"find_busiest_group+0x31/0x1f1"}]}' "the deepest stack as JSON"

run "$KTRAIL" rv
like "$err" 'CONFIG_RV=y' "a kernel without rv names its configuration"
printf 'wwnr\nsched:sco\n' >"$tree/rv/available_monitors"
for m in wwnr sched/sco; do
	echo 0 >"$tree/rv/monitors/$m/enable"
	echo "[nop] printk panic" >"$tree/rv/monitors/$m/reactors"
	printf 'monitor %s\n\n' "$m" >"$tree/rv/monitors/$m/desc"
done
run "$KTRAIL" rv list
like "$out" $'monitor wwnr\n' "a description is one line"
run "$KTRAIL" rv list --json
like "$(tr -d ' \n' <"$KT_TMP/out")" '"monitor":"sched:sco","enabled":false,"reactor":"nop"' "monitors are listed"
run "$KTRAIL" rv set -n -r printk sched:sco
like "$out" 'echo 1 > .*/rv/monitors/sched/sco/enable' "a dry run shows the writes"
is "$(cat "$tree/rv/monitors/sched/sco/enable")" 0 "and writes nothing"
run "$KTRAIL" rv set -r printk sched:sco
is "$status:$(cat "$tree/rv/monitors/sched/sco/"{enable,reactors})" "0:1
printk" "a monitor is switched on with its reactor"
run "$KTRAIL" state show
like "$out" 'rv = sched:sco printk' "a saved state has it"
echo 'nop [printk] panic' >"$tree/rv/monitors/sched/sco/reactors"
"$KTRAIL" state save "$KT_TMP/rv.state"
run "$KTRAIL" rv remove sched:sco
is "$(cat "$tree/rv/monitors/sched/sco/"{enable,reactors})" "0
nop" "a monitor that is switched off gets the default reactor again"
echo '[nop] printk panic' >"$tree/rv/monitors/sched/sco/reactors"
run "$KTRAIL" state restore "$KT_TMP/rv.state"
is "$status:$(cat "$tree/rv/monitors/sched/sco/"{enable,reactors})" "0:1
printk" "and restoring it switches it on"
sed -i '/^rv/d' "$KT_TMP/rv.state"
run "$KTRAIL" state restore "$KT_TMP/rv.state"
is "$status:$(cat "$tree/rv/monitors/sched/sco/"{enable,reactors})" "0:0
nop" "a state without it switches it off"
"$KTRAIL" rv set sched:sco
run "$KTRAIL" rv remove sched:sco
is "$(cat "$tree/rv/monitors/sched/sco/enable")" 0 "and off"
run "$KTRAIL" rv set wwmr
like "$err" "did you mean 'wwnr'" "a mistyped name gets a suggestion"

echo sched:sched_switch >"$tree/available_events"
mkdir -p "$tree/events/sched/sched_switch"
run "$KTRAIL" filter
is "$out" "no filters" "a noun alone lists" || note "$err"
run "$KTRAIL" filter lits
is "$status" 2 "a wrong verb is misuse"
like "$err" "did you mean 'list'" "with the nearest"
run "$KTRAIL" clock mono
like "$status:$err" "^2:.*no verb 'mono': list, set; perhaps 'set mono'\\?" "a value without the verb set is an error that suggests it"

# ---- dump-on-oops ----
mkdir -p "$tree/sysctl" "$tree/instances/disk"
export KTRAIL_SYSCTL=$tree/sysctl
oops() { cat "$tree/sysctl/ftrace_dump_on_oops"; }
run "$KTRAIL" dump-on-oops
like "$status:$err" "^1:.*ftrace_dump_on_oops: this kernel does not have it" "a kernel without it is an error"
echo 0 >"$tree/sysctl/ftrace_dump_on_oops"
run "$KTRAIL" dump-on-oops
is "$out" "an oops prints no trace" "0 is shown in words"
for set in cpu:2 all:1 orig_cpu:2 disk:disk 'all disk=cpu:1,disk=2' off:0; do
	# shellcheck disable=SC2086
	run "$KTRAIL" dump-on-oops set ${set%:*}
	is "$status:$(oops)" "0:${set##*:}" "set ${set%:*} writes ${set##*:}"
done
echo 1,disk=orig_cpu >"$tree/sysctl/ftrace_dump_on_oops"
run "$KTRAIL" dump-on-oops
is "$out" "an oops prints the top-level buffer: all CPUs
an oops prints the instance 'disk': the CPU it happens on" "buffers are shown"
run "$KTRAIL" dump-on-oops --json
like "$(tr -d ' \n' <"$KT_TMP/out")" '"buffers":\[\{"instance":"","cpus":"all"\},\{"instance":"disk","cpus":"oops"\}\]' "as JSON too"
run "$KTRAIL" dump-on-oops set dsk
like "$status:$err" "^1:.*did you mean 'disk'" "an unknown instance is refused, with a suggestion"
run "$KTRAIL" dump-on-oops set disk all
like "$status:$err" "^2:.*must come first" "the top-level buffer comes first"
run "$KTRAIL" dump-on-oops set disk=most
like "$status:$err" "^2:.*all or cpu" "a mode is all or cpu"
run "$KTRAIL" dump-on-oops set --dry-run cpu
like "$out" "^echo 2 > .*/sysctl/ftrace_dump_on_oops" "a dry run shows the write"
is "$(oops)" "1,disk=orig_cpu" "and nothing was written"
run "$KTRAIL" state save "$KT_TMP/oops.state"
like "$(cat "$KT_TMP/oops.state")" "sysctl/ftrace_dump_on_oops = 1,disk=orig_cpu" "a saved state has it"
run "$KTRAIL" dump-on-oops set off
run "$KTRAIL" state restore "$KT_TMP/oops.state"
is "$(oops)" "1,disk=orig_cpu" "and restores it"

# ---- user-events ----
run "$KTRAIL" user-events
like "$status:$err" "^1:.*CONFIG_USER_EVENTS=y" "a kernel without events of programs names its configuration"
printf 'test # Used by ftrace perf\n1:old\n\nActive: 2\nBusy: 1\nMax: 32768\n' >"$tree/user_events_status"
run "$KTRAIL" user-events
is "$(tr -s ' ' <<<"$out")" "EVENT USED BY
user_events:test ftrace perf
user_events:old -" "events of programs are listed"
run "$KTRAIL" user-events list --json
is "$(tr -d ' \n' <"$KT_TMP/out")" '[{"name":"test","used_by":["ftrace","perf"]},{"name":"old","used_by":[]}]' "as JSON too"
printf '\nActive: 0\nBusy: 0\n' >"$tree/user_events_status"
run "$KTRAIL" user-events
is "$out" "no program has registered an event" "a message if there are none"
: >"$tree/dynamic_events"
run "$KTRAIL" user-events add -n 'mine u32 count; u64 size'
is "$out" "echo 'u:mine u32 count; u64 size' >> $tree/dynamic_events" "one is defined before a program defines it"
is "$(cat "$tree/dynamic_events")" "" "not by a dry run"
run "$KTRAIL" user-events add user_events:mine u32 count
is "$status:$(cat "$tree/dynamic_events")" "0:u:mine u32 count" "by its listed name, in several words"
run "$KTRAIL" user-events del -n user_events:mine
is "$out" "echo '-:user_events/mine u32 count' >> $tree/dynamic_events" "and removed from its system only"
run "$KTRAIL" user-events del min
like "$status:$err" "^1:.*'min'" "one that does not exist is not removed"
run "$KTRAIL" user-events del
is "$status" 2 "one must be named"
done_testing
