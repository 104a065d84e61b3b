/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* memory.c - read variables of the running kernel from /proc/kcore, as root */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/kernel.h"

/* 0: not found, or not permitted */
static uint64_t address_of(const char *proc, const char *symbol)
{
	char *line = NULL, name[64];
	struct str path = STR_INIT;
	uint64_t addr = 0;
	size_t cap = 0;
	FILE *f;

	str_addf(&path, "%s/kallsyms", proc);
	f = path.failed ? NULL : fopen(path.buf, "re");
	while (f && getline(&line, &cap, f) > 0)
		if (sscanf(line, "%" SCNx64 " %*c %63s", &addr, name) == 2 && !strcmp(name, symbol))
			break;
		else
			addr = 0;
	free(line);
	if (f)
		fclose(f);
	str_fini(&path);
	return addr;
}

static bool read_at(int fd, void *to, size_t size, uint64_t at)
{
	return pread(fd, to, size, at) == (ssize_t)size;
}

/* The position of address @addr in the file; 0: not found */
static uint64_t place_of(int fd, uint64_t addr)
{
	Elf64_Ehdr head;
	Elf64_Phdr part;
	unsigned int i;

	if (!read_at(fd, &head, sizeof(head), 0) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
	    head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof(part))
		return 0;
	for (i = 0; i < head.e_phnum; i++)
		if (read_at(fd, &part, sizeof(part), head.e_phoff + i * sizeof(part)) &&
		    part.p_type == PT_LOAD && addr >= part.p_vaddr &&
		    addr - part.p_vaddr < part.p_memsz)
			return part.p_offset + (addr - part.p_vaddr);
	return 0;
}

bool kernel_u64(const char *proc, const char *symbol, uint64_t *value)
{
	uint64_t addr = address_of(proc, symbol), at;
	struct str path = STR_INIT;
	bool done = false;
	int fd = -1;

	str_addf(&path, "%s/kcore", proc);
	if (addr && !path.failed)
		fd = open(path.buf, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		at = place_of(fd, addr);
		done = at && read_at(fd, value, sizeof(*value), at);
		close(fd);
	}
	str_fini(&path);
	return done;
}
