#!/bin/bash
# on-6.12.t - what is proved in one boot of Debian's kernel 6.12
exec tests/vm/parts -t 1500 6.12 doctor functions buffers dropin
