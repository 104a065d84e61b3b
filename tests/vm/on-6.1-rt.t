#!/bin/bash
# on-6.1-rt.t - what is proved in one boot of Debian's kernel 6.1-rt
exec tests/vm/parts -t 2100 6.1-rt buffers functions nouns session tracers
