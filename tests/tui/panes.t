#!/bin/bash
# panes.t - split screens after keys, in any size
. tests/kt_test.sh
export XDG_CACHE_HOME=$KT_TMP/cache KTRAIL_PLUGIN_DIR=$PWD/$B/plugins
data=tests/data

# screen NAME SIZE KEYS [FILE]: without the line of all views
screen() {
	run timeout 60 "$KTRAIL" view --print events --size "$2" --keys "$3" "${4:-$data/6.12-fgraph.dat}"
	golden "tui/panes-$1.screen" "$(sed 1d "$KT_TMP/out")"
}

# shows KEYS TEXT NAME [SIZE]
shows() {
	run timeout 60 "$KTRAIL" view --print events --size "${4:-100x24}" --keys "$1" $data/6.12-fgraph.dat
	like "$(cat "$KT_TMP/out")" "$2" "$3"
}

screen split    80x24  '<Ctrl-W>s2'
screen beside   120x24 ':vsplit graph<Enter>Snanosleep<Enter>'
screen linked   120x30 ':vsplit timeline<Enter>:split latency<Enter><Ctrl-W>h/nanosleep<Enter>'
screen one-is-enough 100x14 ":vsplit graph<Enter>" $data/6.12-fgraph-retval.dat
screen twice    100x24 '2<Ctrl-W>sSnanosleep<Enter>*'
screen sizes    100x24 ':vsplit graph<Enter><Ctrl-W>><Ctrl-W>><Ctrl-W>>:split info<Enter><Ctrl-W>-<Ctrl-W>-'
screen equal    100x24 '<Ctrl-W>v<Ctrl-W>v<Ctrl-W>=3'
screen keys     100x12 '<Ctrl-W>'
screen dragged  100x24 '<Ctrl-W>v<Click@5,50><Drag@5,40><Release@5,70><Drag@5,20><Ctrl-W>s<Click@12,90><Release@20,5>'
screen filter   100x24 '<Ctrl-W>sfprev_pid == 0<Enter>'
screen small    40x12  '<Ctrl-W>v2'

shows '<Ctrl-W>s<Ctrl-W>s<Ctrl-W>o2'     'TOTAL +SELF'                  "only one pane is left"
shows '<Ctrl-W>s2<Ctrl-W>q'              'event 1 of'                   "closing selects the other one"
shows ':split nothing<Enter>'            "no view 'nothing'"            "an unknown view is refused"
shows '<Ctrl-W>q'                        'there is one pane only'       "the last pane stays"
shows '<Ctrl-W>w'                        'there is one pane only'       "without another pane there is no next one"
shows '<Ctrl-W>y'                        'Ctrl-W y does nothing'        "an unknown key is reported"
shows '<Ctrl-W>s<Ctrl-W>h'               'no pane in that direction'    "nothing to the left"
shows '<Ctrl-W>s<Ctrl-W>>'               'no pane beside this one'      "nothing to take columns from"
shows '<Ctrl-W>s<Ctrl-W>s<Ctrl-W>s<Ctrl-W>s<Ctrl-W>s<Ctrl-W>s<Ctrl-W>s<Ctrl-W>s' 'there are 8 panes' "eight panes are the limit"
shows '<Ctrl-W>v2<Ctrl-W>w'              'event 1 of'                   "a hidden pane comes back" 30x12
shows '<Ctrl-W>s2jjj<Ctrl-W>k'           'event 25 of'              "the panes show the same moment"

bad=0
for size in 1x1 2x7 20x5 40x9 80x24; do
	run timeout 60 "$KTRAIL" view --print events --size $size \
		--keys '<Ctrl-W>s2<Ctrl-W>v3<Ctrl-W>s4<Ctrl-W>=jk<Ctrl-W>w<Ctrl-W>+<Ctrl-W><<Ctrl-W>h<Ctrl-W>qjG<Ctrl-W>oj' $data/6.12-fgraph.dat
	[ "$status" = 0 ] || { bad=1; note "$size: $err"; }
done
ok $bad "panes in any size"
done_testing
