#!/bin/bash
# record.t - the function tracers, which few development machines allow
exec tests/vm/each "6.1 6.12" tests/vm/record.sh
