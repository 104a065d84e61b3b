/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* atom.c - one condition: "wakeup comm==rt-app > 500us", "line FILE ~ REGEX", "exit != 0" */
#include "when/when.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/suggest.h"
#include "base/units.h"

/* An atom while it is parsed: @at moves along its text */
struct reading {
	struct atom *atom;
	const char *at;
	struct kt_err *err;
};

static int wrong(struct reading *r, const char *what)
{
	return kt_err_set(r->err, -EINVAL, "%s", what);
}

/* ---- words ---- */

static void skip_blanks(struct reading *r)
{
	r->at += strspn(r->at, " \t\n");
}

/* Without its quotes; new. NULL: -ENOMEM, or -EINVAL with the message @missing */
static char *take_word(struct reading *r, const char *missing)
{
	struct str s = STR_INIT;
	char quote = 0, *word;

	skip_blanks(r);
	if (!*r->at) {
		wrong(r, missing);
		return NULL;
	}
	for (; *r->at && (quote || !strchr(" \t\n", *r->at)); r->at++)
		if (quote ? *r->at == quote : *r->at == '"' || *r->at == '\'')
			quote = quote ? 0 : *r->at;
		else
			str_addc(&s, *r->at);
	if (quote) {
		str_fini(&s);
		wrong(r, "a quote is not closed");
		return NULL;
	}
	word = str_take(&s);
	if (!word)
		kt_err_no_memory(r->err);
	return word;
}

/* The rest of the text, without quotes around it; new */
static char *take_rest(struct reading *r, const char *missing)
{
	size_t len;
	char *rest;

	skip_blanks(r);
	len = strlen(r->at);
	if (!len) {
		wrong(r, missing);
		return NULL;
	}
	if (len > 1 && (*r->at == '"' || *r->at == '\'') && r->at[len - 1] == *r->at)
		rest = strndup(r->at + 1, len - 2);
	else
		rest = strdup(r->at);
	r->at += len;
	if (!rest)
		kt_err_no_memory(r->err);
	return rest;
}

static int take_end(struct reading *r)
{
	skip_blanks(r);
	return *r->at ? wrong(r, "the end of the condition is expected") : 0;
}

static bool take_sign(struct reading *r, const char *sign)
{
	skip_blanks(r);
	if (!str_starts(r->at, sign))
		return false;
	r->at += strlen(sign);
	return true;
}

static int take_number(struct reading *r, const char *end, int max, int *number)
{
	char *after;
	long n;

	skip_blanks(r);
	n = strtol(r->at, &after, 10);
	if (after == r->at || n < 0 || n > max || !str_starts(after, end))
		return kt_err_set(r->err, -EINVAL, "a number up to %d%s is expected", max,
				  *end ? ", followed by '%'" : "");
	r->at = after + strlen(end);
	*number = (int)n;
	return 0;
}

static int take_regex(struct reading *r)
{
	char *text = take_rest(r, "a regular expression is expected after '~'"), why[128];
	int ret;

	if (!text)
		return r->err->code;
	ret = regcomp(&r->atom->regex, text, REG_EXTENDED | REG_NOSUB);
	free(text);
	if (ret == 0) {
		r->atom->has_regex = true;
		return 0;
	}
	regerror(ret, &r->atom->regex, why, sizeof(why));
	return kt_err_set(r->err, -EINVAL, "the regular expression is wrong: %s", why);
}

/* ---- the kinds ---- */

static int read_event(struct reading *r)
{
	struct atom *a = r->atom;
	const char *colon;
	char *p;

	a->name = take_rest(r, "'event' needs a name: event sched:sched_switch");
	if (!a->name)
		return r->err->code;
	/* "system:event: filter", "event: filter": the filter follows a colon and a blank */
	p = a->name + strcspn(a->name, " \t");
	colon = p > a->name && p[-1] == ':' ? p - 1 : NULL;
	if (*p && !colon)
		return wrong(r, "a filter is written after the event, a colon and a blank");
	if (colon) {
		a->more = strdup(str_trim(p));
		if (!a->more)
			return kt_err_no_memory(r->err);
		p[-1] = '\0';
	}
	p = strchr(a->name, '/');
	if (p)
		*p = ':';
	return *a->name ? 0 : wrong(r, "'event' needs a name: event sched:sched_switch");
}

static int read_function(struct reading *r)
{
	r->atom->name = take_word(r, "'function' needs a name: function vfs_fsync");
	if (!r->atom->name)
		return r->err->code;
	if (strspn(r->atom->name, "*?_.") == strlen(r->atom->name) ||
	    strpbrk(r->atom->name, ":^$<> "))
		return wrong(r, "a function is a name or a pattern of one: function vfs_*");
	return take_end(r);
}

