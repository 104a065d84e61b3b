# guest.sh - for scripts inside a guest: . tests/guest.sh (includes kt_test.sh)
# shellcheck shell=bash
. tests/kt_test.sh
T=/sys/kernel/tracing

# settings: each setting of tracefs with its value, for "the settings are restored"
settings() {
	find $T -type f \( -name enable -o -name filter -o -name trigger -o -path '*/options/*' \
		-o -name 'set_*' -o -name 'buffer_*' -o -name current_tracer -o -name tracing_on \
		-o -name trace_clock -o -name tracing_cpumask -o -name tracing_thresh \
		-o -name '*_events' -o -name saved_cmdlines_size -o -name max_graph_depth \) \
		! -name buffer_total_size_kb -exec grep -sH '' {} + | sort
	grep -sH '' /proc/sys/kernel/ftrace_enabled /proc/sys/kernel/stack_tracer_enabled \
		/proc/sys/kernel/ftrace_dump_on_oops /proc/sys/kernel/traceoff_on_warning
}

# unchanged [NAME]: the settings are those at the start of the script
unchanged() {
	settings >"$KT_TMP/after"
	same "$KT_TMP/after" "$KT_TMP/before" "${1:-the settings are restored}"
}

# The first use of the kernel's buffers expands them to their full size, permanently.
[ ! -e $T/buffer_size_kb ] || echo 1408 >$T/buffer_size_kb
# If the CPU's clock is not reliable, the kernel boots with another trace clock; reset sets local.
[ ! -e $T/trace_clock ] || echo local >$T/trace_clock
settings >"$KT_TMP/before"
grep -q 'trace_clock:.*\[local\]' "$KT_TMP/before" || { echo "not ok 1 - there are settings to compare"; exit 1; }
