#!/bin/bash
# terminal.t - the viewer on real terminals, by tmux: colours, sizes, signals, and what it leaves behind
. tests/kt_test.sh
command -v tmux >/dev/null || { echo "1..0 # SKIP no tmux"; exit 0; }
export XDG_CACHE_HOME=$KT_TMP/cache XDG_STATE_HOME=$KT_TMP/state
file=$KT_TMP/lost.dat
cp tests/data/peer/lost.dat "$file"
. tests/kt_tmux.sh
trap 'mux kill-server 2>/dev/null' EXIT
mux new-session -d -s keep

# begin SIZE COMMAND…: a shell in a terminal of COLUMNSxROWS
begin() {
	mux kill-session -t t 2>/dev/null
	mux new-session -d -s t -x "${1%x*}" -y "${1#*x}" "env TERM=${2:-screen-256color} LC_ALL=${3:-C.UTF-8} PS1='ready> ' bash --norc --noprofile"
	waits 'ready>'
}

begin 80x24
types "stty -a | cksum; '$KTRAIL' view '$file'" Enter
sees 'sched_' "the events are there"
types L
sees 'events lost here' "L goes to where events were lost"
mux resize-window -t t -x 120 -y 40 2>/dev/null
sees 'Tab view' "a larger terminal is filled"
mux resize-window -t t -x 10 -y 3 2>/dev/null
sleep 0.3
mux resize-window -t t -x 80 -y 24 2>/dev/null
sees '\? help' "and a tiny one is survived"
types '?'
sees 'what happened around here' "? is help"
types x
types Tab
sees 'TOTAL' "Tab is the next view"
types C-z
sees 'Stopped' "Ctrl-Z leads to the shell"
types fg Enter
sees 'TOTAL' "fg back"
types q
sees 'ready> *$' "q leaves"
types 'stty -a | cksum' Enter
sleep 0.5
shot=$(mux capture-pane -p -t t)
is "$(grep -cE '^[0-9]+ [0-9]+$' <<<"$shot")" 2 "both sums of the settings are there"
is "$(grep -E '^[0-9]+ [0-9]+$' <<<"$shot" | sort -u | wc -l)" 1 "and the terminal is as it was"

types "'$KTRAIL' view '$file'; echo status \$?" Enter
waits '\? help'
pid=$(pgrep -f "view $file" | head -1)
kill -SEGV "$pid"
sees 'ready>' "a crash gives the terminal back"
types 'stty -a | grep -o "[-]*echo " | head -1' Enter
sees 'echo' "with its echo"

begin 80x24 vt100 C
types "'$KTRAIL' view --view timeline '$file'" Enter
sees 'CPU 0' "a vt100 works"
unlike "$(mux capture-pane -p -t t | LC_ALL=C tr -d '\0-\177')" '.' "with nothing but ASCII"
types q
begin 80x24 dumb
types "'$KTRAIL' view '$file'; echo status \$?" Enter
sees 'status 1' "a dumb terminal is refused"

# sizes, colours, ASCII
begin 200x60
types "'$KTRAIL' view --no-session '$file'" Enter
sees 'Tab view .*\? help +q quit' "200x60 has all keys"
types C-w v
types 3
sees '▸ 3 timeline' "and room for two panes"
mux resize-window -t t -x 80 -y 24 2>/dev/null
sees '▸ 3 timeline' "which 80x24 has, too"
mux resize-window -t t -x 20 -y 6 2>/dev/null
sees 'CPU 0' "where there is room for one, it is that with the keys"
mux resize-window -t t -x 80 -y 24 2>/dev/null
types C-w q
sees 'event [0-9]+ of' "closing one leads to the other"
like "$(mux capture-pane -e -p -t t)" $'\e\\[38;5;' "256 colours"
types q
waits 'ready> *$'
types "NO_COLOR=1 '$KTRAIL' view '$file'" Enter
waits '\? help'
unlike "$(mux capture-pane -e -p -t t)" $'\e\\[[0-9;]*3[0-7]m|38;5' "NO_COLOR: none"
types q
begin 80x24 screen
types "'$KTRAIL' view '$file'" Enter
waits '\? help'
unlike "$(mux capture-pane -e -p -t t)" $'38;5' "8 colours: none of the others"
like "$(mux capture-pane -e -p -t t)" $'\e\\[[0-9;]*3[0-7]m' "but these"
types q
begin 80x24 linux C
types "'$KTRAIL' view '$file'" Enter
waits '\? help'
unlike "$(mux capture-pane -p -t t | LC_ALL=C tr -d '\0-\177')" '.' "the linux console without UTF-8: ASCII"
types q
waits 'ready> *$'

# what is kept, and what is not
begin 80x24
types "'$KTRAIL' view '$file'" Enter
waits '\? help'
types j A j j B q
waits 'ready> *$'
ok "$([ -e "$file.view" ]; echo $?)" "marks are kept beside the file"
types "clear; '$KTRAIL' view '$file'" Enter
sees 'as you left it: 2 marks' "and are there again"
types q
waits 'ready> *$'
types "clear; echo nonsense >'$file.view'; '$KTRAIL' view '$file'" Enter
sees 'not a side-car' "another file of that name is not used"
types q
waits 'ready> *$'
types "clear; rm '$file.view'; '$KTRAIL' view --no-session '$file'" Enter
waits '\? help'
types ':' 'mark here' Enter ':' Up
sees ':mark here' "what was typed comes back"
types C-c q
waits 'ready> *$'
ok "$([ ! -e "$file.view" ]; echo $?)" "--no-session keeps nothing"

# the viewer is known by now; a new user is told once
types "clear; rm -f $KT_TMP/state/ktrail/view-known; '$KTRAIL' report --no-pager '$file' >/dev/tty | tail -1; echo end" Enter
sees 'searches, folds and zooms' "report on a terminal names the viewer"
types "clear; '$KTRAIL' report --no-pager '$file'; echo the-'end'" Enter
waits 'the-end'
unlike "$(mux capture-pane -p -t t)" 'searches, folds and zooms' "once"
run "$KTRAIL" record -V true </dev/null
is "$status" 1 "record -V needs a terminal, and says so before it records"
like "$err" 'not a terminal that can show' "with that reason"
run "$KTRAIL" record -V --daemonize true
is "$status" 2 "and cannot be in the background"

# Keys at random, in all views: it lives, and q ends it
begin 100x30
types "'$KTRAIL' view '$file'; echo status \$?" Enter
waits '\? help'
RANDOM=7
keys=(j k l h g G L K p r . Enter Tab BTab + - W w '[' ']' 0 PgDn PgUp Up Down A B n N F X '?' Escape C-l t e y 1 2 3 4 5 6)
for _ in {1..60}; do
	batch=()
	for _ in {1..10}; do batch+=("${keys[RANDOM % ${#keys[@]}]}"); done
	types "${batch[@]}"
done
sleep 0.5
types Escape Escape
sleep 0.3
types q q q
sees 'status 0' "600 keys at random"
done_testing
