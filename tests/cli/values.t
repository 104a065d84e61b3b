#!/bin/bash
# values.t - the kernel's meaning of print formats: expressions, probes, synthetic events
. tests/kt_test.sh
data=tests/data/faults

# first FILE EVENT NUMBER [ARGS…]: the text of record NUMBER of the event
first() {
	local file=$1 event=$2 nr=$3
	shift 3
	"$KTRAIL" report -N "$@" "$data/$file.dat" 2>/dev/null | sed -n "s/.* $event: *//p" | sed -n "${nr}p"
}

is "$(first 060-kttest kt_expr 3)" \
	"sum=3 diff=-9 prod=-18 div=0 mod=-3 shl=-24 shr=-2 and=f0 or=ffffffff xor=fffffffb not=2 neg=-6 lnot=0 cmp=110100 land=1 lor=1 tern=small nest=neg cast=253 sec=18446741604.573771 prec=-8 paren=2 sz=8 str=one" \
	"operators have C's precedence, widths and signs"
is "$(first 060-kttest kt_flags 3)" "flags=TWO none=b sym=minus-one f64=hi2 sym64=0x200000000" \
	"names of negative numbers and of expressions are found"
like "$(first 060-kttest kt_scalars 1)" ' mode=0100644 off=-1 hex=0x0 0x0 00000000 0       \|        0\| \+0 100% no$' \
	"signs and prefixes are the kernel's"
like "$(first 060-kttest kt_rel 3)" '^rs=.* rm=00000000,00000001,80000000,00000005 n=2$' \
	"lengths of relative arrays are known"
like "$(first 041-uprobes target 1)" 'arr=\{10,-20,140737488355327,40\} .* nextname=\(fault\) c8=0x41$' \
	"arrays of probes have their elements, and a string that could not be read is (fault)"
like "$(first 040-kprobes strs 1)" 'f=\{\(fault\)\} g="trace-cmd"$' "arrays of strings are known"
like "$(first 060-kttest kt_odd 2)" '^unknown=\? nested=\{1,250\} ' "a function of the module is ?, everything else is evaluated"
is "$(first 232-synth wakelat 1)" "lat=105, pid=42, comm=ktimers/2, prio=98, dyn=ktimers/2" \
	"dynamic strings of synthetic events have eight bytes"
like "$(first 7.2-names writeback_dirty_inode 1)" 'flags=I_DIRTY_SYNC' "enumerators that only the kernel resolves"
like "$(first 7.2-names block_rq_issue 1)" ' be,0,4 ' "… of block requests"
like "$("$KTRAIL" report "$data/7.2-names.dat" | grep -A1 kt_block)" \
	"pid=[0-9]+ delta=[0-9]+ stack=STACK:.=> __schedule\+0x" "stacks of synthetic events"
like "$("$KTRAIL" report "$data/7.2-names.dat" | grep sys_enter_write)" \
	'buf: 0x[0-9a-f]+ \(\{0x68,0x65,0x6c,0x6c,0x6f,0xa\}\), count: 0x00000006' "buffers of system calls"

for file in 7.2-names 040-kprobes 041-uprobes 060-kttest 232-synth; do
	"$KTRAIL" report "$data/$file.dat" 2>/dev/null | grep -E 'FAILED TO PARSE' >"$KT_TMP/failed"
	ok "$([ ! -s "$KT_TMP/failed" ]; echo $?)" "every text of $file is printed"
done

json() {
	"$KTRAIL" report --json "$data/$1.dat" 2>/dev/null | grep -m1 "\"event\":\"$2\""
}
like "$(json 041-uprobes target)" '"arr":\[10,-20,140737488355327,40\].*"nextname":""' "arrays of probes in JSON"
like "$(json 040-kprobes strs)" '"f":\[""\],"g":"trace-cmd"' "… of strings"
like "$(json 040-kprobes vread)" '"arr":\[0,0,0,0,0,0,0,0\],"wide":\[0,0,18391255312954852000\]' "… of any size"
like "$(json 232-synth wakelat)" '"dyn":"ktimers/2"' "dynamic strings of synthetic events in JSON"

run "$KTRAIL" report --event "$(printf '%0130000d' 0 | tr 0 '(')" "$data/041-uprobes.dat"
like "$status:$err" "^2:.*'\(+[.]{3}' is longer than 4096 characters" "a regular expression that nests too deeply is refused"
run "$KTRAIL" report -F "$(printf '%0130000d' 0 | tr 0 '(')" "$data/041-uprobes.dat"
like "$status:$err" "^1:ktrail report: an event name cannot have 130000 characters" "as a filter, too"
run "$KTRAIL" report -F "sched_switch: $(printf '%0130000d' 0 | tr 0 '(')" "$data/041-uprobes.dat"
like "$status:$err" "^1:ktrail report: the filter is nested too deeply: at most 64 levels" "and an expression"

done_testing
