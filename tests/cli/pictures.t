#!/bin/bash
# pictures.t - the pictures of the pages are the output of the commands beside them
. tests/kt_test.sh

svg=$KT_TMP/picture.svg

# shows PAGE NAME: the page shows the picture that is in $svg
shows() {
	local page=Documentation/ktrail-$1.md
	golden "../../Documentation/pictures/$2.svg" "$(cat "$svg")"
	grep -q "^!\[.*\](pictures/$2\.svg)\$" "$page"
	ok $? "$page shows it"
}

# picture NAME PAGE COMMAND…: the command writes $svg
picture() {
	rm -f "$svg"
	"$KTRAIL" "${@:3}" >"$KT_TMP/out"
	shows "$2" "$1"
}
picture calls flame flame tests/data/6.12-fgraph.dat -o "$svg"
picture wakeups flame flame -k wakeups tests/data/6.12-events.dat -o "$svg"
picture diff diff diff --flame "$svg" tests/data/6.1-fgraph.dat tests/data/6.12-fgraph.dat
picture heat latency latency -k wakeup,syscall --svg "$svg" tests/data/6.12-events.dat

# The view of a reader of the Chrome format, drawn from the exported file
"$KTRAIL" export --to chrome --time 128.49,128.6 tests/data/6.12-events.dat | tests/tracks >"$svg"
shows export tracks

# prints PROGRAM FILE OPTION…: the page shows the output of this program below its command
prints() {
	local program=$1 file=$2 page=$KT_TMP/page
	if ! command -v "$program" >/dev/null; then
		skip "what $program prints" "no $program"
		return
	fi
	"$KTRAIL" export tests/data/6.12-events.dat -o "$KT_TMP/$file" "${@:3}"
	sed -n "/^    \\$ $program/,/^$/s/^    //p" Documentation/ktrail-export.md >"$page"
	# the command ends with the line before the first of its output
	sed '/^[┌[]/,$d; s/^\$ //' "$page" >"$page.sh"
	is "$(cd "$KT_TMP" && . "$page.sh")" "$(sed -n '/^[┌[]/,$p' "$page")" \
		"the page of export shows the output of $program"
}
prints sqlite3 trace.sqlite
prints babeltrace2 trace.ctf --time 127,128
done_testing
