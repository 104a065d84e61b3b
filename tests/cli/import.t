#!/bin/bash
# import.t - `ktrail import`: texts of a trace, and Perfetto's traces, are imported unchanged
. tests/kt_test.sh
# shellcheck disable=SC2154
data=tests/data

# import FILE: import it to $KT_TMP/in.dat
import() {
	run "$KTRAIL" import -f -o "$KT_TMP/in.dat" "$@"
}

# Each text prints again unchanged: texts of ktrail and trace-cmd, and of the kernel
for file in 6.12-events 6.1-v6 6.12-function 6.12-fgraph 6.12-stacks 6.12-probes blk; do
	for layout in current kernel; do
		"$KTRAIL" report --layout $layout $data/$file.dat >"$KT_TMP/text" 2>/dev/null
		import "$KT_TMP/text"
		"$KTRAIL" report --layout $layout "$KT_TMP/in.dat" >"$KT_TMP/again" 2>"$KT_TMP/err"
		same "$KT_TMP/again" "$KT_TMP/text" "$file.dat, printed as $layout, imported, prints the same"
	done
done
for option in -l -t; do
	"$KTRAIL" report $option $data/6.12-events.dat >"$KT_TMP/text" 2>/dev/null
	"$KTRAIL" import -o - - <"$KT_TMP/text" 2>/dev/null | "$KTRAIL" report $option - >"$KT_TMP/again"
	same "$KT_TMP/again" "$KT_TMP/text" "so with report $option, through pipes"
done

# With several buffers, each line begins with the name of its instance
"$KTRAIL" report -t $data/6.12-two-buffers.dat >"$KT_TMP/text" 2>/dev/null
import "$KT_TMP/text"
is "$("$KTRAIL" report -t "$KT_TMP/in.dat" 2>/dev/null | sed '1d; s/^ *//')" \
	"$(sed '1d; s/^second: //; s/^ *//' "$KT_TMP/text")" \
	"events of instances are those of one buffer"

# The analyses find the fields that they need
"$KTRAIL" report -t $data/6.12-events.dat >"$KT_TMP/text" 2>/dev/null
import "$KT_TMP/text"
for kind in wakeup preempted softirq timer; do
	"$KTRAIL" latency -k $kind --top 0 $data/6.12-events.dat >"$KT_TMP/wanted" 2>/dev/null
	"$KTRAIL" latency -k $kind --top 0 "$KT_TMP/in.dat" >"$KT_TMP/again" 2>/dev/null
	same "$KT_TMP/again" "$KT_TMP/wanted" "latency -k $kind is that of the recording"
done
is "$("$KTRAIL" latency -k syscall --json "$KT_TMP/in.dat" | json '$d->{latencies}[0]{total}{count} // "-"')" \
   "$("$KTRAIL" latency -k syscall --json $data/6.12-events.dat | json '$d->{latencies}[0]{total}{count} // "-"')" \
	"as many system calls"

# Numbers of system calls depend on the machine
printf '%s\n' '  bash-7 [000] d..1. 5.000001: sys_enter: NR 202 (1, 2, 3, 4, 5, 6)' \
	'  bash-7 [000] d..1. 5.000002: sys_exit: NR 202 = 0' >"$KT_TMP/text"
import "$KT_TMP/text"
like "$err" '--machine' "the meaning of the numbers of system calls is unknown"
like "$("$KTRAIL" latency -k syscall "$KT_TMP/in.dat")" 'call 202' "which stay numbers"
import --machine x86_64 "$KT_TMP/text"
unlike "$err" '--machine' "unless the machine is given"
like "$("$KTRAIL" latency -k syscall "$KT_TMP/in.dat")" 'futex' "and then they have names"

