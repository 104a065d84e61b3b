#!/bin/bash
# on-7.2-rt.t - what is proved in one boot of Debian's kernel 7.2-rt, from sid
exec tests/vm/parts -t 1200 7.2-rt doctor
