/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reset.c - `ktrail reset`: stop all tracing and clear all settings */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/status.h>
#include <ktrail/tracefs.h>

#include "base/array.h"
#include "base/str.h"
#include "base/units.h"
#include "cmd/args/dropin.h"
#include "cmd/args/verb.h"
#include "cmd/style.h"

struct target {
	char *name;		/* "": the top-level buffer */
	bool reset, delete;
	bool all;		/* only -a selects it */
	uint64_t kb;		/* new size, 0: unchanged */
	struct kt_instance *inst;	/* open while it is reset */
};

struct args {
	struct target *targets;	/* [0] is the top-level buffer */
	size_t nr;
	size_t first, last;	/* the targets of -b and -d: the last -B, -a or -t */
	bool top;
	bool yes, dry_run;
	unsigned int keep;	/* enum kt_dynamic_kind */
};

static int add_target(struct args *a, const char *name, struct kt_err *err)
{
	struct target *t = array_add(a->targets, a->nr);

	if (!t)
		return kt_err_no_memory(err);
	*t = (struct target){ .name = strdup(name), .reset = *name };
	return t->name ? 0 : kt_err_no_memory(err);
}

static int init(void *args)
{
	return add_target(args, "", NULL);
}

static void fini(void *args)
{
	struct args *a = args;
	size_t i;

	for (i = 0; i < a->nr; i++)
		free(a->targets[i].name);
	free(a->targets);
}

static int opt_instance(void *args, const char *value, struct kt_err *err)
{
	struct args *a = args;
	int ret;

	if (!*value)
		return cmd_misuse(err, "an instance needs a name");
	ret = add_target(a, value, err);
	a->first = a->last = a->nr - 1;
	return ret;
}

static int opt_all(void *args, const char *value, struct kt_err *err)
{
	struct args *a = args;
	struct kt_names all = { 0 };
	int ret;
	size_t i;

	(void)value;
	ret = kt_instance_list(&all, err);
	a->first = a->nr;
	for (i = 0; ret == 0 && i < all.nr; i++)
		ret = add_target(a, all.names[i], err);
	for (i = a->first; i < a->nr; i++)
		a->targets[i].all = true;
	a->last = a->nr - 1;
	a->top = a->top || cmd_style->all_means_top;
	kt_names_fini(&all);
	/* Without instances, -a does not select any buffer, not even the top-level buffer */
	if (ret == 0 && a->first > a->last)
		a->first = a->last = SIZE_MAX;
	return ret;
}

static int opt_top(void *args, const char *value, struct kt_err *err)
{
	struct args *a = args;

	(void)value;
	(void)err;
	a->top = true;
	a->first = a->last = 0;
	return 0;
}

static int opt_size(void *args, const char *value, struct kt_err *err)
{
	struct args *a = args;
	uint64_t bytes;
	size_t i;

	if (units_parse_size(value, 1024, &bytes, err) < 0)
		return CMD_MISUSE;
	if (bytes < 1024 && !cmd_style->old_words)
		return cmd_misuse(err, "'%s' is less than one KiB", value);
	for (i = a->first; i <= a->last && i < a->nr; i++)
		a->targets[i].kb = bytes / 1024;
	return 0;
}

static int opt_delete(void *args, const char *value, struct kt_err *err)
{
	struct args *a = args;
	size_t i;

	(void)value;
	if (a->first == 0)
		return cmd_misuse(err,
				  "the top-level buffer cannot be deleted: -d goes after -B or -a");
	for (i = a->first; i <= a->last && i < a->nr; i++)
		a->targets[i].delete = true;
	return 0;
}

static const struct { const char *name; unsigned int kinds; } kinds[] = {
	{ "kprobe", KT_DYNAMIC_KPROBE }, { "kretprobe", KT_DYNAMIC_KRETPROBE },
	{ "uprobe", KT_DYNAMIC_UPROBE }, { "uretprobe", KT_DYNAMIC_URETPROBE },
	{ "eprobe", KT_DYNAMIC_EPROBE }, { "synth", KT_DYNAMIC_SYNTH },
	{ "all", KT_DYNAMIC_ALL },
};

