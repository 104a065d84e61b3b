# why.sh - delays that load.c has planted, in one recording: `ktrail why` names the reason of each, and its time
# shellcheck shell=bash
. tests/guest.sh
events='-e sched -e irq -e timer:hrtimer_start -e timer:hrtimer_expire_entry -e timer:timer_expire_entry -e lock -e block -e power:cpu_idle -e syscalls:sys_enter_futex'

# planted NAME: the times that load.c has printed for it
planted() { sed -n "s/^$1 //p" "$KT_TMP/planted"; }

# why TASK OPTION…: a line for each reason: depth, kind, ns, task, from, until, and the text; before them, "all NS" of the interval
why() {
	ktrail why --json --pid "$(planted "$1")" "${@:2}" x.dat >"$KT_TMP/json" 2>&1
	awk 'function get(name) {
		if (!match($0, "\"" name "\": (\"[^\"]*\"|[-0-9]+)"))
			return "-"
		return substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 4)
	}
	/"reasons"/ { printf "all %.0f\n", until - from }
	/"depth"/   { kind = get("kind"); gsub("\"", "", kind); print get("depth"), kind, get("ns"), get("pid"), get("from"), get("until"), get("text"); next }
	/"from"/    { from = get("from") }
	/"until"/   { until = get("until") }' "$KT_TMP/json" >"$KT_TMP/why"
	awk '$1 == "all" { sum[-1] = of[-1] = $2; next }
	{ for (d = depth; d >= $1; d--) bad += of[d] && sum[d + 1] > of[d]
	  depth = $1; sum[depth + 1] = 0; of[depth] = $3 }
	$1 == 0 { top += $3 }
	$1 > 0  { sum[$1] += $3 }
	END { exit bad || !top || top != of[-1] }' "$KT_TMP/why"
	ok $? "$*: the reasons add up to the interval" || note "$(cat "$KT_TMP/json")"
}
# reason DEPTH KIND [TASK]: its total time, or nothing
reason() {
	awk -v depth="$1" -v kind="$2" -v task="$([ -z "${3:-}" ] || planted "$3")" '
		$1 == depth && $2 == kind && (task == "" || task == $4) { sum += $3; found = 1 }
		END { if (found) printf "%.0f\n", sum }' "$KT_TMP/why"
}
# worked DEPTH: the loads use the clock, so time in which they are preempted is part of their work
worked() {
	awk -v depth="$1" '$1 == depth && ($2 == "ran" || $2 == "preempted") { sum += $3 } END { print sum + 0 }' "$KT_TMP/why"
}
told() { ok "$1" "$2" || note "$(cat "$KT_TMP/planted" "$KT_TMP/why")"; }
# named DEPTH KIND TASK NAME: such a line exists
named() { [ -n "$(reason "$1" "$2" "$3")" ]; told $? "$4"; }
# ends DEPTH KIND [TASK]: the end of the longest such reason; begins …: its begin
ends() { edge 6 "$@"; }
begins() { edge 5 "$@"; }
edge() {
	awk -v which="$1" -v depth="$2" -v kind="$3" -v task="$([ -z "${4:-}" ] || planted "$4")" '
		$1 == depth && $2 == kind && (task == "" || task == $4) && ($3 > most || !at) { most = $3; at = $which }
		END { if (at) printf "%.0f\n", at }' "$KT_TMP/why"
}
# least GOT WANTED: that much or more, minus the difference of two clocks: 0.1 %, and 20 us
least() { [ "${1:-0}" -ge $(($2 - $2 / 1000 - 20000)) ]; }
# order MOMENT…: they follow each other, within the accuracy of reading a clock
order() {
	local at before=0
	for at; do
		[ -n "$at" ] && [ "$at" -ge $((before - 20000)) ] || return 1
		before=$at
	done
}
# from WINDOW, until WINDOW: in ns
from() { planted "$1" | tr -d . | cut -d, -f1; }
until_() { planted "$1" | tr -d . | cut -d, -f2; }
# most PART WHOLE: PART is at least nine tenths of WHOLE
most() { [ -n "$2" ] && least "$1" $(($2 / 10 * 9)); }
# bounds: of the interval
bounds() { tr -d ' ,' <"$KT_TMP/json" | awk -F: '/^"from"/ { from = $2 } /^"until"/ { until = $2 } END { printf "%.9f,%.9f\n", from / 1e9, until / 1e9 }'; }
all() { awk '$1 == "all" { print $2 }' "$KT_TMP/why"; }

