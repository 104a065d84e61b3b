#!/bin/bash
# control.t - the view of settings: keys in, screens and writes out, on a folder like tracefs
. tests/kt_test.sh
. tests/kt_fake.sh
# shellcheck disable=SC2154

export XDG_CACHE_HOME=$KT_TMP/cache TMPDIR=$KT_TMP/temp
mkdir -p "$TMPDIR"

# Files keep what was written, so each screen needs a new folder
begin() {
	fake_tracefs
	put events/header_page '\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;'
	put events/header_event '# compressed entry header'
}

# Keys that have the same effect on the kernel's files and on plain files
state() {
	(cd "$FAKE" && head -v events/*/*/enable options/* tracing_on current_tracer buffer_size_kb)
}
begin
before=$(state)

# screen NAME SIZE KEYS [OPTION…]: as in tests/golden/tui/NAME.screen, except for names of folders
screen() {
	begin
	run "$KTRAIL" view --live --print control --size "$2" --keys "$3" "${@:4}"
	[ "$status" = 0 ] || note "$err"
	golden "tui/$1.screen" "$(sed -e 1d -e '/not recorded/d' "$KT_TMP/out")"
	is "$(state)" "$before" "$1: all settings are restored"
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
shows "${to_switch}<Space>R"       '\[ \] sched_switch'         "R restores the settings"
shows '/zzz'                       'no setting has these'       "a search without a match is reported"
shows '/wakeup<Enter><Esc>'        '\[ \] sched_wakeup'         "Esc goes to the setting that was found"
shows '/vfs<Esc>'                  'SETTING'                    "Esc while typing leaves the search"
shows 'avfs_*<Enter>'              "echo 'vfs_\\*' >> set_ftrace_filter" "functions are added by a pattern"
shows 'G/vfs<Enter><Space>'        'echo vfs_[a-z]+ >> set_graph_notrace' "functions are added to the selected list"
shows 'Gkavfs_*<Enter>'            "echo 'vfs_\\*' >> set_graph_function" "by a pattern, too"
shows 'anonsense<Enter>'           'nonsense'                   "a pattern without a match is reported"
shows 'jjjD'                       'does nothing here'          "keys without a meaning are reported"
shows '?'                          'what is traced, and what else' "help"
shows ':save<Enter>'               'save to which file'         ":save needs a file"
shows ":save $KT_TMP/saved.dat<Enter>" 'is saved'               "the recorded events are saved, even none"
shows ":save $KT_TMP/saved.dat<Enter>" 'exists already'         "and never replace a file"
shows ":save! $KT_TMP/saved.dat<Enter>" 'is saved'              "except with '!'"
shows ':event-filter x<Enter>'     'only events have filters|no text'  "a filter needs an event"
run "$KTRAIL" report -i "$KT_TMP/saved.dat"
is "$status" 0 "the saved file is a trace"

is "$(find "$TMPDIR" "$KTRAIL_JOURNAL_DIR" -type f 2>/dev/null)" "" "nothing is left, and no journal"
run "$KTRAIL" view --live --print control --keys "$to_switch<Space>:keep<Enter>"
is "$(get events/sched/sched_switch/enable)" 1 ":keep keeps the settings"

begin
rm "$FAKE/available_filter_functions" "$FAKE/set_ftrace_filter"
run "$KTRAIL" view --live --print control
like "$(cat "$KT_TMP/out")" 'functions +this kernel cannot trace functions' "a missing feature of the kernel is reported"
unlike "$(cat "$KT_TMP/out")" '✗' "and is not an error"

fake_instance mine
cp "$FAKE"/events/header_* "$FAKE/instances/mine/events/"
put instances/mine/events/irq/irq_handler_entry/enable 1
run "$KTRAIL" view --live -B mine --print control --keys 'jjjj<Enter>j<Space>'
like "$(cat "$KT_TMP/out")" 'echo 1 > instances/mine/events/irq/enable' "a separate instance"
run "$KTRAIL" view --live -B none --print control
is "$status" 1 "an instance that does not exist"
like "$err" "none" "is reported"
# a user whose group may read one instance, and nothing else of tracefs
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	bare=$(mktemp -d /tmp/ktrail-control.XXXXXX)
	trap 'rm -rf "$bare"' EXIT
	cp "$KTRAIL" "$bare/ktrail"
	cp -r "$FAKE" "$bare/tracefs"
	mkdir "$bare/home"
	chown 65534 "$bare/home"
	chmod -R go-rwx "$bare/tracefs"
	chmod 711 "$bare" "$bare/tracefs" "$bare/tracefs/instances"
	chgrp -R 65534 "$bare/tracefs/instances/mine"
	chmod -R g+rX "$bare/tracefs/instances/mine"
	as_member() {
		run setpriv --reuid=65534 --regid=65534 --clear-groups env -u XDG_CACHE_HOME HOME="$bare/home" \
			TMPDIR="$bare/home" XDG_RUNTIME_DIR="$bare/home" KTRAIL_JOURNAL_DIR="$bare/home/journal" \
			KTRAIL_TRACEFS="$bare/tracefs" "$bare/ktrail" view --live --print control --size 100x30 "$@"
		out=$(cat "$KT_TMP/out")
	}
	as_member -B mine
	like "$out" 'buffer size +1408 KiB' "a member of the group of an instance sees its settings"
	like "$out" 'functions +cannot be read' "and which ones cannot be read"
	like "$out" 'not recorded: cannot open' "and why nothing is recorded"
	as_member -B mine --keys '<Space>'
	like "$out" 'refused: permission denied: run it as root.*or give a group access' "a change is refused"
	as_member
	like "$status:$err" '1:.*events/header_page: Permission denied' "the top-level buffer is not for them"
else
	skip "a member of the group of an instance" "needs root and setpriv"
fi
run "$KTRAIL" view -B mine x.dat
is "$status" 2 "-B is only for --live"
run "$KTRAIL" view --live x.dat
is "$status" 2 "--live accepts no file"
KTRAIL_TRACEFS=$KT_TMP/nowhere run "$KTRAIL" view --live --print control
is "$status" 1 "without tracefs"
like "$err" 'tracefs|nowhere' "there is a message"

# Random keys, any size: no crash, and all settings are restored
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
is "$(state)" "$before" "all settings are restored after these, too"
done_testing
