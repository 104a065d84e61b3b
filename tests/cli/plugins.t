#!/bin/bash
# plugins.t - the folders of plugins, and the handling of bad ones
. tests/kt_test.sh
data=tests/data/peer/events-irqs.dat
read -ra cc <<<"${CC:-cc}"	# "ccache gcc", too
export HOME=$KT_TMP/home KTRAIL_PLUGIN_DIR=$KT_TMP/plugins
user=$HOME/.local/lib/ktrail/plugins
mkdir -p "$KTRAIL_PLUGIN_DIR" "$user"
chmod 755 "$KTRAIL_PLUGIN_DIR" "$user"

# make_plugin FILE MEMBERS [MORE]: a plugin for sched_switch; MORE comes first
make_plugin() {
	{
		echo '#include <ktrail/plugin.h>'
		echo 'static const char *const events[] = { "sched/sched_switch", NULL };'
		echo 'static const struct kt_phrase hello[] = { { "sched/sched_switch", "hello {next_pid}" }, { NULL, NULL } };'
		echo '#define ARGS void *self, const struct kt_host *host, const struct kt_record *rec, struct kt_out *out'
		echo "${3:-}"
		echo "KT_PLUGIN(.events = events, $2);"
	} >"$KT_TMP/plugin.c"
	(umask 022; "${cc[@]}" -shared -fPIC -Ilib/include -o "$1" "$KT_TMP/plugin.c") && chmod 755 "$1"
}

"${cc[@]}" --version >/dev/null 2>&1 || skip_all "no compiler here"
make_plugin "$KT_TMP/plugins/hello.so" '.name = "hello", .summary = "says hello", .phrases = hello'

# says NAME EXPECTED [ARGS…]: the text of the first sched_switch is EXPECTED
says() {
	local name=$1 want=$2
	shift 2
	run "$KTRAIL" report -F sched_switch "$@" "$data"
	is "$(sed -n '2s/.*sched_switch: *//p' <<<"$out")" "$want" "$name"
}
plain='trace-cmd:149 [120] S ==> trace-cmd:151 [120]'

says "the default text needs no plugin" "$plain"
says "--pretty asks plugins" "hello 151" --pretty
says "--plugin NAME does too" "hello 151" --plugin hello
says "--no-plugin leaves one out" "$plain" --pretty --no-plugin hello
says "-N leaves all out" "$(sed -n '2s/.*sched_switch: *//p' <<<"$("$KTRAIL" report -N -F sched_switch $data)")" -N --pretty
run "$KTRAIL" report --plugin nope "$data"
like "$err" "no plugin 'nope'" "an unknown name is an error"
run "$KTRAIL" report --no-plugin hallo "$data"
is "$status $(head -1 <<<"$err")" "2 ktrail report: no plugin 'hallo', did you mean 'hello'?" "with a suggestion"
run "$KTRAIL" report --plugin "$KT_TMP/nope.so" "$data"
like "$err" "no plugin .*nope.so: No such file" "so is a missing path"
run env -C "$KT_TMP/plugins" KTRAIL_PLUGIN_DIR=. HOME=. "$KTRAIL" report --pretty -F sched_switch "$PWD/$data"
like "$out" 'sched_switch: ' "a report in a folder with plugins works"
unlike "$out" hello "but does not use that folder"

# the user's folder, and its permissions
make_plugin "$user/mine.so" '.name = "mine", .summary = "", .phrases = hello'
says "the user's folder is searched" "hello 151" --plugin mine
SUDO_UID=1000 run "$KTRAIL" report --plugin mine "$data"
if [ "$(id -u)" = 0 ]; then
	like "$err" "no plugin 'mine'" "but not for root through sudo"
else
	skip "not for root through sudo" "not root"
