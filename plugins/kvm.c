/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kvm.c - why guests exit, and what they request */
#include <ktrail/plugin.h>

/* Source: Linux, arch/x86/include/uapi/asm/svm.h */
static const struct kt_name svm_exits[] = {
	{ 0x040, "exception 0", 0 }, { 0x041, "#DB", 0 }, { 0x043, "#BP", 0 }, { 0x046, "#UD", 0 },
	{ 0x04e, "#PF", 0 }, { 0x052, "#MC", 0 }, { 0x060, "interrupt", 0 }, { 0x061, "nmi", 0 },
	{ 0x062, "smi", 0 }, { 0x063, "init", 0 }, { 0x064, "vintr", 0 }, { 0x072, "cpuid", 0 },
	{ 0x073, "rsm", 0 }, { 0x074, "iret", 0 }, { 0x076, "invd", 0 }, { 0x077, "pause", 0 },
	{ 0x078, "hlt", 0 }, { 0x079, "invlpg", 0 }, { 0x07a, "invlpga", 0 }, { 0x07b, "io", 0 },
	{ 0x07c, "msr", 0 }, { 0x07d, "task_switch", 0 }, { 0x07f, "shutdown", 0 },
	{ 0x080, "vmrun", 0 }, { 0x081, "hypercall", 0 }, { 0x089, "wbinvd", 0 },
	{ 0x08a, "monitor", 0 }, { 0x08b, "mwait", 0 }, { 0x08d, "xsetbv", 0 }, { 0x400, "npf", 0 },
	{ 0x401, "avic_incomplete_ipi", 0 }, { 0x402, "avic_unaccelerated_access", 0 },
	{ 0x403, "vmgexit", 0 }, { (uint64_t)-1, "error", 0 }, { 0, NULL, 0 },
};

static const struct kt_table tables[] = {
	{ "svm", KT_TABLE_ENUM, svm_exits },
	{ NULL, 0, NULL },
};

/* The print format names Intel's exits first (isa 1): AMD's exits need a table. */
#define EXIT "{?isa=2 {exit_reason|svm}}{!isa=2 {exit_reason:0-15|kernel}}" \
	"{?exit_reason:16-31  [{exit_reason|hex}]} at rip {guest_rip|hex}, info {info1|hex} " \
	"{info2|hex}{*}"

static const struct kt_phrase phrases[] = {
	{ "kvm/kvm_exit", "vcpu {vcpu_id} exits: " EXIT },
	{ "kvm/kvm_exit", "exits: {exit_reason|kernel} at rip {guest_rip|hex}{*}" },
	{ "kvm/kvm_nested_vmexit", "vcpu {vcpu_id} nested guest exits: " EXIT },
	{ "kvm/kvm_nested_vmexit",
	  "nested guest exits: {exit_reason|kernel} at rip {guest_rip|hex}{*}" },
	{ "kvm/kvm_entry",
	  "vcpu {vcpu_id} enters at rip {rip|hex}{?immediate_exit , to exit at once}{*}" },
	{ "kvm/kvm_entry", "vcpu {vcpu_id} enters{?rip  at rip {rip|hex}}{*}" },
	{ "kvm/kvm_userspace_exit", "to user space: {reason|kernel}{?errno : {errno|errno}}{*}" },
	{ "kvm/kvm_page_fault",
	  "vcpu {vcpu_id} faults on {fault_address|hex} at rip {guest_rip|hex}, error "
	  "{error_code|hex}{*}" },
	{ "kvm/kvm_mmio", "{type|kernel} of {len|bytes} at {gpa|hex}, value {val|hex}{*}" },
	{ "kvm/kvm_pio", "{?rw writes}{!rw reads} port {port|hex}, {count} times {size|bytes}, "
	  "value {val|hex}{*}" },
	{ "kvm/kvm_msr",
	  "{?write writes}{!write reads} MSR {ecx|hex}: {data|hex}{?exception  (#GP)}{*}" },
	{ "kvm/kvm_cr", "{?rw writes}{!rw reads} CR{cr}: {val|hex}{*}" },
	{ "kvm/kvm_cpuid",
	  "cpuid {function|hex}.{index|hex}: {rax|hex} {rbx|hex} {rcx|hex} {rdx|hex}{!found , not "
	  "found}{?used_max_basic , used the largest basic one}{*}" },
	{ "kvm/kvm_hypercall", "hypercall {nr}({a0|hex}, {a1|hex}, {a2|hex}, {a3|hex}){*}" },
	{ "kvm/kvm_inj_virq", "injects {?soft soft }interrupt {vector}{?reinjected  again}{*}" },
	{ "kvm/kvm_inj_exception", "injects {exception|kernel}{?has_error  ({error_code|hex})}"
	  "{?reinjected  again}{*}" },
	{ "kvm/kvm_set_irq", "line {gsi} to level {level}, source {irq_source_id}{*}" },
	{ "kvm/kvm_apic", "APIC {?rw write}{!rw read} {reg|kernel}: {val|hex}{*}" },
	{ "kvm/kvm_eoi", "APIC {apicid} ends interrupt {vector}{*}" },
	{ "kvm/kvm_pv_eoi", "APIC {apicid} ends interrupt {vector}{*}" },
	{ "kvm/kvm_ack_irq", "{irqchip|kernel} pin {pin} acknowledged{*}" },
	{ "kvm/kvm_vcpu_wakeup",
	  "{?waited waited}{!waited polled} {ns|time}{!valid  (no work)}{*}" },
	{ "kvm/kvm_halt_poll_ns",
	  "vcpu {vcpu_id} polls {new|time}, {?grow grown}{!grow shrunk} from {old|time}{*}" },
	{ "kvm/kvm_fpu", "{load|kernel} the FPU{*}" },
	{ "kvm/kvm_write_tsc_offset", "vcpu {vcpu_id} TSC offset {next_tsc_offset}, had "
	  "{previous_tsc_offset}{*}" },
	{ NULL, NULL },
};

static const struct kt_column columns[] = {
	{ "halted", "kvm/kvm_vcpu_wakeup", KT_COLUMN_TIME_NS, "ns", "time the guest slept" },
	{ NULL, NULL, 0, NULL, NULL },
};

static const char *const events[] = { "kvm/*", NULL };

KT_PLUGIN(.name = "kvm", .summary = "exits of guests and their reasons", .events = events,
	  .phrases = phrases, .tables = tables, .columns = columns);
