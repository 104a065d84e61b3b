/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ftrace.c - print ftrace's own events: stacks, raw data, repeated functions */
#include "builtin/builtin.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/put.h"
#include "printer/program.h"
#include "symbols/names.h"
#include "symbols/symbols.h"

static void put(struct kt_out *out, const char *s, size_t len)
{
	str_addn(&out->text, s, len);
}

static void put_nameless_frame(struct kt_symbols *syms, uint64_t addr, struct kt_out *out)
{
	struct str *s = &out->text;

	str_add(s, "=> ");
	symbols_put_nameless(syms, addr, false, s);
	str_addf(s, " (%llx)\n", (unsigned long long)addr);
}

/* "=> vfs_read (ffffffff81001004)", or the address alone if it has no name */
static void put_frame(struct kt_symbols *syms, uint64_t addr, struct kt_out *out)
{
	struct kt_symbol sym = { .name = "" };
	struct module mod;
	enum symbol_place place = syms ? symbols_place(syms, addr, &sym, &mod) : SYMBOL_UNKNOWN;
	bool known = place == SYMBOL_FOUND;
	size_t len = strlen(sym.name);
	char *start = str_room(&out->text, len + NUM_MAX + 8), *to = start;

	if (place > SYMBOL_FOUND) {
		put_nameless_frame(syms, addr, out);
		return;
	}
	if (!start)
		return;
	to = (char *)memcpy(to, "=> ", 3) + 3;
	if (known) {
		to = (char *)memcpy(to, sym.name, len) + len;
		to = (char *)memcpy(to, " (", 2) + 2;
	}
	to = num_put_hex(to, addr);
	if (known)
		*to++ = ')';
	*to++ = '\n';
	out->text.len += to - start;
}

static const struct frame *fill(struct frame *slot, struct kt_symbols *syms, uint64_t addr,
				struct kt_out *out)
{
	size_t start = out->text.len, len;
	bool loaded = symbols_are_loaded(syms);

	put_frame(syms, addr, out);
	len = out->text.len - start;
	out->text.len = start;
	if (out->text.failed || len > sizeof(slot->text))
		return NULL;
	/* While the symbols are being loaded, do not cache: look up the address again next time. */
	*slot = (struct frame){ .addr = addr, .syms = loaded ? syms : NULL, .len = len };
	memcpy(slot->text, out->text.buf + start, len);
	return slot;
}

/*
 * The same callers appear in many stacks, so their lines are cached and copied. @to has room for
 * at least one line. Returns the position after it, or NULL. If the line was not cached, @room
 * bytes are available there.
 */
static inline char *put_known_frame(struct kt_symbols *syms, uint64_t addr, struct frames *known,
				    struct kt_out *out, char *to, size_t room)
{
	struct frame *slot = &known->slots[(addr * 0x9e3779b97f4a7c15) >> (64 - FRAMES_BITS)];
	const struct frame *f = slot;

	if (__builtin_expect(slot->addr != addr || slot->syms != syms, 0)) {
		put_done(&out->text, to);
		f = fill(slot, syms, addr, out);
		if (!f)
			put_frame(syms, addr, out);
		to = put_room(&out->text, room);
		if (!f || !to)
			return to;
	}
	memcpy(to, f->text, FRAME_USUAL);
	if (__builtin_expect(f->len > FRAME_USUAL, 0))
		memcpy(to + FRAME_USUAL, f->text + FRAME_USUAL, sizeof(f->text) - FRAME_USUAL);
	return to + f->len;
}

static inline __attribute__((always_inline)) void
put_known(struct kt_symbols *syms, const uint8_t *p, const uint8_t *end, bool is_long, bool swap,
	  struct frames *known, struct kt_out *out)
{
	size_t room = (end - p) / (is_long ? 8 : 4) * sizeof(known->slots[0].text);
	char *to = put_room(&out->text, room);
	uint64_t addr;

	for (; to && p < end; p += is_long ? 8 : 4) {
		addr = is_long ? load_u64(p, swap) : load_u32(p, swap);
		to = put_known_frame(syms, addr, known, out, to, room);
	}
	if (to)
		put_done(&out->text, to);
}

static void put_known_frames(struct kt_events *evs, struct kt_symbols *syms, const uint8_t *p,
			     const uint8_t *end, struct frames *known, struct kt_out *out)
{
	if (__builtin_expect(evs->long_size == 8 && !evs->swap, 1))
		put_known(syms, p, end, true, false, known, out);
	else
		put_known(syms, p, end, evs->long_size == 8, evs->swap, known, out);
}

/*
 * The position after the last address: the end of the record, or the position of an address of
 * all ones, which looks the same in any byte order.
 */
static const uint8_t *frames_end(const uint8_t *p, const uint8_t *end, bool is_long)
{
	if (is_long)
		while (end - p >= 8 && load_u64(p, false) != UINT64_MAX)
			p += 8;
	else
		while (end - p >= 4 && load_u32(p, false) != UINT32_MAX)
			p += 4;
	return p;
}

/* Prints all frames in the record, up to an address of all ones. The format declares only eight. */
void builtin_stack(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
		   struct frames *known, struct kt_out *out)
{
	struct kt_symbols *syms = events_symbols(evs, rec);
	uint32_t first = ((const struct builtin *)ev->priv)->f[0].offset;
	const uint8_t *p = rec->data + (first < rec->size ? first : rec->size);
	const uint8_t *end = frames_end(p, rec->data + rec->size, evs->long_size == 8);

