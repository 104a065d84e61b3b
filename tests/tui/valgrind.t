#!/bin/bash
# valgrind.t - no view has invalid reads or leaks
. tests/kt_test.sh
export XDG_CACHE_HOME=$KT_TMP/cache XDG_STATE_HOME=$KT_TMP/state
command -v valgrind >/dev/null || skip_all "valgrind is not installed"
[ -z "${SAN:-}" ] || skip_all "the sanitizers check this themselves"

# A small one with stacks; all recordings in check-all
files=(tests/data/peer/stacks.dat)
[ -z "${KT_ALL:-}" ] || files=(tests/data/*.dat tests/data/peer/*.dat)

# Each feature of each view, once
declare -A keys=(
	[events]='jG/sched<Enter>nNgL<Enter>jp.r' [graph]='l*_=d2<Enter>+zZ]sc' [timeline]='W++-pdDoc.'
	[latency]='jW4<Enter>j<Enter>xxP' [flame]='jj<Enter>wo<Backspace>/a<Enter>n' [info]='jjG'
)
bad=()
for file in "${files[@]}"; do
	for view in "${!keys[@]}"; do
		timeout 300 valgrind -q --error-exitcode=99 --leak-check=full \
			--errors-for-leak-kinds=definite,indirect "$KTRAIL" view --print "$view" \
			--size 90x24 --keys "${keys[$view]}" "$file" >/dev/null 2>"$KT_TMP/err" ||
			{ bad+=("$view $file"); note "$(tail -20 "$KT_TMP/err")"; }
	done
done
is "${bad[*]-}" "" "each view of ${#files[@]} files is clean"
done_testing
