# guest.sh - for scripts inside a guest: . tests/guest.sh (has kt_test.sh in it)
# shellcheck shell=bash
. tests/kt_test.sh
T=/sys/kernel/tracing

# settings: each setting of tracefs with its value, for "the machine is as it was"
settings() {
	find $T -type f \( -name enable -o -name filter -o -name trigger -o -path '*/options/*' \
		-o -name 'set_*' -o -name 'buffer_*' -o -name current_tracer -o -name tracing_on \
		-o -name trace_clock -o -name tracing_cpumask -o -name tracing_thresh \
		-o -name '*_events' -o -name saved_cmdlines_size -o -name max_graph_depth \) \
		! -name buffer_total_size_kb -exec grep -sH '' {} + | sort
	grep -sH '' /proc/sys/kernel/ftrace_enabled /proc/sys/kernel/stack_tracer_enabled \
		/proc/sys/kernel/ftrace_dump_on_oops /proc/sys/kernel/traceoff_on_warning
}

# unchanged [NAME]: settings are what they were when the script started
unchanged() {
	settings >"$KT_TMP/after"
	same "$KT_TMP/after" "$KT_TMP/before" "${1:-the machine is as it was}"
}

# The first use of a kernel's buffers makes them as large as they shall be, for good.
[ ! -e $T/buffer_size_kb ] || echo 1408 >$T/buffer_size_kb
# Where the CPU's clock is not to be trusted, the kernel begins with another one; reset sets this.
[ ! -e $T/trace_clock ] || echo local >$T/trace_clock
settings >"$KT_TMP/before"
grep -q 'trace_clock:.*\[local\]' "$KT_TMP/before" || { echo "not ok 1 - there are settings to compare"; exit 1; }
