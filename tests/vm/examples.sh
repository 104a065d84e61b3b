# examples.sh - the examples of every page, in their order, as a reader would type them
# Run it with `tests/vm/parts -t 1200 6.12 examples`, which brings tests/examples.txt along: PAGE, tab,
# command. It takes too long on an emulated machine for on-6.12.t.
# shellcheck shell=bash
. tests/proof.sh

# cannot COMMAND: why an example cannot run in this guest; from the list below
cannot() {
	local pattern reason

	while IFS='|' read -r pattern reason; do
		# shellcheck disable=SC2254
		case $1 in $pattern) echo "$reason"; return 0 ;; esac
	done <<'TXT'
bootconfig *|no bootconfig program
*make*|no make
*jq*|no jq
*guest.dat*|no recording of a guest
*print:caller*|the plugin print is not in the guest
*path:kernel/sched*|no debug information of this kernel
*mod:ext4*|no such module
*record -p function_graph*|on an emulated machine it traces itself to a standstill
*irq == 9*|no such interrupt on a virtual machine
ktrail stack*|this kernel has no stack tracer
ktrail rv *|this kernel has no runtime verification
*timerlat*|this kernel has no timerlat
*wakeup_rt*|this kernel has no wakeup tracers
*user-events*|this kernel has no user events
*user_events*|this kernel has no user events
*-c 3*|two CPUs
*0-3*|two CPUs
*2-3*|two CPUs
TXT
	return 1
}

# What examples take for granted
page_begins() {
	mkdir -p "$KT_TMP/$1"
	cd "$KT_TMP/$1" || exit 1
	ktrail record -o trace.dat -e sched -e irq -e kmem sleep 0.2 >/dev/null 2>&1
	for name in a.dat x.dat cut.dat host.dat; do cp trace.dat $name; done
	for name in disk mine tmp-1; do ktrail instance create $name >/dev/null; done
	[ "$1" != instance ] || ktrail instance delete disk
}

page_ends() {
	ktrail reset -a -d >/dev/null 2>&1
	cd /test || exit 1
}

page=''
while IFS=$'\t' read -r name example; do
	if [ "$name" != "$page" ]; then
		[ -z "$page" ] || page_ends
		page=$name
		page_begins "$page"
	fi
	if reason=$(cannot "$example"); then
		skip "$page: $example" "$reason"
		continue
	fi
	# What waits for Ctrl-C gets it; a question before something goes is as good as done.
	timeout -s INT -k 60 15 bash -c "$example" </dev/null >"$KT_TMP/out" 2>"$KT_TMP/err"
	status=$?
	[ $status = 0 ] || [ $status = 124 ] || [ $status = 130 ] || grep -q 'nobody is here to answer' "$KT_TMP/err"
	ok $? "$page: $example" || note "$status: $(head -3 "$KT_TMP/err")"
done <tests/examples.txt
page_ends
as_before "the examples leave nothing behind"
done_testing
