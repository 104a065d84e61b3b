/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hist_offline.c - `ktrail hist FILE`: the events of a trace file by call chain */
#include "hist_offline.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include <ktrail/analysis.h>

#include "base/json.h"
#include "cmd/print/json_print.h"
#include "cmd/print/safe.h"

#define FIRST_BAR 12		/* columns before the bars of direct callers */
#define STEP 13			/* … and for each further level */
#define NAME 11			/* from a bar to the names below it */

static bool is_straight(const struct kt_chain_caller *c)
{
	while (c && !c->next)
		c = c->callers;
	return !c;
}

static void add_blanks(struct str *s, int nr)
{
	str_addf(s, "%*s", nr, "");
}

/* One branch: its head, its chain of single callers, and the place where it branches again */
static void add_branches(struct str *s, const struct kt_chain_caller *list, uint64_t total,
			 const char *front)
{
	const struct kt_chain_caller *c, *below;
	struct str inner = STR_INIT, deeper = STR_INIT;

	for (c = list; c; c = c->next) {
		uint64_t count = c->count;

		str_reset(&inner);
		str_addf(&inner, "%s%c", front, c->next ? '|' : ' ');
		str_addf(s, "%s|\n%s|--%%%.2f-- %s  # %" PRIu64 "\n", front, front,
			 100.0 * count / total, c->function, count);
		for (below = c->callers; below && !below->next; below = below->callers) {
			str_add(s, inner.buf);
			add_blanks(s, NAME - 1);
			str_addf(s, "%s\n", below->function);
			count = below->count;
		}
		if (!below)
			continue;
		str_reset(&deeper);
		str_add(&deeper, inner.buf);
		add_blanks(&deeper, STEP - 1);
		add_branches(s, below, count, deeper.buf);
	}
	str_fini(&inner);
	str_fini(&deeper);
}

static void add_callers(struct str *s, const struct kt_chain *c)
{
	const struct kt_chain_caller *below;
	struct str front = STR_INIT;

	add_blanks(&front, FIRST_BAR);
	if (!is_straight(c->callers))
		add_branches(s, c->callers, c->count, front.buf);
	else
		for (below = c->callers; below; below = below->callers)
			str_addf(s, "          %s\n", below->function);
	str_fini(&front);
}

/* In the layout of trace-cmd hist */
static void add_chain(struct str *s, const struct kt_chain *c, uint64_t total)
{
	const char *mark = c->is_function ? "" : "*";

	str_addf(s, "  %%%.2f", 100.0 * c->count / total);
	if (c->comm)
		str_addf(s, "  (%d) %s", c->pid, c->comm);
	else
		str_add(s, " <all pids>");
	str_addf(s, " %30s #%" PRIu64 "\n         |\n         --- %s%s%s\n", c->name, c->count,
		 mark, c->name, mark);
	add_callers(s, c);
	str_addc(s, '\n');
}

static int print_text(const struct kt_chains *chains, size_t nr)
{
	bool escape = safe_for_person();
	struct str s = STR_INIT;
	size_t i;
	int ret = 0;

	for (i = 0; i < nr && ret == 0; i++) {
		str_reset(&s);
		add_chain(&s, kt_chains_at(chains, i), kt_chains_total(chains));
		ret = s.failed ? -ENOMEM : safe_write(s.buf, s.len, escape);
	}
	str_fini(&s);
	return ret;
}

static void add_json_callers(struct json *j, const struct kt_chain_caller *list)
{
	json_open(j, "callers", '[');
	for (; list; list = list->next) {
		json_open(j, NULL, '{');
		json_str(j, "function", list->function);
		json_uint(j, "count", list->count);
		add_json_callers(j, list->callers);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static int print_json(const struct kt_chains *chains, size_t nr)
{
	struct json j = JSON_INIT;
	size_t i;

	json_open(&j, NULL, '[');
	for (i = 0; i < nr; i++) {
		const struct kt_chain *c = kt_chains_at(chains, i);

		json_open(&j, NULL, '{');
		if (c->comm) {
			json_int(&j, "pid", c->pid);
			json_str(&j, "comm", c->comm);
		}
		json_str(&j, c->is_function ? "function" : "event", c->name);
		json_uint(&j, "count", c->count);
		json_real(&j, "percent", 100.0 * c->count / kt_chains_total(chains));
		add_json_callers(&j, c->callers);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	return json_print(&j);
}

static int report(struct kt_trace *t, const char *path, struct choose *choose, bool ignore_pids,
		  bool json, int top, struct kt_err *err)
{
	struct kt_chains *c;
	size_t nr;
	int ret = choose_prepare(t, choose, err);

	if (ret < 0)
		return ret;
	c = kt_chains_create(t, ignore_pids, err);
	if (!c)
		return err->code;
	ret = choose_run(t, choose, 0, (struct kt_analysis *[]){ kt_chains_analysis(c) }, 1, err);
	nr = kt_chains_nr(c);
	if (ret == 0 && !nr && !json)
		ret = kt_err_set(err, -ENODATA, "no records in %s", path);
	if (top > 0 && (size_t)top < nr)
		nr = top;
	if (ret == 0)
		ret = (json ? print_json : print_text)(c, nr);
	kt_chains_destroy(c);
	return ret == -EPIPE ? 0 : ret;	/* the reader has closed the pipe */
}

int hist_offline(const char *path, struct choose *choose, bool ignore_pids, bool json, int top,
		 struct kt_err *err)
{
	struct kt_trace *t = kt_trace_create();
	int ret = t ? kt_trace_add(t, path, NULL, err) : -ENOMEM;

	if (ret == 0)
		ret = report(t, path, choose, ignore_pids, json, top, err);
	kt_trace_destroy(t);
	return ret;
}
