/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_work.c - recordings of a made-up workload, with the noise that real ones have */
#include "kt_work.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kt_dat.h"
#include "kt_reading.h"

#define FIELD(name, offset) \
	"\tfield:unsigned long " name ";\toffset:" offset ";\tsize:8;\tsigned:0;\n"
#define NAME(name, offset) \
	"\tfield:char " name "[16];\toffset:" offset ";\tsize:16;\tsigned:0;\n"
#define FMT "\nprint fmt: \"x\"\n"

enum { EXIT = 10, ENTRY, SWITCH = 20, WAKEUP = 21, IRQ_ENTRY = 23, IRQ_EXIT, SYS_ENTRY = 40 };
enum { APP = 42, HOG = 50 };
enum { READ, WRITE, FUTEX, OPENAT, NR_CALLS };
enum { TIMER, ETH, NVME, NR_IRQS };
#define NR_FUNCTIONS 12
#define COPY         5			/* WORK_FUNCTION */

static const char *const call_names[NR_CALLS] = { "read", "write", WORK_SYSCALL, "openat" };
static const char *const irq_names[NR_IRQS] = { "timer", "eth0", "nvme0" };
static const char *const functions[NR_FUNCTIONS] = {
	"vfs_read", "vfs_write", "do_futex", "do_filp_open", "filemap_read", WORK_FUNCTION,
	"fsnotify", "mark_page_accessed", "hash_futex", "path_lookup", "security_check", "kmem_get",
};

struct work {
	const struct kt_work *o;
	struct kt_dat *d;
	uint64_t state;			/* of the random numbers */
	uint64_t now;
	double   drift, run_speed;	/* logarithms */
	uint64_t drifted;		/* when it was last changed */
	uint64_t next_irq[NR_IRQS];
	unsigned int burst;		/* interrupts of ETH left in the present burst */
	bool     in_irq;
	/* the workload */
	double   ns_of[NR_FUNCTIONS], spread_of[NR_FUNCTIONS];
	double   calls_of[NR_CALLS];	/* in a period */
	uint64_t period;
	double   piece;			/* ns that app computes until hog preempts it */
	int      callees[NR_CALLS][3];	/* of a system call's function */
};

/* ---- random numbers ---- */

