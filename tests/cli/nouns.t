#!/bin/bash
# nouns.t - small commands about files of tracefs, on a tree that looks like one
. tests/kt_test.sh

tree=$KT_TMP/tracefs
mkdir -p "$tree"/{instances,rv/monitors/{wwnr,sched/sco}}
export KTRAIL_TRACEFS=$tree KTRAIL_JOURNAL_DIR=$KT_TMP/journal
mkdir -m 700 "$KTRAIL_JOURNAL_DIR"

run "$KTRAIL" error-log
is "$status" 1 "a kernel without error_log is an error"
like "$err" 'Linux 5.2' "that says since when"
printf '[ 1.0] event filter parse: error: Field not found\n  Command: x\e[31m == 3\n' >"$tree/error_log"
run "$KTRAIL" error-log
like "$out" 'Field not found' "errors are shown"
like "$out" 'x\\x1b\[31m' "harmless for a terminal"
run "$KTRAIL" error-log clear
is "$status:$(cat "$tree/error_log")" "0:" "and forgotten"
run "$KTRAIL" error-log
is "$out" "no errors" "which is said"

run "$KTRAIL" rv
like "$err" 'CONFIG_RV=y' "a kernel without rv names its configuration"
printf 'wwnr\nsched:sco\n' >"$tree/rv/available_monitors"
for m in wwnr sched/sco; do
	echo 0 >"$tree/rv/monitors/$m/enable"
	echo "[nop] printk panic" >"$tree/rv/monitors/$m/reactors"
	echo "monitor $m" >"$tree/rv/monitors/$m/desc"
done
run "$KTRAIL" rv list --json
like "$(tr -d ' \n' <"$KT_TMP/out")" '"monitor":"sched:sco","enabled":false,"reactor":"nop"' "monitors are listed"
run "$KTRAIL" rv set -n -r printk sched:sco
like "$out" 'echo 1 > .*/rv/monitors/sched/sco/enable' "a dry run shows the writes"
is "$(cat "$tree/rv/monitors/sched/sco/enable")" 0 "and does nothing"
run "$KTRAIL" rv set -r printk sched:sco
is "$status:$(cat "$tree/rv/monitors/sched/sco/"{enable,reactors})" "0:1
printk" "a monitor is switched on with its reactor"
run "$KTRAIL" rv remove sched:sco
is "$(cat "$tree/rv/monitors/sched/sco/enable")" 0 "and off"
run "$KTRAIL" rv set wwmr
like "$err" "did you mean 'wwnr'" "a typing mistake is answered"

echo sched:sched_switch >"$tree/available_events"
mkdir -p "$tree/events/sched/sched_switch"
run "$KTRAIL" filter
is "$out" "no filters" "a noun alone lists" || note "$err"
run "$KTRAIL" filter lits
is "$status" 2 "a wrong verb is misuse"
like "$err" "did you mean 'list'" "with the nearest"
done_testing
