/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* grep.c - lines of a text that a regular expression matches */
#include "base/grep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* glibc calls itself for each "(": as many as a stack can take, and more than a user means */
#define MAX_REGEX 4096

int grep_compile(regex_t *re, const char *regex, int flags)
{
	return strlen(regex) > MAX_REGEX ? REG_ESPACE : regcomp(re, regex, flags);
}

int grep_init(struct grep *g, const char *regex, bool ignore_case, struct kt_err *err)
{
	char why[200];
	int ret;

	g->all = !regex || !*regex;
	if (g->all)
		return 0;
	ret = grep_compile(&g->re, regex, REG_EXTENDED | REG_NOSUB | (ignore_case ? REG_ICASE : 0));
	if (!ret)
		return 0;
	regerror(ret, &g->re, why, sizeof(why));
	g->all = true;
	return kt_err_set(err, -EINVAL, "regular expression '%s': %s", regex, why);
}

int grep_init_list(struct grep *g, const char *regex, bool ignore_case, struct kt_err *err)
{
	char *either = regex ? strdup(regex) : NULL, *comma;
	int ret;

	if (regex && !either)
		return kt_err_set(err, -ENOMEM, "out of memory");
	comma = either && !strchr(either, '{') ? strchr(either, ',') : NULL;
	for (; comma; comma = strchr(comma, ','))
		*comma = '|';
	ret = grep_init(g, either, ignore_case, err);
	free(either);
	return ret;
}

void grep_fini(struct grep *g)
{
	if (!g->all)
		regfree(&g->re);
}

/* Names are short: a copy costs less than REG_STARTEND,
 * which has glibc look for a match's place. */
bool grep_match(const struct grep *g, const char *text, size_t len)
{
	char line[512];

	if (g->all)
		return true;
	if (len >= sizeof(line))
		len = sizeof(line) - 1;
	memcpy(line, text, len);
	line[len] = '\0';
	return regexec(&g->re, line, 0, NULL, 0) == 0;
}
