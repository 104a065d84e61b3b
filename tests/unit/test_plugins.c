/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plugins.c - what each shipped plugin says of events of a Debian 6.12 kernel */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/event.h>

#include "base/out.h"
#include "kt_formats.h"
#include "kt_test.h"
#include "plug/plug.h"

/* Parsing a format that it refuses costs libtraceevent two bytes. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:tep_parse_format";
}

/* "x86_64" where a test says nothing else */
static const char *machine;

static const char kallsyms[] =
	"ffffffff81000000 T tick_nohz_handler\n"
	"ffffffff81001000 T vfs_read\n"
	"ffffffff81002000 t work_fn\t[mod]\n"
	"ffffffff81003000 T the_end\n";

static struct kt_symbols *symbols;
static struct kt_events *events;
static struct kt_plugins *plugins;
static struct plug_view *view;

static int get_symbol(void *ctx, uint64_t addr, struct kt_symbol *sym)
{
	(void)ctx;
	return kt_symbols_find(symbols, addr, sym);
}

static int get_pid(void *ctx, const struct kt_record *rec)
{
	return kt_record_pid(ctx, rec);
}

static int get_cpu(void *ctx, const struct kt_record *rec)
{
	(void)ctx;
	(void)rec;
	return 3;
}

static const char *get_comm(void *ctx, int pid)
{
	(void)ctx;
	return pid == 7 ? "sh" : "<...>";
}

static const char *get_machine(void *ctx)
{
	(void)ctx;
	return machine;
}

static const struct plug_model model = {
	.field_u64 = kt_field_u64, .field_bytes = kt_field_bytes, .field_elem = kt_field_elem,
	.symbol = get_symbol, .pid = get_pid, .cpu = get_cpu, .comm = get_comm,
	.machine = get_machine,
};

static struct kt_formats formats;

static int start(void **state)
{
	struct kt_err err = { 0 };
	char dir[4096];

	(void)state;
	machine = "x86_64";
	assert_non_null(realpath(getenv("B") ? getenv("B") : "build", dir));
	strcat(dir, "/plugins");
	setenv("KTRAIL_PLUGIN_DIR", dir, 1);
	setenv("HOME", "/nonexistent", 1);
	formats = kt_formats_of_file("tests/data/formats-6.12.zst");
	assert_true(formats.nr > 0);
	symbols = kt_symbols_create(NULL, &err);
	kt_symbols_add_text(symbols, kallsyms, strlen(kallsyms), &err);
	events = kt_formats_events(&formats, symbols, false);
	plugins = kt_plugins_open(NULL, &err);
	CHECK_NO_ERR(&err);
	view = plug_view_create(plugins, &model, events);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	plug_view_destroy(view);
	kt_plugins_close(plugins);
	kt_events_destroy(events);
	kt_symbols_destroy(symbols);
	kt_formats_free(&formats);
	return 0;
}

/* ---- records made of "field=value …"; text has no blanks, lists have commas ---- */

struct made {
	uint8_t bytes[8192];
	uint32_t used;
};

static void put(struct made *m, uint32_t at, uint32_t size, uint64_t value)
{
	assert_true(at + size <= sizeof(m->bytes));
	memcpy(m->bytes + at, &value, size < 8 ? size : 8);
}

static void put_text(struct made *m, const struct kt_field *f, const char *text, size_t len)
{
	if (!(f->flags & KT_FIELD_DYNAMIC)) {
		assert_true(f->offset + len < sizeof(m->bytes));
		memcpy(m->bytes + f->offset, text, len);
		if (m->used < f->offset + len + 1)
			m->used = f->offset + len + 1;
		return;
	}
	put(m, f->offset, 4, m->used | (uint32_t)(len + 1) << 16);
	memcpy(m->bytes + m->used, text, len);
	m->used += len + 1;
}

static void put_list(struct made *m, const struct kt_field *f, const char *text)
{
	uint32_t at = f->offset;
	char *end;

	for (;; text = end + 1, at += f->elem_size) {
		put(m, at, f->elem_size, strtoull(text, &end, 0));
		if (*end != ',')
			break;
	}
	if (m->used < at + f->elem_size)
		m->used = at + f->elem_size;
}

