/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_probe.c - definitions of probes, their places in programs, and their writes */
#include <ktrail/probe.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/tracefs.h>

#include "probe/elf.h"
#include "kt_test.h"
#include "probe/probe.h"

static char *line_of(const char *text)
{
	struct kt_err err = { 0 };
	struct kt_probe *p = kt_probe_parse(text, &err);
	char *line;

	CHECK_NO_ERR(&err);
	line = probe_line(p);
	kt_probe_destroy(p);
	return line;
}

static void check_lines(const char *const pairs[][2])
{
	for (; (*pairs)[0]; pairs++) {
		char *line = line_of((*pairs)[0]);

		assert_string_equal(line, (*pairs)[1]);
		free(line);
	}
}

TEST(the_kernels_spelling_stays_and_gets_the_kernels_name)
{
	static const char *const pairs[][2] = {
		{ "p:vfs_read vfs_read fd=%di:x64", "p:vfs_read vfs_read fd=%di:x64" },
		{ "p vfs_read", "p:p_vfs_read_0 vfs_read" },
		{ "p vfs_read+0x10 $stack0", "p:p_vfs_read_16 vfs_read+0x10 $stack0" },
		{ "r16:g/e vfs_read $retval", "r16:g/e vfs_read $retval" },
		{ "p:g/ vfs_read", "p:g/p_vfs_read_0 vfs_read" },
		{ "p:e vfs_read%return", "r:e vfs_read" },
		{ "f vfs_read", "f:vfs_read__entry vfs_read" },
		{ "f:e vfs_read%return $retval", "f:e vfs_read%return $retval" },
		{ "t sched_switch", "t:sched_switch sched_switch" },
		{ "e:g/e sched.sched_switch a=$prev_pid", "e:g/e sched.sched_switch a=$prev_pid" },
		{ "e sched/sched_switch if prev_pid > 3",
		  "e:sched_switch sched.sched_switch if prev_pid > 3" },
		{ "p ext4:ext4_map_blocks", "p:p_ext4_ext4_map_blocks_0 ext4:ext4_map_blocks" },
		{ NULL, NULL },
	};

	check_lines(pairs);
}

TEST(our_spelling_names_kind_function_arguments_and_types)
{
	static const char *const pairs[][2] = {
		{ "vfs_read", "p:vfs_read vfs_read" },
		{ "kprobe:vfs_read arg1:int n=arg3:size_t", "p:vfs_read vfs_read arg1=$arg1:s32 n=$arg3:u64" },
		{ "kretprobe:vfs_read retval:long", "r:vfs_read__return vfs_read retval=$retval:s64" },
		{ "fexit:vfs_read retval", "f:vfs_read__return vfs_read%return retval=$retval" },
		{ "g/e=fprobe:vfs_read file->f_mode", "f:g/e vfs_read file->f_mode" },
		{ "kprobe:do_sys_openat2 name=ustr(arg2) comm",
		  "p:do_sys_openat2 do_sys_openat2 name=+0($arg2):ustring comm=$comm" },
		{ "kprobe:do_sys_openat2 arg2:ustring", "p:do_sys_openat2 do_sys_openat2 arg2=+0($arg2):ustring" },
		{ "kprobe:f a=%si:string b=+0(%si):string c=arg1:symstr",
		  "p:f f a=+0(%si):string b=+0(%si):string c=$arg1:symstr" },
		{ "kretprobe:f retval:string", "r:f__return f retval=+0($retval):string" },
		{ "fprobe:f filename:string", "f:f f filename=filename:string" },
		{ "tracepoint:sched:sched_switch", "t:sched_switch sched_switch" },
		{ "eprobe:sched:sched_switch prev_pid c=next_comm:string if prev_pid > 3",
		  "e:sched_switch sched.sched_switch prev_pid=$prev_pid c=$next_comm:string if prev_pid > 3" },
		{ "kprobe:f a=+8(%di):x64[4] b=%si:b4@2/32", "p:f f a=+8(%di):x64[4] b=%si:b4@2/32" },
		{ NULL, NULL },
	};

	if (sizeof(long) == 8)
		check_lines(pairs);
}

