/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* wakeups.c - times asleep, by the chain of tasks and interrupts that ended them */
#include "flame/flame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define CHAIN_MAX 6			/* wakers of wakers */
#define HARDIRQ   0x08			/* common_flags */
#define SOFTIRQ   0x10

/* The last wakeup of a task */
struct flame_wake {
	uint64_t ts;
	int      waker;
	bool     by_irq, by_softirq;	/* the waker was only interrupted */
};

static uint64_t key_of(size_t file, int pid)
{
	return (uint64_t)file << 32 | (uint32_t)pid;
}

static bool wakes(const struct kt_event *ev)
{
	return strcmp(ev->system, "sched") == 0 &&
	       (strcmp(ev->name, "sched_waking") == 0 || strcmp(ev->name, "sched_wakeup") == 0 ||
		strcmp(ev->name, "sched_wakeup_new") == 0);
}

/* The wakeup of a task, new if it has none; NULL: no memory */
static struct flame_wake *wake_of(struct kt_flame *f, uint64_t key)
{
	uint32_t i = keymap_get(&f->woken, key);
	size_t nr = f->woken.nr;

	if (i != KEYMAP_NONE)
		return &f->wakes[i];
	if (!array_reserve(f->wakes, nr))
		return NULL;
	f->wakes[nr] = (struct flame_wake){ 0 };
	return keymap_put(&f->woken, key, (uint32_t)nr) < 0 ? NULL : &f->wakes[nr];
}

/* sched_wakeup follows sched_waking of the same task, perhaps on another CPU: the first counts. */
int flame_note_waker(struct kt_flame *f, const struct kt_event *ev, const struct kt_record *rec)
{
	const struct kt_field *field = wakes(ev) ? kt_event_field(ev, "pid") : NULL;
	size_t file = kt_trace_source(f->trace, rec)->file_index;
	unsigned int flags = kt_record_flags(ev->events, rec);
	uint64_t pid;

	f->wake = NULL;
	if (!field || kt_field_u64(ev, field, rec, &pid) < 0)
		return 0;
	f->wake = wake_of(f, key_of(file, (int)pid));
	if (!f->wake)
		return -ENOMEM;
	*f->wake = (struct flame_wake){
		.ts = rec->ts, .waker = kt_record_pid(ev->events, rec),
		.by_irq = flags & HARDIRQ, .by_softirq = flags & SOFTIRQ,
	};
	return 0;
}

static uint32_t add_waker(struct kt_flame *f, uint32_t node, size_t file,
			  const struct flame_wake *w)
{
	const char *comm = kt_trace_comm_known(f->trace, file, w->waker);
	enum kt_flame_type type = w->by_irq || w->by_softirq ? KT_FLAME_IRQ : KT_FLAME_TASK;
	const char *name = comm ? comm : "<...>";

	if (w->by_irq)
		name = "interrupt";
	else if (w->by_softirq)
		name = "softirq";
	else if (!w->waker)
		name = "<idle>";
	return flame_child(&f->tree, node, flame_name(&f->tree, type, name, true));
}

int flame_take_wakeup(void *data, const struct kt_span *s, struct kt_err *err)
{
	struct kt_flame *f = data;
	struct kt_symbols *syms = kt_trace_symbols(f->trace, s->file);
	uint64_t from = s->begin.ts > f->window.from ? s->begin.ts : f->window.from;
	const struct flame_wake *w = f->wake;
	unsigned int depth = 0;
	uint32_t node, i;

	(void)err;
	if (!w || !flame_counts_sleep(f, s))
		return 0;
	node = flame_add_frames(f, flame_task(f, s->file, s->pid), syms, KT_FLAME_FUNCTION,
				s->frames, s->nr_frames);
	while (w && w->ts >= from && depth++ < CHAIN_MAX) {
		node = add_waker(f, node, s->file, w);
		i = w->by_irq || w->by_softirq ? KEYMAP_NONE :
		    keymap_get(&f->woken, key_of(s->file, w->waker));
		w = i == KEYMAP_NONE ? NULL : &f->wakes[i];
	}
	flame_add(f, node, 1, s->end.ts - from);
	return f->tree.failed ? -ENOMEM : 0;
}
