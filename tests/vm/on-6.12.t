#!/bin/bash
# on-6.12.t - tests for each change, in one boot of Debian's kernel 6.12
exec tests/vm/parts -t 1800 6.12 buffers doctor dropin oracle view
