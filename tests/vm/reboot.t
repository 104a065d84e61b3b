#!/bin/bash
# reboot.t - a kernel boots with the session of its command line, and finds the recording of the previous boot
. tests/kt_test.sh
cp tests/vm/cmdline.state "$KT_TMP/boot.state"
cmdline=$("$KTRAIL" boot --cmdline --session "$KT_TMP/boot.state" 2>/dev/null) || exit 1
exec tests/vm/parts -t 1200 -r -f "$KT_TMP/boot.state" \
	-a "$cmdline reserve_mem=20M:2M:trace trace_instance=boot_map^traceoff@trace" 6.12 boot lastboot
