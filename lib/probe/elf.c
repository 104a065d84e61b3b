/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* elf.c - find a function of a program or library, as an offset in its file */
#include "probe/elf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <elfutils/libdwfl.h>
#include <gelf.h>

#include <ktrail/base.h>

#include "base/str.h"
#include "base/suggest.h"

/* The result of the search through the symbols */
struct search {
	const char *symbol;
	size_t len;
	GElf_Addr addr;
	unsigned int nr;		/* different addresses of equal rank */
	bool is_global, is_data, is_ifunc;
};

/* "malloc" matches the symbols "malloc", "malloc@GLIBC_2.2.5" and "malloc@@GLIBC_2.2.5". */
static bool is_name(const struct search *s, const char *name)
{
	return strncmp(name, s->symbol, s->len) == 0 &&
	       (!name[s->len] || name[s->len] == '@');
}

static void look_at(struct search *s, const GElf_Sym *sym, GElf_Addr addr)
{
	bool global = GELF_ST_BIND(sym->st_info) != STB_LOCAL;

	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_GNU_IFUNC:
		s->is_ifunc = true;
		return;
	case STT_FUNC:
	case STT_NOTYPE:		/* functions written in assembler are often unmarked */
		break;
	default:
		s->is_data = true;
		return;
	}
	if (sym->st_shndx == SHN_UNDEF || (s->nr && s->is_global && !global))
		return;
	if (s->nr && s->is_global == global && s->addr != addr) {
		s->nr++;
		return;
	}
	s->addr = addr;
	s->is_global = global;
	s->nr = 1;
}

static void search_module(Dwfl_Module *mod, struct search *s)
{
	int nr = dwfl_module_getsymtab(mod), i;
	GElf_Addr addr;
	GElf_Sym sym;
	const char *name;

	for (i = 1; i < nr; i++) {
		name = dwfl_module_getsym_info(mod, i, &sym, &addr, NULL, NULL, NULL);
		if (name && is_name(s, name))
			look_at(s, &sym, addr);
	}
}

static int not_found(Dwfl_Module *mod, const char *path, const char *symbol, struct kt_err *err)
{
	struct kt_names functions = { 0 };
	int nr = dwfl_module_getsymtab(mod), i, ret;
	char hint[SUGGEST_SIZE];
	const char *name;
	GElf_Sym sym;

	for (i = 1; i < nr; i++) {
		name = dwfl_module_getsym(mod, i, &sym, NULL);
		if (name && GELF_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_shndx != SHN_UNDEF)
			kt_names_addn(&functions, name, strcspn(name, "@"));
	}
	if (!functions.nr)
		ret = kt_err_set(err, -ENOENT, "%s: no symbols in it: install its debug symbols, "
				 "or give an offset as %s:0x…", path, path);
	else
		ret = kt_err_set(err, -ENOENT, "%s: no function '%s'%s", path, symbol,
				 suggest_one(symbol, suggest_from(&functions), hint));
	kt_names_fini(&functions);
	return ret;
}

static int judge(const struct search *s, Dwfl_Module *mod, const char *path, struct kt_err *err)
{
	/* Check this first: an older version of the symbol may be an ordinary function that is
	 * never called. */
	if (s->is_ifunc)
		return kt_err_set(err, -EINVAL, "%s: '%s' is chosen among variants when a program "
				  "starts (IFUNC): probe the variant, e.g. the one that a profile "
				  "shows",
				  path, s->symbol);
	if (s->nr == 1)
		return 0;
	if (s->nr > 1)
		return kt_err_set(err, -EINVAL,
				  "%s: %u functions are named '%s': choose one by its offset in "
				  "the file, %s:0x…", path, s->nr, s->symbol, path);
	if (s->is_data)
		return kt_err_set(err, -EINVAL, "%s: '%s' is data, not a function", path,
				  s->symbol);
	return not_found(mod, path, s->symbol, err);
}

/* Convert an address of the symbol table to an offset in the file */
static int to_offset(Elf *elf, GElf_Addr addr, uint64_t *offset)
{
	size_t nr = 0, i;
	GElf_Phdr ph;

	elf_getphdrnum(elf, &nr);
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, i, &ph) || ph.p_type != PT_LOAD || addr < ph.p_vaddr ||
		    addr - ph.p_vaddr >= ph.p_filesz)
			continue;
		*offset = addr - ph.p_vaddr + ph.p_offset;
		return 0;
	}
	return -ENOEXEC;
}

static int offset_in(Dwfl *dwfl, const char *path, const char *symbol, uint64_t *offset,
		     struct kt_err *err)
{
	struct search s = { .symbol = symbol, .len = strlen(symbol) };
	Dwfl_Module *mod;
	GElf_Addr bias;
	Elf *elf;
	int ret;

	dwfl_report_begin(dwfl);
	mod = dwfl_report_offline(dwfl, path, path, -1);
	dwfl_report_end(dwfl, NULL, NULL);
	elf = mod ? dwfl_module_getelf(mod, &bias) : NULL;
	if (!elf)
		return kt_err_set(err, -ENOEXEC, "%s: %s", path, dwfl_errmsg(-1));
	search_module(mod, &s);
	ret = judge(&s, mod, path, err);
	if (ret < 0)
		return ret;
	ret = to_offset(elf, s.addr - bias, offset);
	if (ret < 0)
		kt_err_set(err, ret, "%s: '%s' is not in a segment that is loaded from the file",
			   path, symbol);
	return ret;
}

int ctl_elf_offset(const char *path, const char *symbol, uint64_t *offset, struct kt_err *err)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	Dwfl *dwfl;
	int ret;

	if (access(path, R_OK) < 0)
		return kt_err_set(err, -errno, "%s: %s", path, strerror(errno));
	dwfl = dwfl_begin(&callbacks);
	if (!dwfl)
		return kt_err_set(err, -ENOMEM, "%s: %s", path, dwfl_errmsg(-1));
	ret = offset_in(dwfl, path, symbol, offset, err);
	dwfl_end(dwfl);
	return ret;
}
