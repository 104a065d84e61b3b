#!/bin/bash
# extract.t - the top-level buffer, snapshots and latency tracers, read by trace-cmd as well
exec tests/vm/each -x trace-cmd "6.1 6.12-rt" tests/vm/extract.sh
