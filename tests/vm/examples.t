#!/bin/bash
# examples.t - the examples of every page, in one boot of Debian's kernel 6.12
# What it lacks, on-6.12-rt.t and on-6.12-full.t have.
programs=(-x make)
! command -v jq >/dev/null || programs+=(-x jq)
exec tests/vm/parts -t 1200 "${programs[@]}" 6.12 examples
