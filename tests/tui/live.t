#!/bin/bash
# live.t - view --live on the kernel of this machine, in its own instance
. tests/kt_test.sh
# shellcheck disable=SC2154

tracing=/sys/kernel/tracing
[ "$(id -u)" = 0 ] && [ -w $tracing/instances ] || skip_all "needs root, and tracefs with instances"
command -v tmux >/dev/null || skip_all "no tmux"
export KTRAIL_JOURNAL_DIR=$KT_TMP/journal TMPDIR=$KT_TMP/temp XDG_CACHE_HOME=$KT_TMP/cache
export XDG_CONFIG_HOME=$KT_TMP/config
mkdir -p "$KTRAIL_JOURNAL_DIR" "$TMPDIR"
name=ktrail-view-test-$$
dir=$tracing/instances/$name
mkdir $dir
. tests/kt_tmux.sh
trap 'mux kill-session -t t 2>/dev/null; for _ in {1..50}; do rmdir $dir 2>/dev/null && break; sleep 0.1; done' EXIT

settings() {
	cd $dir && grep -H '' tracing_on current_tracer trace_clock buffer_percent buffer_size_kb set_event \
		tracing_cpumask events/sched/sched_switch/filter options/*
}
before=$(settings)

mux new-session -d -s t -x 100 -y 30 "env LC_ALL=C.UTF-8 TERM=screen-256color PS1='ready> ' bash --norc --noprofile"

# From one CPU, then from another: the first event of a CPU must not move a row either.
use_cpu() { taskset -p -c "$1" $$ >/dev/null 2>&1 || taskset -p -c 0 $$ >/dev/null 2>&1; }
use_cpu 0
say() { echo "$*" >$dir/trace_marker; }
pid() { pgrep -f "view --live -B $name" | tail -1; }
# view OPTION…: start it, and wait for its first screen
view() {
	types "clear; '$KTRAIL' view --live -B $name $*; echo status \$?" Enter
}

waits 'ready>'
view --view events
sees 'live . 0 events' "nothing is traced yet"
for i in {1..5}; do say "hello $i"; done
sees 'hello 5' "events appear"
types C-s
sees 'FROZEN' "Ctrl-S freezes"
say "late 1"
sleep 1.5
unlike "$(mux capture-pane -p -t t)" 'late 1' "no more events appear"
types C-s
sees 'late 1' "and continues"
for i in {1..60}; do say "row $i"; done
sees 'row 60' "the last one is followed"
types k
types k
sees 'event 64 of 66' "two rows up"
sees 'stays here' "the status line shows it"
# The rows on the screen; there may be room for more below them.
rows() { mux capture-pane -p -t t | sed -n '3,26{/print /p}'; }
still='' now=$(rows)
until [ "$now" = "$still" ]; do
	still=$now
	sleep 0.5
	now=$(rows)
done
use_cpu 1
for i in {61..90}; do say "row $i"; done
sees 'follows . 96 events' "new events are counted"
is "$(rows | head -n "$(wc -l <<<"$still")")" "$still" "and no row moves while the cursor is elsewhere"
types C-e
sees 'row 90' "Ctrl-E goes to the end"
say "row 91"
sees 'row 91' "and follows again"
types ":save $KT_TMP/saved.dat" Enter
sees 'saved.dat is saved' ":save"
run "$KTRAIL" report -i "$KT_TMP/saved.dat"
is "$(grep -c 'print:' "$KT_TMP/out")" 97 "the file has all held events"
like "$("$KTRAIL" view --print info "$KT_TMP/saved.dat")" 'trace.dat version 7.*zstd' "compressed"
types ":save $KT_TMP/saved.dat" Enter
sees 'exists already' "never replaces a file"

types 7
sees 'buffer size' "the settings"
types /
types sched_switch Enter
sees '\[ \] sched:sched_switch' "an event is found"
types Space
sees '\[x\] sched:sched_switch' "and switched on"
is "$(cat $dir/events/sched/sched_switch/enable)" 1 "in the kernel"
types f
types 'prev_pid == -1' Enter
sees 'if prev_pid == -1' "with a filter"
types q
sees 'status 0' "q ends it"
is "$(settings)" "$before" "all settings are restored"
is "$(find "$TMPDIR" "$KTRAIL_JOURNAL_DIR" -type f)" "" "no file is left"

# Views that are rebuilt completely follow, too, and stay if the cursor was moved.
picture() { mux capture-pane -p -t t | sed -n '3,28p'; }
echo >$dir/trace
echo 1 >$dir/events/sched/sched_switch/enable
echo 1 >$dir/events/sched/sched_waking/enable
view --view events
sees 'live . [0-9,]{3,} events' "many events"
sees 'without own' "the events of ktrail itself are hidden"
types ':columns time cpu task flags event info' Enter
# Except interrupts, which belong to no task. Other ktrails are shown.
own=$(cd "/proc/$(pid)/task" && echo * | tr ' ' '|')
unlike "$(picture)" "-($own) +..[.].. +sched_waking" "no row is from it"
types :own Enter
sees "-($own) +..[.].. +sched_waking" ":own shows it"
types :own Enter
changes() { [ "$(picture)" != "$before_it" ]; }
for which in '3 timeline' '4 latency' '6 info'; do
	types "${which%% *}"
	sleep 1.5
	before_it=$(picture)
	wait_until changes
	ok $? "${which#* } follows" || note "$(mux capture-pane -p -t t)"
done
types 1 k k
sees 'stays here' "away from the end"
types 4
sleep 1.5
before_it=$(picture)
sleep 2.5
is "$(picture)" "$before_it" "latencies stay there"
types C-e
wait_until changes
ok $? "and follow again" || note "$(mux capture-pane -p -t t)"
types q
sees 'status 0' "q"
echo 0 >$dir/events/sched/enable

# change: enable the event again, in a new view
change() {
	waits 'SETTING'
	types /
	types sched_switch Enter Space
	waits '\[x\] sched:sched_switch'
	wait_until "grep -q 1 $dir/events/sched/sched_switch/enable"
}
view
sees 'SETTING' "if nothing is traced, the settings are shown first"
change
kill -TERM "$(pid)"
sees 'status' "SIGTERM ends it"
is "$(settings)" "$before" "and all settings are restored"
view
change
kill -KILL "$(pid)"
sees 'status 137' "kill -9"
is "$(cat $dir/events/sched/sched_switch/enable)" 1 "leaves the settings"
run "$KTRAIL" restore-settings
is "$status" 0 "restore-settings"
is "$(settings)" "$before" "restores them"

echo >$dir/trace
for i in {1..60}; do say "early $i"; done
# The next view removes the files of a killed one; --memory limits the size of the file
view --memory 1M --view events
sees "early 60" "another one begins at the end of the trace"
is "$(find "$TMPDIR" -maxdepth 1 -name 'ktrail-live*' | wc -l)" 1 "removes the files of the killed one"
line=$(printf 'x%.0s' {1..800})
for _ in {1..15}; do
	for _ in {1..500}; do echo "$line"; done >$dir/trace_marker
	sleep 0.2
done
say "the end"
sees 'the end' "many events, from the first screen on, are followed"
like "$(cat "$TMPDIR"/ktrail-live*/*part* | wc -c | awk '{ print ($1 > 4000000) }')" 1 "more events than it may hold"
is "$(du -ck "$TMPDIR"/ktrail-live*/*part* | awk 'END { print ($1 < 5000) }')" 1 "the oldest are dropped" ||
	du -ck "$TMPDIR"/ktrail-live*/*
types g
sees 'xxxx' "the first held event can be reached"
types ":save $KT_TMP/nowhere/x.dat" Enter
sees 'cannot create .*nowhere' "without a place for its file"
types q
sees 'status 0' "and q"
# Formats that appear later: those of a probe that is defined while the viewer runs
probe=ktrail_view_$$ program=$(type -P true)
entry=0x$(od -An -tx8 -j24 -N8 "$program" | tr -d ' ')
echo >$dir/trace
view --view events
sees 'live . 0 events' "the first screen"
if echo "p:$probe/begins $program:$entry" >>$tracing/uprobe_events; then
	echo 1 >$dir/events/$probe/begins/enable
	"$program"
	sees 'begins +[(][0-9a-f]' "the new events have a text"
	echo 0 >$dir/events/$probe/begins/enable
	echo "-:$probe/begins" >>$tracing/uprobe_events
fi
types q
sees 'status 0' "and q"
# record -V: from the command to the events that it has recorded
types "clear; '$KTRAIL' record -q -V -B $name -e sched_switch -o $KT_TMP/v.dat sleep 0.3; echo status \$?" Enter
sees 'v.dat . [0-9,]+ events' "record -V shows the recorded events"
types /sleep Enter
sees 'sleep-[0-9]+ .*sched_switch|sched_switch .*sleep' "which can be searched"
types q
sees 'status 0' "q ends both"
is "$(settings)" "$before" "at the end all settings are restored"
done_testing
