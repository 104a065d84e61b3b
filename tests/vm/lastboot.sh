# lastboot.sh - a buffer that is kept across a reboot: the records of the previous boot, with names
# shellcheck shell=bash disable=SC2154
. tests/proof.sh
I=boot_map
trace=$T/instances/$I/trace
[ -d $T/instances/$I ] || { skip "persistent buffer" "not in this kernel"; done_testing; exit; }

# Files for the next boot: on the disk, after the output of the guest
keep() { tar -cf - -C "$KT_TMP" "$@" | dd of=/dev/vda bs=1M seek=256 conv=fsync 2>/dev/null; }
kept() { dd if=/dev/vda bs=1M skip=256 count=200 2>/dev/null | tar -xf - -C "$KT_TMP" 2>/dev/null; }
# The times of all records and the names in all stacks, which the kernel's text and ours have in common
essence() { sed -nE 's/^ *=> ([^ +]+).*/=> \1/p; s/^.* ([0-9]+\.[0-9]{6}): .*/\1/p' | LC_ALL=C sort; }
# The functions of the kernel and their times. The addresses of modules are known since 6.14.
calls() { sed -nE 's/^.* ([0-9]+\.[0-9]{6}): (function: +)?(vfs_read).*/\1 \3/p' | LC_ALL=C sort; }

# The first boot records, and ends without a result. Reading must not remove events.
record_and_reboot() {
	ktrail start -B $I -C mono -p function -l vfs_read -l ':mod:virtio_blk' -e sched:sched_switch -T cat /proc/version
	dd if=/dev/vda bs=512 count=1 iflag=direct of=/dev/null 2>/dev/null
	ktrail marker -B $I 'the last words'
	ktrail stop -B $I
	grep -v '^#' $trace >"$KT_TMP/first.txt"
	grep -m1 -w _text /proc/kallsyms | cut -d' ' -f1 >"$KT_TMP/first.text"
	keep first.txt first.text
	sync
	echo b >/proc/sysrq-trigger
	sleep 60
}

kept
[ -s "$KT_TMP/first.txt" ] || record_and_reboot
note "_text was $(cat "$KT_TMP/first.text"), is $(grep -m1 -w _text /proc/kallsyms | cut -d' ' -f1)"

like "$(ktrail instance list)" "$I .*kept over reboots" "the list shows that the buffer is kept"
like "$(ktrail instance list --json | tr -d ' \n')" '"name":"boot_map".*"persistent":true' "as JSON too"
run ktrail extract -q -B $I -o last.dat
is "$status:$err" "0:" "the trace of the previous boot is extracted"
run ktrail report last.dat
is "$status:$err" "0:" "and reported"
calls <"$KT_TMP/out" >ours.calls
essence <"$KT_TMP/out" >ours
calls <"$KT_TMP/first.txt" >first.calls
essence <"$KT_TMP/first.txt" >first
ok $(($(wc -l <ours.calls) < 5)) "with calls of functions"
same ours.calls first.calls "with their names in the previous boot"
same ours first "every record has its time, the stacks have their names"
like "$(cat "$KT_TMP/out")" 'the last words' "up to the last record"
# It cannot be deleted; its settings can be cleared and restored
k instance delete $I
is "$status" 1 "it cannot be deleted"
like "$err" "cannot be deleted while this kernel runs" "with a message"
k reset -y -B $I -d
is "$status" 1 "reset -d cannot, either"
like "$err" "cannot be deleted while this kernel runs" "with the reason"
ktrail start -q -B $I -e sched:sched_switch -f 'prev_pid > 3' -R 'stacktrace if prev_pid == 7' -C mono
works state save -B $I "$KT_TMP/last.state"
ktrail state show -B $I >"$KT_TMP/as"
k reset -y -a -d
is "$status" 0 "reset -a -d deletes the other instances"
like "$err" "'$I' keeps its buffer over reboots" "and names the one that stays"
is "$(cat $T/instances/$I/set_event)" "" "which is reset"
works state restore "$KT_TMP/last.state"
ktrail state show -B $I >"$KT_TMP/is"
same "$KT_TMP/is" "$KT_TMP/as" "its state is restored"
k reset -y -B $I
done_testing
