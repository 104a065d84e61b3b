#!/bin/bash
# on-7.2-rt.t - tests in one boot of Debian's kernel 7.2-rt, from sid
exec tests/vm/parts -t 1200 -p linux-perf -c load 7.2-rt doctor sched why
