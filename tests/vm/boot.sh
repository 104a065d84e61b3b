# boot.sh - the kernel has booted with exactly the requested tracing settings
# shellcheck shell=bash disable=SC2154
. tests/kt_test.sh
# tests/boot.state: a saved session; the kernel was booted with the output of `ktrail boot --session`
# The lines of a state, each after its section, without the buffer that is kept across reboots
lines() { awk '/^\[/ { section = $0; next } NF && !/^#/ && section !~ /boot_map/ { print section, $0 }' | LC_ALL=C sort; }

# On a slow machine, this may run before the kernel has created the folders of its first probes
probe=/sys/kernel/tracing/events/kprobes/reads
for _ in $(seq 100); do
	[ ! -d $probe ] || break
	sleep 0.2
done
if [ ! -d $probe ] && grep -q kprobes:reads /sys/kernel/tracing/set_event; then
	# At boot the kernel adds the probe while another thread creates the folders.
	skip "the kernel began with the session" "the kernel created no folder for its probe in this boot"
else
	is "$(ktrail state show | lines)" "$(lines <tests/boot.state)" "the kernel began with the session"
fi
# Instances are deleted, except one that is kept across reboots
[ -d /sys/kernel/tracing/instances/boot_map ] && opts='' || opts='-a -d'
# shellcheck disable=SC2086
run ktrail reset -y -t $opts
is "$status:$err" "0:" "reset removes it"
ktrail dump-on-oops set off
echo 0 >/sys/kernel/tracing/tracing_thresh
ktrail buffer set 1408k
ktrail set -O norecord-tgid -O nostacktrace -O overwrite -O nofuncgraph-proc 2>/dev/null
is "$(ktrail state show | lines)" "" "nothing of it is left"
done_testing
