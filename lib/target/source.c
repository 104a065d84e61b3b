/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* source.c - the functions of the kernel that a source file defines, from DWARF */
#include "target/source.h"

#include <dirent.h>
#include <dwarf.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <elfutils/libdwfl.h>

#include "base/str.h"

struct search {
	const char *pattern;
	struct kt_names *out;
	bool failed;		/* no memory */
};

/* ---- paths ---- */

/* "kernel/sched" is a folder, "kernel/sched/core.c" a file, anything with wildcards a glob. */
static bool fits(const char *pattern, const char *path)
{
	size_t len = strlen(pattern);

	while (len && pattern[len - 1] == '/')
		len--;
	if (strncmp(path, pattern, len) == 0 && (!path[len] || path[len] == '/'))
		return true;
	return fnmatch(pattern, path, 0) == 0;
}

/*
 * The compiler's path is relative to the build folder, or absolute: then it can begin with any
 * folder, since distributions build in one folder and rename it later. If it does not begin with
 * the build folder, try each of its trailing parts.
 */
static bool is_wanted(const struct search *s, const char *path, const char *build)
{
	size_t len = build ? strlen(build) : 0;

	if (len && strncmp(path, build, len) == 0 && path[len] == '/')
		return fits(s->pattern, path + len + 1);
	while (strncmp(path, "./", 2) == 0 || strncmp(path, "../", 3) == 0)
		path = strchr(path, '/') + 1;
	if (*path != '/')
		return fits(s->pattern, path);
	for (; path; path = strchr(path, '/'))
		if (fits(s->pattern, ++path))
			return true;
	return false;
}

/* ---- one compilation unit ---- */

static const char *string_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;

	return dwarf_formstring(dwarf_attr_integrate(die, name, &attr));
}

/* Most units have no wanted file: their list of files shows this without parsing the rest. */
static bool any_wanted(const struct search *s, Dwarf_Die *unit, const char *build)
{
	Dwarf_Files *files;
	const char *path;
	size_t nr, i;

	if (dwarf_getsrcfiles(unit, &files, &nr) < 0)
		return false;
	for (i = 0; i < nr; i++) {
		path = dwarf_filesrc(files, i, NULL, NULL);
		if (path && is_wanted(s, path, build))
			return true;
	}
	return false;
}

static void take_function(struct search *s, Dwarf_Die *die, const char *build)
{
	const char *path = dwarf_decl_file(die), *name = dwarf_diename(die);

	/* A declaration, or a function that is always inlined, has no code. */
	if (!path || !name ||
	    (!dwarf_hasattr(die, DW_AT_low_pc) && !dwarf_hasattr(die, DW_AT_ranges)))
		return;
	if (is_wanted(s, path, build) && kt_names_add(s->out, name) < 0)
		s->failed = true;
}

static void search_unit(struct search *s, Dwarf_Die *unit)
{
	const char *build = string_of(unit, DW_AT_comp_dir);
	Dwarf_Die die;

	if (!any_wanted(s, unit, build) || dwarf_child(unit, &die) != 0)
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_subprogram)
			take_function(s, &die, build);
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* ---- files ---- */

static bool search_module(struct search *s, Dwfl_Module *mod)
{
	Dwarf_Die *unit = NULL;
	bool any = false;
	Dwarf_Addr bias;

	while ((unit = dwfl_module_nextcu(mod, unit, &bias))) {
		any = true;
		search_unit(s, unit);
	}
	return any;
}

/* Does the file have debug information? A module is not linked: libdwfl applies its relocations. */
static bool search_file(struct search *s, const char *path)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	Dwfl *dwfl = access(path, R_OK) == 0 ? dwfl_begin(&callbacks) : NULL;
	Dwfl_Module *mod;
	bool any;

	if (!dwfl)
		return false;
	dwfl_report_begin(dwfl);
	mod = dwfl_report_offline(dwfl, path, path, -1);
	dwfl_report_end(dwfl, NULL, NULL);
	any = mod && search_module(s, mod);
	dwfl_end(dwfl);
	return any;
}

