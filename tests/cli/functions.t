#!/bin/bash
# functions.t - functions by pattern, by module, by source path, on a fake tracefs and real DWARF
. tests/kt_test.sh
. tests/kt_fake.sh

file() { is "$(get "$1")" "$2" "$3"; }
fresh() {
	fake_tracefs
	put available_filter_functions 'vfs_read\nvfs_write\nschedule\nfinish_task.isra.0\nload_balance\next4_read [ext4]\next4_write [ext4]\nxfs_read [xfs]'
	: >"$FAKE/set_ftrace_filter"
	: >"$FAKE/set_ftrace_notrace"
}

fresh
run "$KTRAIL" functions add 'vfs_*' schedule
is "$status:$out" "0:vfs_*: 2 functions
schedule: 1 function
set_ftrace_filter: 2 in all" "the number of functions of each pattern is printed"
fresh
run "$KTRAIL" functions add mod:ext4 mod:xfs:'*write' '^vfs_r'
file set_ftrace_filter $'*:mod:ext4\n*write:mod:xfs\nvfs_read' "mod: is written as the kernel's :mod:"
is "$out" "mod:ext4: 2 functions
mod:xfs:*write: 0 functions
^vfs_r: 1 function
set_ftrace_filter: 3 in all" "and counted"
fresh
run "$KTRAIL" functions add 'mod:ext4:^ext4_r'
file set_ftrace_filter ext4_read "a regular expression within a module"
run "$KTRAIL" functions remove 'mod:ext4:^ext4_' mod:xfs
file set_ftrace_filter $'ext4_read\n!ext4_read\n!ext4_write\n!*:mod:xfs' "remove writes the same names"
run "$KTRAIL" functions add '*read:mod:ext4' :mod:xfs
is "$out" "*read:mod:ext4: 1 function
:mod:xfs: 1 function
set_ftrace_filter: 6 in all" "the kernel's syntax for a module is accepted"
run "$KTRAIL" functions add 'vfs*:mod:nobody'
like "$out" 'nobody: 0 functions now: the module is not loaded' "a module that is not loaded is reported there, too"
run "$KTRAIL" functions add vfs_read:traceoff:abc
like "$status:$err" "^1:.*'vfs_read:traceoff:abc': 'abc' is not a count" "an invalid count"
run "$KTRAIL" functions add vfs_read:enable_event:sched:sched_switch:-1
like "$status:$err" "^1:.*'-1' is not a count" "an invalid count of an event"
run "$KTRAIL" functions add :traceoff:3
like "$status:$err" "^1:.*':traceoff:3': the function is missing" "a command without a function"
put set_ftrace_filter 'schedule:traceoff:count=3'
run "$KTRAIL" functions remove schedule
like "$status:$err" "^1:.*nothing is removed: set_ftrace_filter has commands at 'schedule' only, remove 'schedule:COMMAND'" \
	"removing a function does not remove its command, with a message"
run "$KTRAIL" functions remove vfs_read
like "$status:$err" "^1:.*nothing is removed: set_ftrace_filter has no 'vfs_read'" "a function that is not in the list"
run "$KTRAIL" functions add schedule:traceoff:5
like "$status:$err" "^1:.*'schedule:traceoff:count=3' is there already" "a command that exists"
run "$KTRAIL" functions add --module ext4 '^xfs_raed$'
like "$status:$err" "^1:.*no function '.xfs_raed.' in module ext4 can be traced" "a similar name of the module is suggested"
run "$KTRAIL" functions add '^xfs_raed$:mod:ext4'
like "$status:$err" "^1:.*no function '.xfs_raed.' in module ext4 can be traced" "a regular expression takes :mod:, too"
unlike "$err" xfs_read "… and of no other module"
run "$KTRAIL" functions add --module nobody '^xfs_read$'
like "$status:$err" "^1:.*no function of module 'nobody' can be traced: it is not loaded" "a module that is not loaded is reported"
: >"$FAKE/set_ftrace_filter"
run "$KTRAIL" functions add mod:
like "$status:$err" "^1:.*mod:MODULE" "a module without name"
run "$KTRAIL" functions add --module ext4 mod:xfs
like "$status:$err" "^1:.*exclude each other" "two modules"

fresh
put available_filter_functions 'sgx_open\nsys_opn\n__do_sys_openat\n__ia32_sys_openat\n__se_sys_openat\n__x64_sys_openat\n__x64_sys_openat2'
for name in openat sys_openat; do
	run "$KTRAIL" functions add "^$name\$"
	like "$status:$err" "^1:.*did you mean '__x64_sys_openat'" "$name suggests the entry of that system call"
done
fresh
run "$KTRAIL" functions add mod:nobody
like "$out" 'mod:nobody: 0 functions now: the module is not loaded' "a warning that the module is not loaded"

