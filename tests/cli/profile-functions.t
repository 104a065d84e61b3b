#!/bin/bash
# profile-functions.t - the kernel's function profiler: enabled, read and restored, on a fake tracefs
. tests/kt_test.sh
. tests/kt_fake.sh

file() { is "$(get "$1")" "$2" "$3"; }

# In the form of Linux's kernel/trace/trace_stat.c and ftrace.c
tables() {
	put function_profile_enabled 0
	put trace_stat/function0 '  Function                               Hit    Time            Avg             s^2\n  --------                               ---    ----            ---             ---\n  vfs_read                                 4    40.000 us       10.000 us       2.000 us    \n  schedule                                 2    1994458.706 us     997229.353 us     0.500 us    '
	put trace_stat/function1 '  Function                               Hit    Time            Avg             s^2\n  --------                               ---    ----            ---             ---\n  vfs_write                                1    3.250 us        3.250 us        0.000 us    \n  vfs_read                                 2    26.000 us       13.000 us       8.000 us    '
}

fake_tracefs
run "$KTRAIL" profile --functions true
like "$status:$err" "^1:.*CONFIG_FUNCTION_PROFILER=y" "a kernel without the profiler names its configuration"
tables
before=$(fake_state)
run "$KTRAIL" profile --functions sh -c "cat $FAKE/function_profile_enabled $FAKE/set_ftrace_filter; exit 3"
is "$status:$err" "3:" "the exit status is that of the command"
is "$(head -2 <<<"$out")" "1
#### all functions enabled ####" "the profiler runs while the command does"
# 4 calls of 10 us with a variance of 2, 2 of 13 with 8: 6 calls, sum 66, squares 406+346, minus 6*11*11 is 26, a fifth of it 5.2
is "$(tail -4 <<<"$out" | tr -s ' ')" "FUNCTION HITS TOTAL us AVG us STDDEV us
schedule 2 1994458.706 997229.353 0.707
vfs_read 6 66.000 11.000 2.280
vfs_write 1 3.250 3.250 0.000" "the CPUs are added up, most time first"
is "$(fake_state)" "$before" "all settings are restored"

run "$KTRAIL" profile --functions --sort hits --top 1 --json true
is "$(tr -d ' \n' <<<"$out")" '[{"function":"vfs_read","hits":6,"total_ns":66000,"avg_ns":11000,"stddev_ns":2280}]' "--sort, --top and --json"
run "$KTRAIL" profile --functions --sort name true
is "$(awk 'NR > 1 { printf "%s ", $1 }' <<<"$out")" "schedule vfs_read vfs_write " "by name"
run "$KTRAIL" profile --functions --sort avg true
is "$(awk 'NR > 1 { printf "%s ", $1 }' <<<"$out")" "schedule vfs_read vfs_write " "by the time of a call"
run "$KTRAIL" profile --functions -o "$KT_TMP/table" --duration 10ms
is "$status:$out" "0:" "--duration ends it, -o gets the table"
like "$(cat "$KT_TMP/table")" 'vfs_read +6' "all of it"

put set_ftrace_filter schedule
before=$(fake_state)
run "$KTRAIL" profile --functions -l 'vfs_*' -n vfs_write sh -c "cat $FAKE/set_ftrace_filter $FAKE/set_ftrace_notrace"
like "$out" $'^vfs_\*\n' "-l replaces the functions that were chosen"
like "$out" 'vfs_write' "-n excludes some"
is "$(fake_state | grep -v notrace)" "$(grep -v notrace <<<"$before")" "and the former choice is restored"

# no function_graph: hits only
put trace_stat/function0 '  Function                               Hit\n  --------                               ---\n  vfs_read                                 4'
put trace_stat/function1 '  Function                               Hit\n  --------                               ---\n  a_name_of_thirty_characters_yes         12'
run "$KTRAIL" profile --functions true
is "$(tr -s ' ' <<<"$out")" "FUNCTION HITS
a_name_of_thirty_characters_yes 12
vfs_read 4" "a kernel that does not time the calls"

put function_profile_enabled 1
run "$KTRAIL" profile --functions true
like "$status:$err" "^1:.*functions are being profiled already" "a profile that is already running is not disturbed"
file function_profile_enabled 1 "… and continues"
put function_profile_enabled 0
run "$KTRAIL" profile --functions /nonexistent/program
is "$status" 1 "a command that cannot be run"
file function_profile_enabled 0 "… switches the profiler off again"
for bad in '-e sched' '-p function' '-B x' '-F' '-g vfs_read' '--sort size'; do
	# shellcheck disable=SC2086
	run "$KTRAIL" profile --functions $bad true
	is "$status" 2 "--functions $bad is misuse" || note "$err"
done
run "$KTRAIL" profile --sort hits true
is "$status" 2 "--sort hits without --functions is misuse"
(exec "$KTRAIL" profile --functions --duration 600s >"$KT_TMP/killed" 2>&1) &
pid=$!
wait_until '[ "$(get function_profile_enabled)" = 1 ]'
kill -INT $pid
wait $pid
is "$?" 0 "Ctrl-C ends it"
like "$(cat "$KT_TMP/killed")" 'vfs_read +4' "with the table"
file function_profile_enabled 0 "and the profiler off"
done_testing
