/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_enums.c - enumerators that a print format leaves to the kernel are recorded */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/btf.h"
#include "kernel/kernel.h"
#include "kt_test.h"

#define KIND(k, nr) ((uint32_t)(k) << 24 | (nr))
#define BASE 0xffffea0000000000u

/* A kernel with "struct page" of 64 bytes, and its memory: vmemmap_base at 0x8010 */
static void fake_kernel(void)
{
	static const uint32_t types[] = { 1, KIND(4, 0), 64 };
	static const uint32_t head[] = { 0x0001eb9f, 24, 0, sizeof(types), sizeof(types), 6 };
	struct { Elf64_Ehdr head; Elf64_Phdr parts[2]; uint64_t data[4]; } kcore = {
		.head = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64 },
			  .e_phoff = sizeof(Elf64_Ehdr), .e_phnum = 2,
			  .e_phentsize = sizeof(Elf64_Phdr) },
		.parts = { { .p_type = PT_NOTE, .p_vaddr = 0x8000, .p_memsz = 4096 },
			   { .p_type = PT_LOAD, .p_vaddr = 0x8000, .p_memsz = 32,
			     .p_offset = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr) } },
		.data = { 1, 2, BASE, 3 },
	};
	struct str s = STR_INIT;

	str_addn(&s, (const char *)head, sizeof(head));
	str_addn(&s, (const char *)types, sizeof(types));
	str_addn(&s, "\0page", 6);
	kt_spill(kt_tmp("vmlinux"), s.buf, s.len);
	str_fini(&s);
	kt_spill(kt_tmp("proc/kallsyms"),
		 "0000000000008008 D vmemmap_base_not\n0000000000008010 D vmemmap_base\n", -1);
	kt_spill(kt_tmp("proc/kcore"), &kcore, sizeof(kcore));
}

/* Of events/kt/open/format: new */
static char *rewritten(const char *format, const char *dynamic_events)
{
	struct enums e = { .path = kt_tmp("vmlinux"), .proc = kt_tmp("proc") };
	struct str out = STR_INIT;

	e.dynamic_events = dynamic_events ? strdup(dynamic_events) : NULL;
	enums_to_numbers(&e, "kt/open/format", format, &out);
	enums_fini(&e);
	return str_take(&out);
}

#define IS(format, dynamic, want) do {					\
	char *have = rewritten(format, dynamic);			\
	assert_string_equal(have, want);				\
	free(have);							\
} while (0)

#define PAGE "\nprint fmt: \"page=%p\", REC->pfn != -1UL ? " \
	     "(((struct page *)vmemmap_base) + (REC->pfn)) : ((void *)0)\n"

TEST(the_address_of_a_page_is_that_of_the_kernel)
{
	fake_kernel();
	IS(PAGE, NULL, "\nprint fmt: \"page=%p\", REC->pfn != -1UL ? "
		       "((0xffffea0000000000UL) + 64 * (REC->pfn)) : ((void *)0)\n");
	/* hidden addresses, an address outside of kcore, a damaged kcore */
	kt_spill(kt_tmp("proc/kallsyms"), "0000000000000000 D vmemmap_base\n", -1);
	IS(PAGE, NULL, PAGE);
	kt_spill(kt_tmp("proc/kallsyms"), "0000000000009010 D vmemmap_base\n", -1);
	IS(PAGE, NULL, PAGE);
	kt_spill(kt_tmp("proc/kallsyms"), "0000000000008010 D vmemmap_base\n", -1);
	kt_spill(kt_tmp("proc/kcore"), "\x7f" "ELF", -1);
	IS(PAGE, NULL, PAGE);
}

TEST(jiffies_become_milliseconds)
{
	struct timespec tick;
	char want[100];

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) < 0 || tick.tv_nsec % 1000000)
		skip();
	snprintf(want, sizeof(want), "\nprint fmt: \"%%u\", %ld * (REC->w), jiffies_to_msecsx(1)\n",
		 tick.tv_nsec / 1000000);
	fake_kernel();
	IS("\nprint fmt: \"%u\", jiffies_to_msecs(REC->w), jiffies_to_msecsx(1)\n", NULL, want);
}

TEST(an_event_probe_shows_its_event)
{
	static const char events[] =
		"p:kt/open do_sys_open\ne:kt/opened a.b\n"
		"e:kt/open syscalls.sys_enter_openat n=+0($f)\n";

	fake_kernel();
	IS("\nprint fmt: \" n=%s\", REC->n\n", events,
	   "\nprint fmt: \"(syscalls.sys_enter_openat) n=%s\", REC->n\n");
	IS("\nprint fmt: \"\"\n", "e1:kt/open sched.sched_switch",
	   "\nprint fmt: \"(sched.sched_switch)\"\n");
	IS("\nprint fmt: \" n=%s\", REC->n\n", "e:kt/ope a.b\np:kt/open x\n",
	   "\nprint fmt: \" n=%s\", REC->n\n");
	IS("no print format", events, "no print format");
}

int main(void)
{
	return RUN(unit(the_address_of_a_page_is_that_of_the_kernel),
		   unit(jiffies_become_milliseconds),
		   unit(an_event_probe_shows_its_event));
}
