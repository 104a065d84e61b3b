# view.sh - the viewer of what happens now: functions searched, listed, traced, and all put back
# shellcheck shell=bash disable=SC2154
. tests/proof.sh

# shot KEYS [OPTION…]: the control view after those keys
shot() { run ktrail view --live --print control --size 120x40 --keys "$1" "${@:2}"; }

shot '/vfs read<Enter>'
like "$out" 'vfs_read +function' "a function is found by some letters"
shot '/vfs_read<Enter><Space><Esc>'
like "$out" '\[x\] vfs_read' "and listed"
like "$out" 'echo vfs_read >> set_ftrace_filter' "with the write that did it"
as_before "which is taken back"
shot '/vfs_read<Enter><Space><Esc>:functions vfs_write<Enter>g'
like "$out" '2 in set_ftrace_filter' "a second one by a pattern"
shot '/vfs_read<Enter><Space><Esc>gj<Enter>/function_graph<Enter><Space><Esc>'
like "$out" '\(\*\) function_graph' "a tracer is chosen while the buffer is recorded"
unlike "$out" 'refused' "which the kernel does not refuse, as the recording makes way"
as_before "and taken back"
shot '/sched_switch<Enter>fprev_prio < 100<Enter>tstacktrace:3<Enter>'
like "$out" 'if prev_prio < 100; stacktrace' "a filter and a trigger"
as_before "are taken back"
shot '/sched_switch<Enter>fprev_pri < 100<Enter>'
like "$out" "refused: .*did you mean 'prev_prio'" "a filter that cannot be is refused"
shot '/mono_raw<Enter><Space><Esc>'
like "$out" 'clock +mono_raw' "a clock"
as_before "and its way back"

# Arguments, where the kernel records them
for pair in function:func-args function_graph:funcgraph-args; do
	[ -e "$T/options/${pair#*:}" ] || continue
	works record -q -o "$KT_TMP/args.dat" -p "${pair%:*}" -O "${pair#*:}" -l do_sys_openat2 cat /proc/version
	run ktrail view --print graph --size 120x40 --keys '/openat2<Enter>' "$KT_TMP/args.dat"
	like "$out" 'do_sys_openat2\(dfd=' "${pair%:*}: the view of calls has arguments"
done

# What is in the buffer already is shown
works start -p function_graph -g vfs_read -l vfs_read -l rw_verify_area cat /proc/version
works stop
run ktrail view --live --print events --size 120x40
like "$out" 'vfs_read' "calls of a trace that is held by the kernel"
works reset
as_before "reset ends that"
done_testing
