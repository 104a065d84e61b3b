#!/bin/bash
# screens.t - keys in, screens out: the viewer without a terminal
. tests/kt_test.sh
export XDG_CACHE_HOME=$KT_TMP/cache KTRAIL_PLUGIN_DIR=$PWD/$B/plugins
data=tests/data

# screen NAME VIEW SIZE KEYS FILE…: as in tests/golden/tui/NAME.screen, without the line of all views
screen() {
	run "$KTRAIL" view --print "$2" --size "$3" --keys "$4" "${@:5}"
	[ "$status" = 0 ] || note "$err"
	golden "tui/$1.screen" "$(sed 1d "$KT_TMP/out")"
}

# shows VIEW KEYS TEXT NAME [FILE]: the screen after those keys has the text
shows() {
	run "$KTRAIL" view --print "$1" --size 100x24 --keys "$2" "${5:-$data/peer/lost.dat}"
	like "$(cat "$KT_TMP/out")" "$3" "$4"
}

screen events         events   100x24 ''                   $data/peer/events-irqs.dat
screen events-lost    events   100x24 'L'                  $data/peer/lost.dat
screen events-fields  events   100x30 '/sched_switch<Enter><Enter>' $data/6.12-events.dat
screen events-bytes   events   80x24  '/sched_switch<Enter><Enter>]]]' $data/6.12-events.dat
screen events-wide   events   160x50 '/sched_waking<Enter><Enter>j' $data/6.12-stacks.dat
screen events-stack   events   110x30 'j<Enter>'            $data/6.12-stacks.dat
screen events-narrow  events   60x12  'j'                  $data/6.1-events.dat
screen events-marks   events   100x20 'AjjjjB'             $data/6.1-events.dat
screen events-ascii   events   80x24  ''    --ascii        $data/6.12-events.dat
screen events-columns events   100x16 ':columns time event:13 next_comm prev_prio cpu info<Enter>' $data/6.12-events.dat
screen events-list    events   100x16 'cjjj<Space>J>>jj0'  $data/6.12-events.dat
screen events-dragged events   100x10 '<Click@2,42><Drag@2,48><Release@2,30><Click@2,18><Release@2,72>' $data/6.12-events.dat
screen timeline       timeline 100x20 ''                   $data/6.12-events.dat
screen timeline-wait  timeline 100x20 'W'                  $data/6.12-events.dat
screen timeline-rows  timeline 100x20 'jjjpjjdo'           $data/6.12-events.dat
screen timeline-cpus  timeline 100x12 'cjjjD'              $data/6.12-events.dat
screen timeline-jump  timeline 100x14 '4ijj<Enter><Enter><Enter>' $data/armhf-events.dat
screen timeline-ascii timeline 100x12 'W' --ascii          $data/6.12-events.dat
screen timeline-lost  timeline 100x12 ''                   $data/peer/lost.dat
screen timeline-zoom  timeline 100x20 'W+++'               $data/6.12-events.dat
screen info           info     80x24  ''                   $data/peer/lost.dat
guest="$data/faults/173-agent-new-host.dat $data/faults/173-agent-new-host-guest.dat"
screen events-guest   events   100x20 '@77.44<Enter>'      $guest
screen timeline-guest timeline 100x24 ''                   $guest
screen events-offset  events   100x20 ':offset 2 +1.5ms<Enter>@77.44<Enter>' $guest
screen help           events   80x24  '?'                  $data/6.1-events.dat

shows events '/zzz<Enter>'          "no match for 'zzz'"           "a search without a match is reported"
shows events '/(<Enter>'            'not a regular expression'     "a wrong expression is refused"
shows events 'fsched_switch<Enter>' 'only sched_switch'            "a filter is in the status line"
shows events 'fnext_pid == <Enter>' 'is missing here'                  "an impossible filter is refused"
shows events 'fcommon_pid == 99999<Enter>' 'No matching events'    "an empty view is explained"
shows events 'fcommon_pid == 99999<Enter>F' 'filters are off'      "F shows all again"
shows events ':nonsense<Enter>'     "no command 'nonsense'"        "an unknown command is reported"
shows events ':view info<Enter>'    'What to know'                 "a view by its name"
shows events 'G'                    'event 2011 of 2011'           "G goes to the end"
shows events 'Gg'                   'event 1 of 2011'              "g goes to the beginning"
shows events 'L<Size@80x2><Size@80x24>' 'event 1860 of 2011' "the selected event remains, also on a screen of one row"
shows events '@50%<Enter>'          'event 10[0-9][0-9] of 2011'   "half of the trace"
shows events '@#500<Enter>'         'event 500 of 2011'            "a row by its number"
for text in nan% 150% -5 1e300 '#-1' 99999999999999999999 '50.5 x'; do
	shows events "@$text<Enter>" "is not a time, a percentage, or #ROW.*#row: $text" "nothing goes to $text"
