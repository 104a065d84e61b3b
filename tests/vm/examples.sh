# examples.sh - the examples of every page, in order, as a reader would type them
# tests/vm/parts provides tests/examples.txt: PAGE, tab, command
# shellcheck shell=bash
. tests/proof.sh

# The guest has no browser: check that there is a picture for it
xdg-open() { [ -s "$1" ]; }
export -f xdg-open

# cannot COMMAND: prints why an example cannot run in this guest, from the list below
cannot() {
	local pattern needs reason

	while IFS='|' read -r pattern needs reason; do
		# shellcheck disable=SC2254
		case $1 in $pattern) eval "$needs" >/dev/null || { echo "$reason"; return 0; } ;; esac
	done <<'TXT'
bootconfig *|command -v bootconfig|no bootconfig program
*make*|command -v make|no make
*flamegraph.pl*|command -v flamegraph.pl|no flamegraph.pl
ssh?*|command -v ssh|no ssh
*jq*|command -v jq|no jq
*crash*--write*|[ -d /etc/default/grub.d ]|no GRUB
*crash?collect*|ls $T/instances/*/last_boot_info|no buffer that a crash leaves
*guest.dat*|false|no recording of a guest
*print:caller*|false|the plugin print is not in the guest
*path:kernel/sched*|false|no debug information of this kernel
*--functions*|[ -e $T/function_profile_enabled ]|this kernel has no function profiler
ktrail capture --now*|false|no capture waits for it
ktrail capture --status*|false|no capture runs
ktrail capture*--group*|grep -q ^adm: /etc/group|no group adm
ktrail capture*psi*|cat /proc/pressure/io|this kernel has no pressure stall information
ktrail capture*call*|has_tracer function_graph|this kernel has no function_graph
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

# Commands that run until Ctrl-C
waits() {
	case $1 in
	*--watch* | "ktrail stream -B"* | "ktrail show -p"* | "ktrail record -p"* | "ktrail capture -"*) ;;
	*) return 1 ;;
	esac
}

# The files of a killed recorder
killed_recorder() {
	local pid

	rm -f trace.dat
	ktrail record -q -e sched >/dev/null 2>&1 & pid=$!
	until_true 30 [ -s trace.dat.part0 ]
	kill -KILL $pid
	wait $pid 2>/dev/null
	ktrail restore-settings >/dev/null
}

# The files of trace-cmd's killed recorder: the data of each CPU
per_cpu_files() {
	local nr=0 offset size

	rm -f trace.dat
	while read -r offset size _; do
		tail -c +$((offset + 1)) ../v6.dat | head -c "$size" >trace.dat.cpu$nr
		nr=$((nr + 1))
	done < <(ktrail dump -i ../v6.dat --flyrecord | grep 'size of cpu')
}

# The files and settings that an example assumes; its times and CPUs are replaced by existing ones
before() {
	local name

	example=${example/-c 3/-c 1} example=${example/set 0,2-3/set 0-1}
	example=${example/cpus=0-3/cpus=0-1}
	case $example in
	"ktrail restore")		killed_recorder ;;
	"ktrail restore -i "*)		per_cpu_files ;;
	"ktrail start --session disk"*)	ktrail state save disk.state ;;
	"ktrail reset -k kprobe")	ktrail probe add kprobe:vfs_read ;;
	# switching all functions takes a minute on an emulated machine
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

# try COMMAND: answers questions with yes; Ctrl-C ends commands that wait for it
try() {
	local limit=120 start=$SECONDS

	! waits "$1" || limit=4
	timeout -s INT -k 60 $limit bash -c "$1" </dev/null >"$KT_TMP/out" 2>"$KT_TMP/err"
	status=$?
	if grep -q 'not a terminal: use --yes to confirm' "$KT_TMP/err"; then
		try "$1 --yes"
	elif [[ $1 == "ktrail diff "* ]]; then
		[ $status -lt 2 ]		# as diff(1): 1 if they differ
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
# A kernel with more features than Debian's 6.12 runs the pages that need these.
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
ktrail state restore "$KT_TMP/before.state"	# parameters of tracers are not settings of a buffer
cd /test || exit 1
as_before "the examples leave nothing behind"
done_testing
