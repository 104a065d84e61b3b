/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* bprint.c - trace_printk: the kernel has the format, the record has the arguments */
#include "builtin/builtin.h"

#include <ctype.h>
#include <string.h>

#include "base/num.h"
#include "printer/program.h"
#include "printer/raw.h"

/*
 * The kernel's vbin_printf stores the arguments in sequence: numbers in
 * their own size, aligned to it but at most to 4 bytes; strings with their zero byte;
 * most %p extensions as the resulting text. Linux, lib/vsprintf.c.
 *
 * libtraceevent does not read the arguments of %c and of conversions with flags, so it shows wrong
 * arguments after them, or nothing more of the event. This code reads them.
 */
struct args {
	struct kt_events *evs;
	struct kt_symbols *symbols;	/* of the record, may be NULL */
	const uint8_t *data;		/* the record */
	uint32_t at, size;
	bool missing;			/* the record ends before the format does */
};

static uint64_t next_number(struct args *a, uint32_t size)
{
	uint32_t align = size < 4 ? size : 4, at = (a->at + align - 1) & ~(align - 1);

	if (at > a->size || size > a->size - at) {
		a->missing = true;
		return 0;
	}
	a->at = at + size;
	return load_uint(a->data + at, size, a->evs->swap);
}

static struct kt_blob next_string(struct args *a)
{
	const char *s = (const char *)a->data + a->at;
	size_t rest = a->size - a->at, len = strnlen(s, rest);

	if (len == rest)
		a->missing = true;
	else
		a->at += len + 1;
	return (struct kt_blob){ s, len };
}

static uint32_t number_size(const struct args *a, const struct spec *spec)
{
	switch (spec->length) {
	case -2: return 1;
	case -1: return 2;
	case 0:  return 4;
	case 1:  return a->evs->long_size;
	}
	return 8;
}

static uint64_t extend(uint64_t v, uint32_t size, const struct spec *spec)
{
	unsigned int shift = 64 - 8 * size;

	return spec->conv == 'd' && shift ? (uint64_t)((int64_t)(v << shift) >> shift) : v;
}

static void put_char(struct args *a, const struct spec *spec, struct kt_out *out)
{
	char c = next_number(a, 1);

	program_put_text(out, spec, &c, 1);
}

static void put_value(const struct args *a, uint64_t v, struct kt_out *out)
{
	const struct spec digits = { .conv = 'x', .zero = true, .width = 2 * a->evs->long_size,
				     .precision = -1, .length = 2 };

	if (a->evs->opts.kernel)
		program_put_number(out, &digits, v);
	else
		program_put_pointer(out, v);
}

/* Returns the position after the letters of the %p. */
static const char *put_pointer(struct args *a, const char *p, const struct spec *spec,
			       struct kt_out *out)
{
	bool value = !isalnum((unsigned char)*p) ||
		     (strchr("sSxKefF", *p) && strncmp(p, "fw", 2) != 0);
	char letter = *p;
	struct kt_blob text;
	uint64_t v;

	/* The kernel skips all letters. Since 4.15, it stores all extensions but these as text. */
	while (isalnum((unsigned char)*p))
		p++;
	if (!value) {
		text = next_string(a);
		program_put_text(out, spec, text.data, text.size);
		return p;
	}
	v = next_number(a, a->evs->long_size);
	if (!isalnum((unsigned char)letter)) {
		put_value(a, v, out);
		return p;
	}
	if (strchr("xKe", letter))
		put_value(a, v, out);
	else
		program_put_symbol(a->symbols, v, letter != 's' && letter != 'f', out);
	return p;
}

static const char *put_conversion(struct args *a, const char *p, struct kt_out *out)
{
	struct spec spec = { .width = -1, .precision = -1 };
	struct kt_blob text;
	bool star;

	if (!spec_parse(&p, &spec, &star)) {
		a->missing = true;
		return p + strlen(p);
	}
	if (star)
		spec_set_star(&spec, next_number(a, 4));
	spec.conv = *p == 'i' ? 'd' : *p;
	switch (spec.conv) {
	case '\0':
		return p;
	case '%':
		str_addc(&out->text, '%');
		break;
	case 'c':
		put_char(a, &spec, out);
		break;
	case 's':
		text = next_string(a);
		program_put_text(out, &spec, text.data, text.size);
		break;
	case 'p':
		return put_pointer(a, p + 1, &spec, out);
	case 'd': case 'u': case 'x': case 'X': case 'o':
		program_put_number(out, &spec,
				   extend(next_number(a, number_size(a, &spec)),
					  number_size(a, &spec), &spec));
		break;
	default:
		a->missing = true;
		return p + strlen(p);
	}
	return p + 1;
}

/* printk_formats escapes characters that could break its lines. */
static const char *put_escape(const char *p, struct kt_out *out)
{
	static const char from[] = "ntr", to[] = "\n\t\r";
	const char *which = *p ? strchr(from, *p) : NULL;

	if (!*p)
		return p;
	str_addc(&out->text, which ? to[which - from] : *p);
	return p + 1;
}

static void put_format(struct args *a, const char *p, struct kt_out *out)
{
	size_t run;

	while (*p && !a->missing) {
		run = strcspn(p, "%\\");
		str_addn(&out->text, p, run);
		p += run;
		if (*p == '%')
			p = put_conversion(a, p + 1, out);
		else if (*p == '\\')
			p = put_escape(p + 1, out);
	}
}

void builtin_bprint(struct kt_events *evs, const struct event *ev,
		    const struct kt_record *rec, struct kt_out *out)
{
	const struct format_place *f = ((const struct builtin *)ev->priv)->f;
	struct args args = { .evs = evs, .symbols = events_symbols(evs, rec), .data = rec->data,
			     .at = f[2].offset, .size = rec->size };
	size_t start = out->text.len;
	const char *format;

	program_put_symbol(args.symbols, builtin_get(evs, rec, f[0]), false, out);
	str_addn(&out->text, ": ", 2);
	format = args.symbols ? kt_symbols_printk(args.symbols, builtin_get(evs, rec, f[1])) : NULL;
	if (!format) {
		str_addf(&out->text, "(NO FORMAT FOUND at %llx)\n",
			 (unsigned long long)builtin_get(evs, rec, f[1]));
		return;
	}
	put_format(&args, format, out);
	if (args.missing) {
		out->text.len = start;
		failed_text(evs, ev, rec, out);
	}
}