TEST(each_mistake_in_a_definition_is_explained)
{
	static const struct { const char *text, *says; } bad[] = {
		{ "krpobe:x", "did you mean 'kprobe'?" },
		{ "kprobe:", "a place is expected here" },
		{ "p:", "a place is expected" },
		{ "p:1a/b x", "'1a' is not a valid name for a group" },
		{ "p:a/b-c x", "'b-c' is not a valid name for an event" },
		{ "kprobe:x a=arg1:u33", "no type 'u33', did you mean 'u32'?" },
		{ "kprobe:x a=arg1:", "a type is expected here" },
		{ "kprobe:x a=", "what to record is expected here" },
		{ "kprobe:x a=+0(arg1", "this parenthesis is never closed" },
		{ "kprobe:x a=arg1)", "this parenthesis was never opened" },
		{ "kprobe:x 1a=arg1 b-c=arg1", "'b-c' is not a valid name for an argument" },
		{ "kprobe:x retval", "use a return probe" },
		{ "kprobe:x;y", "';' does not belong to a kernel function" },
		{ "p16:a x", "only return probes take a number" },
		{ "eprobe:sched", "an event is expected here" },
		{ "uprobe:/nowhere", "a file and a symbol or offset are expected" },
		{ "uprobe:/proc/self/exe:main x=foo", "'foo' is unknown here" },
		{ "uretprobe:/proc/self/exe:main x=arg1",
		  "arguments are not known when a function returns" },
		{ "uprobe:/proc/self/exe:no_such_function_here", "no function 'no_such_function_here'" },
		{ "uprobe:/nowhere/at/all:x", "/nowhere/at/all" },
		{ "uprobe:no-such-program:x", "no program or library 'no-such-program'" },
		{ "uprobe:/etc/passwd:x", "not a valid ELF file" },
		{ "p:a b\nc", "one probe is one line" },
	};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct kt_err err = { 0 };

		if (kt_probe_parse(bad[i].text, &err))
			fail_msg("'%s' passes", bad[i].text);
		if (!strstr(err.msg, bad[i].says))
			fail_msg("'%s' says: %s", bad[i].text, err.msg);
	}
}

/* The offset must lead to this function: it is global and has a unique name */
int kt_probe_test_target(int x);
int kt_probe_test_target(int x)
{
	return x + 1;
}

TEST(a_symbol_leads_to_its_code_in_the_file)
{
	struct kt_err err = { 0 };
	uint64_t offset = 0;
	size_t size;
	char *path = ctl_elf_find("/proc/self/exe", &err), *file;

	CHECK_NO_ERR(&err);
	assert_int_equal(ctl_elf_offset(path, "kt_probe_test_target", &offset, &err), 0);
	file = kt_slurp(path, &size);
	assert_true(offset + 8 <= size);
	assert_memory_equal(file + offset, (const void *)kt_probe_test_target, 8);
	free(file);
	assert_int_equal(ctl_elf_offset(path, "kt_probe_test_targt", &offset, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "did you mean 'kt_probe_test_target'?"));
	free(path);
}

static const char list[] =
	"p:kprobes/vfs_read vfs_read fd=%di:x64\n"
	"r16:kprobes/ret vfs_read arg1=$retval\n"
	"p:uprobes/p_a_0x10 /tmp/a b:0x0000000000000010\n"
	"f:fprobes/x vfs_read%return\n"
	"e:eprobes/sw sched.sched_switch prev_pid=$prev_pid\n"
	"s:synthetic/lat u64 lat\n"
	"broken\np:\np:x\n";

