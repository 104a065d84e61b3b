#!/bin/bash
# export.t - `ktrail export`: each record arrives in the other format, read back by a reader of that format
. tests/kt_test.sh
# shellcheck disable=SC2154
data=tests/data events=tests/data/6.12-events.dat

# one EXPRESSION [FILE]: a number or word of a document
one() {
	json "$@" | tr -d '[]"'
}

# export FORMAT FILE [WORDS…]: export it to $out.FORMAT
export_to() {
	"$KTRAIL" export --to "$1" "$2" -f -o "$KT_TMP/$1" "${@:3}" 2>"$KT_TMP/err"
	status=$?
}

# Text::CSV is not everywhere: the grammar of RFC 4180 is one expression
# csv EXPRESSION: its value for the rows @r of a file on stdin, each an array
csv() {
	perl -0777 -e '$_ = <STDIN>; my @r = ([]);
		while (/\G(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gc) {
			my $v = defined $1 ? $1 : $2; $v =~ s/""/"/g;
			push @{$r[-1]}, $v; push @r, [] if $3 ne ",";
		}
		die "not CSV at " . pos() if defined pos() && pos() < length; pop @r;
		print eval(shift)' -- "$1"
}

run "$KTRAIL" export --to help
is "$status" 0 "--to help lists the formats"
for format in $(sed '1d; s/ .*//' "$KT_TMP/out"); do
	grep -q "^## $format$" Documentation/ktrail-export.md
	ok $? "the page has a section about $format"
	[ "$("$KTRAIL" __complete export --to "$format" | head -1)" = "$format" ]
	ok $? "… and it is completed"
done
run "$KTRAIL" export --to xls "$events"
is "$status" 2 "another format is misuse"
like "$err" "no format 'xls', only: ndjson csv" "and the formats are named"
run "$KTRAIL" export "$events"
is "$status" 2 "so is none"

# Lines of text are those of report
"$KTRAIL" export --to ndjson "$events" >"$KT_TMP/lines"
"$KTRAIL" report --json "$events" >"$KT_TMP/wanted" 2>/dev/null
same "$KT_TMP/lines" "$KT_TMP/wanted" "ndjson has the lines of report --json"
"$KTRAIL" export --to trace-text "$events" --time +0,+5ms >"$KT_TMP/lines"
"$KTRAIL" report --layout kernel -N "$events" --time +0,+5ms 2>/dev/null | sed 1d >"$KT_TMP/wanted"
[ -s "$KT_TMP/wanted" ]
ok $? "(some lines)"
same "$KT_TMP/lines" "$KT_TMP/wanted" "trace-text those of report --layout kernel"
for format in csv ndjson trace-text; do
	is "$("$KTRAIL" export --to $format --comm bash "$events" | grep -c bash)" \
		"$("$KTRAIL" report --comm bash "$events" | grep -c bash)" "$format: of tasks of a name"
done
is "$(head -n 1 "$KT_TMP/lines")" "          ktrail-194     [001] d..3.   126.603107: sched_waking: comm=ktrail pid=195 prio=120 target_cpu=000" \
	"with the columns of the kernel"

# csv
records=$(grep -c . <("$KTRAIL" report --json "$events" 2>/dev/null))
is "$("$KTRAIL" export --to csv "$events" | csv '@r - 1')" "$records" "csv has a row for each record"
"$KTRAIL" export --to csv "$events" --fields time,event,fields.next_pid,next_comm -F sched_switch >"$KT_TMP/csv"
is "$(csv 'join "|", @{$r[0]}' <"$KT_TMP/csv")" "time|event|next_pid|next_comm" "--fields names the columns"
is "$(csv 'join "\n", map { "$_->[2] $_->[3]" } @r[1..$#r]' <"$KT_TMP/csv")" \
	"$("$KTRAIL" report --json -F sched_switch "$events" 2>/dev/null |
	   perl -ne '/"next_comm":"([^"]*)","next_pid":(\d+)/ and print "$2 $1\n"')" "and their values are those of the fields"
run "$KTRAIL" export --to csv "$events" --fields time,nonsense
like "$status:$err" "1:.*no event has a field 'nonsense'" "an unknown field is an error"

