#!/bin/bash
# flame.t - the flame graph: its screens after keys, on recordings of several kernels
. tests/kt_test.sh
. tests/kt_screen.sh
screens_of flame 100x24 '1d;$d'

screen calls     6.12-fgraph.dat ''
screen count     6.12-fgraph.dat 'w'
screen zoom      6.12-fgraph.dat 'jjj<Enter>'
screen out       6.12-fgraph.dat 'jjj<Enter><Backspace>l'
screen search    6.12-fgraph.dat '/schedule<Enter>n'
screen off-calls 6.12-fgraph.dat 'o'
screen between   6.12-fgraph.dat '1@50%<Enter>AGB5'
screen stacks    6.12-stacks.dat ''
screen off-cpu   6.12-stacks.dat 'o'
screen filtered  6.12-stacks.dat 'fsched_process_fork<Enter>'
screen user      peer/stacks.dat ''
screen function  6.12-function.dat ''
screen syscalls  armhf-events.dat '' 80x24
screen no-time   6.12-stacks.dat 'w'
screen none      blk.dat ''
screen hidden    6.12-stacks.dat 'fcommon_pid == 99999<Enter>'
screen narrow    6.12-stacks.dat 'jlh' 40x10
screen tiny      6.12-stacks.dat 'jlhk<Enter>ow' 1x3

run "$KTRAIL" view --print flame --size 100x12 --keys W tests/data/7.2-pairs.dat
like "$out" 'does not show who woke tasks' "wakeups are a kind, and their absence is explained"
done_testing
