#!/bin/bash
# compat.t - every option of trace-cmd is ours too, and the page that says so is true
. tests/kt_test.sh

page=Documentation/trace-cmd-options.md
tests/compat/page "$KTRAIL" >"$KT_TMP/page"
if [ "${KT_GOLDEN:-}" = update ]; then
	cp "$KT_TMP/page" "$page"
fi
diff -u "$page" "$KT_TMP/page" >"$KT_TMP/diff"
ok $? "$page is what the option tables say" || sed 's/^/# /' "$KT_TMP/diff" | head -20

# What is still missing, by name: the list may only get shorter.
grep '| no |' "$KT_TMP/page" | awk -F'[|` ]+' '{ print $2, $3 }' >"$KT_TMP/missing"
diff tests/compat/missing "$KT_TMP/missing" >"$KT_TMP/diff"
ok $? "no option but the known ones is missing" || sed 's/^/# /' "$KT_TMP/diff" | head -20
done_testing