static int read_marker(struct reading *r)
{
	if (take_sign(r, "~"))
		return take_regex(r);
	r->atom->name = take_rest(r, "'marker' needs a text: marker 'deadline missed'");
	return r->atom->name ? 0 : r->err->code;
}

static int read_line(struct reading *r)
{
	r->atom->name = take_word(r, "'line' needs a file: line app.log ~ \"deadline missed\"");
	if (!r->atom->name)
		return r->err->code;
	return take_sign(r, "~") ? take_regex(r) : wrong(r, "'~' and a regular expression are "
							 "expected after the file");
}

static int read_now(struct reading *r)
{
	r->atom->name = take_word(r, "'now' needs a name: now app");
	if (!r->atom->name)
		return r->err->code;
	if (!*r->atom->name || strlen(r->atom->name) > 40 || strchr(r->atom->name, '/') ||
	    *r->atom->name == '.')
		return wrong(r, "the name of 'now' has 1 to 40 characters, and no '/'");
	return take_end(r);
}

static int read_signal(struct reading *r)
{
	static const struct { const char *name; int number; } known[] = {
		{ "USR1", SIGUSR1 }, { "USR2", SIGUSR2 }, { "WINCH", SIGWINCH },
		{ "URG", SIGURG }, { "CONT", SIGCONT }, { "IO", SIGIO },
	};
	const char *name;
	char *word;
	size_t i;

	r->atom->number = SIGUSR1;
	skip_blanks(r);
	if (!*r->at)
		return 0;
	word = take_word(r, "");
	if (!word)
		return r->err->code;
	name = str_starts(word, "SIG") ? word + 3 : word;
	for (i = 0; i < sizeof(known) / sizeof(*known) && strcmp(known[i].name, name) != 0; i++)
		;
	free(word);
	if (i == sizeof(known) / sizeof(*known))
		return wrong(r, "a signal is one of USR1, USR2, WINCH, URG, CONT, IO: others end "
			     "the recording");
	r->atom->number = known[i].number;
	return take_end(r);
}

/* "exit" alone: any; "exit != 0" */
static int read_exit(struct reading *r)
{
	int ret;

	r->atom->sign = COMPARE_GE;
	skip_blanks(r);
	if (!*r->at)
		return 0;
	if (take_sign(r, "=="))
		r->atom->sign = COMPARE_EQ;
	else if (take_sign(r, "!="))
		r->atom->sign = COMPARE_NE;
	else
		return wrong(r, "== or != and a status are expected: exit != 0");
	ret = take_number(r, "", 255, &r->atom->number);
	return ret < 0 ? ret : take_end(r);
}

static int read_death(struct reading *r)
{
	return take_end(r);
}

static int take_one_of(struct reading *r, const char *const words[], char **out)
{
	char list[SUGGEST_SIZE];
	size_t i;

	*out = take_word(r, "psi needs a resource and a limit: psi io some > 20%");
	if (!*out)
		return r->err->code;
	for (i = 0; words[i] && strcmp(words[i], *out) != 0; i++)
		;
	return words[i] ? 0 : kt_err_set(r->err, -EINVAL, "'%s' is not known here%s", *out,
					 suggest(*out, words, list));
}

static int read_psi(struct reading *r)
{
	static const char *const resources[] = { "cpu", "memory", "io", NULL };
	static const char *const kinds[] = { "some", "full", NULL };
	int ret = take_one_of(r, resources, &r->atom->name);

	if (ret == 0)
		ret = take_one_of(r, kinds, &r->atom->more);
	if (ret < 0)
		return ret;
	if (!take_sign(r, ">"))
		return wrong(r, "'> N%' is expected: psi io some > 20%");
	ret = take_number(r, "%", 100, &r->atom->number);
	if (ret < 0)
		return ret;
	return r->atom->number ? take_end(r) : wrong(r, "the limit is at least 1%");
}

static int read_cgroup(struct reading *r)
{
	static const char missing[] = "'cgroup' needs a folder and a key: "
				      "cgroup /sys/fs/cgroup/app oom_kill";

	r->atom->name = take_word(r, missing);
	r->atom->more = r->atom->name ? take_word(r, missing) : NULL;
	return r->atom->more ? take_end(r) : r->err->code;
}

/* "= 5ms": a number with a unit, up to the end */
static bool is_time(const char *text)
{
	uint64_t ns;

	text += *text == '=';
	text += strspn(text, " \t");
	return units_parse_time(text, 0, &ns, NULL) == 0 && ns;
}

/*
 * The last comparison; NULL: none. "->" does not count. Without a blank before it, a time must
 * follow: "wakeup>1us" has a limit, "wakeup prio<100" a condition.
 */
