# boot.sh - what this kernel began with is what was asked for, no more and no less
# shellcheck shell=bash disable=SC2154
. tests/kt_test.sh
# tests/boot.state: a saved session; the kernel was booted with what `ktrail boot --session` makes of it
# The lines of a state with their section in front; a buffer that survives reboots is another matter
lines() { awk '/^\[/ { section = $0; next } NF && !/^#/ && section !~ /boot_map/ { print section, $0 }' | LC_ALL=C sort; }

# A machine that is slow lets us run before the kernel has made the folders of its first probes
probe=/sys/kernel/tracing/events/kprobes/reads
for _ in $(seq 100); do
	[ ! -d $probe ] || break
	sleep 0.2
done
if [ ! -d $probe ] && grep -q kprobes:reads /sys/kernel/tracing/set_event; then
	# Its boot adds the probe while another of its threads makes the folders.
	skip "the kernel began with the session" "this boot of the kernel made no folder for its probe"
else
	is "$(ktrail state show | lines)" "$(lines <tests/boot.state)" "the kernel began with the session"
fi
# Instances go, but for one that stays by its nature
[ -d /sys/kernel/tracing/instances/boot_map ] && opts='' || opts='-a -d'
# shellcheck disable=SC2086
run ktrail reset -y -t $opts
is "$status:$err" "0:" "reset takes it away"
ktrail dump-on-oops set off
echo 0 >/sys/kernel/tracing/tracing_thresh
ktrail buffer set 1408k
ktrail set -O norecord-tgid -O nostacktrace -O overwrite -O nofuncgraph-proc 2>/dev/null
is "$(ktrail state show | lines)" "" "nothing of it is left"
done_testing
