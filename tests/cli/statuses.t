#!/bin/bash
# statuses.t - as trace-cmd, misuse and failures have the exit statuses of tests/compat/statuses
# KT_PEER=1: also check that table against trace-cmd 3.1.6
. tests/kt_test.sh
. tests/kt_fake.sh
. tests/kt_box.sh
box_reexec "$0"
table=tests/compat/statuses
peer=$(command -v trace-cmd)
[ -n "${KT_PEER:-}" ] && [[ $($peer) == *"version 3.1.6"* ]] || peer=
here=$PWD

# The folder where the programs run, also as another user
dir=$(mktemp -d /tmp/ktrail-statuses.XXXXXX)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
mkdir "$dir"/{bin,files,now}
cp "$KTRAIL" "$dir/bin/trace-cmd"
export KTRAIL_JOURNAL_DIR=$dir/journals
(
	cd "$dir/files" || exit
	cp "$here/tests/data/peer/lost.dat" ok.dat
	cp "$here/tests/data/peer/v6-function.dat" v6.dat
	: >empty.dat
	echo 'this is no trace at all, only some text' >text.dat
	head -c 6000 ok.dat >cut.dat
	head -c 6000 v6.dat >cut6.dat
	head -c 20 ok.dat >cut20.dat
	cp ok.dat private.dat
	chmod 600 private.dat
	mkdir sub
	chmod 777 .
)
fresh() {
	rm -rf "$dir/now"
	cp -rp "$dir/files" "$dir/now"
	case $section in
	live) box_fresh ;;
	fake) fake_tracefs ;;
	esac
}

# call PROGRAM LINE: run it as in a shell, after a '@' as the user nobody; sets $got
call() {
	local words as=()
	[ "${2#@}" = "$2" ] || as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	eval "words=(${2#@})"
	fresh
	(cd "$dir/now" && exec timeout -s KILL 20 "${as[@]}" "$1" "${words[@]}" </dev/null) \
		>"$KT_TMP/out" 2>"$KT_TMP/err"
	got=$?
	# A failure may print usage: scripts do not read that
	[ $got != 0 ] || [ ! -s "$KT_TMP/out" ] || got=0o
}

# row PEER OURS LINE
row() {
	local peers=$1 ours=$2 line=$3
	[ "$ours" != = ] || ours=$peers
	if [ -n "$peer" ] && [ "$peers" != - ] && [ "$section" != fake ]; then
		call "$peer" "$line" 2>/dev/null
		is "$got" "$peers" "trace-cmd 3.1.6: $line" || note "$(head -3 "$KT_TMP/err")"
	fi
	call "$dir/bin/trace-cmd" "$line"
	is "$got" "$ours" "$line" || note "$(head -3 "$KT_TMP/err")"
	[[ $got == 0* ]] || [ -s "$KT_TMP/err" ] || [ -s "$KT_TMP/out" ]
	ok $? "… says why"
}

if [ -n "${BOX:-}" ]; then
	box_make || BOX=
fi
while IFS=$'\t' read -r peers ours line why; do
	case $peers in
	'' | '#'*) continue ;;
	'['*) section=${peers//[][]/} ;;
	*) case "$section$EUID${BOX:-}" in
	   live?*/* | files* | fake*) ;;
	   *) skip "$line" "this needs tracefs, and root"; continue ;;
	   esac
	   case "$EUID$line" in
	   0* | *[!@]*) row "$peers" "$ours" "$line" ;;
	   esac
	   # A difference needs a reason
	   [ "$ours" = = ] || [ -n "$why" ] || ok 1 "$line: the table has the reason" ;;
	esac
done <$table
done_testing
