#!/bin/bash
# on-7.2.t - tests in one boot of Debian's kernel 7.2, from sid
exec tests/vm/parts -t 1800 -x trace-cmd -p linux-perf -c load -c violate 7.2 capture doctor extract sched view why