# Calls of function_graph are calls, with their durations
"$KTRAIL" report -t $data/6.12-fgraph.dat >"$KT_TMP/text" 2>/dev/null
import "$KT_TMP/text"
calls() { "$KTRAIL" export --to folded "$1" 2>/dev/null | sed 's/ [0-9]*$//' | sort; }
calls "$KT_TMP/in.dat" >"$KT_TMP/again"
calls $data/6.12-fgraph.dat >"$KT_TMP/wanted"
[ -s "$KT_TMP/wanted" ]
ok $? "(some calls)"
same "$KT_TMP/again" "$KT_TMP/wanted" "calls are nested as they were"
cat >"$KT_TMP/text" <<-'END'
	# tracer: function_graph
	#
	# CPU  DURATION                  FUNCTION CALLS
	# |     |   |                     |   |   |   |
	 1)               |  vfs_read() {
	 1)   0.500 us    |    rw_verify_area();
	 1) + 10.250 us   |  }
	 ------------------------------------------
	 1)   bash-12    =>    ls-34
	 ------------------------------------------

	 1) ! 245.5 us    |  vfs_open [ext4]();
	 0) ! 900.000 us  |  } /* schedule */
END
import "$KT_TMP/text"
like "$status:$err" "0:.*calls have durations, but no times" "the kernel's own lines of function_graph"
is "$("$KTRAIL" report -t "$KT_TMP/in.dat" | sed '1d; s/  */ /g')" \
" <idle>-0 [001] ..... 0.000000000: funcgraph_entry: | vfs_read() {
 <idle>-0 [001] ..... 0.000000001: funcgraph_entry: 0.500 us | rw_verify_area();
 <idle>-0 [001] ..... 0.000010250: funcgraph_exit: + 10.250 us | }
 ls-34 [001] ..... 0.000010251: funcgraph_entry: ! 245.500 us | vfs_open();
 <idle>-0 [000] ..... 0.000900000: funcgraph_exit: ! 900.000 us | }" "have the durations and tasks of the text"

# Lines of other kinds: losses, texts with breaks, unknown events, counters, latency tracers
cat >"$KT_TMP/text" <<-'END'
	# tracer: nop
	#
	# entries-in-buffer/entries-written: 5/9   #P:4
	#
	           <...>-7       (-----) [001] d..2.   100.000001: my_event: a=-5 b=0x1f c=word (d)
	CPU:1 [LOST 31 EVENTS]
	         sh -x-8       (    8) [001] .....   100.000002: my_event: a=6 b=0x0 c= (d)
	         sh -x-8       (    8) [001] .....   100.000002: tracing_mark_write: one
	two
	         sh -x-8       (    8) [003] .....   100.000002: my_event: something else
	what is this
END
import "$KT_TMP/text"
is "$status" 0 "a text with all kinds of lines"
like "$err" "older events overwritten before the text was made: 4" "the head has the number of overwritten events"
"$KTRAIL" report "$KT_TMP/in.dat" >"$KT_TMP/again"
like "$(cat "$KT_TMP/again")" "CPU:1 \[31 EVENTS DROPPED\]" "lost events are lost events"
like "$(cat "$KT_TMP/again")" "sh -x-8 .*tracing_mark_write: one"$'\n'"two" "a text may have a line break"
like "$(cat "$KT_TMP/again")" "my_event: *a=6 b=0x0 c= \(d\)" "an unknown event prints as it was"
is "$("$KTRAIL" export --to csv --fields a,b,c -F 'my_event: a == -5' "$KT_TMP/in.dat" | tr -d '\r' | tail -1)" \
	"-5,31,word" "and has fields"
like "$(cat "$KT_TMP/again")" "my_event: *something else" "also where its words differ"
"$KTRAIL" report --json "$KT_TMP/in.dat" | perl -ne '/"ts":(\d+)/ and print "$1\n"' >"$KT_TMP/times"
is "$(sort -n <"$KT_TMP/times" | tr '\n' ' ')" "$(tr '\n' ' ' <"$KT_TMP/times")" "lines keep their order"
printf 'bash-1 [000] %s: a: x\n' 1234567 1234569 >"$KT_TMP/text"
import "$KT_TMP/text"
like "$err" "times have no unit" "times of a counter"
like "$("$KTRAIL" report "$KT_TMP/in.dat")" " 1234567: a: " "stay numbers"
printf '  <idle>-0       1d.h2.   %sus : wake: x\n' 0 12 >"$KT_TMP/text"
import "$KT_TMP/text"
like "$err" "since the start of a latency tracer" "lines of a latency tracer"

