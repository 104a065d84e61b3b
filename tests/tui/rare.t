#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# rare.t - rare events are found in slices of work, and none twice
. tests/kt_test.sh
export XDG_CACHE_HOME=$KT_TMP/cache XDG_STATE_HOME=$KT_TMP/state

"$B/tests/bench/inflate" tests/bench/samples/mix.dat "$KT_TMP/big.dat" 1500000 zstd:1 || exit 1
times=$("$KTRAIL" report --nanoseconds -F sys_enter_sysinfo "$KT_TMP/big.dat" |
	grep -oE '[0-9]+\.[0-9]{9}:' | tr -d :)

# screen KEYS: the visible events of that kind, 7 at a time
screen() {
	timeout 60 "$KTRAIL" view --print events --size 100x12 \
		--keys ".fsys_enter_sysinfo<Enter>$1" "$KT_TMP/big.dat" |
		sed -nE 's/^ +([0-9]+\.[0-9]{9}) .*sys_enter_sysinfo.*/\1/p'
}

# shows NAME KEYS FROM: after these keys the lines from FROM on
shows() { is "$(screen "$2")" "$(sed -n "$3,$(($3 + 6))p" <<<"$times")" "$1"; }

is "$(wc -l <<<"$times")" 25 "there are 25 of 1.5 million"
shows "the first ones" "" 1
shows "a line down"         jjjjjjj 2
shows "a screen down"       "  " 7
shows "down, and up again"  "   kkkkkkkkk" 10
shows "the end"             G 19
shows "up from the end"     Gbb 13
shows "the middle"          "@#1<Enter>  bb" 1
shows "the next match"      "/sysinfo<Enter>nnnnnn" 5
is "$(screen '' | wc -l)" 7 "as many as fit"
like "$(timeout 60 "$KTRAIL" view --print events --size 100x12 \
	--keys 'fsched_switch:next_pid==99999<Enter>' "$KT_TMP/big.dat")" "No matching events" \
	"a search without a match is done only once"
done_testing
