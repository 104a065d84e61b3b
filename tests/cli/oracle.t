#!/bin/bash
# oracle.t - report prints the same bytes as Debian's trace-cmd 3.1.6
. tests/kt_test.sh
table=tests/oracle-differences.md
data=tests/data/peer

case $(trace-cmd 2>/dev/null | grep -o 'version [0-9.]*' | head -1) in
"version 3.1.6") ;;
"") skip_all "trace-cmd is not installed" ;;
*)  skip_all "trace-cmd is not 3.1.6" ;;
esac

options=(
	"" -t -l -R "-R -l" -N -L "-r sched" "-r sched_switch" "-n sched_switch" -w -q
	--ts-diff "--ts-diff -t" "--ts-diff -l" --align-ts "--align-ts -t" --raw-ts --nodate
	"--ts2secs 1000" --ts-check "--cpu 0" "--cpu 1" "--cpu 0,1" "--cpu 0 -l" -I -S "-I -S"
	"--pid 0" "--comm work" "-F sched_switch:next_pid==0" "-v -F sched_switch:next_pid==0"
	"-O parent" "-O offset -O parent" "-O ftrace:indent=0" "-O fgraph:tailprint"
	"-O fgraph:depth" "-O fgraph:tailprint -O fgraph:depth -O ftrace:parent"
	-V -V3 -V4 -Vinfo -Vnone --verbose=debug "-V -N" "-V -L" "-V -e" "-V -E" "-V -f" "-V --uname" "-V --check-events"
	--boundary --debug --cpus "--first-event --last-event" -e -p -f -P -E --stat --uname --version
	--check-events --events "--event sched_switch" "--kallsyms /dev/null"
)

# Prints the patterns of all rows for FILE and OPTIONS as one; nothing without a row
allowed() {
	while IFS=$'\t' read -r file opts pattern; do
		# shellcheck disable=SC2053
		[[ $1 == $file && ($opts == "*" || $opts == "$2") ]] && echo "$pattern"
	done <<<"$rows" | paste -sd'|'
}
rows=$(sed -n 's/\\|/\x01/g; s/^| *\([^|]*\.dat+*\) *| *`\([^`]*\)` *| *`\([^`]*\)` *|.*/\1\t\2\t\3/p' "$table" |
	tr '\001' '|')

compare() {
	local name="$1 $2" file=$1 pattern
	read -ra opts <<<"$2"
	# Its messages about unloaded plugins are of no use
	trace-cmd report "${opts[@]}" "$data/$file" 2>/dev/null |
		sed '/^removing override handler for event/d' >"$KT_TMP/peer"
	"$KTRAIL" report --layout 3.1 "${opts[@]}" "$data/$file" >"$KT_TMP/ours" 2>"$KT_TMP/err"
	pattern=$(allowed "$file" "$2")
	if [ -n "$pattern" ]; then
		cmp -s "$KT_TMP/peer" "$KT_TMP/ours" && note "$name: no difference is left"
		sed -i -E "/$pattern/d" "$KT_TMP/peer" "$KT_TMP/ours"
	fi
	same "$KT_TMP/ours" "$KT_TMP/peer" "$name"
}

for path in "$data"/*.dat; do
	for opts in "${options[@]}"; do
		compare "${path##*/}" "$opts"
	done
done

# The current layout is the old one with one more column, except for events where the kernel prints
# more than libtraceevent 1.7, or where libtraceevent evaluates expressions and arrays wrongly
others='(sched_switch|hrtimer_[a-z_]*|tlb_flush|func_repeats|timer_start|open|read|target|sys_exit|kt_arrays): |^line fixed='
for path in "$data"/*.dat; do
	"$KTRAIL" report --layout 3.1 "$path" | grep -Ev "$others" >"$KT_TMP/old"
	"$KTRAIL" report "$path" | grep -Ev "$others" | sed -E 's/^(.{22,}\[[0-9]{3}\]) [^ ]{5}( )/\1\2/' >"$KT_TMP/new"
	same "$KT_TMP/new" "$KT_TMP/old" "the current layout adds the flags: ${path##*/}"
done

# Several files
args=(-i lost.dat -i v6-instances.dat -i fgraph-sched.dat -i stacks.dat)
(cd "$data" && trace-cmd report "${args[@]}") >"$KT_TMP/peer"
ktrail=$(realpath "$KTRAIL")
(cd "$data" && "$ktrail" report --layout 3.1 "${args[@]}") >"$KT_TMP/ours"
sed -i -E "/$(allowed lost.dat+ "several files")/d" "$KT_TMP/peer" "$KT_TMP/ours"
same "$KT_TMP/ours" "$KT_TMP/peer" "several files are merged by time, with prefixes"
done_testing
