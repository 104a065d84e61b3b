#!/bin/bash
# export.t - write a selection as text, JSON, folded stacks or a recording, or pipe it to a command
. tests/kt_test.sh
export XDG_CACHE_HOME=$KT_TMP/cache XDG_CONFIG_HOME=$KT_TMP XDG_STATE_HOME=$KT_TMP KTRAIL_PLUGIN_DIR=$PWD/$B/plugins
data=$PWD/tests/data/6.12-fgraph.dat
KTRAIL=$(realpath "$KTRAIL")
cd "$KT_TMP" || exit 1

view() { run timeout 60 "$KTRAIL" view --print "${v:-events}" --size "${size:-100x20}" "$@"; [ "$status" = 0 ] || note "$err"; }
shows() { like "$(cat "$KT_TMP/out")" "$1" "$2"; }

view --keys 'jjVjjj' $data
cp out select
view --keys 'jjVjjj:write sel.txt<Enter>' $data
shows 'sel.txt: 4 lines of the selection' "a selection is written as text"
"$KTRAIL" report -i $data | sed 1d | sed -n 3,6p >wanted
same sel.txt wanted "with the lines of report"
view --keys 'jjVjjj:write sel.txt<Enter>' $data
shows 'sel.txt exists: write! replaces it' "a file is not replaced"
view --keys 'jjVj:write! sel.txt<Enter>' $data
is "$(wc -l <sel.txt)" 2 "except with a '!'"
view --keys 'AjjjjjB:write ab.json<Enter>' $data
"$KTRAIL" report --json -i $data | head -6 >wanted
same ab.json wanted "between A and B, as JSON of report"
view --keys 'fsched_switch<Enter>AGB:write all.txt<Enter>' $data
is "$(wc -l <all.txt)" "$("$KTRAIL" report -F sched_switch -i $data | grep -c sched_switch)" "filters apply to the output"
view --keys 'AGB:write all.folded<Enter>' $data
like "$(cat all.folded)" '[^ ;]+;[^ ]*do_nanosleep[^ ]* [0-9]+' "folded stacks"
view --keys '/nanosleep<Enter>AjjjjjjjjjB:write part.dat<Enter>' $data
shows 'part.dat: all events of what is between A and B' "a new recording"
is "$("$KTRAIL" report --json -i part.dat 2>&1 | grep -c funcgraph_)" 10 "with the events from A to B"
view --keys 'jjVj:write /nowhere/x<Enter>' $data
shows 'cannot write /nowhere/x: No such file' "a file that cannot be written is reported"
view --keys ':write<Enter>' $data
shows 'write which file' "a file must be named"
mkfifo nobody
view --keys ':write! nobody<Enter>' $data
shows 'cannot write nobody: No such device' "a FIFO without a reader does not block"
cp $data shown.dat
view --keys ":write! $PWD/shown.dat<Enter>" shown.dat
shows 'is the file that is shown here' "the displayed file is not replaced, even with a '!'"
same shown.dat $data "and is unchanged"
v=timeline view --keys ':write window.txt<Enter>' $data
shows 'of what the screen shows' "without marks, the window is written"

view --keys 'AGB:pipe grep -c do_nanosleep<Enter>' $data
shows '^[^a-z]*[1-9][0-9]*' "a command reads the lines, and its output is shown"
view --keys 'AGB:pipe head -2<Enter>' $data
shows 'exit status 0' "a command that stops reading has not failed"
view --keys 'VjV:pipe sh -c "echo sorry >&2; exit 3"<Enter>' $data
shows 'sorry' "its errors are shown"
shows 'sh failed: exit status 3' "and its exit status"
view --keys ':pipe echo $HOME `id` ;true<Enter>' $data
shows '\$HOME `id` ;true' "the line is not given to a shell"
view --keys ':pipe /nowhere/tool<Enter>' $data
shows "cannot run '/nowhere/tool': No such file" "a missing command"
view --keys ":pipe printf '\\033[31mred'<Enter>" $data
unlike "$(cat out)" $'\e' "its output is escaped"

view --keys 'Vjjy' $data
shows 'copied 3 lines of the selection' "y copies the selection"
view --keys 'VGy' ${data%/*}/6.1-events.dat
shows 'copied 9033 lines of the selection' "also a long one"
view --keys 'y' $data
shows 'copied [0-9]+ bytes' "or the row at the cursor"
v=graph view --keys 'Y' $data
shows 'copied the screen' "Y copies the screen"
# The example of the page: the events of one task between two marks, as text, in 12 keys
view --keys 'tAjjjB:write t.txt<Enter>' $data
is "$(sort -u <<<"$(grep -o '^ *[^ ]*-[0-9]*' t.txt)" | wc -l)" 1 "one task's events between two marks"
cd "$OLDPWD" || exit 1
golden tui/export-select.screen "$(sed 1d "$KT_TMP/select")"
done_testing
