#!/bin/bash
# split.t - pieces of a trace hold exactly their records
. tests/kt_test.sh
# shellcheck disable=SC2154
cd "$KT_TMP" || exit 1
data=$OLDPWD/tests/data/peer

# lines FILE…: the lines of the report, without the first one of each file
lines() { "$KTRAIL" report -t -q "$@" 2>>err | grep -v '^cpus='; }
# sizes FILE: the stored sizes of the data of each CPU
sizes() { "$KTRAIL" dump --flyrecord "$1" | awk '/data offset and size/ { print $1, $3 } /size of cpu/ { print $2 }'; }

for name in events-irqs stacks fgraph-sched v6-function; do
	rm -f x* err
	cp "$data/$name.dat" in.dat
	lines in.dat >all
	n=$(wc -l <all)
	# stack traces have several lines; only the first one has a time
	awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.[0-9]+:$/) { print substr($i, 1, length($i) - 1); next } }' all >times
	events=$(wc -l <times)
	start=$(sed -n "$((events / 4))p" times)
	end=$(sed -n "$((events / 2))p" times)

	run "$KTRAIL" split -f -i in.dat -o x.dat "$start" "$end"
	is "$status" 0 "$name: cut out a piece by time"
	lines x.dat >got
	awk -v s="$start" -v e="$end" '
		{ t = ""; for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.[0-9]+:$/) { t = substr($i, 1, length($i) - 1); break }
		  if (t != "") on = t >= s && t < e
		  if (on) print }' all >want
	# a graph folds entry and exit: the cut may separate them
	[ $name = fgraph-sched ] || same <(tr -s " " <got) <(tr -s " " <want) "$name: it holds the records of that time"
	if have_peer; then
		run trace-cmd dump --validate -i x.dat
		is "$status" 0 "$name: trace-cmd finds it valid"
		is "$(trace-cmd report -N -i x.dat 2>/dev/null | wc -l)" "$("$KTRAIL" report -N x.dat | wc -l)" \
			"$name: and as many lines"
	fi

	for how in "-e 100" "-m 3" "-u 2500" "-p 1" "-c -e 50"; do
		rm -f x*
		# shellcheck disable=SC2086
		run "$KTRAIL" split -f -i in.dat -o x $how -r
		is "$status" 0 "$name: split -r $how"
		# functions are indented below their callers, which the cut may separate
		for part in x.*; do lines "$part"; done | tr -s " " | sort >got
		tr -s " " <all | sort | cmp -s - got || [ $name = fgraph-sched ]
		ok $? "$name: all parts together are the whole ($how, $(ls x.* | wc -l) parts)" ||
			note "$(tr -s " " <all | sort | diff - got | head -5)"
	done
	rm -f x*
	run "$KTRAIL" split -f -i in.dat -o x -e 100 -r
	"$KTRAIL" report --raw-ts -R -N x.0002 >got
	is "$(grep -c 'common_type\|: ' got)" "$(grep -c . <(grep ': ' got))" "$name: the second part is readable"
	run "$KTRAIL" split -f -i in.dat -o x.dat -C 0
	lines x.dat | grep -q '\[001\]'
	is $? 1 "$name: -C 0 omits the other CPU"
	[ ! -s err ]
	ok $? "$name: nothing is wrong with the pieces" || note "$(sort err | uniq -c | head -5)"
done

# A file that ends within a chunk: the last part has the same records as the report
"$KTRAIL" convert --compression zlib -i "$data/events-irqs.dat" -o whole.dat
read -r _ offset size _ < <("$KTRAIL" dump -i whole.dat --flyrecord | grep 'data offset and size' | tail -1)
head -c $((offset + size * 2 / 3)) whole.dat >in.dat
rm -f x*
run "$KTRAIL" split -f -i in.dat -o x -e 100 -r
is "$status" 1 "a truncated file is split, with status 1"
same <(for part in x.*; do lines "$part"; done | tr -s " " | sort) <(lines in.dat | tr -s " " | sort) "into all that is left of it"
rm -f x*

cp "$data/events-irqs.dat" in.dat
run "$KTRAIL" split -f -i in.dat -o x.dat -e 25
is "$(lines x.dat | wc -l)" 25 "-e 25 holds 25 records"
same <(lines x.dat) <(lines in.dat | head -25) "the first ones"
run "$KTRAIL" split -f -i in.dat
[ -f in.dat.1 ]
ok $? "without a name the output is FILE.1"
same <(lines in.dat.1) <(lines in.dat) "and without anything to cut a copy"

