#!/bin/bash
# why.t - the reasons of the selected interval, in a pane below
. tests/kt_test.sh
. tests/kt_screen.sh

# why VIEW NAME KEYS [SIZE] [FILE]
why() {
	screens_of "$1" "${4:-80x24}" '1d;$d'
	screen "why-$2" "${5:-6.12-events.dat}" "$3"
}

# shows VIEW KEYS TEXT NAME [FILE]
shows() {
	run timeout 60 "$KTRAIL" view --print "$1" --size 80x24 --keys "$2" "tests/data/${5:-6.12-events.dat}"
	like "$(cat "$KT_TMP/out")" "$3" "$4"
}

why latency  latency  'wQ'
why latency  listed   'c<Enter><Enter>Q' 80x40
why timeline timeline 'WQ'
why graph    graph    'Snanosleep<Enter>Q' 80x24 6.12-fgraph.dat
why events   folded   '/sched_waking<Enter>Q<Space>' 100x24
why events   there    '/sched_waking<Enter>:split timeline<Enter><Ctrl-W>kQjj<Enter>' 100x40
why events   tiny     'Q' 20x5

shows latency  'c<Enter><Enter>QQ'      'no time of its own|ran on CPU'    "a line of the reasons has reasons itself"
shows latency  'c/^read<Enter>Q'        '; waited
 7.7 ms for CPU 1: 7.7 ms ktrail'  "a long summary has several rows"
shows latency  'wQ<Esc>'                '^q? *▌|▌ khugepaged'              "Esc leads back"
shows latency  'wQq<Down>Q'             'rcu_preempt:18, 32.5 ms until'    "the next selected interval has reasons, too"
shows timeline 'Q'                      'no task runs there|ran on CPU'    "of a CPU, the task that it runs"
shows flame    'Q'                      'Q does nothing here'              "a view without intervals reports that"
shows latency  'wQ<Enter>'              'khugepaged:41'                    "a line leads to its moment"
shows latency  'wQj<Space>'             'nothing is below this line'       "calls that cannot be folded are reported"
shows latency  'wQj/ran<Enter>'         "no match for 'ran' after here"    "lines are searched"
shows latency  ':view why<Enter>'       'Nothing is selected'              "without a selection that is said"
shows latency  'RQ'                     'nothing was measured'             "a report has no intervals" 6.12-rt-wakeup.dat
done_testing
