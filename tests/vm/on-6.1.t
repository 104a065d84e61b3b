#!/bin/bash
# on-6.1.t - what is proved in one boot of Debian's kernel 6.1
exec tests/vm/parts 6.1 doctor functions
