#!/bin/bash
# library.t - libktrail.so exports all that its headers declare, with a version, and nothing else
. tests/kt_test.sh

[ -z "${SAN:-}" ] || skip_all "a sanitized library needs its program's runtime"
version=KTRAIL_$(sed -n 's/.*KTRAIL_VERSION "\(.*\)"/\1/p' lib/include/ktrail/ktrail.h)

# The compiler lists the declarations: functions, and external variables.
${CC:-cc} -E -P -Ilib/include -include ktrail/ktrail.h -xc /dev/null | tr '\n' ' ' | tr ';{}' '\n' |
	sed -n '/static inline/d; s/__attribute__.*//; s/^[^(=]*\b\(kt_[a-z0-9_]*\)(.*/\1/p; s/.*extern .*\b\(kt_[a-z0-9_]*\)\[.*/\1/p' |
	sort -u >"$KT_TMP/declared"
[ "$(wc -l <"$KT_TMP/declared")" -gt 400 ]
ok $? "the declarations are found"

nm -D --defined-only "$B/libktrail.so" | awk '$2 != "A" { print $3 }' | sort >"$KT_TMP/exported"
is "$(grep -v "@@$version\$" "$KT_TMP/exported")" "" "each symbol has the version $version"
is "$(sed 's/@.*//' "$KT_TMP/exported")" "$(cat "$KT_TMP/declared")" "declared functions are exported, and nothing else"

# A function that nobody calls should be internal, or lacks a test.
find "$B"/{cmd,tui,plugins,tests} -name '*.o' -exec nm -u {} + | awk '{ print $2 }' | sort -u >"$KT_TMP/called"
is "$(comm -23 "$KT_TMP/declared" "$KT_TMP/called")" "" "each is called by a command, a view, a plugin or a test"

{
	echo '#include <ktrail/ktrail.h>'
	echo 'const void *const all[] = {'
	sed 's/.*/	(const void *)&,/' "$KT_TMP/declared"
	echo '}; int main(void) { return !all[0]; }'
} >"$KT_TMP/all.c"
# shellcheck disable=SC2086
run ${CC:-cc} -Ilib/include -o "$KT_TMP/all" "$KT_TMP/all.c" -L"$B" -lktrail
is "$status $out$err" "0 " "a program can use each of them"
nm -D "$KT_TMP/all" | grep -q " kt_trace_add@$version\$"
ok $? "… and asks for that version"
ln -s "$PWD/$B/libktrail.so" "$KT_TMP/$(objdump -p "$B/libktrail.so" | awk '$1 == "SONAME" { print $2 }')"
run env LD_LIBRARY_PATH="$KT_TMP" "$KT_TMP/all"
is "$status" 0 "… and starts"

done_testing