TEST(the_kernels_list_is_read_and_what_is_no_probe_left_out)
{
	struct kt_probes *probes = probes_parse(list);

	assert_int_equal(probes->nr, 5);
	assert_int_equal(probes->at[0].kind, KT_PROBE_KPROBE);
	assert_string_equal(probes->at[0].args, "fd=%di:x64");
	assert_int_equal(probes->at[1].maxactive, 16);
	assert_int_equal(probes->at[1].kind, KT_PROBE_KRETPROBE);
	assert_int_equal(probes->at[2].kind, KT_PROBE_UPROBE);
	assert_int_equal(probes->at[3].kind, KT_PROBE_FEXIT);
	assert_string_equal(probes->at[3].place, "vfs_read");
	assert_string_equal(probes->at[4].place, "sched.sched_switch");
	assert_true(kt_probe_matches(&probes->at[0], "vfs_*"));
	assert_true(kt_probe_matches(&probes->at[0], "kprobes:vfs_read"));
	assert_true(kt_probe_matches(&probes->at[0], "*/vfs_read"));
	assert_false(kt_probe_matches(&probes->at[0], "uprobes:*"));
	kt_probes_destroy(probes);
}

static void fake_probes(void)
{
	kt_tracefs_set_dir(kt_fake_tracefs());
	kt_fake_set("dynamic_events", list);
	kt_fake_set("kprobe_events", "");
	kt_fake_set("kprobe_profile", "  vfs_read            12      3\n  ret       7     0\n");
	kt_fake_set("uprobe_profile", "  /tmp/a b p_a_0x10          99\n");
	kt_fake_set("events/kprobes/vfs_read/enable", "1\n");
	kt_fake_set("events/kprobes/ret/enable", "0\n");
	kt_fake_set("events/kprobes/ret/filter", "none\n");
	kt_fake_set("events/kprobes/ret/trigger", "# Available triggers:\n");
	kt_fake_set("instances/other/events/kprobes/vfs_read/enable", "1\n");
}

TEST(probes_are_read_with_hits_misses_and_use)
{
	struct kt_err err = { 0 };
	struct kt_instance *inst;
	struct kt_probes *probes;

	fake_probes();
	inst = kt_instance_open(NULL, 0, &err);
	probes = kt_probes_read(inst, &err);
	CHECK_NO_ERR(&err);
	assert_true(probes->at[0].enabled);
	assert_int_equal(probes->at[0].hits, 12);
	assert_int_equal(probes->at[0].misses, 3);
	assert_int_equal(probes->at[1].hits, 7);
	assert_false(probes->at[1].enabled);
	assert_int_equal(probes->at[2].hits, 99);
	assert_false(probes->at[3].counted);
	kt_probes_destroy(probes);
	kt_instance_close(inst, NULL);
}

TEST(a_probe_in_use_is_disabled_first_and_never_taken_from_others)
{
	struct kt_err err = { 0 };
	struct kt_instance *inst;
	struct kt_probes *probes;
	struct kt_instance *dry;
	const char *text;

	fake_probes();
	inst = kt_instance_open(NULL, 0, &err);
	probes = kt_probes_read(inst, &err);
	dry = kt_open_dry();
	assert_int_equal(kt_probe_remove(dry, &probes->at[0], "", false, &err), -EBUSY);
	assert_non_null(strstr(err.msg, "in use by the instance 'other'"));
	kt_instance_close(dry, NULL);

	kt_err_clear(&err);
	dry = kt_open_dry();
	assert_int_equal(kt_probe_remove(dry, &probes->at[0], "", true, &err), 0);
	assert_int_equal(kt_nr_lines(kt_instance_notes(dry)), 3);
	text = kt_instance_notes(dry);
	assert_non_null(strstr(text, "events/kprobes/vfs_read/enable\n"));
	assert_non_null(strstr(text, "instances/other/events/kprobes/vfs_read/enable\n"));
	assert_non_null(strstr(text, "echo -:kprobes/vfs_read >> "));
	assert_int_equal(kt_instance_commit(dry, &err), 0);
	assert_string_equal(kt_fake_get("instances/other/events/kprobes/vfs_read/enable"), "0");
	kt_instance_close(dry, NULL);

	/* Without kt_instance_keep(), closing restores the enables and the probe. */
	kt_probes_destroy(probes);
	assert_int_equal(kt_instance_close(inst, &err), 0);
	assert_string_equal(kt_fake_get("instances/other/events/kprobes/vfs_read/enable"), "1");
	assert_non_null(strstr(kt_fake_get("dynamic_events"),
			       "-:kprobes/vfs_read\np:kprobes/vfs_read vfs_read fd=%di:x64"));
}

