#!/bin/bash
# bisect.t - `git bisect run ktrail bisect` finds the planted commit, in spite of disturbed runs
#
# KT_HISTORIES=20 KT_COMMITS=32 KT_SEED=1 KT_ERROR=0.001: the number of histories, and of commits in
# each; the defaults are small, and only the wait for the recordings takes time.
# Every tenth run, by chance, does the opposite of what its commit says.
. tests/kt_test.sh
# shellcheck disable=SC2154

run "$KTRAIL" bisect -- true
like "$status:$err" '^129:.*--metric is missing' "misuse stops git: a metric"
run "$KTRAIL" bisect -m 'max(irq) < 1ms'
like "$status:$err" '^129:.*command to run is missing' "… a command"
run "$KTRAIL" bisect -m 'max(irqs) < 1ms' -- true
like "$status:$err" '^129:.*at character 5' "… a metric that is wrong"
run "$KTRAIL" bisect -m 'max(irq) < 1ms' --good-fails 0.9 --bad-fails 0.1 -- true
like "$status:$err" '^129:.*larger for a bad commit' "… shares that mean nothing"
run "$KTRAIL" bisect -m 'max(irq) < 1ms' --error 3x -- true
like "$status:$err" '^129:.*such as 0.05 or 5%' "… a share that is not one"
run "$KTRAIL" bisect -m 'max(irq) < 1ms' --ssh a --vm b -- true
like "$status:$err" '^129:' "… two places"

tracing=/sys/kernel/tracing
if ! [ "$(id -u)" = 0 ] || ! [ -w $tracing/instances ] || ! [ -e $tracing/events/sched/sched_process_exec ]; then
	skip "bisections" "needs root and tracefs with instances"
	done_testing
	exit 0
fi
if ! command -v git >/dev/null; then
	skip "bisections" "no git here"
	done_testing
	exit 0
