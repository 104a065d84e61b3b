/* SPDX-License-Identifier: GPL-2.0-or-later */
/* marker.c - `ktrail marker`: write into the trace */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/units.h"
#include "cmd/args/noun.h"

struct args {
	struct noun n;		/* first: NOUN_OPTS */
	const char *raw;	/* id of a raw marker */
};

static const struct cmd_opt opts[] = {
	OPT_STR('B', "instance", struct noun, instance, "name", "write into this instance"),
	OPT_STR(0, "raw", struct args, raw, "id", "write raw data with this number"),
	OPT_BOOL(0, "dry-run", struct noun, dry_run, "print the writes to tracefs instead"),
	OPT_END
};

/* Facts: Linux, Documentation/trace/ftrace.rst: a raw marker begins with its id, a host u32. */
static int write_raw(const struct args *a, const char *bytes, size_t len, struct kt_err *err)
{
	uint64_t id;
	uint32_t tag;
	char *data;
	int ret;

	if (units_parse_u64(a->raw, &id, NULL) < 0 || id > UINT32_MAX)
		return cmd_misuse(err, "--raw: '%s' is not a 32-bit number", a->raw);
	tag = id;
	data = malloc(sizeof(tag) + len);
	if (!data)
		return kt_err_no_memory(err);
	memcpy(data, &tag, sizeof(tag));
	memcpy(data + sizeof(tag), bytes, len);
	ret = kt_instance_poke_bytes(a->n.inst, "trace_marker_raw", data, sizeof(tag) + len, err);
	free(data);
	return ret;
}

static int mark(const struct args *a, const char *text, size_t len, struct kt_err *err)
{
	return a->raw ? write_raw(a, text, len, err) :
	       kt_instance_poke(a->n.inst, "trace_marker", text, err);
}

static int mark_words(const struct args *a, int argc, char **argv, struct kt_err *err)
{
	struct str text = STR_INIT;
	int i, ret;

	for (i = 0; i < argc; i++)
		str_addf(&text, "%s%s", i ? " " : "", argv[i]);
	ret = text.failed ? kt_err_no_memory(err) : mark(a, text.buf, text.len, err);
	str_fini(&text);
	return ret;
}

/* Writes one marker for each line as it arrives */
static int mark_lines(const struct args *a, struct kt_err *err)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	int ret = 0;

	while (ret == 0 && (len = getline(&line, &cap, stdin)) >= 0) {
		if (len && line[len - 1] == '\n')
			line[--len] = '\0';
		if (len)
			ret = mark(a, line, len, err);
	}
	free(line);
	return ret;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct args *a = args;
	int ret;

	a->n.inst = kt_instance_open(a->n.instance, a->n.dry_run ? KT_INSTANCE_DRY : 0, err);
	if (!a->n.inst)
		return err->code;
	ret = argc ? mark_words(a, argc, argv, err) : mark_lines(a, err);
	if (ret == 0 && a->n.dry_run)
		fputs(kt_instance_notes(a->n.inst), stdout);
	kt_instance_close(a->n.inst, err);
	return ret;
}

const struct cmd cmd_marker = {
	.name      = "marker",
	.summary   = "write text or data into the trace",
	.words     = "[<text>…]",
	.examples  = "  ktrail marker the door opens\n"
		     "  make 2>&1 | ktrail marker      each line as it arrives\n",
	.opts      = opts,
	.args_size = sizeof(struct args),
	.run       = run,
};
