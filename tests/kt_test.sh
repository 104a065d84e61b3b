# kt_test.sh - assertions of shell tests, in TAP; source it first: . tests/kt_test.sh
# shellcheck shell=bash
#
#	. tests/kt_test.sh
#	run "$KTRAIL" report -i tests/data/irq.dat
#	is "$status" 0 "report reads the file"
#	like "$err" 'cut off' "and says that it is cut"
#	golden report-irq "$out"
#	done_testing
kt_nr=0 kt_bad=0

# ok STATUS NAME: one assertion; 0 passes
ok() {
	kt_nr=$((kt_nr + 1))
	if [ "$1" = 0 ]; then
		echo "ok $kt_nr - $2"
	else
		kt_bad=$((kt_bad + 1))
		echo "not ok $kt_nr - $2"
		return 1
	fi
}

note() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

# is GOT WANTED NAME: the same text
is() {
	[ "$1" = "$2" ]
	ok $? "$3" || { diff <(printf '%s\n' "$2") <(printf '%s\n' "$1") | head -40 | sed 's/^/# /'; return 1; }
}

# like TEXT REGEX NAME, unlike TEXT REGEX NAME: bash's extended regular expressions
like() {
	[[ $1 =~ $2 ]]
	ok $? "$3" || { note "wanted /$2/ in:"; note "${1:0:2000}"; return 1; }
}

unlike() {
	[[ ! $1 =~ $2 ]]
	ok $? "$3" || { note "did not want /$2/ in:"; note "${1:0:2000}"; return 1; }
}

# same FILE WANTED NAME: files with the same bytes
same() {
	cmp -s "$1" "$2"
	ok $? "$3" || { diff -a "$2" "$1" | head -40 | cut -c1-200 | sed 's/^/# /'; return 1; }
}

# run COMMAND…: leaves its $status, $out and $err
# shellcheck disable=SC2034
run() {
	"$@" >"$KT_TMP/out" 2>"$KT_TMP/err"
	status=$?
	out='' err=''
	[ ! -s "$KT_TMP/out" ] || out=$(cat -v "$KT_TMP/out")
	[ ! -s "$KT_TMP/err" ] || err=$(cat -v "$KT_TMP/err")
}

# have_peer: trace-cmd is installed, with the texts of --layout 3.1
have_peer() { [[ $(trace-cmd 2>/dev/null) == *"version 3.1.6"* ]]; }

# json EXPRESSION [FILE]: the values of a Perl expression on one JSON document ($d), FILE or the standard input,
# as a JSON array, keys sorted; nothing for a text that is not JSON, with the reason on stderr
json() {
	perl -MJSON::PP -0777 -e '
		my ($expr, $j) = (shift, JSON::PP->new->utf8->canonical->allow_nonref);
		my $d = $j->decode(scalar <>);
		my @got = eval $expr;
		die $@ if $@;
		print $j->encode(\@got), "\n"' "$@"
}

# has_terminals: script(1) can create one here
has_terminals() {
	command -v script >/dev/null && script -qec true /dev/null </dev/null >/dev/null 2>&1
}

# A misspelt name in a test, or a program that is not installed, would be a check that never
# runs: tests/tap fails such a test, wherever its output went.
command_not_found_handle() {
	local line="${BASH_SOURCE[1]}:${BASH_LINENO[0]}: command not found: $1"
	echo "$line" >>"$KT_TMP/.unknown"
	echo "$line" >&2
	return 127
}

# wait_until COMMAND: wait until it succeeds, even on a slow machine; fails after two minutes
wait_until() {
	local deadline=$((SECONDS + 120))
	until eval "$1" >/dev/null 2>&1; do
		[ $SECONDS -lt $deadline ] || { note "two minutes long not: $1"; return 1; }
		sleep 0.05
	done
}

# golden NAME TEXT: TEXT equals tests/golden/NAME; KT_GOLDEN=update writes the file
golden() {
	local file=tests/golden/$1

	if [ "${KT_GOLDEN:-}" = update ]; then
		printf '%s\n' "$2" >"$file"
	fi
	is "$2" "$(cat "$file" 2>/dev/null)" "as in $file"
}

# skip_all REASON: no test of this file can run here
skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}

# skip NAME REASON: this assertion cannot be checked here
skip() {
	kt_nr=$((kt_nr + 1))
	echo "ok $kt_nr # SKIP $1: $2"
}

done_testing() {
	[ ! -s "$KT_TMP/.unknown" ] || { ok 1 "each command that is called exists"; note "$(cat "$KT_TMP/.unknown")"; }
	echo "1..$kt_nr"
	exit $((kt_bad != 0))
}
