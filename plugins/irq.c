/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* irq.c - interrupts, softirqs and tasklets by name */
#include <ktrail/plugin.h>

/* System vectors of x86. Source: Linux, arch/x86/include/asm/irq_vectors.h, 6.12. */
static const struct kt_name vectors[] = {
	{ 0xff, "spurious", 0 },       { 0xfe, "APIC error", 0 },    { 0xfd, "reschedule", 0 },
	{ 0xfc, "call function", 0 },  { 0xfb, "call function single", 0 },
	{ 0xfa, "thermal", 0 },        { 0xf9, "MCE threshold", 0 }, { 0xf8, "reboot", 0 },
	{ 0xf7, "platform IPI", 0 },   { 0xf6, "irq work", 0 },      { 0xf4, "deferred error", 0 },
	{ 0xf3, "hypervisor", 0 },     { 0xf2, "posted", 0 },        { 0xec, "local timer", 0 },
	{ 0, NULL, 0 },
};

static const struct kt_name handled[] = {
	{ 0, "not its device's", 0 }, { 1, "handled", 0 }, { 2, "handed to its thread", 0 },
	{ 0, NULL, 0 },
};

static const struct kt_table tables[] = {
	{ "vector", KT_TABLE_ENUM, vectors },
	{ "handled", KT_TABLE_ENUM, handled },
	{ NULL, 0, NULL },
};

static const struct kt_phrase phrases[] = {
	{ "irq/irq_handler_entry", "irq {irq} ({name}){*}" },
	{ "irq/irq_handler_exit", "irq {irq}: {ret|handled}{*}" },
	{ "irq/softirq_raise", "raises {vec|kernel}{*}" },
	{ "irq/softirq_entry", "{vec|kernel} begins{*}" },
	{ "irq/softirq_exit", "{vec|kernel} ends{*}" },
	{ "irq/tasklet_entry", "tasklet {func|symbol} begins{*}" },
	{ "irq/tasklet_exit", "tasklet {func|symbol} ends{*}" },
	{ "irq_vectors/vector_*",
	  "irq {irq} vector {vector|vector}{?cpu  CPU {cpu}}{?prev_vector , was {prev_vector} on "
	  "CPU {prev_cpu}}{?ret : {ret|errno}}{*}" },
	{ "irq_vectors/*_entry", "{vector|vector} (vector {vector|hex}) begins{*}" },
	{ "irq_vectors/*_exit", "{vector|vector} (vector {vector|hex}) ends{*}" },
	{ NULL, NULL },
};

static const char *const events[] = { "irq/*", "irq_vectors/*", NULL };

KT_PLUGIN(.name = "irq", .summary = "interrupts by name", .events = events,
	  .phrases = phrases, .tables = tables);
