#!/bin/bash
# on-6.1-rt.t - tests in one boot of Debian's kernel 6.1-rt
exec tests/vm/parts -t 2100 -c load 6.1-rt buffers functions nouns session tracers why
