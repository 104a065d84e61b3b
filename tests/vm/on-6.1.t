#!/bin/bash
# on-6.1.t - tests in one boot of Debian's kernel 6.1; on-6.1-rt.t tests functions, which are the same there
exec tests/vm/parts -t 1200 -x trace-cmd -p linux-perf -c load -c violate 6.1 capture doctor extract record refused sched why
