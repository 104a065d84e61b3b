/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kernel.h - what only the running kernel knows, and a reader elsewhere needs */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/btf.h"
#include "base/str.h"

/* enums.c: values for print formats from the kernel, looked up on demand */
struct enums {
	const char *path;		/* the kernel's types; NULL: "/sys/kernel/btf/vmlinux" */
	const char *proc;		/* NULL: "/proc" */
	char *dynamic_events;		/* of tracefs, or NULL; owned */
	struct kt_btf *btf;
	bool tried;
	struct kt_btf **modules;	/* opened if the kernel itself lacks a name */
	size_t nr_modules;
	bool pages_asked;
	uint64_t pages;			/* address of the first struct page; 0: not known */
};

void enums_fini(struct enums *e);
/*
 * The text of the format file events/@name, with numbers for enumerators in the types,
 * and for the other words of enums.c
 */
void enums_to_numbers(struct enums *e, const char *name, const char *format, struct str *out);

/* memory.c: a variable of the kernel; false: not found, or not permitted */
bool kernel_u64(const char *proc, const char *symbol, uint64_t *value);

/* used_symbols.c: the symbols of kallsyms that the recorded data may refer to */
struct used_symbols;

struct used_symbols *used_symbols_create(void);
void used_symbols_destroy(struct used_symbols *s);
/* Was an address seen that needs them? */
bool used_symbols_any(const struct used_symbols *s);
/* Pass the beginning of kallsyms before any data. True: it shows where code is. */
bool used_symbols_expect(struct used_symbols *s, const char *text, size_t size);
/* Called by any thread: the words of these sub-buffers may be addresses */
void used_symbols_see(struct used_symbols *s, const void *data, size_t size);
int  used_symbols_index(struct used_symbols *s, const char *text, size_t size);
int  used_symbols_put(struct used_symbols *s, struct str *out);

#endif
