/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* entries.c - names with their measurements, for each recording and block */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "diff/diff.h"

uint64_t diff_hash(const char *text)
{
	uint64_t h = 0xcbf29ce484222325u;	/* FNV-1a */

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3u;
	return h;
}

uint32_t diff_entry(struct kt_diff *d, unsigned int kind, const char *name, bool *full)
{
	uint64_t key = keymap_mix(kind, diff_hash(name));
	uint32_t i = keymap_get(&d->entry_of, key);
	struct diff_entry *e;

	*full = i == KEYMAP_NONE && d->nr == DIFF_ENTRIES_MAX;
	if (i != KEYMAP_NONE || *full)
		return i;
	if (!d->entries)
		d->entries = calloc(DIFF_ENTRIES_MAX, sizeof(struct diff_entry *));
	e = d->entries ? calloc(1, sizeof(*e)) : NULL;
	if (e)
		e->name = strdup(name);
	if (!e || !e->name || keymap_put(&d->entry_of, key, (uint32_t)d->nr) < 0) {
		diff_entry_destroy(e);
		return DIFF_NONE;
	}
	e->kind = kind;
	d->entries[d->nr] = e;
	return (uint32_t)d->nr++;
}

struct diff_entry *diff_entry_find(const struct kt_diff *d, unsigned int kind, const char *name)
{
	uint32_t i = keymap_get(&d->entry_of, keymap_mix(kind, diff_hash(name)));

	return i == KEYMAP_NONE ? NULL : d->entries[i];
}

static struct diff_cell *cell_of(struct diff_entry *e, const struct diff_run *run)
{
	struct diff_cell **cell = &e->cells[run->side][run->index];

	if (!*cell)
		*cell = calloc(1, sizeof(**cell));
	return *cell;
}

static int add_time(struct diff_entry *e, enum kt_diff_side side, struct diff_block *b, uint64_t ns)
{
	double logarithm = log((double)ns + 1);
	unsigned int level = dist_bucket(ns) / (DIST_BUCKETS / DIFF_LEVELS);

	if (!b->levels)
		b->levels = calloc(DIFF_LEVELS, sizeof(*b->levels));
	if (!b->levels || dist_add(&e->dist[side], ns, DIST_NO_MAP) < 0)
		return -ENOMEM;
	if (level < DIFF_LEVELS)
		b->levels[level]++;
	b->sum += ns;
	b->logs += logarithm;
	e->sum[side] += ns;
	e->logs[side] += logarithm;
	if (!e->count[side] || ns < e->min[side])
		e->min[side] = ns;
	if (ns > e->max[side])
		e->max[side] = ns;
	return 0;
}

int diff_entry_add(struct diff_entry *e, const struct diff_run *run, unsigned int block,
		   bool timed, uint64_t ns)
{
	struct diff_cell *cell = cell_of(e, run);
	struct diff_block *b = cell ? &cell->blocks[block] : NULL;

	if (!b || (timed && add_time(e, run->side, b, ns) < 0))
		return -ENOMEM;
	e->timed |= timed;
	b->count++;
	e->count[run->side]++;
	return 0;
}

static void merge_block(struct diff_block *into, struct diff_block *from)
{
	size_t i;

	into->count += from->count;
	into->sum += from->sum;
	into->logs += from->logs;
	if (!into->levels) {
		into->levels = from->levels;
	} else {
		for (i = 0; from->levels && i < DIFF_LEVELS; i++)
			into->levels[i] += from->levels[i];
		free(from->levels);
	}
	*from = (struct diff_block){ 0 };
}

void diff_entry_fold(struct diff_entry *e, const struct diff_run *run)
{
	struct diff_cell *cell = e->cells[run->side][run->index];
	size_t i;

	for (i = 0; cell && i < DIFF_FINE / 2; i++) {
		merge_block(&cell->blocks[2 * i], &cell->blocks[2 * i + 1]);
		if (i) {
			cell->blocks[i] = cell->blocks[2 * i];
			cell->blocks[2 * i] = (struct diff_block){ 0 };
		}
	}
}

void diff_entry_destroy(struct diff_entry *e)
{
	size_t side, run, i;

	if (!e)
		return;
	for (side = 0; side < 2; side++) {
		for (run = 0; run < KT_DIFF_RUNS; run++) {
			struct diff_cell *cell = e->cells[side][run];

			for (i = 0; cell && i < DIFF_FINE; i++)
				free(cell->blocks[i].levels);
			free(cell);
		}
		dist_fini(&e->dist[side]);
	}
	free(e->name);
	free(e);
}

/* ---- names ---- */

/* "ksoftirqd/1" → "ksoftirqd/N"; the name of a kernel worker only shows its last work. */
static void name_task(const char *name, char *out, size_t size)
{
	const char *pid = strrchr(name, ':'), *slash;
	size_t len = pid ? (size_t)(pid - name) : strlen(name);

	if (str_starts(name, "kworker/")) {
		snprintf(out, size, "kworker/N");
		return;
	}
	slash = memchr(name, '/', len);
	if (slash && slash[1] >= '0' && slash[1] <= '9')
		snprintf(out, size, "%.*s/N%.*s", (int)(slash - name), name,
			 (int)(len - (size_t)(slash - name) - 1 -
			       strspn(slash + 1, "0123456789")),
			 slash + 1 + strspn(slash + 1, "0123456789"));
	else
		snprintf(out, size, "%.*s", (int)len, name);
}

/* "24 eth0" → "eth0": interrupts may get other numbers at the next boot. */
static const char *skip_number(const char *name)
{
	size_t digits = strspn(name, "0123456789");

	return digits && name[digits] == ' ' ? name + digits + 1 : name;
}

void diff_canonical(unsigned int kind, const char *name, char *out, size_t size)
{
	const char *noun = kind < KT_LATENCY_KINDS ? kt_latency_kind_noun(kind) : "", *comma;

	if (strcmp(noun, "task") == 0)
		name_task(name, out, size);
	else if (strcmp(noun, "CPU") == 0)
		snprintf(out, size, "all CPUs");
	else if (kind == KT_LATENCY_IRQ)
		snprintf(out, size, "%s", skip_number(name));
	else if (kind == KT_LATENCY_TRACER && (comma = strstr(name, ", CPU ")))
		snprintf(out, size, "%.*s", (int)(comma - name), name);
	else
		snprintf(out, size, "%s", name);
}
