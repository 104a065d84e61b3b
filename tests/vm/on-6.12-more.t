#!/bin/bash
# on-6.12-more.t - tests on Debian's kernel 6.12 that take too long to run for each change
exec tests/vm/parts -t 1200 -p linux-perf -c load -c violate 6.12 capture functions sched why