static void put_field(struct made *m, const struct kt_event *ev, const char *word, size_t len)
{
	const char *equals = memchr(word, '=', len);
	const struct kt_field *f = plug_field(ev, word, equals - word);

	if (!f)
		fail_msg("%s has no field %.*s", ev->name, (int)(equals - word), word);
	equals++;
	if (f->flags & KT_FIELD_ARRAY && memchr(equals, ',', word + len - equals))
		put_list(m, f, equals);		/* libtraceevent takes __u8[4] for text */
	else if (f->flags & KT_FIELD_STRING)
		put_text(m, f, equals, word + len - equals);
	else if (f->flags & KT_FIELD_ARRAY)
		put_list(m, f, equals);
	else if (*equals == '-')
		put(m, f->offset, f->size, (uint64_t)strtoll(equals, NULL, 0));
	else
		put(m, f->offset, f->size, strtoull(equals, NULL, 0));
}

static struct kt_record make(struct made *m, const struct kt_event *ev, const char *fields)
{
	size_t i, len;

	memset(m, 0, sizeof(*m));
	for (i = 0; i < ev->nr_fields; i++)
		if (m->used < ev->fields[i].offset + ev->fields[i].size)
			m->used = ev->fields[i].offset + ev->fields[i].size;
	put(m, 0, 2, ev->id);
	put(m, 4, 4, 7);
	for (; *fields; fields += len + (fields[len] == ' ')) {
		len = strcspn(fields, " ");
		put_field(m, ev, fields, len);
	}
	return (struct kt_record) { .data = m->bytes, .size = m->used, .type = ev->id, .ts = 1000 };
}

struct sample {
	const char *event, *fields, *text;
};

/* The text of a record; NULL: no plugin has one. New. */
static char *text_of(const char *name, const char *fields)
{
	const char *slash = strchr(name, '/');
	char system[64];
	const struct kt_event *ev;
	struct kt_out *out = kt_out_create();
	struct kt_record rec;
	struct made m;
	char *text = NULL;

	snprintf(system, sizeof(system), "%.*s", (int)(slash - name), name);
	ev = kt_events_by_name(events, system, slash + 1);
	if (!ev)
		fail_msg("this kernel has no %s", name);
	rec = make(&m, ev, fields);
	if (plug_format(view, ev, &rec, out))
		text = strdup(kt_out_data(out));
	else
		assert_int_equal(kt_out_len(out), 0);
	kt_out_destroy(out);
	return text;
}

static void check(const struct sample *s, size_t nr)
{
	char *text;

	for (; nr--; s++) {
		text = text_of(s->event, s->fields);
		if (!text || strcmp(text, s->text))
			fail_msg("%s\nhave %s\nwant %s", s->event, text ? text : "nothing", s->text);
		free(text);
	}
	if (kt_plugins_complaint(plugins, 0))
		fail_msg("%s", kt_plugins_complaint(plugins, 0));
}

#define CHECK(...) \
	do { \
		static const struct sample samples[] = { __VA_ARGS__ }; \
		check(samples, sizeof(samples) / sizeof(samples[0])); \
	} while (0)

TEST(sched_tells_who_runs_and_who_waits)
{
	CHECK({ "sched/sched_switch", "prev_comm=sh prev_pid=7 prev_prio=120 prev_state=1 next_comm=cat "
		"next_pid=8 next_prio=98", "sh:7 [120] sleeping -> cat:8 [98]" },
	      { "sched/sched_switch", "prev_comm=sh prev_pid=7 prev_prio=120 prev_state=0x100 "
		"next_comm=cat next_pid=8 next_prio=98", "sh:7 [120] running|preempted -> cat:8 [98]" },
	      { "sched/sched_waking", "comm=sh pid=7 prio=120 target_cpu=2",
		"wakes sh:7 [120] for CPU 2" },
	      { "sched/sched_migrate_task", "comm=sh pid=7 prio=120 orig_cpu=1 dest_cpu=2",
		"sh:7 [120] moves from CPU 1 to CPU 2" },
	      { "sched/sched_stat_runtime", "comm=sh pid=7 runtime=4423505", "sh:7 ran 4.423 ms" },
	      { "sched/sched_stat_wait", "comm=sh pid=7 delay=850", "sh:7 waited for a CPU 850 ns" },
	      { "sched/sched_process_exec", "filename=/bin/sh pid=7 old_pid=7", "7 executes /bin/sh" },
	      { "sched/sched_process_fork", "parent_comm=sh parent_pid=7 child_comm=sh child_pid=8",
		"sh:7 forks sh:8" },
	      { "sched/sched_process_wait", "comm=sh", "sh waits for 0 (any child)" });
}

