#!/bin/bash
# samples.t - recordings of several kernels and architectures are complete; trace-cmd 3.1.6 agrees
. tests/kt_test.sh

# The files that trace-cmd cannot read, or reads differently, and why
differs() {
	case $1 in
	*-zlib.dat)     echo "Debian builds trace-cmd without zlib" ;;
	*-subbuf.dat)   echo "trace-cmd 3.1.6 does not know sub-buffers larger than a page" ;;
	*/6.1-function.dat) echo "trace-cmd prefers a name seen in an event to saved_cmdlines" ;;
	*)              return 1 ;;
	esac
}


for f in tests/data/*.dat; do
	"$KTRAIL" report --layout 3.1 -i "$f" >"$KT_TMP/ours" 2>"$KT_TMP/err"
	is "$?$(cat "$KT_TMP/err")" 0 "$f is complete"
	[ "$(wc -l <"$KT_TMP/ours")" -gt 3 ]
	ok $? "$f holds records"
	if why=$(differs "$f"); then
		note "$f is not compared: $why"
	elif have_peer; then
		trace-cmd report -i "$f" >"$KT_TMP/peer" 2>/dev/null
		same "$KT_TMP/ours" "$KT_TMP/peer" "$f reads the same as with trace-cmd"
	else
		skip "$f reads the same as with trace-cmd" "no trace-cmd 3.1.6 here"
	fi
done

done_testing