# shellcheck disable=SC2086
ktrail record -C mono -b 4096 $events -o x.dat load holder mutex pipe-lock chain storm disk >"$KT_TMP/planted" 2>"$KT_TMP/err"
like "$?:$(cat "$KT_TMP/err")" '^0:.* 0 events lost' "the loads are recorded" || done_testing

why victim --worst wakeup --time "$(planted held)"
least "$(all)" "$(planted held-wall)" && least "$(($(until_ held) - $(from held)))" "$(all)"
told $? "a wait is as long as the load has measured it"
held=$(awk '$1 == 1 && $2 ~ /^(holder|irq|softirq|nmi|shorter)$/ { sum += $3 } END { printf "%.0f\n", sum }' "$KT_TMP/why")
[ "$(reason 1 holder holder)" -gt 0 ] && least "$held" "$(planted held-own)"
told $? "the task that keeps the CPU is named, with the time that it has counted itself, and interrupts"

why mutex-waiter --time "$(planted mutex-waited)"
order "$(from mutex-waited)" "$(begins 0 blocked)" "$(planted mutex-released)" "$(ends 0 blocked)" "$(until_ mutex-waited)"
told $? "a task that wants a mutex is blocked until it is released"
grep -q '^1 futex .*slept on futex 0x.*, wait' "$KT_TMP/why"
told $? "on a futex"
named 1 waker mutex-owner "until its owner wakes it"
order "$(planted owner-asked)" "$(ends 2 blocked)" "$(planted owner-ended)"
told $? "whose owner slept for the requested time"

why pipe-waiter --time "$(planted pipe-waited)"
order "$(from pipe-waited)" "$(begins 0 blocked)" "$(planted page-given)" "$(ends 0 blocked)" "$(until_ pipe-waited)"
told $? "so is one that wants a lock of the kernel"
grep -q '^1 lock .*slept for .*mutex .* until it had it' "$KT_TMP/why"
told $? "whose kind is reported"
named 1 waker pipe-owner "until the owner of that wakes it"
named 3 waker pager "whose owner waited for a page, and so for the pager"
order "$(planted pager-asked)" "$(ends 4 blocked)" "$(planted pager-ended)"
told $? "which slept for the requested time"

why chain-c --time "$(planted chain-waited)"
order "$(from chain-waited)" "$(begins 0 blocked)" "$(planted chain-over)" "$(ends 0 blocked)" "$(until_ chain-waited)"
told $? "the last of a chain is blocked until the second task has worked"
named 1 waker chain-b "it is woken by the second task"
least "$(worked 2)" "$(planted chain-b-own)"
told $? "which first worked, as long as it has counted itself"
order "$(planted chain-passes)" "$(begins 2 hop)" "$(planted chain-passed)"
told $? "since its own wakeup"
named 3 waker chain-a "and was woken by the first one"
least "$(worked 4)" "$(planted chain-a-own)"
told $? "which worked, as long as it has counted itself"
order "$(planted chain-asked)" "$(ends 4 blocked)" "$(planted chain-ended)" && [ -n "$(reason 5 waker-irq)$(reason 5 waker-softirq)$(reason 5 waker)" ]
told $? "after the timer had woken it, when it was set for"

why storm-victim --worst wakeup --time "$(planted stormed)"
named_ns=$(awk '$2 == "softirq" && /NET_RX/ { print $3 }' "$KT_TMP/why")
sum=$(ktrail latency -k softirq --cpu 1 --time "$(bounds)" --json x.dat | tr -d ' \n' | grep -o '"name":"NET_RX"[^{]*' |
	sed 's/.*"total":\([0-9]*\).*/\1/')
most "$named_ns" "$sum" && [ "$named_ns" -le "$sum" ]
told $? "a storm of softirqs is named, with its sum ($sum ns in all)"
[ "$(reason 1 holder storm)" -gt 0 ]
told $? "beside the task that made it"

why reader --worst blocked
grep -q 'waker.*virtio' "$KT_TMP/why"
told $? "the interrupt of the disk is named that ends a read"
why reader --worst block
least "$(planted read-slowest)" "$(all)" && grep -q '^0 io .*read of .*, device ' "$KT_TMP/why"
told $? "the longest request is a part of the slowest read"
grep -q '^1 io-others .*the device had ' "$KT_TMP/why" && grep -q '^1 waker.*completed by' "$KT_TMP/why"
told $? "with other requests of its device, and its completion"
named 0 issuer reader "and the task that issued it"
done_testing