TEST(names_that_are_taken_and_kinds_that_are_missing_are_refused)
{
	static const char *const taken[] = {
		"vfs_read=kprobe:vfs_read", "kprobes/vfs_read=kretprobe:vfs_write", "p:vfs_read vfs_read fd=%di:x64",
	};
	struct kt_err err = { 0 };
	struct kt_instance *inst;
	struct kt_probes *have;
	struct kt_instance *dry;
	struct kt_probe *p;
	size_t i;

	fake_probes();
	kt_fake_set("README", "p[:[<group>/][<event>]] <place>\n");
	inst = kt_instance_open(NULL, 0, &err);
	have = kt_probes_read(inst, &err);
	dry = kt_open_dry();

	for (i = 0; i < sizeof(taken) / sizeof(*taken); i++) {
		kt_err_clear(&err);
		p = kt_probe_parse(taken[i], &err);
		assert_int_equal(kt_probe_add(dry, p, have, &err), -EEXIST);
		kt_probe_destroy(p);
	}
	/* The name of an argument is not the name of an event. */
	kt_err_clear(&err);
	p = kt_probe_parse("kprobe:vfs_read count=arg3:u64", &err);
	assert_int_equal(kt_probe_add(dry, p, have, &err), 0);
	assert_string_equal(p->event, "vfs_read_1");
	kt_probe_destroy(p);

	p = kt_probe_parse("fprobe:vfs_read", &err);
	assert_int_equal(kt_probe_add(dry, p, have, &err), -ENOTSUP);
	assert_non_null(strstr(err.msg, "CONFIG_FPROBE_EVENTS"));
	kt_probe_destroy(p);

	kt_err_clear(&err);
	p = kt_probe_parse("uprobe:/proc/self/exe:0x10", &err);
	assert_int_equal(kt_probe_add(dry, p, have, &err), -ENOTSUP);
	assert_non_null(strstr(err.msg, "CONFIG_UPROBE_EVENTS"));
	kt_probe_destroy(p);

	kt_instance_close(dry, NULL);
	kt_probes_destroy(have);
	kt_instance_close(inst, NULL);
}

TEST(an_event_can_have_probes_at_several_places)
{
	struct kt_instance *inst;
	struct kt_probes *have;
	struct kt_instance *dry;
	struct kt_probe *p;
	const char *text;

	fake_probes();
	kt_fake_set("README", "p[:[<group>/][<event>]] <place>\n");
	kt_fake_set("dynamic_events", "p:kprobes/one vfs_read a=%di\np:kprobes/one vfs_write a=%di\n"
		    "p:kprobes/alone vfs_read\n");
	kt_fake_set("events/kprobes/one/trigger", "stacktrace:unlimited\n");
	inst = kt_instance_open(NULL, 0, NULL);
	have = kt_probes_read(inst, NULL);
	assert_true(have->at[0].shared && have->at[1].shared && !have->at[2].shared);

	dry = kt_open_dry();
	p = kt_probe_parse("p:one vfs_open a=%di", NULL);
	assert_int_equal(kt_probe_add(dry, p, have, NULL), 0);
	kt_probe_destroy(p);
	assert_int_equal(kt_instance_commit(dry, NULL), 0);
	kt_instance_close(dry, NULL);
	kt_instance_restore(inst, NULL);
	/* No other probe of the event is deleted with it */
	assert_non_null(strstr(kt_fake_get("dynamic_events"), "\np:one vfs_open a=%di\n-:kprobes/one vfs_open"));

	/* The same if a probe is deleted; its trigger is removed once */
	dry = kt_open_dry();
	assert_int_equal(kt_probe_remove(dry, &have->at[1], "", false, NULL), -EBUSY);
	assert_int_equal(kt_probe_remove(dry, &have->at[1], "", true, NULL), 0);
	assert_int_equal(kt_probe_remove(dry, &have->at[0], "", true, NULL), 0);
	assert_int_equal(kt_nr_lines(kt_instance_notes(dry)), 3);
	text = kt_instance_notes(dry);
	assert_non_null(strstr(text, "echo '!stacktrace' >> "));
	assert_non_null(strstr(text, "echo '-:kprobes/one vfs_write a=%di' >> "));
	assert_non_null(strstr(text, "echo '-:kprobes/one vfs_read a=%di' >> "));
	kt_instance_close(dry, NULL);
	kt_probes_destroy(have);
	kt_instance_close(inst, NULL);
}

