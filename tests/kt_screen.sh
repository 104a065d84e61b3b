# kt_screen.sh - screens of one view after keys: . tests/kt_screen.sh
# shellcheck shell=bash disable=SC2154
#
#	screens_of graph 100x24 '1d;$d'
#	screen first 6.12-fgraph.dat 'jj<Enter>'

# screens_of VIEW SIZE CUT: sets the view; CUT is for sed: '1d;$d' removes the lines of all views and of keys
screens_of() { kt_view=$1 kt_size=$2 kt_cut=$3; }

# screen NAME FILE KEYS [SIZE]: as in tests/golden/tui/VIEW-NAME.screen
screen() {
	out=$(timeout 60 "$KTRAIL" view --print "$kt_view" --size "${4:-$kt_size}" --keys "$3" "tests/data/$2" 2>&1 |
	      sed "$kt_cut")
	golden "tui/$kt_view-$1.screen" "$out"
}
