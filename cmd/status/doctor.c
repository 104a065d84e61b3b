/* SPDX-License-Identifier: GPL-2.0-or-later */
/* doctor.c - `ktrail doctor`: what this machine can trace, and the reason for the rest */
#include <stdio.h>
#include <string.h>

#include <ktrail/status.h>

#include "base/json.h"
#include "cmd/cmd.h"
#include "cmd/print/columns.h"
#include "cmd/print/json_print.h"
#include "cmd/print/pager.h"
#include "cmd/print/safe.h"

#define NAMES 24		/* columns for the names of features that are missing for the
				 * same reason */

struct args {
	bool all, json;
};

static const struct cmd_opt opts[] = {
	OPT_BOOL('a', "all", struct args, all, "one line for each feature, present or not"),
	OPT_BOOL(0, "json", struct args, json, "print JSON"),
	OPT_END
};

static const char *const presences[] = {
	[KT_PRESENT] = "present", [KT_ABSENT] = "absent", [KT_REFUSED] = "refused",
	[KT_UNKNOWN] = "unknown",
};

static int screen_width(void)
{
	int width = pager_width();

	return width > 40 ? width : 80;
}

static void print_finding(const struct kt_finding *f)
{
	struct str s = STR_INIT;

	str_add_escaped(&s, f->value, strlen(f->value));
	printf("%-15s %s\n", f->name, s.buf);
	if (f->remedy)
		printf("%-15s %s %s\n", "", safe_sign("└", "`"), f->remedy);
	str_fini(&s);
}

static void print_users(const struct kt_users *users)
{
	struct str s = STR_INIT;
	size_t i;

	for (i = 0; i < users->nr && i < 8; i++) {
		const struct kt_user *u = &users->users[i];

		str_addf(&s, "%s", i ? ", " : "");
		str_add_escaped(&s, u->comm, strlen(u->comm));
		str_addf(&s, "[%d] ", (int)u->pid);
		if (u->file)
			str_add_escaped(&s, u->file, strlen(u->file));
		else
			str_add(&s, "perf events");
	}
	printf("%-15s %s%s\n", "open files", users->nr ? s.buf : "none",
	       users->nr > 8 ? safe_sign(" …", " ...") : "");
	str_fini(&s);
}

/* Names only, wrapped: a line for each would not fit on a screen. @newer: with the version */
static void print_names(const struct kt_doctor *d, bool newer)
{
	int width = screen_width(), column = 0, len;
	char text[128];
	size_t i;

	for (i = 0; i < d->nr_features; i++) {
		const struct kt_feature *f = &d->features[i];

		if (newer ? !f->newer : f->presence != KT_PRESENT)
			continue;
		len = snprintf(text, sizeof(text), newer ? "%s (%s)" : "%s", f->name, f->since);
		if (column && column + len + 2 > width) {
			printf(",\n");
			column = 0;
		}
		column += printf(column ? ", %s" : "                %s", text);
	}
	printf("\n");
}

static int print_table(const struct kt_doctor *d, bool all)
{
	struct columns c = { .head = "FEATURE|HERE|SINCE|WHAT|WHY NOT, AND WHAT HELPS" };
	size_t i;

	for (i = 0; i < d->nr_features; i++) {
		const struct kt_feature *f = &d->features[i];

		if (!all && f->presence == KT_PRESENT)
			continue;
		columns_add(&c, f->name);
		columns_add(&c, presences[f->presence]);
		columns_add(&c, f->since);
		columns_add(&c, f->what);
		columns_add(&c, f->why ? f->why : f->config);
	}
	return columns_print(&c, NULL);
}

static bool is_missing(const struct kt_feature *f)
{
	return !f->newer && (f->presence == KT_ABSENT || f->presence == KT_REFUSED);
}

/* Features with the same reason as an earlier one are listed with it. */
static bool is_told(const struct kt_doctor *d, size_t i)
{
	size_t k;

	for (k = 0; k < i; k++)
		if (is_missing(&d->features[k]) &&
		    strcmp(d->features[k].why, d->features[i].why) == 0)
			return true;
	return false;
}

