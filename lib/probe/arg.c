/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* arg.c - the arguments of a probe, in the user's spelling and in the kernel's */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "probe/probe.h"

#define MAX_ARGS 128		/* of one probe, in the kernel */
#define MAX_NAME 32		/* of an argument, in the kernel, with its NUL */

/* C's names for the kernel's types. long and pointers have the size on the build machine. */
#define WORD (sizeof(long) == 8 ? "64" : "32")
static const struct {
	const char *c;
	char sign;
	const char *bits;	/* NULL: a word */
} c_types[] = {
	{ "int", 's', "32" },	 { "uint", 'u', "32" },	  { "short", 's', "16" },
	{ "ushort", 'u', "16" }, { "uchar", 'u', "8" },	  { "bool", 'u', "8" },
	{ "long", 's', NULL },	 { "ulong", 'u', NULL },  { "size_t", 'u', NULL },
	{ "ssize_t", 's', NULL }, { "ptr", 'x', NULL },	  { "hex", 'x', NULL },
	{ "pid_t", 's', "32" },	 { "u", 'u', NULL },	  { "s", 's', NULL },	{ "x", 'x', NULL },
	{ "llong", 's', "64" },	 { "ullong", 'u', "64" }, { "loff_t", 's', "64" },
};

static const char *const kernel_types[] = {
	"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "x8", "x16", "x32", "x64",
	"char", "string", "ustring", "symbol", "symstr", "%pd", "%pD",
	/* our names, for suggestions */
	"int", "uint", "short", "ushort", "uchar", "bool", "long", "ulong", "size_t", "ssize_t",
	"ptr", "hex", "pid_t", "llong", "ullong", "loff_t", NULL
};

/* Registers that hold a function's first arguments, for kernels without $argN */
#if defined(__x86_64__)
static const char *const arg_registers[] = { "%di", "%si", "%dx", "%cx", "%r8", "%r9", NULL };
#elif defined(__aarch64__)
static const char *const arg_registers[] = {
	"%x0", "%x1", "%x2", "%x3", "%x4", "%x5", "%x6", "%x7", NULL };
#elif defined(__arm__)
static const char *const arg_registers[] = { "%r0", "%r1", "%r2", "%r3", NULL };
#elif defined(__riscv)
static const char *const arg_registers[] = {
	"%a0", "%a1", "%a2", "%a3", "%a4", "%a5", "%a6", "%a7", NULL };
#elif defined(__powerpc__)
static const char *const arg_registers[] = {
	"%gpr3", "%gpr4", "%gpr5", "%gpr6", "%gpr7", "%gpr8", "%gpr9", "%gpr10", NULL };
#elif defined(__s390x__)
static const char *const arg_registers[] = { "%r2", "%r3", "%r4", "%r5", "%r6", NULL };
#else
static const char *const arg_registers[] = { NULL };
#endif

struct arg {
	const struct probe_text *t;
	enum kt_probe_kind kind;
	const char *text, *end;		/* [NAME=]EXPR[:TYPE] */
	const char *expr, *expr_end;
	const char *type;		/* NULL: none */
};

static bool is_word(const char *s, const char *end, const char *word)
{
	return (size_t)(end - s) == strlen(word) && memcmp(s, word, end - s) == 0;
}

/* N of "argN" or "$argN"; 0: neither of them */
static unsigned int arg_number(const char *s, const char *end)
{
	char *stop;
	unsigned long nr;

	s += *s == '$';
	if (end - s < 4 || memcmp(s, "arg", 3) != 0 || !isdigit((unsigned char)s[3]))
		return 0;
	nr = strtoul(s + 3, &stop, 10);
	return stop == end && nr <= MAX_ARGS ? nr : 0;
}

static int add_arg_number(const struct arg *a, unsigned int nr, struct str *out)
{
	size_t have = 0;

	if (!probe_is_user(a->kind)) {
		str_addf(out, "$arg%u", nr);
		return 0;
	}
	if (a->kind == KT_PROBE_URETPROBE)
		return probe_fail(a->t, a->expr, "arguments are not known when a function returns: "
				  "probe its entry for arg%u", nr);
	while (arg_registers[have])
		have++;
	if (nr > have)
		return probe_fail(a->t, a->expr, "only arg1 to arg%zu are passed in registers: "
				  "use $stackN", have);
	str_add(out, arg_registers[nr - 1]);
	return 0;
}

