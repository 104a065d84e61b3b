#!/bin/bash
# refused.t - system calls that fail: each failure gets one line, and the settings are restored
. tests/kt_test.sh
. tests/kt_fake.sh
. tests/kt_refuse.sh
needs_refuse

# shellcheck disable=SC2034
ktrail=$(realpath "$KTRAIL") dat=$PWD/tests/data/6.12-events.dat
cp tests/data/6.12-events.dat "$KT_TMP/x.dat"
printf '#!/no/such/interpreter\n' >"$KT_TMP/script"
chmod +x "$KT_TMP/script"
# Create the whole tree once: copies are faster
make_fake() {
	local cpu file
	fake_tracefs
	fake_instance one
	fake_instance disk
	put instances/disk/last_boot_info '# Kernel'
	put instances/one/available_tracers 'function nop'
	put available_tracers 'function_graph function nop hwlat'
	put dynamic_events 'u:mine u32 count\np:kprobes/vfs_read vfs_read'
	put user_events_status 'Active: 1'
	put hwlat_detector/window 1000000
	put hwlat_detector/width 500000
	put rv/available_monitors wwnr
	put rv/monitors/wwnr/enable 0
	put events/header_page '\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;'
	put events/header_event '# compressed entry header'
	for file in trace_marker trace_marker_raw snapshot per_cpu/cpu0/snapshot kprobe_events synthetic_events saved_cmdlines printk_formats; do
		: >"$FAKE/$file"
	done
	for cpu in 0 1; do mkfifo "$FAKE/per_cpu/cpu$cpu/trace_pipe_raw"; done
	cp -a "$FAKE" "$KT_TMP/template"
}

fake() {
	rm -rf "$FAKE"
	cp -a "$KT_TMP/template" "$FAKE"
	# A reader waits at these forever: they are open for writing here, but never written
	exec 20<>"$FAKE/per_cpu/cpu0/trace_pipe_raw" 21<>"$FAKE/per_cpu/cpu1/trace_pipe_raw"
	[ -z "${DATA:-}" ] || cat "$KT_TMP/page" >&20
}
# A sub-buffer: its time stamp, its length, and one event
{ printf '\0\20\0\0\0\0\0\0\10\0\0\0\0\0\0\0'; head -c 4080 /dev/zero; } >"$KT_TMP/page"

# settings: the present values as they are written, without data, and sorted where the order has no meaning
settings() {
	fake_state | sed -E '/^[^:]*(\/trace|snapshot|trace_marker(_raw)?):/d
		/\/trace_clock:/s/:.*\[(.*)\].*/:\1/; /\/filter:/s/:none$/:0/'
}

journals() {
	find "$KTRAIL_JOURNAL_DIR" -name '*.journal' 2>/dev/null | wc -l
}

# refuse_all: lines are RULES|STATUS|WORDS|MESSAGE; afterwards all settings are unchanged
refuse_all() {
	local rules want words says args
	while IFS='|' read -r rules want words says; do
		[ -n "$rules" ] || continue
		fake
		eval "args=($words)"
		cd "$KT_TMP" || exit
		refusing "$rules" "$ktrail" "${args[@]}" </dev/null
		cd - >/dev/null || exit
		is "$status" "$want" "$rules: $words"
		like "$err" "(^|"$'\n'")ktrail [a-z-]+: ([^"$'\n'"]*[^a-z])?$says[^"$'\n'"]*$" "… gives its message"
		is "$(settings):$(journals)" "$before:0" "… and nothing is left changed"
	done
}

make_fake
before=$(settings)

