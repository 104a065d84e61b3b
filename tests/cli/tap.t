#!/bin/bash
# tap.t - the tests' own frame: what never ran has not passed
. tests/kt_test.sh

# of LINES: what tests/tap makes of a test with these lines in it
of() {
	printf '#!/bin/bash\n. tests/kt_test.sh\n%s\n' "$1" >"$KT_TMP/inner.t"
	chmod +x "$KT_TMP/inner.t"
	KT_FAILED='' run tests/tap "$KT_TMP/inner.t"
}
of 'ok 0 one; done_testing'
is "$status:$out" "$(printf '0:ok 1 - one\n1..1')" "a test that passes"
of 'refuses 1 nothing; ok 0 one; done_testing'
like "$status:$out" '^1:.*not ok 2 - each command.*inner\.t:3: command not found: refuses' "a function that is not defined yet fails it"
of 'is "$(misspelt 2>/dev/null)" "" one; done_testing'
like "$status:$out" '^1:.*command not found: misspelt' "wherever its output goes"
of 'misspelt; ok 0 one; echo 1..1; exit 0'
like "$status:$err" '^1:.*command not found: misspelt' "also where the test ends on its own"
is "$(json '$d->{a}, scalar @{$d->{b}}' <<<'{"a": "ö", "b": [1, 2]}')" '["ö",2]' "json picks values"
is "$(json '$d' <<<'{"a": 1,}' 2>/dev/null)" "" "and nothing from what is no JSON"

# ---- tests/run ----
cat >"$KT_TMP/unsteady.t" <<'EOF'
#!/bin/bash
. tests/kt_test.sh
[ -e "${0%.t}" ]
ok $? "only when it ran before"
: >"${0%.t}"
done_testing
EOF
chmod +x "$KT_TMP/unsteady.t"
run env -u KT_ALL KT_FAILED= tests/run "$KT_TMP/unsteady.t"
is "$status" 1 "a test that fails, and passes alone, fails the run"
is "$(grep -c 'not ok 1 - only when' <<<"$out")" 1 "what failed is told once"
like "$out" 'unsteady\.t; alone it passes, so it is unsteady' "and that it passed"
is "$(tail -1 <<<"$out")" "0 passed, 1 failed, 0 skipped" "the last line counts the first try"
run env -u KT_ALL tests/run "$KT_TMP/unsteady.t"
is "$status:$out" "0:1 passed, 0 failed, 0 skipped" "where all is well that line is all there is"
done_testing
