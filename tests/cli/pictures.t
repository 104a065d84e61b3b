#!/bin/bash
# pictures.t - the pictures of the pages are what the commands beside them make of a sample
. tests/kt_test.sh

# picture NAME PAGE COMMAND… FILE: the command writes FILE, the page shows it
picture() {
	local name=$1 page=Documentation/ktrail-$2.md
	shift 2
	rm -f "$KT_TMP/picture.svg"
	"$KTRAIL" "$@" >"$KT_TMP/out"
	golden "../../Documentation/pictures/$name.svg" "$(cat "$KT_TMP/picture.svg")"
	grep -q "^!\[.*\](pictures/$name\.svg)\$" "$page"
	ok $? "$page shows it"
}
svg=$KT_TMP/picture.svg
picture calls flame flame tests/data/6.12-fgraph.dat -o "$svg"
picture wakeups flame flame -k wakeups tests/data/6.12-events.dat -o "$svg"
picture diff diff diff --flame "$svg" tests/data/6.1-fgraph.dat tests/data/6.12-fgraph.dat
picture heat latency latency -k wakeup,syscall --svg "$svg" tests/data/6.12-events.dat

if command -v sqlite3 >/dev/null; then
	"$KTRAIL" export tests/data/6.12-events.dat -o "$KT_TMP/trace.sqlite"
	# the command from the page, below it what it prints
	sed -n '/^    \$ sqlite3/,/^    └/s/^    //p' Documentation/ktrail-export.md >"$KT_TMP/page"
	command=$(sed '/^┌/,$d; s/^\$ //' "$KT_TMP/page")
	is "$(cd "$KT_TMP" && eval "$command")" "$(sed -n '/^┌/,$p' "$KT_TMP/page")" \
		"the page of export shows what sqlite3 prints"
else
	skip "what sqlite3 prints" "no sqlite3"
fi
done_testing
