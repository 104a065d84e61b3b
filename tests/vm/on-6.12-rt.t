#!/bin/bash
# on-6.12-rt.t - what is proved in one boot of Debian's kernel 6.12-rt
exec tests/vm/parts -t 1200 -x trace-cmd 6.12-rt doctor examples extract tracers