TEST(irq_tells_interrupts_by_name)
{
	CHECK({ "irq/irq_handler_entry", "irq=24 name=eth0", "irq 24 (eth0)" },
	      { "irq/irq_handler_exit", "irq=24 ret=0", "irq 24: not its device's" },
	      { "irq/softirq_entry", "vec=3", "NET_RX begins" },
	      { "irq/softirq_raise", "vec=77", "raises 77" },
	      { "irq/tasklet_entry", "func=0xffffffff81001010", "tasklet vfs_read+0x10 begins" },
	      { "irq_vectors/local_timer_entry", "vector=236", "local timer (vector 0xec) begins" },
	      { "irq_vectors/reschedule_exit", "vector=253", "reschedule (vector 0xfd) ends" },
	      { "irq_vectors/vector_config", "irq=24 vector=33 cpu=1", "irq 24 vector 33 CPU 1" });
}

TEST(timer_tells_functions_clocks_and_what_is_left)
{
	CHECK({ "timer/hrtimer_init", "hrtimer=0x1000 clockid=7 mode=5",
		"0x1000 on CLOCK_BOOTTIME, relative|soft" },
	      { "timer/hrtimer_start", "function=0xffffffff81000000 expires=18888000000 mode=0",
		"tick_nohz_handler at 18.888000000, absolute" },
	      { "timer/hrtimer_start", "function=0xffffffff81000000 expires=1 mode=2 was_armed=1",
		"tick_nohz_handler at 0.000000001, absolute|pinned, was armed" },
	      { "timer/hrtimer_expire_entry", "function=0xffffffff81000000 now=5000000001",
		"tick_nohz_handler fires at 5.000000001" },
	      { "timer/timer_start", "function=0xffffffff81001000 expires=4294896933 now=4294896932 "
		"flags=0x8001", "vfs_read in 1 jiffy on CPU 32769" },
	      { "timer/itimer_expire", "which=2 pid=7", "ITIMER_PROF of sh:7 fires" },
	      { "timer/tick_stop", "success=0 dependency=4", "the tick stays: SCHED" });
}

TEST(block_tells_sizes_and_directions)
{
	CHECK({ "block/block_rq_issue", "dev=0x800010 sector=2048 nr_sector=8 bytes=4096 rwbs=WS "
		"comm=sh cmd=", "write sync 4 KiB at sector 2048 of 8:16" },
	      { "block/block_rq_complete", "dev=0x800010 sector=2048 nr_sector=3 error=-5 rwbs=FWF cmd=",
		"flush write fua 1536 B at sector 2048 of 8:16: -EIO" },
	      { "block/block_bio_remap", "dev=0x800000 sector=10 nr_sector=8 old_dev=0x800001 rwbs=R",
		"read 4 KiB at sector 10 of 8:0, from 8:1" },
	      { "block/block_unplug", "nr_rq=5 comm=sh", "submits 5 requests" });
}

TEST(kmem_tells_callers_sizes_and_flags)
{
	CHECK({ "kmem/kmalloc", "call_site=0xffffffff81001020 ptr=0xffff888000001000 bytes_req=1000 "
		"bytes_alloc=1024 gfp_flags=0xcc0",
		"vfs_read+0x20 gets 1 KiB for 1000 B at 0xffff888000001000 GFP_KERNEL" },
	      { "kmem/kfree", "call_site=0xffffffff81001020", "vfs_read+0x20 frees NULL" },
	      { "kmem/mm_page_free", "pfn=0x1234 order=2", "page 0x1234 of order 2" },
	      { "kmem/rss_stat", "member=1 curr=1 size=8192", "MM_ANONPAGES is 8 KiB" });
}

TEST(workqueue_tells_functions_and_queues)
{
	CHECK({ "workqueue/workqueue_queue_work", "function=0xffffffff81002000 workqueue=events "
		"req_cpu=2 cpu=2", "work_fn [mod] queued on events for CPU 2 (asked for)" },
	      { "workqueue/workqueue_execute_start", "function=0xffffffff81002000",
		"work_fn [mod] begins" });
}

