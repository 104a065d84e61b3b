/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* value.c - conversions: show a value of a record as text */
#include "plug/plug.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/num.h"

static bool is_signed(const struct kt_field *f)
{
	return !f || (f->flags & KT_FIELD_SIGNED);
}

/* Most values of phrases: printf would be too slow */
static void add_u64(uint64_t value, struct str *s)
{
	char buf[NUM_MAX];

	str_addn(s, buf, num_put_u64(buf, value) - buf);
}

static void print_dec(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		      struct str *s)
{
	(void)c;
	if (is_signed(f) && (int64_t)value < 0) {
		str_addc(s, '-');
		value = -value;
	}
	add_u64(value, s);
}

/* Clears the bits of the sign extension */
static uint64_t own_bits(const struct kt_field *f, uint64_t value)
{
	return f && f->size < 8 ? value & ((1ULL << (8 * f->size)) - 1) : value;
}

static void print_hex(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		      struct str *s)
{
	char buf[NUM_MAX];

	(void)c;
	str_addn(s, "0x", 2);
	str_addn(s, buf, num_put_hex(buf, own_bits(f, value)) - buf);
}

static void print_char(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		       struct str *s)
{
	(void)c;
	(void)f;
	str_addf(s, value >= ' ' && value < 127 ? "%c" : "\\x%02x", (int)(value & 0xff));
}

static void print_bool(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		       struct str *s)
{
	(void)c;
	(void)f;
	str_add(s, value ? "yes" : "no");
}

struct unit {
	uint64_t of;			/* in units of the smallest one */
	const char *name;
};

/* Uses the largest unit, with all digits: a plugin must not be less exact than the kernel. */
static void add_scaled(uint64_t value, const struct unit units[4], struct str *s)
{
	uint64_t rest, step;
	char part[9];
	size_t len = 0;

	while (units->of > 1 && value < units->of)
		units++;
	rest = value % units->of;
	add_u64(value / units->of, s);
	for (step = units->of / 1000; step && rest; step /= 1000, len += 3) {
		num_put_digits(part + len, rest / step, 3);
		rest %= step;
	}
	if (len)
		str_addc(s, '.');
	str_addn(s, part, len);
	str_addc(s, ' ');
	str_add(s, units->name);
}

static void add_time(const struct kt_field *f, uint64_t value, uint64_t factor, struct str *s)
{
	static const struct unit units[] = {
		{ 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" },
	};
	uint64_t ns;

	if (is_signed(f) && (int64_t)value < 0) {
		str_addc(s, '-');
		value = -value;
	}
	if (__builtin_mul_overflow(value, factor, &ns)) {
		add_u64(value, s);		/* not a time: print the number with its unit */
		str_add(s, factor == 1000 ? " us" : " ms");
	} else {
		add_scaled(ns, units, s);
	}
}

static void add_frequency(uint64_t value, uint64_t factor, struct str *s)
{
	static const struct unit units[] = {
		{ 1000000000, "GHz" }, { 1000000, "MHz" }, { 1000, "kHz" }, { 1, "Hz" },
	};
	uint64_t hz;

	if (__builtin_mul_overflow(value, factor, &hz)) {
		add_u64(value, s);
		str_add(s, " kHz");
	} else {
		add_scaled(hz, units, s);
	}
}

static void print_hz(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		     struct str *s)
{
	(void)c;
	add_frequency(own_bits(f, value), 1, s);
}

static void print_khz(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		      struct str *s)
{
	(void)c;
	add_frequency(own_bits(f, value), 1000, s);
}

/* A point in time, as in the time column of a report. */
static void print_seconds(const struct plug_call *c, const struct kt_field *f, uint64_t value,
			  struct str *s)
{
	(void)c;
	(void)f;
	str_addf(s, "%" PRIu64 ".%09" PRIu64, value / 1000000000, value % 1000000000);
}

static void print_time(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		       struct str *s)
{
	(void)c;
	add_time(f, value, 1, s);
}

static void print_time_us(const struct plug_call *c, const struct kt_field *f, uint64_t value,
			  struct str *s)
{
	(void)c;
	add_time(f, value, 1000, s);
}

static void print_time_ms(const struct plug_call *c, const struct kt_field *f, uint64_t value,
			  struct str *s)
{
	(void)c;
	add_time(f, value, 1000000, s);
}

/* Uses the largest unit that gives a whole number */
static void add_size(uint64_t value, uint64_t factor, struct str *s)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	uint64_t bytes;
	size_t i = 0;

	if (__builtin_mul_overflow(value, factor, &bytes)) {
		add_u64(value, s);		/* not a size: print the number with its unit */
		str_add(s, factor == 512 ? " sectors" : " pages");
		return;
	}
	while (i < 4 && bytes && bytes % 1024 == 0) {
		bytes /= 1024;
		i++;
	}
	add_u64(bytes, s);
	str_addc(s, ' ');
	str_add(s, units[i]);
}

