#!/bin/bash
# dump.t - metadata as trace-cmd lays it out
. tests/kt_test.sh
# shellcheck disable=SC2154

command -v trace-cmd >/dev/null || skip_all "no trace-cmd to compare with"
parts="summary all options flyrecord clock strings sections systems events ftrace-events head-page
	head-event kallsyms printk cmd-lines validate"

for f in tests/data/peer/*.dat; do
	for part in $parts; do
		# trace-cmd shows the tables of two buffers only, and empty ones
		case $f.$part in *v6-instances*.summary | *v6-instances*.all | *v6-instances*.flyrecord | \
			*v6-instances*.clock) continue ;; esac
		"$KTRAIL" dump -i "$f" --"$part" >"$KT_TMP/got" 2>&1
		trace-cmd dump -i "$f" --"$part" >"$KT_TMP/want" 2>&1
		same "$KT_TMP/got" "$KT_TMP/want" "$(basename "$f") --$part"
	done
done
run "$KTRAIL" dump --flyrecord tests/data/peer/v6-instances.dat
like "$out" 'funcs' "all buffers of version 6 are shown"

head -c 9000 tests/data/peer/stacks.dat >"$KT_TMP/cut.dat"
run "$KTRAIL" dump -v "$KT_TMP/cut.dat"
is "$status" 1 "a truncated file is not valid"
[ -n "$err" ]
ok $? "and the reason is given"
run "$KTRAIL" dump nosuch.dat
is "$status" 1 "a missing file is a failure"
run "$KTRAIL" dump a.dat b.dat
is "$status" 2 "two files are misuse"

# Names chosen by another user must not control the terminal
evil=$KT_TMP/$(printf 'e\033[2Jvil.dat')
cp tests/data/peer/stacks.dat "$evil"
for args in dump "dump --validate" restore; do
	# shellcheck disable=SC2086
	run "$KTRAIL" $args "-i$evil"
	like "$out$err" 'e\\x1b\[2Jvil.dat' "$args: the name of the file is escaped"
done
run "$KTRAIL" "$(printf 'd\033[2Jump')"
like "$err" "no command 'd\\\\x1b" "a command that does not exist, too"
done_testing