static int opt_keep(void *args, const char *value, struct kt_err *err)
{
	struct args *a = args;
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(kinds[i].name, value) == 0) {
			a->keep |= kinds[i].kinds;
			return 0;
		}
	}
	return cmd_misuse(err,
			  "'%s' is not one of kprobe, kretprobe, uprobe, uretprobe, eprobe, synth, "
			  "all", value);
}

static const struct cmd_opt opts[] = {
	OPT_CALL('B', "instance", opt_instance, "name",
		 "this instance; may be given several times"),
	OPT_CALL('a', "all", opt_all, NULL, "all instances"),
	OPT_CALL('t', "top", opt_top, NULL, "the top-level buffer as well"),
	OPT_CALL('b', "buffer-size", opt_size, "kb", "resize the buffer named before it"),
	OPT_CALL('d', "delete", opt_delete, NULL, "delete the instances named before it"),
	OPT_CALL('k', "keep", opt_keep, "type", "keep probes of this type, or synth, or all"),
	OPT_BOOL('y', "yes", struct args, yes, "do not ask"),
	OPT_BOOL(0, "dry-run", struct args, dry_run, "print the writes to tracefs instead"),
	OPT_END
};

/* ---- what would be lost ---- */

static void describe_buffer(const struct target *t, struct str *out)
{
	struct kt_instance *inst = kt_instance_open(t->name, 0, NULL);
	const char *tracer;
	struct kt_status s;
	char size[32];

	if (!inst || kt_status_read(inst, &s, NULL) < 0)
		goto out;
	str_addf(out, *t->name ? "  instance '%s'%s:" : "  the top-level buffer:", t->name,
		 t->delete ? " (deleted)" : "");
	str_addf(out, " %" PRIu64 " recorded events (%s)", s.stats.entries,
		 units_format_size(s.stats.bytes, size));
	tracer = kt_state_value(&s.settings, "current_tracer");
	if (tracer && strcmp(tracer, "nop") != 0)
		str_addf(out, ", tracer %s", tracer);
	if (s.events_state != KT_EVENTS_NONE)
		str_addf(out, ", enabled events");
	if (s.filters.nr)
		str_addf(out, ", %zu filters", s.filters.nr);
	if (s.triggers.nr)
		str_addf(out, ", %zu triggers", s.triggers.nr);
	str_addc(out, '\n');
	kt_status_fini(&s);
out:
	kt_instance_close(inst, NULL);
}

/* Files of the top-level buffer, or of instances that will be deleted */
static bool concerns(const struct args *a, const char *file)
{
	size_t i, len;

	if (strncmp(file, "instances/", 10) != 0)
		return a->targets[0].reset;
	for (i = 1; i < a->nr; i++) {
		len = strlen(a->targets[i].name);
		if (strncmp(file + 10, a->targets[i].name, len) == 0 && file[10 + len] == '/')
			return true;
	}
	return false;
}

static void describe_users(const struct args *a, struct str *out)
{
	struct kt_users users = { 0 };
	size_t i;

	kt_users_find(&users, NULL);
	for (i = 0; i < users.nr; i++) {
		const struct kt_user *u = &users.users[i];

		if (!u->file || !concerns(a, u->file))
			continue;
		str_addf(out, "  in use by %d (", (int)u->pid);
		str_add_escaped(out, u->comm, strlen(u->comm));
		str_add(out, "): ");
		str_add_escaped(out, u->file, strlen(u->file));
		str_addc(out, '\n');
	}
	kt_users_fini(&users);
}