	put(out, "<stack trace >\n", 15);
	if (known && syms) {
		put_known_frames(evs, syms, p, end, known, out);
		return;
	}
	for (; p < end; p += evs->long_size)
		put_frame(syms, load_uint(p, evs->long_size, evs->swap), out);
}

void builtin_kernel_stack(struct kt_events *evs, const struct event *ev,
			  const struct kt_record *rec, struct kt_out *out)
{
	builtin_stack(evs, ev, rec, NULL, out);
}

/* Like seq_print_ip_sym(): no module without an offset, and no names of return trampolines */
void builtin_put_ip(struct kt_symbols *syms, uint64_t addr, bool offset, struct kt_out *out)
{
	struct kt_symbol sym;

	if (!addr)
		str_addc(&out->text, '0');
	else if (!syms || !kt_symbols_find(syms, addr, &sym))
		str_addf(&out->text, "0x%08" PRIx64, addr);
	else if (strcmp(sym.name, "arch_rethook_trampoline") == 0 ||
		 strcmp(sym.name, "__kretprobe_trampoline") == 0)
		str_add(&out->text, "[unknown/kretprobe'd]");
	else if (offset)
		program_put_symbol(syms, addr, true, out);
	else
		str_add(&out->text, sym.name);
}

static void put_kernel_frame(struct kt_symbols *syms, uint64_t addr, struct kt_out *out)
{
	str_add(&out->text, " => ");
	if (addr == INT32_MAX)
		str_add(&out->text, "[FTRACE TRAMPOLINE]");
	else
		builtin_put_ip(syms, addr, false, out);
	str_addc(&out->text, '\n');
}

/* A stack as in the kernel's own trace file. Source: Linux 7.2, trace_output.c */
void builtin_stack_of_trace(struct kt_events *evs, const struct event *ev,
			    const struct kt_record *rec, struct kt_out *out)
{
	bool user = strcmp(ev->pub.name, "user_stack") == 0;
	uint32_t first = ((const struct builtin *)ev->priv)->f[0].offset;
	const uint8_t *p = rec->data + first, *end = rec->data + rec->size;
	struct kt_symbols *syms = events_symbols(evs, rec);
	uint64_t addr;

	str_add(&out->text, user ? "<user stack trace>\n" : "<stack trace>\n");
	if (!user)
		end = frames_end(p, end, evs->long_size == 8);
	for (; end - p >= evs->long_size; p += evs->long_size) {
		addr = load_uint(p, evs->long_size, evs->swap);
		if (!user)
			put_kernel_frame(syms, addr, out);
		else if (addr)
			str_addf(&out->text, " =>  <%0*" PRIx64 ">\n", 2 * evs->long_size, addr);
		else
			break;
	}
}

void builtin_raw_data(struct kt_events *evs, const struct event *ev,
		      const struct kt_record *rec, struct kt_out *out)
{
	const struct format_place *f = ((const struct builtin *)ev->priv)->f;
	uint32_t at = f[1].offset;
	char *start, *to;

	if (at > rec->size)
		at = rec->size;
	start = to = str_room(&out->text, NUM_MAX + 8 + 3 * (rec->size - at));
	if (!start)
		return;
	to = (char *)memcpy(to, "# ", 2) + 2;
	to = num_put_hex(to, builtin_get(evs, rec, f[0]));
	if (evs->opts.kernel)
		to = (char *)memcpy(to, " buf:", 5) + 5;
	for (; at < rec->size; at++) {
		*to++ = ' ';
		to = num_put_hex_digits(to, rec->data[at], 2);
	}
	out->text.len += to - start;
}

/* As in the time column: "   59.072816"; or with nine decimals, or raw */
static char *put_time(char *to, uint64_t ts, const struct kt_events_opts *opts)
{
	uint64_t unit = opts->nanoseconds ? 1 : 1000;

	if (opts->raw_times)
		return to + sprintf(to, "%12" PRIu64, ts);
	ts = (ts + unit / 2) / unit;
	return to + sprintf(to, "%5" PRIu64 ".%0*" PRIu64, ts / (1000000000 / unit),
			    opts->nanoseconds ? 9 : 6, ts % (1000000000 / unit));
}

/* "vfs_read (count: 5  last_ts: 12.345678)". The record stores how long ago the last time was. */
void builtin_func_repeats(struct kt_events *evs, const struct event *ev,
			  const struct kt_record *rec, struct kt_out *out)
{
	const struct format_place *f = ((const struct builtin *)ev->priv)->f;
	struct kt_symbols *syms = events_symbols(evs, rec);
	uint64_t ip = builtin_get(evs, rec, f[0]), last;
	bool kernel = evs->opts.kernel;
	char *start, *to;

	if (kernel) {
		builtin_put_ip(syms, ip, false, out);
		str_add(&out->text, " <-");
		builtin_put_ip(syms, builtin_get(evs, rec, f[4]), false, out);
	} else {
		program_put_symbol(syms, ip, false, out);
	}
	last = rec->ts - (builtin_get(evs, rec, f[2]) << 32 | builtin_get(evs, rec, f[3]));
	start = to = str_room(&out->text, 3 * NUM_MAX + 32);
	if (!start)
		return;
	to = stpcpy(to, kernel ? " (repeats: " : " (count: ");
	to = num_put_u64(to, builtin_get(evs, rec, f[1]));
	to = stpcpy(to, kernel ? ", last_ts: " : "  last_ts: ");
	to = put_time(to, last, &evs->opts);
	*to++ = ')';
	out->text.len += to - start;
}
