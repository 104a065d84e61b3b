#!/bin/bash
# graph.t - the view of calls: its screens after keys, on recordings of several kernels
. tests/kt_test.sh
. tests/kt_screen.sh
screens_of graph 100x24 '1d'

screen first     6.12-fgraph-retval.dat ''
screen longest   6.12-fgraph-retval.dat 'Sopenat<Enter>l'
screen next-call 6.12-fgraph-retval.dat ']sc'
screen nanosleep 6.12-fgraph.dat 'Snanosleep<Enter>*'
screen folded    6.12-fgraph.dat 'Snanosleep<Enter>d1<Enter>'
screen hidden    6.12-fgraph.dat 'Snanosleep<Enter>*h10<Enter>'
screen focus     6.12-fgraph.dat 'Snanosleep<Enter>zl*'
screen unfocus   6.12-fgraph.dat 'Snanosleep<Enter>zlZ'
screen siblings  6.12-fgraph.dat 'Snanosleep<Enter>jJJK'
screen folds     6.12-fgraph.dat 'Snanosleep<Enter>*_jj+-'
screen previous  6.12-fgraph.dat 'sCCc'
screen same      6.12-fgraph.dat 'Snanosleep<Enter>=r'
screen search    6.12-fgraph.dat '/dequeue<Enter>u'
screen function  6.12-function.dat 'jj'
screen probes    6.12-probes.dat 'J'
screen pairs     7.2-pairs.dat 'acat-155<Enter>lu'
screen fprobes   7.2-pairs.dat 'Svfs_read<Enter>'
screen uprobes   peer/probes.dat 'J'
screen lost      peer/lost.dat '1L2'
screen ends      faults/7.2-names.dat 'G'
screen events    6.12-events.dat 'abash<Enter>'
screen syscalls  6.12-events.dat 'Sread<Enter>'
screen arm64     arm64-fgraph.dat 'G' 80x24
screen narrow    6.12-fgraph.dat 'j' 40x10
screen tiny      6.12-fgraph.dat 'jl*zZ+-' 1x1
screen none      blk.dat ''
screen only-task 6.12-fgraph.dat 't'
screen only-function 6.12-fgraph.dat 'Svfs_write<Enter>(1'
screen hide-function 6.12-fgraph.dat 'Svfs_write<Enter>)1'
screen no-function 6.12-fgraph.dat '1j('
screen only-other 6.12-fgraph.dat 'abash<Enter>t'
screen cpu       6.12-function.dat 'x'
screen cpu-other 6.12-fgraph.dat 'x]l'
screen cpu-caller 6.12-events.dat 'xjjjjjjjjjjju'
screen cpu-narrow 6.12-function.dat 'x' 50x12
screen cpu-folded 6.12-function.dat 'xd1<Enter>a0<Enter>jj'
screen cpu-back  6.12-function.dat 'xxr'
run timeout 60 "$KTRAIL" view --print graph --size 120x300 --keys 'x]' tests/data/6.12-events.dat
like "$(cat "$KT_TMP/out")" 'softirq in (read|wait4) … continued from CPU 1' "a call that went on on another CPU is named there"
screen tasks      6.12-fgraph.dat 'o' 80x20
screen tasks-there 6.12-fgraph.dat 'oj<Enter>' 80x20
screen tasks-cpus 6.12-function.dat 'xo' 80x12
screen tasks-none 6.12-stacks.dat 'o' 80x12
screen event-clicked 6.12-fgraph-retval.dat '<Click@12,30>'
done_testing
