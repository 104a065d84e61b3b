#!/bin/bash
# valgrind.t - a report has no invalid reads and no leaks
. tests/kt_test.sh
data=tests/data/peer

command -v valgrind >/dev/null || skip_all "valgrind is not installed"
[ -z "${SAN:-}" ] || skip_all "the sanitizers check this themselves"

for opts in "" -R --json "-F common_pid>100" "-l --debug -w"; do
	# shellcheck disable=SC2086
	run valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect \
		"$KTRAIL" report --threads 2 $opts "$data/events-irqs.dat" "$data/fgraph-sched.dat" "$data/stacks.dat"
	is "$status" 0 "report --threads 2 $opts is clean"
done
done_testing
