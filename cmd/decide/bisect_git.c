/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect_git.c - ask git about the commit and the bisection */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bisect.h"

/* The output of a command line without its last newline; NULL: it failed, or printed nothing */
static char *ask(const char *line)
{
	struct str out = STR_INIT;
	FILE *f = popen(line, "re");
	bool ok = f && str_read_fd(&out, fileno(f)) == 0;

	ok &= f && pclose(f) == 0;
	if (ok && out.len) {
		str_trim(out.buf);
		return str_take(&out);
	}
	str_fini(&out);
	return NULL;
}

char *bisect_git_dir(void)
{
	return ask("git rev-parse --git-dir 2>/dev/null");
}

char *bisect_git_head(void)
{
	return ask("git rev-parse --verify HEAD 2>/dev/null");
}

/* It becomes part of a command line. */
static bool is_hash(const char *commit)
{
	return *commit && strspn(commit, "0123456789abcdef") == strlen(commit);
}

char *bisect_git_describe(const char *commit)
{
	struct str line = STR_INIT;
	char *name = NULL;

	if (!is_hash(commit))
		return NULL;
	str_addf(&line, "git describe --always --abbrev=12 %s 2>/dev/null", commit);
	if (!line.failed)
		name = ask(line.buf);
	str_fini(&line);
	return name;
}

char *bisect_git_log(void)
{
	return ask("git bisect log 2>/dev/null");
}

#define GOODS "$(git for-each-ref --format='^%(objectname)' " \
	      "\"refs/bisect/$(git bisect terms --term-good)-*\")"
#define BAD   "refs/bisect/$(git bisect terms --term-bad)"

bool bisect_git_is_over(enum kt_verdict head, char **first_bad, char **last_good)
{
	bool bad = head == KT_VERDICT_FAILS;
	char *left;

	*first_bad = *last_good = NULL;
	if (head == KT_VERDICT_UNKNOWN)
		return false;
	left = ask(bad ? "(git rev-list --count HEAD " GOODS ") 2>/dev/null"
		       : "(git rev-list --count " BAD " ^HEAD " GOODS ") 2>/dev/null");
	if (left && strcmp(left, "1") == 0) {
		*first_bad = ask(bad ? "git rev-parse --verify HEAD 2>/dev/null"
				     : "(git rev-parse --verify " BAD ") 2>/dev/null");
		*last_good = ask(bad ? "git rev-parse --verify HEAD^ 2>/dev/null"
				     : "(git rev-parse --verify " BAD "^) 2>/dev/null");
	}
	free(left);
	return *first_bad && *last_good;
}
