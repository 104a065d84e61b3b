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
done_testing
