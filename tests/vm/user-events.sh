# user-events.sh - events of programs: registered, recorded, defined and filtered in advance
# shellcheck shell=bash disable=SC2154
. tests/proof.sh
[ -e $T/user_events_data ] || { skip "user_events" "not in this kernel"; done_testing; exit; }
SYSTEMS="$SYSTEMS user_events"
table() { ktrail user-events | tr -s ' '; }
# begin FIELDS COUNT: start the program, which writes once $KT_TMP/go exists
begin() { rm -f "$KT_TMP/go" "$KT_TMP/said"; user_event "$1" "$2" "$KT_TMP/go" >"$KT_TMP/said" 2>&1 & pid=$!; until_true 20 grep -qs registered "$KT_TMP/said"; }
end() { kill $pid; wait $pid 2>/dev/null; }
# is_removed: the kernel removes the events of a program some 40 ms after its end, after a grace period of RCU
is_removed() {
	until_true 20 grep -q '^Active: 0' $T/user_events_status
	is "$(ktrail user-events)" "no program has registered an event" "it is removed when the program ends"
}
settings >"$KT_TMP/before"
k user-events
is "$out" "no program has registered an event" "at first there are none"
is "$(ktrail user-events list --json | tr -d ' \n')" "[]" "as JSON too"

begin 'ticks u32 count' 5
ok $? "a program registers one"
is "$(table)" $'EVENT USED BY\nuser_events:ticks -' "it is listed"
is "$(ktrail user-events show --json | tr -d ' \n')" '[{"name":"ticks","used_by":[]}]' "as JSON too"
like "$(ktrail list -e ticks)" 'user_events:ticks' "also among all events"
works record -q -o "$KT_TMP/u.dat" -e user_events:ticks sh -c "touch $KT_TMP/go; until grep -q written $KT_TMP/said; do sleep 0.1; done"
is "$(ktrail report "$KT_TMP/u.dat" | grep -o 'ticks: .*' | tr -s ' ' | tr '\n' ,)" \
	"ticks: count=0,ticks: count=1,ticks: count=2,ticks: count=3,ticks: count=4," "its events are recorded"
works start -e user_events:ticks
is "$(table)" $'EVENT USED BY\nuser_events:ticks ftrace' "the recorder is listed as a user"
is "$(ktrail user-events --json | tr -d ' \n')" '[{"name":"ticks","used_by":["ftrace"]}]' "as JSON too"
k reset
is "$status" 1 "an event that a program uses stays after a reset"
like "$err" 'kept.*user_events/ticks' "which is said"
k user-events del ticks
is "$status" 1 "and cannot be removed"
like "$err" 'still uses it' "which is said"
works state save "$KT_TMP/state"
like "$(cat "$KT_TMP/state")" 'probe = u:ticks u32 count' "a state has it"
k reset -y
is "$(table)" $'EVENT USED BY\nuser_events:ticks -' "reset does not remove it" || note "$status: $err"
end
is_removed
works state restore "$KT_TMP/state"
is "$(table)" $'EVENT USED BY\nuser_events:ticks -' "a state restores it"
works user-events remove user_events:ticks
as_before

# The first burst: the program only waits until its event is enabled
burst='burst: count=0,burst: count=1,burst: count=2,burst: count=3,burst: count=4,'
bursts() { grep -o 'burst: .*' | tr -s ' ' | sed 's/count=0x/count=/; s/ (.*//' | tr '\n' ,; }
for command in "record -q -o $KT_TMP/u.dat" "record -q -B own -o $KT_TMP/u.dat" "start"; do
	begin 'burst u32 count' 5
	touch "$KT_TMP/go"
	# shellcheck disable=SC2086
	works $command -e user_events -e sched:sched_process_exec sh -c "until grep -q written $KT_TMP/said; do sleep 0.1; done"
	if [ "$command" = start ]; then ktrail stop; ktrail show; else ktrail report "$KT_TMP/u.dat"; fi >"$KT_TMP/text"
	is "$(bursts <"$KT_TMP/text")" "$burst" "${command%% -o*}: has the first events of a program" || note "$(grep -v ticks "$KT_TMP/text" | head -30)"
	k reset -y
	end
	is_removed
done
as_before

k user-events add -n 'later u32 count'
is "$out" "echo 'u:later u32 count' >> $T/dynamic_events" "a dry run shows the write"
as_before "and changes nothing"
works user-events add 'later u32 count'
is "$(cat $T/dynamic_events)" 'u:later u32 count' "one is defined before a program defines it"
works filter set user_events:later 'count > 2'
works start -K -e user_events:later -f 'count > 2'
begin 'later u32 count' 5
touch "$KT_TMP/go"
until_true 20 grep -q written "$KT_TMP/said"
works stop
is "$(ktrail show | grep -c 'later: count=0x[34] ')" 2 "the program's event is filtered" || note "$(ktrail show)"
is "$(ktrail show | grep -c 'later: count=')" 2 "from its first record on" || note "$(ktrail show)"
end
works reset
is "$(ktrail user-events)" "no program has registered an event" "reset removes events that no program uses"
works user-events add 'later u32 count'
works user-events del later
k user-events del later
is "$status" 1 "an unknown event cannot be removed"
k user-events add 'bad no_such_type x'
is "$status" 1 "a type that does not exist is refused"
k user-events add
is "$status" 2 "without a name it is misuse"
like "$(ktrail user-events -h)" 'add <event>' "its help has the verbs"
unchanged
done_testing