fi
. tests/kt_live.sh
export KTRAIL_JOURNAL_DIR=$KT_TMP/journal HOME=$KT_TMP PATH=${KTRAIL%/*}:$PATH
mkdir -p "$KTRAIL_JOURNAL_DIR"
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
export GIT_CONFIG_NOSYSTEM=1

# The cost of a run: a good commit executes two programs, a bad one nine.
metric='count(event sched:sched_process_exec) < 5'
bisect=("$KTRAIL" bisect -F -c -m "$metric")

# ---- without git ----

mkdir "$KT_TMP/plain" && cd "$KT_TMP/plain" || exit 1
cat >two <<'TXT'
#!/bin/sh
/bin/true
TXT
cat >nine <<'TXT'
#!/bin/sh
for i in 1 2 3 4 5 6 7 8; do /bin/true; done
TXT
chmod +x two nine
export GIT_CEILING_DIRECTORIES=$KT_TMP
run "${bisect[@]}" -- ./two
is "$status:$out" "0:COMMIT  RUNS  FAILED  UNKNOWN  MEDIAN  VERDICT
step-1     3       0        0       2  good" "three runs that hold are enough"
run "${bisect[@]}" --name slow -- ./nine
is "$status:${out##*$'\n'}" "1:slow       3       3        0       9  bad" "a bad one is beside it, under its name"
is "$(ls ktrail-bisect/slow ktrail-bisect | paste -sd' ')" \
	"ktrail-bisect: slow step-1 steps  ktrail-bisect/slow: 1.dat 2.dat 3.dat figures.json" "recordings and figures are kept"
"$KTRAIL" check -m "$metric" ktrail-bisect/slow/2.dat >/dev/null
is "$?:$(json '$d->{verdict}, scalar @{$d->{runs}}, $d->{runs}[2]{metrics}[0]{value}' ktrail-bisect/slow/figures.json)" \
	'1:["fails",3,9]' "… and have the measured values"
is "$("$KTRAIL" report ktrail-bisect/slow/1.dat | grep -o 'sched_process_[a-z]*:' | sort -u)" sched_process_exec: \
	"nothing else was recorded"
run "${bisect[@]}" --name slow -e sched:sched_process_exit -n 2 -- ./nine
is "$status:${out##*$'\n'}" "125:slow       2       2        0       9  cannot tell" "the runs are used up"
is "$(ls ktrail-bisect/slow | paste -sd' ')" "1.dat 2.dat figures.json" "a step that is repeated replaces its recordings"
run "${bisect[@]}" --name fails -- sh -c 'exit 3'
like "$status:$err" '^125:.*status 3.*status 3.*status 3$' "three runs that fail end the step"
run "${bisect[@]}" --name skips -- sh -c 'exit 125'
is "$status:$(grep -c run <<<"$err")" "125:1" "one run with status 125 is enough"
run "${bisect[@]}" -- ./none
like "$status:$err" "^128:.*cannot run './none'" "a command that is not there stops git"
run "$KTRAIL" bisect --name lacks -m 'max(irq comm==nobody) < 1s' -- true
like "$status:$err" "^125:.*there is no sample of 'irq comm==nobody'" "without a sample, the verdict is unknown"

# ---- elsewhere ----

once=(--good-fails 1% --bad-fails 99% --error 2%)

run "${bisect[@]}" --name vm "${once[@]}" --vm 'sh -c' -- ./nine
is "$status:${out##*$'\n'}" "1:vm         1       1        0       9  bad" "--vm runs a line of shell"
mkdir bin && cat >bin/ssh <<'TXT'
#!/bin/sh
[ "$1 $2" = "-n host" ] && exec sh -c "$3"
TXT
chmod +x bin/ssh
PATH=$PWD/bin:$PATH run "${bisect[@]}" --name ssh "${once[@]}" --ssh host -- sh -c 'echo printed; ./two; : "a '\''b'\'' $c"'
like "$status:${out##*$'\n'}:$err" "^0:ssh .* good:printed" "--ssh too; the words arrive, and other output does not disturb"
run "${bisect[@]}" --name off --vm 'exit 255;' -- ./two
like "$status:$err" "^128:.*nothing was recorded, status 255" "a machine that does not answer stops git"
run "${bisect[@]}" --name off --vm 'exit 125;' -- ./two
is "$status" 125 "a kernel that does not boot is skipped"

# ---- histories ----

# make_history N BAD SEED: a repository whose commits from BAD on are slow; sets $planted
make_history() {
	local i execs
	git init -q . && cat >.git/info/exclude <<</runs
	for ((i = 1; i <= $1; i++)); do
		execs=1
		[ "$i" -lt "$2" ] || execs=8
		cat >work <<-TXT
			#!/bin/bash
			# change $i
			echo >>runs
			RANDOM=\$(($3 + 97 * \$(wc -l <runs)))
			: \$RANDOM
			execs=$execs
			((RANDOM % 10)) || execs=\$((9 - execs))
			for ((i = 1; i <= execs; i++)); do /bin/true; done
		TXT
		chmod +x work
		git add work && git commit -q -m "change $i"
		[ "$i" != "$2" ] || planted=$(git rev-parse HEAD)
	done
	: >runs
}

RANDOM=${KT_SEED:-7}
found=0 runs=0 disturbed=0 commits=${KT_COMMITS:-5} metric='count(event sched:sched_process_exec) < 7'
for ((h = 1; h <= ${KT_HISTORIES:-2}; h++)); do
	mkdir "$KT_TMP/h$h" && cd "$KT_TMP/h$h" || exit 1
	make_history "$commits" $((2 + RANDOM % (commits - 1))) $RANDOM
	git bisect start HEAD "HEAD~$((commits - 1))" >/dev/null 2>&1
	git bisect run "$KTRAIL" bisect -F -c -m "$metric" --error "${KT_ERROR:-0.01}" -n 30 -- ./work >"$KT_TMP/log" 2>"$KT_TMP/told"
	grep -Eqx "$planted is the first '?bad'? commit" "$KT_TMP/log" && found=$((found + 1)) || note "$(cat "$KT_TMP/log" "$KT_TMP/told")"
	runs=$((runs + $(wc -l <runs)))
	disturbed=$((disturbed + $(awk -F'\t' '{ n += $3 == "holds" ? $5 : $4 - $5 } END { print n + 0 }' .git/ktrail-bisect/steps)))
done
is "$found" "${KT_HISTORIES:-2}" "the planted commit is found in each history"
note "$found of ${KT_HISTORIES:-2} histories of $commits commits, $runs runs, $disturbed of them disturbed"
is "$(cut -f1 .git/ktrail-bisect/steps | sort -u | wc -l)" "$(git bisect log | grep -c '^git bisect \(good\|bad\) ')" "each step is kept"
is "$(sed -n '/^COMMIT/,/first bad commit/p' "$KT_TMP/log" | tac | sed -n '/^COMMIT/q;p' | grep -cE ' (good|bad)$')" \
	"$(wc -l <.git/ktrail-bisect/steps)" "the last table has all of them"
is "$(grep -c "^ktrail diff --per recording -a .*\.dat -b .*\.dat$" "$KT_TMP/log")" 1 "and then comes what differs in a run"
no_orphans "no instance is left"
done_testing