done
shows events 'jjjma note<Enter>gg'"'a<Enter>l" 'event 4 of 2011'    "a mark can be reached again"
shows events 'GGg<Ctrl-O>'          'event 2011 of 2011'           "back to where the cursor was"
shows events 'jjt'                  'only common_pid'              "only this task"
shows events 'jje'                  'only [a-z_]+/'                "only this event"
shows events '<F1>q'                'event 1 of'                   "help can be closed"
shows events ':columns time nothing<Enter>' "neither a column nor a field of an event" "unknown columns are refused"
shows events ':columns time:0<Enter>' "'0' is not a width"        "and invalid widths"
shows events ':columns cpu<Enter>:columns default<Enter>' 'TIME +Δ CPU' "the default columns again"
shows events 'c<Space><Space><Space><Space><Space><Space><Space>' 'one column stays' "at least one column is needed"
shows events '<Esc>'                'nothing is going on'          "Esc without work to stop is reported"

LC_ALL=C run "$KTRAIL" view --print events --size 80x24 $data/6.12-events.dat
is "$(sed 1d "$KT_TMP/out")" "$(cat tests/golden/tui/events-ascii.screen)" "only ASCII if the locale has no other characters"
# A typed line that is wider than the screen ends at its cursor, with whole characters.
shows events "fCOMM == \"$(printf 'ä%.0s' {1..120})z" "only: ä{92}z[^z]" "a long line of other characters"

run "$KTRAIL" view --print events --keys '<Nokey>' $data/6.1-events.dat
is "$status" 1 "an unknown key is refused"
like "$err" "'<Nokey>' is not the name of a key" "and reported"
run "$KTRAIL" view --print nothing $data/6.1-events.dat
is "$status" 1 "an unknown view is refused"
run "$KTRAIL" view --print events --size 10 $data/6.1-events.dat
is "$status" 2 "so is an invalid size"
run "$KTRAIL" view $data/6.1-events.dat
is "$status" 1 "without a terminal there is no viewer"
like "$err" 'ktrail report' "and report is suggested"

# Events with a format that cannot be parsed are skipped by all views
sed 's/name: sched_wakeup_new/nome: sched_wakeup_new/' $data/6.12-v6.dat >"$KT_TMP/format.dat"
cmp -s $data/6.12-v6.dat "$KT_TMP/format.dat"
is "$?" 1 "a file with a damaged format"
shows latency '' 'worst at' "latencies of a file with a damaged format" "$KT_TMP/format.dat"
shows events 'fsched_swi<Tab><Enter>' 'only sched_switch' "completion there, too" "$KT_TMP/format.dat"

# The tasks in the page, with their number of keys
shows timeline 'W' 'waits .*: CPU [0-9]+ had ' "the longest wait and who had the CPU: one key" $data/6.12-events.dat
shows events 'L' 'events lost here' "where events were lost: one key"

# Any size, any file: no crash, and no control characters
bad=0
for file in $data/*.dat $data/peer/*.dat; do
	for view in events graph timeline latency flame info; do
		for size in 1x1 20x5 80x24; do
			"$KTRAIL" view --print "$view" --size $size --keys 'jGkg?<Esc><Tab>+-L' "$file" >"$KT_TMP/out" 2>"$KT_TMP/err" &&
				! LC_ALL=C grep -q '[[:cntrl:]]' <(tr -d '\n' <"$KT_TMP/out") ||
				{ bad=1; note "$view $size $file: $(head -1 "$KT_TMP/err")"; }
		done
	done
done
ok $bad "every sample in every view and size"
done_testing
