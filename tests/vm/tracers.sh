# tracers.sh - latency tracers: set their parameters, trace, and switch them off
# shellcheck shell=bash disable=SC2154
. tests/proof.sh
# the parameters of each, so that an emulated machine is not busy with tracing only
declare -A told=(
	[hwlat]='width=1000 window=50000 thresh=1 mode=per-cpu' [osnoise]='cpus=1 period=20000 runtime=10000 stop=0'
	[timerlat]='cpus=1 period=20000 print-stack=1000000' [wakeup]='thresh=0'
)
work() { local i; for i in 1 2 3 4 5; do sleep 0.01; done; cat /proc/version >/dev/null; }
# A trace with lines that are not comments
found() { work; grep -qsv '^#' $T/trace; }
# A kernel module that disables interrupts or preemption for half a second
delays=/modules/preemptirq_delay_test.ko
maximum() { [ "$(cat $T/tracing_max_latency)" -ge 500000 ]; }
# On an emulated machine other waits can be as long: retry a few times. The kernel drops a section
# if another CPU sets a new maximum meanwhile, so begin with one that is hardly ever exceeded.
delay() {
	for _ in 1 2 3 4 5; do
		rmmod preemptirq_delay_test 2>/dev/null
		echo 200000 >$T/tracing_max_latency
		insmod $delays test_mode="$1" delay=500000
		until_true 10 maximum
		k show
		! [[ $out =~ started\ at:\ +[a-z_]*preemptirqtest ]] || break
	done
	maximum
	ok $? "$tracer: the longest time is that of a test" || note "$(cat $T/tracing_max_latency)"
	like "$out" 'latency: ([5-9][0-9]{5}|[0-9]{7}) us' "$tracer: its trace has that maximum"
	like "$out" 'started at: +[a-z_]*preemptirqtest' "$tracer: and the place"
	k tracer show
	like "$out" 'max' "$tracer: it is shown with its settings"
}
ktrail state save "$KT_TMP/state"

for tracer in irqsoff preemptoff preemptirqsoff wakeup wakeup_rt wakeup_dl hwlat osnoise timerlat; do
	if ! has_tracer $tracer; then
		k tracer set $tracer
		is "$status" 1 "$tracer: not in this kernel, with a message"
		like "$err" "no tracer '$tracer'" "$tracer: that names it"
		continue
	fi
	# They also trace functions: switching all of these would take a minute.
	echo schedule >$T/set_ftrace_filter
	if [ $tracer = osnoise ]; then
		k tracer set osnoise period=500000
		like "$status:$err" "^1:.*period cannot be less than runtime_us, which is 1000000" "$tracer: an invalid parameter is reported"
	fi
	# shellcheck disable=SC2086
	works tracer set $tracer ${told[$tracer]:-}
	is "$(cat $T/current_tracer)" $tracer "$tracer: is on"
	for word in ${told[$tracer]:-}; do
		k tracer show
		# timerlat's is shown as timer
		like "$out" "(${word%%=*}|timer) .*${word#*=}" "$tracer: $word is set"
	done
	if [ $tracer = wakeup_dl ] || [ $tracer = hwlat ]; then
		note "$tracer: it may find nothing"
	else
		until_true 60 found
		ok $? "$tracer: it finds something"
	fi
	case $tracer in
	irqsoff | preemptirqsoff)	[ ! -e $delays ] || delay irq ;;
	preemptoff)			[ ! -e $delays ] || delay preempt ;;
	esac
	k show
	is "$status" 0 "$tracer: its trace is shown"
	k stat
	like "$out" "Tracer: $tracer" "$tracer: stat shows it"
	works reset
	works state restore "$KT_TMP/state"
	as_before "$tracer: a state restores its settings"
done
if has_tracer wakeup; then
	k record -p wakeup -o "$KT_TMP/wakeup.dat" sleep 0.5
	like "$status:$err" '^0:.*dat: [1-9].* raw, ' "the text of a latency tracer counts as recorded"
fi
# The same, measured from events: the worst ones name the thread of the test
if [ -e $delays ]; then
	for mode in irq preempt; do
		rmmod preemptirq_delay_test 2>/dev/null
		k record -b 4096 -e preemptirq -e sched:sched_switch -o "$KT_TMP/off.dat" \
			bash -c "insmod $delays test_mode=$mode delay=500000; sleep 1"
		kind=preempt-off
		[ $mode = preempt ] || kind=irqs-off
		k latency -k $kind --worst 5 "$KT_TMP/off.dat"
		like "$out" "(5[0-9][0-9] ms|[0-9.]+ s) +until .* ${mode}_test:" "latency -k $kind: the longest times have that of a test"
	done
	rmmod preemptirq_delay_test
fi
unchanged
done_testing