# ---- processes ----
refuse_all <<'TXT'
fork::EAGAIN|1|start -e sched true|cannot run 'true': Resource temporarily unavailable
pipe2::EMFILE:1|1|start -e sched true|cannot run 'true': Too many open files
pipe2::EMFILE:2|1|record -o none.dat -e sched true|cannot run 'true': Too many open files
none::EIO|1|start -e sched ./script|cannot run './script': No such file or directory
none::EIO|1|record -q -o s.dat -e sched ./script|cannot run './script': No such file or directory
pipe2::EMFILE:1|1|record --daemonize -o none.dat -e sched|cannot continue in the background: Too many open files
fork::EAGAIN:1|1|record --daemonize -o none.dat -e sched|cannot continue in the background: Resource temporarily
open:/var/run/*.pid:EROFS|1|record --daemonize -q -o pid.dat -e sched|cannot create /var/run/trace-cmd-record.pid: Read-only file system; the events until then are in pid.dat
signalfd::EMFILE|1|record -o none.dat -e sched true|cannot catch signals: Too many open files
signalfd::EMFILE|1|extract -o none.dat|cannot catch signals: Too many open files
poll::ENOMEM|1|record -q -o poll.dat -e sched true|cannot wait: Cannot allocate memory; the events until then are in poll.dat
syscall:perf_event_open:EACCES|1|record --tsc2nsec -e sched -o none.dat true|--tsc2nsec: the kernel does not show how cycles become nanoseconds .Permission denied.
TXT
[ ! -e "$KT_TMP/none.dat" ]
ok $? "no file is left"

# ---- recordings ----
DATA=y
refuse_all <<'TXT'
eventfd::EMFILE:1|1|record -q -o n.dat -e sched true|cannot create an eventfd: Too many open files
eventfd::EMFILE:2|1|record -q -o n.dat -e sched true|cannot create an eventfd: Too many open files
eventfd::EMFILE:3|1|record -q -o n.dat -e sched true|cannot create an eventfd: Too many open files
pthread_create::EAGAIN:1|1|record -q -o n.dat -e sched true|cannot start a thread: Resource temporarily unavailable
pthread_create::EAGAIN:2|1|record -q -o n.dat -e sched true|cannot start a thread: Resource temporarily unavailable
pthread_create::EAGAIN:4|1|record -q -o n.dat -e sched true|cannot start a thread: Resource temporarily unavailable
open:*/cpu1/trace_pipe_raw:EACCES|1|record -q -o n.dat -e sched true|cannot open .*/cpu1/trace_pipe_raw: Permission denied
pwrite:*n.dat:ENOSPC|1|record -q -o n.dat -e sched true|cannot write n.dat: No space left on device
open:n.dat:EROFS|1|record -q -o n.dat -e sched true|cannot create n.dat: Read-only file system
TXT
[ ! -e "$KT_TMP/n.dat" ]
ok $? "a recording that did not start leaves no file"
refuse_all <<'TXT'
open:*/header_page:EIO|1|record -q -o p.dat -e sched true|cannot read .*/events/header_page: Input/output error; .ktrail report p.dat. reads it up to there
ftruncate:*/p.dat:EIO|1|record -q -o p.dat -e sched true|cannot write p.dat: Input/output error; .ktrail report p.dat. reads it up to there
truncate:*p.dat:EIO ftruncate:*/p.dat:EIO|1|record -q -o p.dat -e sched true|cannot write p.dat: Input/output error; nor can it be truncated to its valid part: Input/output error; .ktrail report
flock:*/p.dat:EAGAIN|1|record -q -o p.dat -e sched true|another recording is writing to p.dat
open:*p.dat.part*:EROFS|1|record -q -o p.dat -e sched sleep 0.2|cannot create p.dat.part0: Read-only file system; the events until then are in p.dat
pwrite:*p.dat.part*:ENOSPC|1|record -q -o p.dat -e sched sleep 0.2|cannot write the data of CPU 0 for p.dat: No space left on device; the events until then are in p.dat
pwrite:*p.dat.part*:ENOSPC:2|1|record -q -o p.dat -e sched sleep 0.2|there is no space for more data; the events until then are in p.dat
pwrite:*/p.dat:ENOSPC:4|1|record -q -o p.dat -e sched sleep 0.2|there is no space for more data; the events until then are in p.dat
read:*/trace_pipe_raw:EIO splice:*/trace_pipe_raw:EIO|1|record -q -o p.dat -e sched sleep 0.2|cannot read the buffer of CPU 0: Input/output error; the events until then are in p.dat
pwrite:*p.dat:ENOSPC|1|record -q -o p.dat -e sched true|cannot write p.dat: No space left on device
pthread_create::EAGAIN|1|stream -e sched true|cannot start a thread: Resource temporarily unavailable
TXT
fake
refusing 'pwrite:*e.dat.part*:ENOSPC' "$ktrail" extract -q -o "$KT_TMP/e.dat"
like "$status:$err" "^1:ktrail extract: 0 B are in .*/e.dat and can be read, 192 B are still in the kernel, [48].0 KiB are lost"$'\n'"ktrail extract: cannot write the data of CPU 0" \
	"an extract that cannot be written reports where the data is"
