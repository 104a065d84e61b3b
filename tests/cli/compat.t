#!/bin/bash
# compat.t - ktrail accepts every option of trace-cmd, and the page that lists them is up to date
. tests/kt_test.sh

page=Documentation/trace-cmd-options.md
tests/compat/page "$KTRAIL" >"$KT_TMP/page"
if [ "${KT_GOLDEN:-}" = update ]; then
	cp "$KT_TMP/page" "$page"
fi
diff -u "$page" "$KT_TMP/page" >"$KT_TMP/diff"
ok $? "$page matches the option tables" || sed 's/^/# /' "$KT_TMP/diff" | head -20

# The options that are still missing: this list may only get shorter.
grep '| no |' "$KT_TMP/page" | awk -F'[|` ]+' '{ print $2, $3 }' >"$KT_TMP/missing"
diff tests/compat/missing "$KT_TMP/missing" >"$KT_TMP/diff"
ok $? "only the known options are missing" || sed 's/^/# /' "$KT_TMP/diff" | head -20
done_testing
