#!/bin/bash
# terminal.t - the viewer on real terminals, by tmux: colours, sizes, signals, and the terminal afterwards
. tests/kt_test.sh
command -v tmux >/dev/null || { echo "1..0 # SKIP no tmux"; exit 0; }
export XDG_CACHE_HOME=$KT_TMP/cache XDG_STATE_HOME=$KT_TMP/state
file=$KT_TMP/lost.dat
cp tests/data/peer/lost.dat "$file"
. tests/kt_tmux.sh

# begin SIZE COMMAND…: a shell in a terminal of COLUMNSxROWS
begin() {
	mux kill-session -t t 2>/dev/null
	mux new-session -d -s t -x "${1%x*}" -y "${1#*x}" "env TERM=${2:-screen-256color} LC_ALL=${3:-C.UTF-8} PS1='ready> ' bash --norc --noprofile"
	waits 'ready>'
}

begin 80x24
types "cat '$file' | '$KTRAIL' view -" Enter
sees 'sched_' "a trace that comes through a pipe is shown"
types L
sees 'events lost here' "and keys come from the terminal"
types q
sees 'ready>' "q ends it"
begin 80x24
types "'$KTRAIL' view --no-session tests/data/6.12-irqsoff.dat" Enter
sees 'irqsoff of bash-70: 150 ms' "a recording of nothing but a report opens with it"
types q
waits 'ready> *$'
begin 80x24
types "stty -a >'$KT_TMP/before'; '$KTRAIL' view '$file'" Enter
sees 'sched_' "the events are shown"
types L
sees 'events lost here' "L goes to where events were lost"
mux resize-window -t t -x 120 -y 40 2>/dev/null
sees 'Tab view' "a larger terminal is filled"
mux resize-window -t t -x 10 -y 3 2>/dev/null
sleep 0.3
mux resize-window -t t -x 80 -y 24 2>/dev/null
sees '\? help' "and a tiny one is no problem"
types '?'
sees 'what happened around here' "? shows help"
types x
types Tab
sees 'TOTAL' "Tab shows the next view"
types C-z
sees 'Stopped' "Ctrl-Z returns to the shell"
types fg Enter
sees 'TOTAL' "fg continues the viewer"
pid=$(pgrep -f "view $file" | head -1)
kill -TSTP "$pid"
sees 'Stopped.*Stopped' "so does SIGTSTP"
mux resize-window -t t -x 120 -y 40 2>/dev/null
types fg Enter
sees 't task' "fg, on a terminal that is larger now"
is "$(mux display -p -t t '#{mouse_button_flag}')" 1 "with drags of the mouse"
mux resize-window -t t -x 80 -y 24 2>/dev/null
sees 'u caller[^T]*\? help' "and back"
types q
sees 'ready> *$' "q leaves"
types "stty -a >'$KT_TMP/after'" Enter
wait_until "[ -s '$KT_TMP/after' ]"
same "$KT_TMP/before" "$KT_TMP/after" "and the terminal is restored"

for signal in SEGV BUS USR1; do
	types "clear; '$KTRAIL' view '$file'" Enter
	waits '\? help'
	kill -$signal "$(pgrep -f "view $file" | head -1)"
	sees 'ready> *$' "SIG$signal restores the terminal"
done
types 'stty -a | grep -o "[-]*echo " | head -1' Enter
sees 'echo' "including its echo"
begin 80x24
types "trap '' HUP; '$KTRAIL' view '$file' 2>'$KT_TMP/gone'" Enter
waits '\? help'
pid=$(pgrep -f "view $file" | head -1)
mux kill-session -t t
wait_until "[ ! -e /proc/$pid ]"
ok $? "closing the terminal ends it, even if nohup ignores SIGHUP"
like "$(cat "$KT_TMP/gone")" 'terminal is gone' "with a message"

begin 80x24 vt100 C
types "'$KTRAIL' view --view timeline '$file'" Enter
sees 'CPU 0' "a vt100 works"
unlike "$(mux capture-pane -p -t t | LC_ALL=C tr -d '\0-\177')" '.' "with ASCII only"
types q
begin 80x24 dumb
types "'$KTRAIL' view '$file'; echo status \$?" Enter
sees 'status 1' "a dumb terminal is refused"
begin 80x24 xterm-of-tomorrow
types "'$KTRAIL' view '$file'; echo status \$?" Enter
sees 'TERM=xterm, or .*status 1' "also one without terminfo, with a suggestion"

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
sees 'CPU 0' "with room for one, the pane with the focus is shown"
mux resize-window -t t -x 80 -y 24 2>/dev/null
types C-w q
sees 'event [0-9]+ of' "closing one selects the other"
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
unlike "$(mux capture-pane -e -p -t t)" $'38;5' "8 colours: no others are used"
like "$(mux capture-pane -e -p -t t)" $'\e\\[[0-9;]*3[0-7]m' "but these"
types q
# An entry for direct colour, as ncurses-term has it for some terminals
if command -v tic >/dev/null; then
	entry=$KT_TMP/terminfo
	tic -x -o "$entry" - <<'END'
