#!/bin/bash
# latency.t - the view of latencies: its screens after keys, on recordings of several kernels
. tests/kt_test.sh
. tests/kt_screen.sh
screens_of latency 110x24 '1d;$d'

screen first     6.12-events.dat ''
screen sorted    6.12-events.dat '>>r'
screen buckets   6.12-events.dat 'j<Enter>j'
screen list      6.12-events.dat 'j<Enter><Enter>'
screen events    6.12-events.dat 'j<Enter><Enter>v'
screen worst     6.12-events.dat 'W'
screen softirq   6.12-events.dat 's'
screen syscalls  6.12-events.dat 'c' 80x24
screen pair      6.12-events.dat ':pair sched_waking sched_switch pid=next_pid<Enter>'
screen no-pair   6.12-events.dat ':pair sched_waking nothing pid<Enter>'
screen filtered  6.12-events.dat 'fsched_waking<Enter>'
screen calls     6.12-fgraph.dat 'u'
screen block     blk.dat 'b'
screen irq       armhf-events.dat 'i<Enter>'
screen irq-list  armhf-events.dat 'i<Enter><Enter>'
screen irq-there armhf-events.dat 'i<Enter><Enter><Enter>'
screen calls-first 6.12-fgraph.dat ''
screen timerlat  6.12-rt-timerlat.dat ''
screen hwlat     6.12-rt-hwlat.dat ''
screen osnoise   6.12-rt-osnoise.dat ''
screen report    6.12-rt-wakeup.dat ''
screen report-moved 6.12-rt-wakeup_rt.dat '/schedule<Enter>nk<Enter>'
screen report-off 6.12-rt-wakeup.dat 'R' 80x24
screen found     6.12-events.dat '/ksoftirqd<Enter>'
screen none      6.12-function.dat ''
screen tiny      6.12-events.dat 'j<Enter><Enter>j' 1x3
done_testing
