/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* enums.c - enumerators in print formats become numbers, as TRACE_DEFINE_ENUM() makes them */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/btf.h"
#include "rec/rec_priv.h"

static int no_dots(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* The types of the modules that are loaded, which stand beside those of the kernel */
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

/* A format does not say whose it is: modules that differ leave the name as it is. */
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

static bool find(struct enums *e, const char *name, int64_t *value)
{
	int ret;

	if (!e->tried)
		e->btf = kt_btf_open(e->path, NULL);
	e->tried = true;
	ret = e->btf ? btf_enumerator(e->btf, name, value) : -ENODATA;
	if (ret != -ENOENT)
		return ret == 0;
	if (!e->modules)
		open_modules(e);
	return find_in_modules(e, name, value);
}

void rec_enums_fini(struct enums *e)
{
	size_t i;

	for (i = 0; i < e->nr_modules; i++)
		kt_btf_close(e->modules[i]);
	free(e->modules);
	kt_btf_close(e->btf);
}

/* In capitals with a "_", neither a member nor a call: the names of fields and types are not. */
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

/* The string of the format itself may hold bare quotes: arguments follow the one before a comma. */
static const char *skip_format(const char *p)
{
	for (p += *p == '"'; *p; p++)
		if (*p == '"' && p[-1] != '\\' && (p[1] == ',' || !p[1] || p[1] == '\n'))
			return p + 1;
	return p;
}

void rec_enums_to_numbers(struct enums *e, const char *format, struct str *out)
{
	const char *p = strstr(format, "\nprint fmt: "), *word;
	char name[64], before = ' ';
	int64_t value;
	size_t len;

	if (p)
		p = skip_format(p + strlen("\nprint fmt: "));
	else
		p = format + strlen(format);
	str_addn(out, format, p - format);
	while (*p) {
		word = p;
		if (*p == '"') {
			p = skip_string(p);
		} else if (isalnum((unsigned char)*p) || *p == '_') {
			while (isalnum((unsigned char)*p) || *p == '_')
				p++;
		} else {
			p++;
		}
		len = p - word;
		if (len < sizeof(name) && is_candidate(word, len, before)) {
			memcpy(name, word, len);
			name[len] = '\0';
			if (find(e, name, &value)) {
				str_addf(out, "%" PRId64, value);
				before = '0';
				continue;
			}
		}
		str_addn(out, word, len);
		if (!isspace((unsigned char)*word))
			before = *word;
	}
}
