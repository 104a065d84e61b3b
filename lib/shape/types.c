/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* types.c - the types of fields in templates; parse a text by a template */
#include "shape/types.h"

#include <ctype.h>
#include <string.h>

#include "base/bytes.h"
#include "shape/scan_text.h"

#define SOFTIRQS "{ 0, \"HI\" }, { 1, \"TIMER\" }, { 2, \"NET_TX\" }, { 3, \"NET_RX\" }, " \
		 "{ 4, \"BLOCK\" }, { 5, \"IRQ_POLL\" }, { 6, \"TASKLET\" }, { 7, \"SCHED\" }, " \
		 "{ 8, \"HRTIMER\" }, { 9, \"RCU\" }"
#define STATES	 "{ 0x1, \"S\" }, { 0x2, \"D\" }, { 0x4, \"T\" }, { 0x8, \"t\" }, " \
		 "{ 0x10, \"X\" }, { 0x20, \"Z\" }, { 0x40, \"P\" }, { 0x80, \"I\" }"
#define ARGS	 "REC->@[0], REC->@[1], REC->@[2], REC->@[3], REC->@[4], REC->@[5]"
#define FRAMES	 "\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n"
#define FRAME(i) "(void *)REC->@[" #i "]"

const struct shape_word shape_types[SHAPE_TYPES] = {
	[SHAPE_INT]      = { "int", "int", "", 4, 4, 4, true, "%d", "REC->@" },
	[SHAPE_UINT]     = { "uint", "unsigned int", "", 4, 4, 4, false, "%u", "REC->@" },
	[SHAPE_LONG]     = { "long", "long", "", 8, 8, 8, true, "%ld", "REC->@" },
	[SHAPE_ULONG]    = { "ulong", "unsigned long", "", 8, 8, 8, false, "%lu", "REC->@" },
	[SHAPE_HEX]      = { "hex", "unsigned long", "", 8, 8, 8, false, "%lx", "REC->@" },
	[SHAPE_POINTER]  = { "pointer", "void *", "", 8, 8, 8, false, "%p", "REC->@" },
	[SHAPE_ARGUMENT] = { "argument", "unsigned long", "", 8, 8, 8, false, "0x%08lx",
			     "((unsigned long)(REC->@))" },
	[SHAPE_CPU]      = { "cpu", "int", "", 4, 4, 4, true, "%03d", "REC->@" },
	[SHAPE_SYMBOL]   = { "symbol", "void *", "", 8, 8, 8, false, "%ps", "(void *)REC->@" },
	[SHAPE_HIDDEN]   = { "hidden", "int", "", 4, 4, 4, true, "", "" },
	[SHAPE_STATE]    = { "state", "long", "", 8, 8, 8, true, "%s%s",
			     "(REC->@ & 0xff) ? __print_flags(REC->@ & 0xff, \"|\", " STATES
			     ") : \"R\", REC->@ & 0x100 ? \"+\" : \"\"" },
	[SHAPE_DEVICE]   = { "device", "dev_t", "", 4, 4, 4, false, "%d,%d",
			     "((unsigned int)(REC->@ >> 20)), "
			     "((unsigned int)(REC->@ & ((1U << 20) - 1)))" },
	[SHAPE_ARGS]     = { "args", "unsigned long", "[6]", 48, 8, 48, false,
			     "%lx, %lx, %lx, %lx, %lx, %lx", ARGS },
	[SHAPE_COMM]     = { "comm", "char", "[16]", 16, 1, 16, false, "%s", "REC->@" },
	[SHAPE_TEXT]     = { "text", "__data_loc char[]", "", 4, 4, 4, false, "%s",
			     "__get_str(@)" },
	[SHAPE_REST]     = { "rest", "char", "[]", 0, 1, 0, false, "%s", "REC->@" },
	[SHAPE_STACK]    = { "stack", "unsigned long", "[8]", 0, 8, 64, false, FRAMES FRAMES,
			     FRAME(0) ", " FRAME(1) ", " FRAME(2) ", " FRAME(3) ", "
			     FRAME(4) ", " FRAME(5) ", " FRAME(6) ", " FRAME(7) },
	[SHAPE_SOFTIRQ]  = { "softirq", "", "", 0, 1, 0, false, "%s",
			     "__print_symbolic(REC->@, " SOFTIRQS ")" },
	[SHAPE_HANDLED]  = { "handled", "int", "", 4, 4, 4, true, "%s",
			     "REC->@ ? \"handled\" : \"unhandled\"" },
};

bool shape_is_text(enum shape_type type)
{
	return type == SHAPE_COMM || type == SHAPE_TEXT || type == SHAPE_REST;
}

/* ---- values ---- */

