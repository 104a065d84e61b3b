# kt_tmux.sh - for tests on a real terminal: . tests/kt_tmux.sh, after kt_test.sh
# shellcheck shell=bash disable=SC2154
# A tmux server of this test, which ends with it in any case; its session t is the terminal.
export TMUX_TMPDIR=$KT_TMP
unset TMUX NO_COLOR LINES COLUMNS
mux() { tmux -L kt -f /dev/null "$@"; }
setpriv --pdeathsig TERM tmux -L kt -f /dev/null -D >/dev/null 2>&1 &
wait_until "[ -S '$KT_TMP/tmux-$(id -u)/kt' ]"
types() { mux send-keys -t t "$@"; }

# waits REGEX: wait up to twenty seconds until the screen has it; $shot is the screen
waits() {
	local _
	for _ in {1..200}; do
		shot=$(mux capture-pane -p -t t 2>/dev/null)
		[[ $shot =~ $1 ]] && return 0
		sleep 0.1
	done
	return 1
}

# sees REGEX NAME
sees() {
	waits "$1"
	ok $? "$2" || note "$shot"
}
