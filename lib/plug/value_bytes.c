/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* value_bytes.c - conversions: show the bytes of a field as text */
#include "plug/plug.h"

#include <string.h>
#include <sys/socket.h>

static bool get_bytes(const struct plug_call *c, const struct kt_field *f, struct kt_blob *b)
{
	return f && plug_bytes(c, f, b) == 0;
}

void plug_print_text(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		     struct str *s)
{
	struct kt_blob b;

	(void)value;
	if (get_bytes(c, f, &b))
		str_addn(s, b.data, strnlen(b.data, b.size));
}

/* The first @most bytes of the field in hex, separated by @between */
static void print_pairs(const struct plug_call *c, const struct kt_field *f, size_t most,
			const char *between, struct str *s)
{
	struct kt_blob b;
	size_t i;

	if (!get_bytes(c, f, &b))
		return;
	for (i = 0; i < b.size && i < most; i++)
		str_addf(s, "%s%02x", i ? between : "", (uint8_t)b.data[i]);
}

void plug_print_mac(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		     struct str *s)
{
	(void)value;
	print_pairs(c, f, 6, ":", s);
}

static void add_ipv4(const uint8_t *p, struct str *s)
{
	str_addf(s, "%u.%u.%u.%u", p[0], p[1], p[2], p[3]);
}

void plug_print_ipv4(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		     struct str *s)
{
	struct kt_blob b;

	(void)value;
	if (get_bytes(c, f, &b) && b.size >= 4)
		add_ipv4((const uint8_t *)b.data, s);
}

/* "::" replaces the longest run of zero groups, as RFC 5952 requires. */
static void add_ipv6(const uint8_t *p, struct str *s)
{
	int best = -1, best_len = 1, i, len;
	uint16_t g[8];

	for (i = 0; i < 8; i++)
		g[i] = p[2 * i] << 8 | p[2 * i + 1];
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

void plug_print_ipv6(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		     struct str *s)
{
	struct kt_blob b;

	(void)value;
	if (get_bytes(c, f, &b) && b.size >= 16)
		add_ipv6((const uint8_t *)b.data, s);
}

/* The family is below 256, so one of its two bytes is 0: the byte order does not matter. */
void plug_print_sockaddr(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		     struct str *s)
{
	const uint8_t *p;
	struct kt_blob b;
	unsigned int family;

	(void)value;
	if (!get_bytes(c, f, &b) || b.size < 16)
		return;
	p = (const uint8_t *)b.data;
	family = p[0] | p[1];
	if (family == AF_INET) {
		add_ipv4(p + 4, s);
	} else if (family == AF_INET6 && b.size >= 24) {
		str_addc(s, '[');
		add_ipv6(p + 8, s);
		str_addc(s, ']');
	} else {
		str_addf(s, "family %u", family);
		return;
	}
	str_addf(s, ":%u", p[2] << 8 | p[3]);
}

void plug_print_hexdump(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		     struct str *s)
{
	(void)value;
	print_pairs(c, f, SIZE_MAX, " ", s);
}

void plug_print_letters(const struct plug_call *c, const struct kt_field *f,
			const struct kt_table *t, struct str *s)
{
	const struct kt_name *n;
	struct kt_blob b;
	size_t i, len;

	if (!get_bytes(c, f, &b))
		return;
	len = strnlen(b.data, b.size);
	for (i = 0; i < len; i++) {
		for (n = t->names; n->name; n++)
			if (n->value == (uint8_t)b.data[i] && (!n->mask || i == 0))
				break;
		if (i)
			str_addc(s, ' ');
		if (n->name)
			str_add(s, n->name);
		else
			str_addc(s, b.data[i]);
	}
}
