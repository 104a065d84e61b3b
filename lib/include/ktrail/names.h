/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* names.h - a list of names: events, tracers, options, instances */
#ifndef KTRAIL_NAMES_H
#define KTRAIL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct kt_names - names in the order they were added
 *
 * Start with `struct kt_names n = { 0 };`, end with kt_names_fini(). @names is
 * NULL while empty, else it ends with NULL.
 */
struct kt_names {
	char **names;		/* owned */
	size_t nr, cap;
};

void kt_names_fini(struct kt_names *n);
/* Copies. 0 or -ENOMEM. */
int  kt_names_add(struct kt_names *n, const char *name);
int  kt_names_addn(struct kt_names *n, const char *name, size_t len);
/* Every word of @text, separated by any character of @separators. 0 or -ENOMEM. */
int  kt_names_add_words(struct kt_names *n, const char *text, const char *separators);
bool kt_names_has(const struct kt_names *n, const char *name);
void kt_names_sort(struct kt_names *n);		/* bytewise; equal names become one */
/* What a typing mistake was probably meant to be; borrowed, or NULL. */
const char *kt_names_nearest(const struct kt_names *n, const char *name);

#ifdef __cplusplus
}
#endif
#endif
