#!/bin/bash
# flame.t - flame graphs as a tree, folded lines, JSON and SVG
. tests/kt_test.sh
# shellcheck disable=SC2154
graph=tests/data/6.12-fgraph.dat

run "$KTRAIL" flame $graph
like "$status:$out" "^0: SHARE +TIME  TASK, CALLS
 70\.9% +133 ms   dd
 70\.9% +133 ms    vfs_write
 61\.4% +115 ms     shmem_file_write_iter" "calls with their time, the longest first"
run "$KTRAIL" flame --folded $graph
own=$(awk '{ s += $NF } END { printf "%d", s }' <<<"$out")
is "$(grep -c '^dd;vfs_write;shmem_file_write_iter ' <<<"$out")" 1 "folded: a line for each path"
run "$KTRAIL" flame --json $graph
is "$(json 'my $n = 0; $n += $_->{own} for @{$d->{frames}}; $d->{unit}, $d->{frames}[0]{name}, $n' <<<"$out")" \
	"[\"ns\",\"all\",$own]" "JSON has the same times"
is "$(json 'my $f = $d->{frames}; scalar grep { $f->[$_]{parent} >= $_ } 1 .. $#$f' <<<"$out")" "[0]" "and parents come first"

# By function: own times as in the folded lines, totals without those of recursive calls
run "$KTRAIL" flame --top 0 --json $graph
is "$(json 'join "\n", map { "$_->{name} $_->{own}" } grep { $_->{own} } sort { $a->{name} cmp $b->{name} } @{$d->{functions}}' <<<"$out" |
	sed 's/^\["//; s/"\]$//; s/\\n/\n/g')" "$("$KTRAIL" flame --folded $graph | sed 's/ \([0-9]*\)$/;\1/' |
		awk -F';' '{ own[$(NF - 1)] += $NF } END { for (name in own) print name, own[name] }' | LC_ALL=C sort)" \
	"--top: own times are those of the folded lines"
is "$(json 'my ($w) = grep { $_->{name} eq "vfs_write" } @{$d->{functions}}; $w->{total}' <<<"$out")" \
	"$("$KTRAIL" flame --folded $graph | awk '/;vfs_write/ { s += $NF } END { print "[" s "]" }')" \
	"totals are those of all lines with the function"
run "$KTRAIL" flame --top 2 $graph
like "$status:$out" "^0:SHARE +OWN +TOTAL +FUNCTION
20\.0% +37\.5 ms +37\.5 ms +shmem_allowable_huge_orders
19\.0% .*and 127 more" "a table, the most own time first"
run "$KTRAIL" flame --top 1 --sort total $graph
like "$out" " vfs_write
" "or with its callees"
printf 'close-10 [000] ..... 1.00%d000: sys_%s\n' 0 'enter_close: fd: 0x3' 2 'exit_close: 0x0' |
	"$KTRAIL" import -o "$KT_TMP/close.dat" - 2>/dev/null
run "$KTRAIL" flame --top 1 "$KT_TMP/close.dat"
like "$out" "2\.0 ms +2\.0 ms +close" "a task with the name of its function is not its caller"
run "$KTRAIL" flame --top 1 --sort size $graph
like "$status:$err" "^2:.*cannot sort by 'size', only by own, total, name" "another order is refused"

run "$KTRAIL" flame -o "$KT_TMP/x.svg" $graph
is "$status:$(grep -c '<svg' "$KT_TMP/x.svg"):$(grep -c 'shmem_file_write_iter' "$KT_TMP/x.svg")" "0:1:1" "SVG"
if command -v xmllint >/dev/null; then
	xmllint --noout "$KT_TMP/x.svg"
	ok $? "which is well-formed"
fi
run "$KTRAIL" flame -o "$KT_TMP/x.svg" $graph
like "$status:$err" "^1:.*exists already" "a file is not replaced"
run "$KTRAIL" flame -f -o "$KT_TMP/x.folded" $graph
is "$status:$(awk '{ s += $NF } END { printf "%d", s }' "$KT_TMP/x.folded")" "0:$own" "a file of folded lines"

run "$KTRAIL" flame tests/data/6.12-stacks.dat
like "$out" "COUNT  TASK, CALLS
 28\.5% +192   rcu_preempt" "stacks are counted"
run "$KTRAIL" flame -k off-cpu --folded tests/data/6.12-stacks.dat
like "$out" "timeout;.*;__schedule;sleeps [0-9]+" "times off the CPU have stacks, without the functions of the tracer"
unlike "$out" "do_task_dead" "dead tasks do not sleep"
run "$KTRAIL" flame -k wakeups --least 0 tests/data/6.12-events.dat
like "$out" "   ktrail
.*    bash
.*     sleep
.*      interrupt" "a chain of wakers"
run "$KTRAIL" flame --comm dd $graph
unlike "$out" "timeout" "only some tasks"
run "$KTRAIL" flame --pid 1 $graph
like "$status:$err" "^1:.*has no calls chosen by --pid$" "events about a task are not its calls"
run sh -c "cat $graph | \$KTRAIL flame - | head -1"
like "$out" "SHARE" "through a pipe"
run "$KTRAIL" flame -k wakeups $graph
like "$status:$err" "^1:.*has no wakeups: record them with .*-e sched:sched_waking" "what is missing"
run "$KTRAIL" flame -k heat $graph
like "$status:$err" "^2:.*no kind 'heat', only: calls stacks off-cpu wakeups" "an unknown kind"
run "$KTRAIL" flame -o x.png $graph
like "$status:$err" "^2:.*ends with .svg or .folded" "an unknown form"
done_testing
