#!/bin/bash
# what report prints is what the kernel meant
. tests/kt_test.sh
data=tests/data

# The letters of the states are those of the format in the file, not of an older kernel.
for k in 6.1 6.12; do
	"$KTRAIL" report $data/$k-events.dat | sed -n 's/.*sched_switch:.*\] \([^ ]*\) ==> .*/\1/p' >"$KT_TMP/ours"
	"$KTRAIL" report -N $data/$k-events.dat | sed -n 's/.*prev_state=\([^ +]*\).*/\1/p' >"$KT_TMP/format"
	same "$KT_TMP/ours" "$KT_TMP/format" "$k: states of sched_switch"
	like "$(sort -u "$KT_TMP/ours")" "Z" "$k: some are zombies"
done

# Numbers of modes and reasons that only the format has
for event in hrtimer_start hrtimer_expire_entry; do
	"$KTRAIL" report $data/6.12-events.dat | sed -n "s/.*$event: *//p" >"$KT_TMP/ours"
	"$KTRAIL" report -N $data/6.12-events.dat | sed -n "s/.*$event: *//p" >"$KT_TMP/format"
	same "$KT_TMP/ours" "$KT_TMP/format" "$event: the text of its format"
done

# A time in a text is written as the column of times.
run "$KTRAIL" report $data/func-repeats.dat
like "$out" "schedule_timeout \(count: 2  last_ts:    59\.072816\)" "func_repeats: rounded"
run "$KTRAIL" report -t $data/func-repeats.dat
like "$out" "\(count: 2  last_ts:    59\.072815531\)" "func_repeats: with -t in nanoseconds"
run "$KTRAIL" report --raw-ts $data/func-repeats.dat
like "$out" "\(count: 2  last_ts:  59072815531\)" "func_repeats: as recorded"

# A pointer in the layout of the kernel is what its %p prints.
run "$KTRAIL" report -N --layout kernel $data/6.12-events.dat
like "$out" "hrtimer=ffff[0-9a-f]{12} function" "--layout kernel: a pointer has 16 digits and no prefix"
unlike "$out" "hrtimer=0x" "all of them"

# The blk tracer, whose records have no format in any file
run "$KTRAIL" report $data/blk.dat
is "$err" "" "blk: all records can be read"
like "$out" "mount-209 .* 12\.153685: blktrace:               7,0    Q  RM 2 \+ 2 \[mount\]" "blk: what blktrace prints"
like "$out" "blktrace:               7,0    C  RM 2 \+ 2 \[0\]" "blk: a request that is done"
run "$KTRAIL" report -F 'blktrace: bytes == 1024' $data/blk.dat
like "$out" "2 \+ 2" "blk: its fields can be filtered"

# A record without a format has its task, CPU and time, and is counted.
LC_ALL=C sed 's/name: user_stack/name: user_stakk/' $data/blk.dat >"$KT_TMP/unknown.dat"
if cmp -s $data/blk.dat "$KT_TMP/unknown.dat"; then
	"$KTRAIL" convert --compression none -o "$KT_TMP/plain.dat" $data/blk.dat
	LC_ALL=C sed 's/name: user_stack/name: user_stakk/' "$KT_TMP/plain.dat" >"$KT_TMP/unknown.dat"
fi
run "$KTRAIL" report "$KT_TMP/unknown.dat"
like "$out" "mount-209   \[001\] d\.\.1\.    12\.153685: \[UNKNOWN EVENT\]:      type 13, 48 bytes" \
	"an unknown event has its columns"
like "$err" "ktrail report: [0-9]+ records cannot be read: the file has no format of them" "they are counted"
is "$status" 0 "and the report is one"
done_testing
