# nouns.sh - probe, filter, trigger, hist, synth, sqlhist and state in a guest
# shellcheck shell=bash
. tests/guest.sh

has() { grep -qF "$1" $T/README; }

# A refusal is reported once: it does not stay in the kernel's error_log
ktrail instance create apart
while IFS='|' read -r where command rest; do
	# shellcheck disable=SC2086
	run ktrail $command "$rest"
	like "$status:$err" '^1:.*it says: ' "the kernel refuses: $command $rest"
	is "$(cat $T/${where}error_log)" "" "which does not stay in error_log"
done <<END
|probe add|kprobe:vfs_read a=%nosuch
|synth add refused|nosuch:type9
|trigger add sched_switch|hist:keys=next_pid:d=common_timestamp-\$nosuch
instances/apart/|trigger add -B apart sched_switch|hist:keys=next_pid:onmax(\$no).save(prev_comm)
END
unlike "$(ktrail stat; ktrail stat -B apart)" 'Error log|error: ' "stat shows no error"
{ echo hist:keys=nosuch >$T/events/sched/sched_switch/trigger; } 2>/dev/null
run ktrail probe add 'kprobe:vfs_read a=%wrong'
like "$(ktrail stat)" 'Error log:.*nosuch' "errors of others stay in the log"
ktrail error-log clear
ktrail instance delete -y apart

# Every kind of probe that this kernel has
run ktrail probe add 'kprobe:vfs_read count=arg3:size_t'
is "$status:$out" "0:kprobes:vfs_read" "a kprobe is added under the function's name"
run ktrail probe add 'kretprobe:vfs_read retval:long'
is "$out" kprobes:vfs_read__return "also a kretprobe"
run ktrail probe add 'r16:mine/raw vfs_write $retval'
is "$out" mine:raw "the kernel's own syntax is accepted"
# after endbr64, or after the call of the function tracer; the message names the nearest places
for at in 4 5; do
	run ktrail probe add "p vfs_open+$at"
	[ "$status" = 1 ] || break
done
is "$out" kprobes:p_vfs_open_$at "and gets the kernel's default name"
ktrail probe del kprobes:p_vfs_open_$at
run ktrail probe add kprobe:vfs_open+2
like "$status:$err" "^1:.*no instruction begins at vfs_open\+2, the nearest at vfs_open\+0 and vfs_open\+$at: " "a place inside of an instruction"
ktrail probe add kprobe:vfs_open+$at >/dev/null
ok $? "… and the message names possible places"
is "$(grep -c ktrail $T/dynamic_events):$(cat $T/error_log)" "0:" "the search leaves nothing behind"
# The kernel accepts such a place if an instruction of another function begins there.
for beyond in 100000 100001 100002 100003; do
	run ktrail probe add kprobe:vfs_open+$beyond
	like "$status:$err" "^1:.*vfs_open\\+$beyond is beyond the end of vfs_open, which has 0x" "a place beyond the function"
done
run ktrail probe add --enable 'eprobe:sched:sched_switch prev_pid if prev_pid > 0'
is "$status" 0 "an event probe uses an event, with a filter"
run ktrail probe add uprobe:bash:main
is "$status" 0 "a uprobe is found in a program by its symbol"
run ktrail probe add 'uprobe:libc:malloc size=arg1:size_t'
is "$status:$out" "0:uprobes:malloc" "a library is found without a cache of the dynamic linker" || note "$err"
if has 'f[:['; then
	run ktrail probe add 'fprobe:vfs_read count=arg3:size_t'
	is "$out" fprobes:vfs_read "an fprobe is added"
	run ktrail probe add 'fexit:vfs_read retval:long'
	is "$out" fprobes:vfs_read__return "also one at the return"
	run ktrail probe add 'tracepoint:sched:sched_switch'
	is "$status" 0 "also one on a tracepoint"
	run ktrail probe add 'tracepoint:sched:sched_swich'
	like "$status:$err" "^1:.*did you mean 'sched_switch'" "a misspelt tracepoint is refused, although the kernel accepts it"
	run ktrail probe add 'fprobe:vfs_read name=fil->f_path.dentry->d_name.name:string'
	like "$status:$err" "^1:.*vfs_read has no argument 'fil', did you mean 'file'\?" "a misspelt argument"
else
	run ktrail probe add fprobe:vfs_read
	like "$err" 'no fprobe events .Linux 6.5' "a kernel without fprobes says so"
