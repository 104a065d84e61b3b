#!/bin/bash
# others.t - two recordings in one buffer: the last one to end restores the original settings
. tests/kt_test.sh

tracing=/sys/kernel/tracing
[ "$(id -u)" = 0 ] && [ -w $tracing/instances ] && [ -e $tracing/events/sched/sched_switch ] ||
	skip_all "needs root, tracefs with instances and sched_switch"
export KTRAIL_JOURNAL_DIR=$KT_TMP/journal
name=ktrail-others-$$
dir=$tracing/instances/$name
trap 'rmdir $dir 2>/dev/null' EXIT

snapshot=$PWD/tests/cli/settings-snapshot
state() { "$snapshot" -e 'sched irq' "$dir"; }

cd "$KT_TMP" || exit 1

# begin NAME ARGUMENT…: start a recording that runs until the file NAME.end exists; $NAME: its pid
begin() {
	"$KTRAIL" record -B "$name" "${@:2}" -o "$1.dat" \
		sh -c ": >$1.on; for _ in \$(seq 1200); do [ ! -e $1.end ] || break; sleep 0.05; done" 2>"$1.err" &
	printf -v "$1" %s $!
	wait_until "[ -e $1.on ]"
}
end() {
	touch "$1.end"
	wait "${!1}"
}
both() {
	rm -f ./*.on ./*.end
	begin a -e sched -f 'prev_pid > 1' -C mono -b 64
	state >only-a
	begin b -e sched:sched_switch -e irq -C boot -b 128 -O nooverwrite
}

mkdir "$dir"
echo 'prev_prio < 5' >"$dir/events/sched/sched_switch/filter"
echo 1 >"$dir/events/sched/sched_wakeup/enable"
echo 40 >"$dir/buffer_percent"
state >before
for order in 'a b' 'b a'; do
	read -r first second <<<"$order"
	both
	end "$first"
	is "$?" 0 "$order: the first one ends"
	[ "$order" = 'a b' ] || { state >now; same now only-a "the first recording continues with its own settings"; }
	end "$second"
	is "$?" 0 "$order: and the other one"
	state >now; same now before "$order: the former settings are back"
	is "$(cat b.err | grep -c "pid $a traces in the same buffer (.*--instance auto")" 1 "the second gets a warning"
	unlike "$(cat a.err)" 'same buffer' "the first does not"
done

for victim in a b; do
	[ $victim = a ] && other=b || other=a
	both
	kill -9 "${!victim}"
	wait "${!victim}" 2>/dev/null
	touch $victim.end
	run "$KTRAIL" restore-settings
	is "$status:$err" "0:" "$victim is killed: the other restores its settings"
	end $other
	is "$?" 0 "$victim is killed: the other ends"
	state >now; same now before "$victim is killed: the former settings are back"
done
rmdir "$dir"

rm -f ./*.on ./*.end
begin a -e sched
begin b -e irq
end a
is "$?:$(cat a.err | grep -c 'not restored')" "0:0" "the creator of the instance leaves it to the other"
[ -d "$dir" ]
ok $? "which still uses it"
end b
is "$?" 0 "and ends"
[ ! -d "$dir" ]
ok $? "then it is deleted"
done_testing
