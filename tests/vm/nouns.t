#!/bin/bash
# nouns.t - what tracefs has and trace-cmd has no command for, on real kernels
# NOUNS_KERNELS: which; the first is enough for every day
cd "$(dirname "$0")/../.." || exit 1
for kernel in ${NOUNS_KERNELS:-6.12}; do
	KTRAIL=${KTRAIL:-${B:-build}/ktrail} tests/vm/run -t 600 "$kernel" tests/vm/nouns.sh || exit
done
