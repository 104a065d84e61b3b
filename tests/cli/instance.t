#!/bin/bash
# instance.t - an instance chosen for a shell, which commands without -B use; instances that vanish
. tests/kt_test.sh
. tests/kt_fake.sh
fake_tracefs
fake_instance one
fake_instance "it's"
fake_instance two

# ---- use ----
run "$KTRAIL" instance use one
is "$status:$out" "0:export KTRAIL_INSTANCE='one'" "use prints a line for the shell"
run "$KTRAIL" instance use "it's"
(eval "$out" && [ "$KTRAIL_INSTANCE" = "it's" ])
ok $? "which accepts any name"
run "$KTRAIL" instance use
is "$status:$out" "0:unset KTRAIL_INSTANCE" "and one that undoes it"
run "$KTRAIL" instance use thre
is "$status" 1 "an instance that does not exist cannot be used"
like "$err" "no instance 'thre', only: it's one two" "the message lists the instances"
is "$out" "" "the shell gets no output"
run "$KTRAIL" instance use one two
is "$status" 2 "only one instance can be used"

# ---- commands that use it ----
eval "$("$KTRAIL" instance use one)"
run "$KTRAIL" stop
is "$status:$err" "0:" "stop works"
is "$(get tracing_on):$(get instances/one/tracing_on):$(get instances/two/tracing_on)" 1:0:1 "it stops the instance"
run "$KTRAIL" restart -B two
is "$(get instances/one/tracing_on)" 0 "-B has priority"
run "$KTRAIL" stop -t
is "$(get tracing_on):$(get instances/two/tracing_on)" 0:1 "so is -t"
run "$KTRAIL" start -q -b 64 -e irq -B two -e sched
is "$status" 0 "start works"
is "$(get events/irq/enable):$(get instances/one/events/irq/enable)" 1:0 "with its own -B, options before it apply to the top-level buffer"
run "$KTRAIL" start -q -b 32 -e irq
is "$(get instances/one/events/irq/enable):$(get instances/one/buffer_size_kb)" 1:32 "without -B all options apply to the instance"
run "$KTRAIL" clock set mono
is "$(get trace_clock):$(get instances/one/trace_clock)" '[local] global mono boot:mono' "the nouns use it"
run "$KTRAIL" show -c 0
like "$out" "of CPU 0" "show does"
run "$KTRAIL" stat
like "$out" "^Instance: one" "stat does"
run "$KTRAIL" reset --dry-run -b 128
like "$out" "instances/one/buffer_size_kb" "reset applies to it alone"
unlike "$out" "> $FAKE/tracing_on" "not to the top-level buffer"
run "$KTRAIL" boot -e irq
unlike "$out" "instance" "boot ignores it"
run "$KTRAIL" instance --json
like "$out" '"name": "one"[^}]*"chosen": true' "the list marks it"
like "$out" '"name": "two"[^}]*"chosen": false' "and no other"

# ---- messages ----
KTRAIL_INSTANCE=gone run "$KTRAIL" stop
is "$status" 1 "a deleted instance is an error"
like "$err" "KTRAIL_INSTANCE=gone: no instance 'gone'" "that names the variable"
run "$KTRAIL" stop nonsense
unlike "$err" KTRAIL_INSTANCE "misuse does not mention it"
KTRAIL_INSTANCE='' run "$KTRAIL" stop
is "$status:$(get tracing_on)" "0:0" "an empty value means the top-level buffer"
ln -s "$(realpath "$KTRAIL")" "$KT_TMP/trace-cmd"
put tracing_on 0
run "$KT_TMP/trace-cmd" restart
is "$(get tracing_on):$(get instances/one/tracing_on)" 1:1 "trace-cmd ignores it"
unset KTRAIL_INSTANCE

# ---- an instance that is deleted after its name was read: a dangling link behaves the same ----
ln -s nowhere "$FAKE/instances/gone"
run "$KTRAIL" instance list
is "$status:$err" "0:" "the list continues without it"
like "$out" "two" "to the end"
run "$KTRAIL" restart -a
is "$status:$(get instances/two/tracing_on)" 0:1 "so do commands for all instances"
run "$KTRAIL" reset --dry-run -a
is "$status" 0 "reset, too"
run "$KTRAIL" stop -B gone
is "$status" 1 "given by its name it is an error"

done_testing
