/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* function_profile.c - the kernel's function profiler: merge its tables, one for each CPU */
#include <ktrail/status.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "base/array.h"
#include "base/str.h"

#define SWITCH "function_profile_enabled"

int kt_function_profile_start(struct kt_instance *top, struct kt_err *err)
{
	long long on;
	int ret;

	if (!kt_instance_has(top, SWITCH))
		return kt_err_set(err, -ENOTSUP, "this kernel has no function profiler "
				  "(CONFIG_FUNCTION_PROFILER=y)");
	ret = kt_instance_read_number(top, SWITCH, &on, err);
	if (ret == 0 && on)
		ret = kt_err_set(err, -EBUSY, "functions are being profiled already "
				 "(function_profile_enabled is %lld)", on);
	/* Switching the profiler on clears its tables. */
	return ret < 0 ? ret : kt_instance_write(top, SWITCH, "1", err);
}

int kt_function_profile_stop(struct kt_instance *top, struct kt_err *err)
{
	return kt_instance_write(top, SWITCH, "0", err);
}

/* Read the last @nr numbers of a line into @v; each but the first is written "12.345 us". Returns
 * the length of the name before them, or 0 if the line does not belong to a table. */
static size_t parse_row(const char *line, size_t len, double v[], size_t nr)
{
	const char *end = line + len, *word;

	while (nr) {
		while (end > line && end[-1] == ' ')
			end--;
		for (word = end; word > line && word[-1] != ' '; word--)
			;
		if (word == line || word == end)
			return 0;
		if (end - word != 2 || memcmp(word, "us", 2) != 0) {
			char *stop;

			v[--nr] = strtod(word, &stop);
			if (stop != end || v[nr] < 0)
				return 0;
		}
		end = word;
	}
	while (end > line && end[-1] == ' ')
		end--;
	return end - line;
}

static struct kt_function_cost *append(struct kt_function_profile *p, const char *name, size_t len)
{
	struct kt_function_cost *more = array_room(p->at, p->nr, sizeof(*more));

	if (!more)
		return NULL;
	p->at = more;
	p->at[p->nr] = (struct kt_function_cost){ .name = strndup(name, len) };
	return p->at[p->nr].name ? &p->at[p->nr++] : NULL;
}

/* The sum of squares, computed from sample variance and average, can be added over CPUs. */
static void take_row(struct kt_function_cost *f, const double v[4], bool timed)
{
	double avg = v[0] > 0 ? v[1] / v[0] : 0;

	f->hits = (uint64_t)v[0];
	if (timed) {
		f->total_us = v[1];
		f->squares = (v[0] > 1 ? (v[0] - 1) * v[3] : 0) + v[0] * avg * avg;
	}
}

static void derive(struct kt_function_cost *f)
{
	double var;

	f->avg_us = f->hits ? f->total_us / f->hits : 0;
	var = f->hits > 1 ? (f->squares - f->hits * f->avg_us * f->avg_us) / (f->hits - 1) : 0;
	f->stddev_us = var > 0 ? sqrt(var) : 0;
}

static int by_name(const void *a, const void *b)
{
	const struct kt_function_cost *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Merge rows with the same name. A name that the kernel has truncated may stand for several
 * functions, which are then one row. */
static void merge(struct kt_function_profile *p)
{
	size_t i, kept = 0;

	if (p->nr)
		qsort(p->at, p->nr, sizeof(*p->at), by_name);
	for (i = 0; i < p->nr; i++) {
		struct kt_function_cost *last = kept ? &p->at[kept - 1] : NULL;

		if (!last || strcmp(last->name, p->at[i].name) != 0) {
			p->at[kept++] = p->at[i];
			continue;
		}
		last->hits += p->at[i].hits;
		last->total_us += p->at[i].total_us;
		last->squares += p->at[i].squares;
		free(p->at[i].name);
	}
	p->nr = kept;
	for (i = 0; i < p->nr; i++)
		derive(&p->at[i]);
}

static int function_profile_add(struct kt_function_profile *p, const char *text, struct kt_err *err)
{
	bool timed = strstr(text, "Time") && strstr(text, "Avg");
	struct kt_function_cost *f;
	size_t len, name;
	double v[4];

	p->timed |= timed;
	for (; *text; text += len, text += *text == '\n') {
		text += strspn(text, " ");
		len = strcspn(text, "\n");
		name = parse_row(text, len, v, timed ? 4 : 1);
		if (!name)
			continue;
		f = append(p, text, name);
		if (!f)
			return kt_err_no_memory(err);
		take_row(f, v, timed);
	}
	merge(p);
	return 0;
}

int kt_function_profile_read(const struct kt_instance *top, struct kt_function_profile *out,
			     struct kt_err *err)
{
	int *cpus = NULL, nr = kt_instance_cpus(top, &cpus, err), i, ret = nr < 0 ? nr : 0;
	char file[64], *text;

	for (i = 0; ret == 0 && i < nr; i++) {
		snprintf(file, sizeof(file), "trace_stat/function%d", cpus[i]);
		if (!kt_instance_has(top, file))
			continue;
		text = kt_instance_read(top, file, err);
		ret = text ? function_profile_add(out, text, err) : kt_err_code(err, -EIO);
		free(text);
	}
	free(cpus);
	return ret;
}

static int more_first(double a, double b)
{
	return (a < b) - (a > b);
}

static int by_hits(const void *a, const void *b)
{
	const struct kt_function_cost *x = a, *y = b;
	int order = more_first(x->hits, y->hits);

	return order ? order : by_name(a, b);
}

static int by_total(const void *a, const void *b)
{
	const struct kt_function_cost *x = a, *y = b;
	int order = more_first(x->total_us, y->total_us);

	return order ? order : by_hits(a, b);
}

static int by_avg(const void *a, const void *b)
{
	const struct kt_function_cost *x = a, *y = b;
	int order = more_first(x->avg_us, y->avg_us);

	return order ? order : by_hits(a, b);
}

void kt_function_profile_sort(struct kt_function_profile *p, enum kt_function_order order)
{
	static int (*const orders[])(const void *, const void *) = {
		[KT_FUNCTIONS_BY_TOTAL] = by_total, [KT_FUNCTIONS_BY_HITS] = by_hits,
		[KT_FUNCTIONS_BY_AVG] = by_avg, [KT_FUNCTIONS_BY_NAME] = by_name,
	};

	if (p->nr)
		qsort(p->at, p->nr, sizeof(*p->at), orders[order]);
}

void kt_function_profile_fini(struct kt_function_profile *p)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		free(p->at[i].name);
	free(p->at);
	*p = (struct kt_function_profile){ 0 };
}
