# uses.sh - probes and tables in realistic use
# shellcheck shell=bash disable=SC2154,SC2016
. tests/proof.sh
SYSTEMS="$SYSTEMS kprobes fprobes mine eprobes tracepoints"
btf() { [ -e /sys/kernel/btf/vmlinux ]; }

# ---- several probes of one event ----
works probe add 'p:many vfs_read a=%di'
works probe add 'p:many vfs_write a=%di'
k probe add 'p:many vfs_write a=%di'
like "$status:$err" "^1:there is an event kprobes:many already|^1:.*there is an event kprobes:many already" "the same place twice is refused"
k probe add 'many=kretprobe:vfs_read'
is "$status" 1 "also a probe of another kind"
works start -e kprobes:many sh -c 'cat /proc/version >/dev/null'
works stop
is "$(ktrail show | grep -o 'many: (vfs_[a-z]*+' | sort -u | tr '\n' ' ')" "many: (vfs_read+ many: (vfs_write+ " "both places record" || note "$(ktrail show | grep -m3 many:)"
works state save "$KT_TMP/both.state"
sed '/many vfs_write/d' "$KT_TMP/both.state" >"$KT_TMP/one.state"
works reset
works state restore "$KT_TMP/both.state"
is "$(cut -d' ' -f2 $T/dynamic_events | sort | tr '\n' ' ')" "vfs_read vfs_write " "a state restores both"
k state restore "$KT_TMP/one.state"
is "$(cut -d' ' -f2 $T/dynamic_events)" vfs_read "and one can be removed alone"
works state restore "$KT_TMP/both.state"
works reset -y
as_before

# ---- variables by name ----
if btf && has 'f[:['; then
	works probe add 'fprobe:vfs_write buf=buf:ustring count'
	works probe add 'f:mine/all vfs_open $arg*'
	works probe add 'kprobe:vfs_write flags=file->f_flags:x32'
	works probe add 'tracepoint:sched:sched_switch pid=prev->pid'
	k probe add 'tracepoint:sched:sched_switch pid=next->pid'
	[ "$status" = 0 ] || like "$err" "the tracepoint 'sched_switch' has a probe" "a second one on a tracepoint is explained"
	k probe add 'kprobe:vfs_read nosuch'
	like "$status:$err" "^1:.*it refers to something that does not exist; it says: This variable is not found" "an unknown variable"
	works record -q -o "$KT_TMP/v.dat" -e fprobes -e kprobes -e mine sh -c 'echo hello there >/dev/null'
	like "$(ktrail report "$KT_TMP/v.dat" | tr -d '\n')" 'vfs_write: [^:]*buf="hello there *" count=12' "are recorded with their values"
	works state save "$KT_TMP/btf.state"
	k reset -y
	works state restore "$KT_TMP/btf.state"
	is "$(ktrail state diff "$KT_TMP/btf.state")" "" "and are restored"
	works reset -y
	as_before
else
	skip "variables by name" "no BTF or fprobes in this kernel"
fi

# ---- tables that are listed in another form than they were written ----
works trigger add sched_switch 'hist:keys=cpu'
works trigger add sched_switch 'hist:keys=prev_state,common_cpu:nohitcount:vals=prev_prio'
works trigger add sched_switch 'hist:keys=common_stacktrace'
works trigger add kmem:kmalloc 'hist:keys=bytes_req.buckets=64:vals=bytes_alloc:sort=bytes_req'
works trigger add kmem:kmalloc 'hist:keys=call_site.sym-offset:vals=bytes_req:sort=bytes_req.descending'
sleep 0.5
k hist --live --top 3
is "$status" 0 "all of them are shown" || note "$err"
like "$out" 'cpu +hitcount +%' "the one by CPU"
like "$out" 'prev_state +common_cpu +prev_prio' "the one without hits"
k hist sched_switch --json
is "$status:$(grep -c '"trigger"' "$KT_TMP/out")" 0:3 "as JSON too"
works state save "$KT_TMP/hist.state"
works trigger remove all >/dev/null
is "$(grep -v '^#' $T/events/sched/sched_switch/trigger)" "" "and all are removed, including the one by CPU"
works state restore "$KT_TMP/hist.state"
is "$(ktrail state diff "$KT_TMP/hist.state")" "" "a state restores them"
works reset
as_before "and all are removed again"
echo 'hist:keys=cpu' >>$T/events/sched/sched_switch/trigger
k record -q -o "$KT_TMP/h.dat" -e irq true
works reset
as_before "also one that another program made"

# ---- functions of modules, in the kernel's own syntax ----
works functions add 'virtblk*:mod:virtio_blk'
like "$(cat $T/set_ftrace_filter)" 'virtblk_' "functions of a module"
k functions add 'nosuch*:mod:virtio_blk'
like "$status:$err" "^1:.*no function 'nosuch\\*' in module virtio_blk" "without a match the error explains it"
k functions add 'a*:mod:not_here'
like "$status:$out" "^0:.*the module is not loaded" "a module that is not loaded is reported"
works functions clear
unchanged
done_testing
