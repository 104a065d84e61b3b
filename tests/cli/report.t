#!/bin/bash
# report.t - the output of `ktrail report`, its errors, and damaged files
. tests/kt_test.sh
data=tests/data/peer

refuses() {	# STATUS PATTERN ARG…: the message matches
	local want=$1 pattern=$2
	shift 2
	run "$KTRAIL" report "$@"
	is "$status" "$want" "status $want: report $*"
	like "$err" "$pattern" "and says why"
}

# Checksums of the output for every file and option: oracle.t compares it with trace-cmd if installed
sums=''
for path in "$data"/*.dat; do
	for opts in "" "--layout 3.1" -t -l "-R -l" -N -w --ts-diff "--align-ts --ts-diff" --raw-ts \
		"--raw-ts --ts-diff" "-O fgraph:tailprint -O fgraph:depth -O parent -O offset" \
		-E -f -P --events --json; do
		# shellcheck disable=SC2086
		sum=$("$KTRAIL" report $opts "$path" | sha256sum)
		sums+="${sum:0:16} ${path##*/} $opts"$'\n'
	done
done
golden report-sums "${sums%$'\n'}"

for opts in "" "--json" "-F common_pid>100" "--ts-diff -w"; do
	for path in "$data"/*.dat; do
		# shellcheck disable=SC2086
		"$KTRAIL" report $opts --threads 1 "$path" >"$KT_TMP/one"
		# shellcheck disable=SC2086
		"$KTRAIL" report $opts --threads 5 "$path" >"$KT_TMP/five"
		same "$KT_TMP/five" "$KT_TMP/one" "five threads print the same as one: ${path##*/} $opts"
	done
done

# ---- choices ----
"$KTRAIL" report --raw-ts tests/data/6.1-events.dat >"$KT_TMP/raw"
is "$(grep -cE '\] [^ ]*[0-9]{12,}:' "$KT_TMP/raw"):$(grep -cE '\] [^ ]+ [0-9]{12,}: ' "$KT_TMP/raw")" "0:9033" \
	"a long time in units of the clock is separated from the flags"
run "$KTRAIL" report --time 18.9,+5ms -t "$data/events-irqs.dat"
is "$(sed -n '2s/.* \([0-9.]*\): .*/\1/p' "$KT_TMP/out" | cut -c1-4)" 18.9 "--time begins where it should"
is "$(awk -F: 'NR > 1 { n = split($1, w, " "); if (w[n] < 18.9 || w[n] > 18.905) print }' "$KT_TMP/out")" \
	"" "--time prints nothing outside of its window"
