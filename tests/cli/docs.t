#!/bin/bash
# docs.t - each command has a page that shows its usage and every option of its table
. tests/kt_test.sh

# words TEXT: with single spaces, without the markup of a page
words() {
	printf '%s' "$1" | tr -s ' \n\t' ' '
}

run "$KTRAIL" help
is "$status" 0 "help works"
listed() { sed -n 's/^  \([a-z][a-z -]*[a-z]\)  .*/\1/p'; }
few=$("$KTRAIL" help | listed | wc -l)
ok $((few < 15 || few > 26)) "help lists the most useful commands"
commands=$("$KTRAIL" help -a | listed)
"$KTRAIL" help --tables | awk -F'\t' '$2 == "" && $3 == "" && $1 != "__complete" { print $1 }' | sort -u >"$KT_TMP/all"
is "$(sort <<<"$commands")" "$(cat "$KT_TMP/all")" "help -a lists each command once"

# "## live", "start: trace into …", in order
outline=$("$KTRAIL" help -a | awk -F'   *' 'NF == 3 { print $2 ": " $3 } /^[a-z]/ && NF == 1 && !/:/ { print "## " $1 }')
is "$(sed -n '/^# COMMANDS/,/^# OPTIONS/{ s/^## ./\L&/p; t; s/^`\(.*\)`$/\1/; T; N; s/\n//p }' Documentation/ktrail.md)" \
	"$outline" "ktrail.md lists the commands as help -a does"
title() { LC_ALL=C awk -v name="$1" -v number=7 -f Documentation/man.awk "$2" | sed -n '/^.SH NAME/{n;p}'; }
is "$(title ktrail-filters Documentation/filter.md)" 'ktrail\-filters \- the filter language' "a page without a NAME section gets one"

mapfile -t commands <<<"$commands"
for cmd in "${commands[@]}"; do
	page=Documentation/ktrail-${cmd// /-}.md text=$KT_TMP/page
	# shellcheck disable=SC2086
	run "$KTRAIL" $cmd -h
	is "$status" 0 "ktrail $cmd -h works"
	[ "$(wc -l <"$KT_TMP/out")" -le 40 ] && [ "$(LC_ALL=C.UTF-8 wc -L <"$KT_TMP/out")" -le 80 ] &&
		grep -q '^Examples:' "$KT_TMP/out"
	ok $? "… on one screen, with examples"
	"$KTRAIL" help --tables | awk -F'\t' -v cmd="$cmd" '
		$1 == cmd && $5 != "" && /\t-/ { print $3 ~ /^-/ ? $3 : $2 }' >"$KT_TMP/options"
	missing=$(while read -r opt; do grep -q -e "$opt" "$KT_TMP/out" || echo "$opt"; done <"$KT_TMP/options")
	is "$missing" "" "… that names every option"
	# shellcheck disable=SC2086
	"$KTRAIL" help $cmd >"$KT_TMP/all"
	is "$(grep -c '^ *-' "$KT_TMP/all")" "$(wc -l <"$KT_TMP/options")" "ktrail help $cmd explains each"
	usage=$(sed '/^$/,$d; 1s/^usage: //' "$KT_TMP/out")
	[ -f "$page" ]
	ok $? "$cmd has a page" || continue
	awk -f Documentation/expand.awk "$page" >"$text"
	ok $? "… whose shared sections exist"
	[[ $(words "$(cat "$text")") == *"$(words "$usage")"* ]]
	ok $? "$page shows the usage of $cmd" || note "missing: $usage"

	# both forms of an option, each as `-x` or `--name` at the beginning of a word
	missing=$("$KTRAIL" help --tables | awk -F'\t' -v cmd="$cmd" '
		$1 == cmd && $5 != "" && $2 ~ /^-/ { print $2 }
		$1 == cmd && $5 != "" && $3 ~ /^-/ { print $3 }' |
		while read -r opt; do grep -qE -- "(^|[^[:alnum:]-])$opt([^[:alnum:]-]|\$)" "$text" || echo "$opt"; done)
	is "$missing" "" "$page describes every option"
	# the beginning of a line there: "`-o`, `--output` FILE"
	"$KTRAIL" help --tables | awk -F'\t' -v cmd="$cmd" '$1 == cmd { print $2; print $3 }' >"$KT_TMP/known"
	is "$(grep -oE '(^|[[ (|])--?[[:alnum:]][[:alnum:]_-]*' <<<"${usage#*ktrail }" | grep -o -e '-.*' | sort -u | grep -vxFf "$KT_TMP/known")" \
		"" "the usage names options of the table only"
	surplus=$(sed -n '/^#* *OPTIONS$/,/^# [A-NP-Z]/p' "$text" | grep '^`-' | grep -o '`-[^`]*`' |
		sed 's/`//g; s/[] =[].*//' | sort -u | grep -vxFf "$KT_TMP/known")
	is "$surplus" "" "… and none that $cmd does not have"
	missing=''
	for section in NAME SYNOPSIS DESCRIPTION "EXIT STATUS" "SEE ALSO"; do
		grep -qE "^#+ $section\$" "$page" || missing+="$section "
	done
	is "$missing" "" "$page has the sections of a manual page"
done

# A guest tests what they do: tests/vm/examples.sh
tests/examples Documentation/ktrail-*.md >"$KT_TMP/examples"
for cmd in "${commands[@]}"; do
	grep -q "^${cmd// /-}	.*ktrail $cmd" "$KT_TMP/examples" || [ "$cmd" = help ]
	ok $? "the page of $cmd has an example of it"
done

for page in Documentation/ktrail-*.md; do
	name=${page#Documentation/ktrail-}
	printf '%s\n' "${commands[@]// /-}" | grep -qxF "${name%.md}" || "$KTRAIL" "${name%.md}" -h >/dev/null 2>&1
	ok $? "$page is about a command"
done

done_testing
