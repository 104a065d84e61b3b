#!/bin/bash
# convert.t - a trace in every version and compression, read by ktrail and by other readers
. tests/kt_test.sh
# shellcheck disable=SC2154

cc -o "$KT_TMP/kshark" tests/cli/kshark.c -ldl 2>/dev/null
have_kshark=0
[ -x "$KT_TMP/kshark" ] && "$KT_TMP/kshark" tests/data/peer/stacks.dat >/dev/null 2>&1 && have_kshark=1

for in in tests/data/peer/*.dat; do
	name=$(basename "$in" .dat)
	"$KTRAIL" report "$in" >"$KT_TMP/want" 2>/dev/null
	have_peer && trace-cmd report -i "$in" >"$KT_TMP/peer" 2>/dev/null
	[ $have_kshark = 1 ] && kshark=$("$KT_TMP/kshark" "$in" 2>/dev/null)
	for form in "7 zstd" "7 zstd:12" "7 none" "7 zlib" "6 none"; do
		read -r version method <<<"$form"
		file=$KT_TMP/out.dat
		run "$KTRAIL" convert -i "$in" --file-version "$version" --compression "$method" -f -o "$file"
		is "$status" 0 "$name to $form"
		"$KTRAIL" report "$file" >"$KT_TMP/got" 2>"$KT_TMP/err"
		same "$KT_TMP/got" "$KT_TMP/want" "$name as $form reads the same"
		[ ! -s "$KT_TMP/err" ]
		ok $? "and nothing is wrong with it" || note "$(cat "$KT_TMP/err")"
		[ "$method" != zlib ] || continue	# Debian's trace-cmd knows no zlib
		if have_peer; then
			trace-cmd report -i "$file" >"$KT_TMP/got" 2>/dev/null
			same "$KT_TMP/got" "$KT_TMP/peer" "trace-cmd reads the same"
			run trace-cmd dump --validate -i "$file"
			is "$status" 0 "and finds it valid"
		fi
		[ $have_kshark = 0 ] ||
			is "$("$KT_TMP/kshark" "$file" 2>/dev/null)" "$kshark" "KernelShark's library finds as many records"
	done
done
[ $have_kshark = 1 ] || skip "KernelShark" "no libkshark.so.2"

run "$KTRAIL" convert -i tests/data/6.12-events.dat --compression zstd:19 -o "$KT_TMP/small.dat"
is "$status" 0 "zstd:19 for a file that is compressed with zstd"
[ "$(stat -c %s "$KT_TMP/small.dat")" -lt "$(($(stat -c %s tests/data/6.12-events.dat) * 95 / 100))" ]
ok $? "makes it smaller" || note "$(ls -l "$KT_TMP/small.dat" tests/data/6.12-events.dat)"
run "$KTRAIL" convert -i "$KT_TMP/small.dat" --compression zstd -o "$KT_TMP/copy.dat"
[ "$(stat -c %s "$KT_TMP/copy.dat")" -lt "$(($(stat -c %s "$KT_TMP/small.dat") + 100))" ]
ok $? "without a level, chunks are copied"

cp tests/data/peer/stacks.dat "$KT_TMP/same.dat"
run "$KTRAIL" convert -f "$KT_TMP/same.dat" -o "$KT_TMP/same.dat"
is "$status" 0 "a file can be converted in place"
"$KTRAIL" report tests/data/peer/stacks.dat >"$KT_TMP/want"
"$KTRAIL" report "$KT_TMP/same.dat" >"$KT_TMP/got"
same "$KT_TMP/got" "$KT_TMP/want" "and has the same content"

# All other kinds of files that ktrail reads: kernels, byte orders, sub-buffers, latency texts
for in in tests/data/*.dat; do
	name=$(basename "$in" .dat)
	"$KTRAIL" report "$in" 2>/dev/null | tail -n +2 >"$KT_TMP/want"
	for form in "7 zstd" "6 none"; do
		read -r version method <<<"$form"
		"$KTRAIL" convert -i "$in" --file-version "$version" --compression "$method" -f -o "$KT_TMP/out.dat" 2>"$KT_TMP/err" &&
			"$KTRAIL" report "$KT_TMP/out.dat" 2>>"$KT_TMP/err" | tail -n +2 >"$KT_TMP/got"
		same "$KT_TMP/got" "$KT_TMP/want" "$name as $form reads the same" || note "$(head -3 "$KT_TMP/err")"
	done
done

head -c 9000 tests/data/peer/stacks.dat >"$KT_TMP/cut.dat"
run "$KTRAIL" convert "$KT_TMP/cut.dat" -o "$KT_TMP/part.dat"
is "$status" 1 "missing data is an error"
[ -n "$err" ]
ok $? "with a message"

# Options come before the data: a truncated copy still has its clock and machine.
"$KTRAIL" convert -i tests/data/6.1-events.dat --compression none -o "$KT_TMP/whole.dat"
head -c $(($(stat -c %s "$KT_TMP/whole.dat") - 5000)) "$KT_TMP/whole.dat" >"$KT_TMP/cut.dat"
run "$KTRAIL" report --uname "$KT_TMP/cut.dat"
is "$out" "$("$KTRAIL" report --uname tests/data/6.1-events.dat)" "a converted file that is truncated keeps its options"
run "$KTRAIL" report "$KT_TMP/cut.dat"
is "$(sed -n 2p <<<"$out")" "$("$KTRAIL" report tests/data/6.1-events.dat | sed -n 2p)" "and its times"

run "$KTRAIL" convert -i tests/data/peer/stacks.dat
is "$status" 2 "no output is misuse"
run "$KTRAIL" convert nosuch.dat -o x.dat
is "$status" 1 "no input is a failure"
like "$err" 'nosuch.dat: No such file' "that names it"
run "$KTRAIL" convert -i tests/data/peer/stacks.dat --file-version 5 -o x.dat
is "$status" 2 "no version 5"
run "$KTRAIL" convert -i tests/data/peer/stacks.dat --compression lzma -o x.dat
like "$err" 'only: any none zstd zlib' "no such compression"
! compgen -G 'x.dat*' >/dev/null
ok $? "a failure leaves no file"

run "$KTRAIL" convert -i tests/data/peer/stacks.dat -o "$KT_TMP/nosuch/out.dat"
is "$err" "ktrail convert: cannot create $KT_TMP/nosuch/out.dat: No such file or directory" \
	"the output is named as it was given"

cp tests/data/peer/stacks.dat "$KT_TMP/mine.dat"
chmod 600 "$KT_TMP/mine.dat"
echo precious >"$KT_TMP/mine.dat.new"
cp "$KT_TMP/mine.dat.new" "$KT_TMP/mine.dat.new0"
run "$KTRAIL" convert -f -i "$KT_TMP/mine.dat" -o "$KT_TMP/mine.dat"
is "$status" 0 "a file can be converted in place"
is "$(stat -c %a "$KT_TMP/mine.dat")" 600 "its permissions stay as private as before"
is "$(cat "$KT_TMP/mine.dat.new" "$KT_TMP/mine.dat.new0")" "$(printf 'precious\nprecious')" "and files with similar names are unchanged"
is "$(ls -d "$KT_TMP"/mine.dat* | wc -l)" 3 "nothing else is left there"
# ---- an output is not readable by more users than its input ----
(
	umask 022
	run "$KTRAIL" convert "$KT_TMP/mine.dat" -o "$KT_TMP/copy-of-mine.dat"
	run "$KTRAIL" split -i "$KT_TMP/mine.dat" -o "$KT_TMP/piece-of-mine.dat"
	run "$KTRAIL" restore "$KT_TMP/mine.dat" -o "$KT_TMP/restored-mine.dat"
	cp tests/data/peer/stacks.dat "$KT_TMP/open.dat"
	chmod 644 "$KT_TMP/open.dat"
	run "$KTRAIL" convert -f "$KT_TMP/mine.dat" -o "$KT_TMP/open.dat"
)
is "$(cd "$KT_TMP" && stat -c %a copy-of-mine.dat piece-of-mine.dat restored-mine.dat open.dat | tr '\n' ' ')" \
	"600 600 600 600 " "the output of a private file is private, even if it replaces a file that was not"
run "$KTRAIL" convert tests/data/peer/stacks.dat -o "$KT_TMP/public.dat"
is "$(stat -c %a "$KT_TMP/public.dat")" "$(printf %o $((0$(stat -c %a tests/data/peer/stacks.dat) & ~$(umask))))" \
	"the output of a file that all may read can be read by all"
rm -f "$KT_TMP"/*mine.dat "$KT_TMP/open.dat" "$KT_TMP/public.dat"

# ---- words are inputs, and no file is replaced by accident ----
cp tests/data/peer/stacks.dat "$KT_TMP/a.dat"
cp tests/data/6.12-events.dat "$KT_TMP/b.dat"
for args in "a.dat" "a.dat b.dat" "-i a.dat b.dat"; do
	run sh -c "cd $KT_TMP && $(realpath "$KTRAIL") convert $args"
	is "$status" 2 "convert $args is misuse"
	like "$err" "-o (names|<output>)" "and -o is named"
done
run "$KTRAIL" convert "$KT_TMP/a.dat" -o "$KT_TMP/b.dat" </dev/null
is "$status:$err" "1:ktrail convert: $KT_TMP/b.dat exists already: -f replaces it, -o names another file" \
	"an existing file is not replaced"
run "$KTRAIL" split -i "$KT_TMP/a.dat" -o "$KT_TMP/b.dat" </dev/null
like "$status:$err" "^1:.*b.dat exists already: -f replaces it" "nor by split"
run "$KTRAIL" restore "$KT_TMP/a.dat" -o "$KT_TMP/b.dat" </dev/null
like "$status:$err" "^1:.*b.dat exists already: -f replaces it" "nor by restore"
run "$KTRAIL" restore "$KT_TMP/a.dat" </dev/null
like "$status:$err" "^1:.*a.dat exists already: -f replaces it" "which replaces its input only if that was unfinished"
run "$KTRAIL" profile -o "$KT_TMP/b.dat" true
like "$status:$err" "^1:.*b.dat is a trace file: text does not replace it" "a text never replaces a trace"
cp "$KT_TMP/a.dat" "$KT_TMP/c.0002"
run "$KTRAIL" split -i "$KT_TMP/a.dat" -o "$KT_TMP/c" -r -e 10 </dev/null
like "$status:$err:$(ls "$KT_TMP"/c.*)" "^1:.*c.0002 exists already.*:$KT_TMP/c.0002$" "nor are parts written before one that cannot be"
same "$KT_TMP/b.dat" tests/data/6.12-events.dat "and the file is unchanged"
run "$KTRAIL" convert -f "$KT_TMP/a.dat" -o "$KT_TMP/b.dat"
is "$status" 0 "-f replaces it"
ln -sf "$(realpath "$KTRAIL")" "$KT_TMP/trace-cmd"
run "$KT_TMP/trace-cmd" convert -i "$KT_TMP/a.dat" "$KT_TMP/b.dat"
is "$status" 0 "for trace-cmd a word is the output, and replaces a file"
rm -f "$KT_TMP"/[abc].*

mkfifo "$KT_TMP/pipe"
run "$KTRAIL" convert -i tests/data/peer/stacks.dat -o "$KT_TMP/pipe"
is "$status" 1 "a directory or device is not replaced by a file"
like "$err" 'pipe is not a regular file' "with a message"
[ -p "$KT_TMP/pipe" ] && ! compgen -G "$KT_TMP/pipe?*" >/dev/null
ok $? "and it still exists"
done_testing