rm -f "$KT_TMP"/e.dat*
fake
refusing 'pwrite:*e.dat.part*:ENOSPC:2' "$ktrail" extract -q -o "$KT_TMP/e.dat"
like "$status:$err" "^1:ktrail extract: ([48]).0 KiB are in .*/e.dat and can be read, 192 B are still in the kernel, 0 B are lost"$'\n'"ktrail extract: there is no space for more data$" \
	"the reserve holds the data that were read when the disk is full"
rm -f "$KT_TMP"/e.dat*
# Formats that cannot be written would make the data unreadable, so it stays in the kernel.
fake
echo good >"$KT_TMP/e.dat"
refusing 'pwrite:*/e.dat:ENOSPC' "$ktrail" extract -q -o "$KT_TMP/e.dat"
like "$status:$err" "^1:ktrail extract: cannot write [^ ]*/e.dat: No space left on device$" \
	"an extract that cannot write the formats takes nothing from the kernel"
is "$(cd "$KT_TMP"; head e.dat*)" good "and leaves the old file as it was"
rm -f "$KT_TMP"/e.dat*
# After any number of failures, the last complete trace is kept
echo good >"$KT_TMP/e.dat"
for kept in e.dat.old e.dat.unfinished e.dat.unfinished; do
	fake
	refusing 'pwrite:*e.dat.part*:ENOSPC' "$ktrail" extract -o "$KT_TMP/e.dat"
	like "$status:$err" "^1:the former file is kept as .*/$kept" "the former file is kept as $kept"
	is "$(cat "$KT_TMP/e.dat.old")" good "and the complete trace as e.dat.old"
done
fake
run "$ktrail" extract -q -o "$KT_TMP/e.dat"
is "$status:$(cat "$KT_TMP/e.dat.old")" "0:good" "also by an extract that works"
[ -e "$KT_TMP/e.dat.unfinished.part0" ]
ok $? "an unfinished file has its parts beside it"
fake
run "$ktrail" extract -q -o "$KT_TMP/e.dat"
is "$status:$(head -c 3 "$KT_TMP/e.dat.old")" $'0:\x17\x08D' "a complete file becomes the old one"
rm -f "$KT_TMP"/e.dat*
ln -s "$ktrail" "$KT_TMP/trace-cmd"
for there in '' e.dat.old; do
	fake
	echo old | tee "$KT_TMP/e.dat" >"$KT_TMP/${there:-e.dat}"
	refusing 'pwrite:*e.dat.part*:ENOSPC' "$KT_TMP/trace-cmd" extract -q -o "$KT_TMP/e.dat"
	is "$status:$(cat "$KT_TMP/e.dat.old")" "28:old" "as trace-cmd: a failure does not lose the old file"
	fake
	rm -f "$KT_TMP"/e.dat.old
	run "$KT_TMP/trace-cmd" extract -q -o "$KT_TMP/e.dat"
	is "$status:$(ls "$KT_TMP" | grep -c '^e.dat')" "0:1" "… and a complete file replaces it"
	rm -f "$KT_TMP"/e.dat*
done
DATA=

# If poll reports data that cannot be read, the reader pauses: a thousand reads a second, not
# a million. An empty file is always ready to read.
fake
for cpu in 0 1; do
	rm "$FAKE/per_cpu/cpu$cpu/trace_pipe_raw"
	: >"$FAKE/per_cpu/cpu$cpu/trace_pipe_raw"
done
KT_REFUSE_LOG=$KT_TMP/always.log refusing 'splice:*/trace_pipe_raw:EAGAIN' "$ktrail" record -q -o "$KT_TMP/n.dat" -e sched sleep 1
is "$(($(grep -c '^splice' "$KT_TMP/always.log") < 20000))" 1 "a buffer that is always ready is not polled without pause"

