# kt_refuse.sh - system calls that fail, for shell tests: . tests/kt_refuse.sh
# shellcheck shell=bash
#
# refusing RULES COMMAND…: run it with tests/refuse/refuse.c before libc, as in
#	refusing 'write:*/current_tracer:EBUSY:1 fork::EAGAIN' "$ktrail" start -p function
# needs_refuse: skip the whole test without it
kt_refuse=$(realpath "$B/tests/refuse.so")

needs_refuse() {
	[ -e "$kt_refuse" ] || skip_all "no $B/tests/refuse.so: make unit-tests"
}

# A sanitizer checks that it is the first library, though it need not be
refusing() {
	local rules=$1
	shift
	run timeout 60 env KT_REFUSE="$rules" LD_PRELOAD="$kt_refuse" \
		ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" "$@"
}
