# examples.sh - the examples of every page, in their order, as a reader would type them
# tests/vm/parts brings tests/examples.txt along: PAGE, tab, command
# shellcheck shell=bash
. tests/proof.sh

# cannot COMMAND: why an example cannot run in this guest; from the list below
cannot() {
	local pattern needs reason

	while IFS='|' read -r pattern needs reason; do
		# shellcheck disable=SC2254
		case $1 in $pattern) eval "$needs" >/dev/null || { echo "$reason"; return 0; } ;; esac
	done <<'TXT'
bootconfig *|command -v bootconfig|no bootconfig program
*make*|command -v make|no make
*jq*|command -v jq|no jq
*guest.dat*|false|no recording of a guest
*print:caller*|false|the plugin print is not in the guest
*path:kernel/sched*|false|no debug information of this kernel
*--functions*|[ -e $T/function_profile_enabled ]|this kernel has no function profiler
ktrail view|false|no terminal
ktrail view --live|false|no terminal
ktrail stack*|[ -e $T/stack_trace ]|this kernel has no stack tracer
ktrail rv *|[ -e $T/rv ]|this kernel has no runtime verification
*timerlat*|has_tracer timerlat|this kernel has no timerlat
*wakeup_rt*|has_tracer wakeup_rt|this kernel has no wakeup tracers
*user[-_]events*|[ -e $T/user_events_status ]|this kernel has no user events
TXT
	return 1
}

# What goes on until Ctrl-C
waits() {
	case $1 in
	*--watch* | "ktrail stream -B"* | "ktrail show -p"* | "ktrail record -p"*) ;;
	*) return 1 ;;
	esac
}

# What a recorder leaves that is killed
killed_recorder() {
	local pid

	rm -f trace.dat
	ktrail record -q -e sched >/dev/null 2>&1 & pid=$!
	until_true 30 [ -s trace.dat.part0 ]
	kill -KILL $pid
	wait $pid 2>/dev/null
	ktrail restore-settings >/dev/null
}

# What trace-cmd's recorder leaves that is killed: the data of each CPU
per_cpu_files() {
	local nr=0 offset size

	rm -f trace.dat
	while read -r offset size _; do
		tail -c +$((offset + 1)) ../v6.dat | head -c "$size" >trace.dat.cpu$nr
		nr=$((nr + 1))
	done < <(ktrail dump -i ../v6.dat --flyrecord | grep 'size of cpu')
}

# What an example takes for granted; its times and CPUs become those that there are
before() {
	local name

	example=${example/-c 3/-c 1} example=${example/set 0,2-3/set 0-1}
	example=${example/cpus=0-3/cpus=0-1}
	case $example in
	"ktrail restore")		killed_recorder ;;
	"ktrail restore -i "*)		per_cpu_files ;;
	"ktrail start --session disk"*)	ktrail state save disk.state ;;
	"ktrail reset -k kprobe")	ktrail probe add kprobe:vfs_read ;;
	# of all functions the switch would take an emulated machine a minute
	"ktrail stack --start")		echo vfs_read >$T/stack_trace_filter ;;
	*timerlat* | *wakeup_rt*)	echo schedule >$T/set_ftrace_filter ;;
	"ktrail instance delete"*)	mkdir $T/instances/tmp-1 ;;
	"ktrail instance use disk"* | *"all disk")	mkdir -p $T/instances/disk ;;
	"ktrail state save -B mine"*)	ktrail start -B mine -e sched ;;
	"ktrail synth add 'wakeup"*)	ktrail synth del wakeup_lat ;;
	"ktrail split 1"*)		example="ktrail split $times" ;;
	"ktrail start "* | "ktrail set "* | "ktrail record "* | "ktrail split "*) ;;
	*)
		for name in $(grep -o -- '-B [a-z]*' <<<"$example" | cut -c4- | grep -v auto); do
			mkdir -p "$T/instances/$name"
		done ;;
	esac >/dev/null
}

# try COMMAND: questions are answered with yes, Ctrl-C ends what waits for it
try() {
	local limit=120 start=$SECONDS

	! waits "$1" || limit=4
	timeout -s INT -k 60 $limit bash -c "$1" </dev/null >"$KT_TMP/out" 2>"$KT_TMP/err"
	status=$?
	if grep -q 'not a terminal: use --yes to confirm' "$KT_TMP/err"; then
		try "$1 --yes"
	elif waits "$1"; then
		[ $status = 0 ] || [ $status = 130 ]
	else
		[ $status = 0 ] && [ $((SECONDS - start)) -lt $limit ]
	fi
}

ktrail state save "$KT_TMP/before.state"
ktrail record -q -o "$KT_TMP/trace.dat" -e sched -e irq -e kmem -B disk -e sched sleep 0.2
ktrail record -q -o "$KT_TMP/v6.dat" --file-version 6 -e sched sleep 0.2
times=$(ktrail report "$KT_TMP/trace.dat" | sed -n 's/.* \([0-9]*\.[0-9]\)[0-9]*: .*/\1/p' |
	sed -n '1p;$p' | tr '\n' ' ')
# Each kernel that has more than Debian's 6.12 does the pages that it is needed for.
pages='.*'
! has_tracer timerlat || pages=tracer
[ ! -e $T/rv ] || pages='profile|rv|tracer|user-events'
page=''
while IFS=$'\t' read -r name example; do
	if [ "$name" != "$page" ]; then
		[ -z "$page" ] || ktrail reset -t -a -d --yes >/dev/null 2>&1
		[ "$page" != stack ] || echo >$T/stack_trace_filter
		page=$name
		mkdir "$KT_TMP/$page"
		cd "$KT_TMP/$page" || exit 1
		for name in trace.dat a.dat x.dat cut.dat host.dat; do cp ../trace.dat $name; done
		printf 'all:\n\ttrue\n' >Makefile
	fi
	if reason=$(cannot "$example"); then
		skip "$page: $example" "$reason"
		continue
	fi
	before
	try "$example"
	ok $? "$page: $example" || note "status $status at $SECONDS s: $(head -3 "$KT_TMP/err")"
done < <(grep -E "^($pages)	" tests/examples.txt)
ktrail reset -t -a -d --yes >/dev/null 2>&1
ktrail state restore "$KT_TMP/before.state"	# what a tracer was told is not a setting of a buffer
cd /test || exit 1
as_before "the examples leave nothing behind"
done_testing
