# view.sh - the live viewer: functions are searched, listed and traced, and all settings restored
# shellcheck shell=bash disable=SC2154
. tests/proof.sh

# shot KEYS [OPTION…]: the control view after those keys
shot() { run ktrail view --live --print control --size 120x40 --keys "$1" "${@:2}"; }

shot '/vfs read<Enter>'
like "$out" 'vfs_read +function' "a function is found by some letters"
shot '/vfs_read<Enter><Space><Esc>'
like "$out" '\[x\] vfs_read' "and listed"
like "$out" 'echo vfs_read >> set_ftrace_filter' "with its write"
as_before "which is undone"
shot '/vfs_read<Enter><Space><Esc>:functions vfs_write<Enter>g'
like "$out" '2 in set_ftrace_filter' "a second one by a pattern"
shot '/vfs_read<Enter><Space><Esc>gj<Enter>/function_graph<Enter><Space><Esc>'
like "$out" '\(\*\) function_graph' "a tracer is chosen while the buffer is recorded"
unlike "$out" 'refused' "which the kernel accepts, since the recording pauses"
as_before "and undone"

# Find a function among all, and trace it alone with function_graph: the tree fills.
while :; do cat /proc/version >/dev/null; done &
load=$!
shot 'Gk/vfs read<Enter><Space><Esc>gj<Enter>/function_graph<Enter><Space><Esc>2Svfs_read<Enter>'
kill $load
like "$(cat "$KT_TMP/out")" 'CALL.*[▾▸] vfs_read' "calls of a function that was found fill the tree"
unlike "$(cat "$KT_TMP/out")" 'ksys_|do_sys' "and no others"
as_before "all is undone"

shot '/sched_switch<Enter>fprev_prio < 100<Enter>tstacktrace:3<Enter>'
like "$out" 'if prev_prio < 100; stacktrace' "a filter and a trigger"
as_before "are undone"
shot '/sched_switch<Enter>fprev_pri < 100<Enter>'
like "$out" "refused: .*did you mean 'prev_prio'" "an invalid filter is refused"
shot '/mono_raw<Enter><Space><Esc>'
like "$out" 'clock +mono_raw' "a clock"
as_before "and back"

# Arguments, if the kernel records them
for pair in function:func-args function_graph:funcgraph-args; do
	[ -e "$T/options/${pair#*:}" ] || continue
	works record -q -o "$KT_TMP/args.dat" -p "${pair%:*}" -O "${pair#*:}" -l do_sys_openat2 cat /proc/version
	run ktrail view --print graph --size 120x40 --keys '/openat2<Enter>' "$KT_TMP/args.dat"
	like "$out" 'do_sys_openat2\(dfd=' "${pair%:*}: the view of calls has arguments"
done

# Events that are already in the buffer are shown
works start -p function_graph -g vfs_read -l vfs_read -l rw_verify_area cat /proc/version
works stop
run ktrail view --live --print events --size 120x40
like "$out" 'vfs_read' "calls of a trace in the kernel's buffer"
works reset
as_before "reset ends that"
done_testing