# Buffers
cp "$data/v6-instances.dat" in.dat
run "$KTRAIL" split -f -i in.dat -B funcs -o x.dat
is "$status" 0 "-B selects one buffer"
same <(lines x.dat | sed 's/^ *//') <(lines in.dat | sed -n 's/^ *funcs: *//p') "and makes it the top-level one"
run "$KTRAIL" split -f -i in.dat -B nosuch -o x.dat
is "$status" 1 "an unknown buffer is a failure"
like "$err" "no buffer 'nosuch'" "that is named"

# The result of a latency tracer is a text: it must be in one part.
cp "$data/../6.12-rt-wakeup.dat" text.dat
run "$KTRAIL" split -f -i text.dat -o x.dat
is "$status" 0 "a file with the text of a latency tracer can be split"
same <(lines x.dat) <(lines text.dat) "and the text stays complete"

run "$KTRAIL" split -f -i in.dat -e 3 -s 3
is "$status" 2 "two measures are misuse"
run "$KTRAIL" split -f -i in.dat -r
is "$status" 2 "-r without a measure, too"
run "$KTRAIL" split -f -i in.dat noon
is "$status" 2 "and an invalid time"
run "$KTRAIL" split -f -i none.dat
is "$status" 1 "no input is a failure"
cp "$data/lost.dat" in.dat
run "$KTRAIL" split -f -i in.dat -o x.dat -C 9
is "$status:$err" "1:ktrail split: -C: no CPU 9 in in.dat, only 0 to 1" "a CPU that the file does not have is reported"
run "$KTRAIL" split -f -i in.dat -o x.dat 5 1
is "$status:${err%%$'\n'*}" "2:ktrail split: the end, 1, is before the start, 5" "an end before the start too"
run "$KTRAIL" split -f -i in.dat -o x.dat 1 1.5
is "$status:$err" "1:ktrail split: in.dat has no events there: nothing is written" "and a piece without events"
run "$KTRAIL" split -i in.dat -o no.dat 1 1.5
[ "$status" = 1 ] && [ ! -e no.dat ]
ok $? "which leaves no file"

# For any byte order, size and version: a piece with all records is equal to the file, and chunks
# that are not cut are copied unchanged.
for file in "$OLDPWD"/tests/data/*.dat "$data"/*.dat; do
	lines "$file" >all
	run "$KTRAIL" split -f -i "$file" -o x.dat
	lines x.dat >got
	same got all "split of all of ${file##*/} keeps all lines"
done
# Compressing them again would change their sizes, since the level differs.
for file in 6.12-events s390x-events armhf-events 6.12-two-buffers; do
	run "$KTRAIL" convert -i "$OLDPWD/tests/data/$file.dat" --compression zstd:15 -f -o y.dat
	run "$KTRAIL" split -f -i y.dat -o x.dat
	sizes y.dat >want
	sizes x.dat >got
	same got want "its chunks are those of $file.dat"
done

# A word is the input, as in all commands; trace-cmd's words are times
rm -f x.dat* trace.dat*
cp "$OLDPWD/tests/data/6.12-events.dat" x.dat
run "$KTRAIL" split x.dat
is "$status:$(ls x.dat*)" "0:x.dat"$'\n'"x.dat.1" "a word that is not a time is the input"
first=$("$KTRAIL" report x.dat | sed -n 's/.* \([0-9]*\.[0-9]*\): .*/\1/p' | head -1)
run "$KTRAIL" split x.dat -o part.dat "$first" "${first%.*}.999999"
is "$status" 0 "times follow it" || note "$err"
"$KTRAIL" report part.dat | sed 1d >got
"$KTRAIL" report x.dat --time "$first,${first%.*}.999999" | sed 1d | head -"$(wc -l <got)" >want
[ -s got ]
same got want "and select the records between them"
run "$KTRAIL" split -i x.dat 1y
like "$status:$err" "^2:.*'1y' is not a time" "with -i a word is a time"
run "$KTRAIL" split nosuch.dat
like "$status:$err" "^1:.*nosuch.dat" "a missing input is reported"
ln -sf "$KTRAIL" trace-cmd
run ./trace-cmd split x.dat
is "$status" 255 "as trace-cmd a word is a time"
done_testing
