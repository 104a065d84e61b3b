# kt_kills.sh - kill commands at random moments, for tests on real kernels: . tests/kt_kills.sh
# shellcheck shell=bash
#
# The test defines the commands to kill and how to compare the settings:
#	commands=("record -q …" …)	words of ktrail, split at spaces
#	settings			prints the settings to compare
#	back				restores the settings of kills_begin after a command has finished
# then kills_begin, and kills N.
took=()

# try COMMAND SIGNAL SECONDS: start it and send the signal then; with SIGNAL 0 it ends by itself
try() {
	# A background job of a script ignores SIGINT, except with job control.
	set -m
	(set -f; IFS=' '; exec "$KTRAIL" $1) >"$KT_TMP/try" 2>&1 </dev/null &
	set +m
	sleep "$3"
	kill -"$2" $! 2>/dev/null
	wait $! 2>/dev/null
}

# The settings after each command, and its duration
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

# The errors, reported at the end in the one line that fails
tell() {
	printf '%s\n' "$@" >>"$KT_TMP/told"
}

# kill_once I SIGNAL MILLISECONDS: kill it then; the settings are as before, or as after the command
kill_once() {
	try "${commands[$1]}" "$2" "$(($3 / 1000)).$(printf %03d $(($3 % 1000)))"
	"$KTRAIL" restore-settings >"$KT_TMP/restored" 2>&1 || { tell "$(cat "$KT_TMP/restored")"; return 1; }
	# Commands that are asked to end restore the settings themselves.
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
	is $bad 0 "after $1 kills, the settings are as before or as after the command" || note "$(cat "$KT_TMP/told")"
}