TEST(task_signal_and_power_use_words)
{
	CHECK({ "task/task_newtask", "pid=9 comm=sh clone_flags=0x3d0f00",
		"new sh:9 shares VM|FS|FILES|SIGHAND|THREAD|SYSVSEM|SETTLS|PARENT_SETTID|CHILD_CLEARTID" },
	      { "task/task_rename", "pid=9 oldcomm=sh newcomm=cat", "9 sh is now cat" },
	      { "signal/signal_generate", "sig=15 code=0 comm=cat pid=9 group=1 result=0",
		"SIGTERM for cat:9 (process) from kill: delivered" },
	      { "signal/signal_generate", "sig=34 code=-6 comm=cat pid=9 group=0 result=1",
		"signal 34 for cat:9 from tkill: ignored" },
	      { "signal/signal_deliver", "sig=11 code=0x80 sa_handler=0",
		"SIGSEGV from the kernel: default action" },
	      { "signal/signal_deliver", "sig=11 code=1 sa_handler=0x4000",
		"SIGSEGV from 1: 0x4000" },
	      { "power/cpu_idle", "state=2 cpu_id=1", "CPU 1 enters idle state 2" },
	      { "power/cpu_idle", "state=0xffffffff cpu_id=1", "CPU 1 leaves idle" },
	      { "power/cpu_frequency", "state=2400500 cpu_id=1", "CPU 1 runs at 2400.500 MHz" },
	      { "power/cpu_idle_miss", "state=2 cpu_id=1 below=1",
		"CPU 1 chose idle state 2, too deep" });
}

TEST(net_tells_protocols_and_addresses)
{
	CHECK({ "net/net_dev_queue", "skbaddr=0x1000 len=1500 name=eth0",
		"eth0 queues 1500 B, skb 0x1000" },
	      { "net/net_dev_xmit", "len=1500 rc=-105 name=eth0", "eth0 sent 1500 B: -ENOBUFS, skb NULL" },
	      { "net/netif_receive_skb_entry", "name=eth0 protocol=0x86dd len=64",
		"eth0 received 64 B of IPv6, skb NULL" },
	      { "napi/napi_poll", "dev_name=eth0 work=3 budget=64", "eth0: 3 of at most 64 packets" },
	      { "skb/kfree_skb", "location=0xffffffff81001000 protocol=2048 reason=3",
		"drops a packet of IPv4 in vfs_read: NO_SOCKET" },
	      { "sock/inet_sock_set_state", "oldstate=2 newstate=1 sport=40000 dport=443 family=2 "
		"protocol=6 saddr=10,0,0,1 daddr=192,168,1,2",
		"10.0.0.1:40000 -> 192.168.1.2:443 TCP: SYN_SENT -> ESTABLISHED" },
	      { "tcp/tcp_retransmit_skb", "state=1 sport=1 dport=2 family=10 "
		"saddr_v6=0xfe,0x80,0,0,0,0,0,0,0,0,0,0,0,0,0,1 daddr_v6=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1",
		"[fe80::1]:1 -> [::1]:2 sends again in ESTABLISHED" });
}

TEST(kvm_tells_exits_of_both_vendors)
{
	CHECK({ "kvm/kvm_exit", "exit_reason=12 guest_rip=0x1000 isa=1 vcpu_id=2",
		"vcpu 2 exits: HLT at rip 0x1000, info 0x0 0x0" },
	      { "kvm/kvm_exit", "exit_reason=0x78 guest_rip=0x1000 isa=2 vcpu_id=2 info1=5",
		"vcpu 2 exits: hlt at rip 0x1000, info 0x5 0x0" },
	      { "kvm/kvm_entry", "vcpu_id=2 rip=0x1000", "vcpu 2 enters at rip 0x1000" },
	      { "kvm/kvm_msr", "write=1 ecx=0x10 data=0x20", "writes MSR 0x10: 0x20" },
	      { "kvm/kvm_pio", "rw=0 port=0x3f8 size=1 count=1 val=0x41",
		"reads port 0x3f8, 1 times 1 bytes, value 0x41" },
	      { "kvm/kvm_apic", "rw=1 reg=0x20 val=1", "APIC write APIC_ID: 0x1" },
	      { "kvm/kvm_mmio", "type=2 len=4 gpa=0xfee00000 val=3",
		"write of 4 bytes at 0xfee00000, value 0x3" });
}

