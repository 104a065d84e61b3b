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
done_testing