fi
run ktrail probe add 'kprobe:do_sys_openat2 arg2:ustring'
run ktrail probe add 'kprobe:do_sys_openat2 flags=arg1:int arg2:ustring'
is "$status:$out" "0:kprobes:do_sys_openat2_1" "a name that exists gets a number"
ktrail record -q -e do_sys_openat2 -o openat.dat cat /proc/version >/dev/null
like "$(ktrail report openat.dat)" 'do_sys_openat2: .*arg2="/proc/version"' "an argument is shown as the text that it points to"
run ktrail probe add kprobe:sys_openat
like "$err" "did you mean '__[a-z0-9]+_sys_openat'" "for a system call, its function is suggested"
run ktrail probe add kprobe:vfs_raed
like "$err" "did you mean 'vfs_read'" "for a misspelt function, one is suggested"

echo 1 >$T/events/kprobes/vfs_read/enable
cat /proc/version >/dev/null
bash -c : 
run ktrail probe list kprobes:vfs_read --json
like "$out" '"hits": [1-9]' "hits are counted"
echo 0 >$T/events/kprobes/vfs_read/enable

mkdir $T/instances/other
echo 1 >$T/instances/other/events/mine/raw/enable
run ktrail probe del mine:raw
like "$err" "in use by the instance 'other'" "a probe that another instance uses stays"
run ktrail probe del --force --yes '*'
is "$status" 0 "unless it is forced"
is "$(cat $T/dynamic_events)" "" "no probe is left"
rmdir $T/instances/other
unchanged "probes leave nothing behind"

# Filters and triggers, as the kernel accepts and shows them
run ktrail filter set sched_switch 'prev_prio < 100 && next_comm ~ "kw*"'
is "$status" 0 "a filter is set"
is "$(cat $T/events/sched/sched_switch/filter)" 'prev_prio < 100 && next_comm ~ "kw*"' "the kernel has it"
run ktrail filter set 'irq:*' 'irq != 0'
is "$out" "2 events" "of several events, those with the field get the filter"
run ktrail filter remove all
is "$status" 0 "filters are removed"
# no trigger may fire: its action may change a setting that ktrail does not restore
for trigger in 'traceoff:3 if prev_prio < 0' 'stacktrace if prev_prio < 100' 'snapshot:1 if prev_prio < 0' \
	'enable_event:irq:irq_handler_entry if prev_prio < 0' \
	'hist:keys=next_pid' 'hist:name=kt:keys=next_prio' 'hist:keys=prev_prio.log2:sort=prev_prio.descending' \
	'hist:keys=prev_comm,prev_prio:vals=hitcount:sort=hitcount.descending:size=256'; do
	run ktrail trigger add sched_switch "$trigger"
	is "$status" 0 "trigger $trigger" || note "$err"
done
run ktrail trigger remove sched_switch
is "$out" "8 triggers" "all triggers are removed"
unchanged "filters and triggers leave nothing behind"

# Tables of hist triggers, sorted and summed up
ktrail trigger add kmem:kmalloc 'hist:keys=bytes_req.log2:vals=bytes_alloc'
ktrail trigger add raw_syscalls:sys_enter 'hist:keys=id.syscall,common_pid.execname'
for i in 1 2 3; do ls / >/dev/null; done
run ktrail hist --live
like "$out" 'bytes_req:  p50 [0-9.]+  p90' "percentiles of buckets"
like "$out" 'sys_[a-z]+ \[[0-9]+\] +[a-z]' "two keys, one with a name"
ktrail hist kmem:kmalloc --json >"$KT_TMP/hist.json"
like "$(tr -d '\n ' <"$KT_TMP/hist.json")" '"rows":\[\{"bytes_req":\{"text"' "JSON"
ktrail trigger remove all >/dev/null
unchanged "tables leave nothing behind"

# Synthetic events by hand and by a query
run ktrail synth add lat delta:u64 pid:pid_t 'comm:char[16]'
is "$status" 0 "a synthetic event is defined"
like "$(cat $T/synthetic_events)" 'lat.*u64 delta; pid_t pid; char.*comm' "the kernel has it"
run ktrail synth del lat
is "$(cat $T/synthetic_events)" "" "and no more"
q='SELECT start.pid, (end.TIMESTAMP_USECS - start.TIMESTAMP_USECS) AS lat FROM sched_waking AS start JOIN sched_switch AS end ON start.pid = end.next_pid'
run ktrail sqlhist -e -n wakeup_lat "$q"
is "$status" 0 "a query makes event and triggers" || note "$err"
ktrail trigger add synthetic:wakeup_lat 'hist:keys=lat.log2'
for i in 1 2 3 4 5 6; do sleep 0.05; done
run ktrail hist synthetic:wakeup_lat
like "$out" 'lat:  p50 [0-9]' "latencies are measured"
ktrail trigger remove all >/dev/null
ktrail synth del wakeup_lat >/dev/null
for how in '-m lat' '-c lat -s' '-m lat -s -T -S next_comm,next_prio'; do
	# shellcheck disable=SC2086
	run ktrail sqlhist -e -n worst $how "$q"
	is "$status:$err" "0:" "sqlhist $how"
	sleep 0.3
	run ktrail hist sched_switch
	like "$status:$out" "^0:.*\[active\]" "… has a table"
	[[ $how != *-s* ]] || like "$out" 'snapshot taken when on(max|change)\(.*lat.*\) was [0-9]+, by \{ next_pid: [0-9]+ \}' "… and its snapshot"
	ktrail trigger remove all >/dev/null
	ktrail synth del worst >/dev/null
