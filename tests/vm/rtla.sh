# rtla.sh - rtla inside `ktrail record` of the same tracer: rtla's samples are consecutive ones of
# ours, with the same percentiles
# shellcheck shell=bash
. tests/guest.sh
command -v rtla >/dev/null || { skip "rtla's figures" "$(cat tests/no-rtla 2>/dev/null)"; done_testing; }

# samples EVENT FIELD: those of t.dat, a line each: CPU, context, microseconds, begin and end in ns
samples() {
	ktrail report -t -F "$1" t.dat | awk -v field="$2" '
		match($0, field "[:= ]+[0-9]+") {
			ns = substr($0, RSTART, RLENGTH)
			gsub(/[^0-9]/, "", ns)
			match($0, /\[[0-9]+\]/)
			cpu = substr($0, RSTART + 1, RLENGTH - 2) + 0
			match($0, /[0-9]+\.[0-9]+:/)
			split(substr($0, RSTART, RLENGTH - 1), at, ".")
			context = match($0, /context:[0-9]/) ? substr($0, RSTART + 8, 1) : 0
			end = at[1] * 1e9 + ("1" at[2]) - 1e9	# "0…" is octal in some awks
			printf "%d %d %d %.0f %.0f\n", cpu, context, ns / 1000, end - ns - 1, end
		}'
}
# same_run CONTEXTS ENTRIES: CPU, context, number, from, until, median, 99th percentile for each column of rtla's table
# whose counts match consecutive samples of ours; "missing" for others. Files: ours, hist
same_run() {
	awk -v contexts="$1" -v over="$2" 'FILENAME == "ours" {
		key = $1 " " $2
		nr[key]++
		us[key, nr[key]] = $3 < over ? $3 : over; from[key, nr[key]] = $4; until[key, nr[key]] = $5
	}
	FILENAME == "hist" && $1 == "over:" { $1 = over }
	FILENAME == "hist" && $1 ~ /^[0-9]+$/ { for (i = 2; i <= NF; i++) {
		key = int((i - 2) / contexts) " " ((i - 2) % contexts)
		rtla[key, $1] = $i
		counted[key] += $i
		if (!($1 in known)) { known[$1]; values[++nr_values] = $1 }
	} }
	function quantile(key, share,	k, sum) {
		for (k = 1; k <= nr_values; k++)
			if ((sum += rtla[key, values[k]]) >= counted[key] * share)
				return values[k]
	}
	function find(key,	i, u, off, n) {		# off: how many counts differ, over all values
		n = counted[key]
		split("", left)
		for (i = 1; i <= nr_values; i++) { left[values[i]] = rtla[key, values[i]]; off += left[values[i]] }
		for (i = 1; i <= nr[key]; i++) {
			u = us[key, i]
			off += left[u]-- > 0 ? -1 : 1
			if (i > n) {
				u = us[key, i - n]
				off += ++left[u] > 0 ? 1 : -1
			}
			if (off == 0)
				return i - n + 1
		}
		return 0
	}
	END { for (key in counted) if (counted[key]) {
		at = find(key)
		if (!at) { print "missing", key, counted[key]; continue }
		print key, counted[key], from[key, at], until[key, at + counted[key] - 1],
			quantile(key, 0.5), quantile(key, 0.99)
	} }' ours hist | sort
}
# percentiles OVER ROW…: those of `ktrail latency` in the same time, by context; they differ by at
# most 1.6 % and a microsecond. rtla reports OVER for this length and all longer ones.
percentiles() {
	local cpu context n from until p50 p99 over=$1 rows=("${@:2}") checked=0 line
	: >differ
	while read -r cpu context n from until p50 p99; do
		[ "$cpu" != missing ] || { echo "no run of CPU $context's samples" >>differ; continue; }
		line=$(ktrail latency -k tracer --top 0 --json --time "$(ns "$from"),$(ns "$until")" t.dat | tr -d '\n' | tr '{' '\n' |
			grep "\"${rows[context]}, CPU $cpu\"")
		checked=$((checked + 1))
		tr ',' '\n' <<<"$line" | awk -v n="$n" -v p50="$p50" -v p99="$p99" -v over="$over" '
			function near(got, us) { return got >= us * 984 && (us == over || got <= (us + 1) * 1016) }
			{ gsub(/[]" }]/, ""); split($0, kv, ":"); got[kv[1]] = kv[2] }
			END { exit !(got["count"] == n && near(got["p50"], p50) && near(got["p99"], p99)) }' ||
			echo "rtla: $n samples, $p50 and $p99 us; ktrail: $line" >>differ
	done <run
	[ "$checked" -gt 0 ] && [ ! -s differ ]
}
ns() { echo "${1%?????????}.${1: -9}"; }
counted() { awk '$1 != "missing" { n += $3 } END { print n + 0 }' run; }

# The tracer runs before rtla sets its period, and after it.
echo 20000 >$T/osnoise/timerlat_period_us
ktrail record -q -p timerlat -o t.dat rtla timerlat hist -d 3s -p 20000 -E 9999 >hist 2>"$KT_TMP/err"
is "$?:$(cat "$KT_TMP/err")" "0:" "both record timerlat"
samples timerlat timer_latency >ours
same_run 2 9999 >run
[ "$(counted)" -gt 100 ] && ! grep -q missing run
ok $? "rtla timerlat hist counts a run of our samples, $(counted) in all" || note "$(cat run hist)"
percentiles 9999 "timerlat irq" "timerlat thread"
ok $? "ktrail latency has rtla's percentiles of them" || note "$(cat differ)"

ktrail latency -k tracer --top 0 --json t.dat | tr -d '\n' | tr '{' '\n' | sed -n 's/.*"name": "timerlat \([a-z]*\), CPU \([0-9]*\)".*"count": \([0-9]*\).*/\2 \1 \3/p' | sort >table
awk '{ n[$1 " " ($2 ? "thread" : "irq")]++ } END { for (k in n) print k, n[k] }' ours | sort >counts
same table counts "and each sample outside of that run, per CPU"
echo 1000 >$T/osnoise/timerlat_period_us

# rtla osnoise counts noises by length; each is an event. An emulated CPU has very many short ones.
echo 200 >$T/tracing_thresh
echo 5000 >$T/osnoise/runtime_us
echo 50000 >$T/osnoise/period_us
ktrail record -q -p osnoise -e osnoise:sample_threshold -o t.dat rtla osnoise hist -d 3s -p 50000 -r 5000 -T 200 -E 99999 >hist 2>"$KT_TMP/err"
is "$?:$(cat "$KT_TMP/err")" "0:" "both record osnoise"
samples sample_threshold duration >ours
same_run 1 99999 >run
[ "$(counted)" -gt 20 ] && ! grep -q missing run
ok $? "rtla osnoise hist counts a run of our samples, $(counted) in all" || note "$(wc -l ours; cat run; head -5 ours; ktrail report t.dat | head -5)"
percentiles 99999 "osnoise one noise"
ok $? "ktrail latency has rtla's percentiles of them" || note "$(cat differ)"
echo 1000000 >$T/osnoise/period_us
echo 1000000 >$T/osnoise/runtime_us
echo 0 >$T/tracing_thresh
done_testing
