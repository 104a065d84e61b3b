# rv.sh - monitors of runtime verification: listed, switched with their reactors, put back
# shellcheck shell=bash disable=SC2154
. tests/proof.sh
[ -e $T/rv/available_monitors ] || { skip "rv" "not in this kernel"; done_testing; }
monitor() { ktrail rv list | grep "^$1 " | tr -s ' ' | cut -d' ' -f2,3; }

is "$(ktrail rv list | sed 1d | cut -d' ' -f1)" "$(cat $T/rv/available_monitors)" "all monitors are listed"
is "$(monitor wwnr)" "no nop" "off, and reacting with nothing"
like "$(ktrail rv list)" 'wakeup while not running' "with what they are about"
is "$(ktrail rv show --json | tr -d ' \n' | grep -o '{"monitor":"wip","enabled":false,"reactor":"nop"' | wc -l)" 1 "as JSON too"
k rv set -n -r printk wwnr
is "$out" "echo printk > $T/rv/monitors/wwnr/reactors
echo 1 > $T/rv/monitors/wwnr/enable" "a dry run shows the writes"
as_before "and does nothing"

works rv set -r printk wwnr
is "$(cat $T/rv/monitors/wwnr/enable) $(tr -d '\0' <$T/rv/enabled_monitors)" "1 wwnr" "one is switched on"
is "$(monitor wwnr)" "yes printk" "with its reactor"
# Whether a task is woken in this way is chance.
if until_true 30 sh -c 'sleep 0.01; dmesg | grep -q "rv: monitor wwnr"'; then
	ok 0 "which reacts"
else
	skip "which reacts" "no task gave it a reason"
fi
works rv add wip
is "$(tr -d '\0' <$T/rv/enabled_monitors | sort | tr '\n' ' ')" "wip wwnr " "another one beside it"
works record -q -o "$KT_TMP/rv.dat" -e rv sleep 0.2
like "$(ktrail report "$KT_TMP/rv.dat")" 'event_(wip|wwnr)' "what they see is recorded"
k rv set wwmr
like "$status:$err" "^1:.*did you mean 'wwnr'" "a misspelt monitor is answered with the nearest"
k rv set -r no_such wwnr
is "$status" 1 "a reactor that does not exist is refused"
is "$(monitor wwnr)" "yes printk" "and changes nothing"
works state save "$KT_TMP/state"
like "$(cat "$KT_TMP/state")" 'rv = wwnr printk' "a state has both"
works rv remove wip wwnr
k state restore "$KT_TMP/state"
is "$(tr -d '\0' <$T/rv/enabled_monitors | sort | tr '\n' ' ')$(monitor wwnr)" "wip wwnr yes printk" "and brings them back"
works rv remove wip wwnr
is "$(tr -d '\0' <$T/rv/enabled_monitors)" "" "both are switched off"
works rv set -r nop wwnr
works rv del wwnr
like "$(ktrail rv -h)" 'rv set -r printk' "its help has an example"
unchanged
done_testing
