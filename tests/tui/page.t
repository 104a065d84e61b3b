#!/bin/bash
# page.t - the screens in the pages match the viewer
# A block that begins with "$ ktrail view --print …" is run in tests/data; `make golden` updates the screen after it.
. tests/kt_test.sh
export XDG_CACHE_HOME=$KT_TMP/cache XDG_CONFIG_HOME=$KT_TMP XDG_STATE_HOME=$KT_TMP KTRAIL_PLUGIN_DIR=$PWD/$B/plugins
mkdir "$KT_TMP/bin"
ln -s "$(realpath "$KTRAIL")" "$KT_TMP/bin/ktrail"
export PATH=$KT_TMP/bin:$PATH

for page in Documentation/ktrail-view.md README.md; do
	perl -CSD -Mutf8 -e '
		while (<>) {
			print;
			next unless /^    \$ (ktrail view --print .*)/;
			my $screen = `cd tests/data && timeout 60 $1`;
			utf8::decode($screen);
			$screen =~ s/\s+\z//;
			print map { /\S/ ? "    $_\n" : "\n" } split /\n/, $screen;
			# the present screen, up to the next paragraph
			while (<>) { last unless /^(    .*|)$/ }
			print "\n", $_ // "";
		}' "$page" >"$KT_TMP/page"
	[ "${KT_GOLDEN:-}" != update ] || cp "$KT_TMP/page" "$page"
	same "$KT_TMP/page" "$page" "$page shows $(grep -c '^    \$ ktrail view --print' "$page") screens as they are"
done
done_testing
