/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* value.c - conversions: a value of a record in words */
#include "plug/plug.h"

#include <inttypes.h>
#include <string.h>

#include "base/num.h"

static bool is_signed(const struct kt_field *f)
{
	return !f || (f->flags & KT_FIELD_SIGNED);
}

/* Most of what phrases print: not worth a printf */
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

/* Without the bits that the sign was extended into */
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

/* Three decimals: what a plugin shows must not be coarser than what the kernel printed. */
static void add_time(const struct kt_field *f, uint64_t value, uint64_t factor, struct str *s)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" } };
	char part[3];
	uint64_t ns;
	size_t i;

	if (is_signed(f) && (int64_t)value < 0) {
		str_addc(s, '-');
		value = -value;
	}
	if (__builtin_mul_overflow(value, factor, &ns))
		ns = UINT64_MAX;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (ns >= units[i].ns) {
			add_u64(ns / units[i].ns, s);
			str_addc(s, '.');
			num_put_digits(part, ns % units[i].ns / (units[i].ns / 1000), 3);
			str_addn(s, part, 3);
			str_addc(s, ' ');
			str_add(s, units[i].name);
			return;
		}
	add_u64(ns, s);
	str_add(s, " ns");
}

/* A point in time, as the time column of a report. */
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

/* The largest unit that loses nothing */
static void add_size(uint64_t value, uint64_t factor, struct str *s)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	uint64_t bytes;
	size_t i = 0;

	if (__builtin_mul_overflow(value, factor, &bytes))
		bytes = UINT64_MAX;
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
	if (c->view->model->symbol(c->view->ctx, value, &sym) <= 0) {
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

static void print_errno(const struct plug_call *c, const struct kt_field *f, uint64_t value,
			struct str *s)
{
	int64_t v = (int64_t)value;
	const char *name = v < 0 && v >= -4095 ? plug_errno_name((int)-v) : NULL;

	if (name)
		str_addf(s, "-%s", name);
	else if (v < 0 && v >= -4095)
		str_addf(s, "%" PRId64, v);
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

/* A device number as the kernel holds it: 20 bits of minor. */
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
	const char *name = value < 65 ? plug_signal_name((int)value) : NULL;

	(void)c;
	(void)f;
	if (name)
		str_addf(s, "SIG%s", name);
	else
		str_addf(s, "signal %" PRId64, (int64_t)value);
}

/* ---- bytes ---- */

static bool get_bytes(const struct plug_call *c, const struct kt_field *f, struct kt_blob *b)
{
	return f && plug_bytes(c, f, b) == 0;
}

static void print_text(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		       struct str *s)
{
	struct kt_blob b;

	(void)value;
	if (get_bytes(c, f, &b))
		str_addn(s, b.data, strnlen(b.data, b.size));
}

static void print_mac(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		      struct str *s)
{
	struct kt_blob b;
	size_t i;

	(void)value;
	if (!get_bytes(c, f, &b))
		return;
	for (i = 0; i < b.size && i < 6; i++)
		str_addf(s, "%s%02x", i ? ":" : "", (uint8_t)b.data[i]);
}

static void print_ipv4(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		       struct str *s)
{
	const uint8_t *p;
	struct kt_blob b;

	(void)value;
	if (!get_bytes(c, f, &b) || b.size < 4)
		return;
	p = (const uint8_t *)b.data;
	str_addf(s, "%u.%u.%u.%u", p[0], p[1], p[2], p[3]);
}

/* The longest run of zero groups is written "::", as RFC 5952 asks. */
static void add_ipv6(const uint16_t g[8], struct str *s)
{
	int best = -1, best_len = 1, i, len;

	for (i = 0; i < 8; i++) {
		for (len = 0; i + len < 8 && !g[i + len]; len++)
			;
		if (len > best_len) {
			best = i;
			best_len = len;
		}
	}
	for (i = 0; i < 8; i++) {
		if (i == best) {
			str_add(s, "::");
			i += best_len - 1;
		} else {
			str_addf(s, "%s%x", i && i != best + best_len ? ":" : "", g[i]);
		}
	}
}

static void print_ipv6(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		       struct str *s)
{
	const uint8_t *p;
	struct kt_blob b;
	uint16_t g[8];
	int i;

	(void)value;
	if (!get_bytes(c, f, &b) || b.size < 16)
		return;
	p = (const uint8_t *)b.data;
	for (i = 0; i < 8; i++)
		g[i] = p[2 * i] << 8 | p[2 * i + 1];
	add_ipv6(g, s);
}

static void print_hexdump(const struct plug_call *c, const struct kt_field *f, uint64_t value,
			  struct str *s)
{
	struct kt_blob b;
	size_t i;

	(void)value;
	if (!get_bytes(c, f, &b))
		return;
	for (i = 0; i < b.size; i++)
		str_addf(s, "%s%02x", i ? " " : "", (uint8_t)b.data[i]);
}

/* ---- by name ---- */

static const struct {
	const char   *name;
	plug_print_fn fn;
	bool          bytes;
} conversions[] = {
	{ "dec", print_dec, false },         { "hex", print_hex, false },
	{ "char", print_char, false },       { "bool", print_bool, false },
	{ "time", print_time, false },       { "time_us", print_time_us, false },
	{ "time_ms", print_time_ms, false }, { "bytes", print_bytes, false },
	{ "seconds", print_seconds, false },
	{ "sectors", print_sectors, false }, { "pages", print_pages, false },
	{ "symbol", print_symbol, false },   { "address", print_address, false },
	{ "errno", print_errno, false },     { "comm", print_comm, false },
	{ "dev", print_dev, false },         { "signal", print_signal, false },
	{ "text", print_text, true },        { "mac", print_mac, true },
	{ "ipv4", print_ipv4, true },        { "ipv6", print_ipv6, true },
	{ "hexdump", print_hexdump, true },
};

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
	size_t i;

	for (i = 0; i < sizeof(conversions) / sizeof(conversions[0]); i++)
		if (conversions[i].fn == fn)
			return conversions[i].bytes;
	return false;
}

/* As fits the type: text, numbers, addresses, lists of numbers. */
void plug_print_field(const struct plug_call *c, const struct kt_field *f, struct str *s)
{
	const struct plug_model *m = c->view->model;
	uint64_t value;
	size_t i;

	if (f->flags & KT_FIELD_STRING) {
		print_text(c, f, 0, s);
	} else if (f->flags & (KT_FIELD_ARRAY | KT_FIELD_DYNAMIC)) {
		str_addc(s, '{');
		for (i = 0; m->field_elem(c->ev, f, &c->rec, i, &value) == 0; i++)
			str_addf(s, i ? ",0x%" PRIx64 : "0x%" PRIx64, value);
		str_addc(s, '}');
	} else if (m->field_u64(c->ev, f, &c->rec, &value) == 0) {
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
		/* A name of several bits hides those of its parts; 0 is a name only of a mask */
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

void plug_print_name(const struct kt_table *t, uint64_t value, struct str *s)
{
	const struct kt_name *n;

	if (t->kind == KT_TABLE_FLAGS) {
		print_flags(t->names, value, s);
		return;
	}
	for (n = t->names; n->name; n++)
		if (n->value == value) {
			str_add(s, n->name);
			return;
		}
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
