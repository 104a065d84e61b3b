#!/bin/bash
# kernel-text.t - the texts of report have the kernel's meaning
. tests/kt_test.sh
data=tests/data

# The letters of states come from the format in the file, not from an older kernel.
for k in 6.1 6.12; do
	"$KTRAIL" report $data/$k-events.dat | sed -n 's/.*sched_switch:.*\] \([^ ]*\) ==> .*/\1/p' >"$KT_TMP/ours"
	"$KTRAIL" report -N $data/$k-events.dat | sed -n 's/.*prev_state=\([^ +]*\).*/\1/p' >"$KT_TMP/format"
	same "$KT_TMP/ours" "$KT_TMP/format" "$k: states of sched_switch"
	like "$(sort -u "$KT_TMP/ours")" "Z" "$k: some are zombies"
done

# Names of modes and reasons that are only in the format
for event in hrtimer_start hrtimer_expire_entry; do
	"$KTRAIL" report $data/6.12-events.dat | sed -n "s/.*$event: *//p" >"$KT_TMP/ours"
	"$KTRAIL" report -N $data/6.12-events.dat | sed -n "s/.*$event: *//p" >"$KT_TMP/format"
	same "$KT_TMP/ours" "$KT_TMP/format" "$event: the text of its format"
done

# A time in a text has the form of the time column.
run "$KTRAIL" report $data/func-repeats.dat
like "$out" "schedule_timeout \(count: 2  last_ts:    59\.072816\)" "func_repeats: rounded"
run "$KTRAIL" report -t $data/func-repeats.dat
like "$out" "\(count: 2  last_ts:    59\.072815531\)" "func_repeats: with -t in nanoseconds"
run "$KTRAIL" report --raw-ts $data/func-repeats.dat
like "$out" "\(count: 2  last_ts:  59072815531\)" "func_repeats: as recorded"

# In the layout of the kernel, a pointer looks like its %p.
run "$KTRAIL" report --layout kernel $data/6.12-events.dat
like "$out" "hrtimer=ffff[0-9a-f]{12} function" "--layout kernel: a pointer has 16 digits and no prefix"
unlike "$out" "hrtimer=0x" "all of them"

# Texts that special code of the kernel prints: system calls, probes, markers; addresses with size and module
run "$KTRAIL" report --layout kernel $data/peer/events-irqs.dat
like "$out" ": sys_execve\(filename: 7fff4913b4e0, argv: 7fff4913b928, envp: 7fff4913b988\)" "system calls"
like "$out" ": sys_write -> 0x1" "and their results"
run "$KTRAIL" report --layout kernel $data/6.12-probes.dat
like "$out" "myread: +\(vfs_read\+0x4/0x[0-9a-f]+\) file=" "probes show their place"
like "$out" "myreadret: +\(ksys_read\+0x[0-9a-f]+/0x[0-9a-f]+ <- vfs_read\) ret=832" "return probes show the caller"
run "$KTRAIL" report --layout kernel $data/faults/232-synth.dat
like "$out" "wakelat: +lat=105 pid=42 comm=ktimers/2 prio=98 dyn=ktimers/2" "synthetic events have no commas"
run "$KTRAIL" report --layout kernel $data/peer/markers.dat
like "$out" ": # 7 buf: 00" "raw markers"
run "$KTRAIL" report --layout kernel $data/6.12-events.dat
like "$out" "sched_switch: +prev_comm=" "the layout chooses the kernel's print formats"