# Late records are sorted
perl -e 'printf "bash-1 [%03d] ..... %d.%06d: a: n=%d\n", $_ & 1, 5, 1000 + ($_ ^ 6), $_ for 0 .. 999' >"$KT_TMP/text"
import "$KT_TMP/text"
like "$err" "came late on their CPU, and were sorted: 750" "records that come late"
"$KTRAIL" report --json "$KT_TMP/in.dat" | perl -ne '/"ts":(\d+)/ and print "$1\n"' >"$KT_TMP/times"
is "$(wc -l <"$KT_TMP/times")" 1000 "are all there"
sort -cn "$KT_TMP/times"
ok $? "and in order"

# Perfetto: our exports are imported unchanged
for file in 6.12-events 6.12-fgraph 6.12-stacks 7.2-pairs; do
	"$KTRAIL" export $data/$file.dat -f -o "$KT_TMP/a.pftrace"
	import "$KT_TMP/a.pftrace"
	"$KTRAIL" export "$KT_TMP/in.dat" -f -o "$KT_TMP/b.pftrace"
	cmp -s "$KT_TMP/a.pftrace" "$KT_TMP/b.pftrace"
	ok $? "$file.dat as Perfetto's trace, imported and exported, is the same file"
done
"$KTRAIL" export $data/6.12-events.dat -f -o "$KT_TMP/a.pftrace"
import "$KT_TMP/a.pftrace"
# it has only the names of tasks that are in switches
times() { "$KTRAIL" latency -k wakeup --top 0 "$1" 2>/dev/null | sed 's/^[^:]*:[0-9]*  *//'; }
is "$(times "$KT_TMP/in.dat")" "$(times $data/6.12-events.dat)" "with the same latencies"

