#!/bin/bash
# info.t - the view of the file: its content, and its problems
. tests/kt_test.sh
. tests/kt_screen.sh
screens_of info 100x28 '1,2d;$d'

screen events   6.12-events.dat ''
screen names    6.12-rt-osnoise.dat ''
screen buffers  6.12-two-buffers.dat ''
screen lost     peer/lost.dat "" 80x12
screen tiny     peer/lost.dat 'jGk' 1x1

# what_of FILE: its first lines
what_of() { out=$(timeout 60 "$KTRAIL" view --print info --size 110x14 "$1" 2>&1 | sed 1,2d); }
head -c 60000 tests/data/6.12-events.dat >"$KT_TMP/cut.dat"
what_of "$KT_TMP/cut.dat"
like "$out" 'ends at 91029, but the file ends at 60000' "a truncated file: where"
like "$out" '1 chunk of events cannot be read' "and what is missing"
"$KTRAIL" convert -o "$KT_TMP/v6.dat" --file-version 6 tests/data/6.12-function.dat >/dev/null 2>&1
what_of "$KT_TMP/v6.dat"
like "$out" 'version 6' "an old file"
like "$out" 'nothing was lost' "that is complete"
done_testing
