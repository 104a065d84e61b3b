# sched.sh - one run, recorded by perf and ktrail at the same time: both have the same tasks and times
# shellcheck shell=bash
. tests/proof.sh
command -v perf >/dev/null || { skip "perf's figures" "$(cat tests/no-linux-perf 2>/dev/null)"; done_testing; }

# sched_wakeup without sched_waking: `perf sched latency` of perf 6.1 uses no other wakeups.
words='-e sched:sched_switch -e sched:sched_wakeup -e sched:sched_wakeup_new -e sched:sched_migrate_task'
burn() { local i; for ((i = 0; i < $1; i++)); do :; done; }
load() {
	local i
	for i in 1 2 3 4; do
		(burn 2000; sleep 0.05; burn 1000; sleep 0.02; burn 500) &
	done
	wait
}
export -f burn load
# shellcheck disable=SC2086
perf record -k mono -a -R -c 1 -m 1024 $words -o perf.data -- \
	ktrail record -q -C mono $words -o sched.dat bash -c load >"$KT_TMP/record" 2>&1
[ -s perf.data ] && [ -s sched.dat ]
ok $? "both record" || note "$(cat "$KT_TMP/record")"
perf sched timehist --state -i perf.data >perf.list 2>/dev/null
perf sched latency -p -i perf.data >perf.latency 2>/dev/null
ktrail sched timehist --state sched.dat >list
awk -v ms=0.5 -f tests/as-perf.awk list perf.list perf.latency >"$KT_TMP/same"
of() { awk -v name="$1" -v n="$2" '$1 == name { print $n }' "$KT_TMP/same"; }
# few NAME: at most one of eight values differs: an emulated CPU may stop between the two recorders
few() { [ "$(of "$1" 2)" -gt 20 ] && [ "$(of "$1" 3)" -le $(($(of "$1" 2) / 8)) ]; }

[ "$(of matched 2)" -gt 100 ] && [ "$(of missing 2)" -le $(($(of matched 2) / 500)) ]
ok $? "both have each stay on a CPU" || note "$(cat "$KT_TMP/same")"
for what in run wait delay; do
	few $what
	ok $? "the times are those of perf sched timehist: $what" || note "$(cat "$KT_TMP/same")"
done
awk '$1 == "sums" { off = $2 > $3 ? $2 - $3 : $3 - $2; exit !($2 > 100 && off < $2 / 50) }' "$KT_TMP/same"
ok $? "the sums of the run times are equal" || note "$(cat "$KT_TMP/same")"
# On -rt, perf counts one more if a task is woken that was preempted while going to sleep.
[ "$(of switches 2)" -ge 4 ] && [ "$(of switches 3)" -le $([[ $(uname -r) == *-rt* ]] && echo 2 || echo 0) ]
ok $? "switches are those of perf sched latency" || note "$(cat "$KT_TMP/same")"
[ "$(of latency 3)" -le $(($(of latency 2) / 4)) ]
ok $? "as are average and longest delay" || note "$(cat "$KT_TMP/same")"
unchanged
done_testing
