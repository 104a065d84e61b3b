#!/bin/bash
# sched.sh - `ktrail sched`, latency and why compared with `perf sched`, on one run that both have
# recorded: time and memory; and compared with report, on events of all kinds
set -u
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build} dir=$B/bench
command -v perf >/dev/null || exit 0
events='-e sched:sched_switch -e sched:sched_waking -e sched:sched_wakeup_new -e sched:sched_migrate_task'

# Two tasks that wake each other, for each CPU
load() {
	local i
	for ((i = 0; i < $(nproc); i++)); do
		yes | head -c 400M | cat >/dev/null &
	done
	wait
}
export -f load
mkdir -p "$dir"
# shellcheck disable=SC2086
perf record -q -a -R -c 1 -m 1024 $events -e sched:sched_stat_runtime -o "$dir/perf.data" -- \
	"$B/ktrail" record -q -B ktrail-bench $events -o "$dir/sched.dat" bash -c load >/dev/null 2>&1
if [ ! -s "$dir/perf.data" ] || [ ! -s "$dir/sched.dat" ]; then
	echo "sched: perf may not record here"
	exit 0
fi
echo
echo "sched: one run, recorded by both: perf $(($(stat -c %s "$dir/perf.data") >> 10)) KiB, ktrail $(($(stat -c %s "$dir/sched.dat") >> 10)) KiB"
# row NAME COMMAND…: compared with the first row of its table
row() {
	"$B/tests/bench/measure" "$dir/measured" "${@:2}" >/dev/null 2>&1 || return 0
	first=${first:-$(cat "$dir/measured")}
	awk -v name="$1" -v first="$first" '{
		split(first, f, " ")
		printf "  %-36s%6.2f s of CPU %5d MiB   %5.2f times the CPU, %.2f times the memory\n",
		       name, $2, $3 / 1024, $2 / (f[2] ? f[2] : 0.01), $3 / f[3] }' "$dir/measured"
}
trace=$dir/sched.dat
for verb in latency "timehist -s"; do
	first=''
	# shellcheck disable=SC2086
	row "perf sched $verb" perf sched $verb -i "$dir/perf.data"
	# shellcheck disable=SC2086
	row "ktrail sched $verb" "$B/ktrail" sched $verb -i "$trace"
	[ "$verb" = latency ] || continue
	row "ktrail latency -k wakeup" "$B/ktrail" latency -k wakeup "$trace"
	row "ktrail latency" "$B/ktrail" latency "$trace"
	row "ktrail why --worst wakeup" "$B/ktrail" why --worst wakeup "$trace"
done
first='' trace=$dir/mix-3M.dat
if [ -s "$trace" ]; then
	echo " 3 million events of all kinds"
	row "ktrail report >/dev/null" "$B/ktrail" report --threads 1 "$trace"
	row "ktrail latency -k wakeup" "$B/ktrail" latency -k wakeup "$trace"
	row "ktrail latency" "$B/ktrail" latency "$trace"
	row "ktrail why --worst wakeup" "$B/ktrail" why --worst wakeup "$trace"
fi
rm -f "$dir/perf.data" "$dir/sched.dat" "$dir/perf.data.old"
