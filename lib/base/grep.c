/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* grep.c - select the lines of a text that match a regular expression */
#include "base/grep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 100		/* bytes of an expression that a message shows */

int grep_compile(regex_t *re, const char *regex, int flags, struct kt_err *err)
{
	char why[100];
	int ret;

	if (strlen(regex) > GREP_LONGEST)
		return kt_err_set(err, -EINVAL, "'%.20s...' is longer than %d characters", regex,
				  GREP_LONGEST);
	ret = regcomp(re, regex, flags);
	if (!ret)
		return 0;
	regerror(ret, re, why, sizeof(why));
	return kt_err_set(err, ret == REG_ESPACE ? -ENOMEM : -EINVAL, "'%.*s%s': %s",
			  SHOWN, regex, strlen(regex) > SHOWN ? "..." : "", why);
}

int grep_init(struct grep *g, const char *regex, bool ignore_case, struct kt_err *err)
{
	int flags = REG_EXTENDED | REG_NOSUB | (ignore_case ? REG_ICASE : 0), ret;

	g->all = !regex || !*regex;
	if (g->all)
		return 0;
	ret = grep_compile(&g->re, regex, flags, err);
	g->all = ret < 0;
	return kt_err_wrap(err, ret, "regular expression");
}

int grep_init_list(struct grep *g, const char *regex, bool ignore_case, struct kt_err *err)
{
	char *either = regex ? strdup(regex) : NULL, *comma;
	int ret;

	if (regex && !either)
		return kt_err_no_memory(err);
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

/*
 * Names are short: a copy costs less than REG_STARTEND, which makes glibc find the match's
 * place.
 */
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
