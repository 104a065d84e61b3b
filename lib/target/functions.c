/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* functions.c - choose the functions that the function tracers trace */
#include <ktrail/settings.h>

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grep.h"
#include "setting/setting.h"
#include "target/functions.h"
#include "target/source.h"
#include "target/target.h"
#include "tracefs/tracefs.h"

static const char *const files[] = {
	[KT_FUNCTIONS_FILTER]        = "set_ftrace_filter",
	[KT_FUNCTIONS_NOTRACE]       = "set_ftrace_notrace",
	[KT_FUNCTIONS_GRAPH]         = "set_graph_function",
	[KT_FUNCTIONS_GRAPH_NOTRACE] = "set_graph_notrace",
};

const char *kt_function_list_file(enum kt_function_list list)
{
	return files[list];
}

static bool is_regex(const char *pattern)
{
	size_t len = strlen(pattern);

	return len && (pattern[0] == '^' || pattern[len - 1] == '$');
}

/* A line of available_filter_functions: "name" or "name [module]" */
struct line {
	const char *name, *module;
	size_t name_len, module_len;
};

static const char *next_line(const char *text, struct line *l)
{
	size_t len = strcspn(text, "\n"), name = strcspn(text, " \t\n");
	const char *open = memchr(text, '[', len);

	l->name = text;
	l->name_len = name;
	l->module = open ? open + 1 : "";
	l->module_len = open ? strcspn(open + 1, "]\n") : 0;
	return text + len + (text[len] == '\n');
}

static bool in_module(const struct line *l, const char *module)
{
	return !module || (strlen(module) == l->module_len &&
			   memcmp(module, l->module, l->module_len) == 0);
}