TEST(a_dry_handle_enables_what_it_defines)
{
	struct kt_err err = { 0 };
	struct kt_probes have = { 0 };
	struct kt_instance *inst;
	struct kt_instance *dry;
	struct kt_probe *p;
	const char *text, *enable;

	fake_probes();
	kt_fake_set("README", "p[:[<group>/][<event>]] <place>\n");
	inst = kt_instance_open(NULL, 0, &err);
	dry = kt_open_dry();
	p = kt_probe_parse("vfs_write", &err);
	assert_int_equal(kt_probe_add(dry, p, &have, &err), 0);
	assert_int_equal(kt_probe_enable(dry, p, &err), 0);
	text = kt_instance_notes(dry);
	enable = strstr(text, "\necho 1 > ");
	assert_non_null(enable);
	assert_non_null(strstr(enable, "/events/kprobes/vfs_write/enable\n"));
	kt_probe_destroy(p);
	kt_instance_close(dry, NULL);
	kt_instance_close(inst, NULL);
}

TEST(what_keeps_a_probe_is_named)
{
	struct kt_probe probe = { .group = "kprobes", .event = "read" };
	struct kt_err err = { 0 };

	fake_probes();
	kt_fake_set("available_events", "sched:sched_switch\n");
	kt_fake_set("events/sched/sched_switch/trigger", "enable_event:kprobes:read2:unlimited\n"
		    "stacktrace:unlimited\n");
	kt_fake_set("instances/other/tracing_on", "1\n");
	kt_fake_set("instances/other/events/sched/sched_switch/trigger",
		    "disable_event:kprobes:read:count=3 if prev_pid == 1\n");
	kt_probe_explain_busy(&probe, &err);
	assert_string_equal(err.msg, "");
	kt_err_set(&err, -EBUSY, "no");
	kt_probe_explain_busy(&probe, &err);
	assert_string_equal(err.msg, "a trigger of sched:sched_switch in the instance 'other' switches "
			    "kprobes:read: no");
}

TEST(an_event_probe_is_checked_against_the_event_it_sits_on)
{
	static const struct { const char *text; const char *says; } bad[] = {
		{ "eprobe:sched:sched_switch prev_pod", "did you mean 'prev_pid'?" },
		{ "eprobe:sched:sched_switch prev_pid if prev_pod > 3", "did you mean 'prev_pid'?" },
		{ "eprobe:sched:sched_switch pif if prev_pod > 3", "did you mean 'prev_pid'?" },
		{ "eprobe:sched:sched_swich prev_pid", "sched:sched_switch" },
	};
	struct kt_err err = { 0 };
	struct kt_probes have = { 0 };
	struct kt_instance *inst;
	struct kt_instance *dry;
	struct kt_probe *p;
	size_t i;

	fake_probes();
	kt_fake_set("README", "e[:[<group>/][<event>]] <attached>\n");
	kt_fake_set("available_events", "sched:sched_switch\n");
	kt_fake_set("events/sched/sched_switch/format", "name: sched_switch\nID: 1\nformat:\n"
		    "\tfield:pid_t prev_pid;\toffset:8;\tsize:4;\tsigned:1;\n"
		    "\tfield:int pif;\toffset:12;\tsize:4;\tsigned:1;\n");
	inst = kt_instance_open(NULL, 0, &err);
	dry = kt_open_dry();
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		kt_err_clear(&err);
		p = kt_probe_parse(bad[i].text, &err);
		CHECK_NO_ERR(&err);
		assert_true(kt_probe_add(dry, p, &have, &err) < 0);
		if (!strstr(err.msg, bad[i].says))
			fail_msg("'%s' says: %s", bad[i].text, err.msg);
		kt_probe_destroy(p);
	}
	kt_instance_close(dry, NULL);
	kt_instance_close(inst, NULL);
}

