#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# terminal.t - what a person sees keeps to the width of the terminal and to what it can show
. tests/kt_test.sh
. tests/kt_fake.sh

command -v script >/dev/null || skip_all "script is not installed"
[ -c /dev/ptmx ] || skip_all "no terminals here"
fake_tracefs
export HOME=$KT_TMP LC_ALL=C.UTF-8 TERM=xterm PAGER=cat
unset LESS

# on COLUMNS COMMAND…: what the command shows on a terminal of that width
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
long=$("$KTRAIL" doctor --all)
[ "$(widest "$long")" -gt 100 ]
ok $? "in a pipe lines are as long as they are"

got=$(LC_ALL=C on 80 "$KTRAIL doctor")
unlike "$got" $'[\x80-\xff]' "in the C locale there is ASCII only"

# A name that a terminal would obey, from the kernel
printf 'p:kprobes/x\033[2Jy vfs_read\n' >"$FAKE/dynamic_events"
unlike "$(on 80 "$KTRAIL probe list")" $'\033\\[2J' "tables have no control characters"

# less chops lines, unless the user has a LESS of his own
printf '#!/bin/sh\necho "LESS=$LESS"\n' >"$KT_TMP/less"
chmod +x "$KT_TMP/less"
unset PAGER
PATH=$KT_TMP:$PATH
is "$(on 80 "$KTRAIL options")" "LESS=FRSX" "less keeps to the width"
is "$(LESS=X on 80 "$KTRAIL options")" "LESS=X" "a LESS of the user stays"
done_testing
