#!/bin/bash
# confirm.t - commands that destroy data name the data and its owner, and ask on a terminal
. tests/kt_test.sh
. tests/kt_fake.sh

has_terminals || skip_all "script(1) can make no terminal here: is /dev/pts mounted?"

# on_tty ANSWER COMMAND…: run it on a new terminal, where ANSWER is typed; sets $out, $status
on_tty() {
	local answer=$1
	shift
	# The answer is typed when the question appears, or when the command ends; script ends with its input.
	rm -f "$KT_TMP/ended"
	: >"$KT_TMP/out"
	{
		wait_until 'grep -qF "[y/N]" "$KT_TMP/out" || [ -e "$KT_TMP/ended" ]'
		printf '%s\n' "$answer"
		wait_until '[ -e "$KT_TMP/ended" ]'
	} | script -qec "$(printf '%q ' "$@"); s=\$?; : >'$KT_TMP/ended'; exit \$s" /dev/null >"$KT_TMP/out" 2>&1
	status=$?
	out=$(tr -d '\r' <"$KT_TMP/out")
}

prepare() {
	fake_tracefs
	fake_instance mine
	put current_tracer function
	put events/sched/sched_switch/filter 'prev_pid == 1'
	put dynamic_events 'p:kprobes/a vfs_read\np:kprobes/b vfs_write'
	put kprobe_events 'p:kprobes/a vfs_read\np:kprobes/b vfs_write'
	put kprobe_profile '  a 7 0\n  b 0 0'
	for p in a b; do
		put events/kprobes/$p/enable 0
		put events/kprobes/$p/filter none
		put events/kprobes/$p/trigger '# Available triggers:'
	done
}

prepare
before=$(fake_state)
on_tty n "$KTRAIL" reset
is "$status" 1 "reset on a terminal asks, and n means no"
like "$out" "This clears:.*the top-level buffer: 6 recorded events .*, tracer function, .*1 filters" "it names the data that it will clear"
like "$out" "probes and synthetic events: kprobes/a, kprobes/b" "including probes"
like "$out" "Continue\? \[y/N\]" "and asks"
is "$(fake_state)" "$before" "nothing has changed"
on_tty '' "$KTRAIL" reset
is "$status:$(fake_state)" "1:$before" "Enter alone means no"
on_tty y "$KTRAIL" reset
is "$status" 0 "y means yes" || note "$out"
is "$(get current_tracer)" nop "and it is done"
prepare
on_tty n "$KTRAIL" reset --yes
is "$status:$(get current_tracer)" "0:nop" "with --yes it does not ask"
unlike "$out" "Continue" "not even a question"
prepare
run "$KTRAIL" reset </dev/null
is "$status:$(get current_tracer)" "0:nop" "a script is not asked, as trace-cmd never did"

exec 9<"$FAKE/trace"
prepare
exec 9<"$FAKE/trace"
on_tty n "$KTRAIL" reset
like "$out" "in use by [0-9]+ \(.*\): trace" "processes that have its files open are named"
exec 9<&-

# ---- clear ----
prepare
put trace 'some events'
on_tty n "$KTRAIL" clear
like "$out" "This loses 6 events .* of the top-level buffer. Continue\?" "clear names the data that will be lost"
is "$status:$(get trace)" "1:some events" "n keeps it"
on_tty y "$KTRAIL" clear
is "$status:$(get trace)" "0:" "y empties it"
put trace 'some events'
on_tty n "$KTRAIL" clear --yes
is "$status:$(get trace)" "0:" "with --yes it does not ask"

# ---- probe del ----
prepare
before=$(fake_state)
on_tty n "$KTRAIL" probe del '*'
like "$out" "kprobes:a.*kprobes:b.*Remove 2 probes\? \[y/N\]" "probe del '*' names the probes and asks"
is "$status:$(fake_state)" "1:$before" "n keeps them"
on_tty y "$KTRAIL" probe del '*'
is "$status" 0 "y removes them" || note "$out"
like "$(get dynamic_events)" "-:kprobes/b.*-:kprobes/a" "last defined first"
prepare
on_tty n "$KTRAIL" probe del -y 'kprobes:*'
is "$status" 0 "with --yes it does not ask"
prepare
before=$(fake_state)
run "$KTRAIL" probe del '*' </dev/null
is "$status:$(fake_state)" "2:$before" "without a terminal --yes is needed"
like "$err" "use --yes to confirm" "with a message"
prepare
run "$KTRAIL" probe del kprobes:a </dev/null
is "$status" 0 "one probe given by its full name needs no question" || note "$err"

