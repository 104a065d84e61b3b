/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* frames.c - frames by task, address and stack, and what they count */
#include "flame/flame.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

uint32_t flame_task(struct kt_flame *f, size_t file, int pid)
{
	const char *comm = kt_trace_comm_known(f->trace, file, pid);

	if (pid == 0)
		comm = "<idle>";
	return flame_child(&f->tree, 0, flame_name(&f->tree, KT_FLAME_TASK, comm ? comm : "<...>",
						   true));
}

uint32_t flame_address(struct kt_flame *f, struct kt_symbols *syms, enum kt_flame_type type,
		       uint64_t addr)
{
	uint64_t key = keymap_mix((uintptr_t)syms + type, addr);
	uint32_t name = keymap_get(&f->name_of, key);
	struct kt_symbol sym;
	char text[24];

	if (name != KEYMAP_NONE)
		return name;
	if (type == KT_FLAME_FUNCTION && kt_symbols_find(syms, addr, &sym) > 0) {
		name = flame_name(&f->tree, type, sym.name, false);
	} else {
		snprintf(text, sizeof(text), "0x%" PRIx64, addr);
		name = flame_name(&f->tree, type, text, true);
	}
	if (f->name_of.nr < FLAME_NAMES_MAX && keymap_put(&f->name_of, key, name) < 0)
		f->tree.failed = true;
	return name;
}

void flame_add(struct kt_flame *f, uint32_t node, uint64_t count, uint64_t ns)
{
	f->tree.nodes[node].count += count;
	f->tree.nodes[node].own_time += ns;
	f->timed |= ns > 0;
}

/* The tracer's own functions, which the kernel called to record the stack */
static bool is_of_tracer(const struct kt_flame *f, uint32_t name)
{
	const char *text = f->tree.names[name].text;

	return str_starts(text, "trace_event_raw_event_") || str_starts(text, "__traceiter_");
}

uint32_t flame_add_frames(struct kt_flame *f, uint32_t at, struct kt_symbols *syms,
			  enum kt_flame_type type, const uint64_t *frames, size_t nr)
{
	while (nr && type == KT_FLAME_FUNCTION &&
	       is_of_tracer(f, flame_address(f, syms, type, frames[0]))) {
		frames++;
		nr--;
	}
	while (nr-- > 0)
		at = flame_child(&f->tree, at, flame_address(f, syms, type, frames[nr]));
	return at;
}

bool flame_counts(const struct kt_flame *f, size_t file, int pid)
{
	return f->shown && (!f->chosen || f->chosen(f->data, file, pid));
}

bool flame_counts_sleep(const struct kt_flame *f, const struct kt_span *s)
{
	char state = kt_task_state_letter(s->value);
	bool is_dead = s->kind == KT_SPAN_BLOCKED && (state == 'X' || state == 'Z');

	return s->pid && flame_counts(f, s->file, s->pid) && !is_dead &&
	       s->end.ts >= f->window.from &&
	       !(s->flags & (KT_SPAN_UNBEGUN | KT_SPAN_CUT));
}