/* A part or variant that the compiler made ("x.isra.0") begins with the name in the source. */
static bool is_known(const struct kt_names *sorted, const struct line *l)
{
	const char *dot = memchr(l->name, '.', l->name_len);
	size_t low = 0, high = sorted->nr, len = dot ? (size_t)(dot - l->name) : l->name_len;

	while (low < high) {
		size_t mid = (low + high) / 2;
		int order = strncmp(sorted->names[mid], l->name, len);

		if (order == 0 && sorted->names[mid][len])
			order = 1;
		if (order == 0)
			return true;
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

/* The functions of a source path that can be traced */
static int match_path(const char *have, const char *pattern, const char *module,
		      struct str *out, struct kt_err *err)
{
	struct kt_names names = { 0 };
	struct line l;
	int nr = 0, ret = ctl_source_functions(pattern, module, &names, err);

	while (ret == 0 && *have) {
		have = next_line(have, &l);
		if (!in_module(&l, module) || !is_known(&names, &l))
			continue;
		str_addf(out, "%.*s\n", (int)l.name_len, l.name);
		nr++;
	}
	if (ret == 0 && !nr)
		ret = kt_err_set(err, -ENOENT, "none of the %zu functions of '%s' can be traced",
				 names.nr, pattern);
	kt_names_fini(&names);
	if (ret < 0)
		return ret;
	return out->failed ? kt_err_no_memory(err) : nr;
}

static int match_regex(const char *have, const char *pattern, const char *module,
		       struct str *out, struct kt_err *err)
{
	struct grep g;
	struct line l;
	int nr = 0;

	if (grep_init(&g, pattern, false, err) < 0)
		return -EINVAL;
	while (*have) {
		have = next_line(have, &l);
		if (!in_module(&l, module) || !grep_match(&g, l.name, l.name_len))
			continue;
		str_addf(out, "%.*s\n", (int)l.name_len, l.name);
		nr++;
	}
	grep_fini(&g);
	return out->failed ? kt_err_no_memory(err) : nr;
}

bool ctl_is_syscall_entry(const char *function, size_t len, const char *name)
{
	static const char *const not_machines[] = { "se", "do", "ia32", NULL };
	const char *sys = memmem(function, len, "_sys_", 5), *machine = function + 2;
	size_t i, machine_len, call_len;

	if (!sys || sys <= machine || memcmp(function, "__", 2) != 0)
		return false;
	machine_len = sys - machine;
	for (i = 0; not_machines[i]; i++)
		if (strlen(not_machines[i]) == machine_len &&
		    memcmp(not_machines[i], machine, machine_len) == 0)
			return false;
	if (str_starts(name, "sys_"))
		name += strlen("sys_");
	sys += strlen("_sys_");
	call_len = function + len - sys;
	return !memchr(machine, '_', machine_len) && strlen(name) == call_len &&
	       memcmp(sys, name, call_len) == 0;
}

/* The function of @module (NULL: of any) whose name is nearest. True: the module has functions */
static bool find_nearest(const char *have, const char *module, const char *wrong, char near[128])
{
	struct kt_names all = { 0 };
	const char *best = NULL;
	struct line l;
	bool any;

	while (*have && !best) {
		have = next_line(have, &l);
		if (!in_module(&l, module))
			continue;
		kt_names_addn(&all, l.name, l.name_len);
		if (all.nr && ctl_is_syscall_entry(l.name, l.name_len, wrong))
			best = all.names[all.nr - 1];
	}
	if (!best)
		best = kt_names_nearest(&all, wrong);
	if (best)
		snprintf(near, 128, "%s", best);
	any = all.nr;
	kt_names_fini(&all);
	return any;
}

static int no_match(const struct kt_instance *inst, const char *pattern, const char *module,
		    struct kt_err *err)
{
	char *have = kt_instance_read(inst, "available_filter_functions", NULL);
	char near[128] = "", plain[128];
	size_t len;

	/* The name in "^vfs_raed$" */
	snprintf(plain, sizeof(plain), "%s", pattern + (*pattern == '^'));
	len = strlen(plain);
	if (len && plain[len - 1] == '$')
		plain[len - 1] = '\0';
	if (have && !find_nearest(have, module, plain, near) && module) {
		free(have);
		return kt_err_set_kind(err, KT_ERR_NO_FUNCTION, -ENOENT,
				       "no function of module '%s' can be traced: it is not "
				       "loaded, or has none", module);
	}
	free(have);
	return kt_err_set_kind(err, KT_ERR_NO_FUNCTION, -ENOENT,
			       "no function '%s'%s%s can be traced%s%s%s", pattern,
			       module ? " in module " : "", module ? module : "",
			       *near ? ", did you mean '" : "", near, *near ? "'?" : "");
}

#define PATH "path:"
#define MOD  "mod:"

/* Expand a regular expression or a source path, which the kernel does not accept, to names, one per
 * line in @out. Returns their number */
static int expand(struct kt_instance *inst, const char *pattern, const char *module,
		  struct str *out, struct kt_err *err)
{
	char *have = kt_instance_read(inst, "available_filter_functions", err);
	int ret;

	if (!have)
		return kt_err_code(err, -ENOENT);
	if (str_starts(pattern, PATH))
		ret = match_path(have, pattern + strlen(PATH), module, out, err);
	else
		ret = match_regex(have, pattern, module, out, err);
	if (ret == 0)
		ret = no_match(inst, pattern, module, err);
	free(have);
	return ret;
}

/* Split "mod:ext4" (a whole module), "mod:ext4:GLOB" or "GLOB:mod:ext4" into *@pattern and
 * *@module. The caller frees *@owned. */
static int split_module(const char **pattern, const char **module, char **owned, struct kt_err *err)
{
	const char *kernels = strstr(*pattern, ":" MOD);
	char *colon;

	*owned = NULL;
	if (**pattern == ':' && kernels != *pattern)
		return kt_err_set(err, -EINVAL, "'%s': the function is missing", *pattern);
	if (!str_starts(*pattern, MOD) && !kernels)
		return 0;
	if (*module)
		return kt_err_set(err, -EINVAL, "'%s' and module '%s' exclude each other",
				  *pattern, *module);
	if (kernels && str_starts(*pattern, MOD))
		return kt_err_set(err, -EINVAL, "'%s' names a module twice", *pattern);
	if (!kernels)
		*owned = strdup(*pattern + strlen(MOD));
	else if (asprintf(owned, "%s:%.*s", kernels + 1 + strlen(MOD),
			  kernels == *pattern ? 1 : (int)(kernels - *pattern),
			  kernels == *pattern ? "*" : *pattern) < 0)
		*owned = NULL;
	if (!*owned)
		return kt_err_no_memory(err);
	colon = strchr(*owned, ':');
	if (colon)
		*colon++ = '\0';
	if (!**owned || (colon && !*colon))
		return kt_err_set(err, -EINVAL,
				  "'%s': mod:MODULE or mod:MODULE:FUNCTIONS is expected",
				  *pattern);
	*module = *owned;
	*pattern = colon ? colon : "*";
	return 0;
}

/* Write "GLOB[:mod:MODULE]" or the expanded names; @prefix "!" removes them */
static int change(struct kt_instance *inst, enum kt_function_list list, const char *prefix,
		  const char *pattern, const char *module, struct kt_err *err)
{
	struct str text = STR_INIT, names = STR_INIT;
	const char *p;
	int ret = 0;

	if (is_regex(pattern) || str_starts(pattern, PATH)) {
		ret = expand(inst, pattern, module, &names, err);
		for (p = names.buf; ret > 0 && *p; p += strcspn(p, "\n"), p += *p == '\n')
			str_addf(&text, "%s%.*s\n", prefix, (int)strcspn(p, "\n"), p);
	} else {
		str_addf(&text, "%s%s%s%s", prefix, pattern, module ? ":mod:" : "",
			 module ? module : "");
	}
	if (ret >= 0)
		ret = kt_instance_append(inst, files[list], text.buf, err);
	str_fini(&names);
	str_fini(&text);
	return ret;
}

static bool is_command(const char *pattern)
{
	return ctl_is_function_command(pattern) && !is_regex(pattern) && !str_starts(pattern, PATH);
}

/* The kernel does not explain -EINVAL: usually the function does not exist. */
static int explain(struct kt_instance *inst, const char *pattern, const char *module,
		   const struct kt_err *mine, struct kt_err *err)
{
	char name[256];

	if (mine->code != -EINVAL || is_regex(pattern) || str_starts(pattern, PATH))
		return ctl_pass(err, mine);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(pattern, ":"), pattern);
	if (kt_instance_count_functions(inst, name, module, NULL) != 0)
		return ctl_pass(err, mine);
	return no_match(inst, name, module, err);
}

static int prepare_command(struct kt_instance *inst, enum kt_function_list list,
			   const char *pattern, struct kt_err *err)
{
	int ret = ctl_check_function_command(inst, pattern, err);

	if (ret < 0)
		return ret;
	ret = ctl_check_new_command(inst, files[list], pattern, err);
	return ret < 0 ? ret : ctl_remember_switched(inst, pattern, err);
}

int kt_instance_add_functions(struct kt_instance *inst, enum kt_function_list list,
			      const char *pattern, const char *module, struct kt_err *err)
{
	struct kt_err mine = { 0 };
	char *owned;
	int ret = split_module(&pattern, &module, &owned, err);

	if (ret < 0)
		return ret;
	if (is_command(pattern))
		ret = prepare_command(inst, list, pattern, err);
	if (ret == 0 && change(inst, list, "", pattern, module, &mine) < 0)
		ret = explain(inst, pattern, module, &mine, err);
	free(owned);
	return ret;
}

/* Does @pattern match a name in the list? For a module that is not loaded, the list has
 * patterns. */
static bool list_has(const char *now, const char *pattern)
{
	char name[512];
	size_t len;

	for (; *now; now += len, now += *now == '\n') {
		len = strcspn(now, "\n");
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(now, " (:\n"), now);
		if (*now == '#' || (memchr(now, ':', len) && !memmem(now, len, ":mod:", 5)))
			continue;
		if (fnmatch(pattern, name, 0) == 0)
			return true;
	}
	return false;
}

