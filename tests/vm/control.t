#!/bin/bash
# control.t - control commands on real kernels
# Switching all functions takes an emulated machine a minute each time: only with KT_VM_LONG=1.
. tests/kt_test.sh

[ -n "${KT_VM_LONG:-}" ] || skip_all "takes half an hour: KT_VM_LONG=1 runs it"

for kernel in ${KT_KERNELS:-6.1 6.12}; do
	tests/vm/run -t 1800 "$kernel" tests/vm/control.sh >"$KT_TMP/out" 2>&1
	status=$?
	[ $status != 77 ] || { skip "$kernel" "$(tail -1 "$KT_TMP/out")"; continue; }
	grep -v '^ok' "$KT_TMP/out" | sed '/^#/!s/^/# /'
	ok $status "on $kernel: $(grep -c '^ok' "$KT_TMP/out") checks"
done
done_testing