TEST(syscalls_have_names_flags_and_errors)
{
	CHECK({ "syscalls/sys_enter_openat", "dfd=0xffffff9c filename=0x1000 flags=0x80241 mode=0644",
		"openat(dfd: AT_FDCWD, filename: 0x1000, flags: O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC, "
		"mode: 0644)" },
	      { "syscalls/sys_exit_openat", "ret=-2", "openat = -ENOENT" },
	      { "syscalls/sys_exit_openat", "ret=3", "openat = 3" },
	      { "syscalls/sys_enter_mmap", "addr=0 len=8192 prot=3 flags=0x22 fd=0xffffffff off=0",
		"mmap(addr: 0, len: 8192, prot: PROT_READ|PROT_WRITE, flags: MAP_PRIVATE|MAP_ANONYMOUS, "
		"fd: -1, off: 0)" },
	      { "syscalls/sys_exit_mmap", "ret=0x7f0000000000", "mmap = 0x7f0000000000" },
	      { "syscalls/sys_enter_futex", "uaddr=0x1000 op=0x181 val=1",
		"futex(uaddr: 0x1000, op: FUTEX_WAKE|FUTEX_PRIVATE_FLAG|FUTEX_CLOCK_REALTIME, val: 1, "
		"utime: NULL, uaddr2: NULL, val3: 0)" },
	      { "syscalls/sys_enter_clone", "clone_flags=0x1200011",
		"clone(clone_flags: CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD, newsp: 0, "
		"parent_tidptr: NULL, child_tidptr: NULL, tls: 0)" },
	      { "syscalls/sys_enter_kill", "pid=7 sig=9", "kill(pid: 7, sig: SIGKILL)" },
	      { "raw_syscalls/sys_enter", "id=257 args=0xffffff9c,0x1000,0x80000,0,0,0",
		"openat(0xffffff9c, 0x1000, O_RDONLY|O_CLOEXEC, 0, 0, 0)" },
	      { "raw_syscalls/sys_exit", "id=0 ret=-11", "read = -EAGAIN" },
	      { "raw_syscalls/sys_exit", "id=9999 ret=0", "syscall 9999 = 0" });
}

TEST(syscalls_are_known_for_each_machine)
{
	static const struct {
		const char *machine, *fields, *text;
	} s[] = {
		{ "i686", "id=5 ret=3", "open = 3" },        { "aarch64", "id=56 ret=3", "openat = 3" },
		{ "riscv64", "id=56 ret=3", "openat = 3" },  { "loongarch64", "id=63 ret=3", "read = 3" },
		{ "armv7l", "id=322 ret=3", "openat = 3" },  { "ppc64le", "id=286 ret=3", "openat = 3" },
		{ "s390x", "id=288 ret=3", "openat = 3" },   { "mips", "id=4288 ret=3", "openat = 3" },
		{ "mips64", "id=5247 ret=3", "openat = 3" }, { "mips64", "id=3 ret=3", "syscall 3 = 3" },
		{ "x86_64", "id=462 ret=0", "mseal = 0" },   { "", "id=1 ret=0", "syscall 1 = 0" },
	};
	size_t i;
	char *text;

	for (i = 0; i < sizeof(s) / sizeof(s[0]); i++) {
		machine = s[i].machine;
		text = text_of("raw_syscalls/sys_exit", s[i].fields);
		assert_string_equal(text, s[i].text);
		free(text);
	}
	machine = "aarch64";
	text = text_of("raw_syscalls/sys_enter", "id=56 args=3,0x1000,040000,0,0,0");
	assert_string_equal(text, "openat(3, 0x1000, O_RDONLY|O_DIRECTORY, 0, 0, 0)");
	free(text);
	machine = "mips64";
	text = text_of("raw_syscalls/sys_enter", "id=5247 args=3,0x1000,0x100,0,0,0");
	assert_string_equal(text, "openat(3, 0x1000, 256, 0, 0, 0)");
	free(text);
	machine = "x86_64";
}

