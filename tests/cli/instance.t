#!/bin/bash
# instance.t - instances chosen for a shell, which commands without -B are about then; those that go meanwhile
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
ok $? "which reads any name"
run "$KTRAIL" instance use
is "$status:$out" "0:unset KTRAIL_INSTANCE" "and one that takes it back"
run "$KTRAIL" instance use thre
is "$status" 1 "an instance that is not there cannot be used"
like "$err" "no instance 'thre', only: it's one two" "it says what there is"
is "$out" "" "the shell gets nothing to read"
run "$KTRAIL" instance use one two
is "$status" 2 "one is enough"

# ---- what honours it ----
eval "$("$KTRAIL" instance use one)"
run "$KTRAIL" stop
is "$status:$err" "0:" "stop works"
is "$(get tracing_on):$(get instances/one/tracing_on):$(get instances/two/tracing_on)" 1:0:1 "it is about the instance"
run "$KTRAIL" restart -B two
is "$(get instances/one/tracing_on)" 0 "-B is stronger"
run "$KTRAIL" stop -t
is "$(get tracing_on):$(get instances/two/tracing_on)" 0:1 "so is -t"
run "$KTRAIL" start -q -b 64 -e irq -B two -e sched
is "$status" 0 "start works"
is "$(get events/irq/enable):$(get instances/one/events/irq/enable)" 1:0 "with an own -B, what stands before it is about the top buffer"
run "$KTRAIL" start -q -b 32 -e irq
is "$(get instances/one/events/irq/enable):$(get instances/one/buffer_size_kb)" 1:32 "without -B all is about the instance"
run "$KTRAIL" clock set mono
is "$(get trace_clock):$(get instances/one/trace_clock)" '[local] global mono boot:mono' "the nouns honour it"
run "$KTRAIL" show -c 0
like "$out" "of CPU 0" "show does"
run "$KTRAIL" stat
like "$out" "^Instance: one" "stat does"
run "$KTRAIL" reset --dry-run -b 128
like "$out" "instances/one/buffer_size_kb" "reset is about it alone"
unlike "$out" "> $FAKE/tracing_on" "not about the top buffer"
run "$KTRAIL" boot -e irq
unlike "$out" "instance" "boot is about another boot"
run "$KTRAIL" instance --json
like "$out" '"name": "one"[^}]*"chosen": true' "the list shows which it is"
like "$out" '"name": "two"[^}]*"chosen": false' "and which not"

# ---- and says so ----
KTRAIL_INSTANCE=gone run "$KTRAIL" stop
is "$status" 1 "an instance that is gone is an error"
like "$err" "KTRAIL_INSTANCE=gone: no instance 'gone'" "that says who named it"
run "$KTRAIL" stop nonsense
unlike "$err" KTRAIL_INSTANCE "misuse has nothing to do with it"
KTRAIL_INSTANCE='' run "$KTRAIL" stop
is "$status:$(get tracing_on)" "0:0" "empty, it is the top buffer again"
ln -s "$(realpath "$KTRAIL")" "$KT_TMP/trace-cmd"
put tracing_on 0
run "$KT_TMP/trace-cmd" restart
is "$(get tracing_on):$(get instances/one/tracing_on)" 1:1 "the drop-in does not look at it"
unset KTRAIL_INSTANCE

# ---- one that goes after its name was read: a link to nothing looks like it ----
ln -s nowhere "$FAKE/instances/gone"
run "$KTRAIL" instance list
is "$status:$err" "0:" "the list goes on without it"
like "$out" "two" "to the end"
run "$KTRAIL" restart -a
is "$status:$(get instances/two/tracing_on)" 0:1 "so does what is done to all"
run "$KTRAIL" reset --dry-run -a
is "$status" 0 "reset, too"
run "$KTRAIL" stop -B gone
is "$status" 1 "by its name it is an error"

done_testing
