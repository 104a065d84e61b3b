#!/bin/bash
# timeline.t - the view of time: calls, the mouse, single nanoseconds, places, ends of tasks
. tests/kt_test.sh
. tests/kt_screen.sh
screens_of timeline 100x20 '1d;$d'

screen calls      6.12-fgraph.dat '4W+++++++++++'
screen calls-all  6.12-fgraph.dat '4W+++++++++++C'
screen calls-of   6.12-fgraph.dat '4W+++++++++++/timeout<Enter><Space>'
screen calls-none 6.12-fgraph.dat '4W+++++++++++/CPU 1<Enter>N<Space>'
screen calls-far  6.12-fgraph.dat ' '
screen calls-only 6.12-fgraph-retval.dat '2Sopenat<Enter>3++++++++'
screen syscalls   6.12-events.dat '4cW++++++'
screen ns         6.12-events.dat 'W++++++++++++++++++++++++++++++' 60x12
screen ns-right   6.12-events.dat 'W++++++++++++++++++++++++++++++ll]' 60x12
screen drag       6.12-events.dat '<Click@8,40><Drag@8,50><Release@8,60>'
screen dragging   6.12-events.dat '<Click@8,40><Drag@8,50>'
screen events     6.12-fgraph-retval.dat 'ffuncgraph_entry<Enter>..'
screen event-clicked 6.12-fgraph-retval.dat '<Click@16,30>'
screen wheel      6.12-events.dat '<WheelUp@8,90><WheelUp@8,90>'
screen wheel-rows 6.12-events.dat '<WheelDown@8,3><WheelDown@8,3><WheelDown@8,3>'
screen strip      6.12-events.dat '++++<Click@1,70><Drag@1,75><Release@1,75>'
screen found      6.12-events.dat '/sort:20<Enter>n'
screen next-lost     peer/lost.dat   '+++L'
screen first-lost peer/lost.dat 'L'
screen last-lost peer/lost.dat   '++++0L+++++LL'
screen irqs       armhf-events.dat '4ijj<Enter><Enter><Enter>--'
screen pinned     6.12-events.dat 'jjjpjjpd'
screen jump-task  6.12-events.dat '4c/^read<Enter>W' 80x14
screen only-task  6.12-events.dat 'jjt'
screen hide-cpu   6.12-events.dat 'j~'
screen asleep     6.12-events.dat 'W<Click@12,20>' 80x24
screen asleep-down 6.12-events.dat 'Wjjjjjj' 80x24
screen no-events  6.12-irqsoff.dat '' 80x12
screen tiny       6.12-events.dat 'C+++' 20x5
screen wide       6.12-events.dat '+' 200x24
colours() { "$KTRAIL" view --color --print timeline --keys '++jjj..' tests/data/6.12-events.dat; }
is "$(colours)" "$(colours)" "system calls have the same colours in each run"
done_testing
