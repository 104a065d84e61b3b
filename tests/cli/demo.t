#!/bin/bash
# demo.t - `make demo` fits on a screen, and the commands that it suggests work on this kernel
. tests/kt_test.sh

# Each command of the last lines prints something.
next() {
	local cmd
	sed -n '/^Next:/,$s/^  \(.*[^ ]\) *# .*/\1/p' "$KT_TMP/demo" >"$KT_TMP/next"
	is "$(wc -l <"$KT_TMP/next")" 3 "$1: three commands to try next"
	while IFS= read -r cmd; do
		run bash -c "$cmd"
		[ "$status" = 0 ] && [ -n "$out$err" ]
		ok $? "$1: ${cmd##*/ktrail } works" || note "$status $err"
	done <"$KT_TMP/next"
}

# A program that cannot record, as without permission
printf '#!/bin/sh\n[ "$1" != record ] || { echo "ktrail record: not here" >&2; exit 1; }\nexec "%s" "$@"\n' "$KTRAIL" >"$KT_TMP/ktrail"
chmod +x "$KT_TMP/ktrail"
run env B="$KT_TMP" KTRAIL="$KT_TMP/ktrail" tests/demo
cp "$KT_TMP/out" "$KT_TMP/demo"
is "$status:$err" "0:" "the demo works if nothing can be recorded"
like "$out" 'not let us record \(ktrail record: not here\): here is a sample' "and says so"
like "$out" $'and why: \n  work:152 waited 690 us for CPU 0: 690 us ping-pong:153\n.*690 us 100\\.0%  ping-pong:153 ran there' "the longest wait, and the task that had the CPU"
like "$out" " sched_waking: +wakes work:152 for CPU" "in the words of --pretty"
is "$(grep -c '^ .* -*[0-9]*\.[0-9]* ms  [a-z_0-9]*: ' "$KT_TMP/out")" 5 "five lines around its end"
is "$("$KTRAIL" report -w --json tests/data/peer/events-irqs.dat | sed -n 's/.*"wakeups":{[^}]*"max":\([0-9]*\),.*/\1/p')" 690342 \
	"which report -w finds the longest, too"
is "$(grep -c '^  .* % █' "$KT_TMP/out")" 4 "four tasks have bars"
is "$(awk 'length > 80 && !/^ .*#|^This/' "$KT_TMP/out" | LC_ALL=C grep -vc '[^ -~]')" 0 "no line is too long"
if command -v script >/dev/null && [ -c /dev/ptmx ]; then
	TERM=xterm script -qec "stty cols 100 rows 30; B=$KT_TMP KTRAIL=$KT_TMP/ktrail tests/demo" /dev/null </dev/null >"$KT_TMP/large"
	is "$(grep -c '^ .* -*[0-9]*\.[0-9]* ms  [a-z_0-9]*: ' "$KT_TMP/large"):$(grep -c '^  .* % █' "$KT_TMP/large")" 10:5 \
		"a larger terminal shows ten lines and five tasks"
	[ "$(wc -l <"$KT_TMP/large")" -lt 30 ]
	ok $? "on one screen as well" || note "$(cat "$KT_TMP/large")"
else
	skip "a larger terminal" "no terminal here"
fi
next "sample"

tracing=/sys/kernel/tracing
if [ "$(id -u)" != 0 ] || [ ! -w $tracing/instances ] || [ ! -e $tracing/events/sched/sched_switch ]; then
	skip "the demo of this kernel" "needs root, tracefs with instances and sched events"
	done_testing
fi
run env B="$KT_TMP" KTRAIL="$KTRAIL" tests/demo
cp "$KT_TMP/out" "$KT_TMP/demo"
is "$status:$err" "0:" "the demo works"
[ "$(wc -l <"$KT_TMP/out")" -le 23 ]
ok $? "on one screen" || note "$out"
like "$out" 'events .* lost' "events, size and loss"
like "$out" 'The longest wait for a CPU, and why: ' "the longest wait"
next "recorded"
done_testing
