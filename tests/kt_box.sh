# kt_box.sh - a tracefs of one's own on the real kernel, for shell tests: . tests/kt_box.sh
# shellcheck shell=bash
#
# An instance in the place of /sys/kernel/tracing, in a private mount namespace: whatever a program
# does to the top buffer happens to it, and nobody else sees it. Files that instances lack, and
# those that some kernels let nobody write, are plain files with what is in the real ones.
#	box_reexec "$0"		first of all: the test starts again inside, or goes on without
#	box_make		inside: mount it
#	box_fresh		settings as at the beginning
tracing=/sys/kernel/tracing

# Inside, BOX is the instance. Without the right to do it the test goes on with BOX empty.
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
}

box_fresh() {
	local file
	for file in $tracing/instances/*/; do
		[ ! -d "$file" ] || rmdir "$file"
	done
	cp "$KT_TMP/plain"/* $tracing
	for file in set_event trace error_log set_event_pid; do echo >$tracing/$file; done
	echo nop >$tracing/current_tracer
	echo local >$tracing/trace_clock
	echo 1 >$tracing/tracing_on
	echo 0 >$tracing/options/stacktrace
	printf '%x\n' $(((1 << $(nproc)) - 1)) >$tracing/tracing_cpumask
	echo 1408 >$tracing/buffer_size_kb
} 2>/dev/null
