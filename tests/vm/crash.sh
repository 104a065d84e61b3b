# crash.sh - `capture crash`: the next boot collects the records that a kernel made before its panic
# shellcheck shell=bash disable=SC2154
. tests/proof.sh
I=$T/instances/crash
[ -d $I ] || { skip "persistent buffer" "not in this kernel"; done_testing; exit; }

# Files for the next boot: on the disk, after the output of the guest
keep() { tar -cf - -C "$KT_TMP" "$@" | dd of=/dev/vda bs=1M seek=256 conv=fsync 2>/dev/null; }
kept() { dd if=/dev/vda bs=1M skip=256 count=200 2>/dev/null | tar -xf - -C "$KT_TMP" 2>/dev/null; }
# The times of all records and the names in all stacks
essence() { sed -nE 's/^ *=> ([^ +]+).*/=> \1/p; s/^.* ([0-9]+\.[0-9]{6}): .*/\1/p' | LC_ALL=C sort; }
fact() { ktrail capture crash status --json | sed -n "s/^ *\"$1\": *\([^,]*\),*$/\1/p"; }
text() { grep -m1 -w _text /proc/kallsyms | cut -d' ' -f1; }

# This boot records, and panics meanwhile. The kernel's text of its buffer is kept before that.
panic() {
	echo stacktrace >$I/events/sched/sched_switch/trigger
	ktrail marker -B crash "the last words of $1"
	dd if=/dev/vda bs=512 count=1 iflag=direct of=/dev/null 2>/dev/null
	echo 0 >$I/tracing_on
	grep -v '^#' $I/trace >"$KT_TMP/first.txt"
	echo 1 >$I/tracing_on
	echo "$1" >"$KT_TMP/crashes"
	text >"$KT_TMP/first.text"
	keep crashes first.txt first.text said
	sync
	echo c >/proc/sysrq-trigger
	sleep 60
}

# The results of a boot go to a file: the numbers of a test begin again with each boot
mkdir -p "$KT_TMP/said"
kept
crashes=$(cat "$KT_TMP/crashes" 2>/dev/null || echo 0)
if [ "$crashes" = 0 ]; then
	ktrail capture crash collect >"$KT_TMP/said/first" 2>&1
	echo "$? $(fact earlier_boot) $(fact recording)" >>"$KT_TMP/said/first"
	ktrail capture crash collect >"$KT_TMP/said/again" 2>&1
	panic 1
fi
if [ "$crashes" = 1 ]; then
	{ fact earlier_boot; fact recording; } >"$KT_TMP/said/status"
	ktrail capture crash collect -o "$KT_TMP" >"$KT_TMP/said/collect" 2>&1
	ktrail report "$KT_TMP/crash-0001.dat" 2>&1 | essence >"$KT_TMP/ours"
	essence <"$KT_TMP/first.txt" | LC_ALL=C comm -23 - "$KT_TMP/ours" | head >"$KT_TMP/said/missing"
	panic 2
fi
note "_text was $(cat "$KT_TMP/first.text"), is $(text)"

like "$(cat "$KT_TMP/said/first")" "nothing to collect.*'crash' records sched:sched_switch irq.*0 false true" \
	"a first boot has nothing to collect, and records"
like "$(cat "$KT_TMP/said/again")" "nothing to collect.*has been recording" "a second time it leaves all as it is"
is "$(tr '\n' ' ' <"$KT_TMP/said/status")" "true false " "after the panic there are events of an earlier boot, and nothing is added"
like "$(cat "$KT_TMP/said/collect")" "crash-0001.dat.*'crash' records sched:sched_switch irq" "they are collected, and the next ones recorded"
is "$(cat "$KT_TMP/said/missing")" "" "… every one of them with its time, the stacks with their names"

like "$(ktrail capture crash status)" 'events +[0-9]+ of an earlier boot, the first at [0-9.]+ s' "a second panic is there as well"
run ktrail capture crash collect -q -o "$KT_TMP"
is "$status:$err" "0:" "it is collected"
run ktrail report "$KT_TMP/crash-0001.dat"
is "$status:$err" "0:" "and reported"
like "$(cat "$KT_TMP/out")" 'the last words of 2' "to its last words"
unlike "$(cat "$KT_TMP/out")" 'the last words of 1' "without the first one's"
essence <"$KT_TMP/out" >"$KT_TMP/ours"
essence <"$KT_TMP/first.txt" >"$KT_TMP/first"
ok $(($(wc -l <"$KT_TMP/first") < 100)) "what the kernel said before the panic ($(wc -l <"$KT_TMP/first") lines)"
is "$(LC_ALL=C comm -23 "$KT_TMP/first" "$KT_TMP/ours" | head)" "" "… is in it, with times and names"
ok $(($(wc -l <"$KT_TMP/ours") <= $(wc -l <"$KT_TMP/first"))) "and so are later events"
is "$(fact recording)" true "the recorder is armed again"
k reset -y -B crash
done_testing
