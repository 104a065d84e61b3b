/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* facts.c - facts from records that end no span: idle states, moves, locks, timers */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "format/events.h"
#include "why/why.h"

#define TABLE_MAX 1000000
#define CPUS_MAX  65536
#define FIELDS    3

enum act {
	ACT_NONE, ACT_IDLE, ACT_MOVE, ACT_WOKEN, ACT_QUEUED, ACT_LOCK_BEGIN, ACT_LOCK_END,
	ACT_TIMER_START, ACT_TIMER_ENTRY, ACT_TIMER_EXIT, ACT_INSERT, ACT_HANDLER, ACT_CALL_ENTER,
	ACT_CALL_NUMBER, ACT_CALL_EXIT,
};

/* @fields: an event without the first one is ignored; other missing fields count as 0 */
static const struct {
	const char *system, *name;
	enum act act;
	const char *fields[FIELDS];
} known[] = {
	{ "power", "cpu_idle", ACT_IDLE, { "state", "cpu_id" } },
	{ "sched", "sched_migrate_task", ACT_MOVE, { "pid", "orig_cpu", "dest_cpu" } },
	{ "sched", "sched_waking", ACT_WOKEN, { "pid" } },
	{ "sched", "sched_wakeup", ACT_QUEUED, { "target_cpu", "pid" } },
	{ "sched", "sched_wakeup_new", ACT_QUEUED, { "target_cpu", "pid" } },
	{ "lock", "contention_begin", ACT_LOCK_BEGIN, { "lock_addr", "flags" } },
	{ "lock", "contention_end", ACT_LOCK_END, { "lock_addr" } },
	{ "timer", "hrtimer_start", ACT_TIMER_START, { "hrtimer", "expires" } },
	{ "timer", "hrtimer_expire_entry", ACT_TIMER_ENTRY, { "hrtimer", "function", "now" } },
	{ "timer", "hrtimer_expire_exit", ACT_TIMER_EXIT, { "hrtimer" } },
	{ "timer", "timer_start", ACT_TIMER_START, { "timer", "expires" } },
	{ "timer", "timer_expire_entry", ACT_TIMER_ENTRY, { "timer", "function", "now" } },
	{ "timer", "timer_expire_exit", ACT_TIMER_EXIT, { "timer" } },
	{ "block", "block_rq_insert", ACT_INSERT, { "sector", "dev" } },
	{ "irq", "irq_handler_entry", ACT_HANDLER, { "irq" } },
	{ "raw_syscalls", "sys_enter", ACT_CALL_NUMBER, { "id", "args" } },
	{ "raw_syscalls", "sys_exit", ACT_CALL_EXIT, { "id" } },
};

struct fact_role {
	enum act act;
	bool in_jiffies;		/* the times of a timer */
	const struct kt_field *fields[FIELDS];
};

/* A task: when it was woken, where it was queued, which system call it is in */
struct task_now {
	uint64_t woken;			/* time of the last sched_waking; 0: none */
	int32_t cpu;			/* + 1; 0: not known */
	union detail call;		/* name NULL: none, or not known */
};

struct lock_now {
	uint64_t from, addr, flags;
	int32_t pid;
	int32_t cpu;
	bool is_open;
};

struct timer_now {
	uint64_t started, expires;	/* by the trace's clock; by the timer's own */
};

/* A CPU: its idle state, and the timer that expires on it */
struct cpu_now {
	uint64_t idle_from, state;
	uint64_t timer_from, function;
	union detail timer;
	bool idle, in_timer;
};

static void *element(struct table *t, uint64_t key, size_t size, bool *is_new)
{
	if (t->nr >= TABLE_MAX) {
		keymap_fini(&t->of);
		t->nr = 0;
	}
	return keymap_element(&t->of, key, &t->at, &t->nr, size, is_new);
}

static void *find(const struct table *t, uint64_t key, size_t size)
{
	uint32_t i = keymap_get(&t->of, key);

	return i == KEYMAP_NONE ? NULL : (char *)t->at + i * size;
}