fi
# links: their targets count
store=$KT_TMP/store
mkdir -m 755 "$store"
mv "$user/mine.so" "$store/" && ln -s "$store/mine.so" "$user/mine.so"
says "a link to a safe file is followed" "hello 151" --plugin mine
chmod 777 "$store"
run "$KTRAIL" report --plugin "$user/mine.so" "$data"
like "$err" "refused: .*/store is writable by everybody" "a link into a folder that all can write to is not"
chmod 755 "$store"
chmod 666 "$store/mine.so"
run "$KTRAIL" report --plugin "$user/mine.so" "$data"
like "$err" "refused: .*/store/mine.so is writable by" "nor one to a file that all can write to"
chmod 755 "$store/mine.so"
rm "$user/mine.so" && mv "$store/mine.so" "$user/"
for mode in 777 775 1777; do
	chmod $mode "$HOME/.local/lib"
	run "$KTRAIL" report --plugin "$user/mine.so" -F sched_switch "$data"
	if [ $mode = 1777 ]; then
		is "$status" 0 "a sticky parent folder is as safe as one's own"
	else
		like "$err" "refused: .*/.local/lib is writable by" "a parent folder with mode $mode is refused"
	fi
done
chmod 755 "$HOME/.local/lib"
mkfifo "$KT_TMP/fifo.so"
run timeout 60 "$KTRAIL" report --plugin "$KT_TMP/fifo.so" "$data"
like "$err" "fifo.so is not a file" "a FIFO is refused without waiting"
if [ "$(id -u)" = 0 ]; then
	chown 65534 "$user/mine.so"
	run "$KTRAIL" report --plugin "$user/mine.so" "$data"
	like "$err" "refused: .*mine.so belongs to another user" "a file of another user is refused"
	chown 0 "$user/mine.so"
	chown 65534 "$user"
	run "$KTRAIL" report --plugin "$user/mine.so" "$data"
	like "$err" "refused: .*/plugins belongs to another user" "and one in his folder"
	chown 0 "$user"
	chown 65534 "$HOME"
	run "$KTRAIL" report --plugin "$user/mine.so" "$data"
	like "$err" "refused: .*/home belongs to another user" "and one below his folder"
	run "$KTRAIL" list -P
	like "$out" "mine +no +refused: .*/home belongs to another user" "list -P shows that, too"
	chown 0 "$HOME"
	run env SUDO_UID=1000 "$KTRAIL" list -P
	unlike "$out" "mine " "root through sudo does not search the user's folder"
else
	for i in 1 2 3 4 5; do skip "files of another user ($i)" "not root"; done
fi

for mode in 775 757; do
	chmod $mode "$user/mine.so"
	says "a file with mode $mode is not loaded" "$plain" --pretty --no-plugin hello
	run "$KTRAIL" report --plugin "$user/mine.so" "$data"
	like "$err" "refused: .*mine.so is writable by" "and refused when given by path"
	chmod 755 "$user/mine.so"
	chmod $mode "$user"
	says "nor one in a folder with mode $mode" "$plain" --pretty --no-plugin hello
	chmod 755 "$user"
done

# bad plugins: the plain text, and one warning
make_plugin "$KT_TMP/plugins/a.so" '.name = "a", .summary = "", .format = format' \
	'static int format(ARGS) { host->print(out, "half a"); return -5; }'
says "what fails gives way to the plain text" "$plain" --plugin a
is "$err" "ktrail report: plugin a failed for sched/sched_switch (Input/output error): plain text instead" \
	"and is named once"
make_plugin "$KT_TMP/plugins/a.so" '.name = "a", .summary = "", .format = format' \
	'static int format(ARGS) { int i; for (i = 0; i < 100; i++) host->print(out, "%1000s", ""); return 0; }'
says "what prints too much does" "$plain" --plugin a
like "$err" "it printed more than 4 KiB" "and is named"
make_plugin "$KT_TMP/plugins/a.so" '.name = "a", .summary = "", .phrases = bad' \
	'static const struct kt_phrase bad[] = { { "sched/sched_switch", "{next_pid|nope}" }, { NULL, NULL } };'
says "a broken phrase does" "$plain" --plugin a
like "$err" "one of its phrases is invalid" "and is named"
make_plugin "$KT_TMP/plugins/a.so" '.name = "a", .summary = "", .phrases = other' \
	'static const struct kt_phrase other[] = { { "sched/sched_switch", "{nope}" }, { "sched/sched_switch", "{next_prio}" }, { NULL, NULL } };'
says "a phrase for another kernel's fields is passed over" 120 --plugin a
is "$err" "" "silently"
rm "$KT_TMP/plugins/a.so"

# the shipped plugin that prints no text
run "$KTRAIL" report --plugin "$PWD/$B/plugins/null.so" --plugin null -F sched_switch "$data"
like "$out" "$(sed 's/[][]/\\&/g' <<<"$plain")" "null does not change any text"

