#!/bin/bash
# tasks.t - typical tasks in the viewer, with a counted number of keys
#
# The page shows the same tasks; each begins with the first screen of `ktrail view FILE`.
. tests/kt_test.sh
export XDG_CACHE_HOME=$KT_TMP/cache
data=tests/data

# plays TASK MOST KEYS FILE TEXT: KEYS as for --keys; a typed text in braces counts as one key
plays() {
	local task=$1 most=$2 keys=$3 file=$4 text=$5 rest=$3 nr=0

	while [ -n "$rest" ]; do
		case $rest in
		'{'*'}'*) rest=${rest#*'}'} ;;
		'<'*'>'*) rest=${rest#*'>'} ;;
		*)        rest=${rest#?} ;;
		esac
		nr=$((nr + 1))
	done
	[ "$nr" -le "$most" ]
	ok $? "$task: $nr keys of $most"
	keys=${keys//'{'/}
	for size in 110x30 80x24; do
		rm -f "$KT_TMP/saved.txt"
		run timeout 60 "$KTRAIL" view --print events --size $size --keys "${keys//'}'/}" "$data/$file"
		like "$(cat "$KT_TMP/out")" "$text" "$task: the screen has it at $size"
	done
	like "$(<Documentation/ktrail-view.md)" "| $task |" "$task: the page has it"
}

plays "the slowest openat and its longest child" 5 '2S{openat}<Enter>l' 6.12-fgraph-retval.dat \
	'do_sys_openat2 = 3'
plays "the longest wait for a CPU, and who had it" 5 '3W' 6.12-events.dat \
	'khugepaged:41 waits 58.3 ms: CPU 0 had ktrail/formats:196'
plays "where events were lost, one after the other" 3 'LL' peer/lost.dat 'events lost here'
plays "from an event into the call that contains it" 3 '2' 6.12-fgraph.dat 'TOTAL +SELF'
plays "and back to the event" 3 '21' 6.12-fgraph.dat 'event 1 of'
plays "an outlier of irq durations in the timeline" 6 '4i<Enter><Enter><Enter>' armhf-events.dat \
	'43.8 ms on CPU 0, dd:106'
plays "one task's events between two marks, saved as text" 12 "tAjjjB:{write $KT_TMP/saved.txt}<Enter>" \
	6.12-events.dat '4 lines of what is between A and B'
is "$(wc -l <"$KT_TMP/saved.txt")" "$(grep -c 'ktrail-194 ' "$KT_TMP/saved.txt")" "of that task only"
ok $(($(wc -l <"$KT_TMP/saved.txt") < 4)) "and all events between the marks"
plays "help, and out of the program" 2 '?q' 6.12-events.dat 'what happened around here|event 1 of'
done_testing
