#!/bin/bash
# mouse.t - the mouse on a real terminal, and files that change or end under the viewer
. tests/kt_test.sh
command -v tmux >/dev/null || { echo "1..0 # SKIP no tmux"; exit 0; }
export XDG_CACHE_HOME=$KT_TMP/cache XDG_STATE_HOME=$KT_TMP/state XDG_CONFIG_HOME=$KT_TMP
file=$KT_TMP/v6.dat
cp tests/data/6.12-v6.dat "$file"		# not compressed, so it is mapped
. tests/kt_tmux.sh
trap 'mux kill-server 2>/dev/null' EXIT
mux new-session -d -s t -x 100 -y 30 "env TERM=screen-256color LC_ALL=C.UTF-8 PS1='ready> ' bash --norc --noprofile"
waits 'ready>'

# button CODE ROW COL…: as xterm tells it: 0 pressed, 32 moved while it is held, 3 released
button() {
	local bytes=()
	while [ $# -gt 2 ]; do
		bytes+=(1b 5b 4d "$(printf '%02x' $((32 + $1)))" "$(printf '%02x' $((33 + $3)))" "$(printf '%02x' $((33 + $2)))")
		shift 3
	done
	types -H "${bytes[@]}"
}
modes() { mux display -p -t t 'mouse #{mouse_any_flag} #{mouse_button_flag} keypad #{keypad_flag} screen #{alternate_on}'; }

types "'$KTRAIL' view --no-session '$file'" Enter
waits '\? help'
is "$(modes)" 'mouse 1 1 keypad 1 screen 1' "the terminal reports the mouse, and moves with its button held"
types C-w v
waits '│─▸'
button 0 10 50
button 32 10 40
sees $'\n[^\n]{40}│─▸ 1 events' "a border follows the mouse"
button 32 10 60 3 10 60
sees $'\n[^\n]{60}│─▸ 1 events' "and stays where it is released"
types C-w s
waits $'\n[^\n]{60}│─  1 events'
button 0 15 80 32 20 80 3 20 80
sleep 0.3
shot=$(mux capture-pane -p -t t)
is "$(grep -n '▸ 1 events' <<<"$shot" | cut -d: -f1)" 21 "the border between panes one above the other, too"
types C-w o
button 0 2 44 32 2 36 3 2 36
sees 'ktrail/fo…' "and the borders of columns"
button 0 5 20 3 5 20 0 5 20 3 5 20
sees 'sched/|id [0-9]+ ' "two clicks open the fields"
types q
waits 'ready> *$'
is "$(modes)" 'mouse 0 0 keypad 0 screen 0' "all is put back"
for sig in SEGV INT TERM; do
	types "clear; '$KTRAIL' view --no-session '$file'" Enter
	waits '\? help'
	kill -$sig "$(pgrep -f "view --no-session $file" | head -1)"
	waits 'ready> *$'
	is "$(modes)" 'mouse 0 0 keypad 0 screen 0' "so it is by SIG$sig"
done

types "clear; '$KTRAIL' view --no-session '$file'; echo status \$?" Enter
waits '\? help'
truncate -s 20000 "$file"
types G PgUp g 2 3 4 5 6 1
sees 'the file was cut' "a file that is cut while it is viewed: that is said"
types f sched Tab Escape q
sees 'status 0' "and the viewer goes on"
done_testing