static const char *find_limit(const char *text)
{
	const char *p, *found = NULL;
	char quote = 0;

	for (p = text; *p; p++) {
		if (quote || *p == '"' || *p == '\'')
			quote = str_quote_after(quote, *p);
		else if ((*p == '>' || *p == '<') && p > text && p[-1] != '-' &&
			 (strchr(" \t", p[-1]) || is_time(p + 1)))
			found = p;
	}
	return found;
}

static int read_latency(struct reading *r)
{
	const char *limit = find_limit(r->at);
	struct atom *a = r->atom;
	char *subject, *time;
	int ret = 0;

	subject = strndup(r->at, limit ? (size_t)(limit - r->at) : strlen(r->at));
	if (!subject)
		return kt_err_no_memory(r->err);
	a->subject = kt_latency_subject_parse(str_trim(subject), r->err);
	free(subject);
	if (!a->subject)
		return r->err->code;
	if (!limit) {
		r->at += strlen(r->at);
		return wrong(r, "a limit is expected after a blank: > 500us");
	}
	a->sign = (enum compare)compare_take_sign(&limit);
	r->at = limit;
	time = take_rest(r, "a time is expected: > 500us");
	/* A unit is required: "prio < 100" is not a limit. */
	if (!time)
		ret = r->err->code;
	else if (units_parse_time(time, 0, &a->ns, NULL) < 0 || !a->ns)
		ret = kt_err_set(r->err, -EINVAL, "'%s' is not a time with a unit, such as 500us",
				 time);
	free(time);
	return ret;
}

static const struct {
	const char *name;
	enum atom_kind kind;
	int (*read)(struct reading *r);
} kinds[] = {
	{ "event", ATOM_EVENT, read_event }, { "function", ATOM_FUNCTION, read_function },
	{ "marker", ATOM_MARKER, read_marker },
	{ "line", ATOM_LINE, read_line }, { "now", ATOM_NOW, read_now },
	{ "signal", ATOM_SIGNAL, read_signal }, { "exit", ATOM_EXIT, read_exit },
	{ "death", ATOM_DEATH, read_death }, { "psi", ATOM_PSI, read_psi },
	{ "cgroup", ATOM_CGROUP, read_cgroup },
};
#define NR_KINDS (sizeof(kinds) / sizeof(*kinds))

/* A misspelt first word may stand for any kind of condition or latency */
static int check_first_word(struct reading *r, const char *word)
{
	const char *names[NR_KINDS + KT_LATENCY_PAIR + 2] = { "call" }, *near;
	size_t i, nr = 1;

	for (i = 0; i < NR_KINDS; i++)
		names[nr++] = kinds[i].name;
	for (i = 0; i < KT_LATENCY_PAIR; i++)
		names[nr++] = kt_latency_kind_name((enum kt_latency_kind)i);
	for (i = 0; names[i]; i++)
		if (strcmp(names[i], word) == 0)
			return 0;
	near = str_nearest(word, names);
	return near ? kt_err_set(r->err, -EINVAL, "'%s' is not a condition; did you mean '%s'?",
				 word, near)
		    : kt_err_set(r->err, -EINVAL, "'%s' is not a condition", word);
}

static int read_atom(struct reading *r)
{
	size_t len = strcspn(r->at, " \t\n<>=!~"), i;
	int ret;

	if (strstr(r->at, "->")) {
		r->atom->kind = ATOM_LATENCY;
		return read_latency(r);
	}
	for (i = 0; i < NR_KINDS; i++)
		if (strlen(kinds[i].name) == len && strncmp(r->at, kinds[i].name, len) == 0)
			break;
	if (i < NR_KINDS) {
		r->at += len;
		r->atom->kind = kinds[i].kind;
		return kinds[i].read(r);
	}
	r->atom->name = strndup(r->at, len);
	ret = r->atom->name ? check_first_word(r, r->atom->name) : kt_err_no_memory(r->err);
	r->atom->kind = ATOM_LATENCY;
	return ret < 0 ? ret : read_latency(r);
}

struct atom *atom_parse(const char *text, size_t *place, struct kt_err *err)
{
	struct reading r = { .atom = calloc(1, sizeof(*r.atom)), .at = text, .err = err };
	int ret;

	if (r.atom)
		r.atom->text = strdup(text);
	ret = r.atom && r.atom->text ? read_atom(&r) : kt_err_no_memory(r.err);
	if (ret == 0)
		return r.atom;
	*place = (size_t)(r.at - text);
	atom_destroy(r.atom);
	return NULL;
}

void atom_destroy(struct atom *a)
{
	if (!a)
		return;
	kt_latency_subject_destroy(a->subject);
	if (a->has_regex)
		regfree(&a->regex);
	free(a->name);
	free(a->more);
	free(a->text);
	free(a);
}

bool atom_has_text(const struct atom *a, const char *text)
{
	return a->has_regex ? regexec(&a->regex, text, 0, NULL, 0) == 0
			    : strstr(text, a->name) != NULL;
}
