#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# memory.t - report needs less than 64 MB for any size of chunks and number of CPUs
. tests/kt_test.sh

[ -z "${SAN:-}" ] || skip_all "sanitizers need more memory"
tools=${B:-build}/tests/bench
make -s "$tools"/{chunks,inflate,measure} || exit 1
most=62500	# KiB, the texts of the file included

# peak FILE OPTION…: report it; $kib: the peak memory
peak() {
	"$tools/measure" "$KT_TMP/m" "$KTRAIL" report "${@:2}" "$1" >"$KT_TMP/out" 2>"$KT_TMP/err"
	read -r _ _ kib <"$KT_TMP/m"
	[ ! -s "$KT_TMP/err" ] && [ "$kib" -lt $most ]
	ok $? "${1##*/}, report $*: $most KiB are enough" || note "$kib KiB" "$(head -1 "$KT_TMP/err")"
}

"$tools/inflate" tests/bench/samples/mix.dat "$KT_TMP/mix.dat" 300000 none || exit 1
"$tools/inflate" tests/data/6.12-subbuf.dat "$KT_TMP/subbuf.dat" 40000 none || exit 1
for method in zstd:1 zstd:9 zlib:1; do
	"$tools/chunks" "$KT_TMP/mix.dat" "$KT_TMP/big.dat" 6 16384 $method || exit 1
	for threads in 1 4 16; do
		peak "$KT_TMP/big.dat" --threads $threads
	done
	"$KTRAIL" convert -f --compression none -i "$KT_TMP/big.dat" -o "$KT_TMP/plain.dat"
	cmp -s "$KT_TMP/out" <("$KTRAIL" report "$KT_TMP/plain.dat")
	ok $? "$method: the text is that of the same file without compression"
done
peak "$KT_TMP/big.dat" --cpus --first-event --last-event

"$tools/chunks" "$KT_TMP/subbuf.dat" "$KT_TMP/cpus.dat" 256 4096 zstd:1 || exit 1
peak "$KT_TMP/cpus.dat" --threads 4
peak "$KT_TMP/cpus.dat" --cpus --first-event --last-event

# The CPUs of ten instances on a machine with 700 CPUs: each has one sub-buffer
"$tools/chunks" tests/data/6.1-probes.dat "$KT_TMP/many.dat" 7000 4 zstd:1 || exit 1
peak "$KT_TMP/many.dat" --threads 4
"$KTRAIL" convert -f --compression none -i "$KT_TMP/many.dat" -o "$KT_TMP/plain.dat"
peak "$KT_TMP/plain.dat" --threads 4

# The piece with the damage ends there; the pieces before it are complete.
"$tools/chunks" "$KT_TMP/mix.dat" "$KT_TMP/big.dat" 1 16384 zlib:1 || exit 1
size=$(stat -c %s "$KT_TMP/big.dat")
"$KTRAIL" report "$KT_TMP/big.dat" >"$KT_TMP/whole"
head -c 200 /dev/zero | tr '\0' '\377' |
	dd of="$KT_TMP/big.dat" bs=1 seek=$((size / 2)) conv=notrunc status=none
"$KTRAIL" report "$KT_TMP/big.dat" >"$KT_TMP/out" 2>"$KT_TMP/err"
is "$?" 1 "damage within a big chunk is a failure"
like "$(cat "$KT_TMP/err")" '(CPU 0|chunk at) .*big.dat|big.dat: (CPU 0|chunk at)' "that is reported"
nr=$(cmp "$KT_TMP/out" "$KT_TMP/whole" | sed 's/.*line //')
[ "${nr:-0}" -gt 10000 ]
ok $? "and the records before it are printed" || note "only $nr lines"

"$tools/inflate" tests/bench/samples/function.dat "$KT_TMP/function.dat" 200000 none || exit 1
for method in zstd:1 zlib:1; do
	name="$method: piece by piece, without reads of uninitialized memory and without leaks"
	command -v valgrind >/dev/null || { skip "$name" "valgrind is not installed"; continue; }
	"$tools/chunks" "$KT_TMP/function.dat" "$KT_TMP/big.dat" 2 16384 $method || exit 1
	run valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect \
		"$KTRAIL" report --threads 2 "$KT_TMP/big.dat"
	is "$status" 0 "$name" || note "$(head -5 <<<"$err")"
done
done_testing
