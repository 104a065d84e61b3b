# proof.sh - functions for the tests in a guest: . tests/proof.sh (includes guest.sh)
# shellcheck shell=bash
. tests/guest.sh
SYSTEMS='sched irq timer kmem'	# those that the scripts use; "": compare all systems

k() { run ktrail "$@"; }
# works ARG…: ktrail succeeds, and prints nothing on stderr
works() { k "$@"; is "$status:$err" "0:" "ktrail $*"; }
# has MARK: this kernel's README mentions it
has() { grep -qF "$1" $T/README; }
has_tracer() { grep -qw "$1" $T/available_tracers; }

# until_true SECONDS COMMAND…: wait for it, since an emulated machine is slow
until_true() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.1
	done
}

# snapshot [-e SYSTEMS]: all settings except a maximum, which is a result
snapshot() { tests/settings-snapshot "$@" | grep -v '^./tracing_max_latency:'; }

# settings: each setting of tracefs with its value, for "the settings are restored". Lists are in the
# order in which they were written: sort them to compare their content.
settings() { snapshot ${SYSTEMS:+-e "$SYSTEMS"} | LC_ALL=C sort; }

# as_before [NAME]: the settings are those at the start of the script
as_before() {
	settings >"$KT_TMP/after"
	same "$KT_TMP/after" "$KT_TMP/before" "${1:-the settings are restored}"
}
# unchanged [NAME]: the same, including all events
unchanged() {
	snapshot >"$KT_TMP/after"
	same "$KT_TMP/after" "$KT_TMP/before.all" "${1:-the settings are restored}"
}

# If the CPU's clock is not reliable, the kernel boots with another trace clock; reset sets local.
echo local >$T/trace_clock
settings >"$KT_TMP/before"
snapshot >"$KT_TMP/before.all"
for file in before before.all; do
	grep -q '^./trace_clock:.*\[local\]' "$KT_TMP/$file" && grep -q '^events/sched/sched_switch/enable:0' "$KT_TMP/$file"
	ok $? "there are settings to compare ($(wc -l <"$KT_TMP/$file"))"
done
