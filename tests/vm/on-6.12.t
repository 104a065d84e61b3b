#!/bin/bash
# on-6.12.t - what is proved in one boot of Debian's kernel 6.12, but for sessions.t
exec tests/vm/parts -t 1800 6.12 buffers doctor dropin functions oracle view
