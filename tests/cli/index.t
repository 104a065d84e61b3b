#!/bin/bash
# index.t - an index of the events in each chunk makes reading faster and changes nothing else
. tests/kt_test.sh
# shellcheck disable=SC2154

with=$KT_TMP/with.dat without=$KT_TMP/without.dat

# alike OPTION…: the same lines, with and without an index
alike() {
	"$KTRAIL" "$@" "$with" >"$KT_TMP/got" 2>&1
	"$KTRAIL" "$@" "$without" >"$KT_TMP/want" 2>&1
	cmp -s "$KT_TMP/got" "$KT_TMP/want" && return
	note "$*"
	diff -a "$KT_TMP/want" "$KT_TMP/got" | head -5 | cut -c1-150 | sed 's/^/# /'
	wrong=$((wrong + 1))
}

for f in tests/data/{6.1-events,6.12-stacks,arm64-fgraph}.dat \
	tests/bench/samples/mix.dat; do
	name=$(basename "$f" .dat)
	"$KTRAIL" convert --index -i "$f" -f -o "$with"
	"$KTRAIL" convert --no-index -i "$f" -f -o "$without"
	run "$KTRAIL" dump --options "$with"
	like "$out" 'Option INDEX of ktrail.*chunks, the content of [1-9][0-9]* is known' "$name has an index"
	run "$KTRAIL" dump --options "$without"
	unlike "$out" 'INDEX' "and without one it has none"

	"$KTRAIL" report "$without" 2>/dev/null >"$KT_TMP/all"
	mapfile -t events < <(LC_ALL=C sed -nE 's/^.*\] [^ ]+ +[0-9.]+: ([a-z_0-9]+): .*/\1/p' "$KT_TMP/all" | sort | uniq -c |
		sort -n | awk 'NR % 4 == 1 || NR < 4 { print $2 }' | head -9)
	mapfile -t times < <(LC_ALL=C sed -nE 's/^.*\] [^ ]+ +([0-9]+\.[0-9]+): .*/\1/p' "$KT_TMP/all")
	mapfile -t pids < <(LC_ALL=C sed -nE 's/^ *[^ ]+-([0-9]+) +\[.*/\1/p' "$KT_TMP/all" | sort | uniq -c | sort -n |
		awk 'NR % 3 == 1 { print $2 }' | head -6)
	wrong=$((${#events[@]} < 2 || ${#pids[@]} < 3))
	for e in "${events[@]}"; do
		alike report --event "$e"
		alike report -F "$e"
		alike report --ts-diff -l -F "$e" -F "$e: common_pid == ${pids[0]}"
		alike report -v -F "$e"
	done
	is $wrong 0 "$name: events, ${#events[@]} of them, -v and differences of time"
	wrong=0
	for p in "${pids[@]}"; do
		alike report --pid "$p"
		alike report -F ".*: common_pid == $p"
		alike report --json -F ".*: common_pid == $p || common_pid == ${pids[1]}"
		alike report --threads 1 --debug -F ".*: common_pid == $p && common_preempt_count == 0"
	done
	is $wrong 0 "$name: tasks, ${#pids[@]} of them, and with other conditions"
	wrong=0
	for opt in "--comm bash,ktrail" "-F COMM~*sh*" "-F CPU==0" "-F .*:common_pid==987654" "-F sched_switch:next_pid==1" \
		"-R" "-w" "--cpu 1" "-S -I" "--pid 0 --event sched_switch" "-F sched_switch -F irq_handler_entry"; do
		# shellcheck disable=SC2086
		alike report $opt
	done
	for at in 10 40 70 95; do
		from=${times[${#times[@]} * at / 100]}
		alike report --time "$from,+1ms"
		alike report --time "$from," --event "${events[0]}"
	done
	alike mem -i
	alike hist -i
	alike report --profile
	is $wrong 0 "$name: times, CPUs, names of tasks, and other commands"
done

# Other programs can read it; $with is the last file
if command -v trace-cmd >/dev/null; then
	trace-cmd report -i "$with" >"$KT_TMP/got" 2>"$KT_TMP/err"
	trace-cmd report -i "$f" >"$KT_TMP/want" 2>/dev/null
	same "$KT_TMP/got" "$KT_TMP/want" "trace-cmd reads it as before"
	is "$(cat "$KT_TMP/err")" "" "and does not complain"
	run trace-cmd dump --validate -i "$with"
	is "$status" 0 "it finds it valid"
else
	skip "trace-cmd" "trace-cmd is not installed"
fi
cc -o "$KT_TMP/kshark" tests/cli/kshark.c -ldl 2>/dev/null
if [ -x "$KT_TMP/kshark" ] && "$KT_TMP/kshark" "$f" >"$KT_TMP/want" 2>/dev/null; then
	"$KT_TMP/kshark" "$with" >"$KT_TMP/got" 2>/dev/null
	same "$KT_TMP/got" "$KT_TMP/want" "KernelShark's library finds as many records"
else
	skip "KernelShark" "no libkshark.so.2"
fi
[ "$(stat -c %s "$with")" -lt $(($(stat -c %s "$without") * 1005 / 1000)) ]
ok $? "the index takes less than 0.5 %"

# Commands that copy it
indexed() { "$KTRAIL" dump --options "$1" 2>/dev/null | sed -nE 's/^([0-9]+) chunks, the content of .*/\1/p'; }
nr=$(indexed "$with")
"$KTRAIL" convert "$with" -o "$KT_TMP/copy.dat"
is "$(indexed "$KT_TMP/copy.dat")" "$nr" "a copy has it too"
"$KTRAIL" restore -o "$KT_TMP/restored.dat" "$with" >/dev/null
is "$(indexed "$KT_TMP/restored.dat")" "$nr" "restore keeps it"
"$KTRAIL" convert --file-version 6 "$with" -o "$KT_TMP/v6.dat"
is "$(indexed "$KT_TMP/v6.dat")" "" "version 6 has no index"
"$KTRAIL" convert --compression none "$with" -o "$KT_TMP/none.dat"
is "$(indexed "$KT_TMP/none.dat")" "" "an uncompressed file has no index"
start=$(sed -nE 's/^.*\] [^ ]+ +([0-9]+\.[0-9]+): .*/\1/p' "$KT_TMP/all" | awk '{ t[NR] = $1 } END { print t[int(NR / 4)] }')
for k in with without; do
	"$KTRAIL" split -i "$KT_TMP/$k.dat" -o "$KT_TMP/part-$k.dat" "$start"
	"$KTRAIL" report -F ".*:common_pid==${pids[1]}" "$KT_TMP/part-$k.dat" >"$KT_TMP/$k.txt" 2>&1
done
same "$KT_TMP/with.txt" "$KT_TMP/without.txt" "a part of it reads the same"
[ "$(indexed "$KT_TMP/part-with.dat")" -gt $((nr / 2)) ]
ok $? "and has its chunks in an index"
for args in "--index --no-index" "--index --file-version 6" "--index --compression none"; do
	# shellcheck disable=SC2086
	run "$KTRAIL" convert $args "$with" -o "$KT_TMP/no.dat"
	is "$status" 2 "convert $args is misuse"
done

# A damaged index is reported and not used
at=$(grep -abo 'tk' "$with" | tail -1 | cut -d: -f1)
cp "$with" "$KT_TMP/bad.dat"
printf '\377' | dd of="$KT_TMP/bad.dat" bs=1 seek=$((at + 40)) conv=notrunc 2>/dev/null
run "$KTRAIL" report -F sched_wakeup "$KT_TMP/bad.dat"
is "$status" 1 "a damaged index is a failure"
like "$err" '^ktrail report: .*index is damaged[^$]*\$?$' "with one line"
"$KTRAIL" report -F sched_wakeup "$without" >"$KT_TMP/want"
same "$KT_TMP/out" "$KT_TMP/want" "and the report is complete"
done_testing