# chrome: events that are not in slices are instants; latency counts the same complete slices
export_to chrome "$events"
is "$status" 0 "chrome"
others=$("$KTRAIL" report --json "$events" 2>/dev/null |
	grep -cvE '"event":"(sched_switch|irq_handler_(entry|exit)|softirq_(entry|exit)|sys_(enter|exit)[a-z0-9_]*)"')
is "$(one 'scalar grep { $_->{ph} eq "i" && $_->{cat} ne "lost" } @{$d->{traceEvents}}' "$KT_TMP/chrome")" "$others" \
	"each other event is an instant"
for kind in syscall softirq preempted; do
	is "$(one "scalar grep { \$_->{ph} eq 'X' && \$_->{cat} eq '$kind' && !\$_->{args}{begin} && !\$_->{args}{end} } @{\$d->{traceEvents}}" "$KT_TMP/chrome")" \
	   "$("$KTRAIL" latency -k $kind --top 0 --json "$events" | one 'my $n = 0; $n += $_->{count} for @{$d->{latencies}[0]{rows}}; $n')" \
	   "each $kind is a slice"
done
is "$(one 'scalar grep { $_->{ph} eq "X" && ($_->{name} =~ /\([XZ]\)/ || ($_->{name} eq "exit_group" && $_->{dur} > 0)) } @{$d->{traceEvents}}' "$KT_TMP/chrome")" 0 \
	"dead tasks neither sleep nor exit until the end"
is "$(one '(grep { $_->{name} eq "exit_group" } @{$d->{traceEvents}}) > 0 ? "some" : 0' "$KT_TMP/chrome")" some "(some exit)"
# overlaps: slices of a track that are not nested in each other, in the floating-point numbers of a
# reader
overlaps() {
	one 'my (%t, $bad); push @{$t{"$_->{pid} $_->{tid}"}}, [$_->{ts}, $_->{ts} + $_->{dur}]
			for grep { $_->{ph} eq "X" } @{$d->{traceEvents}};
		for (values %t) { my @open;
			for my $s (sort { $a->[0] <=> $b->[0] || $b->[1] <=> $a->[1] } @$_) {
				pop @open while @open && $open[-1] <= $s->[0];
				$bad++ if @open && $s->[1] > $open[-1];
				push @open, $s->[1];
			} }
		$bad || 0' "$1"
}
is "$(overlaps "$KT_TMP/chrome")" 0 "slices of a track are nested"
for file in 6.12-fgraph 7.2-pairs; do
	export_to chrome $data/$file.dat
	is "$(overlaps "$KT_TMP/chrome")" 0 "also in $file.dat"
done
is "$(json 'join " ", map { "$_->{name}:$_->{args}{ret}" } (grep { $_->{ph} eq "X" && $_->{name} eq "openat" } @{$d->{traceEvents}})[0]' "$KT_TMP/chrome" | grep -c ':[0-9]')" 1 \
	"system calls have their names and return values"

