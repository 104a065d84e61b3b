#!/bin/bash
# flame.t - the flame graph: its screens after keys, on recordings of several kernels
. tests/kt_test.sh

# screen NAME FILE KEYS [SIZE]: without the lines of all views and of keys
screen() {
	out=$(timeout 60 "$KTRAIL" view --print flame --size "${4:-100x24}" --keys "$3" "tests/data/$2" 2>&1 |
	      sed '1d;$d')
	golden "tui/flame-$1.screen" "$out"
}

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
done_testing