TEST(tracers_of_latency_tell_times)
{
	CHECK({ "ftrace/osnoise", "noise=5000 runtime=1000000000 max_sample=4000 hw_count=1 nmi_count=2 "
		"irq_count=3 softirq_count=4 thread_count=5", "noise 5.000 us in 1.000 s, longest 4.000 us: "
		"1 hardware, 2 NMI, 3 irq, 4 softirq, 5 thread" },
	      { "ftrace/timerlat", "seqnum=3 context=1 timer_latency=12345",
		"timer 3: thread after 12.345 us" },
	      { "ftrace/hwlat", "duration=12 outer_duration=13 count=2",
		"gap of 12.000 us inside, 13.000 us outside of the loop, 2 times" });
}

TEST(function_graph_and_print_stand_alone)
{
	CHECK({ "ftrace/funcgraph_entry", "func=0xffffffff81001000 depth=2", "    vfs_read() {" },
	      { "ftrace/funcgraph_exit", "func=0xffffffff81001000 depth=1 calltime=1000 rettime=151000",
		"  } ! 150.000 us /* vfs_read */" },
	      { "ftrace/print", "ip=0xffffffff81001000 buf=hello", "hello" },
	      { "ftrace/raw_data", "id=0x2a buf=abcdef", "id 0x2a, 7 bytes: 61626364 656600 |abcdef.|" });
}

TEST(columns_give_numbers)
{
	static const struct {
		const char *event, *fields, *column;
		uint64_t value;
	} s[] = {
		{ "sched/sched_stat_runtime", "runtime=4423505", "runtime", 4423505 },
		{ "block/block_rq_issue", "nr_sector=8 rwbs=R cmd=", "bytes", 4096 },
		{ "kmem/kmalloc", "bytes_alloc=64", "bytes", 64 },
		{ "ftrace/funcgraph_exit", "calltime=5 rettime=12", "duration", 7 },
		{ "ftrace/hwlat", "duration=3 outer_duration=2", "latency", 3000 },
		{ "ftrace/timerlat", "timer_latency=9", "latency", 9 },
	};
	const struct kt_event *ev;
	struct kt_record rec;
	struct made m;
	uint64_t value;
	char system[64];
	size_t i;

	for (i = 0; i < sizeof(s) / sizeof(s[0]); i++) {
		snprintf(system, sizeof(system), "%.*s", (int)strcspn(s[i].event, "/"), s[i].event);
		ev = kt_events_by_name(events, system, strchr(s[i].event, '/') + 1);
		rec = make(&m, ev, s[i].fields);
		assert_int_equal(plug_column(view, ev, &rec, s[i].column, &value), 0);
		assert_int_equal(value, s[i].value);
		assert_true(plug_column(view, ev, &rec, "nope", &value) < 0);
	}
}

/* Each event of the kernel, with boundary values, whole and cut at every length. */
TEST(no_record_makes_a_plugin_crash_or_complain)
{
	struct kt_out *out = kt_out_create();
	uint8_t *buf = malloc(65536), *copy;
	unsigned int seed;
	size_t i, nr = 0;

	for (i = 0; i < kt_events_nr(events); i++) {
		const struct kt_event *ev = kt_events_at(events, i);

		for (seed = 0; ev && seed < 6; seed++) {
			struct kt_record rec = kt_formats_record(ev, seed, false, buf);

			rec.type = ev->id;
			if (seed >= 3)
				rec.size = rec.size * (seed - 3) / 3;
			copy = malloc(rec.size ? rec.size : 1);	/* its own block: reading past it shows */
			memcpy(copy, rec.data, rec.size);
			rec.data = copy;
			kt_out_reset(out);
			nr += plug_format(view, ev, &rec, out);
			free(copy);
		}
	}
	assert_true(nr > 3000);
	free(buf);
	kt_out_destroy(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		unit(sched_tells_who_runs_and_who_waits),
		unit(irq_tells_interrupts_by_name),
		unit(timer_tells_functions_clocks_and_what_is_left),
		unit(block_tells_sizes_and_directions),
		unit(kmem_tells_callers_sizes_and_flags),
		unit(workqueue_tells_functions_and_queues),
		unit(task_signal_and_power_use_words),
		unit(net_tells_protocols_and_addresses),
		unit(kvm_tells_exits_of_both_vendors),
		unit(syscalls_have_names_flags_and_errors),
		unit(syscalls_are_known_for_each_machine),
		unit(tracers_of_latency_tell_times),
		unit(function_graph_and_print_stand_alone),
		unit(columns_give_numbers),
		unit(no_record_makes_a_plugin_crash_or_complain),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
