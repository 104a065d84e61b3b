# kills.sh - after a kill at a random moment, the settings are as before, or as after the command
# shellcheck shell=bash disable=SC2154,SC2086
. tests/proof.sh
. tests/kt_kills.sh
SYSTEMS="$SYSTEMS kprobes synthetic"
# The variables of a query contain a number that changes each time: __pid_6814_1
settings() { snapshot -e "$SYSTEMS" | sed 's/\(__[a-z_]*_\)[0-9]*_\([0-9]\)/\1N_\2/g' | LC_ALL=C sort; }
ktrail instance create side
ktrail state save "$KT_TMP/nothing"
settings >"$KT_TMP/nothing.settings"

# A session of another user, in all settings that commands clear and restore
echo 'p:kprobes/mine vfs_open' >>$T/dynamic_events
echo 'lat u64 d' >>$T/synthetic_events
echo 'hist:keys=pid:ts0=common_timestamp.usecs' >$T/events/sched/sched_waking/trigger
echo 'hist:keys=next_pid:d=common_timestamp.usecs-$ts0:onmatch(sched.sched_waking).trace(lat,$d)' >$T/events/sched/sched_switch/trigger
echo 'stacktrace:7 if prev_prio < 0' >>$T/events/sched/sched_switch/trigger
echo 'traceoff:3 if prev_prio < 0' >>$T/events/sched/sched_switch/trigger
echo 'irq > 1' >$T/events/irq/irq_handler_entry/filter
echo 1 >$T/events/kprobes/mine/enable
echo 1 >$T/events/irq/irq_handler_exit/enable
echo vfs_write >$T/set_ftrace_filter
echo 'vfs_fsync:traceoff:5' >>$T/set_ftrace_filter
echo mono >$T/trace_clock
echo 1 >$T/options/stacktrace
echo 99999 >$T/set_event_notrace_pid
echo 1 >$T/instances/side/events/timer/timer_start/enable
ktrail state save "$KT_TMP/session.state"

cat >"$KT_TMP/kill.conf" <<TXT
instance = side
event = sched
when = wakeup > 1us
before = 1ms
after = 1ms
output = $KT_TMP/kept
keep = 2
TXT
commands=(
	"record -q --kallsyms=none -o $KT_TMP/t.dat -p function -l vfs_read -e sched:sched_switch -f prev_pid!=1 -b 2000 -T -C global sleep 0.1"
	"record -q --kallsyms=none -o $KT_TMP/t.dat -B side -e irq -B other -e sched:sched_switch -C boot -b 512 sleep 0.1"
	"start -p function -l vfs_read -e sched -e irq -C boot -b 2000 -O nooverwrite"
	"start -B side -e sched -C boot -B new -e irq"
	"reset -y"
	"reset -y -a"
	"state restore $KT_TMP/nothing"
	"stream -e sched:sched_process_exec -C boot sleep 0.1"
	"profile -S -e sched:sched_switch sleep 0.1"
	"extract -q -t -B side -o $KT_TMP/e.dat"
	"sqlhist -e -n wakes SELECT end.next_pid AS pid FROM sched_waking AS start JOIN sched_switch AS end ON start.pid = end.next_pid"
	"trigger remove all"
	"probe del -y *"
	"snapshot -s"
	"capture -q --config $KT_TMP/kill.conf sleep 0.1"
)

back() {
	ktrail state restore "$KT_TMP/session.state" >"$KT_TMP/back" 2>&1 || note "$(cat "$KT_TMP/back")"
	rmdir $T/instances/new 2>/dev/null
}
# More kills than `make check` has time for: tests/vm/parts -a kt_kills=50 6.12 kills
more=$(sed -n 's/.*kt_kills=\([0-9]*\).*/\1/p' /proc/cmdline)
kills_begin
kills "${more:-15}"

ktrail state restore "$KT_TMP/nothing" >/dev/null 2>&1
settings >"$KT_TMP/after"
same "$KT_TMP/after" "$KT_TMP/nothing.settings" "the first state can be restored, too"
rmdir $T/instances/side
[ ! -e $T/snapshot ] || echo 0 >$T/snapshot
unchanged
done_testing