static void print_bytes(const struct plug_call *c, const struct kt_field *f, uint64_t value,
			struct str *s)
{
	(void)c;
	add_size(own_bits(f, value), 1, s);
}

static void print_sectors(const struct plug_call *c, const struct kt_field *f, uint64_t value,
			  struct str *s)
{
	(void)c;
	add_size(own_bits(f, value), 512, s);
}

static void print_pages(const struct plug_call *c, const struct kt_field *f, uint64_t value,
			struct str *s)
{
	(void)c;
	add_size(own_bits(f, value), 4096, s);
}

static void print_symbol(const struct plug_call *c, const struct kt_field *f, uint64_t value,
			 struct str *s)
{
	struct kt_symbol sym;

	value = own_bits(f, value);
	if (c->view->model->symbol(c->view->ctx, &c->rec, value, &sym) <= 0) {
		str_addf(s, "0x%" PRIx64, value);
		return;
	}
	str_add(s, sym.name);
	if (value != sym.addr)
		str_addf(s, "+0x%" PRIx64, value - sym.addr);
	if (sym.module && sym.module[0])
		str_addf(s, " [%s]", sym.module);
}

static void print_address(const struct plug_call *c, const struct kt_field *f, uint64_t value,
			  struct str *s)
{
	value = own_bits(f, value);
	if (value)
		print_hex(c, f, value, s);
	else
		str_add(s, "NULL");
}

/* These architectures number errors and signals differently, except for the oldest ones. */
static bool counts_otherwise(const struct plug_view *v)
{
	static const char *const machines[] = { "mips", "alpha", "sparc", "parisc" };
	const char *machine = v->model->machine(v->ctx);
	size_t i;

	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (!strncmp(machine, machines[i], strlen(machines[i])))
			return true;
	return false;
}

/* Source: Linux, arch/{mips,alpha,sparc,parisc}/include/uapi/asm/errno.h; on alpha 11 differs. */
const char *plug_error(const struct plug_view *v, int error)
{
	if (counts_otherwise(v) && (error >= 35 || (error == EAGAIN &&
						    !strncmp(v->model->machine(v->ctx), "alpha",
							     5))))
		return NULL;
	return plug_errno_name(error);
}

static void print_errno(const struct plug_call *c, const struct kt_field *f, uint64_t value,
			struct str *s)
{
	int64_t v = (int64_t)value;
	const char *name = NULL;

	if (v < 0 && v >= -4095)
		name = plug_error(c->view, (int)-v);
	if (name)
		str_addf(s, "-%s", name);
	else if (v < 0 && v >= -4095)
		str_addf(s, "%" PRId64, v);
	else
		print_dec(c, f, value, s);
}

/* A positive error number, as sockets and signals store it */
static void print_error(const struct plug_call *c, const struct kt_field *f, uint64_t value,
			struct str *s)
{
	const char *name = NULL;

	if (value && value <= 4095)
		name = plug_error(c->view, (int)value);
	if (name)
		str_add(s, name);
	else
		print_dec(c, f, value, s);
}

static void print_comm(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		       struct str *s)
{
	(void)f;
	str_add(s, c->view->model->comm(c->view->ctx, (int)value));
	str_addc(s, ':');
	print_dec(c, NULL, (uint64_t)(int64_t)(int)value, s);
}

/* A device number in the kernel's form: 20 bits for the minor. */
static void print_dev(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		      struct str *s)
{
	(void)c;
	value = own_bits(f, value);
	str_addf(s, "%" PRIu64 ":%" PRIu64, value >> 20, value & 0xfffff);
}

static void print_signal(const struct plug_call *c, const struct kt_field *f, uint64_t value,
			 struct str *s)
{
	/* Numbers that are the same everywhere: 1 to 6, 8, 9, 11, 13 to 15 */
	const uint64_t everywhere = 0xeb7e;
	const char *name = NULL;

	(void)f;
	if (value < 65 && (!counts_otherwise(c->view) || (value < 16 && everywhere >> value & 1)))
		name = plug_signal_name((int)value);
	if (name)
		str_addf(s, "SIG%s", name);
	else if (!value)
		str_addc(s, '0');		/* none: kill() only checks permission */
	else
		str_addf(s, "signal %" PRId64, (int64_t)value);
}

/* ---- conversions by name ---- */

