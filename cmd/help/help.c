/* SPDX-License-Identifier: GPL-2.0-or-later */
/* help.c - what `ktrail CMD -h` prints: one screen; `ktrail help CMD` prints all */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "cmd/cmd.h"

#define COLUMN 30		/* the column of the explanations */
#define WIDTH  79
#define USAGE_OPTIONS 5		/* the usage names options if there are no more */

/* "-b, --buffer-size <kb>", or one of both spellings */
static void add_option(struct str *s, const struct cmd_opt *o, bool both)
{
	if (o->ch && (both || !o->name))
		str_addf(s, "-%c%s", o->ch, o->name ? ", " : "");
	if (o->name)
		str_addf(s, "--%s", o->name);
	if (o->arg)
		str_addf(s, o->arg_optional ? "[=<%s>]" : " <%s>", o->arg);
}

/* Characters, not bytes */
static int width(const char *text)
{
	int nr = 0;

	for (; *text; text++)
		nr += (*text & 0xc0) != 0x80;
	return nr;
}

static void print_left(const struct str *left, const char *right)
{
	int cells = width(left->buf);

	if (cells > COLUMN - 2)
		printf("%s\n%*s%s\n", left->buf, COLUMN, "", right);
	else
		printf("%s%*s%s\n", left->buf, COLUMN - cells, "", right);
}

static void print_option(const struct cmd_opt *o)
{
	struct str left = STR_INIT;

	str_add(&left, o->ch ? "  " : "      ");
	add_option(&left, o, true);
	print_left(&left, o->help);
	str_fini(&left);
}

static bool has_rare(const struct cmd *cmd)
{
	const struct cmd_opt *o = cmd->opts;

	while (o && !opt_is_end(o) && !o->rare)
		o++;
	return o && o->rare;
}

/* By name only, as many as fit on a line */
static void print_rare(const struct cmd *cmd)
{
	int column = printf("\nAlso:");
	const struct cmd_opt *o;

	for (o = cmd->opts; !opt_is_end(o); o++) {
		struct str s = STR_INIT;

		if (!o->rare)
			continue;
		add_option(&s, o, false);
		if (column + 2 + width(s.buf) > WIDTH)
			column = printf("\n    ") - 1;
		column += printf(" [%s]", s.buf) - (int)strlen(s.buf) + width(s.buf);
		str_fini(&s);
	}
	printf("\n`%s help %s` explains these too.\n", cmd_program, cmd->name);
}

/* Bytes up to the next space outside brackets */
static int part_length(const char *usage)
{
	int i, depth = 0;

	for (i = 0; usage[i] && (usage[i] != ' ' || depth); i++)
		depth += (usage[i] == '[') - (usage[i] == ']');
	return i;
}

/* Does @words contain it: "-i <file>", "--live"? */
static bool is_in_words(const struct cmd_opt *o, const char *words)
{
	char letter[3] = { '-', (char)o->ch, '\0' }, name[64];

	snprintf(name, sizeof(name), "--%s", o->name ? o->name : "");
	return (o->ch && str_has_word(words, letter)) || (o->name && str_has_word(words, name));
}

/* Each option that @words does not contain, or "[<options>]" if there are many */
static void add_options(struct str *s, const struct cmd *cmd)
{
	const struct cmd_opt *o;
	struct str each = STR_INIT;
	int nr = 0;

	for (o = cmd->opts; o && !opt_is_end(o); o++) {
		struct cmd_opt brief = *o;

		if (!o->help || (cmd->words && is_in_words(o, cmd->words)))
			continue;
		if (o->ch)
			brief.name = NULL;
		str_add(&each, nr++ ? " [" : "[");
		add_option(&each, &brief, false);
		str_addc(&each, ']');
	}
	if (nr > USAGE_OPTIONS)
		str_add(s, "[<options>]");
	else if (nr)
		str_add(s, each.buf);
	str_fini(&each);
}

char *cmd_usage(const struct cmd *cmd)
{
	const struct verb *v;
	struct str s = STR_INIT;
	const char *between;

	add_options(&s, cmd);
	if (cmd->words)
		str_addf(&s, "%s%s", s.len ? " " : "", cmd->words);
	between = s.len ? " [" : "[";
	for (v = cmd->verbs; v && v->name; v++, between = " | ")
		str_addf(&s, "%s%s%s%s", between, v->name, *v->args ? " " : "", v->args);
	if (cmd->verbs)
		str_addc(&s, ']');
	return str_take(&s);
}

static void print_usage(const struct cmd *cmd)
{
	int column = printf("usage: %s %s", cmd_program, cmd->name), len;
	char *usage = cmd_usage(cmd);
	const char *at;

	for (at = usage ? usage : ""; *at; at += len + (at[len] == ' ')) {
		struct str part = STR_INIT;

		len = part_length(at);
		str_addn(&part, at, (size_t)len);
		if (column + 1 + width(part.buf) > WIDTH)
			column = printf("\n       ") - 1;
		column += printf(" %s", part.buf) - len + width(part.buf);
		str_fini(&part);
	}
	printf("\n\n%s\n", cmd->summary);
	free(usage);
}

static void print_verb(const struct verb *v)
{
	struct str left = STR_INIT;

	str_addf(&left, "  %s%s%s", v->name, *v->args ? " " : "", v->args);
	print_left(&left, v->help);
	str_fini(&left);
}

void cmd_print_help(const struct cmd *cmd, bool all)
{
	const struct cmd_opt *o;
	const struct verb *v;

	print_usage(cmd);
	if (cmd->verbs)
		printf("\n");
	for (v = cmd->verbs; v && v->name; v++)
		print_verb(v);
	if (cmd->opts && !opt_is_end(cmd->opts))
		printf("\n");
	for (o = cmd->opts; o && !opt_is_end(o); o++)
		if (o->help && (all || !o->rare))
			print_option(o);
	if (!all && has_rare(cmd))
		print_rare(cmd);
	if (cmd->examples)
		printf("\nExamples:\n%s", cmd->examples);
}
