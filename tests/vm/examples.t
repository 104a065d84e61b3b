#!/bin/bash
# examples.t - the examples of every page, and a tutorial, in one boot of Debian's kernel 6.12
# on-6.12-rt.t and on-6.12-full.t test the features that it lacks.
programs=(-x make)
! command -v jq >/dev/null || programs+=(-x jq)
for program in chrt md5sum seq sort taskset; do programs+=(-x $program); done
exec tests/vm/parts -t 1200 "${programs[@]}" -f tests/tutorial -f Documentation/stutter.md 6.12 examples tutorial
