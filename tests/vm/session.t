#!/bin/bash
# session.t - a saved state as the beginning of a session, on a real kernel
# SESSION_KERNELS: which; the first is enough for every day
cd "$(dirname "$0")/../.." || exit 1
for kernel in ${SESSION_KERNELS:-6.12}; do
	KTRAIL=${KTRAIL:-${B:-build}/ktrail} tests/vm/run -t 600 "$kernel" tests/vm/session.sh || exit
done
