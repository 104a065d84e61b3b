# demo.awk - the tasks that ran on the CPUs, by the sched_switch events of `report --json`
#
# Prints, separated by tabs: "span" NANOSECONDS CPUS, then for each name of a task "run"
# NANOSECONDS TASKS COMM
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

/"event":"sched_switch"/ {
	ts = number("ts"); cpu = number("cpu"); prev = number("prev_pid")
	if (!first) first = ts
	last = ts
	if (cpu in since && prev) {
		name = text("prev_comm")
		run[name] += ts - since[cpu]
		if (!((name, prev) in seen)) { seen[name, prev] = 1; tasks[name]++ }
	}
	cpus[cpu] = 1
	since[cpu] = ts
}
END {
	if (!first)
		exit
	for (cpu in cpus) nr++
	printf "span\t%.0f\t%d\n", last - first, nr
	for (name in run) printf "run\t%.0f\t%d\t%s\n", run[name], tasks[name], name
}
