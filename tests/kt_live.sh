# kt_live.sh - for tests on the kernel of this machine, where others trace as well: . tests/kt_live.sh
# shellcheck shell=bash

# orphans: instances of recordings whose process is gone
orphans() {
	local dir
	for dir in "${tracing:-/sys/kernel/tracing}"/instances/ktrail-[0-9]*; do
		[ ! -d "$dir" ] || kill -0 "${dir##*-}" 2>/dev/null || echo "$dir"
	done | LC_ALL=C sort
}
orphans_before=$(orphans)

# recording PID EVENT…: wait until this recorder traces in its instance; during the setup, tracing is off
recording() {
	local dir=${tracing:-/sys/kernel/tracing}/instances/ktrail-$1 event
	for event in "${@:2}"; do
		wait_until "grep -q 1 $dir/events/$event/enable" || return 1
	done
	wait_until "grep -q 1 $dir/tracing_on"
}

# ended PID: wait for this child, and return its status; one that does not end within two minutes is
# killed (137), so that a signal that came too early shows as a failure of this check
ended() {
	wait_until "! kill -0 $1" || kill -KILL "$1"
	wait "$1"
}

# no_orphans NAME: no new ones. Instances that other tests have left meanwhile are
# removed after a while; those of this test would stay.
no_orphans() {
	local left='' _
	for _ in $(seq 60); do
		left=$(LC_ALL=C comm -13 <(printf '%s\n' "$orphans_before") <(orphans))
		[ -n "$left" ] || break
		sleep 1
	done
	is "$left" "" "$1"
}