/* The kernel silently accepts the removal of a function that is not in the list. */
static int check_listed(const struct kt_instance *inst, const char *file, const char *pattern,
			struct kt_err *err)
{
	char *now = kt_instance_read(inst, file, err);
	bool has = now && list_has(now, pattern), commands = false;
	const char *p;

	if (!now)
		return kt_err_code(err, -ENOENT);
	for (p = now; !has && (p = strstr(p, pattern)); p++)
		commands |= (p == now || p[-1] == '\n') && p[strlen(pattern)] == ':';
	free(now);
	if (has)
		return 0;
	return commands ? kt_err_set(err, -ENOENT, "nothing is removed: %s has commands at '%s' "
				     "only, remove '%s:COMMAND'", file, pattern, pattern)
			: kt_err_set(err, -ENOENT, "nothing is removed: %s has no '%s'", file,
				     pattern);
}

int kt_instance_remove_functions(struct kt_instance *inst, enum kt_function_list list,
				 const char *pattern, const char *module, struct kt_err *err)
{
	struct kt_err mine = { 0 };
	char *owned;
	int ret = split_module(&pattern, &module, &owned, err);

	if (ret < 0)
		return ret;
	if (is_command(pattern)) {
		ret = ctl_remove_function_commands(inst, files[list], pattern, err);
		free(owned);
		return ret;
	}
	if (!is_regex(pattern) && !str_starts(pattern, PATH) && !instance_is_dry(inst))
		ret = check_listed(inst, files[list], pattern, &mine);
	if (ret == 0)
		ret = change(inst, list, "!", pattern, module, &mine);
	if (ret < 0)
		ret = explain(inst, pattern, module, &mine, err);
	free(owned);
	return ret;
}

