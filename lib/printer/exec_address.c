/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* exec_address.c - the kernel's %p extensions: names of addresses, network addresses, UUIDs */
#include "printer/program.h"

#include <string.h>

#include "base/num.h"
#include "base/put.h"
#include "symbols/symbols.h"

#define ADDRESS_MAX 64		/* longest text of an address */

static char *put_str(char *to, const char *s)
{
	size_t len = strlen(s);

	memcpy(to, s, len);
	return to + len;
}

static char *put_mac(char *to, const uint8_t *p, const char *variant)
{
	char between = variant[1] == 'F' ? '-' : ':';
	int i;

	for (i = 0; i < 6; i++) {
		if (i && variant[0] == 'M')
			*to++ = between;
		to = num_put_hex_digits(to, p[variant[1] == 'R' ? 5 - i : i], 2);
	}
	return to;
}

/* 'i': three digits for each number; @host: as a little-endian number */
static char *put_ip4(char *to, const uint8_t *p, char letter, bool host)
{
	int i;

	for (i = 0; i < 4; i++) {
		uint8_t byte = p[host ? 3 - i : i];

		if (i)
			*to++ = '.';
		to = letter == 'i' ? num_put_digits(to, byte, 3) : num_put_u64(to, byte);
	}
	return to;
}

static uint16_t group(const uint8_t *p, int i)
{
	return p[2 * i] << 8 | p[2 * i + 1];
}

static char *put_ip6_full(char *to, const uint8_t *p, char letter)
{
	int i;

	for (i = 0; i < 8; i++) {
		if (i && letter == 'I')
			*to++ = ':';
		to = num_put_hex_digits(to, group(p, i), 4);
	}
	return to;
}

/* Does it contain an IPv4 address, written with dots? RFC 4291 (mapped), RFC 5214 (ISATAP) */
static bool holds_ip4(const uint8_t *p)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	uint32_t isatap = (uint32_t)(p[8] | 2) << 24 | p[9] << 16 | p[10] << 8 | p[11];

	return memcmp(p, mapped, 12) == 0 || isatap == 0x02005efe;
}

/* The longest run of two or more zero groups among the first @nr; the first one of equals */
static void longest_zeros(const uint8_t *p, int nr, int *start, int *len)
{
	int i, j;

	*start = -1;
	*len = 1;
	for (i = 0; i < nr; i++) {
		for (j = i; j < nr && !group(p, j); j++)
			;
		if (j - i > *len) {
			*start = i;
			*len = j - i;
		}
	}
}

static char *put_ip6_short(char *to, const uint8_t *p)
{
	bool ip4 = holds_ip4(p), colon = false;
	int nr = ip4 ? 6 : 8, start, len, i;

	longest_zeros(p, nr, &start, &len);
	for (i = 0; i < nr; i++) {
		if (i == start) {
			if (colon || i == 0)
				*to++ = ':';
			*to++ = ':';
			colon = false;
			i += len - 1;
			continue;
		}
		if (colon)
			*to++ = ':';
		to = num_put_hex(to, group(p, i));
		colon = true;
	}
	if (ip4) {
		if (colon)
			*to++ = ':';
		to = put_ip4(to, p + 12, 'I', false);
	}
	return to;
}

static char *put_ip6(char *to, const uint8_t *p, char letter, char variant)
{
	return letter == 'I' && variant == 'c' ? put_ip6_short(to, p) : put_ip6_full(to, p, letter);
}

static char *put_port(char *to, const uint8_t *p)
{
	*to++ = ':';
	return num_put_u64(to, group(p, 0));
}

/* A struct sockaddr_in or sockaddr_in6: family, port, address */
static char *put_sockaddr(char *to, const struct input *in, struct kt_blob bytes,
			  const char *variant)
{
	const uint8_t *p = (const uint8_t *)bytes.data;
	uint16_t family;

	if (program_rest(in, p) < 2)
		return to;
	family = load_u16(p, in->swap);
	if (family == 2) {
		if (bytes.size < 16)
			return put_str(to, "INVALIDIPv4");
		to = put_ip4(to, p + 4, variant[0], variant[2] == 'h');
		return variant[3] ? put_port(to, p + 2) : to;
	}
	if (family != 10)
		return to;
	if (bytes.size < 28)
		return put_str(to, "INVALIDIPv6");
	if (variant[3])
		*to++ = '[';
	to = put_ip6(to, p + 8, variant[0], variant[2]);
	if (!variant[3])
		return to;
	*to++ = ']';
	return put_port(to, p + 2);
}

/* The library requires exactly this size; the kernel does not check it. */
static bool has_size(const struct input *in, struct kt_blob bytes, size_t size)
{
	return in->evs->opts.exact ? bytes.size == size : bytes.size >= size;
}

static char *put_ip(char *to, const struct input *in, struct kt_blob bytes, const char *variant)
{
	const uint8_t *p = (const uint8_t *)bytes.data;

	switch (variant[1]) {
	case '4':
		if (!has_size(in, bytes, 4))
			return put_str(to, "INVALIDIPv4");
		return put_ip4(to, p, variant[0], variant[2] == 'h' || variant[2] == 'l');
	case '6':
		if (!has_size(in, bytes, 16))
			return put_str(to, "INVALIDIPv6");
		return put_ip6(to, p, variant[0], variant[2]);
	case 'S':
		return put_sockaddr(to, in, bytes, variant);
	}
	return to;
}

/* b B: bytes in order; l L: the first three groups are little-endian; B and L: upper case */
static char *put_uuid(char *to, const uint8_t *p, char variant)
{
	static const uint8_t little[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	bool swap = variant == 'l' || variant == 'L', upper = variant == 'B' || variant == 'L';
	char *start = to, *c;
	int i;

	for (i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*to++ = '-';
		to = num_put_hex_digits(to, p[swap ? little[i] : i], 2);
	}
	for (c = start; upper && c < to; c++)
		if (*c >= 'a')
			*c -= 'a' - 'A';
	return to;
}

void program_put_symbol(struct kt_symbols *syms, uint64_t addr, bool offset, struct kt_out *out)
{
	char *to = put_room(&out->text, KT_SYMBOL_MAX + 2 * NUM_MAX + 6);
	struct kt_symbol sym = { .module = "" };

	if (!to)
		return;
	if (!syms || !kt_symbols_find(syms, addr, &sym)) {
		to = num_put_hex(put_lit(to, "0x"), addr);
	} else {
		to = stpcpy(to, sym.name);
		if (offset)
			to = num_put_hex(put_lit(to, "+0x"), addr - sym.addr);
		if (offset && syms->kernel)
			to = num_put_hex(put_lit(to, "/0x"), symbols_size(syms, sym.addr));
	}
	put_done(&out->text, to);
	if (syms && syms->kernel && *sym.module)
		str_addf(&out->text, " [%s]", sym.module);
}

void program_put_address(const struct input *in, const struct step *step)
{
	struct kt_blob bytes = program_bytes(in, &in->p->nodes[step->node]);
	const uint8_t *p = (const uint8_t *)bytes.data;
	char *start = str_room(&in->out->text, ADDRESS_MAX), *to = start;

	if (!start)
		return;
	if (step->kind == STEP_IP)
		to = put_ip(to, in, bytes, step->variant);
	else if (step->kind == STEP_MAC)
		to = has_size(in, bytes, 6) ?
		     put_mac(to, p, step->variant) : put_str(to, "INVALIDMAC");
	else
		to = has_size(in, bytes, 16) ?
		     put_uuid(to, p, step->variant[0]) : put_str(to, "INVALIDUUID");
	in->out->text.len += to - start;
}