# files that are not plugins, or have another ABI
echo 'int nothing;' >"$KT_TMP/no.c"
"${cc[@]}" -shared -fPIC -o "$KT_TMP/no.so" "$KT_TMP/no.c" && chmod 755 "$KT_TMP/no.so"
run "$KTRAIL" report --plugin "$KT_TMP/no.so" "$data"
like "$err" "it has no symbol kt_plugin" "a library without the symbol is not a plugin"
echo text >"$KT_TMP/text.so" && chmod 755 "$KT_TMP/text.so"
run "$KTRAIL" report --plugin "$KT_TMP/text.so" "$data"
like "$err" "cannot load plugin" "nor is a text"
make_plugin "$KT_TMP/abi.so" '.name = "abi", .summary = ""' '#undef KT_PLUGIN_ABI
#define KT_PLUGIN_ABI 99'
run "$KTRAIL" report --plugin "$KT_TMP/abi.so" "$data"
like "$err" "made for plugin ABI 99, this is 1" "another ABI is refused"

# the size shows which members a plugin has
make_plugin "$KT_TMP/plugins/a.so" '.name = "a", .summary = "", .phrases = hello, .size = offsetof(struct kt_plugin, phrases)'
says "members that an older plugin lacks are not looked at" "$plain" --plugin a
make_plugin "$KT_TMP/plugins/a.so" '.name = "a", .summary = "", .phrases = hello, .size = sizeof(struct kt_plugin) + 64'
says "one that is newer, but of this ABI, is used" "hello 151" --plugin a
make_plugin "$KT_TMP/plugins/a.so" '.name = "a", .summary = "", .phrases = hello, .size = 8'
run "$KTRAIL" report --plugin "$KT_TMP/plugins/a.so" "$data"
like "$err" "its description has 8 bytes, at least [0-9]+ are needed" "a plugin with too small a size is refused"
rm "$KT_TMP/plugins/a.so"

# options
make_plugin "$KT_TMP/plugins/opt.so" '.name = "opt", .summary = "", .format = format, .options = options' \
	'static const struct kt_plugin_option options[] = { { "word", "none", "the word to say" }, { NULL, NULL, NULL } };
	static int format(ARGS) { host->print(out, "%s", host->option(host, "word")); return 0; }'
says "options have a default" none --plugin opt
says "and can be set" yes --plugin opt -O opt:word=yes
says "without the plugin's name too" yes --plugin opt -O word=yes
says "and switched off" 0 --plugin opt -O noword
run "$KTRAIL" report -O unheard_of=1 "$data"
like "$err" "no plugin has the option 'unheard_of=1', only: .*word" "an unknown option is an error that lists the options"
run "$KTRAIL" report --plugin nothing_like_it "$data"
like "$err" "no plugin 'nothing_like_it', only: .*opt" "so is a plugin"
run "$KTRAIL" report -O opt:wrd=1 "$data"
is "$(head -1 <<<"$err")" "ktrail report: no plugin has the option 'opt:wrd=1', did you mean 'opt:word'?" \
	"with a suggestion"
run "$KTRAIL" report -O tailprnt "$data"
like "$err" "did you mean 'tailprint'" "including the built-in ones"
run "$KTRAIL" options
like "$out" "opt:word *none *the word to say" "ktrail options lists them"

