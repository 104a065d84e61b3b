/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choose_opts.c - the options that choose records */
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/cpumask.h"
#include "cmd/cmd.h"
#include "choose.h"

int choose_take_filter(void *args, const char *value, struct kt_err *err)
{
	struct choose *c = args;

	if (!array_reserve(c->filters, c->nr_filters))
		return kt_err_no_memory(err);
	c->filters[c->nr_filters++] = (struct choose_filter){
		.text = value, .exclude = c->exclude, .file = (int)c->nr_inputs - 1,
	};
	return 0;
}

/* If an option is given twice, both lists apply. */
static int add_to_list(char **list, const char *value, struct kt_err *err)
{
	char *more;

	if (asprintf(&more, "%s%s%s", *list ? *list : "", *list ? "," : "", value) < 0)
		return kt_err_no_memory(err);
	free(*list);
	*list = more;
	return 0;
}

int choose_take_cpus(void *args, const char *value, struct kt_err *err)
{
	struct cpumask cpus;

	if (cpumask_parse_list(&cpus, value, err) < 0)
		return CMD_MISUSE;
	return add_to_list(&((struct choose *)args)->cpus, value, err);
}

int choose_take_pids(void *args, const char *value, struct kt_err *err)
{
	const char *p = value;
	char *end;
	long pid;

	for (;; p = end + 1) {
		pid = strtol(p, &end, 10);
		if (end == p || (*end && *end != ',') || pid < 0 || pid > INT32_MAX)
			return cmd_misuse(err, "'%s' is not a list of process ids", value);
		if (!*end)
			break;
	}
	return add_to_list(&((struct choose *)args)->pids, value, err);
}

int choose_take_comms(void *args, const char *value, struct kt_err *err)
{
	return add_to_list(&((struct choose *)args)->comms, value, err);
}

int choose_take_exclude(void *args, const char *value, struct kt_err *err)
{
	(void)value;
	(void)err;
	((struct choose *)args)->exclude = true;
	return 0;
}

void choose_forget(struct choose *c)
{
	kt_filter_destroy(c->filter);
	free(c->windows);
	free(c->only_cpus);
	c->filter = NULL;
	c->windows = NULL;
	c->only_cpus = NULL;
}

void choose_fini(struct choose *c)
{
	choose_forget(c);
	free(c->filters);
	free(c->cpus);
	free(c->pids);
	free(c->comms);
	free(c->asked);
}
