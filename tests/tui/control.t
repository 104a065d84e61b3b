#!/bin/bash
# control.t - the view of settings: keys in, screens and writes out, on a folder like tracefs
. tests/kt_test.sh
. tests/kt_fake.sh
# shellcheck disable=SC2154

export XDG_CACHE_HOME=$KT_TMP/cache TMPDIR=$KT_TMP/temp
mkdir -p "$TMPDIR"

# A file keeps what is written to it, so each screen has a fresh folder
begin() {
	fake_tracefs
	put events/header_page '\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;'
	put events/header_event '# compressed entry header'
}

# What a file of the kernel and a plain one show alike
state() {
	(cd "$FAKE" && head -v events/*/*/enable options/* tracing_on current_tracer buffer_size_kb)
}
begin
before=$(state)

# screen NAME SIZE KEYS [OPTION…]: as in tests/golden/tui/NAME.screen, but for what names folders
screen() {
	begin
	run "$KTRAIL" view --live --print control --size "$2" --keys "$3" "${@:4}"
	[ "$status" = 0 ] || note "$err"
	golden "tui/$1.screen" "$(sed -e 1d -e '/not recorded/d' "$KT_TMP/out")"
	is "$(state)" "$before" "$1: all is put back"
}

# shows KEYS TEXT NAME
shows() {
	begin
	run "$KTRAIL" view --live --print control --size 110x30 --keys "$1"
	like "$(cat "$KT_TMP/out")" "$2" "$3"
}

to_switch='jjjj<Enter>jj<Enter>j'
screen control           80x24 ''
screen control-events    80x24 "$to_switch<Space>jk"
screen control-filter    80x24 "${to_switch}fprev_pid == 1<Enter>"
screen control-refused   100x24 "${to_switch}fprev_pig == 1<Enter>"
screen control-trigger   80x24 "${to_switch}ttraceoff:5<Enter>"
screen control-tracers   80x24 'j<Enter>jj<Space>'
screen control-clocks    80x24 'jj<Enter>jjj<Space>'
screen control-search    80x24 '/wak'
screen control-found     80x24 '/vfs<Enter><Space>j<Space><Esc>'
screen control-options   80x24 'jjjjj<Enter>jj<Space>'
screen control-size      80x24 'jjj<Enter><Ctrl-U>8M<Enter>'
screen control-writes    80x24 "${to_switch}<Space>j<Space>w"
screen control-narrow    40x12 "$to_switch"
screen control-ascii     80x24 "$to_switch<Space>" --ascii
screen control-tiny      20x5  "$to_switch"

shows 'jjjj<Space>'                'too many'                   "all events at once are refused"
shows "${to_switch}<Space>R"       '\[ \] sched_switch'         "R puts back"
shows '/zzz'                       'no setting has these'       "a search without a match says so"
shows '/wakeup<Enter><Esc>'        '\[ \] sched_wakeup'         "Esc leads to what was found"
shows '/vfs<Esc>'                  'SETTING'                    "Esc while typing leaves the search"
shows 'avfs_*<Enter>'              "echo 'vfs_\\*' >> set_ftrace_filter" "functions are added by a pattern"
shows 'G/vfs<Enter><Space>'        'echo vfs_[a-z]+ >> set_graph_notrace' "functions are added to the list that was selected"
shows 'Gkavfs_*<Enter>'            "echo 'vfs_\\*' >> set_graph_function" "by a pattern, too"
shows 'anonsense<Enter>'           'nonsense'                   "one that fits none is told"
shows 'jjjD'                       'does nothing here'          "keys that mean nothing are said"
shows '?'                          'what is traced, and what else' "help"
shows ':save<Enter>'               'save to which file'         ":save needs a file"
shows ":save $KT_TMP/saved.dat<Enter>" 'is saved'               "what is held is saved, even nothing"
shows ":save $KT_TMP/saved.dat<Enter>" 'exists already'         "and never over a file"
shows ":save! $KT_TMP/saved.dat<Enter>" 'is saved'              "but by force"
shows ':event-filter x<Enter>'     'are those of events|no text'  "a filter wants an event"
run "$KTRAIL" report -i "$KT_TMP/saved.dat"
is "$status" 0 "what was saved is a trace"

is "$(find "$TMPDIR" "$KTRAIL_JOURNAL_DIR" -type f 2>/dev/null)" "" "nothing is left, no journal either"
run "$KTRAIL" view --live --print control --keys "$to_switch<Space>:keep<Enter>"
is "$(get events/sched/sched_switch/enable)" 1 ":keep leaves what was set"

begin
rm "$FAKE/available_filter_functions" "$FAKE/set_ftrace_filter"
run "$KTRAIL" view --live --print control
like "$(cat "$KT_TMP/out")" 'functions +this kernel cannot trace functions' "what the kernel does not have is said"
unlike "$(cat "$KT_TMP/out")" '✗' "and is not an error"

fake_instance mine
put instances/mine/events/irq/irq_handler_entry/enable 1
run "$KTRAIL" view --live -B mine --print control --keys 'jjjj<Enter>j<Space>'
like "$(cat "$KT_TMP/out")" 'echo 1 > instances/mine/events/irq/enable' "an instance of its own"
run "$KTRAIL" view --live -B none --print control
is "$status" 1 "an instance that does not exist"
like "$err" "none" "is named"
run "$KTRAIL" view -B mine x.dat
is "$status" 2 "-B is of --live"
run "$KTRAIL" view --live x.dat
is "$status" 2 "--live has no file"
KTRAIL_TRACEFS=$KT_TMP/nowhere run "$KTRAIL" view --live --print control
is "$status" 1 "without tracefs"
like "$err" 'tracefs|nowhere' "the message says so"

# Any key, any size: no crash, and all is put back
begin
bad=0
RANDOM=5
keys=(j k l h g G r R w t T f a / x q '<Enter>' '<Space>' '<Esc>' '<Tab>' 1 2 3 4 5 6 7 '<Ctrl-S>' '?' : y '<Backspace>' '<Down>' '<Up>')
for size in 1x1 10x4 80x24 200x60; do
	for _ in 1 2 3 4 5; do
		typed=
		for _ in {1..60}; do typed+=${keys[RANDOM % ${#keys[@]}]}; done
		"$KTRAIL" view --live --print control --size $size --keys "$typed" >"$KT_TMP/out" 2>"$KT_TMP/err"
		[ $? -le 1 ] && ! grep -q '[[:cntrl:]]' <(tr -d '\n' <"$KT_TMP/out") ||
			{ bad=1; note "$size $typed: $(head -3 "$KT_TMP/err")"; }
	done
done
ok $bad "random keys in four sizes"
is "$(state)" "$before" "all is as it was after these, too"
done_testing
