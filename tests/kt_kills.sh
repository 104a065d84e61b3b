# kt_kills.sh - kill commands at random moments, for tests on real kernels: . tests/kt_kills.sh
# shellcheck shell=bash
#
# The test says what is killed and how to look at the machine:
#	commands=("record -q …" …)	words of ktrail, split at spaces
#	settings			prints what is compared
#	back				makes it again what it was at kills_begin, after a command was done
# then kills_begin, and kills N.
took=()

# try COMMAND SIGNAL SECONDS: started, and killed then; SIGNAL 0 lets it end
try() {
	# In the background of a script SIGINT is ignored, but not where jobs are controlled.
	set -m
	(set -f; IFS=' '; exec "$KTRAIL" $1) >"$KT_TMP/try" 2>&1 </dev/null &
	set +m
	sleep "$3"
	kill -"$2" $! 2>/dev/null
	wait $! 2>/dev/null
}

# What each command makes of the machine, and how long it takes
kills_begin() {
	local i start

	settings >"$KT_TMP/session"
	for i in "${!commands[@]}"; do
		start=${EPOCHREALTIME/./}
		try "${commands[i]}" 0 0
		ok $? "unharmed, it works: ${commands[i]:0:40}" || note "$(head -3 "$KT_TMP/try")"
		took[i]=$(((${EPOCHREALTIME/./} - start) / 1000))
		settings >"$KT_TMP/done.$i"
		back
		settings >"$KT_TMP/after"
		same "$KT_TMP/after" "$KT_TMP/session" "all comes back after ${commands[i]:0:40} (${took[i]} ms)"
	done
}

# What was wrong, for the end: the one line that fails comes then
tell() {
	printf '%s\n' "$@" >>"$KT_TMP/told"
}

# kill_once I SIGNAL MILLISECONDS: killed then, all is as it was, or as if nobody had killed it
kill_once() {
	try "${commands[$1]}" "$2" "$(($3 / 1000)).$(printf %03d $(($3 % 1000)))"
	"$KTRAIL" restore-settings >"$KT_TMP/restored" 2>&1 || { tell "$(cat "$KT_TMP/restored")"; return 1; }
	# Those that are told to end need no help.
	[ "$2" = KILL ] || grep -q '^nothing' "$KT_TMP/restored" || { tell "a journal was left"; return 1; }
	settings >"$KT_TMP/after"
	cmp -s "$KT_TMP/after" "$KT_TMP/session" && return
	cmp -s "$KT_TMP/after" "$KT_TMP/done.$1" || { tell "$(diff "$KT_TMP/session" "$KT_TMP/after" | head -12)"; return 1; }
	back
	return 0
}

kills() {
	local signals=(KILL INT KILL TERM) bad=0 nr i signal when

	for ((nr = 0; nr < $1; nr++)); do
		i=$((nr % ${#commands[@]}))
		signal=${signals[(nr + nr / ${#commands[@]}) % 4]}
		when=$((RANDOM * (took[i] + 10) / 32768))
		kill_once $i $signal $when && continue
		bad=$((bad + 1))
		tell "SIG$signal after $when of ${took[i]} ms: ${commands[i]}"
		"$KTRAIL" restore-settings >/dev/null 2>&1
		back
	done
	is $bad 0 "after $1 kills the machine is as it was, or all was done" || note "$(cat "$KT_TMP/told")"
}