# varint NUMBER…, field NUMBER BYTES: for hand-made messages
made() {
	perl -e 'sub v { my ($n, $s) = (shift, ""); while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } $s . chr $n }
		sub n { v($_[0] << 3) . v($_[1]) } sub m { v($_[0] << 3 | 2) . v(length $_[1]) . $_[1] }
		sub p { &m($_[0], join "", map { v $_ } @_[1..$#_]) }'"$1"
}
bundle='my $b = n(1, 2) . &m(4, p(1, 1000000, 500) . p(2, 1, 0) . p(3, 7, 8) . p(4, 120, 98) . &m(5, "seven") . &m(5, "eight") .
	p(6, 0, 1) . p(7, 1000200) . p(8, 8) . p(9, 2) . p(10, 98) . p(11, 1) . p(12, 1)) .
	&m(2, n(1, 1000900) . n(2, 8) . &m(999, n(1, 5) . &m(2, "hm"))) . n(3, 1); '
made "$bundle"'print &m(1, &m(1, $b)), &m(1, &m(33, "config"))' >"$KT_TMP/a.pftrace"
import "$KT_TMP/a.pftrace"
like "$status:$err" "0:.*packets without ftrace data, left out: 1" "packets of other kinds are counted"
is "$("$KTRAIL" report "$KT_TMP/in.dat" 2>/dev/null | sed '1d; s/  */ /g' | grep -v DROPPED)" \
" <idle>-0 [002] ..... 0.001000: sched_switch: :0 [0] S ==> seven:7 [120]
 <idle>-0 [002] d.... 0.001000: sched_waking: comm=eight pid=8 prio=98 target_cpu=002
 seven-7 [002] ..... 0.001001: sched_switch: :7 [0] R ==> eight:8 [98]
 eight-8 [002] ..... 0.001001: ftrace_event_999: field_1=5 field_2=hm" "CompactSched, and a message without a name"
if perl -MCompress::Zlib -e1 2>/dev/null; then
	made "use Compress::Zlib; $bundle"'print &m(1, &m(50, compress(&m(1, &m(1, $b)))))' >"$KT_TMP/b.pftrace"
	"$KTRAIL" report "$KT_TMP/in.dat" >"$KT_TMP/wanted"
	import "$KT_TMP/b.pftrace"
	"$KTRAIL" report "$KT_TMP/in.dat" >"$KT_TMP/again"
	same "$KT_TMP/again" "$KT_TMP/wanted" "compressed packets are the same"
else
	skip "compressed packets are the same" "no Compress::Zlib"
fi

# Names that no format can have, a missing name, a name twice, text where a number is declared
made 'sub g { &m(2, n(1, $_[0]) . n(2, 8) . &m(327, $_[1])) } sub f { &m(2, &m(1, $_[0]) . $_[1]) }
	my $e = &m(1, "my-event") . f("a-b", n(4, 5)) . f("a", n(4, 6)) . f("a", n(4, 9)) . &m(2, n(4, 7)) . f("t", &m(4, "hm"));
	print &m(1, &m(1, n(1, 2) . g(1000, $e) . g(2000, $e) . g(3000, f("a", n(4, 1)))))' >"$KT_TMP/a.pftrace"
import "$KT_TMP/a.pftrace"
is "$("$KTRAIL" report "$KT_TMP/in.dat" 2>&1 | sed '1d; s/.*: *//')" "a_b=5 a=6 _=7
a_b=5 a=6 _=7
a=1" "events with fields of any name"
is "$("$KTRAIL" dump --events "$KT_TMP/in.dat" | grep -c '^name: my_event')" 1 "one event for one shape"

# A cut or damaged input yields the part before that
"$KTRAIL" export $data/6.12-events.dat -f -o "$KT_TMP/a.pftrace"
head -c 100000 "$KT_TMP/a.pftrace" >"$KT_TMP/cut.pftrace"
import "$KT_TMP/cut.pftrace"
like "$status:$err" "0:.*the file is cut" "a cut file"
{ cat "$KT_TMP/a.pftrace"; echo zzzz; } >"$KT_TMP/cut.pftrace"
import "$KT_TMP/cut.pftrace"
like "$status:$err" "0:.*damaged at byte $(wc -c <"$KT_TMP/a.pftrace")" "a damaged one, and where"
is "$("$KTRAIL" report --json "$KT_TMP/in.dat" | wc -l)" "$("$KTRAIL" report --json $data/6.12-events.dat 2>/dev/null | wc -l)" \
	"with all events before"

# Errors
run "$KTRAIL" import -o "$KT_TMP/no.dat" "$data/6.12-events.dat"
like "$status:$err" "1:.*neither a text nor a trace of Perfetto" "a trace.dat is not imported"
echo hello >"$KT_TMP/text"
run "$KTRAIL" import -o "$KT_TMP/no.dat" "$KT_TMP/text"
like "$status:$err" "1:.*has no events of a trace" "nor is any text"
run "$KTRAIL" import -o "$KT_TMP/no.dat" /nonexistent
like "$status:$err" "1:.*cannot open /nonexistent: No such file" "a file that is not there"
run "$KTRAIL" import --from xls "$KT_TMP/text"
like "$status:$err" "2:.*no format 'xls', only: text perfetto" "an unknown format is misuse"
is "$(ls "$KT_TMP" | grep -c '^no')" 0 "no output is left of all these"
run "$KTRAIL" import -o "$KT_TMP/in.dat" "$KT_TMP/text"
like "$status:$err" "1:.*exists already" "an existing file is not replaced"
is "$("$KTRAIL" __complete import --from '' | paste -sd ' ')" "text perfetto" "the formats are completed"
done_testing
