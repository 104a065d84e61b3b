/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_dat_priv.h - what the two halves of kt_dat share */
#ifndef KT_DAT_PRIV_H
#define KT_DAT_PRIV_H

#include <string.h>

#include "base/bytes.h"
#include "base/str.h"
#include "kt_dat.h"

#define MAX_BUFFERS 8
#define MAX_CPUS 4000
#define MAX_EVENTS 64

struct dat_cpu {
	int cpu;
	struct str pages;
	uint64_t offset, size;		/* of its data in the file */
};

struct dat_buffer {
	const char *name, *clock, *text;
	uint32_t page_size;
	struct dat_cpu cpus[MAX_CPUS];
	size_t nr_cpus;
	uint64_t section;
};

struct kt_dat {
	struct kt_dat_opts o;
	bool swap;
	const char *metas[KT_NR_METAS];
	size_t btf_size;		/* 0: it is a text like the others */
	const char *systems[MAX_EVENTS], *formats[MAX_EVENTS];
	size_t nr_events;
	struct str made[MAX_EVENTS];	/* formats made of names of fields */
	struct str options;
	struct dat_buffer *buffers[MAX_BUFFERS];
	size_t nr_buffers;

	/* The record and the page being written */
	struct str record;
	struct dat_cpu *cpu;
	bool in_page, sign_extend;
	size_t page_start;		/* in cpu->pages */
	uint64_t ts;
	int64_t lost;			/* for the next page; 0: none */
};

/* Complete the page being written. */
void dat_end_page(struct kt_dat *d);

/* Store @value at @p, in the byte order of the file */
static inline void dat_store(const struct kt_dat *d, void *p, unsigned int size, uint64_t value)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		((uint8_t *)p)[d->o.big_endian ? size - 1 - i : i] = value >> (8 * i);
}

static inline void dat_put(const struct kt_dat *d, struct str *s, unsigned int size, uint64_t value)
{
	uint8_t bytes[8] = { 0 };

	dat_store(d, bytes, size, value);
	str_addn(s, bytes, size);
}

static inline void dat_put_text(struct str *s, const char *text)
{
	str_addn(s, text, strlen(text) + 1);
}

static inline void dat_put_zeros(struct str *s, size_t nr)
{
	while (nr--)
		str_addc(s, '\0');
}

/* Bytes of a sub-buffer before its first event */
static inline unsigned int dat_header_size(const struct kt_dat *d)
{
	return 8 + d->o.long_size;
}

#endif
