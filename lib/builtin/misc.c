/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* misc.c - print allocations, TLB flushes, futexes */
#include "builtin/builtin.h"

#include <string.h>

#include "base/put.h"

#define ROOM (KT_SYMBOL_MAX + 8 * NUM_MAX)	/* enough for each text here */

static char *put_hex8(char *to, uint64_t v)
{
	unsigned int len = num_hex_len(v);

	return num_put_hex_words(put_lit(to, "0x"), v, len < 8 ? 8 : len);
}

/* Prints the name of the call site before the kernel's text */
void builtin_kmem(struct kt_events *evs, const struct event *ev,
		  const struct kt_record *rec, struct kt_out *out)
{
	const struct format_place *f = ((const struct builtin *)ev->priv)->f;
	struct kt_symbols *syms = events_symbols(evs, rec);
	uint64_t addr = builtin_get(evs, rec, f[0]);
	struct kt_symbol sym;
	char *to;

	if (syms && kt_symbols_find(syms, addr, &sym)) {
		to = put_room(&out->text, ROOM);
		if (!to)
			return;
		to = stpcpy(put_lit(to, "("), sym.name);
		to = num_put_hex(put_lit(to, "+0x"), (uint32_t)(addr - sym.addr));
		put_done(&out->text, put_lit(to, ") "));
	}
	plain_text(evs, ev, rec, out);
}

void builtin_tlb_flush(struct kt_events *evs, const struct event *ev,
		       const struct kt_record *rec, struct kt_out *out)
{
	static const char *const reasons[] = {
		"flush on task switch", "remote shootdown", "local shootdown", "local mm shootdown",
	};
	const struct format_place *f = ((const struct builtin *)ev->priv)->f;
	uint64_t reason = builtin_get(evs, rec, f[1]);
	char *start = str_room(&out->text, 3 * NUM_MAX + 32), *to = start;

	if (!start)
		return;
	to = num_put_i64(put_lit(to, "pages="), builtin_get(evs, rec, f[0]));
	to = put_lit(to, " reason=");
	if (reason < sizeof(reasons) / sizeof(reasons[0]))
		to = stpcpy(to, reasons[reason]);
	to = num_put_i64(put_lit(to, " ("), reason);
	*to++ = ')';
	out->text.len += to - start;
}

enum {			/* the arguments of futex(2) that an operation uses */
	VAL_HEX = 1, VAL_DEC = 2, UTIME = 4, VAL2 = 8, UADDR2 = 16, VAL3 = 32,
};

static const struct {
	const char *name;
	int args;
} futex_ops[] = {
	{ "FUTEX_WAIT", VAL_HEX | UTIME },
	{ "FUTEX_WAKE", VAL_DEC },
	{ "FUTEX_FD", VAL_DEC },
	{ "FUTEX_REQUEUE", VAL_DEC | VAL2 | UADDR2 },
	{ "FUTEX_CMP_REQUEUE", VAL_DEC | VAL2 | UADDR2 | VAL3 },
	{ "FUTEX_WAKE_OP", VAL_DEC | VAL2 | UADDR2 | VAL3 },
	{ "FUTEX_LOCK_PI", UTIME },
	{ "FUTEX_UNLOCK_PI", 0 },
	{ "FUTEX_TRYLOCK_PI", 0 },
	{ "FUTEX_WAIT_BITSET", VAL_HEX | UTIME | VAL3 },
	{ "FUTEX_WAKE_BITSET", VAL_DEC | VAL3 },
	{ "FUTEX_WAIT_REQUEUE_PI", VAL_HEX | UTIME | UADDR2 | VAL3 },
	{ "FUTEX_CMP_REQUEUE_PI", VAL_DEC | VAL2 | UADDR2 | VAL3 },
};

#define FUTEX_PRIVATE 0x80
#define FUTEX_CLOCK   0x100

void builtin_futex(struct kt_events *evs, const struct event *ev,
		   const struct kt_record *rec, struct kt_out *out)
{
	const struct format_place *f = ((const struct builtin *)ev->priv)->f;
	uint64_t op = builtin_get(evs, rec, f[1]);
	uint64_t cmd = op & ~(uint64_t)(FUTEX_PRIVATE | FUTEX_CLOCK);
	char *start, *to;
	int args;

	if (cmd >= sizeof(futex_ops) / sizeof(futex_ops[0])) {
		plain_text(evs, ev, rec, out);
		return;
	}
	start = to = str_room(&out->text, 12 * NUM_MAX);
	if (!start)
		return;
	args = futex_ops[cmd].args;
	to = stpcpy(put_lit(to, "op="), futex_ops[cmd].name);
	if (op & FUTEX_PRIVATE)
		to = put_lit(to, "|FUTEX_PRIVATE_FLAG");
	if (op & FUTEX_CLOCK)
		to = put_lit(to, "|FUTEX_CLOCK_REALTIME");
	to = put_hex8(put_lit(to, " uaddr="), builtin_get(evs, rec, f[0]));
	if (args & VAL_HEX)
		to = put_hex8(put_lit(to, " val="), builtin_get(evs, rec, f[2]));
	if (args & VAL_DEC)
		to = num_put_u64(put_lit(to, " val="), builtin_get(evs, rec, f[2]));
	if (args & UTIME)
		to = put_hex8(put_lit(to, " utime="), builtin_get(evs, rec, f[3]));
	if (args & VAL2)
		to = num_put_u64(put_lit(to, " val2="), builtin_get(evs, rec, f[3]));
	if (args & UADDR2)
		to = put_hex8(put_lit(to, " uaddr2="), builtin_get(evs, rec, f[4]));
	if (args & VAL3)
		to = put_hex8(put_lit(to, " val3="), builtin_get(evs, rec, f[5]));
	out->text.len += to - start;
}
