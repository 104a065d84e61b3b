#!/bin/bash
# restore.t - make a file from the remains of a killed trace-cmd, or from the metadata of a machine
. tests/kt_test.sh
. tests/kt_fake.sh

# The data of each CPU from an uncompressed file, as trace-cmd's readers write it
whole=tests/data/6.12-v6.dat
nr=0
while read -r offset size _; do
	tail -c +$((offset + 1)) $whole | head -c "$size" >"$KT_TMP/trace.dat.cpu$nr"
	nr=$((nr + 1))
done < <("$KTRAIL" dump -i $whole --flyrecord | grep 'size of cpu')
[ "$nr" -gt 0 ]
ok $? "there are per-CPU files" || done_testing

run "$KTRAIL" restore -i $whole -o "$KT_TMP/i.dat" "$KT_TMP"/trace.dat.cpu*
is "$status:$err" "0:" "restore -i joins data and metadata"
"$KTRAIL" report $whole 2>/dev/null | grep -v '^cpus=' >"$KT_TMP/want"
"$KTRAIL" report "$KT_TMP/i.dat" 2>/dev/null | grep -v '^cpus=' >"$KT_TMP/got"
same "$KT_TMP/got" "$KT_TMP/want" "and the report is the same as for the whole file"

# ---- a file truncated within a chunk, as on a full disk ----
# restored IN SIZE WHAT: the restored file has the same report as the first SIZE bytes
restored() {
	head -c "$2" "$1" >"$KT_TMP/cut.dat"
	"$KTRAIL" report "$KT_TMP/cut.dat" >"$KT_TMP/want" 2>/dev/null
	[ "$(wc -l <"$KT_TMP/want")" -gt 2 ]
	ok $? "$3: report reads the beginning"
	run "$KTRAIL" restore -f "$KT_TMP/cut.dat"
	is "$status" 0 "$3: it is restored"
	"$KTRAIL" report "$KT_TMP/cut.dat" >"$KT_TMP/got" 2>"$KT_TMP/err"
	is "$?:$(cat "$KT_TMP/err")" "0:" "$3: into a file without damage"
	same "$KT_TMP/got" "$KT_TMP/want" "$3: that has the same records"
}
"$KTRAIL" convert --compression zlib -i tests/data/6.12-stacks.dat -o "$KT_TMP/zlib.dat"
"$KTRAIL" convert --compression none -i tests/data/6.12-stacks.dat -o "$KT_TMP/none.dat"
# Truncated in the data of the last CPU, not at the end of a sub-buffer
for method in zlib none; do
	where=$("$KTRAIL" dump -i "$KT_TMP/$method.dat" --flyrecord | grep 'data offset and size' | tail -1)
	read -r _ offset size _ <<<"$where"
	restored "$KT_TMP/$method.dat" $((offset + size * 2 / 3 + 77)) "cut: $method"
done

# ---- -c, -t, -k: on a copied tracefs ----
fake_tracefs
unset KTRAIL_TRACEFS
for f in header_page header_event; do
	put "events/$f" "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;"
done
put saved_cmdlines '77 somebody'
echo 'ffffffff81000000 T of_there' >"$KT_TMP/kallsyms"
cp tests/data/6.12-events.dat "$KT_TMP/one.parts"
run "$KTRAIL" restore -o "$KT_TMP/whole.dat" "$KT_TMP/one.parts"
is "$status" 0 "a file with the name of a part can be an ordinary file"
run "$KTRAIL" restore -o "$KT_TMP/x.dat" "$KT_TMP/one.parts" "$KT_TMP/two.parts"
like "$status:$err" "^2:.*one file at a time" "two are too many"
run "$KTRAIL" restore -c -t "$FAKE" -k "$KT_TMP/kallsyms" -o "$KT_TMP/partial.dat"
is "$status:$err" "0:" "restore -c works on a copy of another machine's tracefs"
run "$KTRAIL" dump -i "$KT_TMP/partial.dat" --all
like "$out" 'name: sched_wakeup' "it has the formats of all events"
like "$out" 'of_there' "the symbols of -k"
like "$out" 'somebody' "the names of tasks"
run "$KTRAIL" restore -i "$KT_TMP/partial.dat" -o "$KT_TMP/ours.dat" "$KT_TMP"/trace.dat.cpu*
is "$status:$err" "0:" "data can be added to it"
run "$KTRAIL" report --stat "$KT_TMP/ours.dat"
is "$status" 0 "and reported"
run "$KTRAIL" restore -t "$FAKE" -k "$KT_TMP/kallsyms" -o "$KT_TMP/direct.dat" "$KT_TMP"/trace.dat.cpu*
is "$status:$err" "0:" "without -i, data and -t are joined in one step"
same <("$KTRAIL" report "$KT_TMP/direct.dat" 2>&1) <("$KTRAIL" report "$KT_TMP/ours.dat" 2>&1) "with the same result"
[ ! -e "$KT_TMP/direct.dat.partial" ]
ok $? "and nothing left beside it"

(cd "$KT_TMP" && "$KTRAIL" restore -c -t "$FAKE" -k kallsyms >/dev/null)
[ -s "$KT_TMP/trace-partial.dat" ]
ok $? "without -o it is trace-partial.dat"

run "$KTRAIL" restore -c -t "$KT_TMP/none" -o "$KT_TMP/x.dat"
like "$status:$err" "^1:.*cannot read $KT_TMP/none/events/header_page" "a folder that is not a tracefs"
[ ! -e "$KT_TMP/x.dat" ]
ok $? "… leaves no file"
run "$KTRAIL" restore -c -t "$FAKE" -k "$KT_TMP/none" -o "$KT_TMP/x.dat"
like "$status:$err" "^1:.*cannot read $KT_TMP/none" "a missing file of symbols"
run "$KTRAIL" restore -c "$KT_TMP/trace.dat.cpu0"
like "$status:$err" "^2:.*-c takes no other file" "-c and data"
run "$KTRAIL" restore -t "$FAKE" $whole
like "$status:$err" "^2:.*-t and -k need -c" "-t and a whole file"
head -c 8192 /dev/zero | tr '\0' x >"$KT_TMP/text"
run "$KTRAIL" restore -o "$KT_TMP/x.dat" "$KT_TMP/text"
like "$status:$err" "^1:.*not a trace.dat" "a file that is neither a trace nor sub-buffers"
done_testing
