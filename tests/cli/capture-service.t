#!/bin/bash
# capture-service.t - capture for months: options from a file, limits, status
. tests/kt_test.sh
# shellcheck disable=SC2154
conf=$KT_TMP/c.conf

# wrong LINE REGEX: a file with this line is refused, with a matching reason
wrong() {
	printf '# a comment\n\n%s\n' "$1" >"$conf"
	run "$KTRAIL" capture --when signal --config "$conf" --explain
	like "$status:$err" "^2:ktrail capture: $conf:3: $2" "'$1' is refused with its place"
}
wrong 'kep = 3' "'kep' is not an option, did you mean 'keep'\?"
wrong 'keep' "'keep' needs a value: keep = <n>"
wrong 'keep = many' "--keep: .*many"
wrong 'dedupe = perhaps' "'dedupe' must be yes or no"
wrong 'when = wakeop > 1ms' "--when: 'wakeop' is not a condition; did you mean 'wakeup'\?"
wrong 'config = other.conf' "'config' is not an option"
wrong 'e = sched' "'e' is not an option"
run "$KTRAIL" capture --config "$KT_TMP/none"
like "$status:$err" "^2:.*/none: No such file" "a file that does not exist"
printf 'when = signal\0' >"$conf"
run "$KTRAIL" capture --config "$conf" --explain
like "$status:$err" "^2:.*is not a text" "a file that is not a text"
printf 'when = line app.log ~ "a = b # c"\n  keep=3\ndedupe = no\nF\n' >"$conf"
run "$KTRAIL" capture --explain --config "$conf" --when signal
is "$status:$(sed -n '1p;3p' "$KT_TMP/out")" '0:line app.log ~ "a = b # c"
signal' "the file comes first, then the command line"
run "$KTRAIL" capture --status="kt-none-$$"
like "$status:$err" "^1:.*no capture of the name 'kt-none-$$' runs" "none runs"
is "$("$KTRAIL" capture --status="kt-none-$$" --json)" "[]" "… as JSON"
run "$KTRAIL" capture --status none
like "$status:$err" "^2:.*--status=none" "the name belongs to the option"
run "$KTRAIL" capture --json --when signal
like "$status:$err" "^2:.*--json" "--json is for --status"

tracing=/sys/kernel/tracing
if ! [ "$(id -u)" = 0 ] || ! [ -w $tracing/instances ] || ! [ -e $tracing/events/sched/sched_process_exec ]; then
	skip "a running capture" "needs root and tracefs with instances"
	done_testing
	exit 0
fi
export KTRAIL_JOURNAL_DIR=$KT_TMP/journal TMPDIR=$KT_TMP/tmp
dir=$KT_TMP/files
mkdir -p "$KTRAIL_JOURNAL_DIR" "$TMPDIR" "$dir"
name=kt-$$
told() { wait_until "grep -qE '$1' '$KT_TMP/log'"; }
now() { "$KTRAIL" capture --now $name "$@"; }
# begin OPTION…: start a capture, and wait until it is armed
begin() {
	: >"$KT_TMP/log"
	"$KTRAIL" capture --config "$conf" "$@" 2>>"$KT_TMP/log" & pid=$!
	told '^armed'
}
finish() {
	kill -TERM $pid
	wait $pid
}
descriptors() { ls /proc/$pid/fd | wc -l; }

cat >"$conf" <<TXT
instance = $name
event = sched:sched_process_exec
when = now $name
before = 1ms
after = 1ms
output = $dir/$name
TXT
listen() { perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_DGRAM, 0); bind($s, sockaddr_un($ARGV[0])); for (1 .. 2) { recv($s, my $m, 999, 0); print "$m\n"; }' "$1"; }
listen "$KT_TMP/notify" >"$KT_TMP/notified" & listener=$!
wait_until "[ -S '$KT_TMP/notify' ]"
mkfifo "$KT_TMP/fifo"
run "$KTRAIL" capture --config "$conf" --metrics "$KT_TMP/fifo"
is "$status:$err:$(stat -c %F "$KT_TMP/fifo")" \
	"1:ktrail capture: --metrics $KT_TMP/fifo: not a regular file:fifo" "--metrics replaces no device"
