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
screen irqsoff   6.12-irqsoff.dat '' 80x24
screen preemptoff 6.12-preemptoff.dat '' 80x24
screen found     6.12-events.dat '/ksoftirqd<Enter>'
screen none      6.12-function.dat ''
screen kinds     6.12-events.dat 'x' 80x24
screen kinds-choose 6.12-events.dat 'xj<Enter>'
screen kind-none 6.12-events.dat ':kind lock<Enter>'
screen kind-wrong 6.12-events.dat ':kind locks<Enter>'
screen work      6.12-causes.dat ':kind work<Enter>'
screen work-wait 6.12-causes.dat ':kind work-wait<Enter>' 80x24
screen lock      6.12-causes.dat ':kind lock<Enter><Enter><Enter>'
screen net-tx    6.12-causes.dat ':kind net-tx<Enter>'
screen net-rx    6.12-net-faults.dat ':kind net-rx<Enter><Enter>'
screen fault     6.12-net-faults.dat ':kind fault<Enter>' 80x24
screen nmi       6.12-causes.dat ':kind nmi<Enter>W'
screen wide      6.12-events.dat 'j' 200x60
screen tiny      6.12-events.dat 'j<Enter><Enter>j' 1x3
done_testing
