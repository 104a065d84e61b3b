# options.sh - the options of record have their effect: filter, trigger, CPUs, clock, date
# shellcheck shell=bash disable=SC2154
. tests/proof.sh
dat=$KT_TMP/r.dat
exec_event=sched:sched_process_exec
record() { works record -q -o "$dat" "$@"; ktrail report "$dat" | grep -v '^cpus=' >"$KT_TMP/text"; }
lines() { grep -c "$1" "$KT_TMP/text"; }
three() { bash -c '/bin/true; /bin/false; /bin/true; :'; }
export -f three

# ---- filter: only matching records of its own event ----
record -e $exec_event -f 'filename == "/bin/true"' -e sched:sched_process_fork bash -c three
is "$(lines 'filename=/bin/true') $(lines 'filename=/bin/false')" "2 0" "a filter selects matching records"
[ "$(lines sched_process_fork:)" -ge 3 ]
ok $? "and all records of the other event"
record -e $exec_event -f 'filename ~ "*e" && !(filename ~ "/bin/t*")' bash -c three
is "$(lines 'exec: .*/bin/true') $(lines 'exec: .*/bin/false')" "0 1" "with operators and globs"
record -e sched -v -e sched:sched_switch -e sched:sched_waking bash -c three
[ "$(lines sched_process_exec:)" -ge 3 ]
ok $? "a system is recorded"
is "$(lines sched_switch:)" 0 "-v excludes one of its events"
as_before

# ---- trigger: tracing ends, stacks are recorded, events are enabled ----
record -e $exec_event -R 'traceoff if filename == "/bin/false"' bash -c three
is "$(lines 'filename=/bin/true')" 1 "traceoff ends it there"
as_before "and tracing is on again afterwards"
record -e $exec_event -R 'stacktrace if filename == "/bin/false"' bash -c three
is "$(lines '<stack trace')" 1 "a stack after the event with the trigger"
like "$(grep -A12 '<stack trace' "$KT_TMP/text")" '=> (bprm_execve|begin_new_exec|do_execveat_common|load_elf_binary|bprm_execve.part.0)' "with names"
record -v -e sched:sched_process_fork -e $exec_event -R 'enable_event:sched:sched_process_fork if filename == "/bin/false"' \
	bash -c '/bin/true; /bin/true; /bin/false; /bin/true; /bin/true; :'
is "$(lines sched_process_fork:)" 2 "an event is switched on by another one" || note "$(cat "$KT_TMP/text")"
as_before

# ---- -M: one CPU only ----
fire() { taskset 1 dd if=/dev/zero of=/dev/null count=1; taskset 2 dd if=/dev/zero of=/dev/null count=1; } 2>/dev/null
export -f fire
for cpu in 0 1; do
	record -M $((1 << cpu)) -e sched:sched_switch -e $exec_event bash -c fire
	[ "$(lines "\[00$cpu\]")" -gt 0 ]
	ok $? "-M: CPU $cpu is recorded"
	is "$(lines "\[00$((1 - cpu))\]")" 0 "-M: the other is not"
done
as_before

# ---- clocks: their times, compared with the real time ----
# Times of "boot" are shown in nanoseconds, as trace-cmd does.
first() { sed -nE '1s/^.* \[[0-9]+\] .* ([0-9.]+): .*/\1/p' "$KT_TMP/text" | sed -E 's/^([0-9]+)([0-9]{9})$/\1.\2/'; }
between() { awk -v t="$(first)" -v a="$1" -v b="$2" 'BEGIN { exit !(t != "" && t + 0 >= a - 1 && t + 0 <= b + 1) }'; }
for clock in $(tr -d '[]' <$T/trace_clock); do
	case $clock in
	tai)				now() { date +%s.%N; } ;;
	counter | uptime | x86-tsc)	now() { echo 0; } ;;	# not in seconds
	*)				now() { cut -d' ' -f1 /proc/uptime; } ;;
	esac
	before=$(now)
	record -C "$clock" -e $exec_event bash -c three
	[ "$(now)" = 0 ] || between "$before" "$(now)"
	ok $? "$clock: its times are correct" || note "$before $(first) $(now)"
	is "$(lines 'filename=/bin/true')" 2 "$clock: no event is missing"
	like "$(ktrail dump --options "$dat" 2>/dev/null)" "\[$clock\]" "$clock: the file names it"
done
record -C counter -e $exec_event bash -c three
[ "$(first | cut -d. -f1)" -lt 1000000 ]
ok $? "counter counts" || note "$(cat "$KT_TMP/text")"

# ---- --date: wall-clock times ----
for clock in local mono; do
	before=$(date +%s)
	record --date -C $clock -e $exec_event bash -c three
	between "$before" "$(date +%s)"
	ok $? "$clock: report shows the date of --date" || note "$before $(first) $(date +%s)"
done
like "$(date -u -d "@$(first | cut -d. -f1)" +%Y)" '^20' "which is in this century"
unchanged
done_testing
