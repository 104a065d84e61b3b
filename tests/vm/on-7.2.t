#!/bin/bash
# on-7.2.t - what is proved in one boot of Debian's kernel 7.2, from sid
exec tests/vm/parts -t 1800 -x trace-cmd 7.2 doctor extract view
