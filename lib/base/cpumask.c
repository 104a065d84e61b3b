/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* cpumask.c - sets of CPU numbers */
#include "base/cpumask.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_BITS (8 * sizeof(unsigned long))

void cpumask_clear(struct cpumask *m)
{
	memset(m, 0, sizeof(*m));
}

/* Out of range: ignored */
static void set(struct cpumask *m, int cpu)
{
	if (cpu >= 0 && cpu < CPUMASK_MAX)
		m->bits[cpu / WORD_BITS] |= 1UL << (cpu % WORD_BITS);
}

bool cpumask_test(const struct cpumask *m, int cpu)
{
	return cpu >= 0 && cpu < CPUMASK_MAX && (m->bits[cpu / WORD_BITS] >> (cpu % WORD_BITS) & 1);
}

bool cpumask_empty(const struct cpumask *m)
{
	return cpumask_next(m, -1) < 0;
}

int cpumask_next(const struct cpumask *m, int after)
{
	int cpu;

	for (cpu = after + 1; cpu < CPUMASK_MAX; cpu++) {
		if (cpu % WORD_BITS == 0 && !m->bits[cpu / WORD_BITS]) {
			cpu += WORD_BITS - 1;
			continue;
		}
		if (cpumask_test(m, cpu))
			return cpu;
	}
	return -1;
}

static int parse_cpu(const char **p, long *cpu, const char *list, struct kt_err *err)
{
	char *end;

	if (!isdigit((unsigned char)**p))
		return kt_err_set(err, -EINVAL, "'%s' is not a CPU list, such as 0,2-4", list);
	errno = 0;
	*cpu = strtol(*p, &end, 10);
	if (errno || *cpu >= CPUMASK_MAX)
		return kt_err_set(err, -ERANGE, "CPU number in '%s' is above %d", list,
				  CPUMASK_MAX - 1);
	*p = end;
	return 0;
}

int cpumask_parse_list(struct cpumask *m, const char *list, struct kt_err *err)
{
	const char *p = list;
	long first, last;
	int ret;

	cpumask_clear(m);
	for (;;) {
		ret = parse_cpu(&p, &first, list, err);
		if (ret < 0)
			return ret;
		last = first;
		if (*p == '-') {
			p++;
			ret = parse_cpu(&p, &last, list, err);
			if (ret < 0)
				return ret;
		}
		if (last < first)
			return kt_err_set(err, -EINVAL, "range %ld-%ld in CPU list '%s' descends",
					  first, last, list);
		for (; first <= last; first++)
			set(m, first);
		if (!*p)
			return 0;
		if (*p != ',' && *p != ':')
			return kt_err_set(err, -EINVAL, "'%s' is not a CPU list, such as 0,2-4",
					  list);
		p++;
	}
}

int cpumask_parse_hex(struct cpumask *m, const char *hex, int nr_cpus, struct kt_err *err)
{
	const char *p = hex;
	size_t nibble = 0;
	int cpu, bit, value;

	cpumask_clear(m);
	if (strcmp(hex, "-1") == 0) {
		for (cpu = 0; cpu < nr_cpus; cpu++)
			set(m, cpu);
		return 0;
	}
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		p += 2;
	if (!*p)
		return kt_err_set(err, -EINVAL, "'%s' is not a hexadecimal CPU mask", hex);
	for (const char *q = p + strlen(p) - 1; q >= p; q--) {
		if (*q == ',')
			continue;
		if (!isxdigit((unsigned char)*q))
			return kt_err_set(err, -EINVAL, "'%s' is not a hexadecimal CPU mask", hex);
		value = isdigit((unsigned char)*q) ?
			*q - '0' : tolower((unsigned char)*q) - 'a' + 10;
		for (bit = 0; bit < 4; bit++) {
			if (!(value >> bit & 1))
				continue;
			if (nibble * 4 + bit >= CPUMASK_MAX)
				return kt_err_set(err, -ERANGE, "CPU mask '%s' is too large", hex);
			set(m, nibble * 4 + bit);
		}
		nibble++;
	}
	return 0;
}

size_t cpumask_format_hex(const struct cpumask *m, char *buf, size_t size)
{
	unsigned int word[CPUMASK_MAX / 32] = { 0 };
	int cpu, top = 0, i;
	size_t len = 0;

	for (cpu = cpumask_next(m, -1); cpu >= 0; cpu = cpumask_next(m, cpu)) {
		word[cpu / 32] |= 1U << (cpu % 32);
		top = cpu / 32;
	}
	for (i = top; i >= 0; i--) {
		char part[16];
		int n = snprintf(part, sizeof(part), i == top ? "%x" : ",%08x", word[i]);

		if (len < size)
			snprintf(buf + len, size - len, "%s", part);
		len += n;
	}
	return len;
}
