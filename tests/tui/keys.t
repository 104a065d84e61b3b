#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# keys.t - each key in the help is typed, and has the effect in tests/golden/tui/keys-VIEW
#
# The keys are read from the screen of help, so a new one is tested as soon as it is in a table. The
# golden file has the first and the last line that a command changes; all keys of a command must
# change the same lines.
. tests/kt_test.sh
export XDG_CACHE_HOME=$KT_TMP/cache XDG_CONFIG_HOME=$KT_TMP XDG_STATE_HOME=$KT_TMP

# screen FILE KEYS: the screen of $view in colour, without the lines of tabs, strip and keys
screen() {
	timeout 60 "$KTRAIL" view --color --print "$view" --size "${3:-100x24}" --keys "$2" "tests/data/$1" 2>&1 | sed '1,2d;$d'
}

plain() { printf '%s\n' "$1" | sed 's/\x1b\[[0-9;]*m//g;s/ *$//'; }

# commands FILE KEYS TITLE: "name key key…" of each command with a key below that title of the help
commands() {
	plain "$(screen "$1" "$2?" 150x150)" | perl -ne 'BEGIN { $want = shift }
		$in = /^$want/ if /^[a-z]/; print "$2 $1\n" if $in && /^  (\S.*?)\s+:(\S+)/' "$3"
}

# changed BEFORE AFTER: the first and the last line of AFTER whose text or styles differ from BEFORE
changed() {
	local lines
	mapfile -t lines < <(diff <(plain "$1") <(plain "$2") | sed -n 's/^> //p')
	if [ "${#lines[@]}" = 0 ]; then
		[ "$1" = "$2" ] && echo "nothing" || echo "only styles"
	elif [ "${#lines[@]}" = 1 ]; then
		echo "${lines[0]:0:90}"
	else
		printf '%s\n\t%s\n' "${lines[0]:0:90}" "${lines[-1]:0:90}"
	fi
}

# plays NAME TITLE FILE KEYS [PREFIX]: type the keys of all commands below that title, after KEYS.
# $file, $before and $after are for commands that need another file, or other keys before or after,
# as a prompt.
declare -A file before after
plays() {
	local name keys key start was now first text='' differ='' idle=''
	while read -r name keys; do
		start=${before[$name]-$4} first=
		was=$(screen "${file[$name]-$3}" "$start")
		for key in $keys; do
			case $key in
			Wheel*) key="<$key@9,9>" ;;
			??*)    key="<$key>" ;;
			esac
			now=$(screen "${file[$name]-$3}" "$start${5-}$key${after[$name]-}")
			# the wheel may move by several rows
			[ "$now" = "${first:=$now}" ] || [[ $key = '<Wheel'* && $now != "$was" ]] || differ+="$name $key; "
		done
		[ "$first" != "$was" ] || idle+=" $name"
		text+="$name: $(changed "$was" "$first" | sed 's/  */ /g')"$'\n'
	done < <(commands "$3" "$4" "$2")
	ok "$([ -n "$text" ]; echo $?)" "$1: help lists its keys"
	is "$differ" '' "$1: all keys of a command do the same"
	is "$idle" "${idle_as_they_should-}" "$1: each key does something"
	golden "tui/keys-$1" "${text%$'\n'}"
	file=() before=() after=()
}

view=events
before=([why]='/sched_waking<Enter>' [fields-down]='j<Enter>' [fields-up]='j<Enter>]]')
file=([next-lost]=peer/lost.dat [previous-lost]=peer/lost.dat) before[previous-lost]=G after=([go]='50%<Enter>')
plays events events: 6.12-events.dat 'll<PgDn><PgDn>jj'

view=graph
before=([unfold]='jj<Enter>' [unfold-below]=jj_ [caller]=jjl [previous-call]=jjc [unfocus]=jjz [page-up]='<PgDn><PgDn>')
after=([depth]='1<Enter>' [slowest-of]='sleep<Enter>' [hide-below]='10<Enter>' [task]='dd<Enter>')
plays graph graph: 6.12-fgraph.dat jj

view=timeline
before=([all-rows]=jd [fold]='4W+++++++++++' [calls]='4W+++++++++++' [next-lost]= [previous-lost]=Llll [pan-left]=++]]
	[next-event]=jjj++++++++ [previous-event]=jjj++++++++..)
file=([next-lost]=peer/lost.dat [previous-lost]=peer/lost.dat [fold]=6.12-fgraph.dat [calls]=6.12-fgraph.dat)
plays timeline timeline: 6.12-events.dat '++jjjllll'

view=latency
before=([leave]='jj<Enter>' [page-up]='<PgDn>' [wakeup]=s [tracer]=w [report]=)
file=([irq]=armhf-events.dat [block]=blk.dat [calls]=6.12-fgraph.dat [tracer]=6.12-rt-osnoise.dat
      [report]=6.12-rt-wakeup.dat)
after=([pair]='sched_waking sched_switch pid=next_pid<Enter>')
plays latency latency: 6.12-events.dat jj

view=flame
before=([zoom-out]='jj<Enter>' [whole]='jj<Enter>' [left]=jl [calls]=o [stacks]=o)
file=([stacks]=6.12-stacks.dat [wakeups]=6.12-stacks.dat)
plays flame flame: 6.12-fgraph.dat jj

view=info
before=([page-up]='<PgDn><PgDn>')
plays info info: 6.12-events.dat jj

view=events
before=([left]='/nanosleep<Enter>2Ql' [fold]='/nanosleep<Enter>2Q')
plays why why: 6.12-fgraph.dat '/nanosleep<Enter>2Qjj'

before=([next]='/waking<Enter>' [previous]='/waking<Enter>n' [filters]='fsched_switch<Enter>' [marks]=jA
	[toggle]='fsched_switch<Enter>' [unfilter]='fsched_switch<Enter>' [go-mark]=jAG [back]=jG [forward]='jG<Ctrl-O>'
	[view-1]=2)
after=([search]='waking<Enter>' [filter]='sched_switch<Enter>' [hide]='sched_switch<Enter>' [mark]='x a note<Enter>'
       [go-mark]='A<Enter>' [command]='view info<Enter>')
file=([only-function]=6.12-function.dat [hide-function]=6.12-function.dat)
idle_as_they_should=' pane repaint suspend quit' plays all 'in all' 6.12-events.dat j

four='<Ctrl-W>s<Ctrl-W>v'
before=([pane-down]=$four'<Ctrl-W>k' [pane-right]=$four'<Ctrl-W>h' [equal]=$four'<Ctrl-W>>')
plays panes panes: 6.12-fgraph.dat "$four" '<Ctrl-W>'
done_testing