/* A number in exactly the form that printf() prints; any other would be printed differently. */
static size_t parse_signed(const char *s, size_t len, unsigned int bits, uint64_t *v)
{
	size_t minus = len && *s == '-', n = scan_decimal(s + minus, len - minus, v);
	uint64_t limit = 1ull << (bits - 1);

	if (!n || (n > 1 && s[minus] == '0') || (minus && !*v) || *v > limit - !minus)
		return 0;
	*v = minus ? -*v : *v;
	return n + minus;
}

static size_t parse_unsigned(const char *s, size_t len, unsigned int bits, uint64_t *v)
{
	size_t n = scan_decimal(s, len, v);

	return (n > 1 && *s == '0') || *v >> (bits - 1) >> 1 ? 0 : n;
}

static size_t parse_hex(const char *s, size_t len, uint64_t *v)
{
	size_t n = scan_hex(s, len, v);

	return n > 1 && *s == '0' ? 0 : n;
}

/* "0x7f…" or "7f…", with or without zeros before it */
static size_t parse_address(const char *s, size_t len, uint64_t *v)
{
	size_t skip = len > 2 && s[0] == '0' && s[1] == 'x' ? 2 : 0;
	size_t n = scan_hex(s + skip, len - skip, v);

	return n ? n + skip : 0;
}

static size_t parse_cpu(const char *s, size_t len, uint64_t *v)
{
	size_t n = scan_decimal(s, len, v);

	return n < 3 || (n > 3 && *s == '0') || *v > INT32_MAX ? 0 : n;
}

/* "R", "S", "S|D", "R+"; trace-cmd 3.1 has other letters for the last two bits */
static size_t parse_state(const char *s, size_t len, uint64_t *v)
{
	static const char letters[] = "SDTtXZPI......xW";
	const char *letter;
	size_t n = 0;

	*v = 0;
	if (len && *s == 'R') {
		n = 1;
	} else {
		while (n < len && isalpha((unsigned char)s[n]) &&
		       (letter = strchr(letters, s[n]))) {
			*v |= 1u << ((letter - letters) & 7);
			n++;
			if (n + 1 >= len || s[n] != '|')
				break;
			n++;
		}
	}
	if (n && n < len && s[n] == '+') {
		*v |= 0x100;
		n++;
	}
	return n;
}

/* "8,16": major and minor number */
static size_t parse_device(const char *s, size_t len, uint64_t *v)
{
	size_t n = parse_unsigned(s, len, 12, v), m;
	uint64_t minor;

	if (!n || n == len || s[n] != ',')
		return 0;
	m = parse_unsigned(s + n + 1, len - n - 1, 20, &minor);
	*v = *v << 20 | minor;
	return m ? n + 1 + m : 0;
}

static size_t parse_args(const char *s, size_t len, uint64_t *args)
{
	size_t at = 0, n, i;

	for (i = 0; i < SHAPE_ARGS_NR; i++) {
		if (i && (len - at < 2 || memcmp(s + at, ", ", 2) != 0))
			return 0;
		at += i ? 2 : 0;
		n = parse_hex(s + at, len - at, &args[i]);
		if (!n)
			return 0;
		at += n;
	}
	return at;
}

static size_t parse_handled(const char *s, size_t len, uint64_t *v)
{
	static const char word[] = "unhandled";
	size_t n;

	*v = !(len && *s == 'u');
	n = sizeof(word) - 1 - (*v ? 2 : 0);
	return n <= len && memcmp(s, word + (*v ? 2 : 0), n) == 0 ? n : 0;
}

/* The name of a vector; its number precedes it */
static size_t parse_softirq(const char *s, size_t len, uint64_t vector)
{
	static const char *const names[] = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK",
		"IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU" };
	const char *name = vector < sizeof(names) / sizeof(*names) ? names[vector] : "";
	size_t n = strlen(name);

	return n <= len && memcmp(s, name, n) == 0 ? n : 0;
}

static size_t parse_number(enum shape_type type, const char *s, size_t len,
			   struct addresses *symbols, struct shape_values *v, uint64_t *to)
{
	switch (type) {
	case SHAPE_INT:	     return parse_signed(s, len, 32, to);
	case SHAPE_LONG:     return parse_signed(s, len, 64, to);
	case SHAPE_UINT:     return parse_unsigned(s, len, 32, to);
	case SHAPE_ULONG:    return parse_unsigned(s, len, 64, to);
	case SHAPE_HEX:	     return parse_hex(s, len, to);
	case SHAPE_POINTER:
	case SHAPE_ARGUMENT: return parse_address(s, len, to);
	case SHAPE_CPU:	     return parse_cpu(s, len, to);
	case SHAPE_SYMBOL:   return addresses_parse(symbols, s, len, to);
	case SHAPE_STATE:    return parse_state(s, len, to);
	case SHAPE_DEVICE:   return parse_device(s, len, to);
	case SHAPE_ARGS:     return parse_args(s, len, v->args);
	case SHAPE_HANDLED:  return parse_handled(s, len, to);
	case SHAPE_SOFTIRQ:  return parse_softirq(s, len, *to);
	default:	     return 0;
	}
}

