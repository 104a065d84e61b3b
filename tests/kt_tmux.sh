# kt_tmux.sh - for tests on a real terminal: . tests/kt_tmux.sh, after kt_test.sh
# shellcheck shell=bash disable=SC2154
# A tmux server of the test's own; its session t is the terminal.
export TMUX_TMPDIR=$KT_TMP
unset TMUX NO_COLOR LINES COLUMNS
mux() { tmux -L kt -f /dev/null "$@"; }
types() { mux send-keys -t t "$@"; }

# waits REGEX: up to twenty seconds for it to be on the screen, which is then in $shot
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
