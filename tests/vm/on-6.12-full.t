#!/bin/bash
# on-6.12-full.t - what no kernel of Debian has, in one boot of a kernel that tests/vm/build-full builds
# It begins with the session of a bootconfig, which its first part takes away again.
. tests/kt_test.sh
cp tests/vm/bootconfig.state "$KT_TMP/boot.state"
"$KTRAIL" boot --session "$KT_TMP/boot.state" >"$KT_TMP/trace.bconf" 2>/dev/null || exit 1
cc -O2 -o "$KT_TMP/user_event" tests/vm/user_event.c || skip_all "no C compiler here"
exec tests/vm/parts -t 1800 -b "$KT_TMP/trace.bconf" -f "$KT_TMP/boot.state" -x "$KT_TMP/user_event" -x make \
	-f "${B:-build}/plugins/function_graph.so" -M preemptirq_delay_test \
	6.12-full boot dryrun examples options profile refused retval rv tracers user-events