# ---- files that are read and written ----
fake
run "$ktrail" restore -c -t "$FAKE" -o "$KT_TMP/head.dat"
cp "$KT_TMP/page" "$KT_TMP/trace.cpu0"
cp "$KT_TMP/page" "$KT_TMP/trace.cpu1"
refuse_all <<'TXT'
mmap:*/x.dat:ENODEV|1|report x.dat|cannot map x.dat: No such device
open:x.dat:EMFILE|1|report x.dat|cannot open x.dat: Too many open files
fstat:*/x.dat:EIO|1|report x.dat|cannot open x.dat: Input/output error
none::EIO|1|report ..|.. is a directory
pwrite:*/c.dat*:ENOSPC|1|convert -f x.dat -o c.dat|cannot write c.dat: No space left on device
pwrite:*/c.dat*:ENOSPC:3|1|convert -f x.dat -o c.dat|cannot write c.dat: No space left on device
ftruncate:*/c.dat*:EIO|1|convert -f x.dat -o c.dat|cannot write c.dat: Input/output error
open:c.dat*:EROFS|1|convert -f x.dat -o c.dat|cannot create c.dat: Read-only file system
rename:c.dat:EACCES|1|convert -f x.dat -o c.dat|cannot rename c.dat.new0 to c.dat: Permission denied
mmap:*/trace.cpu1:ENODEV|1|restore -o c.dat -i head.dat trace.cpu0 trace.cpu1|cannot map trace.cpu1: No such device
TXT
find "$KT_TMP" -maxdepth 1 -name 'c.dat*' | grep -q .
[ $? = 1 ]
ok $? "a file that cannot be written completely is removed"

fake
run "$ktrail" profile -o /no/such/profile -e sched true
like "$status:$err" "1:ktrail profile: cannot write /no/such/profile: No such file or directory" "a profile that cannot be written"

# ---- files of tracefs that cannot be read ----
refuse_all <<'TXT'
access:*/tracefs:EACCES:1|1|stat|KTRAIL_TRACEFS: .*/tracefs: Permission denied
access:*/tracefs:EACCES:2|1|stat|cannot enter .*/tracefs:
open:*/trace:EIO|1|show|cannot read .*/trace: Input/output error
open:*/trace:EIO:1|1|show|cannot read .*/trace
read:*/trace:EIO|1|show|cannot read .*/trace: Input/output error
read:*/current_tracer:EIO|1|tracer set function|cannot switch to tracer 'function': cannot read .*/current_tracer: Input/output error
open:*/instances:EACCES|1|instance list|cannot read .*/instances: refused even to root|permission
open:*/dynamic_events:EIO|1|probe list|cannot read .*/dynamic_events: Input/output error
TXT

fake
put trace_pipe 'a line'
refusing 'read:*/trace_pipe:EIO' "$ktrail" show -p
like "$status:$err" "^1:ktrail show: cannot read .*/trace_pipe: Input/output error$" "a pipe of the trace that cannot be read"
refusing 'read:*/trace_pipe:EIO' "$ktrail" buffer drain
like "$status:$err" "^1:ktrail buffer: cannot read trace_pipe: Input/output error$" "… nor emptied"
refusing 'read:*/trace_pipe:EAGAIN:2' "$ktrail" buffer drain
is "$status:$out:$err" "0:a line:" "drain ends with the events that exist now"
put error_log "[  1.0] hist:sched:sched_switch: error: Couldn't find field\n  Command: hist:keys=x1\n                     ^"
refusing 'write:*/tracing_on:EBUSY:1' "$ktrail" restart
like "$status:$err" "^1:.*cannot write '1' to .*/tracing_on: it is in use$" "the kernel's error for another command is not quoted"
: >"$FAKE/error_log"
if [ -e /dev/full ]; then
	run sh -c "'$ktrail' show -p >/dev/full"
	is "$status:$err" "1:ktrail show: cannot write: No space left on device" "a full disk is reported once"
fi
refusing "access:$ktrail:EACCES" "$ktrail" probe add "uprobe:$ktrail:main"
like "$status:$err" "^1:ktrail probe: $ktrail: Permission denied" "a program that cannot be read"
put trace_clock '[local] global mono counter'
run "$ktrail" record -q --date -C counter -o "$KT_TMP/n.dat" -e sched true
like "$status:$err" "^1:.*--date needs a clock that counts nanoseconds: local, global, mono" "a date for a clock that counts"

