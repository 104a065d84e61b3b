# kt_box.sh - a private tracefs on the real kernel, for shell tests: . tests/kt_box.sh
# shellcheck shell=bash
#
# An instance is mounted at /sys/kernel/tracing, in a private mount namespace: changes of the
# top-level buffer change the instance, and others do not see them. Files that instances lack, and
# those that some kernels do not allow to be written, are plain files with the content of the real
# ones.
#	box_reexec "$0"		call it first: the test starts again inside, or continues without
#	box_make		inside: mount it
#	box_fresh		settings as at the beginning
tracing=/sys/kernel/tracing

# Inside, BOX is the instance. Without permission the test continues with an empty BOX.
box_reexec() {
	[ -z "${BOX:-}" ] || return 0
	[ "$(id -u)" = 0 ] && [ -w $tracing/instances ] && unshare -m true 2>/dev/null || return 0
	BOX=$tracing/instances/ktrail-box-$$
	mkdir "$BOX" 2>/dev/null || { BOX=; return 0; }
	trap 'rmdir "$BOX"' EXIT
	BOX=$BOX unshare -m --propagation private bash "$1"
	exit
}

# box_bind FILE NAME
box_bind() {
	if [ -d "$1" ]; then mkdir "$box/$2"; else : >"$box/$2"; fi
	mount --bind "$1" "$box/$2"
}

box_make() {
	local file name
	box=$KT_TMP/box
	mkdir "$box" "$KT_TMP/plain"
	mount -t tmpfs -o mode=700 none "$box" || return 1
	for file in "$BOX"/* $tracing/*; do
		name=${file##*/}
		[ ! -e "$box/$name" ] || continue
		case $name in
		instances) mkdir "$box/$name" ;;
		set_ftrace* | *_functions | *_events | saved_cmdlines_size | tracing_thresh)
			case $name in available*) box_bind "$file" "$name"; continue ;; esac
			cat "$file" >"$KT_TMP/plain/$name" 2>/dev/null
			cp "$KT_TMP/plain/$name" "$box" ;;
		*) [ -d "$file" ] && [ "${file%/*}" = $tracing ] || box_bind "$file" "$name" ;;
		esac
	done
	if [ -e /proc/sys/kernel/ftrace_enabled ]; then
		: >"$KT_TMP/ftrace_enabled"
		mount --bind "$KT_TMP/ftrace_enabled" /proc/sys/kernel/ftrace_enabled
	fi
	mount --rbind "$box" $tracing
	printf -v box_cpus '%x' $(((1 << $(nproc)) - 1))
}

# box_reset FILE VALUE [SHOWN]: write it unless the file shows it already: some writes wait for all CPUs
box_reset() {
	local now=
	read -r now <"$tracing/$1"
	# shellcheck disable=SC2053
	[[ $now == ${3:-"$2"} ]] || echo "$2" >"$tracing/$1"
}

box_fresh() {
	local file
	for file in $tracing/instances/*/; do
		[ ! -d "$file" ] || rmdir "$file"
	done
	cp "$KT_TMP/plain"/* $tracing
	for file in set_event set_event_pid error_log; do box_reset $file ''; done
	# Empty, with no counts of lost or read events: the counters of a CPU become 0
	grep -qs '^\(entries\|overrun\|commit overrun\|dropped events\|read events\): [1-9]' \
		$tracing/per_cpu/cpu*/stats && echo >$tracing/trace
	box_reset current_tracer nop
	box_reset trace_clock local '*[[]local]*'
	box_reset tracing_on 1
	box_reset options/stacktrace 0
	box_reset tracing_cpumask "$box_cpus"
	box_reset buffer_size_kb 1408 '14[01]?'
} 2>/dev/null