# Functions: with the caller, without indentation and event name; with offsets on request
run "$KTRAIL" report --layout kernel $data/peer/v6-function.dat
like "$out" "\] [^ ]+ +[0-9.]+: [a-z_0-9]+ <-[a-z_0-9]+"$'\n' "a function and its caller"
unlike "$out" " function: " "without the name of the event"
run "$KTRAIL" report --layout kernel -O ftrace:offset $data/peer/v6-function.dat
like "$out" ": [a-z_0-9]+\+0x[0-9a-f]+/0x[0-9a-f]+ <-[a-z_0-9]+\+0x[0-9a-f]+/0x[0-9a-f]+"$'\n' "with offsets"
run "$KTRAIL" report --layout kernel $data/func-repeats.dat
like "$out" "schedule_timeout <-[a-z_]+ \(repeats: 2, last_ts:    59\.072816\)" "func_repeats"
run "$KTRAIL" report --layout kernel $data/6.1-fgraph.dat
like "$out" "93\.271587: ! 245\.258 us  \|  _raw_spin_lock_irqsave\(\);" "function_graph: a column more"
like "$out" "94\.667450: \* 16760\.33 us \|          \}"$'\n' "seven digits at most, and the kernel's marks"
run "$KTRAIL" report --layout kernel -F 'funcgraph_exit: depth > 3' $data/6.1-fgraph.dat
like "$out" "94\.667450: \* 16760\.33 us \|          \} /\* [a-z_]+ \*/"$'\n' \
	"an exit without its entry shows the function"
# The kernel looks for the exit on the CPU of the entry, whatever other CPUs do meanwhile
opened() { "$KTRAIL" report --layout kernel "$@" $data/peer/fgraph-sched.dat | grep -c '{$'; }
is "$(opened)" "$(($(opened --cpu 0) + $(opened --cpu 1)))" "a call is one line although another CPU writes meanwhile"

run "$KTRAIL" report --layout kernel $data/6.12-fgraph-retval.dat
like "$out" '\|    do_filp_open\(\); /\* = -2 \*/'$'\n' "the return value of a leaf"
like "$out" '\|    \} /\* do_filp_open = 0xffff8880003c3840 \*/'$'\n' "and another function"
unlike "$out" 'ret=' "not in trace-cmd's form"
LC_ALL=C sed 's/Linux \(.*\) 6\.12\.\(.*\)/Linux \1 6.13.\2/' $data/6.12-fgraph-retval.dat >"$KT_TMP/retval-6.13.dat"
run "$KTRAIL" report --layout kernel "$KT_TMP/retval-6.13.dat"
like "$out" '\|    do_filp_open\(\); /\* ret=-2 \*/'$'\n.*''\} /\* do_sys_openat2 ret=-2 \*/' "in the words of Linux 6.13"
run "$KTRAIL" report --layout kernel -O fgraph:retval-skip $data/6.12-fgraph-retval.dat
unlike "$out" '= ' "or not at all"
run "$KTRAIL" report --layout kernel -O fgraph:retval-hex $data/6.12-fgraph-retval.dat
like "$out" 'do_filp_open\(\); /\* = 0xfffffffffffffffe \*/' "or in hexadecimal"

# If a print format ends with a newline, the trace file has an empty line; other layouts do not.
"$KTRAIL" convert --compression none -o "$KT_TMP/plain.dat" $data/6.12-events.dat
LC_ALL=C sed 's/target_cpu=%03d"/target_cpu=%d\\n"/' "$KT_TMP/plain.dat" >"$KT_TMP/newline.dat"
run "$KTRAIL" report --layout kernel "$KT_TMP/newline.dat"
like "$out" $'sched_waking: .* target_cpu=[0-9]+\n\n' "a newline of a print format is an empty line"
run "$KTRAIL" report -N "$KT_TMP/newline.dat"
unlike "$out" $'\n\n' "but in other layouts it ends the line"

# The blk tracer, whose records have no format in any file
run "$KTRAIL" report $data/blk.dat
is "$err" "" "blk: all records can be read"
like "$out" "mount-209 .* 12\.153685: blktrace:               7,0    Q  RM 2 \+ 2 \[mount\]" "blk: the text of blktrace"
like "$out" "blktrace:               7,0    C  RM 2 \+ 2 \[0\]" "blk: a request that is done"
run "$KTRAIL" report -F 'blktrace: bytes == 1024' $data/blk.dat
like "$out" "2 \+ 2" "blk: its fields can be filtered"