# ---- formats ----
fake
put events/kmem/kmalloc/id 400
put events/kmem/kmalloc/format 'name: kmalloc\nID: 400\nformat:\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\tfield:unsigned long call_site;\toffset:8;\tsize:8;\tsigned:0;\n\tfield:const void * ptr;\toffset:16;\tsize:8;\tsigned:0;\n\tfield:size_t bytes_req;\toffset:24;\tsize:8;\tsigned:0;\n\tfield:size_t bytes_alloc;\toffset:32;\tsize:8;\tsigned:0;\n\nprint fmt: "x"'
run "$ktrail" restore -c -t "$FAKE" -o "$KT_TMP/kmem.dat"
run "$ktrail" mem "$KT_TMP/kmem.dat"
is "$status:$err" "1:ktrail mem: no records of kmem events in $KT_TMP/kmem.dat" "mem of a trace whose events never happened"
put events/kmem/kmalloc/format 'name: kmalloc\nID: 400\nformat:\n\tfield:int common_pid;\toffset:4;\tsize'
rm "$KT_TMP/kmem.dat"
run "$ktrail" restore -c -t "$FAKE" -o "$KT_TMP/kmem.dat"
run "$ktrail" report --check-events "$KT_TMP/kmem.dat"
like "$status:$out$err" "^1:.*kmem:kmalloc has a format that cannot be read.*1 event formats cannot be read$" "--check-events names the format"
run "$ktrail" report --json --check-events "$KT_TMP/kmem.dat"
like "$status:$err" "^1:ktrail report: event formats of .*kmem.dat cannot be read$" "… as JSON, too"

# ---- no tracefs, and it cannot be mounted ----
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	# shellcheck disable=SC2016
	unmounted() {
		run env -u KTRAIL_TRACEFS unshare -m --propagation private sh -c '
			umount -a -t tracefs; umount -a -t debugfs; mount -t tmpfs none /sys/kernel/tracing
			export KT_REFUSE=$2 LD_PRELOAD=$3 ASAN_OPTIONS=verify_asan_link_order=0
			exec "$1" stat' sh "$ktrail" "$1" "$kt_refuse"
	}
	run unshare -m --propagation private sh -c '
		mount -t tmpfs none /run && ln -s /dev/full /run/trace-cmd-record.pid && exec "$@"' \
		sh "$ktrail" record --daemonize -q -o "$KT_TMP/pid.dat" -e sched
	like "$status:$err" "^1:ktrail record: cannot write /var/run/trace-cmd-record.pid: No space left on device; the events until then" "a disk without room for the file with the pid"
	# shellcheck disable=SC2016
	run unshare -m --propagation private sh -c '
		mount -t tmpfs none /boot && echo "# CONFIG_EPROBE_EVENTS is not set" >/boot/config-$(uname -r)
		export KT_REFUSE="open:/proc/config.gz:ENOENT write:*/dynamic_events:EINVAL" LD_PRELOAD=$1
		export ASAN_OPTIONS=verify_asan_link_order=0
		exec "$2" probe add "eprobe:sched:sched_switch prev_pid"' sh "$kt_refuse" "$ktrail"
	like "$status:$err" "^1:ktrail probe: this kernel has no event probes .CONFIG_EPROBE_EVENTS=y.: cannot write" "a kernel without event probes"
	# Its message cannot be delivered, but it ends; with a private /run, since other tests use that file
	fake
	before=$(settings)
	run timeout 60 unshare -m --propagation private sh -c '
		mount -t tmpfs none /run
		export KT_REFUSE="write:pipe*:EPIPE:1" LD_PRELOAD=$1 ASAN_OPTIONS=verify_asan_link_order=0
		shift; exec "$@"' sh "$kt_refuse" "$ktrail" record --daemonize -q -o "$KT_TMP/daemon.dat" -e sched
	is "$status:$(settings)" "1:$before" "a background recording without a parent ends and restores the settings"
	unmounted mount:*/tracing:ENODEV
	like "$status:$err" "ktrail stat: this kernel has no tracefs .CONFIG_FTRACE.$" "a kernel without tracefs"
	unmounted mount:*/tracing:EPERM
	like "$status:$err" "ktrail stat: cannot mount tracefs on /sys/kernel/tracing: Operation not permitted$" "a tracefs that may not be mounted"
else
	skip "tracefs cannot be mounted" "this needs root"
fi

