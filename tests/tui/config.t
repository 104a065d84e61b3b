#!/bin/bash
# config.t - a user's keys and colours, completion, searches in the help
. tests/kt_test.sh
export XDG_CACHE_HOME=$KT_TMP/cache XDG_CONFIG_HOME=$KT_TMP/config XDG_STATE_HOME=$KT_TMP/state KTRAIL_PLUGIN_DIR=$PWD/$B/plugins
unset COLORFGBG NO_COLOR
data=tests/data/6.12-fgraph.dat conf=$KT_TMP/config/ktrail/view.conf
mkdir -p "$KT_TMP/config/ktrail"

view() { run timeout 60 "$KTRAIL" view --print events --size "${size:-100x20}" "$@"; [ "$status" = 0 ] || note "$err"; }
shows() { like "$(cat "$KT_TMP/out")" "$1" "$2"; }
hides() { unlike "$(cat "$KT_TMP/out")" "$1" "$2"; }

cat >"$conf" <<'CONF'
# mine
map x filter sched_switch
map Ctrl-N down
unmap q
color lost #d55e00 bold
color time 21
CONF
view --keys x $data
shows 'only sched_switch' "a key runs a command of the user"
view --keys '<Ctrl-N><Ctrl-N>' $data
shows 'event 3 of' "also one with Ctrl"
view --keys q $data
shows 'q does nothing here' "a key can be unbound"
view --keys ':help filter sched<Enter>' $data
shows 'your own keys' "help has the user's keys"
shows 'x +:filter sched_switch' "and their commands"
view --color $data
shows '38;5;21m' "a colour of the user"

echo 'colors truecolor' >>"$conf"
view --color $data
shows '38;2;0;0;255m' "the same one with true colour"
echo 'colors 8' >>"$conf"
view --color $data
hides '38;[25];' "with eight colours, no others are used"
echo 'colors 7' >"$conf"
view $data
shows "view.conf:1: '7': none, 8, 16, 256 or truecolor" "a wrong line is reported, and the viewer continues"
printf 'mouse on\n\nmap Hyper-X down\nmap j fly\ncolor sky blue\ncolor lost mauve\nwhat else\nmouse maybe\nbackground pink\nmap k up\n' >"$conf"
view --keys '' $data
shows "view.conf:3: 'Hyper-X' is not the name of a key \(and 6 more\)" "the first of several errors, and their number"
view --keys 'jk' $data
shows 'event 1 of' "correct lines are used"
echo 'columns cpu:6 prev_comm info' >"$conf"
view $data
shows ' +CPU prev_comm +INFO' "the user's columns"
echo 'columns cpu:6 cpu' >"$conf"
view $data
shows "view.conf:1: 'cpu' is there twice" "a column cannot be given twice"
rm "$conf"

for background in dark light; do
	view --color --background $background $data
	cp "$KT_TMP/out" "$KT_TMP/$background"
done
ok "$(cmp -s "$KT_TMP/dark" "$KT_TMP/light"; echo $((1 - $?)))" "a light background has other colours"
hides ';7;3' "the selected row is one bar, without colours of its columns"
COLORFGBG='0;default;15' view --color $data
same "$KT_TMP/out" "$KT_TMP/light" "COLORFGBG sets the background"
run "$KTRAIL" view --background pink $data
is "$status" 2 "an unknown background"

view --keys ':fil<Tab>' $data
golden tui/complete-command.screen "$(sed 1d "$KT_TMP/out")"
view --keys ':unm<Tab> x<Enter>' $data
shows "no mark 'x'" "an unambiguous part is completed"
view --keys ':split ti<Tab><Enter>' $data
shows '3 timeline ─' "views are completed"
view --keys 'mlate<Enter>G'"'l<Tab><Enter>l" $data
shows 'event 1 of' "so are marks"
view --keys 'fsched_sw<Tab>: prev_pid == 0<Enter>' $data
shows 'only sched_switch: prev_pid == 0' "and events in filters"
view --keys 'fsched_switch: prev_c<Tab> == rcu_p<Tab> &<Tab> prev_<Tab>' $data
shows 'prev_comm +prev_pid +prev_prio +prev_state' "fields of these events"
shows 'only: sched_switch: prev_comm == rcu_preempt && prev_' "tasks, and operators between comparisons"
view --keys 'fprev_pid <Tab>' $data
shows '!= +& +< ' "and comparison operators"
view --keys 'fip == vfs_re<Tab> || CPU <Tab>' tests/data/6.12-function.dat
shows 'only: ip == vfs_read \|\| CPU' "functions, too"
view --keys ':columns time prev_s<Tab><Enter>' $data
shows 'TIME prev_state' "and columns"
view --keys ":write $KT_TMP/conf<Tab>" $data
shows "write $KT_TMP/config/" "and files"
view --keys '?/mark<Enter>' $data
golden tui/help-search.screen "$(sed 1d "$KT_TMP/out")"
view --keys ':help zebra<Enter>' $data
shows "nothing here is about 'zebra'" "help without a match"
done_testing
