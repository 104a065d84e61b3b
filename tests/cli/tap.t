#!/bin/bash
# tap.t - the framework of the tests: a test that did not run has not passed
. tests/kt_test.sh

# of LINES: the result of tests/tap for a test with these lines
of() {
	printf '#!/bin/bash\n. tests/kt_test.sh\n%s\n' "$1" >"$KT_TMP/inner.t"
	chmod +x "$KT_TMP/inner.t"
	KT_FAILED='' run tests/tap "$KT_TMP/inner.t"
}
of 'ok 0 one; done_testing'
is "$status:$out" "$(printf '0:ok 1 - one\n1..1')" "a test that passes"
of 'refuses 1 nothing; ok 0 one; done_testing'
like "$status:$out" '^1:.*not ok 2 - each command.*inner\.t:3: command not found: refuses' "a function that is not defined fails it"
of 'is "$(misspelt 2>/dev/null)" "" one; done_testing'
like "$status:$out" '^1:.*command not found: misspelt' "wherever the output goes"
of 'misspelt; ok 0 one; echo 1..1; exit 0'
like "$status:$err" '^1:.*command not found: misspelt' "also if the test ends early"
is "$(json '$d->{a}, scalar @{$d->{b}}' <<<'{"a": "ö", "b": [1, 2]}')" '["ö",2]' "json picks values"
is "$(json '$d' <<<'{"a": 1,}' 2>/dev/null)" "" "and fails for invalid JSON"

if command -v tmux >/dev/null; then
	# shellcheck disable=SC2016
	printf '#!/bin/bash\n. tests/kt_test.sh\n. tests/kt_tmux.sh\necho $$ $! >%s; sleep 300\n' "$KT_TMP/pids" >"$KT_TMP/inner.t"
	tests/tap "$KT_TMP/inner.t" >/dev/null 2>&1 &
	wait_until "[ -s '$KT_TMP/pids' ]"
	kill $!
	read -r inner server <"$KT_TMP/pids"
	wait_until "! kill -0 $inner && ! kill -0 $server"
	ok $? "a test that is interrupted ends, and its tmux too"
fi

# ---- tests/run ----
cat >"$KT_TMP/unsteady.t" <<'EOF'
#!/bin/bash
. tests/kt_test.sh
[ -e "${0%.t}" ]
ok $? "only if it was run before"
: >"${0%.t}"
done_testing
EOF
chmod +x "$KT_TMP/unsteady.t"
run env -u KT_ALL KT_FAILED= tests/run "$KT_TMP/unsteady.t"
is "$status" 1 "a test that fails, and passes alone, fails the run"
is "$(grep -c 'not ok 1 - only if' <<<"$out")" 1 "a failure is reported once"
like "$out" 'unsteady\.t; alone it passes, so it is unsteady' "and that it passed"
is "$(tail -1 <<<"$out")" "0 passed, 1 failed, 0 skipped" "the last line counts the first try"
run env -u KT_ALL tests/run "$KT_TMP/unsteady.t"
is "$status:$out" "0:1 passed, 0 failed, 0 skipped" "if all tests pass, only that line is printed"
done_testing
