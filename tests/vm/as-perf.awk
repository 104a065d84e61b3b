# as-perf.awk - compare the stays of `sched timehist --state` by ktrail and by perf
# awk -f as-perf.awk -v ms=JITTER KTRAIL PERF_TIMEHIST PERF_LATENCY
#
# Both recorded the same run. The switches of a CPU are matched one by one; prints lines NAME VALUE.
# Each tracepoint calls one recorder after the other, so their times differ by JITTER.
function abs(x) { return x < 0 ? -x : x }

# "bash[42]", "tmux: server[42/40]", "<idle>", ":-1[-1]": the number of the task
function tid_of(name) {
	if (name !~ /\[[-0-9\/]+\]$/)
		return 0
	sub(/.*\[/, "", name)
	return name + 0
}

# Sets cpu, tid, wait, delay, run and state from a line of either list; false: it is another line
function take(line,    n, f) {
	gsub(/^[ \t]+|[ \t]+$/, "", line)
	n = split(line, f, /[ \t]+/)
	if (f[1] !~ /^[0-9]+\.[0-9]+$/ || f[2] !~ /^\[[0-9]+\]$/)
		return 0
	state = ""
	if (f[n] !~ /^[0-9.]+$/)
		state = f[n--]
	at = f[1] * 1000
	cpu = f[2]
	run = f[n]
	delay = f[n - 1]
	wait = f[n - 2]
	tid = tid_of(f[n - 3])
	return 1
}

FNR == 1 { file++ }

file == 1 && take($0) {
	k++
	k_at[k] = at; k_cpu[k] = cpu; k_tid[k] = tid; k_wait[k] = wait; k_delay[k] = delay
	k_run[k] = run; k_state[k] = state
}

file == 2 && take($0) {
	n = ++p_nr[cpu]
	p_at[cpu, n] = at; p_tid[cpu, n] = tid; p_wait[cpu, n] = wait; p_delay[cpu, n] = delay
	p_run[cpu, n] = run
	p_stays[tid]++
}

# "  bash:42  |  0.648 ms |  1 | avg: 8.2 ms | max: 8.2 ms | …"
file == 3 && /\| *avg:/ {
	split($0, f, "|")
	n = split(f[1], name, ":")
	sub(/.*avg: */, "", f[4])
	sub(/.*max: */, "", f[5])
	l_nr[name[n] + 0] = f[3] + 0
	l_avg[name[n] + 0] = f[4] + 0
	l_max[name[n] + 0] = f[5] + 0
}

# Values of one stay: both have them, and they are about the same
function compare(what, ours, theirs) {
	if (ours == "-" || ours == "")
		return
	seen[what]++
	if (abs(ours - theirs) <= ms)
		return
	bad[what]++
	example[what] = k_at[i] / 1000 " " k_tid[i] " " ours " " theirs
}

# perf names a task -1 if it still switches after its parent has waited for it.
function is_of(c, n, i) {
	return p_tid[c, n] == k_tid[i] || p_tid[c, n] == -1
}

# The same switch of that CPU in the other list, from the last match on. An emulated CPU may stop
# for long between the two recorders; perf has recorded before our first stay.
function find(i,    c, n, end, least, found) {
	c = k_cpu[i]
	n = at_of[c] + 1
	if (at_of[c] && is_of(c, n, i) && abs(p_at[c, n] - k_at[i]) < 100)
		return n
	least = at_of[c] ? 2 : 100
	for (end = n + (at_of[c] ? 50 : p_nr[c]); n <= p_nr[c] && n < end; n++)
		if (is_of(c, n, i) && p_at[c, n] - k_at[i] < 2 && abs(p_at[c, n] - k_at[i]) < least) {
			least = abs(p_at[c, n] - k_at[i])
			found = n
		}
	return found
}

END {
	for (i = 1; i <= k; i++) {
		n = find(i)
		tid = k_tid[i]
		if (!n) {
			missing++
			example["missing"] = k_at[i] / 1000 " " k_cpu[i] " " tid
			continue
		}
		matched++
		at_of[k_cpu[i]] = n
		compare("run", k_run[i], p_run[k_cpu[i], n])
		nameless = p_tid[k_cpu[i], n] == -1
		buried += nameless
		p_stays[tid] += nameless
		if (tid && !nameless)
			compare("wait", k_wait[i], p_wait[k_cpu[i], n])
		# perf 6.1's timehist has no delay for tasks that lost their CPU.
		if (tid && !nameless && was[tid] != "" && was[tid] !~ /^R/) {
			if (k_delay[i] > 0 && p_delay[k_cpu[i], n] == 0)
				missed[tid] = 1
			else
				compare("delay", k_delay[i], p_delay[k_cpu[i], n])
		}
		if (k_run[i] != "-") {
			ours += k_run[i]
			theirs += p_run[k_cpu[i], n]
		}
		# perf 6.1's latency takes "R+" and "I" for states without a wakeup.
		if (tid && k_delay[i] != "-" && was[tid] != "R+" && was[tid] != "I") {
			nr[tid]++
			sum[tid] += k_delay[i]
			if (k_delay[i] > max[tid])
				max[tid] = k_delay[i]
		}
		was[tid] = k_state[i]
		stays[tid]++
	}
	# Tasks whose whole life is in both. perf's recorder sometimes misses a wakeup from an
	# interrupt that interrupts the recorder: then it has a stay with no delay.
	for (tid in missed)
		deaf++
	for (tid in was) {
		if (tid == 0 || was[tid] !~ /^[XZ]/ || !nr[tid] || tid in missed ||
		    stays[tid] != p_stays[tid])
			continue
		tasks++
		other_counts += nr[tid] != l_nr[tid]
		if (nr[tid] == l_nr[tid] && abs(max[tid] - l_max[tid]) <= ms + 0.001 &&
		    abs(sum[tid] / nr[tid] - l_avg[tid]) <= ms + 0.001)
			equal++
		else
			example["latency"] = tid ": " nr[tid] " " l_nr[tid] ", " max[tid] " " l_max[tid]
	}
	print "matched", matched + 0
	print "missing", missing + 0, example["missing"]
	print "buried", buried + 0
	for (what in seen)
		print what, seen[what], bad[what] + 0, example[what]
	print "sums", ours, theirs
	print "missed", deaf + 0
	print "switches", tasks + 0, other_counts + 0
	print "latency", tasks + 0, tasks - equal, example["latency"]
}
