#!/bin/bash
# progress.t - work that takes longer than a second shows its progress on a terminal
. tests/kt_test.sh
. tests/kt_fake.sh
. tests/kt_refuse.sh

needs_refuse
has_terminals || skip_all "script(1) can make no terminal here: is /dev/pts mounted?"

# The clock of the command runs faster, so that small files take longer than a second
faster=$KT_TMP/faster
cat >"$faster" <<-END
	#!/bin/sh
	KT_CLOCK=100000 PAGER=cat LD_PRELOAD="$kt_refuse" \
		ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" exec "$KTRAIL" "\$@"
END
chmod +x "$faster"

# shows REDIRECTION COMMAND…: progress on a terminal, removed at the end, and none in a pipe
shows() {
	local to=$1
	shift
	script -qec "$(printf '%q ' "$faster" "$@") $to" /dev/null </dev/null >"$KT_TMP/tty" 2>&1
	tr '\r' '\n' <"$KT_TMP/tty" >"$KT_TMP/lines"
	like "$(cat "$KT_TMP/lines")" "ktrail $1: [0-9.]+ (% of [0-9]|.iB)" "it shows its progress: $*"
	like "$(cat "$KT_TMP/lines")" $'\n\e\\[K' "and removes it at the end"
	run "$faster" "$@"
	unlike "$err$out" "$1: [0-9.]+ (%|.iB)" "no progress in a pipe"
}

file=tests/data/6.12-events.dat
shows '' convert -f -o "$KT_TMP/o.dat" --compression zstd:9 $file
shows '' report -i $file -F 'CPU == 77'
shows ">$KT_TMP/text" report -i $file
shows '' report -i $file --profile
shows '' hist -i $file
shows '' split -f -i $file -o "$KT_TMP/s.dat" -p 2

# The lines themselves show the progress
script -qec "$faster report $file" /dev/null </dev/null >"$KT_TMP/tty" 2>&1
tr '\r' '\n' <"$KT_TMP/tty" | sed -n '/^cpus=/,$p' | grep -c ' %.* of ' >"$KT_TMP/nr"
is "$(cat "$KT_TMP/nr")" 0 "no progress among the lines of a report"

# Events of the kernel are counted; their total is not known
fake_tracefs
for i in {1..200}; do
	mkdir -p "$FAKE/events/sys/e$i"
	printf 'name: e%d\nID: %d\nformat:\n\tfield:int x;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: ""\n' \
		$i $((i + 100)) >"$FAKE/events/sys/e$i/format"
	echo "sys:e$i"
done >"$FAKE/available_events"
shows '' check-events
like "$(cat "$KT_TMP/tty")" ' % of 200 events' "events are counted"
done_testing