bool kt_is_function_path(const char *pattern)
{
	return str_starts(pattern, PATH);
}

/* Collect the names that occur more than once in @names, which is sorted; *@nr: all occurrences */
static int keep_doubles(const struct kt_names *names, struct kt_names *out, size_t *nr)
{
	size_t i;
	int ret = 0;

	for (i = 1; ret == 0 && i < names->nr; i++) {
		if (strcmp(names->names[i - 1], names->names[i]) != 0)
			continue;
		if (!out->nr || strcmp(out->names[out->nr - 1], names->names[i]) != 0) {
			ret = kt_names_add(out, names->names[i]);
			++*nr;
		}
		++*nr;
	}
	return ret;
}

static char *namesakes_text(const struct kt_names *doubles, size_t nr_functions)
{
	struct str s = STR_INIT;
	size_t i;

	str_addf(&s, "the kernel chooses by name, and %zu name%s %zu functions of different files:",
		 doubles->nr, doubles->nr == 1 ? " is that of" : "s are those of", nr_functions);
	for (i = 0; i < doubles->nr && i < 5; i++)
		str_addf(&s, "%s %s", i ? "," : "", doubles->names[i]);
	if (i < doubles->nr)
		str_add(&s, ", …");
	return str_take(&s);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int kt_function_namesakes(const struct kt_instance *inst, enum kt_function_list list, char **text,
			  struct kt_err *err)
{
	struct kt_names names = { 0 }, doubles = { 0 };
	char *now = kt_instance_read(inst, files[list], err), *p;
	size_t nr = 0;
	int ret = 0;

	*text = NULL;
	if (!now)
		return kt_err_code(err, -ENOENT);
	for (p = now; ret == 0 && *p; p += strcspn(p, "\n"), p += *p == '\n')
		if (*p != '#' && !memchr(p, ':', strcspn(p, "\n")))
			ret = kt_names_addn(&names, p, strcspn(p, " \n"));
	if (ret < 0)
		goto out;
	if (names.nr)
		qsort(names.names, names.nr, sizeof(*names.names), by_text);
	ret = keep_doubles(&names, &doubles, &nr);
	if (ret < 0 || !doubles.nr)
		goto out;
	*text = namesakes_text(&doubles, nr);
	ret = *text ? 0 : -ENOMEM;
out:
	kt_names_fini(&doubles);
	kt_names_fini(&names);
	free(now);
	return kt_err_result(err, ret);
}

/* The kernel's globs work like those of the shell. */
static int match_glob(const char *have, const char *pattern, const char *module)
{
	char name[512];
	struct line l;
	int nr = 0;

	while (*have) {
		have = next_line(have, &l);
		if (!in_module(&l, module) || l.name_len >= sizeof(name))
			continue;
		memcpy(name, l.name, l.name_len);
		name[l.name_len] = '\0';
		nr += fnmatch(pattern, name, 0) == 0;
	}
	return nr;
}

int kt_instance_count_functions(struct kt_instance *inst, const char *pattern, const char *module,
				struct kt_err *err)
{
	struct str names = STR_INIT;
	char *owned, *have = NULL;
	int ret = split_module(&pattern, &module, &owned, err);

	if (ret == 0 && (is_regex(pattern) || str_starts(pattern, PATH))) {
		ret = expand(inst, pattern, module, &names, err);
	} else if (ret == 0) {
		have = kt_instance_read(inst, "available_filter_functions", err);
		ret = have ? match_glob(have, pattern, module) : kt_err_code(err, -ENOENT);
	}
	free(have);
	free(owned);
	str_fini(&names);
	return ret;
}

/*
 * Truncating removes names only. Commands such as "schedule:traceoff" are removed one by one, after
 * that: the kernel does not list them while the list has a module that is not loaded.
 */
int kt_instance_clear_functions(struct kt_instance *inst, enum kt_function_list list,
				struct kt_err *err)
{
	char *now = kt_instance_read(inst, files[list], err);
	const char *line;
	bool names = false;
	size_t len;
	int ret = 0;

	if (!now)
		return kt_err_code(err, -ENOENT);
	for (line = now; *line; line += len, line += *line == '\n') {
		len = strcspn(line, "\n");
		names |= len && *line != '#' &&
			 (!memchr(line, ':', len) || memmem(line, len, ":mod:", 5));
	}
	if (names)
		ret = kt_instance_write(inst, files[list], "", err);
	if (ret == 0)
		ret = ctl_remove_function_commands(inst, files[list], NULL, err);
	free(now);
	return ret;
}
