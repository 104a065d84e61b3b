/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpumask.c - `ktrail cpumask`: which CPUs are traced */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "base/cpumask.h"
#include "base/json.h"
#include "cmd/args/noun.h"
#include "cmd/print/json_print.h"

static const struct cmd_opt opts[] = { NOUN_OPTS, OPT_END };

static void add_list(struct str *s, const struct cpumask *m)
{
	int first, last;

	for (first = cpumask_next(m, -1); first >= 0; first = cpumask_next(m, last)) {
		for (last = first; cpumask_test(m, last + 1); last++)
			;
		str_addf(s, "%s%d", s->len ? "," : "", first);
		if (last > first)
			str_addf(s, "-%d", last);
	}
}

static int print_json(const struct cpumask *m, const char *hex)
{
	struct json j = JSON_INIT;
	int cpu;

	json_open(&j, NULL, '{');
	json_str(&j, "mask", hex);
	json_open(&j, "cpus", '[');
	for (cpu = cpumask_next(m, -1); cpu >= 0; cpu = cpumask_next(m, cpu))
		json_int(&j, NULL, cpu);
	json_close(&j, ']');
	json_close(&j, '}');
	return json_print(&j);
}

static int show(void *args, int argc, char **argv, struct kt_err *err)
{
	struct noun *n = args;
	struct str list = STR_INIT;
	struct cpumask mask;
	char *hex;
	int ret;

	ret = noun_check_words(argc, argv, 0, "", err);
	if (ret < 0)
		return ret;
	hex = kt_instance_read(n->inst, "tracing_cpumask", err);
	ret = hex ? cpumask_parse_hex(&mask, hex, CPUMASK_MAX, err) : err->code;
	if (ret == 0 && n->json) {
		ret = print_json(&mask, hex);
	} else if (ret == 0) {
		add_list(&list, &mask);
		printf("CPUs %s (mask %s)\n", list.buf, hex);
	}
	str_fini(&list);
	free(hex);
	return ret;
}

static int set(void *args, int argc, char **argv, struct kt_err *err)
{
	char hex[CPUMASK_MAX / 4 + CPUMASK_MAX / 32 + 1];
	struct noun *n = args;
	struct cpumask mask;
	int ret;

	ret = noun_check_words(argc, argv, 1, "a list of CPUs, or 'all',", err);
	if (ret < 0)
		return ret;
	if (strcmp(argv[0], "all") == 0)
		return kt_instance_set_cpumask(n->inst, "-1", err);
	if (cpumask_parse_list(&mask, argv[0], err) < 0)
		return CMD_MISUSE;
	cpumask_format_hex(&mask, hex, sizeof(hex));
	return kt_instance_set_cpumask(n->inst, hex, err);
}

static const struct verb verbs[] = {
	{ "show", "list", "", "show the CPUs that are traced", show },
	{ "set", NULL, "<cpu-list>|all", "trace only these", set },
	{ 0 },
};

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	return noun_run(args, verbs, argc, argv, err);
}

const struct cmd cmd_cpumask = {
	.name      = "cpumask",
	.summary   = "show or choose the CPUs that are traced",
	.verbs     = verbs,
	.examples  = "  ktrail cpumask set 0,2-3\n"
		     "  ktrail cpumask set all\n",
	.opts      = opts,
	.rules     = verb_rules,
	.args_size = sizeof(struct noun),
	.options_anywhere = true,
	.run       = run,
};
