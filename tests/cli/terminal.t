#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# terminal.t - output on a terminal fits its width and its characters
. tests/kt_test.sh
. tests/kt_fake.sh

command -v script >/dev/null || skip_all "script is not installed"
[ -c /dev/ptmx ] || skip_all "no terminals here"
fake_tracefs
export HOME=$KT_TMP LC_ALL=C.UTF-8 TERM=xterm PAGER=cat
unset LESS

# on COLUMNS COMMAND…: the output of the command on a terminal of that width
on() {
	local cols=$1
	shift
	script -qec "stty cols $cols rows 24; $*" /dev/null </dev/null | tr -d '\r'
}

# widest TEXT: characters of the longest line
widest() { wc -L <<<"$1"; }

for cols in 80 120; do
	for args in "doctor --all" "tracer" "report -O list" "options"; do
		got=$(on $cols "$KTRAIL $args")
		[ "$(wc -l <<<"$got")" -lt 5 ] || [ "$(widest "$got")" -le $cols ]
		ok $? "$args: $cols columns are enough" || note "$(widest "$got")"
	done
done
# Rows of a table omit columns; notes below them are lines of text.
for args in "latency -k wakeup" "sched latency" irq; do
	got=$(on 40 "$KTRAIL $args tests/data/6.12-events.dat" | grep -E '^[^ ].* [0-9.]+ [mu]?s|  [0-9]+$')
	[ -n "$got" ] && [ "$(widest "$got")" -le 40 ]
	ok $? "$args: 40 columns are enough for its tables" || note "$got"
done
long=$("$KTRAIL" doctor --all)
[ "$(widest "$long")" -gt 100 ]
ok $? "in a pipe, lines have any length"

# The library of tables does not abort at a character that the locale does not have.
"$KTRAIL" report tests/data/peer/events-irqs.dat | sed 's/work:/grün:/g; s/  work-/  grün-/' |
	"$KTRAIL" import -o "$KT_TMP/names.dat" - 2>/dev/null
for args in "sched runqueue" "sched latency" latency; do
	run env LC_ALL=C timeout 60 "$KTRAIL" $args "$KT_TMP/names.dat"
	is "$status" 0 "$args ends in the C locale"
	got=$(LC_ALL=C on 120 "timeout 60 $KTRAIL $args $KT_TMP/names.dat")
	[ -n "$got" ] && ! grep -q '[^ -~]' <<<"$got"
	ok $? "and is ASCII on a terminal" || note "$got"
done
like "$got" $'wakeup -> run.*\n''gr\\xc3\\xbcn:152 ' "with names in full, and signs that can be read"
got=$(LC_ALL=C on 80 "$KTRAIL doctor")
unlike "$got" $'[\x80-\xff]' "in the C locale, output is ASCII"

# A name from the kernel with control characters
printf 'p:kprobes/x\033[2Jy vfs_read\n' >"$FAKE/dynamic_events"
unlike "$(on 80 "$KTRAIL probe list")" $'\033\\[2J' "tables have no control characters"

# Pretty texts, with the plugins that the build puts next to the program
unset KTRAIL_PLUGIN_DIR
data=tests/data/6.12-events.dat
pretty=$("$KTRAIL" report --pretty --no-pager $data)
plain=$("$KTRAIL" report --no-pager $data)
[ "$pretty" != "$plain" ]
ok $? "plugins next to the program are used"
first() { sed '/^cpus=/d; s/\x1b\[[0-9;]*m//g' <<<"$1" | head -50; }
is "$(first "$(on 200 "$KTRAIL report --color=never $data")")" "$(first "$pretty")" "on a terminal --pretty is the default"
for args in --no-pretty -R "--layout 3.3"; do
	is "$(first "$(on 200 "$KTRAIL report --color=never $args $data")")" \
		"$(first "$("$KTRAIL" report $args $data)")" "$args: the text of a pipe"
done
mkdir -p "$KT_TMP/bin/plugins"
cp "$KTRAIL" "$KT_TMP/bin/ktrail"
cp "$B"/plugins/*.so "$KT_TMP/bin/plugins"
like "$("$KT_TMP/bin/ktrail" list -P)" "$KT_TMP/bin/plugins/sched.so" "a copy uses those next to it"
chmod 777 "$KT_TMP/bin/plugins"
unlike "$("$KT_TMP/bin/ktrail" list -P)" "$KT_TMP/bin/plugins" "but not in a folder that all may write to"
chmod 755 "$KT_TMP/bin/plugins"
mv "$KT_TMP/bin/ktrail" "$KT_TMP/bin/other"
unlike "$("$KT_TMP/bin/other" list -P)" "$KT_TMP/bin/plugins" "nor if the program has another name"

# less chops lines, unless the user has set LESS
printf '#!/bin/sh\necho "LESS=$LESS"\n' >"$KT_TMP/less"
chmod +x "$KT_TMP/less"
unset PAGER
PATH=$KT_TMP:$PATH
is "$(on 80 "$KTRAIL options")" "LESS=FRSX" "less keeps to the width"
is "$(LESS=X on 80 "$KTRAIL options")" "LESS=X" "LESS of the user is kept"

# more output than a pipe holds, and a reader that quits immediately
printf '#!/bin/sh\nexec <&-\n' >"$KT_TMP/less"
is "$(on 80 "$KTRAIL dump --events $data; echo status \$?")" "status 0" "quitting the pager is not an error"
done_testing
