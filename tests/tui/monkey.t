#!/bin/bash
# monkey.t - random keys, clicks and sizes, in every view, on every sample, without a crash
. tests/kt_test.sh
export XDG_CACHE_HOME=$KT_TMP/cache XDG_CONFIG_HOME=$KT_TMP XDG_STATE_HOME=$KT_TMP KTRAIL_PLUGIN_DIR=$PWD/$B/plugins
data=$PWD/tests/data
KTRAIL=$(realpath "$KTRAIL")
nr=${KT_ALL:+1000}			# keys for each view of each sample; check-all: 100,000 in all
nr=${nr:-40}
files=("$data"/*.dat "$data"/peer/*.dat)
[ -n "${KT_ALL:-}" ] || files=("$data"/6.12-*.dat "$data/blk.dat" "$data/peer/lost.dat")

# keys SEED NR: all keys of the tables, keys that start a line, and the mouse; not q
keys() {
	awk -v seed="$1" -v nr="$2" 'BEGIN {
		srand(seed)
		n = split("j k l h g G L K p r . , + - 0 1 2 3 4 5 6 W w * _ = [ ] { } a b c C d e E f F H i I J " \
			  "m M n N o O P Q Q s S t T u U v V x X y Y z Z A B / : ? @ # $ % ^ & ( ) ! ~ ; <Enter> <Enter> <Enter> " \
			  "<Esc> <Esc> <Esc> <Esc> <Tab> <S-Tab> <Up> <Down> <Left> <Right> <PgUp> <PgDn> <Home> <End> <Space> <Space> " \
			  "<Backspace> <Del> <S-Left> <S-Right> <S-Up> <S-Down> <F1> <Ctrl-O> <Ctrl-F> <Ctrl-G> <Ctrl-L> " \
			  "<Ctrl-W> <Ctrl-W> <Ctrl-W> <Ctrl-U> <Ctrl-A> <Ctrl-E>", key, " ")
		m = split("Click DoubleClick WheelUp WheelDown Drag Release", mouse, " ")
		for (; nr > 0; nr--) {
			r = rand()
			if (r < 0.03)
				printf "<Size@%dx%d>", 1 + int(rand() * 130), 1 + int(rand() * 50)
			else if (r < 0.1)
				printf "<%s@%d,%d>", mouse[1 + int(rand() * m)], int(rand() * 50), int(rand() * 130)
			else
				printf "%s", key[1 + int(rand() * n)]
		}
	}'
}

cd "$KT_TMP" || exit 1			# written files stay here
typed=0 bad=0 seed=${KT_SEED:-7}
for file in "${files[@]}"; do
	for view in events graph timeline latency flame info; do
		seed=$((seed + 1))
		sequence=$(keys $seed $nr)
		timeout 120 "$KTRAIL" view --print $view --size 80x24 --keys "$sequence" "$file" >out 2>err
		status=$?
		typed=$((typed + nr))
		[ $status = 0 ] && ! LC_ALL=C grep -q '[[:cntrl:]]' <(tr -d '\n' <out) && continue
		bad=1
		note "$view $(basename "$file") seed $seed: status $status: $(head -1 err): $sequence"
	done
done
ok $bad "$typed keys in all views of ${#files[@]} samples"
done_testing
