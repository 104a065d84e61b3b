#!/bin/bash
# late.t - if a reader cannot run, no events are lost: another reader takes its place
. tests/kt_test.sh
. tests/kt_live.sh
# shellcheck disable=SC2154

tracing=/sys/kernel/tracing
[ "$(id -u)" = 0 ] && [ -w $tracing/instances ] && [ -e $tracing/events/syscalls/sys_enter_write ] ||
	skip_all "needs root, tracefs with instances and events of system calls"
last=$(($(nproc --all) - 1))
[ "$last" -gt 0 ] && taskset -c "0,$last" true 2>/dev/null && chrt -f 2 true 2>/dev/null ||
	skip_all "needs two CPUs and real-time priorities"
export KTRAIL_JOURNAL_DIR=$KT_TMP/journal
mkdir -p "$KTRAIL_JOURNAL_DIR"
cd "$KT_TMP" || exit 1

# thread PID NAME: its id
thread() {
	local dir
	for dir in "/proc/$1"/task/*; do
		[ "$(cat "$dir/comm" 2>/dev/null)" != "$2" ] || echo "${dir##*/}"
	done
}

# On CPU 0 a task runs with a higher priority than the reader of the last CPU, which
# is bound to it as well; meanwhile the load on the last CPU fills its buffer many times.
cat >load.sh <<'EOF'
for _ in $(seq 2400); do [ ! -e go ] || break; sleep 0.05; done
taskset -c "$1" dd if=/dev/zero of=/dev/null bs=1 count=500000 2>/dev/null
: >done
EOF
# The load would fill the buffer five times. Once takes some 50 ms, which a host may take from a
# guest, and the other reader starts after 5 ms.
"$KTRAIL" record -B auto -b 4096 -e syscalls:sys_enter_write -o late.dat sh load.sh "$last" 2>said &
recorder=$!
wait_until '[ -n "$(thread "$recorder" "ktrail/$last:alt")" ] && reader=$(thread "$recorder" "ktrail/$last") && [ -n "$reader" ]'
ok $? "each CPU has a reader and one in reserve"
taskset -p -c 0 "$reader" >/dev/null
ok $? "the reader is bound to another CPU"
chrt -f 50 taskset -c 0 bash -c 'while [ ! -e done ] && [ $SECONDS -lt 5 ]; do :; done' &
hog=$!
: >go
wait "$recorder"
status=$?
wait "$hog"
is "$status" 0 "a recording whose reader cannot run succeeds"
like "$(cat said)" ', 0 events lost' "and loses nothing"
[ "$("$KTRAIL" report --comm dd late.dat 2>/dev/null | wc -l)" -ge 500000 ]
ok $? "all events until then are in the file"
no_orphans "no instance is left"
done_testing
