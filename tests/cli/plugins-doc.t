#!/bin/bash
# plugins-doc.t - the examples of Documentation/plugins.md compile with the installed header, and run
. tests/kt_test.sh
read -ra cc <<<"${CC:-cc}"	# "ccache gcc", too
"${cc[@]}" --version >/dev/null 2>&1 || skip_all "no compiler here"
export HOME=$KT_TMP KTRAIL_PLUGIN_DIR=$KT_TMP/none
data=tests/data/6.12-events.dat
root=$KT_TMP/root

san=${B##*-}
[ "$san" = san ] || san=
run env -u MAKEFLAGS -u MAKELEVEL make -s install B="${B%-san}" SAN=$san DESTDIR="$root" prefix=/usr
is "$status" 0 "make install works" || note "$err"
is "$(ls "$root/usr/include/ktrail" | grep -c '^plugin.h$')" 1 "the header is installed"

# example FILE: the code block of the page that begins with this name
example() {
	awk -v first="    /* $1 - " '
		index($0, first) == 1 { on = 1 }
		on && /^    \$ / { exit }
		on && /^[^ ]/ { exit }
		on { sub(/^    /, ""); print }' Documentation/plugins.md >"$KT_TMP/$1"
	(umask 022; "${cc[@]}" -std=c11 -Wall -Wextra -Werror -I"$root/usr/include" -shared -fPIC \
		-o "$KT_TMP/${1%.c}.so" "$KT_TMP/$1" 2>"$KT_TMP/err")
	ok $? "$1 of the page compiles without a warning" || cat "$KT_TMP/err"
	chmod 755 "$KT_TMP/${1%.c}.so"
}

example hello.c
run "$KTRAIL" report --plugin "$KT_TMP/hello.so" -F sched_wakeup "$data"
is "$err" "" "and without warnings"
like "$(sed -n 2p <<<"$out")" 'sched_wakeup:  *good morning, [a-z]' "and it prints its text"

example longrun.c
run "$KTRAIL" report --plugin "$KT_TMP/longrun.so" -O longrun:over=20000 -F sched_stat_runtime "$data"
is "$(grep -c 'ran .* ms, more than 20000 us$' <<<"$out")" "$("$KTRAIL" report -F 'sched_stat_runtime: runtime > 20000000' "$data" | grep -c sched_stat)" \
	"the other one finds long waits"
run "$KTRAIL" report --plugin "$KT_TMP/longrun.so" --columns "$data"
like "$out" 'sched/sched_stat_runtime +runtime +672 ' "and has a column"
run env KTRAIL_PLUGIN_DIR= "$KTRAIL" list -P --plugin "$KT_TMP/longrun.so"
like "$out" 'longrun +yes +given by the user +tasks that run for long' "and is listed"

# Each installed plugin, in its installed place
run env KTRAIL_PLUGIN_DIR="$root/usr/lib/ktrail/plugins" "$KTRAIL" list -P
is "$(grep -c ' yes  *found in KTRAIL_PLUGIN_DIR' <<<"$out")" "$(ls plugins/*.c | wc -l)" "all installed plugins load"

# C++ can read the header, too
if command -v c++ >/dev/null; then
	echo '#include <ktrail/plugin.h>' >"$KT_TMP/x.cc"
	c++ -Wall -Wextra -Werror -fsyntax-only -I"$root/usr/include" "$KT_TMP/x.cc"
	ok $? "the header is C++ as well"
else
	skip "the header is C++ as well" "no C++ compiler"
fi

done_testing
