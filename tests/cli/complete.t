#!/bin/bash
# complete.t - `ktrail __complete` offers what fits, from the kernel or from a file
. tests/kt_test.sh

tree=$KT_TMP/tracefs
mkdir -p "$tree"/{instances/mine,options,events/{sched/sched_switch,sched/sched_waking,irq/irq_handler_entry}}
export KTRAIL_TRACEFS=$tree
printf 'sched:sched_switch\nsched:sched_waking\nirq:irq_handler_entry\n' >"$tree/available_events"
printf 'function_graph function nop\n' >"$tree/available_tracers"
printf '[local] global mono\n' >"$tree/trace_clock"
printf 'vfs_read\nvfs_readv\nvfs_write\next4_read [ext4]\n' >"$tree/available_filter_functions"
printf 'p:kprobes/mine vfs_read\n' >"$tree/dynamic_events"

# offers WANTED WORD…: the candidates behind these words, on one line
offers() {
	local want=$1
	shift
	run "$KTRAIL" __complete -- "$@"
	is "$(tr '\n' ' ' <"$KT_TMP/out")" "$want" "after '$*'"
}

offers 'report ' rep
offers 'report ' help rep
offers 'sched:sched_switch ' record -e sched:sched_sw
offers 'irq sched ' record -e ''
offers '--event=irq:irq_handler_entry ' record --event=irq:
offers 'function_graph function ' record -p fu
offers 'global ' start -C gl
offers 'mine ' stat -B ''
offers 'vfs_read vfs_readv ' record -l vfs_r
offers 'kprobe:vfs_write ' probe add kprobe:vfs_w
offers 'uprobe: uretprobe: ' probe add u
offers 'eprobe:sched:sched_waking ' probe add eprobe:sched:sched_wak
offers 'kprobes:mine ' probe del ''
offers 'list set remove ' filter ''
offers 'sched:sched_waking ' filter set sched:sched_wa
offers 'sched:sched_waking ' filter -B mine set sched:sched_wa
offers '--dry-run ' filter --dry
offers '' nothing-like-this

run "$KTRAIL" __complete -- report -i ''
is "$status" 3 "a file is left to the shell"
run "$KTRAIL" __complete -- state restore ''
is "$status" 3 "so is the file of a verb"
run "$KTRAIL" __complete -- report -i tests/data/peer/events-irqs.dat -F irq_handler_en
is "$out" irq_handler_entry "events come from the trace file that is named"

bash -n cmd/completion/ktrail.bash
ok $? "the bash script is well-formed"
# shellcheck disable=SC2016
got=$(bash -c '
	source cmd/completion/ktrail.bash
	compopt() { :; }
	COMP_LINE="$0 record -e sched:sched_s" COMP_POINT=1000 COMP_WORDS=("$0")
	_ktrail
	echo "${COMPREPLY[@]}"' "$KTRAIL")
is "$got" sched_switch "bash gets what follows its last colon"
done_testing