# ---- refusals of the kernel ----
refuse_all <<'TXT'
write:*/ftrace_dump_on_oops:EINVAL:1|1|dump-on-oops set one|single instances can be chosen since Linux 6.9: cannot write 'one' to .*ftrace_dump_on_oops
rmdir:*/instances/one:EBUSY|1|instance delete one|'one' is in use by a trigger or a program that cannot be seen
rmdir:*/instances/disk:EBUSY|1|instance delete disk|the instance 'disk' cannot be deleted while this kernel runs
rmdir:*/instances/one:EACCES|1|instance delete one|cannot remove the instance .*/one: Permission denied
mkdir:*/new:ENOSPC|1|instance create new|cannot create the instance 'new': No space left on device
write:*/dynamic_events:EBUSY:1|1|user-events del mine|a program or a trace still uses it: cannot write '-:user_events/mine u32 count'
write:*/dynamic_events:EINVAL:1|1|user-events add 'other u32 x'|cannot write 'u:other u32 x' to .*/dynamic_events
write:*/dynamic_events:EBUSY:1|1|probe del vfs_read|cannot write '-:kprobes/vfs_read' to .*/dynamic_events: it is in use
write:*/dynamic_events:EINVAL:1|1|probe add vfs_write|cannot write 'p:vfs_write vfs_write' to .*/dynamic_events
write:*/dynamic_events:EINVAL:1|1|synth add x u32 a|cannot write 's:x u32 a' to .*/dynamic_events
write:*/cpu0/snapshot:EINVAL:1|1|snapshot -s -c 0|a snapshot of one CPU needs CONFIG_TRACER_SNAPSHOT_PER_CPU_SWAP
write:*/one/current_tracer:EINVAL:1|1|tracer set -B one function|tracer 'function' works in the top-level buffer only
write:*/one/current_tracer:EINVAL:2|1|start -B one -e sched -p function|instance 'one': tracer 'function' works in the top-level buffer only
write:*/current_tracer:EBUSY:2|1|start -e sched -p function|cannot switch to tracer 'function': cannot write 'function' to .*/current_tracer: it is in use
write:*/width:EINVAL:1|1|tracer set hwlat width=2000000|width cannot be more than window, which is 1000000
write:*/window:EINVAL:1|1|tracer set hwlat window=2000|window cannot be less than width, which is 500000
write:*/set_ftrace_filter:EINVAL:1|1|functions add vfs_raed|no function 'vfs_raed' can be traced, did you mean 'vfs_read'.
write:*/trace_marker:EBADF|1|marker hello|cannot write 'hello' to .*/trace_marker: the buffer accepts no data now
write:*/trace_marker_raw:EBADF|1|marker --raw 3 hello|cannot write 9 bytes to .*/trace_marker_raw: the buffer accepts no data now
write:*/trace_marker_raw:0|1|marker --raw 3 hello|cannot write 9 bytes to .*/trace_marker_raw: the value is too long
write:*/sched_switch/filter:EINVAL:1|1|filter set sched_switch 'prev_pid == 1'|cannot write 'prev_pid == 1' to .*/sched_switch/filter
write:*/sched_switch/trigger:EBUSY:1|1|trigger add sched_switch stacktrace|cannot write 'stacktrace' to .*/sched_switch/trigger: it is in use
write:*/wwnr/enable:EBUSY:1|1|rv set wwnr|cannot write '1' to .*/wwnr/enable: it is in use
write:*/trace_clock:EINVAL:1|1|clock set mono|cannot write 'mono' to .*/trace_clock
write:*/tracing_cpumask:EINVAL:1|1|cpumask set 1|cannot write '2' to .*/tracing_cpumask
write:*/buffer_size_kb:ENOMEM:1|1|buffer set 64|cannot write '64' to .*/buffer_size_kb: it is in use by .*refused.t, which reads per_cpu
write:*/sched/enable:EINVAL:1|1|start -e irq -e sched -b 64|cannot write '1' to .*/sched/enable
write:*/tracing_on:EPERM:1|1|stop -B one|instance 'one': cannot write '0' to .*/one/tracing_on
write:*/one/tracing_on:EPERM:1|1|start -e sched -B one -e irq|cannot write '0' to .*/one/tracing_on
TXT
fake
refusing 'write:*/dynamic_events:EBUSY:1' "$ktrail" reset
like "$status:$err" "1:ktrail reset: kept, since another instance or program uses them: user_events/mine" "reset names the settings that it keeps"
is "$(get dynamic_events | tail -1)" "-:kprobes/vfs_read" "… and has removed the rest"