# options of libtraceevent's plugins
if [ -e /usr/include/traceevent/event-parse.h ]; then
	mkdir -m 755 "$KT_TMP/tep"
	cat >"$KT_TMP/tep.c" <<-'END'
		#include <traceevent/event-parse.h>
		#include <traceevent/trace-seq.h>
		#ifndef TEP_PLUGIN_OPTIONS	/* 1.9 */
		#define TEP_PLUGIN_OPTIONS tep_plugin_options
		#endif
		struct tep_plugin_option TEP_PLUGIN_OPTIONS[] = {
			{ .name = "loud", .plugin_alias = "tepopt", .description = "" },
			{ .name = "word", .plugin_alias = "tepopt", .description = "", .value = "quiet" },
			{ .name = NULL } };
		static int handler(struct trace_seq *s, struct tep_record *r, struct tep_event *e, void *c)
		{
			trace_seq_printf(s, "%s%s", TEP_PLUGIN_OPTIONS[1].value, TEP_PLUGIN_OPTIONS[0].set ? "!" : "");
			return 0;
		}
		int TEP_PLUGIN_LOADER(struct tep_handle *t)
		{
			return tep_register_event_handler(t, -1, "sched", "sched_switch", handler, NULL);
		}
	END
	(umask 022; "${cc[@]}" -shared -fPIC -I/usr/include/traceevent -o "$KT_TMP/tep/tepopt.so" "$KT_TMP/tep.c")
	chmod 755 "$KT_TMP/tep/tepopt.so"
	export TRACEEVENT_PLUGIN_DIR=$KT_TMP/tep
	says "a plugin of libtraceevent has options, too" quiet
	says "-O sets them" "yes!" -O tepopt:word=yes -O loud
	says "-O switches them off" "quiet" -O tepopt:loud=0
	run "$KTRAIL" report -O tepopt:loud -F sched_switch "$data" tests/data/peer/lost.dat
	is "$(grep -o 'quiet.*' <<<"$out" | sort -u)" "quiet!" "a switch stays set for the second file"
	run "$KTRAIL" report -O tepopt:nope "$data"
	like "$err" "no plugin has the option 'tepopt:nope'" "an option that it does not have is an error"
	run "$KTRAIL" options
	like "$out" "tepopt:word +quiet" "ktrail options lists it"
	run "$KTRAIL" list -P
	like "$out" "tepopt.so +yes +of the user: plain text, before ktrail's own" "list -P says that it is loaded on request"
	run "$KTRAIL" list -P -N
	like "$out" "tepopt.so +no +left out by -N" "and when not"
	says "our plugins come before it in --pretty" "hello 151" --plugin hello
	chmod 777 "$KT_TMP/tep"
	says "it is not loaded from a folder of everybody" "$plain"
	run "$KTRAIL" list -P
	like "$out" "tepopt.so +no +refused: .*/tep is writable by everybody" "list -P shows that"
	chmod 755 "$KT_TMP/tep"
	says "nor when it is left out" "$("$KTRAIL" report -N -F sched_switch "$data" | sed -n '2s/.*sched_switch: *//p')" -N
	run "$KTRAIL" report -V "$data"
	like "$out" "registering plugin: $KT_TMP/tep/tepopt.so" "-V shows which are loaded"
	unset TRACEEVENT_PLUGIN_DIR
else
	skip "options of libtraceevent's plugins" "its headers are not installed"
fi

