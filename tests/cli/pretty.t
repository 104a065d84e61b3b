#!/bin/bash
# pretty.t - the texts of plugins for real recordings
. tests/kt_test.sh
KTRAIL_PLUGIN_DIR=$(realpath "$B/plugins")
export KTRAIL_PLUGIN_DIR HOME=$KT_TMP

# kinds FILE ARGS…: the first two lines of each kind of event, without the columns before its name
kinds() {
	local file=$1
	shift
	"$KTRAIL" report --pretty "$@" "$file" 2>&1 | awk '
		match($0, /[0-9]+\.[0-9]+: +[A-Za-z_0-9]+:/) {
			kind = substr($0, RSTART, RLENGTH)
			sub(/.*: +/, "", kind)
			sub(/:$/, "", kind)
			if (seen[kind]++ < 2)
				print kind ": " substr($0, RSTART + RLENGTH)
		}' | sed 's/  *$//' | LC_ALL=C sort -s -t: -k1,1
}

for file in 6.1-events 6.12-events 6.12-rt-osnoise 6.12-rt-timerlat peer/events-irqs peer/markers; do
	golden "pretty-${file##*/}" "$(kinds "tests/data/$file.dat")"
done
golden pretty-6.12-fgraph "$("$KTRAIL" report --pretty tests/data/6.12-fgraph.dat | sed -n '20,60p')"
golden pretty-6.12-fgraph-retval "$("$KTRAIL" report --pretty tests/data/6.12-fgraph-retval.dat | grep -E ' = |\(ret' | head -30)"
golden pretty-columns "$("$KTRAIL" report --columns tests/data/6.12-events.dat)"

# For any kernel: each line has a text, and no plugin fails
for file in tests/data/*.dat tests/data/peer/*.dat; do
	run "$KTRAIL" report --pretty "$file"
	is "$status $err" "0 " "no plugin fails on $file"
	[ "$(grep -c . <<<"$out")" = "$("$KTRAIL" report "$file" | grep -c .)" ]
	ok $? "each record of $file has its line"
done
for threads in 1 2 5; do
	"$KTRAIL" report --pretty --threads $threads tests/data/6.12-events.dat | cksum
done | sort -u >"$KT_TMP/sums"
is "$(grep -c . "$KT_TMP/sums")" 1 "texts are the same with any number of threads"

done_testing
