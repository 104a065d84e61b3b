# rv.sh - monitors of runtime verification: listed, switched with their reactors, restored
# shellcheck shell=bash disable=SC2154
. tests/proof.sh
[ -e $T/rv/available_monitors ] || { skip "rv" "not in this kernel"; done_testing; }
monitor() { ktrail rv list | grep "^$1 " | tr -s ' ' | cut -d' ' -f2,3; }

is "$(ktrail rv list | sed 1d | cut -d' ' -f1)" "$(cat $T/rv/available_monitors)" "all monitors are listed"
is "$(monitor wwnr)" "no nop" "off, with the reactor nop"
like "$(ktrail rv list)" 'wakeup while not running' "with their descriptions"
is "$(ktrail rv show --json | tr -d ' \n' | grep -o '{"monitor":"wip","enabled":false,"reactor":"nop"' | wc -l)" 1 "as JSON too"
k rv set -n -r printk wwnr
is "$out" "echo printk > $T/rv/monitors/wwnr/reactors
echo 1 > $T/rv/monitors/wwnr/enable" "a dry run shows the writes"
as_before "and changes nothing"

works rv set -r printk wwnr
is "$(cat $T/rv/monitors/wwnr/enable) $(tr -d '\0' <$T/rv/enabled_monitors)" "1 wwnr" "one is switched on"
is "$(monitor wwnr)" "yes printk" "with its reactor"
# It depends on chance whether a task is woken in this way.
if until_true 30 sh -c 'sleep 0.01; dmesg | grep -q "rv: monitor wwnr"'; then
	ok 0 "which reacts"
else
	skip "which reacts" "no task violated the model"
fi
works rv add wip
is "$(tr -d '\0' <$T/rv/enabled_monitors | sort | tr '\n' ' ')" "wip wwnr " "also another one"
works record -q -o "$KT_TMP/rv.dat" -e rv sleep 0.2
like "$(ktrail report "$KT_TMP/rv.dat")" 'event_(wip|wwnr)' "their events are recorded"
k rv set wwmr
like "$status:$err" "^1:.*did you mean 'wwnr'" "for a misspelt monitor, one is suggested"
k rv set -r no_such wwnr
is "$status" 1 "a reactor that does not exist is refused"
is "$(monitor wwnr)" "yes printk" "and changes nothing"
works state save "$KT_TMP/state"
like "$(cat "$KT_TMP/state")" 'rv = wwnr printk' "a state has both"
works rv remove wip wwnr
k state restore "$KT_TMP/state"
is "$(tr -d '\0' <$T/rv/enabled_monitors | sort | tr '\n' ' ')$(monitor wwnr)" "wip wwnr yes printk" "and restores them"
works rv remove wip wwnr
is "$(tr -d '\0' <$T/rv/enabled_monitors)" "" "both are switched off"
is "$(monitor wwnr)" "no nop" "with the default reactor"
works rv del wwnr
like "$(ktrail rv -h)" 'rv set -r printk' "its help has an example"
unchanged
done_testing
