# tracers.sh - latency tracers: told what to look for, they find something, and are told to stop
# shellcheck shell=bash disable=SC2154
. tests/proof.sh
# what each is told, so that an emulated machine has time for something else
declare -A told=(
	[hwlat]='width=1000 window=50000 thresh=1 mode=per-cpu' [osnoise]='cpus=1 period=20000 runtime=10000 stop=0'
	[timerlat]='cpus=1 period=20000 print-stack=1000000' [wakeup]='thresh=0'
)
work() { local i; for i in 1 2 3 4 5; do sleep 0.01; done; cat /proc/version >/dev/null; }
# A trace with lines that are no comment
found() { work; grep -qsv '^#' $T/trace; }
# A module of the kernel's that keeps interrupts or preemption off for half a second
delays=/modules/preemptirq_delay_test.ko
maximum() { [ "$(cat $T/tracing_max_latency)" -ge 500000 ]; }
# An emulated machine makes others wait as long, now and then: the test gets a few chances.
delay() {
	for _ in 1 2 3 4 5; do
		rmmod preemptirq_delay_test 2>/dev/null
		echo 0 >$T/tracing_max_latency
		insmod $delays test_mode="$1" delay=500000
		until_true 10 maximum
		k show
		! [[ $out =~ started\ at:\ +[a-z_]*preemptirqtest ]] || break
	done
	maximum
	ok $? "$tracer: the longest time is that of a test" || note "$(cat $T/tracing_max_latency)"
	like "$out" 'latency: ([5-9][0-9]{5}|[0-9]{7}) us' "$tracer: its trace has that maximum"
	like "$out" 'started at: +[a-z_]*preemptirqtest' "$tracer: and says where"
	k tracer show
	like "$out" 'max' "$tracer: it is shown with its settings"
}
ktrail state save "$KT_TMP/state"

for tracer in irqsoff preemptoff preemptirqsoff wakeup wakeup_rt wakeup_dl hwlat osnoise timerlat; do
	if ! has_tracer $tracer; then
		k tracer set $tracer
		is "$status" 1 "$tracer: not in this kernel, which is said"
		like "$err" "no tracer '$tracer'" "$tracer: by name"
		continue
	fi
	# They trace functions besides: of all of them, a switch would take a minute.
	echo schedule >$T/set_ftrace_filter
	if [ $tracer = osnoise ]; then
		k tracer set osnoise period=500000
		like "$status:$err" "^1:.*period cannot be less than runtime_us, which is 1000000" "$tracer: what does not fit is said"
	fi
	# shellcheck disable=SC2086
	works tracer set $tracer ${told[$tracer]:-}
	is "$(cat $T/current_tracer)" $tracer "$tracer: is on"
	for word in ${told[$tracer]:-}; do
		k tracer show
		# timerlat's is shown as timer
		like "$out" "(${word%%=*}|timer) .*${word#*=}" "$tracer: $word is what it was told"
	done
	if [ $tracer = wakeup_dl ] || [ $tracer = hwlat ]; then
		note "$tracer: there may be nothing to find"
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
	like "$out" "Tracer: $tracer" "$tracer: stat tells it"
	works reset
	works state restore "$KT_TMP/state"
	as_before "$tracer: a state brings its settings back"
done
if has_tracer wakeup; then
	k record -p wakeup -o "$KT_TMP/wakeup.dat" sleep 0.5
	like "$status:$err" '^0:.*dat: [1-9].* raw, ' "what a latency tracer says counts as recorded"
fi
unchanged
done_testing
