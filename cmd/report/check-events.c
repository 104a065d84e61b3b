/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check-events.c - `ktrail check-events`: check that this kernel's event formats can be read */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/event.h>
#include <ktrail/settings.h>

#include "cmd/args/level.h"
#include "cmd/cmd.h"
#include "cmd/print/json_print.h"
#include "cmd/print/progress.h"

struct args {
	bool no_plugins;
	bool json;
};

static const struct cmd_opt opts[] = {
	OPT_BOOL('N', NULL, struct args, no_plugins, "accepted: formats are read without plugins"),
	OPT_BOOL(0, "json", struct args, json, "print JSON"),
	OPT_LEVEL_IGNORED,
	OPT_END
};

/* The formats of the running kernel, in the form that a file would have */
struct formats {
	struct kt_names names;			/* "system:event" */
	struct kt_event_source *sources;
	char **systems, **texts;
};

static int load(const struct kt_instance *top, struct formats *f, struct progress *progress,
		struct kt_err *err)
{
	char file[600];
	size_t i, n;
	int ret;

	ret = kt_event_names(&f->names, err);
	if (ret < 0)
		return ret;
	n = f->names.nr + 1;
	f->sources = calloc(n, sizeof(*f->sources));
	f->systems = calloc(n, sizeof(*f->systems));
	f->texts = calloc(n, sizeof(*f->texts));
	if (!f->sources || !f->systems || !f->texts)
		return kt_err_no_memory(err);
	for (i = 0; i < f->names.nr; i++) {
		const char *name = f->names.names[i];
		size_t len = strcspn(name, ":");

		progress_tell(progress, i, f->names.nr);
		f->systems[i] = strndup(name, len);
		snprintf(file, sizeof(file), "events/%.*s/%s/format", (int)len, name,
			 name + len + 1);
		f->texts[i] = kt_instance_read(top, file, err);
		if (!f->systems[i] || !f->texts[i])
			return err->code ? err->code : kt_err_no_memory(err);
		f->sources[i].system = f->systems[i];
		f->sources[i].format = (struct kt_blob){ (const void *)f->texts[i],
							 strlen(f->texts[i]) };
	}
	return 0;
}

static void formats_fini(struct formats *f)
{
	size_t i;

	for (i = 0; f->systems && f->texts && i < f->names.nr; i++) {
		free(f->systems[i]);
		free(f->texts[i]);
	}
	free(f->systems);
	free(f->texts);
	free(f->sources);
	kt_names_fini(&f->names);
}

static const struct kt_event_source *at(void *data, size_t i)
{
	return &((struct formats *)data)->sources[i];
}

static int print_json(const struct formats *f, const struct kt_names *bad)
{
	struct json j = JSON_INIT;

	json_open(&j, NULL, '{');
	json_uint(&j, "events", f->names.nr);
	json_names(&j, "unreadable", bad);
	json_close(&j, '}');
	return json_print(&j);
}

/* Listed by name: an event whose format does not contain an id is not loaded. */
static int find_bad(struct formats *f, struct kt_names *bad, struct kt_err *err)
{
	const struct kt_events_origin origin = {
		.big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
		.long_size = sizeof(long), .nr = f->names.nr, .at = at, .data = f,
	};
	struct kt_events *events = kt_events_create_from(&origin, NULL, err);
	size_t i;
	int ret = 0;

	if (!events)
		return err->code;
	for (i = 0; i < f->names.nr && ret == 0; i++) {
		const char *name = f->names.names[i] + strcspn(f->names.names[i], ":") + 1;

		if (!kt_events_by_name(events, f->systems[i], name))
			ret = kt_names_add(bad, f->names.names[i]);
	}
	kt_events_destroy(events);
	return kt_err_result(err, ret);
}

static int check(const struct args *a, struct formats *f, struct kt_err *err)
{
	struct kt_names bad = { 0 };
	size_t i;
	int ret = find_bad(f, &bad, err);

	if (ret == 0 && a->json)
		ret = print_json(f, &bad);
	for (i = 0; i < bad.nr && ret == 0 && !a->json; i++)
		printf("cannot read the format of %s\n", bad.names[i]);
	if (ret == 0 && bad.nr)
		ret = kt_err_set(err, -EINVAL, "%zu of %zu event formats cannot be read", bad.nr,
				 f->names.nr);
	kt_names_fini(&bad);
	return ret;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct formats f = { 0 };
	struct progress progress;
	struct kt_instance *top;
	int ret;

	if (argc)
		return cmd_misuse(err, "unexpected argument '%s'", argv[0]);
	top = kt_instance_open(NULL, 0, err);
	if (!top)
		return err->code;
	progress_begin(&progress, "check-events");
	progress.unit = "events";
	ret = load(top, &f, &progress, err);
	progress_end(&progress);
	if (ret == 0)
		ret = check(args, &f, err);
	formats_fini(&f);
	kt_instance_close(top, NULL);
	return ret;
}

const struct cmd cmd_check_events = {
	.name      = "check-events",
	.summary   = "check that the formats of this kernel's events can be read",
	.examples  = "  ktrail check-events && echo all can be read\n",
	.opts      = opts,
	.args_size = sizeof(struct args),
	.run       = run,
};