/* 1: continue. Scripts are not asked, as in trace-cmd. */
static int ask(const struct args *a, struct kt_err *err)
{
	struct str what = STR_INIT;
	struct kt_names dynamic = { 0 };
	size_t i;
	int ret;

	if (a->yes || a->dry_run || !isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return 1;
	for (i = 0; i < a->nr; i++)
		if (a->targets[i].reset)
			describe_buffer(&a->targets[i], &what);
	if (a->targets[0].reset)
		kt_dynamic_events_list(KT_DYNAMIC_ALL & ~a->keep, &dynamic, NULL);
	for (i = 0; i < dynamic.nr; i++)
		str_addf(&what, "%s%s", i ? ", " : "  probes and synthetic events: ",
			 dynamic.names[i]);
	if (dynamic.nr)
		str_addc(&what, '\n');
	describe_users(a, &what);
	fprintf(stderr, "This clears:\n%s", what.buf);
	ret = verb_confirm(false, "Continue?", err);
	kt_names_fini(&dynamic);
	str_fini(&what);
	return ret;
}

/* ---- doing it ---- */

static int apply(struct target *t, bool dry, struct kt_err *err)
{
	int ret = 0;

	t->inst = kt_instance_open(t->name, dry ? KT_INSTANCE_DRY : 0, err);
	if (!t->inst && t->delete && dropin_spares(t->name, err))
		return 0;
	if (!t->inst)
		return err->code;
	if (t->delete && t->all && kt_instance_is_persistent(t->inst)) {
		fprintf(stderr, "%s: the instance '%s' keeps its buffer over reboots; it is reset, "
				"not deleted\n", cmd_program, t->name);
		t->delete = false;
	}
	if (t->delete)
		ret = kt_instance_delete(t->inst, err);
	else if (t->reset)
		ret = kt_instance_reset(t->inst, err);
	if (ret == 0 && t->kb && !t->delete)
		ret = kt_instance_set_buffer_size(t->inst, -1, t->kb, err);
	if (ret == 0 && dry)
		fputs(kt_instance_notes(t->inst), stdout);
	return ret;
}

/* The probes come last, as in the real run: on a separate handle. */
static int show_dynamic(const struct args *a, struct kt_err *err)
{
	struct kt_instance *dry = kt_instance_open("", KT_INSTANCE_DRY, err);
	int ret = dry ? kt_dynamic_events_remove(dry, KT_DYNAMIC_ALL & ~a->keep, NULL, err)
		      : err->code;

	if (ret > 0)
		fputs(kt_instance_notes(dry), stdout);
	kt_instance_close(dry, NULL);
	return ret < 0 && !kt_is_unavailable(ret) ? ret : 0;
}

static int remove_dynamic(const struct args *a, struct kt_err *err)
{
	struct kt_names busy = { 0 };
	struct kt_err mine = { 0 };
	struct str list = STR_INIT;
	size_t i;
	int ret;

	ret = kt_dynamic_events_remove(a->targets[0].inst, KT_DYNAMIC_ALL & ~a->keep, &busy, &mine);
	if (ret < 0 && !kt_is_unavailable(ret)) {
		kt_names_fini(&busy);
		*err = mine;
		return ret;
	}
	for (i = 0; i < busy.nr; i++)
		str_addf(&list, " %s", busy.names[i]);
	ret = busy.nr ? kt_err_set(err, -EBUSY, "kept, since another instance or program uses "
				   "them:%s", list.buf) : 0;
	str_fini(&list);
	kt_names_fini(&busy);
	return ret;
}

/* Reset everything, or on failure nothing but the instances deleted by then */
static int apply_all(struct args *a, struct kt_err *err)
{
	int ret = 0;
	size_t i;

	for (i = 0; ret == 0 && i < a->nr; i++) {
		struct target *t = &a->targets[i];

		if (t->reset || t->kb)
			ret = apply(t, a->dry_run, err);
		if (ret < 0 && t->all && kt_instance_is_gone(t->name, err))
			ret = 0;
	}
	if (ret == 0 && a->targets[0].reset)
		ret = a->dry_run ? show_dynamic(a, err) : remove_dynamic(a, err);
	for (i = 0; i < a->nr; i++)
		if (a->targets[i].inst && (ret == 0 || ret == -EBUSY))
			kt_instance_keep(a->targets[i].inst);
	while (i-- > 0)
		kt_instance_close(a->targets[i].inst, err);
	return ret;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct args *a = args;
	int ret;

	if (argc)
		return cmd_misuse(err,
				  "unexpected argument '%s'; use -B to name an instance", argv[0]);
	a->targets[0].reset = a->top || (a->nr == 1 && a->first != SIZE_MAX);
	ret = ask(a, err);
	if (ret <= 0)
		return ret < 0 ? ret : 1;
	return apply_all(a, err);
}

const struct cmd cmd_reset = {
	.name      = "reset",
	.summary   = "stop all tracing and clear all settings",
	.examples  = "  ktrail reset                      the top-level buffer\n"
		     "  ktrail reset -B one -b 4096 -B two -d\n"
		     "  ktrail reset -t -a -d             everything; instances are deleted\n"
		     "  ktrail reset -k kprobe            probes stay\n",
	.opts      = opts,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.init      = init,
	.run       = run,
	.fini      = fini,
};