# ---- an existing trace ----
trace=tests/data/6.12-events.dat
echo precious >"$KT_TMP/there.dat"
for cmd in "convert $trace -o" "split -i $trace -o"; do
	# shellcheck disable=SC2086
	on_tty n "$KTRAIL" $cmd "$KT_TMP/there.dat"
	like "$out" "there.dat.*\[y/N\]" "${cmd%% *} asks before it replaces a file"
	is "$status:$(cat "$KT_TMP/there.dat")" "1:precious" "n keeps it"
	# shellcheck disable=SC2086
	on_tty '' "$KTRAIL" $cmd "$KT_TMP/there.dat"
	is "$status:$(cat "$KT_TMP/there.dat")" "1:precious" "so does Enter alone"
done
on_tty y "$KTRAIL" convert $trace -o "$KT_TMP/there.dat"
is "$status" 0 "y replaces it" || note "$out"
"$KTRAIL" report $trace >"$KT_TMP/wanted"
"$KTRAIL" report "$KT_TMP/there.dat" >"$KT_TMP/got"
same "$KT_TMP/got" "$KT_TMP/wanted" "with the same records"
on_tty n "$KTRAIL" convert -f $trace -o "$KT_TMP/there.dat"
unlike "$status:$out" "^1|y/N" "with -f it does not ask"
on_tty n "$KTRAIL" convert $trace -o "$KT_TMP/new.dat"
unlike "$status:$out" "^1|y/N" "a new file needs no question"
run "$KTRAIL" convert $trace -o "$KT_TMP/new.dat" </dev/null
like "$status:$err" "^1:.*new.dat.*-f" "a script needs -f"

# ---- long output is paged on a terminal ----
prepare
for cmd in stat 'state show -a' 'functions' 'dump tests/data/6.12-events.dat --events' 'show' 'filter list' 'snapshot' \
	'probe list' 'synth list' 'trigger' 'hist -i tests/data/6.12-events.dat' 'hist sched:sched_switch'; do
	put synthetic_events 'lat u64 delta'
	put events/sched/sched_switch/trigger 'hist:keys=prev_pid:vals=hitcount:sort=hitcount:size=2048 [active]'
	put events/sched/sched_switch/hist '# event histogram\n#\n# trigger info: hist:keys=prev_pid:vals=hitcount:sort=hitcount:size=2048 [active]\n#\n\n{ prev_pid:          1 } hitcount:          3\n\nTotals:\n    Hits: 3\n    Entries: 1\n    Dropped: 0'
	put snapshot some
	script -qec "env PAGER='sed s/^/paged:/' $KTRAIL $cmd" /dev/null </dev/null >"$KT_TMP/tty" 2>&1
	like "$(grep -v '^.\?$' "$KT_TMP/tty" | tail -1)" '^paged:' "$cmd goes through the pager"
done
put trace $'\x1b[2Jboo'
script -qec "env PAGER=cat KTRAIL_PAGER='sed s/^/paged:/' $KTRAIL show" /dev/null </dev/null >"$KT_TMP/tty" 2>&1
like "$(cat "$KT_TMP/tty")" 'paged:\\x1b\[2Jboo' "and is escaped there, too"
PAGER='sed s/^/paged:/' run "$KTRAIL" stat
unlike "$out" 'paged:' "a script gets the plain output"
ln -sf "$(realpath "$KTRAIL")" "$KT_TMP/trace-cmd"
script -qec "env PAGER='sed s/^/paged:/' $KT_TMP/trace-cmd stat" /dev/null </dev/null >"$KT_TMP/tty" 2>&1
unlike "$(cat "$KT_TMP/tty")" 'paged:' "so does a user of the name trace-cmd"

# ---- instance delete ----
prepare
on_tty n "$KTRAIL" instance delete mine
is "$status:$([ -d "$FAKE/instances/mine" ] && echo there)" "1:there" "instance delete asks, n keeps it"
like "$out" "mine" "it names the instance" || true
done_testing
