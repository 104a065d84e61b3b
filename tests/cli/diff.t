#!/bin/bash
# diff.t - `ktrail diff`: its verdicts, its forms of output, and what it refuses
. tests/kt_test.sh
# shellcheck disable=SC2154
data=tests/data events=$data/6.12-events.dat calls=$data/6.12-fgraph.dat old=$data/6.1-fgraph.dat

run "$KTRAIL" diff "$events" "$events"
is "$status:$err" "0:" "a recording is the same as itself"
like "$out" '^same: none of [0-9]+ names differs by 5 % or more' "which the first line says"
unlike "$out" 'but not beyond chance' "and nothing is uncertain"
run "$KTRAIL" diff "$old" "$calls"
is "$status:$err" "1:" "two kernels differ"
like "$out" '[0-9]+ names? differs? by 5 % or more, but not beyond chance; --all shows .*; four recordings of each side' \
	"other possible differences are counted"
like "$out" '^different: calls [a-z_]+: ' "the first line has the clearest change"
like "$out" 'removed +calls .* 60 M-bM-\^FM-\^R 0 .*vfs_write;generic_file_write_iter' "a function that is gone, by its path"
like "$out" '16 blocks of each side.*counts are per ' "the method is named"
first=$(sed -n 1p "$KT_TMP/out")
run "$KTRAIL" diff -a "$old" -b "$calls" --top 1
is "$status:$(sed -n 1p "$KT_TMP/out")" "1:$first" "-a and -b say the same as two words"
like "$out" 'and [0-9]+ more' "rows that are left out are counted"
run "$KTRAIL" diff -a "$old" -a "$old" -a "$old" -a "$old" -b "$calls" -b "$calls" -b "$calls" -b "$calls"
is "$status" 1 "several recordings of each side"
like "$out" '4 recordings of each side' "are exchanged as a whole"
run "$KTRAIL" diff -a "$old" -a "$old" -a "$old" -a "$old" -a "$old" -b "$calls" -b "$calls" -b "$calls" -b "$calls"
like "$out" '5 recordings of A and 4 of B; chance' "there may be more of one side"

# one EXPRESSION: a number or word of a document on stdin
one() {
	json "$1" | tr -d '[]"'
}
"$KTRAIL" diff --json --all --top 0 "$old" "$calls" >"$KT_TMP/json"
is "$(one '$d->{different} ? "yes" : "no"' <"$KT_TMP/json")" yes "JSON has the verdict"
is "$(one 'scalar @{$d->{rows}}' <"$KT_TMP/json")" "$(one '$d->{nr_names}' <"$KT_TMP/json")" "--all has every name"
is "$(one 'scalar grep { @{$_->{changes}} } @{$d->{rows}}' <"$KT_TMP/json")" "$(one '$d->{nr_different}' <"$KT_TMP/json")" "those with changes are counted"
is "$(one 'scalar grep { $_->{p} > 0.05 && @{$_->{changes}} } @{$d->{rows}}' <"$KT_TMP/json")" 0 "no change is likely to be chance"
is "$(one '$d->{rows}[0]{a}{count}' <"$KT_TMP/json")" 60 "counts are of a recording"
"$KTRAIL" latency -k syscall,irq,softirq --json --top 0 "$events" |
	one 'my $n = 0; for my $l (@{$d->{latencies}}) { $n += $_->{count} for @{$l->{rows}} } $n' >"$KT_TMP/sum"
"$KTRAIL" diff -k syscall,irq,softirq --json --all --top 0 "$events" "$events" |
	one 'my $n = 0; $n += $_->{a}{count} for @{$d->{rows}}; $n' >"$KT_TMP/same"
is "$(cat "$KT_TMP/same")" "$(cat "$KT_TMP/sum")" "it measures the same as latency"
run "$KTRAIL" diff --threshold 100000% -k syscall,irq "$events" "$data/6.1-events.dat"
like "$status:$out" '^0:same: none' "a threshold"
run "$KTRAIL" diff --sort name --all --top 0 -k calls "$calls" "$calls"
is "$(sed -n 's/.* //; 4,$p' "$KT_TMP/out" | sed '/^$/,$d' | sed 's/.* //' | LC_ALL=C sort -c && echo sorted)" sorted "--sort"
run "$KTRAIL" diff -k irq "$events" "$calls"
is "$status" 2 "a kind that a file lacks cannot be compared"
run "$KTRAIL" diff --time +0,+10ms "$events" "$events"
unlike "$out" "--per" "of the same lengths, the unit makes no difference"
like "$("$KTRAIL" diff "$events" "$data/6.1-events.dat" 2>&1)" "--per" "else the other unit is named"
run "$KTRAIL" diff --per second -k 'syscall read' --all "$events" "$events"
like "$out" 'syscall.* read'$'\n' "a subject"
unlike "$out" ' write'$'\n' "and nothing else"
run "$KTRAIL" diff -k 'sched_waking -> sched_switch by pid=next_pid' --all "$events" "$events"
like "$out" 'pair .*sched_waking -> sched_switch' "a pair of events"

run "$KTRAIL" diff --folded "$old" "$calls"
is "$(grep -vcE '^[^ ]+ [0-9]+ [0-9]+$' "$KT_TMP/out")" 0 "folded stacks have two numbers"
like "$out" 'vfs_write;generic_file_write_iter [0-9]+ 0'$'\n' "of A and B"
run "$KTRAIL" diff --tree "$old" "$calls"
like "$out" 'TIME A +TIME B.* new +shmem_file_write_iter'$'\n' "a tree of calls"
run "$KTRAIL" diff --flame "$KT_TMP/x.svg" "$old" "$calls"
is "$status:$(head -c 5 "$KT_TMP/x.svg"):$(tail -c 7 "$KT_TMP/x.svg")" '1:<?xml:</svg>' "a flame graph"
is "$(grep -c 'data-n="shmem_file_write_iter".*rgb(240,' "$KT_TMP/x.svg")" 1 "with the frames of B"
run "$KTRAIL" diff --flame "$events" "$old" "$calls"
like "$status:$err" '^2:.*is a trace' "does not replace a trace"

run "$KTRAIL" diff "$events" "$KT_TMP/none.dat"
like "$status:$err" '^2:ktrail diff: .*none.dat' "a file that cannot be read is not a difference"
run "$KTRAIL" diff "$events"
like "$status:$err" '^2:.*two recordings are compared' "one file is not enough"
run "$KTRAIL" diff -a "$events"
like "$status:$err" '^2:.*a recording of each side is needed' "nor one side"
run "$KTRAIL" diff --threshold 5x "$events" "$events"
like "$status:$err" "^2:.*'5x' is not a percentage" "a threshold is a percentage"
run "$KTRAIL" diff --confidence 100% "$events" "$events"
like "$status:$err" '^2:.*less than 100%' "nothing is certain"
run "$KTRAIL" diff --sort colour "$events" "$events"
like "$status:$err" "^2:.*cannot sort by 'colour'" "sorts are listed"
run "$KTRAIL" diff --per minute "$events" "$events"
like "$status:$err" "^2:.*'recording' or 'second'" "and units"

done_testing
