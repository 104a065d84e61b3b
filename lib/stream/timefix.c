/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* timefix.c - convert the time stamps of a ring buffer into the times that records show */
#include "stream/timefix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "file/scan.h"

#define SHIFT_INTERPOLATE 1

/* The number that an option holds as text, maybe without a NUL */
static int64_t option_number(const struct kt_option *o)
{
	char text[64];
	size_t len = o->raw.size < sizeof(text) - 1 ? o->raw.size : sizeof(text) - 1;

	memcpy(text, o->raw.data, len);
	text[len] = '\0';
	/* Hexadecimal times since 1970 may use all 64 bits. */
	return *text == '-' ? strtoll(text, NULL, 0) : (int64_t)strtoull(text, NULL, 0);
}

static bool is_swapped(const struct kt_file *file)
{
	return kt_file_info(file)->big_endian != KT_HOST_BIG;
}

void timefix_init(struct timefix *fix, const struct kt_file *file,
		  const struct kt_stream_opts *opts)
{
	const struct kt_option *o;
	struct scan s;
	size_t i;

	*fix = (struct timefix){ .plain = true };
	if (opts->raw_ts)
		return;
	for (i = 0; (o = kt_file_option(file, i)); i++) {
		if (o->id == KT_OPTION_DATE && !opts->no_date)
			fix->add += (uint64_t)option_number(o) * 1000;
		else if (o->id == KT_OPTION_OFFSET)
			fix->add += option_number(o);
		if (o->id == KT_OPTION_DATE || o->id == KT_OPTION_WALL) {
			fix->has_wall = true;
			fix->wall = (uint64_t)option_number(o) *
				    (o->id == KT_OPTION_DATE ? 1000 : 1);
		}
		if (o->id != KT_OPTION_TSC2NSEC)
			continue;
		s = scan_init(o->raw.data, o->raw.size, is_swapped(file));
		fix->mult = scan_u32(&s);
		fix->shift = scan_u32(&s);
		if (s.failed || fix->shift > 127)
			fix->mult = 0;
	}
	fix->add += opts->ts_offset;
	fix->wall -= fix->add;
	if (opts->ts2secs_hz > 0) {
		fix->factor = 1e9 / opts->ts2secs_hz;
		fix->mult = 0;
	}
	fix->plain = !fix->factor && !fix->mult;
	fix->has_wall &= fix->plain;
}

void timefix_fini(struct timefix *fix)
{
	free(fix->samples);
	*fix = (struct timefix){ .plain = true };
}

static int compare_samples(const void *a, const void *b)
{
	const struct timefix_sample *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

/* The @i-th 64-bit number at @at; the caller has checked the size */
static uint64_t number_at(const struct scan *at, uint32_t i)
{
	return load_u64(at->at + 8ull * i, at->swap);
}

/* For each CPU, the option has a count, then that many times, offsets and scalings. */
static int take_cpu(struct timefix *fix, struct scan *s, uint32_t nr_cpus, uint32_t wanted)
{
	struct scan lists = { 0 }, fractions;
	uint64_t before = 0, total = 0;
	uint32_t cpu, nr, count = 0, i;

	for (cpu = 0; cpu < nr_cpus && !s->failed; cpu++) {
		nr = scan_u32(s);
		if (cpu < wanted)
			before += nr;
		if (cpu == wanted) {
			lists = *s;
			count = nr;
		}
		total += nr;
		scan_bytes(s, nr * 24ull);
	}
	if (s->failed || !count)
		return 0;
	/* If the writer stored fraction bits, they follow the lists of all CPUs. */
	fractions = *s;
	if (!scan_bytes(s, total * 8))
		fractions.left = 0;
	scan_bytes(&fractions, before * 8);

	fix->samples = calloc(count, sizeof(*fix->samples));
	if (!fix->samples)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		fix->samples[i].time = number_at(&lists, i);
		fix->samples[i].offset = number_at(&lists, count + i);
		fix->samples[i].scaling = number_at(&lists, 2 * count + i);
		if (!fractions.failed && fractions.left)
			fix->samples[i].fraction = number_at(&fractions, i) & 63;
	}
	fix->nr_samples = count;
	return 0;
}

int timefix_add_shift(struct timefix *fix, const struct kt_file *file, const struct kt_option *o,
		      int cpu)
{
	uint32_t nr_cpus, flags;
	struct scan s;
	int ret;

	s = scan_init(o->raw.data, o->raw.size, is_swapped(file));
	scan_u64(&s);		/* the host's trace id, which trace-cmd does not check either */
	flags = scan_u32(&s);
	nr_cpus = scan_u32(&s);
	ret = take_cpu(fix, &s, nr_cpus, cpu);
	if (ret < 0 || !fix->nr_samples)
		return ret;
	qsort(fix->samples, fix->nr_samples, sizeof(*fix->samples), compare_samples);
	fix->interpolate = flags & SHIFT_INTERPOLATE;
	fix->plain = fix->has_wall = false;
	return 0;
}

/* The pair of samples around @ts, or the first or last pair. */
static const struct timefix_sample *sample_before(const struct timefix *fix, uint64_t ts)
{
	size_t lo = 0, hi = fix->nr_samples - 1;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (fix->samples[mid].time <= ts)
			lo = mid;
		else
			hi = mid;
	}
	return &fix->samples[lo];
}

/* The offset at @ts between @a and @b, or extrapolated beyond them */
static uint64_t drift(const struct timefix_sample *a, const struct timefix_sample *b, uint64_t ts)
{
	bool before = ts < a->time, falls = b->offset < a->offset;
	uint64_t time = before ? a->time - ts : ts - a->time;
	uint64_t way = falls ? (uint64_t)a->offset - (uint64_t)b->offset :
			       (uint64_t)b->offset - (uint64_t)a->offset;
	uint64_t part = wide_div(wide_mul(time, way), b->time - a->time);

	return before != falls ? -part : part;
}

static uint64_t guest_to_host(const struct timefix *fix, uint64_t ts)
{
	const struct timefix_sample *a, *b;
	uint64_t offset;

	if (fix->nr_samples == 1)
		return ts + fix->samples[0].offset;
	a = sample_before(fix, ts);
	b = a + 1;
	offset = a->offset;
	if (fix->interpolate && b->time > a->time)
		offset += drift(a, b, ts);
	return wide_shift(wide_mul(ts, a->scaling), a->fraction) + offset;
}

/* Out of range, the conversion of a double is undefined. */
static uint64_t to_u64(double d)
{
	return d >= 0x1p64 ? UINT64_MAX : d;
}

uint64_t timefix_apply_slowly(const struct timefix *fix, uint64_t ts)
{
	if (fix->nr_samples)
		ts = guest_to_host(fix, ts);
	if (fix->factor)
		ts = to_u64((double)ts * fix->factor);
	else if (fix->mult)
		ts = wide_shift(wide_mul(ts, fix->mult), fix->shift);
	return ts + fix->add;
}
