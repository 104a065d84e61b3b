# retval.sh - return values of functions: report's text compared with the kernel's for the same records
# shellcheck shell=bash disable=SC2154
. tests/proof.sh
ktrail doctor --json | grep -q '"return values", "state": "present"' || { skip "funcgraph-retval" "not in this kernel"; done_testing; }
mkdir -p "$HOME/.local/lib/ktrail/plugins"
cp tests/function_graph.so "$HOME/.local/lib/ktrail/plugins/"
# "function value" of each return, sorted; the kernel's text: "} /* f = 0x0 */" and "f(); /* = -2 */"
kernel_values() { sed -nE 's|.*\} /\* ([^ ]+) = ([^ ]+) \*/.*|\1 \2|p; s|.* ([^ ]+)\(\); /\* = ([^ ]+) \*/.*|\1 \2|p' | LC_ALL=C sort; }
# ours: "} /* f */ (ret=-2)" with tailprint, "f(); (ret=0x0)"
our_values() { sed -nE 's|.*\} /\* ([^ ]+) \*/ \(ret=([^ ]+)\).*|\1 \2|p; s|.* ([^ ]+)\(\); \(ret=([^ ]+)\).*|\1 \2|p' | LC_ALL=C sort; }
# ours with --pretty: "} /* f */ = -ENOENT", "f() = 0x0;"
pretty_values() {
	sed -nE 's|.*\} /\* ([^ ]+) \*/ = ([^ ]+).*|\1 \2|p; s|.* ([^ ]+)\(\) = ([^;]+);.*|\1 \2|p' |
		sed 's/-EPERM$/-1/; s/-ENOENT$/-2/; s/-EBADF$/-9/; s/-ECHILD$/-10/; s/-EAGAIN$/-11/; s/-ENOTDIR$/-20/; s/-ENOTTY$/-25/; s/-ESPIPE$/-29/' | LC_ALL=C sort
}

works start -p function_graph -O funcgraph-retval -l 'vfs_*' -l do_sys_openat2 -l do_filp_open -l '*permission' \
	sh -c '{ cat /no/such /proc/version; dd if=/dev/zero of=/tmp/f bs=4k count=2; ls /proc/self/fd; } >/dev/null 2>&1'
works stop
cat $T/trace >"$KT_TMP/kernel"
works set -O funcgraph-retval-hex
kernel_values <$T/trace >"$KT_TMP/kernel.hex"
works set -O nofuncgraph-retval-hex
kernel_values <"$KT_TMP/kernel" >"$KT_TMP/kernel.values"
[ "$(wc -l <"$KT_TMP/kernel.values")" -gt 20 ]
ok $? "the kernel records return values"
like "$(cat "$KT_TMP/kernel.values")" 'do_sys_openat2 -2' "errors among them"
works extract -q -o "$KT_TMP/r.dat"
ktrail report --pretty "$KT_TMP/r.dat" >"$KT_TMP/pretty"
pretty_values <"$KT_TMP/pretty" >"$KT_TMP/pretty.values"
same "$KT_TMP/pretty.values" "$KT_TMP/kernel.values" "--pretty has the same values"
# trace-cmd's layout prints 32-bit errors as numbers: convert them for the comparison
ktrail report -O fgraph:tailprint "$KT_TMP/r.dat" | our_values |
	sed -E 's/ (0xfffff[0-9a-f]{3}|-[0-9]+)$/ error/' | LC_ALL=C sort >"$KT_TMP/plain.values"
sed -E 's/ -[0-9]+$/ error/' "$KT_TMP/kernel.values" | LC_ALL=C sort >"$KT_TMP/kernel.errors"
same "$KT_TMP/plain.values" "$KT_TMP/kernel.errors" "so does the plain report"
note "$(head -3 "$KT_TMP/pretty")"

# Line by line, from the column of durations on. report prints a long call in two lines, where the kernel looks
# further ahead on its CPU and prints one: compare the ends of both.
ends() { sed -E '/\{$/d; s,\} /\* ([^ ]+) = ([^*]+) \*/,\1 = \2,; s,([^ ]+)\(\); /\* = ([^*]+) \*/,\1 = \2,' | LC_ALL=C sort; }
sed -nE 's/^ *[0-9]+\) (.{14,}\|  )/\1/p' "$KT_TMP/kernel" | ends >"$KT_TMP/kernel.text"
ktrail report --layout kernel "$KT_TMP/r.dat" | sed -nE 's/^.{16}-[0-9]+ +\[[0-9]+\] [^ ]+ +[0-9.]+: //p' |
	ends >"$KT_TMP/ours.text"
same "$KT_TMP/ours.text" "$KT_TMP/kernel.text" "--layout kernel is the kernel's text"

ktrail report -O fgraph:tailprint -O fgraph:retval-hex "$KT_TMP/r.dat" | our_values >"$KT_TMP/plain.hex"
same "$KT_TMP/plain.hex" "$KT_TMP/kernel.hex" "in hexadecimal, too"
works set -O nofuncgraph-retval
works reset
as_before

works record -q -o "$KT_TMP/s.dat" -p function_graph -O funcgraph-retval -g do_sys_openat2 --max-graph-depth 4 \
	-l 'do_*' -l 'vfs_*' sh -c 'cat /no/such /proc/version >/dev/null 2>&1; :'
like "$(ktrail report --pretty "$KT_TMP/s.dat")" 'do_sys_openat2 \*/ = -ENOENT' "a recording has them"
cp "$KT_TMP/s.dat" /out/fgraph-retval.dat
unchanged
done_testing
