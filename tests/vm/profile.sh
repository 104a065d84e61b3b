# profile.sh - the kernel's function profiler counts calls, and its settings are restored
# shellcheck shell=bash disable=SC2154
. tests/proof.sh
[ -e $T/function_profile_enabled ] || { skip "function profiler" "not in this kernel"; done_testing; }
hits() { sed -n "s/^$1  *\([0-9]*\) .*/\1/p" "$KT_TMP/out"; }
reads() { dd if=/dev/zero of=/dev/null bs=1 count=1000 2>/dev/null; }
export -f reads

k profile --functions -l 'vfs_read' -l 'vfs_write' bash -c reads
is "$status:$err" "0:" "functions are profiled while a command runs"
[ "$(hits vfs_read)" -ge 1000 ] && [ "$(hits vfs_read)" -lt 1500 ] && [ "$(hits vfs_write)" -ge 1000 ]
ok $? "each call is counted" || note "$out"
like "$out" 'FUNCTION +HITS +TOTAL us' "with times"
is "$(sed 1d "$KT_TMP/out" | grep -vcE '^vfs_(read|write) ')" 0 "and no other function"
as_before "the former settings are restored"
ktrail profile --functions --json -l vfs_read bash -c reads >"$KT_TMP/json"
like "$(tr -d ' \n' <"$KT_TMP/json")" '^\[\{"function":"vfs_read","hits":1[0-9]{3},"total_ns":[0-9]+,"avg_ns":[0-9]+,"stddev_ns":[0-9]+\}\]$' "as JSON too"
k profile --functions --sort name -l 'vfs_*' bash -c reads
is "$(sed 1d "$KT_TMP/out" | cut -d' ' -f1)" "$(sed 1d "$KT_TMP/out" | cut -d' ' -f1 | LC_ALL=C sort)" "sorted by name"
k profile --functions --sort hits --top 2 -l 'vfs_*' bash -c reads
is "$(sed 1d "$KT_TMP/out" | wc -l)" 2 "the first two only"
k profile --functions --sort avg -n vfs_read -l 'vfs_*' bash -c reads
unlike "$out" 'vfs_read ' "one function is excluded"
k profile --functions --duration 500ms -l schedule
like "$out" 'schedule +[1-9]' "for a time, without a command"
k profile --functions -l vfs_raed true
like "$status:$err" "^1:.*did you mean 'vfs_read'" "an unknown function is refused"
k profile --functions -e sched true
is "$status" 2 "events are misuse"
as_before

# Functions that another user has chosen
echo vfs_write >$T/set_ftrace_filter
settings >"$KT_TMP/mine"
k profile --functions -l vfs_read bash -c reads
settings >"$KT_TMP/after"
same "$KT_TMP/after" "$KT_TMP/mine" "the functions of another user are restored"
k profile --functions bash -c reads
is "$(sed 1d "$KT_TMP/out" | cut -d' ' -f1)" "vfs_write" "and are profiled if none is named"
ktrail profile --functions -l vfs_read sleep 30 >/dev/null 2>&1 &
until_true 20 grep -q 1 $T/function_profile_enabled
kill -9 $!
wait $! 2>/dev/null
works_after=$(ktrail restore-settings >/dev/null 2>&1; echo $?)
settings >"$KT_TMP/after"
same "$KT_TMP/after" "$KT_TMP/mine" "after a kill, restore-settings restores all ($works_after)"
echo >$T/set_ftrace_filter
unchanged
done_testing