screen-direct|screen with direct colours,
	RGB, colors#0x1000000, pairs#0x7FFF, use=screen-256color,
	setaf=\E[%?%p1%{8}%<%t3%p1%d%e38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m,
END
	begin 80x24 screen-256color
	types "TERMINFO='$entry' COLORTERM=truecolor '$KTRAIL' view '$file'" Enter
	waits '\? help'
	like "$(mux capture-pane -e -p -t t)" $'\e\\[38;2;' "COLORTERM=truecolor: all colours, where terminfo has such an entry"
	types q
	waits 'ready> *$'
	types "clear; COLORTERM=truecolor TERMINFO= '$KTRAIL' view '$file'" Enter
	waits '\? help'
	like "$(mux capture-pane -e -p -t t)" $'\e\\[38;5;' "and 256 where it has not"
	types q
fi
begin 80x24 linux
types "'$KTRAIL' view '$file'" Enter
waits '\? help'
unlike "$(mux capture-pane -p -t t | LC_ALL=C tr -d '\0-\177')" '.' "the linux console, whose font has few blocks: ASCII"
types q
waits 'ready> *$'

# a file that is being written
cp "$file" "$KT_TMP/now.dat"
begin 100x24
types "'$KTRAIL' view --no-session '$KT_TMP/now.dat'; echo status \$?" Enter
waits 'event 1 of 2011'
types A
cp tests/data/peer/events-irqs.dat "$KT_TMP/now.dat"
sees 'has changed, :reload' "a changed file is reported"
types :reload Enter
waits 'read again'
types k
sees 'A 50\.50034. .*event 1402 of 1403' "and its new content is shown, with the marks"
rm "$KT_TMP/now.dat"
sees 'has changed, :reload' "also a deleted one"
types :reload Enter
sees 'now.dat: No such file' "which cannot be read again"
types k
sees 'event 1401 of 1403' "and its view stays"
types q
sees 'status 0' "to the end"

# stored sessions
begin 80x24
types "'$KTRAIL' view '$file'" Enter
waits '\? help'
types j A j j B q
waits 'ready> *$'
ok "$([ -e "$file.view" ]; echo $?)" "marks are stored next to the file"
types "clear; '$KTRAIL' view '$file'" Enter
sees 'as you left it: 2 marks' "and restored"
types q
waits 'ready> *$'
types "clear; echo nonsense >'$file.view'; '$KTRAIL' view '$file'" Enter
sees 'not a side-car' "another file of that name is not used"
types q
waits 'ready> *$'
types "clear; rm '$file.view'; '$KTRAIL' view --no-session '$file'" Enter
waits '\? help'
types ':' 'mark here' Enter ':' Up
sees ':mark here' "typed lines are restored"
types C-c q
waits 'ready> *$'
ok "$([ ! -e "$file.view" ]; echo $?)" "--no-session stores nothing"

# OSC 52: copied text goes through the terminal into its clipboard, here the buffer of tmux
mux set -g set-clipboard on
types "clear; '$KTRAIL' view --no-session '$file'" Enter
waits '\? help'
types j y
wait_until "mux show-buffer >/dev/null 2>&1"
like "$(mux show-buffer)" '^ *[^ ]+-[0-9]+ +\[[0-9]+\] .*[a-z_]+: ' "y copies the row to the clipboard of the terminal"
types Y
wait_until "mux show-buffer | grep -q INFO"
like "$(mux show-buffer)" 'TIME .*INFO' "Y copies the screen"
types q
waits 'ready> *$'

# the hint for new users was already shown here; with another home it is shown once
types "clear; rm -f $KT_TMP/state/ktrail/view-known; '$KTRAIL' report --no-pager '$file' >/dev/tty | tail -1; echo end" Enter
sees 'searches, folds and zooms' "report on a terminal names the viewer"
types "clear; '$KTRAIL' report --no-pager '$file'; echo the-'end'" Enter
waits 'the-end'
unlike "$(mux capture-pane -p -t t)" 'searches, folds and zooms' "once"
run "$KTRAIL" record -V true </dev/null
is "$status" 1 "record -V needs a terminal, and fails before it records"
like "$err" 'not a terminal that can show' "with the reason"
run "$KTRAIL" record -V --daemonize true
is "$status" 2 "and cannot be in the background"

# Random keys in all views: no crash, and q ends it
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