# A record without a format has its task, CPU and time, and is counted.
LC_ALL=C sed 's/name: user_stack/name: user_stakk/' $data/blk.dat >"$KT_TMP/unknown.dat"
if cmp -s $data/blk.dat "$KT_TMP/unknown.dat"; then
	"$KTRAIL" convert -f --compression none -o "$KT_TMP/plain.dat" $data/blk.dat
	LC_ALL=C sed 's/name: user_stack/name: user_stakk/' "$KT_TMP/plain.dat" >"$KT_TMP/unknown.dat"
fi
run "$KTRAIL" report "$KT_TMP/unknown.dat"
like "$out" "mount-209   \[001\] d\.\.1\.    12\.153685: \[UNKNOWN EVENT\]:      type 13, 48 bytes" \
	"an unknown event has its columns"
like "$err" "ktrail report: [0-9]+ records cannot be read: the file has no format of them" "they are counted"
is "$status" 0 "and the report succeeds"

run "$KTRAIL" report $data/faults/041-uprobes.dat
like "$out" "\] \?{5}   158\.490758: target:" "flags that the kernel does not know are shown as unknown"
run "$KTRAIL" report --json $data/faults/041-uprobes.dat
like "$out" '"ts":158490757855,.*"flags":"\?{5}",' "in JSON, too"
run "$KTRAIL" report --layout kernel $data/faults/041-uprobes.dat
like "$out" "\] DBZff   158\.490758: target:" "the kernel's layout shows them anyway"

# The times of a guest are converted to the host's, even without the host's file.
run "$KTRAIL" report $data/faults/173-agent-new-host-guest.dat
like "$out" "trace-cmd-156 .*    77\.379827: softirq_raise" "TIME_SHIFT is applied"
run "$KTRAIL" report --raw-ts $data/faults/173-agent-new-host-guest.dat
like "$out" "trace-cmd-156 .* 77379820214: softirq_raise" "but not with --raw-ts"
run "$KTRAIL" dump --options $data/faults/173-agent-new-host.dat
like "$out" $'\nguest \[Guest name\]\n0xC8F5329C8DB04741 \[trace id\]\n2 \[Guest CPUs\]\n  0 -1 \[guest cpu, host pid\]' \
	"option GUEST in words"

run "$KTRAIL" dump --options $data/faults/173-agent-new-host-guest.dat
like "$out" "0x3DB4411414F48887 \[peer's trace id\]"$'\n'"0x1 \[peer's protocol flags\]"$'\n'"0x2 \[peer's CPU count\]" \
	"option TIME_SHIFT in words"
is "$(grep -c 'samples count\|scaling >> fraction' "$KT_TMP/out")" 6 "with the samples of each CPU"
like "$out" $'2 \\[samples count for CPU 1\\]\n\t506 1 0 76005529306 \\[offset \\* scaling >> fraction @ time\\]\n\t9245 1 0 77833168653 ' \
	"as trace-cmd shows them"
LC_ALL=C sed 's/\x14\x14\x41\xb4\x3d\x01\x00\x00\x00\x02\x00\x00\x00\x02/\x14\x14\x41\xb4\x3d\x01\x00\x00\x00\xff\xff\xff\xff\xf2/' \
	$data/faults/173-agent-new-host-guest.dat >"$KT_TMP/shift.dat"
run "$KTRAIL" dump --options "$KT_TMP/shift.dat"
is "$status:$(grep -c 'samples count' "$KT_TMP/out")" "0:1" "a count beyond the end of the option shows the existing samples"

# The column of buffer names is wide enough for a buffer without data.
run "$KTRAIL" report $data/faults/081-inst-buf.dat
like "$out" $'\n {19}work-148   \[001\]' "empty buffers have a name, too"

run "$KTRAIL" report --events $data/6.12-v6.dat
is "$(grep -c '^system: ' "$KT_TMP/out")" "$(grep '^system: ' "$KT_TMP/out" | sort -u | wc -l)" \
	"report --events names each system once"
done_testing
