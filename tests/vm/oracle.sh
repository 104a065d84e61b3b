# oracle.sh - all events of a small load, as the kernel's text and as a trace file; parts compares the two
# shellcheck shell=bash
cd tests || exit 1
. ./oracle-passes.sh quick
ktrail reset -t -a -d --yes >/dev/null 2>&1	# its probes and instances
[ -s /out/all.dat ] && echo "ok 1 - all events were recorded" || echo "not ok 1 - all events were recorded"
echo 1..1
