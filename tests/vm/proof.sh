# proof.sh - for the parts of a guest's proof: . tests/proof.sh (has guest.sh in it)
# shellcheck shell=bash
. tests/guest.sh
SYSTEMS='sched irq timer kmem'	# those that the scripts use; "" to compare all there are

k() { run ktrail "$@"; }
# works ARG…: ktrail succeeds, and has nothing to say on stderr
works() { k "$@"; is "$status:$err" "0:" "ktrail $*"; }
# has MARK: this kernel's README speaks of it
has() { grep -qF "$1" $T/README; }
has_tracer() { grep -qw "$1" $T/available_tracers; }

# until_true SECONDS COMMAND…: an emulated machine takes its time
until_true() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.1
	done
}

# snapshot [-e SYSTEMS]: all but a maximum, which was measured, not set
snapshot() { tests/settings-snapshot "$@" | grep -v '^./tracing_max_latency:'; }

# settings: each setting of tracefs with its value, for "the machine is as it was". Lists are in the
# order in which somebody wrote them: sorted, those with the same in them are the same.
settings() { snapshot ${SYSTEMS:+-e "$SYSTEMS"} | LC_ALL=C sort; }

# as_before [NAME]: settings are what they were when the script started
as_before() {
	settings >"$KT_TMP/after"
	same "$KT_TMP/after" "$KT_TMP/before" "${1:-the machine is as it was}"
}
# unchanged [NAME]: the same of all events
unchanged() {
	snapshot >"$KT_TMP/after"
	same "$KT_TMP/after" "$KT_TMP/before.all" "${1:-the machine is as it was}"
}

# Where the CPU's clock is not to be trusted, the kernel begins with another one; reset sets this.
echo local >$T/trace_clock
settings >"$KT_TMP/before"
snapshot >"$KT_TMP/before.all"
for file in before before.all; do
	grep -q '^./trace_clock:.*\[local\]' "$KT_TMP/$file" && grep -q '^events/sched/sched_switch/enable:0' "$KT_TMP/$file"
	ok $? "there are settings to compare ($(wc -l <"$KT_TMP/$file"))"
done
