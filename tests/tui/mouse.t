#!/bin/bash
# mouse.t - the mouse on a real terminal, and files that change or are truncated while they are viewed
. tests/kt_test.sh
command -v tmux >/dev/null || { echo "1..0 # SKIP no tmux"; exit 0; }
export XDG_CACHE_HOME=$KT_TMP/cache XDG_STATE_HOME=$KT_TMP/state XDG_CONFIG_HOME=$KT_TMP
file=$KT_TMP/v6.dat
cp tests/data/6.12-v6.dat "$file"		# not compressed, so it is mapped
. tests/kt_tmux.sh
mux new-session -d -s t -x 100 -y 30 "env TERM=screen-256color LC_ALL=C.UTF-8 PS1='ready> ' bash --norc --noprofile"
waits 'ready>'

# button CODE ROW COL…: as xterm sends it: 0 pressed, 32 moved while pressed, 3 released
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
is "$(modes)" 'mouse 1 1 keypad 1 screen 1' "the terminal reports the mouse, and drags"
types C-w v
waits '│─▸'
button 0 10 50
button 32 10 40
sees $'\n[^\n]{40}│─▸ 1 events' "a border follows the mouse"
button 32 10 60 3 10 60
sees $'\n[^\n]{60}│─▸ 1 events' "until the button is released"
types C-w s
waits $'\n[^\n]{60}│─  1 events'
button 0 15 80 32 20 80 3 20 80
sleep 0.3
shot=$(mux capture-pane -p -t t)
is "$(grep -n '▸ 1 events' <<<"$shot" | cut -d: -f1)" 21 "also the horizontal border between panes"
types C-w o
button 0 2 43 32 2 34 3 2 34
sees 'ktra…-236' "and borders of columns"
button 0 5 20 3 5 20 0 5 20 3 5 20
sees 'sched/|id [0-9]+ ' "two clicks open the fields"
types q
waits 'ready> *$'
is "$(modes)" 'mouse 0 0 keypad 0 screen 0' "the terminal is restored"
for sig in SEGV INT TERM; do
	types "clear; '$KTRAIL' view --no-session '$file'" Enter
	waits '\? help'
	kill -$sig "$(pgrep -f "view --no-session $file" | head -1)"
	waits 'ready> *$'
	is "$(modes)" 'mouse 0 0 keypad 0 screen 0' "also after SIG$sig"
done

types "clear; '$KTRAIL' view --no-session '$file'; echo status \$?" Enter
waits '\? help'
truncate -s 20000 "$file"
types G PgUp g 2 3 4 5 6 1
sees 'the file was cut' "a file that is truncated while it is viewed is reported"
types f sched Tab Escape q
sees 'status 0' "and the viewer continues"
done_testing