# ktrail list -P
mv "$KT_TMP/plugins/hello.so" "$KT_TMP/plugins/zhello.so"
make_plugin "$KT_TMP/plugins/hello.so" '.name = "hello", .summary = "the first", .phrases = hello'
chmod 775 "$KT_TMP/plugins/opt.so"
run "$KTRAIL" list -P
like "$out" "hello +yes +found in KTRAIL_PLUGIN_DIR +the first " "list -P shows the plugins in use, and why"
like "$out" "hello +no +[^ ]*/hello.so has priority +says hello " "the unused ones, and why"
like "$out" "opt +no +refused: [^ ]*/opt.so is writable by its group" "and the refused ones"
[[ $(head -2 <<<"$out") == *"the first"* ]]
ok $? "those that are used come first"
run "$KTRAIL" list -P --no-plugin hello
like "$out" "hello +no +excluded by the user" "--no-plugin is one reason"
run "$KTRAIL" list -P -N
like "$out" "no +left out by -N" "-N another"
unlike "$out" "hello " "… and then no folder is searched"
run "$KTRAIL" list -P --plugin "$user/mine.so" --plugin mine
like "$(sed -n 2p <<<"$out")" "mine +yes +given by the user" "a plugin given by its path comes first"
like "$out" "hello +no +not among those the user chose" "only chosen plugins are used if some are chosen"
run "$KTRAIL" list -P --plugin hallo
is "$status $(head -1 <<<"$err")" "2 ktrail list: no plugin 'hallo', did you mean 'hello'?" "a wrong name there is an error"
if [ -e /usr/lib/*/traceevent/plugins/plugin_function.so ]; then
	run "$KTRAIL" list -P
	like "$out" "plugin_function.so +no +ktrail's own formatter prints the same" "plugins of the library are listed with their replacement"
	like "$out" "plugin_jbd2.so +yes +plain text, where ktrail has nothing" "and with their purpose"
	run "$KTRAIL" list -P -L
	like "$out" "plugin_jbd2.so +no +left out by -L" "-L omits those of the system"
else
	for i in 1 2 3; do skip "the library's plugins ($i)" "there are none"; done
fi
run "$KTRAIL" list -P --json
like "$out" '"name": "hello", "path": "[^"]*/hello.so", "from": "KTRAIL_PLUGIN_DIR", "used": true' "as JSON, too"
rm "$KT_TMP/plugins/zhello.so"
chmod 755 "$KT_TMP/plugins/opt.so"

# columns
make_plugin "$KT_TMP/plugins/col.so" '.name = "col", .summary = "", .columns = columns, .column = column' \
	'static const struct kt_column columns[] = {
		{ "prio", "sched/sched_switch", KT_COLUMN_NUMBER, "next_prio", "of the next" },
		{ "diff", "sched/sched_*", KT_COLUMN_TIME_US, "next_prio-prev_pid", "nonsense" },
		{ "prio", "sched/sched_*", KT_COLUMN_BYTES, "next_pid", "comes second" },
		{ "self", "sched/sched_switch", KT_COLUMN_SECTORS, NULL, "asked for" },
		{ "addr", "sched/sched_switch", KT_COLUMN_ADDRESS, "next_pid", "" },
		{ "none", "sched/sched_switch", KT_COLUMN_NUMBER, "nope", "of another kernel" },
		{ NULL, NULL, 0, NULL, NULL } };
	static int column(void *self, const struct kt_host *host, const struct kt_record *rec, const char *name, uint64_t *value)
	{ uint64_t pid; if (host->field_u64(rec, "next_pid", &pid) < 0 || pid != 151) return -1; *value = name[0]; return 0; }'
run "$KTRAIL" report --plugin col --columns -F 'sched_switch: next_pid == 151' "$data"
is "$(sed -E 's/  +/|/g; s/^/=/' <<<"$out")" "=EVENT|COLUMN|COUNT|MIN|AVG|P50|P90|P99|MAX|TOTAL|MEANING
=sched/sched_switch|diff|2|-29.0 us|38.0 us|-28.7 us|104 us|104 us|105 us|76.0 us|nonsense
=sched/sched_switch|prio|2|120|120.0|120|120|120|120|-|of the next
=sched/sched_switch|self|2|57.5 KiB|57.5 KiB|57.5 KiB|57.5 KiB|57.5 KiB|57.5 KiB|115 KiB|asked for" \
	"--columns sums up the columns of plugins"
run "$KTRAIL" report --plugin col --json -F sched_switch "$data"
like "$(head -1 <<<"$out")" '"columns":\{"prio":120,"diff":-29000,"self":58880,"addr":"0x97"\}\}$' "--json shows it in each record"
like "$(sed -n 2p <<<"$out")" '"columns":\{"prio":[0-9]+,"diff":-?[0-9]+,"addr":"0x[0-9a-f]+"\}\}$' "… without those that the record lacks"
run "$KTRAIL" report --plugin hello --columns "$data"
is "$out" "no event with a column" "and a message if there is none"
run "$KTRAIL" report --plugin col --columns --json --time 0,1 "$data"
is "$out" '{
  "columns": []
}' "a window without records is an empty list"
make_plugin "$KT_TMP/plugins/col.so" '.name = "col", .summary = "", .columns = columns' \
	'static const struct kt_column columns[] = {
		{ "bad", "sched/sched_switch", KT_COLUMN_NUMBER, "next_prio:9", "" }, { NULL, NULL, 0, NULL, NULL } };'
run "$KTRAIL" report --plugin col --columns "$data"
like "$err" "plugin col failed for sched/sched_switch \(one of its columns is invalid\)" "a broken one is reported"
rm "$KT_TMP/plugins/col.so"

# of two plugins with one name, the first is used
make_plugin "$user/hello.so" '.name = "hello", .summary = "", .phrases = other' \
	'static const struct kt_phrase other[] = { { "sched/sched_switch", "other" }, { NULL, NULL } };'
says "of two with one name the first is used" "hello 151" --plugin hello
says "a path comes before all" "other" --plugin "$user/hello.so"

done_testing
