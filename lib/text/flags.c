/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* flags.c - show common_flags of a record with the letters of the kernel's trace file */
#include "text/text.h"

#include <string.h>

#include "base/num.h"

/* Source: Linux 6.14, kernel/trace/trace_output.c, trace_print_lat_fmt() */
enum {
	FLAG_IRQS_OFF = 0x01, FLAG_LAZY = 0x02, FLAG_RESCHED = 0x04, FLAG_HARDIRQ = 0x08,
	FLAG_SOFTIRQ = 0x10, FLAG_PREEMPT = 0x20, FLAG_NMI = 0x40, FLAG_BH_OFF = 0x80,
};

static char irqs_letter(unsigned int flags)
{
	if (flags & FLAG_IRQS_OFF)
		return flags & FLAG_BH_OFF ? 'D' : 'd';
	return flags & FLAG_BH_OFF ? 'b' : '.';
}

static char resched_letter(unsigned int flags)
{
	/* bit 0: lazily, bit 1: at once, bit 2: on preemption */
	static const char letters[8] = { '.', 'l', 'n', 'b', 'p', 'L', 'N', 'B' };

	return letters[(flags & FLAG_LAZY ? 1 : 0) | (flags & FLAG_RESCHED ? 2 : 0) |
		       (flags & FLAG_PREEMPT ? 4 : 0)];
}

static char context_letter(unsigned int flags)
{
	if (flags & FLAG_NMI)
		return flags & FLAG_HARDIRQ ? 'Z' : 'z';
	if (flags & FLAG_HARDIRQ)
		return flags & FLAG_SOFTIRQ ? 'H' : 'h';
	return flags & FLAG_SOFTIRQ ? 's' : '.';
}

static char hex_or_dot(unsigned int v)
{
	return v ? "0123456789abcdef"[v & 15] : '.';
}

/* Flags that trace-cmd does not know (NMI, soft interrupts off, most kinds of resched) are dots. */
static void put_as_peer(char *p, unsigned int flags, bool lazy)
{
	static const char irq[4] = { '.', 'h', 's', 'H' };

	/* 0x02 once meant that the architecture does not provide the flags. */
	p[0] = p[1] = '.';
	if (flags & FLAG_LAZY)
		p[lazy] = lazy ? 'L' : 'X';
	if (flags & FLAG_IRQS_OFF)
		p[0] = 'd';
	if (flags & FLAG_RESCHED)
		p[1] = 'N';
	p[2] = irq[(flags & (FLAG_HARDIRQ | FLAG_SOFTIRQ)) / FLAG_HARDIRQ];
}

void text_put_flags(char *p, uint32_t flags, enum kt_layout layout)
{
	unsigned int depth = flags >> 8;

	/* Uprobes of Linux 6.1 leave them unset; all bits at once are otherwise impossible. */
	if (layout == KT_LAYOUT_CURRENT && (flags & 0xffff) == 0xffff) {
		memcpy(p, "?????", 5);
		return;
	}
	if (layout == KT_LAYOUT_KERNEL) {
		p[0] = irqs_letter(flags);
		p[1] = resched_letter(flags);
		p[2] = context_letter(flags);
	} else {
		put_as_peer(p, flags & 0xff, layout != KT_LAYOUT_3_1);
	}
	p[3] = hex_or_dot(depth & 15);
	p[4] = hex_or_dot(depth >> 4);
}

/* Linux up to 6.11 with the patches for PREEMPT_RT, where 0x20 means lazily: dn.h1.. or d.L.42. */
char *text_put_rt_flags(char *p, uint32_t flags, unsigned int lazy_depth)
{
	unsigned int depth = flags >> 8;

	*p++ = irqs_letter(flags);
	*p++ = flags & FLAG_RESCHED ? 'n' : '.';
	*p++ = flags & FLAG_LAZY ? 'L' : '.';
	*p++ = context_letter(flags);
	*p++ = hex_or_dot(depth & 15);
	*p++ = hex_or_dot(lazy_depth & 15);
	*p++ = hex_or_dot(depth >> 4);
	return p;
}

char *text_put_extra_flag(char *p, const struct kt_event *ev, const struct kt_field *f,
			  const struct kt_record *rec)
{
	int64_t v;

	if (!f || kt_field_i64(ev, f, rec, &v) < 0)
		return p;
	if (v < 0 || (v == 0 && f->name[7] == 'm'))
		*p++ = '.';
	else
		p = num_put_u64(p, v);
	return p;
}