static int add_expr(const struct arg *a, const char *s, const char *end, struct str *out)
{
	unsigned int nr = arg_number(s, end);

	if (nr)
		return add_arg_number(a, nr, out);
	if (is_word(s, end, "retval") || is_word(s, end, "$retval")) {
		if (!probe_is_return(a->kind))
			return probe_fail(a->t, s,
					  "a function has a return value only when it returns: use "
					  "a return probe");
		str_add(out, "$retval");
		return 0;
	}
	if (is_word(s, end, "comm") && a->kind != KT_PROBE_EPROBE)
		str_add(out, "$comm");
	else if (a->kind == KT_PROBE_EPROBE && (isalpha((unsigned char)*s) || *s == '_'))
		str_addf(out, "$%.*s", (int)(end - s), s);
	else if (probe_is_user(a->kind) && (isalpha((unsigned char)*s) || *s == '_'))
		return probe_fail(a->t, s,
				  "'%.*s' is unknown here: use argN, %%register, $stackN or retval",
				  (int)(end - s), s);
	else
		str_addn(out, s, end - s);
	return 0;
}

/* "str(E)" and "ustr(E)" record the text that E points to. Returns the type for it. */
static const char *text_call(const struct arg *a, const char **inner, const char **inner_end)
{
	bool user = str_starts(a->expr, "ustr(");

	if ((!user && !str_starts(a->expr, "str(")) || a->expr_end[-1] != ')')
		return NULL;
	*inner = a->expr + (user ? 5 : 4);
	*inner_end = a->expr_end - 1;
	/* A probe in a program reads that program's memory: there "string" suffices. */
	return user && !probe_is_user(a->kind) ? "ustring" : "string";
}

/* "arg2:string": the kernel reads text only from memory, and the register has its address */
static bool points_at_text(const struct arg *a)
{
	const char *s = a->expr, *end = a->expr_end;

	if (!a->type ||
	    !(is_word(a->type, a->end, "string") || is_word(a->type, a->end, "ustring")))
		return false;
	return arg_number(s, end) || is_word(s, end, "retval") || is_word(s, end, "$retval") ||
	       *s == '%';
}

/* A bit-field: b<width>@<offset>/<container> */
static bool is_bit_field(const char *type, size_t len)
{
	return len > 1 && *type == 'b' && isdigit((unsigned char)type[1]) &&
	       memchr(type, '@', len) && memchr(type, '/', len);
}

static int add_type(const struct arg *a, struct str *out)
{
	size_t len = strcspn(a->type, "["), i;
	char word[32];
	char hint[SUGGEST_SIZE];

	if (a->type + len > a->end)
		len = a->end - a->type;
	for (i = 0; i < sizeof(c_types) / sizeof(*c_types); i++)
		if (is_word(a->type, a->type + len, c_types[i].c)) {
			str_addf(out, ":%c%s", c_types[i].sign,
				 c_types[i].bits ? c_types[i].bits : WORD);
			goto array;
		}
	if (len < sizeof(word)) {
		memcpy(word, a->type, len);
		word[len] = '\0';
		for (i = 0; kernel_types[i] && strcmp(kernel_types[i], word) != 0; i++)
			;
		if (!kernel_types[i] && !is_bit_field(word, len)) {
			return probe_fail(a->t, a->type, "no type '%s'%s", word,
					  *suggest_one(word, kernel_types, hint) ? hint :
					  ", e.g. u32 s64 x64 string");
		}
	}
	str_addf(out, ":%.*s", (int)len, a->type);
array:
	str_addn(out, a->type + len, a->end - a->type - len);
	return 0;
}