static void forget(struct table *t)
{
	keymap_fini(&t->of);
	t->nr = 0;
}

static void table_fini(struct table *t)
{
	forget(t);
	free(t->at);
}

void facts_fini(struct facts *f)
{
	table_fini(&f->tasks);
	table_fini(&f->locks);
	table_fini(&f->timers);
	table_fini(&f->inserts);
	keymap_fini(&f->role_of);
	free(f->roles);
	free(f->cpus);
}

void facts_forget(struct kt_why *w)
{
	struct facts *f = &w->facts;

	forget(&f->tasks);
	forget(&f->locks);
	forget(&f->timers);
	forget(&f->inserts);
	if (f->nr_cpus)
		memset(f->cpus, 0, f->nr_cpus * sizeof(*f->cpus));
}

/* ---- roles of events ---- */

static enum act act_of(const char *system, const char *name, size_t *row)
{
	for (*row = 0; *row < sizeof(known) / sizeof(*known); (*row)++)
		if (strcmp(known[*row].name, name) == 0 && strcmp(known[*row].system, system) == 0)
			return known[*row].act;
	if (strcmp(system, "syscalls") == 0 && str_starts(name, "sys_enter_"))
		return ACT_CALL_ENTER;
	if (strcmp(system, "syscalls") == 0 && str_starts(name, "sys_exit_"))
		return ACT_CALL_EXIT;
	return ACT_NONE;
}

static const struct fact_role *role_of(struct facts *f, const struct kt_event *ev)
{
	struct fact_role *r;
	bool is_new;
	size_t row, i;

	r = keymap_element(&f->role_of, (uintptr_t)ev, (void **)&f->roles, &f->nr_roles,
			   sizeof(*r), &is_new);
	if (!r || !is_new)
		return r;
	r->act = act_of(ev->system, ev->name, &row);
	if (r->act == ACT_NONE || row == sizeof(known) / sizeof(*known))
		return r;
	for (i = 0; i < FIELDS && known[row].fields[i]; i++)
		r->fields[i] = kt_event_field(ev, known[row].fields[i]);
	if (!r->fields[0])
		r->act = ACT_NONE;
	r->in_jiffies = str_starts(ev->name, "timer_");
	return r;
}

void facts_types(struct kt_why *w, size_t file, uint64_t bits[KT_ANALYSIS_WORDS])
{
	const struct kt_events *evs = kt_trace_events(w->trace, file);
	char name[256];
	size_t i, row;

	for (i = 0; i < evs->nr_slots; i++) {
		const struct event_slot *slot = &evs->slots[i];

		if (event_slot_name(slot, name, sizeof(name)) &&
		    act_of(slot->source.system, name, &row) != ACT_NONE)
			bits[slot->id / 64] |= 1ull << slot->id % 64;
	}
}

/* ---- one function for each role ---- */

/* The current record */
struct now {
	struct kt_why *w;
	const struct fact_role *role;
	int cpu, pid;
};

static uint64_t field(const struct now *n, unsigned int i)
{
	uint64_t value;

	return n->role->fields[i] &&
	       kt_field_u64(n->w->ev, n->role->fields[i], n->w->rec, &value) == 0 ? value : 0;
}

static struct cpu_now *cpu_now(struct facts *f, int cpu)
{
	struct cpu_now *grown;
	size_t nr = (size_t)cpu + 1;

	if (cpu < 0 || cpu >= CPUS_MAX)
		return NULL;
	if (nr > f->nr_cpus) {
		grown = reallocarray(f->cpus, nr, sizeof(*grown));
		if (!grown)
			return NULL;
		memset(grown + f->nr_cpus, 0, (nr - f->nr_cpus) * sizeof(*grown));
		f->cpus = grown;
		f->nr_cpus = nr;
	}
	return &f->cpus[cpu];
}