# ctf: babeltrace2 reads each record, with its fields
if command -v babeltrace2 >/dev/null; then
	for file in 6.12-events 6.12-fgraph 6.12-two-buffers s390x-events 6.1-probes; do
		rm -rf "$KT_TMP/ctf"
		"$KTRAIL" export $data/$file.dat --to ctf -o "$KT_TMP/ctf"
		is "$(babeltrace2 "$KT_TMP/ctf" 2>/dev/null | wc -l)" "$("$KTRAIL" report --json $data/$file.dat 2>/dev/null | grep -c .)" \
			"babeltrace2 reads each record of $file.dat"
	done
	rm -rf "$KT_TMP/ctf"
	"$KTRAIL" export "$events" --to ctf -o "$KT_TMP/ctf"
	babeltrace2 --clock-seconds "$KT_TMP/ctf" >"$KT_TMP/bt" 2>/dev/null
	is "$(sed -nE 's/.*\[([0-9.]*)\].* sched_switch: .*next_comm = "([^"]*)", next_tid = ([0-9]*).*/\1 \2 \3/p' "$KT_TMP/bt")" \
	   "$("$KTRAIL" export --to csv "$events" --fields time,next_comm,next_pid -F sched_switch | tr -d '\r' | sed '1d; s/,/ /g')" \
		"with times and fields, under LTTng's names"
	is "$(grep -c ' syscall_entry_openat: ' "$KT_TMP/bt") $(grep -c ' irq_softirq_entry: ' "$KT_TMP/bt")" \
	   "$("$KTRAIL" report --json -F sys_enter_openat "$events" 2>/dev/null | grep -c .) $("$KTRAIL" report --json -F softirq_entry "$events" 2>/dev/null | grep -c .)" \
		"system calls and softirqs, too"
	run "$KTRAIL" export "$events" --to ctf -o "$KT_TMP/ctf"
	like "$status:$err" "1:.*exists already" "a folder with a trace is not replaced"
else
	echo "# no babeltrace2"
fi

# perfetto: TracePacket 1, in it the bundle 1, in it events 2, as Perfetto's .proto files number them
if command -v protoc >/dev/null; then
	for file in 6.12-events 6.12-fgraph 6.12-function 6.12-two-buffers s390x-events; do
		export_to perfetto $data/$file.dat
		protoc --decode_raw <"$KT_TMP/perfetto" >"$KT_TMP/raw"
		is "$(grep -c '^    2 {' "$KT_TMP/raw")" "$("$KTRAIL" report --json $data/$file.dat 2>/dev/null | grep -c .)" \
			"perfetto: each record of $file.dat is an event of a bundle"
	done
	export_to perfetto "$events"
	protoc --decode_raw <"$KT_TMP/perfetto" >"$KT_TMP/raw"
	# FtraceEvent: 1 timestamp, 2 pid, 4 sched_switch with 5 next_comm and 6 next_pid; packets are not in order
	is "$(awk '/^      1: / { ts = $2 } /^      4 {/ { in_switch = 1 } /^      }/ { in_switch = 0 }
		in_switch && $1 == "5:" { gsub(/"/, ""); comm = substr($0, index($0, ":") + 2) } in_switch && $1 == "6:" { print ts, comm, $2 }' "$KT_TMP/raw" | sort -n)" \
	   "$("$KTRAIL" report --json -F sched_switch "$events" 2>/dev/null |
		perl -ne '/"ts":(\d+).*"next_comm":"([^"]*)","next_pid":(\d+)/ and print "$1 $2 $3\n"' | sort -n)" \
		"its sched_switch has its own message, with its fields"
	is "$(grep -c '^      329 {' "$KT_TMP/raw") $(grep -c '^      24 {' "$KT_TMP/raw")" \
	   "$("$KTRAIL" report --json "$events" 2>/dev/null | grep -c '"event":"sys_enter_') $("$KTRAIL" report --json -F softirq_entry "$events" 2>/dev/null | grep -c .)" \
		"so have system calls and softirqs"
	like "$(cat "$KT_TMP/raw")" '327 \{[^}]*1: "hrtimer_start"' "others are generic, with their name"
else
	echo "# no protoc"
fi

# No device is replaced
mkfifo "$KT_TMP/fifo"
run "$KTRAIL" export --to sqlite -f -o "$KT_TMP/fifo" "$events"
is "$status:$err:$(stat -c %F "$KT_TMP/fifo")" "1:ktrail export: $KT_TMP/fifo is not a regular file:fifo" \
	"a format that needs a file refuses anything else"

# sqlite: a table for each event, and spans
if command -v sqlite3 >/dev/null; then
	sql() { sqlite3 "$KT_TMP/sqlite" "$1"; }
	for file in 6.12-fgraph 6.12-two-buffers s390x-events 6.1-probes 6.12-events; do
		rm -f "$KT_TMP/sqlite"
		export_to sqlite $data/$file.dat
		is "$(sql "PRAGMA integrity_check; SELECT count(*) FROM events")" "ok
$("$KTRAIL" report --json $data/$file.dat 2>/dev/null | grep -c .)" "sqlite has each record of $file.dat"
	done
	is "$(sql "SELECT common_ts, next_comm, next_pid FROM sched_switch")" \
	   "$("$KTRAIL" report --json -F sched_switch "$events" 2>/dev/null |
		perl -ne '/"ts":(\d+).*"next_comm":"([^"]*)","next_pid":(\d+)/ and print "$1|$2|$3\n"')" "with typed fields"
	is "$(sql "SELECT typeof(next_pid), typeof(next_comm) FROM sched_switch LIMIT 1")" "integer|text" "numbers are numbers"
	is "$(sql "SELECT count(*), sum(duration) FROM spans WHERE kind = 'syscall'")" \
	   "$("$KTRAIL" latency -k syscall --top 0 --json "$events" |
		one 'my ($n, $t); $n += $_->{count}, $t += $_->{total} for @{$d->{latencies}[0]{rows}}; "$n|$t"')" "spans are those of latency"
	is "$(sql "SELECT sum(events) FROM cpus") $(sql "SELECT sum(events) FROM tasks")" "$records $records" "CPUs and tasks are counted"
	echo "  a-1 [000] 1.000001: sched_stat_runtime: comm=a pid=1 runtime=18446744073709551615 [ns]" |
		"$KTRAIL" import -o - - 2>/dev/null >"$KT_TMP/wide.dat"
	rm -f "$KT_TMP/sqlite"
	export_to sqlite "$KT_TMP/wide.dat"
	is "$(sql "SELECT typeof(runtime), runtime FROM sched_stat_runtime")" "text|18446744073709551615" "a number that SQLite cannot hold is exact"
	run "$KTRAIL" export --to sqlite "$events"
	like "$status:$err" "2:.*needs a name: -o FILE" "a database is not written to stdout"
else
	echo "# no sqlite3"
fi

# folded: the lines of `ktrail flame`
for file in 6.12-stacks 6.12-fgraph; do
	export_to folded $data/$file.dat
	is "$(grep -cvE '^[^;]+(;[^;]+)* [0-9]+$' "$KT_TMP/folded")" 0 "folded stacks of $file.dat: frames and a value"
	same "$KT_TMP/folded" <("$KTRAIL" flame --folded $data/$file.dat) "those of ktrail flame"
done
export_to folded $data/6.12-stacks.dat -F 'common_pid == 0'
is "$(awk '{ n += $NF } END { print n }' "$KT_TMP/folded")" "$("$KTRAIL" flame --json -F 'common_pid == 0' $data/6.12-stacks.dat |
	one '$d->{frames}[0]{total}')" "of the events that are chosen"