/* ---- matching ---- */

struct match {
	const struct shape *s;
	const struct shape_template *t;
	struct addresses *symbols;
	struct shape_values *v;
};

static bool match_from(struct match *m, size_t piece, const char *text, size_t len);

/*
 * A text ends where the next literal begins. A task name may contain that literal, so each
 * place is tried; names are short.
 */
static bool match_text(struct match *m, size_t piece, const char *text, size_t len)
{
	const struct shape_piece *p = &m->t->pieces[piece], *next = p + 1;
	size_t most = p->type == SHAPE_COMM && len > 15 ? 15 : len, n;
	struct kt_blob *to = &m->v->text[p->field];

	if (piece + 1 == m->t->nr) {
		*to = (struct kt_blob){ text, len };
		return p->type != SHAPE_COMM || len <= 15;
	}
	for (n = 0; n <= most && n + next->len <= len; n++) {
		if (memcmp(text + n, m->s->literals.buf + next->literal, next->len) != 0)
			continue;
		*to = (struct kt_blob){ text, n };
		if (match_from(m, piece + 1, text + n, len - n))
			return true;
		if (p->type != SHAPE_COMM)
			break;
	}
	return false;
}

static bool match_from(struct match *m, size_t piece, const char *text, size_t len)
{
	const struct shape_piece *p;
	size_t n;

	for (; piece < m->t->nr; piece++) {
		p = &m->t->pieces[piece];
		if (p->len > len || memcmp(text, m->s->literals.buf + p->literal, p->len) != 0)
			return false;
		text += p->len;
		len -= p->len;
		if (p->field < 0 || p->type == SHAPE_HIDDEN)
			continue;
		if (shape_is_text(p->type))
			return match_text(m, piece, text, len);
		n = parse_number(p->type, text, len, m->symbols, m->v, &m->v->number[p->field]);
		if (!n)
			return false;
		text += n;
		len -= n;
	}
	return len == 0;
}

bool shape_match(const struct shape *s, const char *text, size_t len, struct addresses *symbols,
		 struct shape_values *v)
{
	struct match m = { .s = s, .symbols = symbols, .v = v };
	size_t i;

	for (i = 0; i < s->nr_templates; i++) {
		m.t = &s->templates[i];
		memset(v, 0, sizeof(*v));
		if (match_from(&m, 0, text, len))
			return true;
	}
	return false;
}

/* ---- records ---- */

static void put_padding(struct str *rec, size_t to)
{
	while (rec->len < to && !rec->failed)
		str_addc(rec, '\0');
}

static void put_text(struct str *rec, const struct shape_field *f, const struct kt_blob *text,
		     size_t start)
{
	uint32_t place = (uint32_t)(rec->len - start) | (uint32_t)(text->size + 1) << 16;
	char comm[16] = "";

	if (f->type == SHAPE_COMM) {
		memcpy(comm, text->size ? text->data : "", text->size < 15 ? text->size : 15);
		memcpy(rec->buf + start + f->offset, comm, sizeof(comm));
		return;
	}
	if (f->type == SHAPE_TEXT)
		memcpy(rec->buf + start + f->offset, &place, sizeof(place));
	str_addn(rec, text->data, text->size);
	str_addc(rec, '\0');
}

static void put_number(uint8_t *to, const struct shape_field *f, const struct shape_values *v,
		       uint64_t value)
{
	if (f->type == SHAPE_ARGS)
		memcpy(to, v->args, sizeof(v->args));
	else if (shape_types[f->type].size == 4)
		store_u32(to, (uint32_t)value, false);
	else if (shape_types[f->type].size == 8)
		store_u64(to, value, false);
}

bool shape_put_record(const struct shape *s, const struct shape_values *v, size_t max,
		      struct str *rec)
{
	size_t size = s->fixed, start = rec->len - 8, i;

	for (i = 0; i < s->nr; i++)
		if (shape_is_text(s->fields[i].type))
			size += v->text[i].size + 1;
		else if (s->fields[i].type == SHAPE_STACK)
			size += v->text[i].size;
	if (size > max || size > UINT16_MAX)
		return false;
	put_padding(rec, start + s->fixed);
	if (rec->failed)
		return true;
	for (i = 0; i < s->nr; i++) {
		const struct shape_field *f = &s->fields[i];

		if (f->type == SHAPE_STACK)
			str_addn(rec, v->text[i].data, v->text[i].size);
		else if (shape_is_text(f->type))
			put_text(rec, f, &v->text[i], start);
		else
			put_number((uint8_t *)rec->buf + start + f->offset, f, v, v->number[i]);
		if (rec->failed)
			break;
	}
	return true;
}