# ---- restoring fails as well ----
# not_back RULES WORDS…: $FILE keeps $VALUE, with $MESSAGE; restore-settings restores it
not_back() {
	fake
	before=$(settings)
	refusing "$1" "$ktrail" "${@:2}"
	is "$status" 1 "$1: ${*:2}"
	like "$err" "^ktrail [a-z-]+: $MESSAGE; [12] settings? not restored .\`ktrail restore-settings\` tries again.: cannot write '$VALUE' to [^"$'\n'"]*/$FILE: [^"$'\n'"]*$" "… both failures are in one line"
	is "$(cat "$KTRAIL_JOURNAL_DIR"/*.journal | grep -vE '^([#pc][ io]|via )')" "put $FAKE/$FILE $VALUE" "… the journal has only the failed setting"
	run "$ktrail" restore-settings
	like "$status:$out" "0:restored [12] settings?" "… restore-settings restores it"
	is "$(settings):$(journals)" "$before:0" "… and then all settings are as before"
}
FILE=current_tracer VALUE=nop MESSAGE="cannot switch to tracer 'function': cannot write 'function' to .*/current_tracer: it is in use.*"
not_back 'write:*/current_tracer:EBUSY:2-' start -e sched -p function
FILE=events/irq/enable VALUE=0 MESSAGE="cannot write '1' to .*/sched/enable: it is in use"
not_back 'write:*/sched/enable:EBUSY:1 write:*/irq/enable:EIO:2-' start -e irq -e sched
FILE=trace_clock VALUE=local MESSAGE="cannot write 'mono' to .*/trace_clock: the kernel does not accept this value"
not_back 'write:*/trace_clock:EINVAL' clock set mono
cat >"$KT_TMP/session" <<'TXT'
[machine]
max_graph_depth = 3
[buffer]
trace_clock = mono
TXT
FILE=max_graph_depth VALUE=0 MESSAGE="cannot write 'mono' to .*/trace_clock: it is in use"
not_back 'write:*/trace_clock:EBUSY:1 write:*/max_graph_depth:EIO:2-' state restore "$KT_TMP/session"

# A successful recording whose settings cannot be restored
fake
refusing 'write:*/sched/enable:EIO:2-' "$ktrail" record -q -o "$KT_TMP/well.dat" -e sched true
like "$status:$err" "^1:ktrail record: 1 setting not restored .*: cannot write '0' to .*/sched/enable: Input/output error$" "a recording whose settings cannot be restored"
run "$ktrail" report "$KT_TMP/well.dat"
is "$status" 0 "… is complete"
is "$(journals)" 1 "… and so is the journal"

# ---- restore-settings itself ----
journal() {
	fake
	mkdir -p "$KTRAIL_JOURNAL_DIR" -m 700
	printf '%s\n' "pid 4194000 start 1 boot $(cat /proc/sys/kernel/random/boot_id)" 'command a run' "$@" \
		>"$KTRAIL_JOURNAL_DIR/4194000.journal"
	chmod 600 "$KTRAIL_JOURNAL_DIR/4194000.journal"
}
journal "put $FAKE/tracing_on 0"
refusing 'write:*/tracing_on:EIO' "$ktrail" restore-settings
like "$status:$err" "^1:ktrail restore-settings: pid 4194000: cannot write '0' to .*/tracing_on: Input/output error$" "a setting that cannot be restored is reported"
is "$(journals)" 1 "… its journal stays"
journal "put $FAKE/tracing_on 0"
refusing 'unlink:*.journal:EROFS' "$ktrail" restore-settings
like "$status:$err" "^1:ktrail restore-settings: pid 4194000: cannot remove .*/4194000.journal: Read-only file system$" "a journal that cannot be removed"
is "$(get tracing_on)" 0 "… but its settings are restored"
refusing 'unlink:*.journal:EROFS' "$ktrail" restore-settings --discard
like "$status:$err" "^1:ktrail restore-settings: cannot remove .*/4194000.journal: Read-only file system$" "… also with --discard"
rm -f "$KTRAIL_JOURNAL_DIR"/*
done_testing