TEST(notes_are_shell_that_reads_back_the_same)
{
	struct kt_err err = { 0 };
	struct kt_instance *inst;
	struct kt_instance *dry;
	const char *text;

	kt_tracefs_set_dir(kt_fake_tracefs());
	inst = kt_instance_open(NULL, 0, &err);
	dry = kt_open_dry();
	kt_instance_write(dry, "trace_clock", "it's $(nothing)", NULL);
	text = kt_instance_notes(dry);
	assert_non_null(strstr(text, "echo 'it'\\''s $(nothing)' > /"));
	kt_instance_close(dry, NULL);
	kt_instance_close(inst, NULL);
}

TEST(a_function_that_the_kernel_refused_is_named_with_the_nearest)
{
	struct kt_err err = { 0 };
	struct kt_probe *probe = kt_probe_parse("p:vfs_raed vfs_raed", &err);
	char line[256];
	bool known = false;
	FILE *f = fopen("/proc/kallsyms", "re");

	while (f && !known && fgets(line, sizeof(line), f))
		known = strstr(line, " vfs_read\n");
	if (f)
		fclose(f);
	CHECK_NO_ERR(&err);
	kt_err_set(&err, -ENOENT, "cannot write");
	kt_probe_explain(probe, &err);
	kt_probe_destroy(probe);
	if (!known)
		skip();
	assert_int_equal(err.code, -ENOENT);
	assert_non_null(strstr(err.msg, "no kernel function 'vfs_raed', did you mean 'vfs_read'?: cannot"));
}

TEST(a_function_that_cannot_be_probed_is_named)
{
	char dir[256];
	struct kt_err err = { 0 }, other = { 0 };
	struct kt_probe *probe;

	snprintf(dir, sizeof(dir), "%s/debug", kt_fake_tracefs());
	kt_fake_set("debug/kprobes/blacklist", "0xffffffff81000000-0xffffffff81000010\tvfs_reader\n"
		    "0xffffffff81000010-0xffffffff81000020\tvfs_read\n");
	setenv("KTRAIL_DEBUGFS", dir, 1);
	probe = kt_probe_parse("kprobe:vfs_read", NULL);
	kt_err_set(&err, -EINVAL, "cannot write");
	kt_probe_explain(probe, &err);
	kt_probe_destroy(probe);
	probe = kt_probe_parse("kprobe:vfs_write", NULL);
	kt_err_set(&other, -EINVAL, "cannot write");
	kt_probe_explain(probe, &other);
	kt_probe_destroy(probe);
	unsetenv("KTRAIL_DEBUGFS");
	assert_non_null(strstr(err.msg, "the kernel does not allow probes on 'vfs_read' ("));
	assert_null(strstr(other.msg, "nobody"));
}

int main(void)
{
	return RUN(unit(the_kernels_spelling_stays_and_gets_the_kernels_name),
		   unit(our_spelling_names_kind_function_arguments_and_types),
		   unit(each_mistake_in_a_definition_is_explained),
		   unit(a_symbol_leads_to_its_code_in_the_file),
		   unit(the_kernels_list_is_read_and_what_is_no_probe_left_out),
		   unit(probes_are_read_with_hits_misses_and_use),
		   unit(a_probe_in_use_is_disabled_first_and_never_taken_from_others),
		   unit(names_that_are_taken_and_kinds_that_are_missing_are_refused),
		   unit(an_event_can_have_probes_at_several_places),
		   unit(a_dry_handle_enables_what_it_defines),
		   unit(what_keeps_a_probe_is_named),
		   unit(an_event_probe_is_checked_against_the_event_it_sits_on),
		   unit(notes_are_shell_that_reads_back_the_same),
		   unit(a_function_that_the_kernel_refused_is_named_with_the_nearest),
		   unit(a_function_that_cannot_be_probed_is_named));
}
