#!/bin/bash
# pipes.t - traces through pipes: "-" as input and as output
. tests/kt_test.sh
# shellcheck disable=SC2154
dat=tests/data/6.12-events.dat
"$KTRAIL" report $dat >"$KT_TMP/want"

run sh -c "cat $dat | \$KTRAIL report -"
same <(echo "$out") "$KT_TMP/want" "report reads a pipe"
run sh -c "\$KTRAIL report - <$dat"
same <(echo "$out") "$KT_TMP/want" "and a file on standard input"
run bash -c "\$KTRAIL report <(cat $dat)"
same <(echo "$out") "$KT_TMP/want" "and a pipe with a name"
run sh -c "cat $dat | \$KTRAIL latency - --json | head -c 1"
is "$out" "{" "so does latency"

run sh -c "\$KTRAIL convert $dat -o - --compression none | \$KTRAIL report -"
same <(echo "$out") "$KT_TMP/want" "convert writes a trace to a pipe"
run sh -c "\$KTRAIL convert $dat -o - >/dev/full"
like "$status:$err" "^1:.*cannot write to stdout: No space left" "a full disk is reported"
umask 027
run sh -c "cat $dat | \$KTRAIL convert - -o $KT_TMP/out.dat"
is "$status:$(stat -c %a "$KT_TMP/out.dat")" "0:640" "a file from a pipe has the permissions of other new files"

run sh -c "true | \$KTRAIL report -"
like "$status:$err" "^1:.*standard input is empty$" "an empty pipe"
run sh -c "\$KTRAIL report - </dev/null"
like "$status:$err" "^1:.*a trace is expected on standard input$" "a device"
run sh -c "head -c 3000 $dat | \$KTRAIL report -"
like "$status:$err" "^1:.*standard input: section .* but the file ends at 3000" "a trace that ends early"
mkfifo "$KT_TMP/fifo"
run timeout 20 "$KTRAIL" report "$KT_TMP/fifo"
like "$status:$err" "^1:.*fifo is empty$" "a pipe without a writer"
TMPDIR=$KT_TMP/none run sh -c "cat $dat | \$KTRAIL report -"
like "$status:$err" "^1:.*cannot create a temporary file in .*none" "no place for a copy"
done_testing
