# demo.awk - of sched_switch in `report -w --json`: the longest wait, and who had the CPUs
#
# Prints, with tabs between: "wait" NANOSECONDS CPU FROM TO COMM PID HOLDER HELD, then "span"
# NANOSECONDS CPUS, then for each name of a task "run" NANOSECONDS TASKS COMM. Times are in ns.
function number(key) {
	return match($0, "\"" key "\":-?[0-9]+") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0 : 0
}
function text(key,	s) {
	if (!match($0, "\"" key "\":\"([^\"\\\\]|\\\\.)*\""))
		return "?"
	s = substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 5)
	gsub(/\\u00../, "?", s)
	gsub(/[\t\\]/, "", s)
	return s
}
function seconds(ns) { return sprintf("%.6f", ns / 1e9) }

/"event":"sched_switch"/ {
	ts = number("ts"); cpu = number("cpu"); prev = number("prev_pid")
	if (!first) first = ts
	last = ts
	if (cpu in since && prev) {
		name = text("prev_comm")
		run[name] += ts - since[cpu]
		if (!((name, prev) in seen)) { seen[name, prev] = 1; tasks[name]++ }
		n = ++stretches[cpu]
		begin[cpu, n] = since[cpu]; end[cpu, n] = ts; who[cpu, n] = name "-" prev
	}
	cpus[cpu] = 1
	since[cpu] = ts
	if (number("latency") > max) {
		max = number("latency"); at = ts; on = cpu
		comm = text("next_comm"); pid = number("next_pid")
	}
}
END {
	if (!first)
		exit
	for (i = 1; i <= stretches[on]; i++) {
		from = begin[on, i] > at - max ? begin[on, i] : at - max
		to = end[on, i] < at ? end[on, i] : at
		if (to > from && who[on, i] != comm "-" pid && (held[who[on, i]] += to - from) > held[holder])
			holder = who[on, i]
	}
	if (max)
		printf "wait\t%.0f\t%d\t%s\t%s\t%s\t%d\t%s\t%.0f\n", max, on, seconds(at - max), seconds(at), comm, pid, holder, held[holder]
	for (cpu in cpus) nr++
	printf "span\t%.0f\t%d\n", last - first, nr
	for (name in run) printf "run\t%.0f\t%d\t%s\n", run[name], tasks[name], name
}
