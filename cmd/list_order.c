/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list_order.c - names in the order of the kernel's folders, as trace-cmd lists them */
#include "list_order.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ordered {
	char **by_name;		/* all, sorted */
	bool  *taken;		/* of each of these: it is among @out */
	char **out;
	size_t nr, nr_out;
};

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool take(struct ordered *o, const char *name)
{
	char **at = bsearch(&name, o->by_name, o->nr, sizeof(*o->by_name), compare);

	if (!at || o->taken[at - o->by_name])
		return false;
	o->taken[at - o->by_name] = true;
	o->out[o->nr_out++] = *at;
	return true;
}

static DIR *open_folder(const struct kt_instance *top, const char *folder)
{
	char *path = kt_instance_path(top, folder);
	DIR *dir = path ? opendir(path) : NULL;

	free(path);
	return dir;
}

static void take_system(struct ordered *o, const struct kt_instance *top, const char *system)
{
	char folder[300], name[600];
	struct dirent *entry;
	DIR *dir;

	snprintf(folder, sizeof(folder), "events/%s", system);
	dir = open_folder(top, folder);
	while (dir && (entry = readdir(dir))) {
		snprintf(name, sizeof(name), "%s:%s", system, entry->d_name);
		take(o, name);
	}
	if (dir)
		closedir(dir);
}

static void take_folder(struct ordered *o, const struct kt_instance *top, enum list_order order)
{
	DIR *dir = open_folder(top, order == ORDER_OPTIONS ? "options" : "events");
	struct dirent *entry;
	char off[300];

	while (dir && (entry = readdir(dir))) {
		snprintf(off, sizeof(off), "no%s", entry->d_name);
		if (order == ORDER_EVENTS && entry->d_name[0] != '.')
			take_system(o, top, entry->d_name);
		else if (!take(o, entry->d_name) && order == ORDER_OPTIONS)
			take(o, off);
	}
	if (dir)
		closedir(dir);
}

int list_order(const struct kt_instance *top, enum list_order order, struct kt_names *names,
	       struct kt_err *err)
{
	struct ordered o = { .nr = names->nr };
	int ret = 0;
	size_t i;

	if (!names->nr || order == ORDER_AS_IT_IS)
		return 0;
	o.by_name = calloc(o.nr, sizeof(*o.by_name));
	o.out = calloc(o.nr, sizeof(*o.out));
	o.taken = calloc(o.nr, sizeof(*o.taken));
	if (o.by_name && o.out && o.taken) {
		memcpy(o.by_name, names->names, o.nr * sizeof(*o.by_name));
		qsort(o.by_name, o.nr, sizeof(*o.by_name), compare);
		take_folder(&o, top, order);
		for (i = 0; i < o.nr; i++)
			if (!o.taken[i])
				o.out[o.nr_out++] = o.by_name[i];
		memcpy(names->names, o.out, o.nr * sizeof(*o.out));
	} else {
		ret = kt_err_set(err, -ENOMEM, "out of memory");
	}
	free(o.by_name);
	free(o.out);
	free(o.taken);
	return ret;
}