NOTIFY_SOCKET=$KT_TMP/notify begin --metrics "$KT_TMP/k.prom"
is "$(stat -c %a /run/ktrail-capture/now-$name /run/ktrail-capture/status-$pid | tr '\n' ' ')" "600 600 " "its sockets are its user's"
now "frame 1"
told 'frame 1 at .*events$'
is "$("$KTRAIL" capture --status=$name | grep -vE 'armed|last|memory')" "$name, process $pid, instance $name
  when     now $name (from outside)
  causes   1: 1 captured
  files    1, $("$KTRAIL" capture --status=$name | sed -n 's/.*files *1, \([^:]*\):.*/\1/p'): $dir/$name-*.dat" "--status"
is "$("$KTRAIL" capture --status=$name --json | json '$d->[0]{pid}, $d->[0]{causes}{seen}, $d->[0]{causes}{captured}, $d->[0]{files}{kept}, $d->[0]{conditions}')" \
	"[$pid,1,1,1,[{\"place\":\"from outside\",\"text\":\"now $name\"}]]" "… as JSON"
# The state while a file is being saved
kill -STOP $pid
{ sleep 2; kill -CONT $pid; } &
like "$("$KTRAIL" capture --status=$name)" "^$name, process $pid" "one that is busy answers later"
wait $!
"$KTRAIL" capture --status=$name --prometheus >"$KT_TMP/prom"
is "$(grep captured "$KT_TMP/prom")" "ktrail_capture_causes_total{name=\"$name\",result=\"captured\"} 1" "… for Prometheus"
is "$(sed 's/ [0-9]*$//' "$KT_TMP/k.prom")" "$(sed 's/ [0-9]*$//' "$KT_TMP/prom")" "… and in the file of --metrics"
cp "$KTRAIL" "$KT_TMP/k" && chmod 711 "$KT_TMP" "$KT_TMP/k"
if setpriv --reuid=65534 --regid=65534 --clear-groups "$KT_TMP/k" --version >/dev/null 2>&1; then
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$KT_TMP/k" capture --now $name
	like "$status:$err" "^1:.*Permission denied; its --group may" "another user cannot make it save"
	run setpriv --reuid=65534 --regid=65534 --clear-groups "$KT_TMP/k" capture --status=$name
	like "$status:$err" "^1:.*this user may not ask it" "… nor ask"
else
	skip "another user" "no setpriv, or no access"
fi

# SIGHUP
ring=$(stat -c %i $tracing/instances/$name)
echo 'dedupe' >>"$conf"
kill -HUP $pid
told 'read again; the ring continues'
is "$(stat -c %i $tracing/instances/$name)" "$ring" "SIGHUP reads the file again; the ring is the same"
echo 'when = nothing' >>"$conf"
kill -HUP $pid
told "c.conf:8: --when: .*; nothing is changed"
ok $? "a wrong file changes nothing"
sed -i '$d' "$conf"
echo 'when = event sched:none' >>"$conf"
kill -HUP $pid
told "c.conf: .*sched:none.*; nothing is changed"
ok $? "… nor does one whose condition the kernel refuses"
sed -i '$d' "$conf"
now "frame 2"
told 'frame 2 at '
now "frame 3"
told 'not saved: now .*frame 3 at .*: it is like .*-0002.dat, number 1 since then$'
is "$(cd "$dir" && echo ./*.dat):$(cut -f 1,2,4 "$dir/$name-alike.tsv" | tail -1)" "./$name-0001.dat ./$name-0002.dat:$name-0002.dat	1	now kt-#: frame #" "--dedupe keeps the first one"
echo 'event = sched:sched_process_exit' >>"$conf"
kill -HUP $pid
told 'the ring starts empty' && wait_until "[ \$(grep -c '^armed' '$KT_TMP/log') = 2 ]"
is "$(cat $tracing/instances/$name/events/sched/sched_process_exit/enable)" 1 "other events: the ring starts empty"
sed -i 's/_exit$/_none/' "$conf"
kill -HUP $pid
told 'sched_process_none.*; the former events are traced again' && wait_until "[ \$(grep -c '^armed' '$KT_TMP/log') = 3 ]"
is "$(cat $tracing/instances/$name/events/sched/sched_process_exit/enable)" 1 "… or as before, where that is impossible"
finish
is "$?" 0 "it ends"
wait $listener
is "$(grep . "$KT_TMP/notified" | sed 's/=[0-9]\{4,\}/=N/' | tr '\n' ' ')" "READY=1 RELOADING=1 MONOTONIC_USEC=N " "the service manager is notified"
is "$(ls "$KT_TMP"/k.prom /run/ktrail-capture/*$name /run/ktrail-capture/status-$pid 2>/dev/null)" "" "sockets and metrics are gone"
[ ! -e $tracing/instances/$name ]
ok $? "… and the buffer"

