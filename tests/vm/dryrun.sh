# dryrun.sh - the output of --dry-run, pasted into a shell, has the effect of the command on a real kernel
# shellcheck shell=bash disable=SC2154,SC2086
. tests/proof.sh
SYSTEMS="$SYSTEMS kprobes synthetic eprobes"
kb=$(sed 's/.*expanded: //; s/[^0-9]//g' $T/buffer_size_kb)
cpus=$(cat $T/osnoise/cpus 2>/dev/null)
printf '[machine]\nprobe = p:kprobes/reads vfs_read\n[instance new]\nevent = kprobes:reads\ntrace_clock = boot\n' >"$KT_TMP/other.state"

# A session of another user in all settings that the commands change. Settings that reset keeps are restored by hand.
back() {
	ktrail reset -y -t -a -d >"$KT_TMP/back" 2>&1 || note "$(cat "$KT_TMP/back")"
	echo 0 >$T/options/event-fork
	echo 0 >$T/options/function-fork
	[ ! -e $T/buffer_subbuf_size_kb ] || echo 4 >$T/buffer_subbuf_size_kb
	echo 50 >$T/buffer_percent
	echo "$kb" >$T/buffer_size_kb
	echo 1 >$T/options/overwrite
	echo 0 >/proc/sys/kernel/ftrace_dump_on_oops
	[ ! -e $T/snapshot ] || echo 0 >$T/snapshot
	if [ -d $T/osnoise ]; then
		echo 1000000 >$T/osnoise/period_us
		echo 1000000 >$T/osnoise/runtime_us
		echo "$cpus" >$T/osnoise/cpus
	fi
	if [ -d $T/rv/monitors/wwnr ]; then
		echo 0 >$T/rv/monitors/wwnr/enable
		echo nop >$T/rv/monitors/wwnr/reactors
	fi
	[ ! -e /proc/sys/kernel/stack_tracer_enabled ] || echo 0 >/proc/sys/kernel/stack_tracer_enabled
}
session() {
	mkdir $T/instances/side
	echo 1 >$T/instances/side/events/irq/irq_handler_exit/enable
	echo 'p:kprobes/mine vfs_open' >>$T/dynamic_events
	echo 's:lat u64 d' >>$T/dynamic_events
	echo 'hist:keys=pid:ts0=common_timestamp.usecs' >$T/events/sched/sched_waking/trigger
	echo 'hist:keys=next_pid:d=common_timestamp.usecs-$ts0:onmatch(sched.sched_waking).trace(lat,$d)' >$T/events/sched/sched_switch/trigger
	echo 'traceoff:3 if prev_prio < 0' >>$T/events/sched/sched_switch/trigger
	echo 'irq > 1' >$T/events/irq/irq_handler_entry/filter
	echo 1 >$T/events/irq/irq_handler_exit/enable
	echo 1 >$T/set_event_pid
	echo vfs_write >$T/set_ftrace_filter
	echo 'vfs_fsync:traceoff:5' >>$T/set_ftrace_filter
	echo 5 >$T/max_graph_depth
	echo 1 >$T/options/stacktrace
	echo mono >$T/trace_clock
	echo 1 >$T/tracing_on
	echo >$T/trace
}
# The present settings, and the data that commands write, but not the results of tracers
all_there_is() {
	settings
	grep -ho 'tracing_mark_write.*\|# [0-9a-f]* buf.*\|trace_marker_raw.*' $T/trace
	[ ! -e $T/snapshot ] || grep -h 'Snapshot is' $T/snapshot
	[ ! -s $T/error_log ] || echo "errors in the log"
	cat $T/rv/enabled_monitors $T/rv/monitors/*/reactors 2>/dev/null
}

# Setting up the session takes time, so each session is used for a few commands.
queue=()
also() { queue+=("$(printf '%q ' "$@")"); }
# paste WORDS…: run the output of the dry run
paste() {
	ktrail "$1" --dry-run "${@:2}" >"$KT_TMP/paste" 2>"$KT_TMP/err"
	is "$?:$(cat "$KT_TMP/err")" 0: "$*: a dry run works"
	sh -e "$KT_TMP/paste" >"$KT_TMP/said" 2>&1 && [ -s "$KT_TMP/paste" ]
	ok $? "$*: its output can be pasted" || note "$(cat "$KT_TMP/said" "$KT_TMP/paste")"
	cat "$KT_TMP/paste" >>"$KT_TMP/pasted"
}
# pasted WORDS…: this command and those before it, pasted and run, have the same effect
pasted() {
	local command
	also "$@"
	: >"$KT_TMP/pasted"
	back
	session
	for command in "${queue[@]}"; do eval "paste $command"; done
	all_there_is >"$KT_TMP/by_paste"
	back
	session
	for command in "${queue[@]}"; do
		eval "ktrail $command" >"$KT_TMP/said" 2>&1 </dev/null
		ok $? "$command: works" || note "$(cat "$KT_TMP/said")"
	done
	all_there_is >"$KT_TMP/by_command"
	same "$KT_TMP/by_paste" "$KT_TMP/by_command" "up to $*: both do the same" || note "$(cat "$KT_TMP/pasted")"
	! cmp -s "$KT_TMP/by_command" "$KT_TMP/base"
	ok $? "which changes settings"
	queue=()
}
back
session
all_there_is >"$KT_TMP/base"

also probe add 'kprobe:vfs_read count=arg3:size_t'
also probe add --enable 'eprobe:sched:sched_switch prev_pid if prev_pid > 0'
also probe del mine
also synth add other delta:u64 pid:pid_t 'comm:char[16]'
also filter set sched_switch 'prev_comm ~ "a\tb*" && prev_pid > 3'
also trigger add sched_stat_runtime 'stacktrace:7 if runtime < 0'
[ ! -e $T/user_events_data ] || also user-events add 'later u32 count'
pasted trigger remove sched_switch

also filter remove all
also functions add vfs_read vfs_open:stacktrace:3
also functions -n add '^vfs_(read|write)$'
also functions -g add vfs_read
also tracer set function_graph
! has_tracer osnoise || also tracer set osnoise cpus=1 period=20000 runtime=10000
also tracer set nop
also clock set boot
also cpumask set 1
also buffer set 256k
[ ! -e $T/buffer_subbuf_size_kb ] || also buffer set --subbuf-size 8 --percent 70
pasted dump-on-oops set all

also buffer set 512k -c 1
also functions clear
[ ! -e $T/snapshot ] || also snapshot -s
also stop -t -B side
also instance create new new2
also instance delete -y side
[ ! -e $T/rv/monitors/wwnr ] || also rv set -r printk wwnr
[ ! -e /proc/sys/kernel/stack_tracer_enabled ] || also stack --start
also restart
also marker 'a\tb "c" $d'
also marker -- -n
pasted marker --raw 42 "100% 'x'"

pasted reset -y
pasted reset -y -t -a -d
also start -B new -p function_graph -g vfs_read -l vfs_read -e sched -f 'prev_pid == 1' -b 64 -C mono -O nostacktrace
pasted set -e irq -C boot -b 2000 -M 2
also start -p function -l 'vfs_r*' -e irq -v -e irq:irq_handler_exit -P 1 -c -R 'traceoff:2 if irq == 77'
pasted clear -a -y
pasted start --session "$KT_TMP/other.state"
# a dry run prints only the beginning; stop at the end
also record -k -q -o "$KT_TMP/t.dat" -e sched:sched_process_fork -f 'parent_pid == 1' -b 300 -C boot -T true
pasted stop
back
unchanged
done_testing