/* Files are named ext4.ko or ext4.ko.debug, and may have '-' where the module name has '_'. */
static bool is_module(const char *file, const char *module)
{
	size_t i, len = strcspn(file, ".");

	if (strncmp(file + len, ".ko", 3) != 0 || strstr(file, ".ko.xz") ||
	    strstr(file, ".ko.zst") ||
	    strstr(file, ".ko.gz"))
		return false;
	if (!module)
		return true;
	for (i = 0; i < len && module[i]; i++)
		if (file[i] != module[i] && !(file[i] == '-' && module[i] == '_'))
			return false;
	return i == len && !module[i];
}

/* Links are skipped: their targets are found at their own place. */
static bool is_kind(const char *path, mode_t kind)
{
	struct stat st;

	return lstat(path, &st) == 0 && (st.st_mode & S_IFMT) == kind;
}

/* Search all modules below a folder. musl lacks fts, so this recurses by itself. */
static bool search_modules(struct search *s, const char *dir, const char *module)
{
	DIR *d = opendir(dir);
	char path[PATH_MAX];
	struct dirent *e;
	bool any = false;

	while (d && (e = readdir(d))) {
		bool fits = snprintf(path, sizeof(path), "%s/%s", dir, e->d_name) < PATH_MAX;

		if (!fits || strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (is_module(e->d_name, module) && is_kind(path, S_IFREG))
			any |= search_file(s, path);
		else if (is_kind(path, S_IFDIR))
			any |= search_modules(s, path, module);
	}
	if (d)
		closedir(d);
	return any;
}

static int no_debug_info(const char *module, const char *release, struct kt_err *err)
{
	return kt_err_set(err, -ENOENT,
			  "no debug information names the source files of %s%s (BTF does not): "
			  "install it for Linux %s below /usr/lib/debug, or name a vmlinux with "
			  "KTRAIL_VMLINUX", module ? "module " : "the kernel",
			  module ? module : "", release);
}

/* Modules of a kernel named by KTRAIL_VMLINUX are searched below its folder. */
static bool search_places(struct search *s, const char *module, const char *release)
{
	static const char *const kernels[] = {
		"/usr/lib/debug/boot/vmlinux-%s", "/usr/lib/debug/lib/modules/%s/vmlinux",
		"/usr/lib/debug/usr/lib/modules/%s/vmlinux", "/lib/modules/%s/build/vmlinux",
		"/lib/modules/%s/vmlinux", "/boot/vmlinux-%s",
	};
	static const char *const folders[] = {
		"/usr/lib/debug/lib/modules/%s", "/usr/lib/debug/usr/lib/modules/%s",
			"/lib/modules/%s",
	};
	const char *wish = getenv("KTRAIL_VMLINUX");
	char path[PATH_MAX];
	bool any = false;
	size_t i;

	if (wish && *wish) {
		snprintf(path, sizeof(path), "%.*s", strrchr(wish, '/') ?
			 (int)(strrchr(wish, '/') - wish) : 1, strrchr(wish, '/') ? wish : ".");
		any = !module && search_file(s, wish);
		return search_modules(s, path, module) || any;
	}
	for (i = 0; i < sizeof(kernels) / sizeof(*kernels) && !module && !any; i++) {
		snprintf(path, sizeof(path), kernels[i], release);
		any = search_file(s, path);
	}
	for (i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		snprintf(path, sizeof(path), folders[i], release);
		any |= search_modules(s, path, module);
	}
	return any;
}

int ctl_source_functions(const char *pattern, const char *module, struct kt_names *out,
			 struct kt_err *err)
{
	struct search s = { .pattern = pattern, .out = out };
	struct utsname u = { .release = "" };

	uname(&u);
	if (!search_places(&s, module, u.release))
		return no_debug_info(module, u.release, err);
	if (s.failed)
		return kt_err_no_memory(err);
	kt_names_sort(out);
	if (!out->nr)
		return kt_err_set(err, -ENOENT,
				  "no function is defined in '%s': a path from the top of the "
				  "kernel's sources is expected, e.g. kernel/sched/core.c",
				  pattern);
	return 0;
}
