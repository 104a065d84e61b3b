#!/bin/bash
# complete.t - `ktrail __complete` offers matching words, from the kernel or from a file
. tests/kt_test.sh

tree=$KT_TMP/tracefs
mkdir -p "$tree"/{instances/mine,options,events/{sched/sched_switch,sched/sched_waking,irq/irq_handler_entry}}
export KTRAIL_TRACEFS=$tree
printf 'sched:sched_switch\nsched:sched_waking\nirq:irq_handler_entry\n' >"$tree/available_events"
printf 'function_graph function nop\n' >"$tree/available_tracers"
printf '[local] global mono\n' >"$tree/trace_clock"
printf 'vfs_read\nvfs_readv\nvfs_write\next4_read [ext4]\n' >"$tree/available_filter_functions"
printf 'p:kprobes/mine vfs_read\n' >"$tree/dynamic_events"

# offers WANTED WORD…: the candidates after these words, on one line
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

# the kinds that can be measured, and metrics of them
offers 'wakeup ' latency -k wake
offers 'irq,wakeup ' latency -k irq,wake
offers '--kind=syscall ' diff --kind=sys
offers 'wakeup ' why --worst wa
offers 'p90( p99( p99.9( ' check -m p9
offers 'p99(wakeup) p99(wakeup comm== ' bisect --metric 'p99(wake'
offers 'max(irq) < 1ms and p99(irq max(irq) < 1ms and p99(irqs-off ' check -m 'max(irq) < 1ms and p99(ir'

# from the usage of a command: verbs in brackets, then existing names
printf 's:synthetic/lat u64 d\n' >>"$tree/dynamic_events"
mkdir -p "$tree/rv"
echo wwnr >"$tree/rv/available_monitors"
offers 'show add remove clear ' functions ''
offers 'vfs_write ' functions -g add vfs_r vfs_w
offers 'create ' instance c
offers 'mine ' instance delete ''
offers 'all ' cpumask set ''
offers 'off all cpu ' dump-on-oops set ''
offers 'mine ' dump-on-oops set all mi
offers 'wwnr ' rv set ''
offers 'lat ' synth del ''
offers 'list set ' clock ''
offers 'list add del ' user-events ''

# The fixed words of an option: the command accepts each of them, and refuses any other
words() {
	local values word
	values=$("$KTRAIL" __complete -- "$@" '')
	[ -n "$values" ] && for word in $values; do
		run "$KTRAIL" "$@" "$word" "${more[@]}"
		[[ "$status:$err" != 2:* ]] || { note "$word: $err"; values=; }
	done
	run "$KTRAIL" "$@" nonsense "${more[@]}"
	[ -n "$values" ] && [ "$status" = 2 ]
	ok $? "$* accepts the offered words: ${values//$'\n'/ }"
}
more=(tests/data/peer/lost.dat)
words report --layout
words report -O
more=(-i tests/data/peer/lost.dat -o "$KT_TMP/converted.dat")
words convert --compression
more=(--dry-run)
words reset -k
more=(-e sched --dry-run)
words record --kallsyms
more=(true)
words profile --functions --sort
offers '--color=auto --color=always --color=never ' report --color=
offers '--dump-on-oops=all --dump-on-oops=cpu ' boot --dump-on-oops=

run "$KTRAIL" __complete -- report -i ''
is "$status" 3 "the shell completes files"
run "$KTRAIL" __complete -- state restore ''
is "$status" 3 "also the file of a verb"
run "$KTRAIL" __complete -- report -i tests/data/peer/events-irqs.dat -F irq_handler_en
is "$out" irq_handler_entry "events come from the trace file that is named"

# Everything after the program to run belongs to that program
for args in "record -e sched ls -" "record ls -e sched:" "start true --" "profile -- ls -"; do
	# shellcheck disable=SC2086
	run "$KTRAIL" __complete -- $args
	is "$status:$out" "3:" "no ktrail option after '$args'"
done

# describes WANTED WORD…: the same with a tab and a description
describes() {
	local want=$1
	shift
	run "$KTRAIL" __complete -d -- "$@"
	like "$out" "$want" "described after '$*'"
}
describes $'report\tprint' rep
describes $'--dry-run\t[a-z]' filter --dry
describes $'kprobes:mine\tvfs_read' probe del ''
describes "$$"$'\t[a-z]' record -P "$$"
describes $'fgraph:tailprint\tname' report -O fgraph:t
KTRAIL_PLUGIN_DIR=$(realpath "$B/plugins") describes $'sched\t[a-z]' report --plugin sch
offers 'traceon traceoff ' record -R tra

run "$KTRAIL" __complete -- record ''
is "$status" 3 "the shell completes a program to run, too"

