# tutorial.sh - the commands of "My build stutters: what causes it?", as a reader types them
# tests/vm/examples.t provides tests/tutorial and tests/stutter.md
# shellcheck shell=bash
. tests/proof.sh

ktrail state save "$KT_TMP/before.state"
here=$PWD
cd "$KT_TMP" || exit 1
timeout -k 10 300 bash "$here/tests/tutorial" "$here/tests/stutter.md" >page 2>log
is $? 0 "the page can be followed to its end"
while read -r code command; do
	is "$code" 0 "$command"
done <log
like "$(<page)" ' indexd:[0-9]+ ran there' "the culprit is named"
like "$(<page)" 'SCHED_FIFO' "and its priority"

# computed FILE: the time that indexd had a CPU, ns. The time that it waited is unknown if it waits
# from the beginning to the end.
computed() {
	ktrail sched latency --json --comm indexd "$1" | sed -n 's/.*"runtime": *\([0-9]*\).*/\1/p'
}
longest=$(ktrail latency --json -k preempted --comm build,seq,sort,md5sum --top 1 build.dat |
	sed -n 's/.*"max": *\([0-9]*\).*/\1/p')
[ "$longest" -gt 15000000 ]
ok $? "the build waits for it" || note "$longest"
before=$(computed build.dat) after=$(computed after.dat)
[ "${after:-0}" -lt "$((before / 3))" ]
ok $? "and then it waits for the build" || note "$before $after"
cd "$here" || exit 1
ktrail state restore "$KT_TMP/before.state"
as_before "the tutorial leaves nothing behind"
done_testing