static uint64_t next_bits(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;	/* splitmix64 */

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static double uniform(uint64_t *state)
{
	return ((double)(next_bits(state) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
	double r = sqrt(-2 * log(uniform(state)));

	return r * cos(2 * M_PI * uniform(state));
}

static uint64_t waiting(uint64_t *state, double mean)
{
	return (uint64_t)(-mean * log(uniform(state))) + 100;
}

/* The duration of a step that takes @ns on average: the speed of the machine drifts. */
static uint64_t lasting(struct work *w, double ns, double spread)
{
	const double step = 1e6, memory = exp(-1.0 / 100);	/* 100 steps of 1 ms */

	while (w->now - w->drifted > (uint64_t)step) {
		w->drift = memory * w->drift +
			   0.04 * sqrt(1 - memory * memory) * normal(&w->state);
		w->drifted += (uint64_t)step;
	}
	return (uint64_t)(ns * exp(w->drift + w->run_speed + spread * normal(&w->state))) + 20;
}

/* ---- records ---- */

static void put(struct work *w, int id, int pid, const uint64_t values[], size_t nr)
{
	size_t i;

	w->now += 10;
	if (w->o->lose && w->now * 8 / (w->o->ns ? w->o->ns : 4000000000) == 3)
		return;
	kt_dat_begin(w->d, (uint16_t)id, pid);
	for (i = 0; i < nr; i++)
		kt_dat_int(w->d, 8, values[i]);
	kt_dat_end(w->d, w->now);
}

#define PUT(w, id, pid, ...)							\
	put(w, id, pid, (const uint64_t[]){ __VA_ARGS__ },			\
	    sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static void spend(struct work *w, int pid, uint64_t ns);

static void interrupt(struct work *w, int pid, int irq)
{
	static const double ns[NR_IRQS] = { 2500, 6000, 4000 };
	static const double gap[NR_IRQS] = { 4e6, 9e6, 0 };
	char name[16] = { 0 };
	uint64_t words[2];

	strncpy(name, irq_names[irq], sizeof(name) - 1);
	memcpy(words, name, sizeof(words));
	w->in_irq = true;
	PUT(w, IRQ_ENTRY, pid, (uint64_t)(irq + 20), words[0], words[1]);
	spend(w, pid, lasting(w, ns[irq], 0.4));
	PUT(w, IRQ_EXIT, pid, (uint64_t)(irq + 20), 1);
	w->in_irq = false;
	if (irq == TIMER)
		w->next_irq[irq] += 4000000;
	else if (irq == NVME)
		w->next_irq[irq] = w->now + waiting(&w->state, 1e9 / w->o->irqs);
	else if (w->burst && w->burst--)
		w->next_irq[irq] = w->now + waiting(&w->state, 20000);
	else
		w->next_irq[irq] = w->now + waiting(&w->state, gap[irq]);
	if (irq == ETH && !w->burst && uniform(&w->state) < 0.02)
		w->burst = 5 + next_bits(&w->state) % 20;
	if (w->next_irq[irq] < w->now)
		w->next_irq[irq] = w->now;
}

static void spend(struct work *w, int pid, uint64_t ns)
{
	int irq;

	while (ns) {
		uint64_t until = w->now + ns;
		int first = -1;

		for (irq = 0; irq < NR_IRQS && !w->in_irq; irq++)
			if (w->next_irq[irq] < until &&
			    (first < 0 || w->next_irq[irq] < w->next_irq[first]))
				first = irq;
		if (first < 0) {
			w->now = until;
			return;
		}
		if (w->next_irq[first] > w->now) {
			ns -= w->next_irq[first] - w->now;
			w->now = w->next_irq[first];
		}
		interrupt(w, pid, first);
	}
}

static uint64_t address(int function)
{
	return 0x1000 * (uint64_t)(function + 1);
}

static void call(struct work *w, int function, uint64_t depth, const int callees[], size_t nr)
{
	double ns = w->ns_of[function];
	uint64_t begun;
	size_t i;

	if (function == COPY && w->o->function > 0)
		ns *= w->o->function;
	if (function == COPY && w->o->tail > 0 && uniform(&w->state) < 0.02)
		ns *= w->o->tail;
	PUT(w, ENTRY, APP, address(function), depth);
	begun = w->now;
	spend(w, APP, lasting(w, ns, w->spread_of[function]));
	for (i = 0; i < nr; i++)
		if (uniform(&w->state) < 0.8)
			call(w, callees[i], depth + 1, NULL, 0);
	PUT(w, EXIT, APP, address(function), depth, begun, w->now + 10);
}

static void system_call(struct work *w, int nr)
{
	PUT(w, SYS_ENTRY + 2 * nr, APP, (uint64_t)nr);
	spend(w, APP, lasting(w, 300, 0.3));
	call(w, nr, 0, w->callees[nr], 3);
	PUT(w, SYS_ENTRY + 2 * nr + 1, APP, (uint64_t)nr, 0);
}

static void switch_to(struct work *w, int prev, uint64_t state, int next)
{
	PUT(w, SWITCH, prev, (uint64_t)prev, state, (uint64_t)next, next == APP ? 10 : 120);
}

/* ---- what happens ---- */

/* In pieces, whose number and lengths differ from one recording to the next */
static void compute(struct work *w, double ns)
{
	uint64_t left = (uint64_t)ns, piece;

	while (left) {
		piece = waiting(&w->state, w->piece) + 1;
		if (piece > left)
			piece = left;
		spend(w, APP, piece);
		left -= piece;
		switch_to(w, APP, 0, HOG);
		spend(w, HOG, waiting(&w->state, 1e5));
		switch_to(w, HOG, 0, APP);
	}
}

static void period(struct work *w, uint64_t at)
{
	bool idle = uniform(&w->state) < 0.4;	/* hog sleeps when app is woken */
	double often;
	int nr;

	if (idle)
		switch_to(w, HOG, 1, 0);
	if (w->now < at)
		spend(w, idle ? 0 : HOG, at - w->now);
	PUT(w, WAKEUP, idle ? 0 : HOG, APP, w->o->low_prio ? 139 : 10, 0);
	spend(w, idle ? 0 : HOG, lasting(w, 5000, 0.5));
	if (!idle && w->o->low_prio)
		spend(w, HOG, (uint64_t)(uniform(&w->state) * 3e5));
	switch_to(w, idle ? 0 : HOG, 0, APP);
	for (nr = 0; nr < NR_CALLS; nr++) {
		often = w->calls_of[nr] * (nr == FUTEX && w->o->syscall > 0 ? w->o->syscall : 1);
		while (often > 0 && uniform(&w->state) < often) {
			system_call(w, nr);
			spend(w, APP, lasting(w, 2000, 0.5));
			often -= 1;
		}
	}
	if (w->o->busy > 0 && at / w->period % 20 == 0)
		compute(w, w->o->busy);
	if (idle) {
		PUT(w, WAKEUP, APP, HOG, 120, 0);
		spend(w, APP, 2000);
	}
	switch_to(w, APP, 1, HOG);
}

static void plan(struct work *w)
{
	uint64_t s = w->o->workload * 7919 + 1;
	int i, k;

	for (i = 0; i < NR_FUNCTIONS; i++) {
		w->ns_of[i] = exp(6.5 + 2 * uniform(&s));
		w->spread_of[i] = 0.2 + 0.5 * uniform(&s);
	}
	w->ns_of[COPY] = 6000 + 6000 * uniform(&s);
	for (i = 0; i < NR_CALLS; i++) {
		w->calls_of[i] = 1 + 3 * uniform(&s);
		for (k = 0; k < 3; k++)
			w->callees[i][k] = NR_CALLS +
					   (int)(next_bits(&s) % (NR_FUNCTIONS - NR_CALLS));
	}
	w->callees[READ][0] = COPY;
	w->period = 1500000 + next_bits(&s) % 1000000;
	w->state = w->o->run * 104729 + w->o->workload;
	next_bits(&w->state);
	w->run_speed = 0.01 * normal(&w->state);
	if (w->o->busy > 0)
		w->piece = 3e5 * exp(normal(&w->state));
	for (i = 0; i < NR_IRQS; i++)
		w->next_irq[i] = 1000000 + next_bits(&w->state) % 4000000;
	if (!(w->o->irqs > 0))
		w->next_irq[NVME] = UINT64_MAX;
}

static void describe(struct kt_dat *d)
{
	static char text[1024], format[2 * NR_CALLS][512];	/* kt_dat borrows them */
	int i;

	text[0] = '\0';
	for (i = 0; i < NR_FUNCTIONS; i++)
		sprintf(text + strlen(text), "%016llx T %s\n", (unsigned long long)address(i),
			functions[i]);
	sprintf(text + strlen(text), "%016llx T _end\n", (unsigned long long)address(i));
	kt_dat_meta(d, KT_META_KALLSYMS, text);
	kt_dat_meta(d, KT_META_CMDLINES, "42 app\n50 hog\n");
	kt_dat_numbers(d, "ftrace", "funcgraph_exit", 10, "func depth calltime rettime");
	kt_dat_numbers(d, "ftrace", "funcgraph_entry", 11, "func depth");
	kt_dat_numbers(d, "sched", "sched_switch", 20, "prev_pid prev_state next_pid next_prio");
	kt_dat_numbers(d, "sched", "sched_wakeup", 21, "pid prio target_cpu");
	kt_dat_event(d, "irq", "name: irq_handler_entry\nID: 23\n" KT_COMMON FIELD("irq", "8")
		     NAME("name", "16") FMT);
	kt_dat_numbers(d, "irq", "irq_handler_exit", 24, "irq ret");
	for (i = 0; i < 2 * NR_CALLS; i++) {
		sprintf(format[i], "name: sys_%s_%s\nID: %d\n" KT_COMMON FIELD("__syscall_nr", "8")
			"%s" FMT, i & 1 ? "exit" : "enter", call_names[i / 2], SYS_ENTRY + i,
			i & 1 ? FIELD("ret", "16") : "");
		kt_dat_event(d, "syscalls", format[i]);
	}
}

struct kt_trace *kt_work_record(const struct kt_work *o)
{
	struct work w = {
		.o = o, .d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 }),
	};
	uint64_t until = o->ns ? o->ns : 4000000000, at = 0;

	describe(w.d);
	kt_dat_buffer(w.d, "", "local", 4096);
	kt_dat_cpu(w.d, 0);
	plan(&w);
	for (at = 0; w.now < until; at += w.period)
		period(&w, at + next_bits(&w.state) % 50000);
	return kt_dat_trace(w.d);
}