# ---- filters, triggers: of the kernel's events, or of the file's ----
printf 'name: sched_switch\nID: 1\nformat:\n\tfield:unsigned short common_type;\toffset:0;\n\n%s\n%s\n%s\n' \
	$'\tfield:char prev_comm[16];\toffset:8;\tsize:16;' $'\tfield:pid_t prev_pid;\toffset:24;' \
	$'\tfield:__data_loc char[] name;\toffset:28;' >"$tree/events/sched/sched_switch/format"
file=tests/data/6.12-events.dat
offers 'prev_comm prev_pid ' record -e sched:sched_switch -f prev_
offers 'prev_pid == 1 && prev_comm ' start -e irq -e sched:sched_switch -f 'prev_pid == 1 && prev_c'
offers 'prev_pid ' filter set sched_switch prev_p
offers '' filter set irq prev_p
offers '' record -e sched_switch -f 'prev_pid == '
offers 'prev_pid == '  record -e sched_switch -f 'prev_pid ='
offers 'sched_switch: prev_comm sched_switch: prev_pid sched_switch: prev_prio sched_switch: prev_state ' \
	report -i $file -F 'sched_switch: prev_'
offers 'sched_waking,sched_switch:(next_pid ' report -i $file -F 'sched_waking,sched_switch:(next_pi'
offers 'sched_switch: next_pid != ' report $file -F 'sched_switch: next_pid !'
offers 'sched_switch: next_pid == 1 && sched_switch: next_pid == 1 || ' report $file -F 'sched_switch: next_pid == 1 '
offers '--filter=common_pid ' mem -i $file --filter=common_pi
offers 'sched_wakeup sched_wakeup_new ' report $file -F sched_wakeup
offers 'irq,sched_wakeup irq,sched_wakeup_new ' report $file -F irq,sched_wakeup
offers 'CPU == 1 && COMM ' report $file -F 'CPU == 1 && COM'
offers 'hist:keys=prev_comm,prev_pid ' trigger add sched_switch hist:keys=prev_comm,prev_p
offers 'hist:keys=prev_pid:sort= hist:keys=prev_pid:size= ' trigger add sched_switch hist:keys=prev_pid:s
offers 'hist:keys=common_pid.execname ' trigger add sched_switch hist:keys=common_pid.ex
offers 'traceon if prev_pid ' record -e sched_switch -R 'traceon if prev_p'
offers 'enable_event:irq:irq_handler_entry ' trigger add sched_switch enable_event:irq:
describes $'^prev_comm\tchar\\[16\\]' record -e sched_switch -f prev_c
describes $'^name\tchar|^name\t__data_loc char' record -e sched_switch -f na
describes $'^sched:sched_switch\tprev_comm, prev_pid, name$' record -e sched:sched_sw
describes $'^sched\t2 events' record -e sc
describes $'\nsched_switch\tprev_comm, prev_pid' report -i $file -F sched_sw

# ---- metrics and subjects ----
offers 'p99(wakeup comm== p99(wakeup comm!= p99(wakeup cpu== p99(wakeup cat ' check $file -m 'p99(wakeup c'
offers 'p99(wakeup prio< ' check $file -m 'p99(wakeup pr'
offers '' check $file -m 'p99(irq pr'
offers 'max(run comm==ksoftirqd/0 max(run comm==ksoftirqd/1 ' check $file -m 'max(run comm==ksof'
offers 'errors(syscall openat errors(syscall openat2 ' check $file -m 'errors(syscall openat'
offers 'max(irq) < max(irq) <= max(irq) > max(irq) >= ' check $file -m 'max(irq) '
offers 'max(irq) < 1ms and ' check $file -m 'max(irq) < 1ms '
offers 'rate(event sched_wakeup rate(event sched_wakeup_new ' check $file -m 'rate(event sched_wakeup'
offers 'count(event sched_switch: (next_pid ' check $file -m 'count(event sched_switch: (next_pi'
offers 'count(event sched:sched_switch: next_pid ' check $file -m 'count(event sched:sched_switch: next_pi'
offers 'count(event sched_switch: (next_pid == 1)) > 5 and max( ' \
	check $file -m 'count(event sched_switch: (next_pid == 1)) > 5 and ma'
offers 'max(sched_waking -> sched_switch ' check $file -m 'max(sched_waking -> sched_swi'
offers 'irq,wakeup comm==dd ' latency $file -k 'irq,wakeup comm==d'

# ---- tasks of the file ----
offers 'ksoftirqd/0 ksoftirqd/1 ' report -i $file --comm ksoft
describes $'\n27\tksoftirqd/1\n' mem $file --pid ''
run "$KTRAIL" __complete -- report -i tests/data/README.md --comm k
is "$status:$out" "0:" "no tasks from a file that is not a trace"

# ---- instances ----
echo 1 >"$tree/instances/mine/tracing_on"
echo nop >"$tree/instances/mine/current_tracer"
describes $'^mine\to' stat -B ''

