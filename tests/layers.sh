#!/bin/bash
# layers.sh - check the layers of Documentation/architecture.md by the #include lines
. tests/kt_test.sh

# includes FOLDER…: "file: header" for each of ours, with its folder, and each of the foreign libraries
foreign="(tracefs|event-parse|event-utils|trace-seq|kbuffer|traceevent/|zstd|zlib|ncurses|curses|gelf|libelf|dwarf.h|elfutils/|bpf/|sqlite3|libsmartcols)"

includes() {
	find "$@" -name '*.[ch]' -exec awk '
		/^#[ \t]*include[ \t]*["<]/ {
			name = $0
			sub(/^[^"<]*["<]/, "", name)
			sub(/[">].*/, "", name)
			dir = FILENAME
			sub(/\/[^\/]*$/, "", dir)
			sub(/^lib\//, "", dir)
			if ($0 ~ /"/ && name !~ /\//)
				name = dir "/" name
			print FILENAME ": " name
		}' {} + 2>/dev/null
}


# may FOLDER PATTERN: all of our headers that FOLDER includes match PATTERN
may() {
	[ -d "$1" ] || return 0
	bad=$(includes "$1" | grep -E ": (ktrail|tui|cmd|plugins|tests|$folders)/" | grep -vE ": ($2)")
	[ -z "$bad" ]
	ok $? "$1 includes only allowed headers" || note "$bad"
}

# below ROOM: it and all rooms that it may use
below() {
	local room=$1 name rest uses=
	while read -r name rest; do
		[ "$name" != "$room" ] || uses=$rest
	done < <(grep -v '^#' tests/rooms)
	echo "$room"
	for room in $uses; do
		below "$room"
	done
}

rooms=$(awk '!/^#/ { print $1 }' tests/rooms)
folders=$(find lib -mindepth 2 -name "*.c" | cut -d/ -f2 | sort -u | paste -sd "|")
[ "$(sort <<<"$rooms" | paste -sd "|")" = "$folders" ]
ok $? "tests/rooms has each folder of lib" || note "$folders"
bad=$(for room in lib/* cmd/* tui/*; do set -- "$room"/*.c; [ $# -le 18 ] || echo "$room has $#"; done)
[ -z "$bad" ]
ok $? "no room has more than 18 files: about fifteen" || note "$bad"
may lib/include 'ktrail/'
for room in $rooms; do
	may "lib/$room" "ktrail/|$(below "$room" | sort -u | sed 's,$,/,' | paste -sd '|')"
done
may cmd         'ktrail/|base/|cmd/|tui/tui.h'
may tui         'ktrail/|base/|tui/'

# may_within FOLDER ROOM ROOMS: of the rooms of cmd or tui, it includes only itself and ROOMS
may_within() {
	bad=$(includes "$1/$2" | grep -E ": $1/[a-z]+/" | grep -vE ": $1/($2${3:+|$3})/")
	[ -z "$bad" ]
	ok $? "$1/$2 includes only rooms below it" || note "$bad"
}

below=
for room in process print args record capture sched explain decide report file export; do
	may_within cmd "$room" "$below"
	below="${below:+$below|}$room"
done
for room in define setting status; do
	may_within cmd "$room" "$below"
done
may_within cmd help "$below|setting"
may_within tui terminal
may_within tui input terminal
for room in events graph timeline latency flame why info export live; do
	may_within tui "$room" 'app|input|terminal'
done
may plugins     'ktrail/plugin.h|plugins/'

# only_in HEADERS FILES: only these files include a foreign library
only_in() {
	bad=$(includes lib cmd tui plugins | grep -E ": ($1)" | grep -vE "^($2)")
	[ -z "$bad" ]
	ok $? "only ${2//|/ or } includes ${1%%|*}" || note "$bad"
}

only_in 'tracefs\.h'                                           'lib/probe/sql.c'
only_in 'event-parse|event-utils|trace-seq|kbuffer|traceevent/' 'lib/format/|lib/event/'
only_in 'zstd'                                                 'lib/codec/zstd.c'
only_in 'zlib'                                                 'lib/codec/(zlib|gzip).c|lib/tracefs/kconfig.c'
only_in 'ncurses|curses'                                       'tui/terminal/term.c'
only_in 'libsmartcols'                                         'cmd/print/columns.c'
only_in 'sqlite3'                                              'lib/export/sqlite.c|lib/export/sqlite_rows.[ch]'
only_in 'gelf|libelf|elfutils/|dwarf\.h'                       'lib/probe/elf.c|lib/target/source.c'
bad=$(includes lib/include | grep -E ": $foreign")
[ -z "$bad" ]
ok $? "public headers name no foreign library" || note "$bad"

# The library does not print or exit: its callers do.
if [ -e "$B/libktrail.a" ] && [ -z "${SAN:-}" ]; then
	bad=$(nm -A -u "$B/libktrail.a" 2>/dev/null | grep -wE 'U (exit|printf|puts|putchar|vprintf|stdout|stderr|perror|getopt(_long)?)')
	[ -z "$bad" ]
	ok $? "the library neither prints nor exits" || note "$bad"
fi

# The same by the objects, which also show uses without an #include; and no ring is large.
if [ -e "$B/libktrail.a" ]; then
	bad=$(tests/arrows "$B")
	ok $? "no arrow between rooms points upward, no ring has more than three files" || note "$bad"
fi

# plant FILE USED: a file of lib below $tree that calls one
plant() {
	mkdir -p "$tree/lib/${1%/*}" "$tree/build/lib/${1%/*}"
	echo "void ${2//\//_}(void); void ${1//\//_}(void) { ${2//\//_}(); }" >"$tree/lib/$1.c"
	# shellcheck disable=SC2086
	${CC:-cc} -c -o "$tree/build/lib/$1.o" "$tree/lib/$1.c"
}

tree=${KT_TMP:?tests/tap runs this}/tree
mkdir -p "$tree/tests" && cp tests/arrows tests/rooms "$tree/tests"
plant file/one file/two; plant file/two file/three; plant file/three file/one; plant stream/own file/one
is "$(B=build "$tree/tests/arrows")" "" "a ring of three may be, and arrows that point down"
plant base/low file/one; plant file/three file/four; plant file/four file/one
is "$(B=build "$tree/tests/arrows")" "ring: file/four file/one file/three file/two
up: base/low -> file/one: file_one" "an arrow upward and a larger ring are found"
! "$tree/tests/arrows" build >/dev/null
ok $? "and fail"

for cc in "${CC:-cc} -std=gnu11 -xc" "${CXX:-c++} -std=c++11 -xc++"; do
	command -v "${cc%% *}" >/dev/null || { skip "headers stand alone" "no ${cc%% *}"; continue; }
	bad=$(for h in lib/include/ktrail/*.h; do
		$cc -fsyntax-only -Wall -Wextra -Werror -Wno-pragma-once-outside-header -Ilib/include - <<<"#include <${h#lib/include/}>" 2>&1
	done)
	[ -z "$bad" ]
	ok $? "each public header stands alone (${cc##* -x})" || note "$bad"
done

is "$(sed -n 's|^#include <ktrail/\(.*\)>$|\1|p' lib/include/ktrail/ktrail.h)" "$(cd lib/include/ktrail && ls | grep -vx ktrail.h)" \
	"ktrail.h includes each of them"

# Each line of tests/mutants must change something.
bad=$(grep -v '^\(#\|$\)' tests/mutants | while read -r file script; do
	sed "$script" "$file" 2>&1 | cmp -s - "$file" && echo "$file $script"
done)
[ -z "$bad" ]
ok $? "each line of tests/mutants changes its file" || note "$bad"

# Names in the comments of public headers, that these do not declare: "FILE: NAME"
bad=$(awk '
	{
		line = $0
		while (line != "") {
			at = index(line, comment ? "*/" : "/*")
			part = at ? substr(line, 1, at - 1) : line
			line = at ? substr(line, at + 2) : ""
			while (match(part, /(kt|KT)_[A-Za-z0-9_]+/)) {
				name = substr(part, RSTART, RLENGTH)
				part = substr(part, RSTART + RLENGTH)
				if (comment)
					said[FILENAME ": " name] = name
				else
					declared[name] = 1
			}
			comment = at ? !comment : comment
		}
	}
	END { for (place in said) if (!(said[place] in declared)) print place }' lib/include/ktrail/*.h)
[ -z "$bad" ]
ok $? "comments of public headers use only names that these declare" || note "$bad"

# licence LICENCE FOLDER…: on the first line
licence() {
	bad=$(find "${@:2}" -name '*.[ch]' -exec sh -c 'for f; do head -1 "$f" | grep -q "SPDX-License-Identifier: '"$1"' " || echo "$f"; done' - {} + 2>/dev/null)
	[ -z "$bad" ]
	ok $? "${*:2} is $1" || note "$bad"
}
licence GPL-2.0-or-later cmd tui tests
licence LGPL-2.1-or-later lib plugins

# Alpine's C library is musl
bad=$(grep -nE '^#include <(fts|error|execinfo|obstack|argp|printf|sys/cdefs)\.h>|[^a-z_>.]basename\(' -r cmd tui lib plugins --include='*.[ch]' 2>/dev/null)
[ -z "$bad" ]
ok $? "nothing is used that only glibc has" || note "$bad"

# Characters, with tabs of 8. Expected texts in tests are not split, so that they can be found.
bad=$(find cmd lib plugins tests tui -name '*.[ch]' -exec env LC_ALL=C awk '
	{
		line = $0
		gsub(/[\200-\277]/, "", line)
		nr = split(line, part, "\t")
		width = 0
		for (i = 1; i < nr; i++)
			width = int((width + length(part[i])) / 8 + 1) * 8
		if (width + length(part[nr]) > 100 && !(FILENAME ~ /^tests/ && line ~ /"/))
			print FILENAME ":" FNR
	}' {} + 2>/dev/null)
[ -z "$bad" ]
ok $? "no line goes beyond 100 columns" || note "$bad"

# except rows of a table of numbers
bad=$(find cmd tui lib plugins tests -name '*.[ch]' -exec grep -vHc '^SYSCALL(' {} + 2>/dev/null | awk -F: '$2 > 600')
[ -z "$bad" ]
ok $? "no file has more than 600 lines" || note "$bad"

done_testing