static const struct conversion {
	const char   *name;
	plug_print_fn fn;
	bool          bytes;
	uint32_t      least, most;	/* bytes of the field, 0: any */
} conversions[] = {
	{ "dec", print_dec, false, 0, 0 },         { "hex", print_hex, false, 0, 0 },
	{ "char", print_char, false, 0, 0 },       { "bool", print_bool, false, 0, 0 },
	{ "time", print_time, false, 0, 0 },       { "time_us", print_time_us, false, 0, 0 },
	{ "time_ms", print_time_ms, false, 0, 0 }, { "seconds", print_seconds, false, 0, 0 },
	{ "hz", print_hz, false, 0, 0 },           { "khz", print_khz, false, 0, 0 },
	{ "bytes", print_bytes, false, 0, 0 },     { "sectors", print_sectors, false, 0, 0 },
	{ "pages", print_pages, false, 0, 0 },     { "symbol", print_symbol, false, 0, 0 },
	{ "address", print_address, false, 0, 0 }, { "errno", print_errno, false, 0, 0 },
	{ "error", print_error, false, 0, 0 },     { "comm", print_comm, false, 0, 0 },
	{ "dev", print_dev, false, 0, 0 },         { "signal", print_signal, false, 0, 0 },
	{ "text", plug_print_text, true, 0, 0 },   { "mac", plug_print_mac, true, 0, 0 },
	{ "ipv4", plug_print_ipv4, true, 4, 4 },   { "ipv6", plug_print_ipv6, true, 16, 16 },
	{ "sockaddr", plug_print_sockaddr, true, 16, 128 },
	{ "hexdump", plug_print_hexdump, true, 0, 0 },
};

static const struct conversion *find_by_fn(plug_print_fn fn)
{
	size_t i;

	for (i = 0; conversions[i].fn != fn; i++)
		;
	return &conversions[i];
}

plug_print_fn plug_conversion(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(conversions) / sizeof(conversions[0]); i++)
		if (strlen(conversions[i].name) == len && !memcmp(conversions[i].name, name, len))
			return conversions[i].fn;
	return NULL;
}

bool plug_converts_bytes(plug_print_fn fn)
{
	return find_by_fn(fn)->bytes;
}

bool plug_conversion_fits(plug_print_fn fn, const struct kt_field *f)
{
	const struct conversion *c = find_by_fn(fn);

	return !c->most || f->flags & KT_FIELD_DYNAMIC ||
	       (f->size >= c->least && f->size <= c->most);
}

/* By type: text, numbers, addresses, lists of numbers. */
void plug_print_field(const struct plug_call *c, const struct kt_field *f, struct str *s)
{
	const struct plug_model *m = c->view->model;
	uint64_t value;
	size_t i;

	if (f->flags & KT_FIELD_STRING) {
		plug_print_text(c, f, 0, s);
	} else if (f->flags & (KT_FIELD_ARRAY | KT_FIELD_DYNAMIC)) {
		str_addc(s, '{');
		for (i = 0; m->field_elem(c->ev, f, &c->rec, i, &value) == 0; i++)
			str_addf(s, i ? ",0x%" PRIx64 : "0x%" PRIx64, value);
		str_addc(s, '}');
	} else if (plug_operand_get(c, &(struct plug_operand){ .field = f }, &value) == 0) {
		if (f->flags & KT_FIELD_POINTER)
			print_address(c, f, value, s);
		else
			print_dec(c, f, value, s);
	}
}

static void print_flags(const struct kt_name *n, uint64_t value, struct str *s)
{
	uint64_t rest = value, mask;
	bool first = true;

	for (; n->name; n++) {
		mask = n->mask ? n->mask : n->value;
		/* A name of several bits hides those of its parts; only a mask can name 0. */
		if (!mask || (value & mask) != n->value || (n->value && !(rest & n->value)))
			continue;
		str_addf(s, "%s%s", first ? "" : "|", n->name);
		first = false;
		rest &= ~mask;
	}
	if (rest)
		str_addf(s, "%s0x%" PRIx64, first ? "" : "|", rest);
	else if (first)
		str_add(s, "0");
}

void plug_print_name(const struct kt_table *t, const struct kt_field *f, uint64_t value,
		     struct str *s)
{
	/* -1 in a table is 0xffffffff in an unsigned int */
	unsigned int shift = f && f->size && f->size < 8 ? 64 - 8 * f->size : 0;
	const struct kt_name *n;

	if (t->kind == KT_TABLE_FLAGS) {
		print_flags(t->names, value, s);
		return;
	}
	for (n = t->names; n->name; n++)
		if ((n->value ^ value) << shift == 0) {
			str_add(s, n->name);
			return;
		}
	if (t->kind == KT_TABLE_ENUM_HEX)
		print_hex(NULL, f, value, s);
	else
		str_addf(s, (int64_t)value < 0 ? "%" PRId64 : "%" PRIu64, value);
}

const struct kt_table *plug_table(const struct plugin *pl, const char *name, size_t len)
{
	const struct kt_table *t = pl->api.tables;

	for (; t && t->name; t++)
		if (strlen(t->name) == len && !memcmp(t->name, name, len))
			return t;
	return NULL;
}