/* Keep only stretches that reach into the interval. */
static int add(struct kt_why *w, const struct stretch *s)
{
	struct stretch *new;

	if (s->until < w->opts.from || s->from > w->opts.until)
		return 0;
	new = why_new_stretch(w);
	if (!new)
		return -ENOMEM;
	*new = *s;
	return 0;
}

static int end_idle(struct kt_why *w, int cpu, struct cpu_now *c, uint64_t until)
{
	if (!c->idle)
		return 0;
	c->idle = false;
	return add(w, &(struct stretch){ .kind = STRETCH_IDLE, .from = c->idle_from,
					 .until = until, .key = c->state, .cpu = (int16_t)cpu });
}

/* State 0xffffffff is the end of one. Source: Linux, include/trace/events/power.h */
static int note_idle(const struct now *n)
{
	uint64_t state = field(n, 0), ts = n->w->rec->ts;
	struct cpu_now *c = cpu_now(&n->w->facts, n->cpu);
	int ret;

	if (!c)
		return -ENOMEM;
	ret = end_idle(n->w, n->cpu, c, ts);
	if ((uint32_t)state != UINT32_MAX) {
		c->idle = true;
		c->idle_from = ts;
		c->state = state;
	}
	return ret;
}

static bool is_cpu(uint64_t cpu)
{
	return cpu < INT16_MAX;
}

static int note_move(const struct now *n)
{
	uint64_t pid = field(n, 0), from = field(n, 1), to = field(n, 2);

	if (!pid || pid > INT32_MAX || !is_cpu(from) || !is_cpu(to) || from == to)
		return 0;
	return add(n->w, &(struct stretch){
		.kind = STRETCH_MOVE, .from = n->w->rec->ts, .until = n->w->rec->ts, .key = from,
		.cpu = (int16_t)to, .pid = (int32_t)pid, .waker = n->pid,
		.value = (uint64_t)n->cpu });
}

static int note_woken(const struct now *n)
{
	uint64_t pid = field(n, 0);
	struct task_now *t;
	bool is_new;

	if (!pid || pid > INT32_MAX)
		return 0;
	t = element(&n->w->facts.tasks, pid, sizeof(*t), &is_new);
	if (!t)
		return -ENOMEM;
	t->woken = n->w->rec->ts;
	return 0;
}

static int note_queued(const struct now *n)
{
	uint64_t cpu = field(n, 0), pid = field(n, 1);
	struct task_now *t;
	bool is_new;

	if (!pid || pid > INT32_MAX || !is_cpu(cpu) || !n->role->fields[1])
		return 0;
	t = element(&n->w->facts.tasks, pid, sizeof(*t), &is_new);
	if (!t)
		return -ENOMEM;
	t->cpu = (int32_t)cpu + 1;
	return 0;
}

/* ---- locks: a task that spins, sleeps and spins again begins several times ---- */

static uint64_t lock_key(const struct now *n)
{
	uint64_t who = n->pid ? (uint32_t)n->pid : (uint64_t)(n->cpu + 1) << 32;

	return keymap_mix(who, field(n, 0));
}

static int note_lock_begin(const struct now *n)
{
	struct lock_now *l;
	bool is_new;

	l = element(&n->w->facts.locks, lock_key(n), sizeof(*l), &is_new);
	if (!l)
		return -ENOMEM;
	if (!l->is_open)
		*l = (struct lock_now){ .from = n->w->rec->ts, .addr = field(n, 0), .pid = n->pid,
					.cpu = n->cpu, .is_open = true };
	l->flags |= field(n, 1);
	return 0;
}

static int end_lock(struct kt_why *w, struct lock_now *l, uint64_t until)
{
	l->is_open = false;
	return add(w, &(struct stretch){ .kind = KT_SPAN_LOCK, .from = l->from, .until = until,
					 .key = l->addr, .value = l->flags, .pid = l->pid,
					 .cpu = (int16_t)l->cpu });
}