# --limit and --wall
for format in ndjson csv trace-text; do
	export_to $format $data/6.12-causes.dat --limit 7 --wall
	is "$status $(tail -n 7 "$KT_TMP/$format" | grep -c '20[0-9][0-9]-[01][0-9]-[0-3][0-9]')" "0 7" "$format: --wall, and as many events as --limit"
	is "$(wc -l <"$KT_TMP/$format")" "$([ $format = csv ] && echo 8 || echo 7)" "… and no more"
done
export_to chrome "$events" --limit 7
is "$(one 'scalar grep { $_->{ph} eq "i" } @{$d->{traceEvents}}' "$KT_TMP/chrome")" \
   "$("$KTRAIL" report --json --limit 7 "$events" | grep -cvE '"event":"(sched_switch|irq_handler_(entry|exit)|softirq_(entry|exit)|sys_(enter|exit)[a-z0-9_]*)"')" \
	"chrome: --limit"
run "$KTRAIL" export --to chrome --wall "$events"
like "$status:$err" "2:.*--wall: chrome has the times of the trace" "--wall is refused where it has no place"

# compression, by the name
for end in gz zst; do
	export_to csv "$events"
	"$KTRAIL" export "$events" -o "$KT_TMP/all.csv.$end"
	case $end in gz) gzip -dc "$KT_TMP/all.csv.gz" ;; zst) zstd -dcq "$KT_TMP/all.csv.zst" ;; esac >"$KT_TMP/plain"
	same "$KT_TMP/plain" "$KT_TMP/csv" "a name that ends with .$end is compressed"
