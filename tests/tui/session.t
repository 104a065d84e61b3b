#!/bin/bash
# session.t - marks, filters and places that are stored for the next start, and their lists
. tests/kt_test.sh
export XDG_CACHE_HOME=$KT_TMP/cache XDG_STATE_HOME=$KT_TMP/state KTRAIL_PLUGIN_DIR=$PWD/$B/plugins
data=tests/data/6.12-fgraph.dat side=$KT_TMP/s.view

view() { run timeout 60 "$KTRAIL" view --print events --size "${size:-100x20}" "$@"; [ "$status" = 0 ] || note "$err"; }
shows() { like "$(cat "$KT_TMP/out")" "$1" "$2"; }

view --keys 'A/nanosleep<Enter>Bmlate a night<Enter>GM' $data
golden tui/session-marks.screen "$(sed 1d "$KT_TMP/out")"
view --keys 'fsched_switch<Enter>Hprev_pid == 0<Enter>F<Ctrl-G>j' $data
golden tui/session-filters.screen "$(sed 1d "$KT_TMP/out")"

view --keys 'A/nanosleep<Enter>B' $data
shows 'A-B 380 ms, 23 events, [0-9]+ calls?' "the events between A and B"
view --keys 'A/nanosleep<Enter>Bfsched_switch<Enter>' $data
shows 'A-B 380 ms, 1[0-9] events' "those of them that the filter shows"
view --keys 'mlate x<Enter>GMj<Enter>l' $data
shows 'event 1 of' "Enter in the list of marks goes there"
view --keys 'mlate x<Enter>Md' $data
shows 'event 1 of' "d removes the last mark, and the list closes"
view --keys "m1 two three<Enter>G'1<Enter>" $data
shows '1: two three' "the note of a mark is shown"
view --keys 'm<Enter>m**<Enter>' $data
shows "'\*\*' is not a name" "an invalid name of a mark"
view --keys "'nowhere<Enter>" $data
shows "no mark 'nowhere'" "an unknown mark"
view --keys ':unmark nowhere<Enter>' $data
shows "no mark 'nowhere'" "it cannot be removed"
view --keys 'fsched_switch<Enter><Ctrl-G><Enter>q' $data
shows 'event 1 of 7161' "a filter is switched off in the list"
view --keys 'fsched_switch<Enter><Ctrl-G>e<Ctrl-U>prev_pid == 0<Enter>q' $data
shows 'only prev_pid == 0 ' "and edited"
view --keys 'fsched_switch<Enter><Ctrl-G>e && (<Enter>' $data
golden "tui/session-refused.screen" "$(sed 1d "$KT_TMP/out")"
view --keys 'fsched_switch<Enter>:unfilter 2<Enter>' $data
shows "'2' is not a filter: they are 1 to 1" "filters have numbers"
view --keys 'fsched_switch<Enter>:unfilter 1<Enter>' $data
shows 'removed: sched_switch' "and are removed by them"
view --keys '<Ctrl-G>' $data
shows 'there are no filters' "an empty list is explained"

view --session "$side" --keys '/nanosleep<Enter>Bmhere a note<Enter>fsched_switch<Enter>2' $data
like "$(cat "$side")" 'mark here .* a note' "a session is stored in a file"
run timeout 60 "$KTRAIL" view --print events --session "$side" --size 100x20 $data
shows '2 marks .*, 1 filter .' "it is restored"
shows '2 graph.*' "and the view"
view --session "$side" tests/data/6.12-events.dat
shows 'belongs to another trace, ignored' "it is not used for another trace"
view --session "$side" --keys ':columns time:12 prev_pid info<Enter>' $data
view --session "$side" $data
shows 'TIME prev_pid +INFO' "columns are restored"
echo 'ktrail-view 1' >"$side"
view --session "$side" $data
shows 'belongs to another trace' "also not without a trace"
view --keys A $data
ok "$([ ! -e $data.view ]; echo $?)" "--print leaves no file"
two="tests/data/6.1-events.dat $data"
view --keys ':files<Enter>j>>+' $two
golden tui/session-files.screen "$(sed 1d "$KT_TMP/out")"
view --keys ':offset 2 +29s<Enter>@118.7<Enter>' $two
shows '118\.[0-9]+ .*2:[01] +ktrail/for\S+-176' "a file is moved to the time of another one"
view --keys 3 $two
shows 'CPU 1:0 .*CPU 2:0' "the timeline distinguishes the CPUs of the files"
view --keys 6 $two
shows 'file 2 has clock local, file 1 global' "different clocks are reported"
view --keys ':offset 2 +29s<Enter>:offset 2 -29s<Enter>' $two
shows '  89.239206 ' "and back"
view --keys ':offset 3 +1s<Enter>' $two
shows 'which file, 1 to 2' "an unknown file number"
view --keys ':offset 2 1s<Enter>' $two
shows 'by how much' "an offset needs a sign"
run "$KTRAIL" view --print events -i tests/data/6.1-events.dat -i $data --ts-offset 29000000000
shows ' 118\.' "the offset of the command line"
run "$KTRAIL" view --print events --session x --no-session $data
is "$status" 2 "both at once is misuse"
done_testing
