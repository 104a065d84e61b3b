#!/bin/bash
# on-6.12-full.t - features that no kernel of Debian has, in one boot of a kernel that tests/vm/build-full builds
# It boots with the session of a bootconfig, which its first part removes.
. tests/kt_test.sh
cp tests/vm/bootconfig.state "$KT_TMP/boot.state"
"$KTRAIL" boot --session "$KT_TMP/boot.state" >"$KT_TMP/trace.bconf" 2>/dev/null || exit 1
exec tests/vm/parts -t 1800 -b "$KT_TMP/trace.bconf" -f "$KT_TMP/boot.state" -c user_event -x make \
	-f "${B:-build}/plugins/function_graph.so" -M preemptirq_delay_test \
	6.12-full boot dryrun examples options profile refused retval rv tracers user-events