static void add_missing(struct columns *c, const struct kt_doctor *d, size_t i)
{
	const struct kt_feature *first = &d->features[i], *f;
	struct str names = STR_INIT;
	size_t more = 0;

	str_add(&names, first->name);
	for (f = first + 1; f < d->features + d->nr_features; f++) {
		if (!is_missing(f) || strcmp(f->why, first->why) != 0)
			continue;
		if (!more && names.len + strlen(f->name) < NAMES)
			str_addf(&names, ", %s", f->name);
		else
			more++;
	}
	if (more)
		str_addf(&names, " +%zu", more);
	columns_addf(c, "%s%s", names.buf, first->presence == KT_REFUSED ? " (refused)" : "");
	columns_add(c, first->since);
	columns_add(c, first->why);
	str_fini(&names);
}

/* Without root little is known, and one reason is enough. */
static int print_missing(const struct kt_doctor *d)
{
	struct columns c = { .head = "NOT HERE|SINCE|WHY, AND WHAT HELPS" };
	size_t i, unknown = 0, newer = 0;

	for (i = 0; i < d->nr_features; i++) {
		unknown += d->features[i].presence == KT_UNKNOWN;
		newer += d->features[i].newer;
		if (is_missing(&d->features[i]) && !is_told(d, i))
			add_missing(&c, d, i);
	}
	if (newer) {
		printf("\nnewer kernels can\n");
		print_names(d, true);
	}
	if (unknown)
		printf("\n%zu features cannot be seen by this user, see tracefs above\n", unknown);
	if (c.table)
		printf("\n");
	return columns_print(&c, NULL);
}

static int print_text(const struct kt_doctor *d, bool all)
{
	size_t i;

	for (i = 0; i < d->nr_findings; i++)
		print_finding(&d->findings[i]);
	print_users(&d->users);
	if (all) {
		printf("\n");
		return print_table(d, true);
	}
	printf("\ncan trace\n");
	print_names(d, false);
	return print_missing(d);
}

static int print_json(const struct kt_doctor *d)
{
	struct json j = JSON_INIT;
	size_t i;

	json_open(&j, NULL, '{');
	json_open(&j, "machine", '[');
	for (i = 0; i < d->nr_findings; i++) {
		json_open(&j, NULL, '{');
		json_str(&j, "name", d->findings[i].name);
		json_str(&j, "value", d->findings[i].value);
		json_str(&j, "remedy", d->findings[i].remedy);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_open(&j, "users", '[');
	for (i = 0; i < d->users.nr; i++) {
		json_open(&j, NULL, '{');
		json_int(&j, "pid", d->users.users[i].pid);
		json_str(&j, "comm", d->users.users[i].comm);
		json_str(&j, "file", d->users.users[i].file);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_open(&j, "features", '[');
	for (i = 0; i < d->nr_features; i++) {
		const struct kt_feature *f = &d->features[i];

		json_open(&j, NULL, '{');
		json_str(&j, "name", f->name);
		json_str(&j, "state", presences[f->presence]);
		json_str(&j, "since", f->since);
		json_str(&j, "config", f->config);
		json_str(&j, "what", f->what);
		json_str(&j, "why", f->why);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	return json_print(&j);
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_doctor *d;
	int ret = 0;

	if (argc)
		return cmd_misuse(err, "unexpected argument '%s'", argv[0]);
	d = kt_doctor_examine(NULL, err);
	if (!d)
		return err->code;
	if (a->json)
		ret = print_json(d);
	else
		ret = print_text(d, a->all);
	kt_doctor_destroy(d);
	return ret;
}

const struct cmd cmd_doctor = {
	.name      = "doctor",
	.summary   = "show what this machine can trace, and what is missing",
	.examples  =
	"  ktrail doctor          one screen\n"
	"  ktrail doctor --json | jq '.features[] | select(.state != \"present\")'\n",
	.opts      = opts,
	.args_size = sizeof(struct args),
	.paged     = true,
	.run       = run,
};