# Limits. A full disk does not end the capture.
sed -i '/process_none/d; /dedupe/d' "$conf"
rm -f "$dir"/*
begin --max-disk 1 --after 100us
for i in 1 2 3; do now "c $i" && told ": c $i at .*events"; done
is "$(cd "$dir" && echo ./*)" "./$name-0003.dat" "--max-disk keeps the last one"
like "$(cat "$KT_TMP/log")" "removed .*-0002.dat" "removed files are reported"
echo 'min-free = 100000G' >>"$conf"
kill -HUP $pid
told 'read again'
now "c 4"
told 'not saved: .*c 4 at .*: .* has only .* free: .* are needed; the next ones are only counted'
now "c 5"
wait_until "'$KTRAIL' capture --status=$name | grep -q '2 without room on the disk'"
ok $? "without room, causes are counted, and the first one is reported"
rm -rf "$dir"
sed -i '$d' "$conf"
kill -HUP $pid
told "c.conf: .*files.*: No such file.*; nothing is changed"
mkdir "$dir"
kill -HUP $pid
wait_until "[ \$(grep -c 'read again' '$KT_TMP/log') = 2 ]"
command -v chattr >/dev/null && chattr +i "$dir" 2>/dev/null && immutable=1
if [ -n "${immutable:-}" ]; then
	now "c 6"
	told 'not saved: .*c 6 at .*: cannot create .*: Operation not permitted$'
	ok $? "a file that cannot be written is reported"
	chattr -i "$dir"
fi

# Many captures do not use more descriptors. tests/bench/capture-endure makes 10000
now "c 7"
told ': c 7 at .*events'
before=$(descriptors)
for i in $(seq 8 37); do
	now "c $i"
	told ": c $i at .*events"
done
is "$(descriptors)" "$before" "30 captures leave no descriptor open"
reread() {
	local nr=$(($(grep -c 'read again' "$KT_TMP/log") + 1))
	kill -HUP $pid
	wait_until "[ \$(grep -c 'read again' '$KT_TMP/log') = $nr ]"
}
echo 'when = event sched_process_exec: pid == 0' >>"$conf"
reread
before=$(descriptors)
reread && reread
is "$(descriptors)" "$before" "… nor does SIGHUP, of a condition with a second buffer"
sed -i '$d' "$conf"
finish
like "$(tail -1 "$KT_TMP/log")" "^3[0-9] captures" "all were saved"

# The kernel reports pressure to the first poll() only.
if (exec 9>/proc/pressure/cpu; printf 'some 20000 2000000\0' >&9) 2>/dev/null; then
	begin --when 'psi cpu some > 1%' --at-most 1/hour
	end=$((SECONDS + 60)) hogs=()
	for _ in $(seq $(($(nproc) + 2))); do
		(until [ $SECONDS -gt $end ] || grep -q 'psi cpu' "$KT_TMP/log"; do :; done) & hogs+=($!)
	done
	wait "${hogs[@]}"
	finish
	like "$(cat "$KT_TMP/log")" "psi cpu some > 1% at .*events" "a machine whose tasks wait for its CPUs"
fi

# Killed: the next run finds nothing
begin
kill -9 $pid
wait $pid 2>/dev/null
[ -n "$(ls "$TMPDIR")" ]
ok $? "a kill leaves temporary folders"
touch "$dir/$name-0900.dat.new0"
"$KTRAIL" restore-settings >/dev/null
begin
ok $? "after a kill it begins again, on the same socket"
[ ! -e "$dir/$name-0900.dat.new0" ]
ok $? "… and removes the rest"
finish
is "$(ls "$TMPDIR")" "" "… of temporary folders, too"
done_testing
