#!/bin/bash
# on-6.12-rt.t - tests in one boot of Debian's kernel 6.12-rt
exec tests/vm/parts -t 1200 -x trace-cmd -p rtla -c load -c violate 6.12-rt capture doctor examples extract rtla tracers why
