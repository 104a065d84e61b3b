/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* buffer.c - the size of an instance's buffers */
#include <ktrail/settings.h>

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracefs/tracefs.h"
#include "setting/setting.h"

static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

int kt_instance_cpus(const struct kt_instance *inst, int **cpus, struct kt_err *err)
{
	char *path = kt_instance_path(inst, "per_cpu");
	DIR *dir = path ? opendir(path) : NULL;
	struct dirent *entry;
	int nr = 0, cpu, *more;

	*cpus = NULL;
	if (!dir) {
		nr = kt_err_set(err, path ? -errno : -ENOMEM, "cannot read %s: %s", path,
				strerror(errno));
		free(path);
		return nr;
	}
	while (nr >= 0 && (entry = readdir(dir))) {
		if (sscanf(entry->d_name, "cpu%d", &cpu) != 1)
			continue;
		more = reallocarray(*cpus, nr + 1, sizeof(int));
		if (!more) {
			nr = kt_err_no_memory(err);
			break;
		}
		*cpus = more;
		more[nr++] = cpu;
	}
	closedir(dir);
	free(path);
	if (nr > 0)
		qsort(*cpus, nr, sizeof(int), compare);
	return nr;
}

static void size_file(char buf[64], int cpu)
{
	if (cpu < 0)
		snprintf(buf, 64, "buffer_size_kb");
	else
		snprintf(buf, 64, "per_cpu/cpu%d/buffer_size_kb", cpu);
}

int64_t kt_instance_buffer_size(const struct kt_instance *inst, int cpu, struct kt_err *err)
{
	const char *grown;
	struct kt_err mine = { 0 };
	char file[64], *text;
	int64_t kb;

	size_file(file, cpu);
	text = kt_instance_read(inst, file, &mine);
	if (!text && cpu >= 0 && mine.code == -ENOENT)
		return kt_err_set(err, -ENODEV, "there is no CPU %d to trace", cpu);
	if (!text)
		return ctl_pass(err, &mine);
	grown = strstr(text, "(expanded: ");
	if (*text == 'X')
		kb = kt_err_set(err, -EXDEV, "the buffers of the CPUs differ in size");
	else
		kb = strtoll(grown ? grown + strlen("(expanded: ") : text, NULL, 10);
	free(text);
	return kb;
}

/* One write cannot restore different sizes: set each CPU, so that each size is remembered. */
static int set_each(struct kt_instance *inst, const char *value, struct kt_err *err)
{
	int nr, i, ret = 0, *cpus;
	char file[64];

	nr = kt_instance_cpus(inst, &cpus, err);
	for (i = 0; ret == 0 && i < nr; i++) {
		size_file(file, cpus[i]);
		ret = kt_instance_write(inst, file, value, err);
	}
	free(cpus);
	return nr < 0 ? nr : ret;
}

int kt_instance_set_buffer_size(struct kt_instance *inst, int cpu, uint64_t kb,
				struct kt_err *err)
{
	struct kt_err mine = { 0 };
	char file[64], value[32];
	int64_t now;

	now = kt_instance_buffer_size(inst, cpu, &mine);
	if (now == -ENODEV)
		return kt_err_set(err, -ENODEV, "%s", mine.msg);
	snprintf(value, sizeof(value), "%" PRIu64, kb);
	if (now == -EXDEV)
		return set_each(inst, value, err);
	size_file(file, cpu);
	return kt_instance_write(inst, file, value, err);
}

int kt_instance_set_subbuf_size(struct kt_instance *inst, uint64_t kb, struct kt_err *err)
{
	return instance_write_number(inst, "buffer_subbuf_size_kb", kb, err);
}

int kt_instance_set_buffer_percent(struct kt_instance *inst, unsigned int percent,
				   struct kt_err *err)
{
	if (percent > 100)
		return kt_err_set(err, -EINVAL, "buffer percent is 0 to 100, not %u", percent);
	return instance_write_number(inst, "buffer_percent", percent, err);
}