fresh
put set_ftrace_filter 'vfs_write\nschedule:traceoff:count=2\nvfs_read:stacktrace:unlimited'
run "$KTRAIL" functions clear --dry-run
like "$out" "'!schedule:traceoff:0'.*'!vfs_read:stacktrace'" "commands are removed one by one, counted ones with a count"

# ---- by source path ----
export KTRAIL_VMLINUX=$KT_TMP/none/vmlinux
run "$KTRAIL" functions add path:kernel/sched
like "$status:$err" "^1:.*no debug information names the source files of the kernel.*BTF does not.*KTRAIL_VMLINUX" "a message without debug information"
if ! command -v gcc >/dev/null; then
	skip "functions by source path" "no compiler for a vmlinux"
	done_testing
fi
# A small kernel, built like a real one: from the top of the sources, and some files by their full path
mkdir -p "$KT_TMP"/src/{kernel/sched,fs/ext4,include} "$KT_TMP"/boot/modules
cd "$KT_TMP/src" || exit
echo 'static inline __attribute__((always_inline)) int need_resched(int a) { return a + 1; }' >include/sched.h
printf '#include "include/sched.h"\nint schedule(int a) { return need_resched(a); }\nint finish_task(int a) { return a; }\nint not_traced(void) { return 1; }\n' >kernel/sched/core.c
echo 'int load_balance(int a) { return a * 2; }' >kernel/sched/fair.c
printf 'int schedule(int);\nint vfs_read(int a) { return schedule(a); }\nint vfs_write(int a) { return -a; }\n' >fs/read_write.c
printf 'int ext4_read(int a) { return a; }\nint ext4_write(int a) { return a; }\n' >fs/ext4/file.c
for f in kernel/sched/core.c kernel/sched/fair.c fs/read_write.c; do gcc -I. -g -O1 -c -o "${f%.c}.o" $f; done
gcc -g -nostdlib -static -Wl,-e,schedule -o "$KT_TMP/boot/vmlinux" kernel/sched/*.o fs/*.o
(cd / && gcc -g -O1 -c -o "$KT_TMP/boot/modules/ext4.ko" "$KT_TMP/src/fs/ext4/file.c")
cd - >/dev/null || exit
export KTRAIL_VMLINUX=$KT_TMP/boot/vmlinux

fresh
run "$KTRAIL" functions add path:kernel/sched
is "$status:$err" "0:" "functions of a folder"
file set_ftrace_filter $'schedule\nfinish_task.isra.0\nload_balance' "are those that can be traced, variants included"
is "$out" "set_ftrace_filter: 3 in all" "and counted"
# The kernel takes names: a function of the same name in another folder is traced as well.
fresh
put available_filter_functions 'load_balance\nload_balance\nvfs_read'
run "$KTRAIL" functions add path:kernel/sched/fair.c
like "$out" 'the kernel chooses by name, and 1 name is that of 2 functions of different files: load_balance$' \
	"names of several functions are reported" || note "$err"
fresh
put available_filter_functions 'load_balance\nload_balance\nvfs_read'
run "$KTRAIL" start -p function -l path:kernel/sched/fair.c -n vfs_read
is "$status:$err" "0:ktrail: the kernel chooses by name, and 1 name is that of 2 functions of different files: load_balance" \
	"also by start"
run "$KTRAIL" start -q -p function -l path:kernel/sched/fair.c
is "$status:$err" "0:" "but not with -q"
for p in kernel/sched/core.c:'schedule finish_task.isra.0' 'kernel/*/f*.c:load_balance' fs/ext4:'ext4_read ext4_write' \
	fs/:'vfs_read vfs_write ext4_read ext4_write' 'fs/*.c:vfs_read vfs_write ext4_read ext4_write'; do
	fresh
	run "$KTRAIL" functions -n add "path:${p%%:*}"
	is "$(tr '\n' ' ' <"$FAKE/set_ftrace_notrace")" "${p#*:} " "path:${p%%:*}" || note "$err"
done
fresh
run "$KTRAIL" functions add --module ext4 path:fs
file set_ftrace_filter $'ext4_read\next4_write' "a path within a module"
run "$KTRAIL" functions remove path:fs/ext4
like "$(get set_ftrace_filter)" $'!ext4_read\n!ext4_write' "remove accepts paths, too"
fresh
run "$KTRAIL" start -p function -l path:kernel/sched/fair.c
is "$status:$(get set_ftrace_filter)" "0:load_balance" "start -l accepts a path" || note "$err"
run "$KTRAIL" functions add path:kernel/shed
like "$status:$err" "^1:.*no function is defined in 'kernel/shed'" "a path that does not exist"
run "$KTRAIL" functions add path:include
like "$status:$err" "^1:.*no function is defined in 'include'" "functions that are only inlined have no code"
put available_filter_functions other
run "$KTRAIL" functions add path:kernel/sched
like "$status:$err" "^1:.*none of the 4 functions" "functions that cannot be traced"
done_testing