all=$("$KTRAIL" report -t "$data/events-irqs.dat" | awk -F: 'NR > 1 { n = split($1, w, " "); nr += w[n] >= 18.9 && w[n] <= 18.905 } END { print nr }')
is "$(($(wc -l <"$KT_TMP/out") - 1))" "$all" "--time prints everything inside of its window"
run "$KTRAIL" report --time 18.9,+1ms --time 18.95,+1ms "$data/events-irqs.dat"
like "$out" '18\.900.*18\.950' "two windows are printed one after the other"
f=tests/data/6.12-events.dat
for pair in "+0,+1ms|126.603107,126.604107" ",+1ms|126.603107,126.604107" "-1ms,|128.865081," ",-2s|0,126.866081" \
	"+1s,+20ms|127.603107,127.623107" "-1s,+20ms|127.866081,127.886081" "+1s,-1s|127.603107,127.866081"; do
	is "$("$KTRAIL" report --time "${pair%|*}" --cpu 0 $f)" "$("$KTRAIL" report --time "${pair#*|}" --cpu 0 $f)" \
		"--time ${pair%|*} counts from the beginning and the end of the trace"
done
refuses 1 "--time: the clock of $f does not count seconds" --raw-ts --time -1ms, $f
run "$KTRAIL" report --ts-offset 1000000000 -i "$data/lost.dat"
like "$out" '51\.500344: sys_exit_write' "--ts-offset works with a single file"
run "$KTRAIL" report -T -F 'sched_switch: prev_pid == 0' "$data/lost.dat"
like "$out" "'sched_switch: .*prev_pid" "-T shows the filter"
unlike "$out" 'CPU:|\[000\]' "-T prints nothing else"
run "$KTRAIL" report --threads -3 "$data/lost.dat"
is "$status" 2 "fewer threads than none are misuse"
for opt in "--cpu 0|--cpu 1|--cpu 0,1" "--pid 0|--pid 193|--pid 0,193" \
	"--comm work|--comm rcu_preempt|--comm work,rcu_preempt"; do
	IFS='|' read -r one two both <<<"$opt"
	# shellcheck disable=SC2086
	is "$("$KTRAIL" report $one $two "$data/lost.dat" | sha256sum)" \
		"$("$KTRAIL" report $both "$data/lost.dat" | sha256sum)" "an option given twice selects both: ${one% *}"
done
before=$("$KTRAIL" report -F 'sched_switch: next_pid == 193' "$data/lost.dat")
is "$("$KTRAIL" report "$data/lost.dat" -F 'sched_switch: next_pid == 193')" "$before" \
	"a filter works before and after the file"
run "$KTRAIL" report -F 'funcgraph_exit' "$data/fgraph-sched.dat"
is "$(grep -c funcgraph_exit: "$KT_TMP/out")" "$("$KTRAIL" report -R "$data/fgraph-sched.dat" | grep -c funcgraph_exit:)" \
	"a filter on exits also finds the folded ones"

# Records that a filter rejects by their event are not decoded, except with --ts-check.
for opts in "-F sched" "-F sched_switch -v -F irq" "-v -F kernel_stack" "-I -S -F sched" \
	"-F funcgraph_entry" "-F function -O parent" "-F sys_exit.* --json"; do
	for path in "$data"/*.dat tests/data/6.1*.dat; do
		# shellcheck disable=SC2086
		"$KTRAIL" report $opts "$path" >"$KT_TMP/narrow" 2>/dev/null
		# shellcheck disable=SC2086
		"$KTRAIL" report $opts --ts-check "$path" >"$KT_TMP/wide" 2>/dev/null
		cmp -s "$KT_TMP/narrow" "$KT_TMP/wide" || echo "$path $opts"
	done
done >"$KT_TMP/differ"
is "$(cat "$KT_TMP/differ")" "" "excluding records early changes no line"

# ---- JSON ----
for path in "$data"/*.dat; do
	"$KTRAIL" report --json -V "$path" 2>/dev/null | perl -MJSON::PP -MB -ne '
		BEGIN { $j = JSON::PP->new->utf8 }
		# values read as numbers are not strings
		sub is_int { my $v = shift; B::svref_2object(\$v)->FLAGS & B::SVf_IOK && $v =~ /^-?\d+$/ }
		my $o = $j->decode($_);
		is_int($o->{$_}) or die "$_ at line $.: no integer\n" for "ts", "cpu", "pid";
		!is_int($o->{comm}) && !ref $o->{comm} && length $o->{flags} == 5 && ref $o->{fields} eq "HASH" or
			die "line $.: comm, flags or fields\n"; END { $. or die "no line\n" }' 2>"$KT_TMP/err"
	is "$(cat "$KT_TMP/err")" "" "each line is an object with the members in json.md: ${path##*/}"
done
# The time after each switch, and the summary: the text has microseconds
"$KTRAIL" report --json -w tests/data/6.12-events.dat | perl -MJSON::PP -ne '
	BEGIN { $j = JSON::PP->new->utf8 }
	my $o = $j->decode($_);
	if (defined $o->{latency}) { printf "%.3f\n", $o->{latency} / 1000; push @{$at{$o->{latency}}}, $o->{ts} }
	if ($o->{wakeups}) {
		my ($all, $rt) = @$o{"wakeups", "real_time_wakeups"};
		printf "%s %.3f %.3f\n", $_, $all->{$_} / 1000, $rt->{$_} / 1000 for "average", "max", "min";
		print "members ", scalar keys %$o, "\n";
		print "at ", (grep { $_ == $all->{max_ts} } @{$at{$all->{max}}}) > 0, (grep { $_ == $rt->{min_ts} } @{$at{$rt->{min}}}) > 0, "\n";
	}' >"$KT_TMP/json"
"$KTRAIL" report -w -t tests/data/6.12-events.dat | perl -ne '
	print "$1\n" if /\] Latency: ([\d.]+) usecs/;
	push @{$sum{lc $1}}, $2 if /^(Average|Maximum|Minimum) (?:wakeup )?Latency: ([\d.]+) usecs/i;
	END { print "average @{$sum{average}}\nmax @{$sum{maximum}}\nmin @{$sum{minimum}}\nmembers 2\nat 11\n" }' >"$KT_TMP/text"
