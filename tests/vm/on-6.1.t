#!/bin/bash
# on-6.1.t - what is proved in one boot of Debian's kernel 6.1; functions are in on-6.1-rt.t, whose kernel is the same there
exec tests/vm/parts -t 1200 -x trace-cmd 6.1 doctor extract record refused