bash -n cmd/completion/ktrail.bash
ok $? "the bash script is well-formed"
# shellcheck disable=SC2016
got=$(bash -c '
	source cmd/completion/ktrail.bash
	compopt() { :; }
	COMP_LINE="$0 record -e sched:sched_s" COMP_POINT=1000 COMP_WORDS=("$0")
	_ktrail
	echo "${COMPREPLY[@]}"' "$KTRAIL")
is "$got" sched_switch "bash gets the text after its last colon"
# bash_offers LINE: the candidates of a bash in which LINE was typed, one per line
bash_offers() {
	# shellcheck disable=SC2016
	bash -c 'source cmd/completion/ktrail.bash
		compopt() { :; }
		COMP_LINE=$1 COMP_POINT=1000 COMP_WORDS=("$0")
		_ktrail
		printf "%s\n" "${COMPREPLY[@]}"' "$KTRAIL" "$1"
}
is "$(bash_offers "ktrail report -i $file -F 'sched_switch: next_pi")" 'sched_switch: next_pid' \
	"bash completes inside quotes"
is "$(bash_offers "ktrail report -i \"$file\" -F sched_switch:\\ next_pi")" '\ next_pid' \
	"and inside the other quotes"
is "$(bash_offers "ktrail check $file -m 'p99(wakeup comm==ksof")" \
	$'p99(wakeup comm==ksoftirqd/0\np99(wakeup comm==ksoftirqd/1' "and a metric, with its parenthesis"
# Other shells, if they are installed
mkdir -p "$KT_TMP/bin"
ln -s "$(realpath "$KTRAIL")" "$KT_TMP/bin/ktrail"
PATH=$KT_TMP/bin:$PATH
# lines TEXT: join them into one line
lines() { tr '\n' ' ' <<<"$1"; }
if command -v fish >/dev/null; then
	fish_offers() { lines "$(fish --no-config -c "source cmd/completion/ktrail.fish; complete -C '$1'" 2>&1 | cut -f 1)"; }
	is "$(fish_offers 'ktrail record -e sched:sched_sw')" 'sched:sched_switch ' \
		"fish completes an event"
	is "$(fish_offers 'ktrail rep')" 'report ' "fish completes a command"
	like "$(fish --no-config -c "source cmd/completion/ktrail.fish; complete -C 'ktrail rep'")" \
		$'report\tprint' "fish shows a description"
	is "$(fish_offers 'ktrail record --event=irq:')" '--event=irq:irq_handler_entry ' \
		"fish completes after ="
	is "$(fish_offers 'ktrail report -i cmd/completion/_k')" 'cmd/completion/_ktrail ' \
		"fish completes a file"
	is "$(fish_offers "ktrail report -i $file -F \"sched_switch: next_pi")" 'sched_switch: next_pid ' "fish completes inside quotes"
else
	skip "completion in fish" "no fish"
fi
if command -v zsh >/dev/null; then
	# A zsh on its own terminal, where Tab is typed
	zsh_types() {
		ZDOTDIR=$KT_TMP/zsh zsh -f -c '
			zmodload zsh/zpty
			zpty -b z zsh -f -i
			zpty -w z "PS1=; unsetopt beep; bindkey -e; zstyle \":completion:*\" menu no"
			zpty -w z "fpath=($PWD/cmd/completion \$fpath); autoload -Uz compinit; compinit -u -D; echo READY"
			typeset got= part=
			for i in {1..600}; do zpty -r -t z part && got+=$part || sleep 0.1; [[ $got == *READY*READY* ]] && break; done
			zpty -wn z "$1"$'"'\\t'"'
			got=
			for i in {1..600}; do zpty -r -t z part && got+=$part || sleep 0.1; [[ $got == *"$2"* ]] && break; done
			zpty -d z
			print -r -- "$got"' zsh "$1" "$2"
	}
	mkdir -p "$KT_TMP/zsh"
	like "$(zsh_types 'ktrail record -e sched:sched_sw' 'sched:sched_switch')" 'sched:sched_switch' "zsh completes an event"
	like "$(zsh_types 'ktrail report --no-' ' -- do not use a pager')" '--no-pager +-- do not use a pager' \
		"zsh shows what an option does"
	like "$(zsh_types "ktrail report -i $file -F 'sched_switch: next_pi" 'next_pid')" 'sched_switch: next_pid' "zsh completes inside quotes"
	like "$(zsh_types "ktrail report -i $file -F 'sched_switch: next_p" ' -- int')" $'\nnext_prio -- int' "and shows the last word of a filter"
	like "$(zsh_types 'ktrail user' 'user-events')" 'user-events' "zsh completes a command"
	like "$(zsh_types 'ktrail report -i cmd/completion/_k' 'cmd/completion/_ktrail')" 'cmd/completion/_ktrail' "zsh completes a file"
else
	skip "completion in zsh" "no zsh"
fi
done_testing