same "$KT_TMP/json" "$KT_TMP/text" "-w: latencies and their summary are the same in JSON"
[ "$(grep -c '^[0-9]' "$KT_TMP/json")" -gt 100 ]
ok $? "and there are latencies"
for words in --stat:stat "--first-event --last-event:cpus" --cpus:cpus --list-events:events --events:formats \
	--check-events:troubles -f:functions -P:printk --uname:uname --version:version -e:endian -E:events -p:page_size \
	"--event sched_switch:formats"; do
	# shellcheck disable=SC2086
	run "$KTRAIL" report --json ${words%:*} -i tests/data/6.1-two-buffers.dat -i tests/data/6.12-events.dat
	is "$status:$(json 'map { $_->{path} && exists $_->{'"${words#*:}"'} ? "both" : "lacks" } @{$d->{files}}' "$KT_TMP/out")" \
		'0:["both","both"]' "${words%:*} as JSON"
done
run "$KTRAIL" report --json --stat tests/data/6.1-two-buffers.dat
like "$out" '"buffer": "second", "cpu": 1, "entries": 0, "overrun": 0, .*"now_ts": 161992641000, ' "counters are numbers"
run "$KTRAIL" report --json --last-event tests/data/6.1-two-buffers.dat
like "$out" '"buffer": "second", "cpu": 0, "last": 161967983442' "times are those of the records"
run "$KTRAIL" report --last-event --cpu 1 "$data/lost.dat"
is "$(tail -n +2 <<<"$out")" $'  1\tLast event:   50.557488' "--cpu selects the CPU of --last-event"
run "$KTRAIL" report --json --cpus --cpu 1 "$data/lost.dat"
like "$out" '"cpus": \[\{"buffer": "", "cpu": 1\}\]' "and in JSON"
run "$KTRAIL" report --cpus --cpu 7 "$data/lost.dat"
is "$status" 1 "an unknown CPU is an error"
"$KTRAIL" report --time 50.54,50.55 "$data/lost.dat" >"$KT_TMP/late"
"$KTRAIL" report --time 0,50.501 "$data/lost.dat" | tail -n +2 >>"$KT_TMP/late"
run "$KTRAIL" report --time 50.54,50.55 --time 0,50.501 "$data/lost.dat"
same "$KT_TMP/out" "$KT_TMP/late" "a later --time may be the window from the beginning"

# ---- output for users ----
run "$KTRAIL" report --color=always "$data/lost.dat"
like "$out" '\^\[\[' "--color=always colours"
run "$KTRAIL" report "$data/lost.dat"
unlike "$out" '\^\[\[' "a pipe gets no colour"
PAGER='sed s/^/paged:/' run "$KTRAIL" report --pager "$data/lost.dat"
like "$out" '^paged:cpus=2' "--pager uses \$PAGER"
if has_terminals; then
	script -qec "env -u PAGER PATH=/nowhere $KTRAIL report $data/lost.dat" /dev/null </dev/null >"$KT_TMP/tty" 2>&1
	like "$(head -1 "$KT_TMP/tty")" '^cpus=2' "without less there is no pager"
	script -qec "env PAGER=/nonexistent $KTRAIL report $data/lost.dat" /dev/null </dev/null >"$KT_TMP/tty" 2>&1
	like "$(tr '\n' ' ' <"$KT_TMP/tty")" "there is no pager '/nonexistent'.*cpus=2" "a missing pager is reported, and nothing is lost"
	script -qec "env PAGER='(/nonexistent)' $KTRAIL report $data/lost.dat" /dev/null </dev/null >"$KT_TMP/tty" 2>&1
	like "$?:$(cat "$KT_TMP/tty")" "^1:.*the pager could not be run: the output is lost" "also if a shell runs the pager"
	script -qec "$KTRAIL report $data/markers.dat" /dev/null </dev/null >"$KT_TMP/tty" 2>&1
	grep -q $'\033\\[1m' "$KT_TMP/tty"
	is "$?" 1 "an escape sequence in the trace does not reach the terminal"
	like "$(cat "$KT_TMP/tty")" 'esc\\x1b\[1m' "but is shown escaped"
else
	skip "a terminal gets no escape sequence" "script(1) can make none here"
fi

"$KTRAIL" report "$data/lost.dat" 2>"$KT_TMP/err" | head -1 >/dev/null
is "${PIPESTATUS[0]} $(cat "$KT_TMP/err")" "0 " "a closed pipe ends quietly"
run bash -c '"$KTRAIL" report '"$data/lost.dat"' >/dev/full'
is "$status" 1 "a full disk is an error"
like "$err" 'cannot write: No space left' "and is reported"
for what in "report --version $data/lost.dat" "dump -i $data/lost.dat" "report -E $data/lost.dat" "report --stat $data/lost.dat" \
	"report -T -F sched $data/lost.dat" "report --profile $data/lost.dat" "hist $data/lost.dat" "hist --json $data/lost.dat" \
	options help --version; do
	run bash -c '"$KTRAIL" $1 >/dev/full' bash "$what"
	like "$status:$err" '^1:ktrail[ a-z]*: cannot write: No space left on device$' "in every output: $what"
	run bash -c 'set -o pipefail; "$KTRAIL" $1 | :' bash "$what"
	like "$status:$err" '^(0|141):$' "a closed pipe is not reported"
done

# ---- damage ----
head -c 40000 "$data/events-irqs.dat" >"$KT_TMP/cut.dat"
run "$KTRAIL" report "$KT_TMP/cut.dat"
is "$status" 1 "a truncated file is status 1"
like "$err" "^ktrail report: $KT_TMP/cut.dat: section [0-9]+ at [0-9]+ ends at [0-9]+, but the file ends at 40000 \(and [0-9]+ more, which -V shows\)\$" \
	"and one line names the missing things and their places"
more=$(sed 's/.*(and \([0-9]*\) more.*/\1/' <<<"$err")
is "$("$KTRAIL" report -V "$KT_TMP/cut.dat" 2>&1 >/dev/null | grep -c "^ktrail report: $KT_TMP/cut.dat: ")" $((more + 1)) "-V prints all lines"
run "$KTRAIL" report -q "$KT_TMP/cut.dat"
is "$status $err" "1 " "-q prints none"

# The file is truncated while the report waits for its reader: compressed data is read, and the
# rest reported as missing; an uncompressed file is mapped, so the report ends.
for method in zstd none; do
	"$KTRAIL" convert -f --compression "$method" -i tests/bench/samples/mix.dat -o "$KT_TMP/shrinks.dat"
	{
		"$KTRAIL" report --no-pager "$KT_TMP/shrinks.dat" 2>"$KT_TMP/err"
		echo $? >"$KT_TMP/status"
	} | {
		head -c 100000 >"$KT_TMP/out"
		truncate -s 100K "$KT_TMP/shrinks.dat"
		cat >>"$KT_TMP/out"
	}
	is "$(cat "$KT_TMP/status")" 1 "a file that is truncated while it is read is status 1: $method"
	like "$(head -1 "$KT_TMP/err")" '^ktrail report: .*shrinks\.dat.* truncated ' "with a message"
	is "$(tail -c 1 "$KT_TMP/out" | od -An -c | tr -d ' ')" '\n' "after complete lines"
	is "$(sed 1d "$KT_TMP/out" | grep -vcE '^.{16,}-[0-9]+ +\[[0-9]{3}\] .{5,7} +[0-9]+\.[0-9]{6}: [a-z_0-9]+: ')" 0 "which are all from the report"
done

# ---- misuse ----
refuses 1 'nosuch.dat' "$KT_TMP/nosuch.dat"
refuses 1 'no trace.dat|not a trace' tests/kt_test.sh
refuses 2 "did you mean '--layout'" --layot 3.1 "$data/lost.dat"
run "$KTRAIL" report --layout kernel tests/data/6.12-rt-timerlat.dat
is "$(grep -c '\] dlh' <<<"$out")" 2 "--layout kernel shows lazy reschedules"
# Kernels in which the flag has another bit; the kernel's layout has two more columns
lazily() { "$KTRAIL" report "$@" tests/data/6.1-rt-waking.dat | grep "21[.]*21774[78]"; }
like "$(lazily --layout kernel)" '\] d\.Lh2\.\. +21\.217748: sched_waking:' "of Linux 6.1 with PREEMPT_RT, too"
like "$(lazily)" '\] dLh2\. +21\.217748: sched_waking:' "in the other layouts"
like "$(lazily --json)" '"flags":"dlh2\."' "and in JSON"
# columns: without flags, with any widths
columns() { sed 's/\(\[[0-9]*\]\) ...../\1/; s/  */ /g'; }
is "$(columns <<<"$out")" "$("$KTRAIL" report tests/data/6.12-rt-timerlat.dat | columns)" "and otherwise the usual columns"
refuses 2 "no layout '9.9'" --layout 9.9 "$data/lost.dat"
refuses 2 "did you mean 'tailprint'" -O fgraph:tailprnt "$data/lost.dat"
refuses 2 "not a time window" --time 5 "$data/lost.dat"
refuses 2 "not a time window" --time 5,4 "$data/lost.dat"
refuses 2 "not a time window" --time -1ms,-2ms "$data/lost.dat"
refuses 2 "not a time window" --time +x,5 "$data/lost.dat"
refuses 2 "not a regular expression" -r '(' "$data/lost.dat"
refuses 2 "not a frequency" --ts2secs 0 "$data/lost.dat"
refuses 2 "--cpu" --cpu x "$data/lost.dat"
refuses 2 "process ids" --pid x "$data/lost.dat"
refuses 2 "process ids" --pid "$data/lost.dat"
refuses 1 "no CPU 7,9 in the trace, only 0 to 1" --cpu 7,9 "$data/lost.dat"
refuses 2 "option '--no' is ambiguous: --no-irq, --no-softirq, " --no "$data/lost.dat"
refuses 2 "unknown option '--fromat', -h lists them" --fromat "$data/lost.dat"
refuses 2 "auto, always or never" --color=blue "$data/lost.dat"
refuses 1 "no task 'zorkzork'" --comm zorkzork "$data/lost.dat"
refuses 1 "holds no symbols" --kallsyms /etc/passwd "$data/lost.dat"
run "$KTRAIL" report --comm work,rcu_preemt "$data/events-irqs.dat"
is "$status:$err" "0:ktrail report: --comm: no task 'rcu_preemt' in the trace, did you mean 'rcu_preempt'?" \
	"of several tasks, those that the trace does not have are reported"
run "$KTRAIL" report -F 'function: ip == do_wiat' tests/data/6.12-function.dat
is "$status:$out" "0:cpus=2" "a function without a symbol in the trace matches nothing"
is "${err%%$'\n'*}" "ktrail report: the symbols of the trace have no function 'do_wiat', did you mean 'do_wait'?" "… with a message"
for words in "--pid 4194000" "-F sched_switch:next_pid==4194000" "--json --pid 4194000"; do
	# shellcheck disable=SC2086
	run "$KTRAIL" report $words tests/data/6.12-events.dat
	is "$status:$err" "0:ktrail report: no matching events" "$words: a message that nothing matches"
done
run "$KTRAIL" report --time 99999, tests/data/6.12-events.dat
is "$status:$err" "0:ktrail report: no matching events (the trace covers 126.603107 to 128.866081)" \
	"a window outside of the trace: the message has the times of the trace"
run "$KTRAIL" report -F 'function: ip == do_wait || parent_ip =~ "^work"' tests/data/6.12-function.dat
is "$status:$err" "0:" "no message for functions that exist"
run "$KTRAIL" report -q -F 'ip == do_wiat' tests/data/6.12-function.dat
is "$status:$err" "0:" "nor with -q"
refuses 1 "no task 'wrk' in the trace, did you mean 'work'" --comm wrk "$data/lost.dat"
refuses 1 "matches 'zork'" --event zork "$data/lost.dat"
refuses 1 "did you mean 'sys_enter_read'" --event sys_enter_raed "$data/lost.dat"
run "$KTRAIL" report -r sys_enter_raed -n sched "$data/lost.dat"
is "$status $err" "0 ktrail report: no event in the file matches sys_enter_raed" "a pattern that matches no event is reported"
refuses 1 "sched_switch" -F 'sched_swich: prev_pid == 0' "$data/lost.dat"
refuses 1 "cannot read" --kallsyms "$KT_TMP/none" "$data/lost.dat"
refuses 2 "no level 'V'" -VV "$data/lost.dat"

# -V: a formatter replaces a plugin only if that is installed
run "$KTRAIL" report -V "$data/v6-instances.dat"
like "$out" "overriding event \(4\) ftrace:kernel_stack with new print handler" "-V shows the replacements of print formats"
like "$out" "CPU 0 is empty" "and which CPUs of the top-level buffer have no data"
run "$KTRAIL" report -V -N "$data/v6-instances.dat"
is "$(grep -c '^overriding' <<<"$out")" 0 "with -N nothing replaces it"
run "$KTRAIL" report -V3 "$data/v6-instances.dat"
is "$(grep -c '^version' <<<"$out")" 0 "nothing is printed below the level info"
run env KTRAIL_LAYOUT=3.1 "$KTRAIL" report tests/data/6.1-events.dat
cp "$KT_TMP/out" "$KT_TMP/by-variable"
run "$KTRAIL" report --layout 3.1 tests/data/6.1-events.dat
same "$KT_TMP/by-variable" "$KT_TMP/out" "KTRAIL_LAYOUT chooses the layout without an option"
# As in trace-cmd
nr_lines() { "$KTRAIL" report "$@" tests/data/6.12-events.dat | wc -l; }
is "$(($(nr_lines --pid 18) + $(nr_lines -F 'sched_waking: pid != 18') - 1))" "$(nr_lines --pid 18 -F sched_waking)" \
	"--pid with -F shows the records that either matches"
done_testing