static int note_lock_end(const struct now *n)
{
	struct lock_now *l = find(&n->w->facts.locks, lock_key(n), sizeof(*l));

	return l && l->is_open ? end_lock(n->w, l, n->w->rec->ts) : 0;
}

/* ---- timers ---- */

static int note_timer_start(const struct now *n)
{
	struct timer_now *t;
	bool is_new;

	t = element(&n->w->facts.timers, field(n, 0), sizeof(*t), &is_new);
	if (!t)
		return -ENOMEM;
	*t = (struct timer_now){ .started = n->w->rec->ts, .expires = field(n, 1) };
	return 0;
}

static int end_timer(struct kt_why *w, int cpu, struct cpu_now *c, uint64_t until)
{
	uint32_t detail;

	if (!c->in_timer)
		return 0;
	c->in_timer = false;
	if (until < w->opts.from || c->timer_from > w->opts.until)
		return 0;
	detail = why_new_detail(w, &c->timer);
	return !detail ? -ENOMEM :
	       add(w, &(struct stretch){ .kind = KT_SPAN_TIMER, .from = c->timer_from,
					 .until = until, .key = c->function, .cpu = (int16_t)cpu,
					 .detail = detail });
}

/* Only hrtimers count in ns; a trace does not say how long a jiffy is. */
static void plan(const struct now *n, const struct timer_now *t, union detail *d)
{
	uint64_t now = field(n, 2), ago = n->w->rec->ts - t->started;

	if (!n->role->fields[2])
		return;
	d->timer.known = true;
	d->timer.late = now > t->expires ? now - t->expires : 0;
	if (!n->role->in_jiffies && ago > d->timer.late)
		d->timer.set_for = ago - d->timer.late;
}

static int note_timer_entry(const struct now *n)
{
	struct cpu_now *c = cpu_now(&n->w->facts, n->cpu);
	const struct timer_now *t;
	uint64_t ts = n->w->rec->ts;

	if (!c)
		return -ENOMEM;
	t = find(&n->w->facts.timers, field(n, 0), sizeof(*t));
	/* An hrtimer may interrupt a timer of the wheel; two of the same kind never nest. */
	n->w->facts.no_timer_exits |= c->in_timer &&
				      c->timer.timer.in_jiffies == n->role->in_jiffies;
	c->in_timer = true;
	c->timer_from = ts;
	c->function = field(n, 1);
	c->timer = (union detail){ .timer.in_jiffies = n->role->in_jiffies };
	if (t)
		plan(n, t, &c->timer);
	return 0;
}

static int note_timer_exit(const struct now *n)
{
	struct cpu_now *c = cpu_now(&n->w->facts, n->cpu);

	return c ? end_timer(n->w, n->cpu, c, n->w->rec->ts) : -ENOMEM;
}

/* ---- requests of block devices ---- */

static int note_insert(const struct now *n)
{
	uint64_t *at;
	bool is_new;

	at = element(&n->w->facts.inserts, keymap_mix(field(n, 1), field(n, 0)), sizeof(*at),
		     &is_new);
	if (!at)
		return -ENOMEM;
	*at = n->w->rec->ts;
	return 0;
}

uint64_t facts_inserted(struct kt_why *w, uint64_t dev, uint64_t sector)
{
	uint64_t *at = find(&w->facts.inserts, keymap_mix(dev, sector), sizeof(*at)), ts;

	if (!at)
		return 0;
	ts = *at;
	*at = 0;
	return ts;
}

/* ---- system calls ---- */

/* The arguments: an array in raw_syscalls, the fields after the number in syscalls. */
static uint64_t nth_arg(const struct now *n, size_t i)
{
	const struct kt_event *ev = n->w->ev;
	uint64_t value = 0;

	if (n->role->act == ACT_CALL_ENTER && i + 1 < ev->nr_fields)
		kt_field_u64(ev, &ev->fields[i + 1], n->w->rec, &value);
	else if (n->role->fields[1])
		kt_field_elem(ev, n->role->fields[1], n->w->rec, i, &value);
	return value;
}