/* The name of an argument without one, if the expression suggests it. */
static void add_default_name(const struct arg *a, const char *s, const char *end, struct str *out)
{
	size_t i;

	s += s < end && *s == '$';
	for (i = 0; s + i < end; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_')
			return;
	if (i && i < MAX_NAME && !isdigit((unsigned char)*s) && (size_t)(a->end - a->text) >= i)
		str_addf(out, "%.*s=", (int)i, s);
}

static int add_name(struct arg *a, const char *inner, const char *inner_end, bool ours,
		    struct str *out)
{
	const char *eq = memchr(a->text, '=', a->end - a->text);

	/* \"imm-string" may contain '='; a name cannot begin with '\' */
	if (!eq || !(isalpha((unsigned char)*a->text) || *a->text == '_')) {
		if (ours)
			add_default_name(a, inner, inner_end, out);
		return 0;
	}
	if (!probe_is_name(a->text, eq - a->text))
		return probe_fail(a->t, a->text, "'%.*s' is not a valid name for an argument",
				  (int)(eq - a->text), a->text);
	if (eq - a->text >= MAX_NAME)
		return probe_fail(a->t, a->text, "names of arguments have at most %d bytes",
				  MAX_NAME - 1);
	str_addf(out, "%.*s=", (int)(eq - a->text), a->text);
	return 0;
}

/* Check that the parentheses of +8(+0(%di)) match: the kernel's message about them is unclear. */
static int check_nesting(const struct arg *a)
{
	const char *p, *open = NULL;
	int depth = 0;

	for (p = a->expr; p < a->expr_end; p++) {
		if (*p == '(' && depth++ == 0)
			open = p;
		if (*p == ')' && --depth < 0)
			return probe_fail(a->t, p, "this parenthesis was never opened");
	}
	return depth ? probe_fail(a->t, open, "this parenthesis is never closed") : 0;
}

/* The type follows the last ':' outside of parentheses and quotes: +0(%di):string */
static void split(struct arg *a)
{
	const char *eq = memchr(a->text, '=', a->end - a->text), *p;

	a->expr = eq && (isalpha((unsigned char)*a->text) || *a->text == '_') ? eq + 1 : a->text;
	a->expr_end = a->end;
	a->type = NULL;
	for (p = a->end; p > a->expr && p[-1] != ')' && p[-1] != '"'; p--)
		if (p[-1] == ':') {
			a->expr_end = p - 1;
			a->type = p;
			break;
		}
}

static int one_arg(struct arg *a, bool ours, struct str *out)
{
	const char *inner, *inner_end, *text_type = NULL;
	bool deref;
	int ret;

	split(a);
	deref = ours && points_at_text(a);
	if (a->expr == a->expr_end)
		return probe_fail(a->t, a->expr, "what to record is expected here");
	if (a->type && a->type == a->end)
		return probe_fail(a->t, a->type, "a type is expected here, e.g. u32");
	inner = a->expr;
	inner_end = a->expr_end;
	ret = check_nesting(a);
	if (ret < 0)
		return ret;
	if (ours)
		text_type = text_call(a, &inner, &inner_end);
	ret = add_name(a, inner, inner_end, ours, out);
	if (ret < 0)
		return ret;
	if (!ours) {
		str_addn(out, a->expr, a->expr_end - a->expr);
	} else {
		deref |= text_type != NULL;
		str_add(out, deref ? "+0(" : "");
		ret = add_expr(a, inner, inner_end, out);
		str_add(out, deref ? ")" : "");
	}
	if (ret == 0 && a->type)
		return add_type(a, out);
	if (text_type)
		str_addf(out, ":%s", text_type);
	return ret;
}

int probe_args(const struct probe_text *t, enum kt_probe_kind kind, const char *p, bool ours,
	       struct str *out)
{
	struct arg a = { .t = t, .kind = kind };
	unsigned int nr = 0;
	int ret;

	for (p += strspn(p, " \t"); *p; p += strspn(p, " \t")) {
		if (out->len)
			str_addc(out, ' ');
		/* "if …" of an event probe is a filter up to the end, and is checked later */
		if (kind == KT_PROBE_EPROBE && str_starts(p, "if ")) {
			str_add(out, p);
			break;
		}
		if (++nr > MAX_ARGS)
			return probe_fail(t, p, "more than %d arguments", MAX_ARGS);
		a.text = p;
		a.end = p += strcspn(p, " \t");
		ret = one_arg(&a, ours, out);
		if (ret < 0)
			return ret;
	}
	return out->failed ? -ENOMEM : 0;
}
