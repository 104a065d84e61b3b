/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* names.c - a list of names */
#include <ktrail/base.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

void kt_names_fini(struct kt_names *n)
{
	size_t i;

	for (i = 0; i < n->nr; i++)
		free(n->names[i]);
	free(n->names);
	*n = (struct kt_names){ 0 };
}

static int make_room(struct kt_names *n)
{
	size_t cap = n->cap ? n->cap * 2 : 16;
	char **names;

	if (n->nr + 1 < n->cap)
		return 0;
	names = reallocarray(n->names, cap, sizeof(*names));
	if (!names)
		return -ENOMEM;
	n->names = names;
	n->cap = cap;
	return 0;
}

int kt_names_addn(struct kt_names *n, const char *name, size_t len)
{
	char *copy;

	if (make_room(n) < 0)
		return -ENOMEM;
	copy = strndup(name, len);
	if (!copy)
		return -ENOMEM;
	n->names[n->nr++] = copy;
	n->names[n->nr] = NULL;
	return 0;
}

int kt_names_add(struct kt_names *n, const char *name)
{
	return kt_names_addn(n, name, strlen(name));
}

int kt_names_addf(struct kt_names *n, const char *fmt, ...)
{
	va_list ap;
	char *name;
	int ret;

	va_start(ap, fmt);
	ret = vasprintf(&name, fmt, ap);
	va_end(ap);
	if (ret < 0)
		return -ENOMEM;
	ret = kt_names_add(n, name);
	free(name);
	return ret;
}

int kt_names_add_words(struct kt_names *n, const char *text, const char *separators)
{
	size_t len;
	int ret;

	for (;; text += len) {
		text += strspn(text, separators);
		len = strcspn(text, separators);
		if (!len)
			return 0;
		ret = kt_names_addn(n, text, len);
		if (ret < 0)
			return ret;
	}
}

bool kt_names_has(const struct kt_names *n, const char *name)
{
	size_t i;

	for (i = 0; i < n->nr; i++)
		if (strcmp(n->names[i], name) == 0)
			return true;
	return false;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void kt_names_sort(struct kt_names *n)
{
	size_t i, nr = 0;

	if (n->nr < 2)
		return;
	qsort(n->names, n->nr, sizeof(*n->names), compare);
	for (i = 1; i < n->nr; i++) {
		if (strcmp(n->names[nr], n->names[i]) == 0)
			free(n->names[i]);
		else
			n->names[++nr] = n->names[i];
	}
	n->nr = nr + 1;
	n->names[n->nr] = NULL;
}

const char *kt_names_nearest(const struct kt_names *n, const char *name)
{
	return n->nr ? str_nearest(name, (const char *const *)n->names) : NULL;
}
