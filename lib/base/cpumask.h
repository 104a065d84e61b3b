/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* cpumask.h - sets of CPU numbers, as lists ("0,2-4") and as the kernel's hex masks */
#ifndef BASE_CPUMASK_H
#define BASE_CPUMASK_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/base.h>

#define CPUMASK_MAX 8192	/* NR_CPUS of the largest configurations (x86 MAXSMP) */

struct cpumask {
	unsigned long bits[CPUMASK_MAX / (8 * sizeof(unsigned long))];
};

void cpumask_clear(struct cpumask *m);
bool cpumask_test(const struct cpumask *m, int cpu);
bool cpumask_empty(const struct cpumask *m);
int  cpumask_next(const struct cpumask *m, int after);	/* first CPU > @after, or -1 */

/* "0,2-4"; ':' separates too, as in trace-cmd report --cpu. -EINVAL, -ERANGE. */
int cpumask_parse_list(struct cpumask *m, const char *list, struct kt_err *err);
/* Kernel form: hex digits, a comma every eight; "-1" means all of @nr_cpus. -EINVAL, -ERANGE. */
int cpumask_parse_hex(struct cpumask *m, const char *hex, int nr_cpus, struct kt_err *err);
/* Kernel form without leading zero words. Returns @size needed, as snprintf does. */
size_t cpumask_format_hex(const struct cpumask *m, char *buf, size_t size);

#endif
