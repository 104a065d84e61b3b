/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* enums.c - replace words of print formats that only the kernel can resolve */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernel/kernel.h"

/*
 * Enumerators, where the kernel's authors forgot TRACE_DEFINE_ENUM(); the address of a
 * struct page; the length of a jiffy; the event of an event probe.
 */

static int no_dots(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* The types of the loaded modules, next to those of the kernel */
static void open_modules(struct enums *e)
{
	const char *path = e->path ? e->path : "/sys/kernel/btf/vmlinux", *own = strrchr(path, '/');
	struct str file = STR_INIT;
	struct dirent **list = NULL;
	int i, nr;

	if (!own)
		return;
	str_addn(&file, path, own - path);
	nr = file.failed ? 0 : scandir(file.buf, &list, no_dots, alphasort);
	e->modules = calloc(nr > 0 ? nr : 1, sizeof(*e->modules));
	for (i = 0; i < nr; i++) {
		if (e->modules && strcmp(list[i]->d_name, own + 1) != 0) {
			str_reset(&file);
			str_addf(&file, "%.*s/%s", (int)(own - path), path, list[i]->d_name);
			e->modules[e->nr_modules] = btf_open_module(file.buf, e->btf, NULL);
			e->nr_modules += e->modules[e->nr_modules] != NULL;
		}
		free(list[i]);
	}
	free(list);
	str_fini(&file);
}

/* A format does not name its module: if modules differ, leave the name unchanged. */
static bool find_in_modules(const struct enums *e, const char *name, int64_t *value)
{
	bool found = false;
	int64_t other;
	size_t i;
	int ret;

	for (i = 0; i < e->nr_modules; i++) {
		ret = btf_enumerator(e->modules[i], name, &other);
		if (ret == -EEXIST || (ret == 0 && found && other != *value))
			return false;
		if (ret == 0)
			*value = other;
		found |= ret == 0;
	}
	return found;
}

static struct kt_btf *types(struct enums *e)
{
	if (!e->tried)
		e->btf = kt_btf_open(e->path, NULL);
	e->tried = true;
	return e->btf;
}

static bool find(struct enums *e, const char *name, int64_t *value)
{
	int ret = types(e) ? btf_enumerator(e->btf, name, value) : -ENODATA;

	if (ret != -ENOENT)
		return ret == 0;
	if (!e->modules)
		open_modules(e);
	return find_in_modules(e, name, value);
}

void enums_fini(struct enums *e)
{
	size_t i;

	for (i = 0; i < e->nr_modules; i++)
		kt_btf_close(e->modules[i]);
	free(e->modules);
	kt_btf_close(e->btf);
	free(e->dynamic_events);
}

/* In capitals with a "_", not a member and not a call: fields and types have other names. */
static bool is_candidate(const char *p, size_t len, char before)
{
	size_t i;
	bool underscore = false;

	for (i = 0; i < len; i++) {
		if (!isupper((unsigned char)p[i]) && !isdigit((unsigned char)p[i]) && p[i] != '_')
			return false;
		underscore |= p[i] == '_';
	}
	return underscore && isupper((unsigned char)*p) && before != '>' && before != '.' &&
	       p[len + strspn(p + len, " ")] != '(';
}

static const char *skip_string(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return p + (*p == '"');
}

/* The format string itself may contain bare quotes: it ends at one with a comma after it. */
static const char *skip_format(const char *p)
{
	for (p += *p == '"'; *p; p++)
		if (*p == '"' && p[-1] != '\\' && (p[1] == ',' || !p[1] || p[1] == '\n'))
			return p + 1;
	return p;
}

/* x86 with addresses that change at each boot */
#define PAGE_OF "((struct page *)vmemmap_base) + "

static bool put_page(struct enums *e, struct str *out)
{
	uint32_t size = types(e) ? btf_struct_size(e->btf, "page") : 0;

	if (!e->pages_asked &&
	    !kernel_u64(e->proc ? e->proc : "/proc", "vmemmap_base", &e->pages))
		e->pages = 0;
	e->pages_asked = true;
	if (!size || !e->pages)
		return false;
	str_addf(out, "(0x%" PRIx64 "UL) + %u * ", e->pages, size);
	return true;
}

/* From the resolution of a clock that the tick advances; 0: not a whole number */
static unsigned int ms_per_jiffy(void)
{
	struct timespec tick;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) < 0 || tick.tv_sec ||
	    tick.tv_nsec % 1000000)
		return 0;
	return tick.tv_nsec / 1000000;
}

static size_t word_len(const char *p)
{
	size_t len = 0;

	while (isalnum((unsigned char)p[len]) || p[len] == '_')
		len++;
	return len;
}

/* Replaces the word at @p. Returns the length of the replaced text, 0: nothing */
static size_t replace(struct enums *e, const char *p, char before, struct str *out)
{
	static const char to_ms[] = "jiffies_to_msecs(";
	size_t len = word_len(p);
	char name[64];
	int64_t value;

	if (strncmp(p, PAGE_OF, strlen(PAGE_OF)) == 0)
		return put_page(e, out) ? strlen(PAGE_OF) : 0;
	if (strncmp(p, to_ms, strlen(to_ms)) == 0 && ms_per_jiffy()) {
		str_addf(out, "%u * ", ms_per_jiffy());
		return len;
	}
	if (!len || len >= sizeof(name) || !is_candidate(p, len, before))
		return 0;
	memcpy(name, p, len);
	name[len] = '\0';
	if (!find(e, name, &value))
		return 0;
	str_addf(out, "%" PRId64, value);
	return len;
}

/*
 * "e:kt/open syscalls.sys_enter_openat name=+0($filename):ustring" of events/kt/open/format:
 * the kernel's own text begins with (syscalls.sys_enter_openat), but its print format does not.
 */
static void put_attached(const struct enums *e, const char *name, struct str *out)
{
	const char *line = e->dynamic_events, *p;
	size_t len = strcspn(name, "/");

	len += name[len] ? 1 + strcspn(name + len + 1, "/") : 0;
	for (; line; line = strchr(line, '\n'), line += line != NULL) {
		p = line + strcspn(line, ": \n");
		if (*line != 'e' || *p != ':' || strncmp(p + 1, name, len) != 0 ||
		    p[1 + len] != ' ')
			continue;
		p += len + 2;
		str_addf(out, "(%.*s)", (int)strcspn(p, " \n"), p);
		return;
	}
}

void enums_to_numbers(struct enums *e, const char *name, const char *format, struct str *out)
{
	const char *p = strstr(format, "\nprint fmt: \""), *word;
	char before = ' ';
	size_t len;

	if (!p) {
		str_add(out, format);
		return;
	}
	word = p + strlen("\nprint fmt: \"");
	str_addn(out, format, word - format);
	put_attached(e, name, out);
	p = skip_format(word - 1);
	str_addn(out, word, p - word);
	while (*p) {
		len = replace(e, p, before, out);
		if (len) {
			p += len;
			before = '0';
			continue;
		}
		word = p;
		if (*p == '"')
			p = skip_string(p);
		else
			p += word_len(p) ? word_len(p) : 1;
		str_addn(out, word, p - word);
		if (!isspace((unsigned char)*word))
			before = *word;
	}
}