static int note_call(const struct now *n, const char *name)
{
	struct task_now *t;
	bool is_new;

	if (n->pid <= 0)
		return 0;
	t = element(&n->w->facts.tasks, (uint32_t)n->pid, sizeof(*t), &is_new);
	if (!t)
		return -ENOMEM;
	t->call = (union detail){ .call.name = name };
	if (name && strcmp(name, "futex") == 0) {
		t->call.call.args[0] = nth_arg(n, 0);
		t->call.call.args[1] = nth_arg(n, 1);
	}
	return 0;
}

uint32_t facts_call_of(struct kt_why *w, int pid)
{
	const struct task_now *t = find(&w->facts.tasks, (uint32_t)pid, sizeof(*t));

	return t && t->call.call.name ? why_new_detail(w, &t->call) : 0;
}

void facts_of_wait(const struct kt_why *w, struct stretch *wait)
{
	const struct task_now *t = find(&w->facts.tasks, (uint32_t)wait->pid, sizeof(*t));

	wait->key = wait->from;
	if (!t)
		return;
	wait->value = (uint64_t)t->cpu;
	if (t->woken && t->woken < wait->from)
		wait->from = t->woken;
}

/* ---- */

static int act(const struct now *n)
{
	const struct kt_event *ev = n->w->ev;

	switch (n->role->act) {
	case ACT_NONE:        break;
	case ACT_IDLE:        return note_idle(n);
	case ACT_MOVE:        return note_move(n);
	case ACT_WOKEN:       return note_woken(n);
	case ACT_QUEUED:      return note_queued(n);
	case ACT_LOCK_BEGIN:  return note_lock_begin(n);
	case ACT_LOCK_END:    return note_lock_end(n);
	case ACT_TIMER_START: return note_timer_start(n);
	case ACT_TIMER_ENTRY: return note_timer_entry(n);
	case ACT_TIMER_EXIT:  return note_timer_exit(n);
	case ACT_INSERT:      return note_insert(n);
	case ACT_HANDLER:     handlers_note(&n->w->handlers, ev, n->w->rec); break;
	case ACT_CALL_ENTER:  return note_call(n, ev->name + strlen("sys_enter_"));
	case ACT_CALL_NUMBER: return note_call(n, kt_syscall_name(ev->events, field(n, 0)));
	case ACT_CALL_EXIT:   return note_call(n, NULL);
	}
	return 0;
}

int facts_note(struct kt_why *w, const struct kt_event *ev, const struct kt_record *rec)
{
	const struct kt_source *src = kt_stream_source(kt_trace_stream(w->trace), rec->source);
	struct now n = { .w = w, .cpu = src->cpu };

	w->ev = ev;
	w->rec = rec;
	if (src->file_index != w->opts.file)
		return 0;
	n.role = role_of(&w->facts, ev);
	if (!n.role)
		return -ENOMEM;
	n.pid = kt_record_pid(ev->events, rec);
	return act(&n);
}

/* With exit events, an expiry that has not ended lasts until now. */
static bool has_timer_exits(const struct kt_why *w)
{
	return !w->facts.no_timer_exits &&
	       kt_events_by_name(kt_trace_events(w->trace, w->opts.file), "timer",
				 "hrtimer_expire_exit");
}

int facts_finish(struct kt_why *w)
{
	struct facts *f = &w->facts;
	struct lock_now *locks = f->locks.at;
	size_t i;
	int ret = 0;

	for (i = 0; i < f->nr_cpus && ret == 0; i++) {
		ret = end_idle(w, (int)i, &f->cpus[i], w->opts.until);
		if (ret == 0 && has_timer_exits(w))
			ret = end_timer(w, (int)i, &f->cpus[i], w->opts.until);
	}
	for (i = 0; i < f->locks.nr && ret == 0; i++)
		if (locks[i].is_open)
			ret = end_lock(w, &locks[i], w->opts.until);
	return ret;
}