done
run "$KTRAIL" export "$events" -o "$KT_TMP/all.csv.gz"
like "$status:$err" "1:.*exists already" "an existing file is not replaced"
is "$(compgen -G "$KT_TMP/*.part")" "" "and nothing is left over"

# Names with quotes, separators, line breaks and bytes that are not UTF-8
perl -pe 's/ktrail\0/k",\n\xff;\0/g' $data/6.12-v6.dat >"$KT_TMP/evil.dat"
evil=$("$KTRAIL" report --json "$KT_TMP/evil.dat" 2>/dev/null | grep -c .)
wakings='sched_waking: pid == 235'
export_to csv "$KT_TMP/evil.dat" --fields comm,fields.comm -F "$wakings"
is "$(csv '$r[1][1]' <"$KT_TMP/csv")" $'k",\n\xef\xbf\xbd;' "csv escapes them"
export_to chrome "$KT_TMP/evil.dat" -F "$wakings"
like "$(cat "$KT_TMP/chrome")" '"comm":"k\\",\\n\\ufffd;"' "chrome, too"
one 1 "$KT_TMP/chrome" >"$KT_TMP/out"
is "$(cat "$KT_TMP/out")" 1 "… and is JSON"
if command -v sqlite3 >/dev/null; then
	rm -f "$KT_TMP/sqlite"
	export_to sqlite "$KT_TMP/evil.dat"
	is "$(sql "SELECT hex(comm) FROM sched_waking WHERE pid = 235 LIMIT 1")" "6B222C0AEFBFBD3B" "sqlite, too"
fi
if command -v babeltrace2 >/dev/null; then
	"$KTRAIL" export "$KT_TMP/evil.dat" -o "$KT_TMP/evil.ctf" 2>/dev/null
	is "$(babeltrace2 "$KT_TMP/evil.ctf" 2>/dev/null | wc -l)" "$evil" "ctf, too"
fi
if command -v protoc >/dev/null; then
	export_to perfetto "$KT_TMP/evil.dat"
	like "$(protoc --decode_raw <"$KT_TMP/perfetto")" '1: "k\\",\\n\\357\\277\\275;"' "perfetto, too"
fi

# The intact part of a cut file is exported, and the damage is reported
head -c 60000 "$events" >"$KT_TMP/cut.dat"
lines=$("$KTRAIL" report --json "$KT_TMP/cut.dat" 2>/dev/null | grep -c .)
for format in ndjson csv chrome; do
	run "$KTRAIL" export --to $format "$KT_TMP/cut.dat" -o "$KT_TMP/cut.$format"
	like "$status:$err" "1:ktrail export: .*cut.dat: " "$format: the damage of a cut file is reported"
done
is "$(grep -c . "$KT_TMP/cut.ndjson")" "$lines" "and the intact part is there"
is "$(csv '@r - 1' <"$KT_TMP/cut.csv")" "$lines" "in each format"
like "$(one 'scalar @{$d->{traceEvents}}' "$KT_TMP/cut.chrome")" '^[0-9]{4}$' "chrome: the document is complete"

if command -v babeltrace2 >/dev/null; then
	"$KTRAIL" export "$KT_TMP/cut.dat" -o "$KT_TMP/cut.ctf" 2>/dev/null
	is "$(babeltrace2 "$KT_TMP/cut.ctf" 2>/dev/null | wc -l)" "$lines" "ctf, too"
fi
if command -v sqlite3 >/dev/null; then
	"$KTRAIL" export "$KT_TMP/cut.dat" -o "$KT_TMP/cut.sqlite" 2>/dev/null
	is "$(sqlite3 "$KT_TMP/cut.sqlite" "SELECT count(*) FROM events")" "$lines" "sqlite, too"
fi
if command -v protoc >/dev/null; then
	"$KTRAIL" export "$KT_TMP/cut.dat" -o "$KT_TMP/cut.pftrace" 2>/dev/null
	is "$(protoc --decode_raw <"$KT_TMP/cut.pftrace" | grep -c '^    2 {')" "$lines" "perfetto, too"
fi

done_testing