done
ktrail snapshot -f
ktrail sqlhist -e -n wakeup_lat "$q"
ktrail trigger add synthetic:wakeup_lat 'hist:keys=lat.log2'
run ktrail synth del wakeup_lat
like "$status:$err" "^1:.*'wakeup_lat' is used by a trigger of sched:sched_switch, the top-level buffer" "the user of a synthetic event is named"

# All of that as a state: saved, removed and restored exactly
ktrail probe add 'kprobe:vfs_read count=arg3:size_t' >/dev/null
ktrail filter set irq_handler_entry 'irq > 3'
ktrail trigger add sched_stat_runtime 'traceoff:2 if runtime > 1000000000000'
ktrail trigger add sched_wakeup 'hist:name=kt:keys=prio.log2,comm:sort=prio'
echo mono >$T/trace_clock
echo 1 >$T/options/stacktrace
echo 2048 >$T/buffer_size_kb
echo $$ >$T/set_event_pid
echo vfs_write >$T/set_ftrace_filter
mkdir $T/instances/mine
echo 1 >$T/instances/mine/events/sched/sched_switch/enable
settings >"$KT_TMP/full"
run ktrail state save "$KT_TMP/state"
is "$status" 0 "the state is saved"
cat >"$KT_TMP/empty" <<TXT
[machine]
[buffer]
trace_clock = $(sed -n 's|.*/tracing/trace_clock:.*\[\(.*\)\].*|\1|p' "$KT_TMP/before")
buffer_size_kb = $(sed -n 's|.*/tracing/buffer_size_kb:.*expanded: \([0-9]*\).*|\1|p; s|.*/tracing/buffer_size_kb:\([0-9]*\)$|\1|p' "$KT_TMP/before")
options = nostacktrace
TXT
rmdir $T/instances/mine
run ktrail state restore "$KT_TMP/empty"
is "$status" 0 "an empty state removes everything" || note "$err"
like "$(cat $T/events/sched/sched_switch/trigger)" '^#' "triggers too"
is "$(cat $T/dynamic_events $T/synthetic_events)" "" "probes and synthetic events too"
run ktrail state restore "$KT_TMP/state"
is "$status" 0 "the state is restored" || note "$err"
settings >"$KT_TMP/again"
same "$KT_TMP/again" "$KT_TMP/full" "exactly"
run ktrail state diff "$KT_TMP/state"
is "$status:$out" "0:" "without any difference" || note "$out"

# A state that the kernel refuses half-way is undone
sed 's/^trace_clock = .*/trace_clock = boot/; s/irq > 3/irqq > 3/' "$KT_TMP/state" >"$KT_TMP/bad"
run ktrail state restore "$KT_TMP/bad"
is "$status" 1 "a wrong filter in a state is refused"
settings >"$KT_TMP/again"
same "$KT_TMP/again" "$KT_TMP/full" "with nothing changed"

# After a kill at any moment, restore-settings restores the settings
for i in 1 2 3 4 5 6; do
	ktrail state restore "$KT_TMP/empty" >/dev/null 2>&1 & pid=$!
	sleep 0.0$((i * 3))
	kill -KILL $pid 2>/dev/null
	wait $pid 2>/dev/null && break		# it was faster
	ktrail restore-settings >/dev/null 2>&1
	ktrail state restore "$KT_TMP/state" >/dev/null 2>&1
done
ktrail state restore "$KT_TMP/state" >/dev/null 2>&1
settings >"$KT_TMP/again"
same "$KT_TMP/again" "$KT_TMP/full" "after kills it can be restored"

rmdir $T/instances/mine
ktrail state restore "$KT_TMP/empty" >/dev/null 2>&1
unchanged

run ktrail doctor --json
like "$out" '"name": "kprobes", "state": "present"' "doctor shows the features"
done_testing
