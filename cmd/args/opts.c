/* SPDX-License-Identifier: GPL-2.0-or-later */
/* opts.c - options of a subcommand: the parser of their tables */
#include "opts.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/units.h"
#include "cmd/cmd.h"

int cmd_misuse(struct kt_err *err, const char *fmt, ...)
{
	char msg[sizeof(err->msg)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	kt_err_set(err, -EINVAL, "%s", msg);
	return CMD_MISUSE;
}

int cmd_sort(const char *sort, const char *const *names, struct kt_err *err)
{
	struct str all = STR_INIT;
	int i;

	for (i = 0; names[i]; i++) {
		if (strcmp(names[i], sort) == 0) {
			str_fini(&all);
			return i;
		}
		str_addf(&all, "%s%s", i ? ", " : "", names[i]);
	}
	cmd_misuse(err, "cannot sort by '%s', only by %s", sort, all.failed ? "" : all.buf);
	str_fini(&all);
	return CMD_MISUSE;
}

static int store_int(int *to, const char *value, struct kt_err *err)
{
	int64_t number;
	int ret = units_parse_i64(value, &number, err);

	if (ret < 0)
		return ret;
	if (number < INT_MIN || number > INT_MAX)
		return kt_err_set(err, -ERANGE, "number '%s' is too large", value);
	*to = (int)number;
	return 0;
}

static int store(const struct cmd_opt *o, void *args, const char *value, struct kt_err *err)
{
	void *to = (char *)args + o->offset;
	int ret = 0;

	switch (o->kind) {
	case OPT_KIND_BOOL:
		*(bool *)to = true;
		return 0;
	case OPT_KIND_STR:
		*(const char **)to = value;
		return 0;
	case OPT_KIND_INT:
		ret = store_int(to, value, err);
		break;
	case OPT_KIND_U64:
		ret = units_parse_u64(value, to, err);
		break;
	case OPT_KIND_SIZE:
		ret = units_parse_size(value, 1, to, err);
		/* Internally, 0 means that the option was not given. */
		if (ret == 0 && !*(uint64_t *)to)
			ret = kt_err_set(err, -ERANGE, "'%s': a size above 0 is expected", value);
		break;
	case OPT_KIND_TIME:
		ret = units_parse_time(value, 1000000000, to, err);
		if (ret == 0 && !*(uint64_t *)to)
			ret = kt_err_set(err, -ERANGE, "'%s': a time above 0 is expected", value);
		break;
	case OPT_KIND_CALL:
		return o->call(args, value, err);
	}
	return ret < 0 ? CMD_MISUSE : 0;
}

/* The table and the destination of the words on a command line */
struct parse {
	const struct cmd_opt *opts;
	void *args;
	struct opts_given *given;	/* may be NULL */
};

static int take(const struct parse *p, const struct cmd_opt *o, const char *value,
		struct kt_err *err)
{
	int ret = store(o, p->args, value, err);

	if (p->given && o - p->opts < OPTS_MAX)
		p->given->at[o - p->opts] = true;
	if (p->given && ret == CMD_MISUSE)
		p->given->bad = o;
	if (ret == CMD_MISUSE && o->name)
		kt_err_wrap(err, -EINVAL, "--%s", o->name);
	else if (ret == CMD_MISUSE)
		kt_err_wrap(err, -EINVAL, "-%c", o->ch);
	return ret;
}

static int unknown_long(const struct cmd_opt *opts, const char *word, size_t len,
			struct kt_err *err)
{
	const char *names[128], *near;
	char name[64];
	size_t nr = 0;

	snprintf(name, sizeof(name), "%.*s", (int)len, word);
	names[nr++] = "help";		/* not in any table */
	for (; opts && !opt_is_end(opts) && nr < 127; opts++)
		if (opts->name)
			names[nr++] = opts->name;
	names[nr] = NULL;
	near = str_nearest(name, names);
	return near ? cmd_misuse(err, "unknown option '--%s', did you mean '--%s'?", name, near)
		    : cmd_misuse(err, "unknown option '--%s', -h lists them", name);
}

static int ambiguous_long(const struct cmd_opt *opts, const char *name, size_t len,
			  struct kt_err *err)
{
	struct str list = STR_INIT;
	int ret;

	for (; !opt_is_end(opts); opts++)
		if (opts->name && strncmp(opts->name, name, len) == 0)
			str_addf(&list, "%s--%s", list.len ? ", " : "", opts->name);
	ret = cmd_misuse(err, "option '--%.*s' is ambiguous: %s", (int)len, name,
			 list.failed ? "" : list.buf);
	str_fini(&list);
	return ret;
}

/* As with getopt_long, a long option may be abbreviated as long as it is unique. */
static const struct cmd_opt *find_long(const struct cmd_opt *opts, const char *name, size_t len,
				       bool *ambiguous)
{
	const struct cmd_opt *found = NULL;

	*ambiguous = false;
	for (; opts && !opt_is_end(opts); opts++) {
		if (!opts->name || strncmp(opts->name, name, len) != 0)
			continue;
		if (strlen(opts->name) == len) {
			*ambiguous = false;
			return opts;
		}
		if (found)
			*ambiguous = true;
		found = opts;
	}
	return found;
}

/* argv[0] begins with "--". Returns words used. */
static int parse_long(const struct parse *p, int argc, char **argv, struct kt_err *err)
{
	const char *name = argv[0] + 2, *eq = strchr(name, '=');
	size_t len = eq ? (size_t)(eq - name) : strlen(name);
	const struct cmd_opt *o;
	bool ambiguous;
	int ret;

	o = find_long(p->opts, name, len, &ambiguous);
	if (!o && strcmp(name, "help") == 0)
		return OPTS_HELP;
	if (!o)
		return unknown_long(p->opts, name, len, err);
	if (ambiguous)
		return ambiguous_long(p->opts, name, len, err);
	if (!o->arg && eq)
		return cmd_misuse(err, "option '--%s' takes no value", o->name);
	if (!o->arg || eq || o->arg_optional) {
		ret = take(p, o, eq ? eq + 1 : NULL, err);
		return ret < 0 ? ret : 1;
	}
	if (argc < 2)
		return cmd_misuse(err, "option '--%s' needs a value: <%s>", o->name, o->arg);
	ret = take(p, o, argv[1], err);
	return ret < 0 ? ret : 2;
}

/* argv[0] is "-abc". Returns words used. */
static int parse_short(const struct parse *p, int argc, char **argv, struct kt_err *err)
{
	const char *c;
	int ret;

	for (c = argv[0] + 1; *c; c++) {
		const struct cmd_opt *o;

		for (o = p->opts; o && !opt_is_end(o) && o->ch != *c; o++)
			;
		if (!o || opt_is_end(o))
			return *c == 'h' ? OPTS_HELP :
			       cmd_misuse(err, "unknown option '-%c', -h lists them", *c);
		if (!o->arg) {
			ret = take(p, o, NULL, err);
			if (ret < 0)
				return ret;
			continue;
		}
		if (c[1] || o->arg_optional) {
			ret = take(p, o, c[1] ? c + 1 : NULL, err);
			return ret < 0 ? ret : 1;
		}
		if (argc < 2)
			return cmd_misuse(err, "option '-%c' needs a value: <%s>", o->ch, o->arg);
		ret = take(p, o, argv[1], err);
		return ret < 0 ? ret : 2;
	}
	return 1;
}

/* Move argv[from .. from+nr) before argv[to], to <= from. */
static void move_up(char **argv, int to, int from, int nr)
{
	for (; nr; nr--, to++, from++) {
		char *word = argv[from];

		memmove(&argv[to + 1], &argv[to], (from - to) * sizeof(*argv));
		argv[to] = word;
	}
}

int opts_parse(const struct cmd_opt *opts, void *args, int argc, char **argv, bool anywhere,
	       struct opts_given *given, struct kt_err *err)
{
	const struct parse p = { .opts = opts, .args = args, .given = given };
	int done = 0, i = 0, used;

	while (i < argc) {
		if (strcmp(argv[i], "--") == 0) {
			move_up(argv, done, i, 1);
			return done + 1;
		}
		if (argv[i][0] != '-' || !argv[i][1]) {
			if (!anywhere)
				break;
			i++;
			continue;
		}
		used = (argv[i][1] == '-' ? parse_long : parse_short)(&p, argc - i, argv + i, err);
		if (used < 0)
			return used;
		move_up(argv, done, i, used);
		done += used;
		i += used;
	}
	return done;
}

static int pass(void *args, const char *value, struct kt_err *err)
{
	(void)args;
	(void)value;
	(void)err;
	return 0;
}

struct cmd_opt *opts_without_effect(const struct cmd_opt *opts)
{
	struct cmd_opt *copy;
	size_t i, nr = 0;

	while (opts && !opt_is_end(&opts[nr]))
		nr++;
	copy = calloc(nr + 1, sizeof(*copy));
	for (i = 0; copy && i < nr; i++) {
		copy[i] = opts[i];
		copy[i].kind = OPT_KIND_CALL;
		copy[i].call = pass;
	}
	return copy;
}
