#!/bin/bash
# slow.t - view --live answers keys while the kernel's files are slow to read
. tests/kt_test.sh
. tests/kt_fake.sh
# shellcheck disable=SC2154

command -v tmux >/dev/null || skip_all "no tmux"
command -v setpriv >/dev/null || skip_all "no setpriv"
export XDG_CACHE_HOME=$KT_TMP/cache XDG_CONFIG_HOME=$KT_TMP/config TMPDIR=$KT_TMP/temp
mkdir -p "$TMPDIR"
fake_tracefs
put events/header_page '\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;'
put events/header_event '# compressed entry header'
put per_cpu/cpu0/trace_pipe_raw ''
put per_cpu/cpu1/trace_pipe_raw ''
truncate -s 0 "$FAKE"/per_cpu/cpu?/trace_pipe_raw

# A thread that opens one of these waits until feed has written to it.
names=$FAKE/saved_cmdlines format=$FAKE/events/irq/irq_handler_entry/format
cp "$format" "$KT_TMP/format"
echo '1 init' >"$KT_TMP/names"
rm "$format"
mkfifo "$names" "$format"
feed() { timeout 10 bash -c 'cat "$1" >"$2"' - "$KT_TMP/$1" "$2"; }
# answers NAME: two keys, each with another screen
answers() {
	types '?'
	sees 'what happened around here' "$1: a key is answered"
	types Escape
	sees '@ go to' "$1: and the next one"
}

. tests/kt_tmux.sh
mux new-session -d -s t -x 80 -y 24 "env LC_ALL=C.UTF-8 TERM=screen-256color PS1='ready> ' bash --norc --noprofile"
waits 'ready>'
types "clear; '$KTRAIL' view --live --view events; echo status \$?" Enter
sees 'live . 0 events' "the first screen"
answers "during the first sync"
feed names "$names"
ok $? "which was waiting for the names of tasks"
answers "while formats are loaded"
feed format "$format"
ok $? "which was waiting for a format"
types q
(while :; do feed names "$names"; done) 2>/dev/null &
feeder=$!
sees 'status 0' "q ends it"
kill $feeder
done_testing
