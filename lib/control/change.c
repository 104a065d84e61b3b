/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* change.c - change settings through the setters that the commands use */
#include "control/control_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "base/units.h"
#include "target/target.h"

/* A setter has returned: rows show the current values of the kernel */
static int changed(struct kt_control *c, int ret)
{
	bool searching = c->searching;

	control_read_states(c);
	/* Search results stay, in their order; @listed is not among them. */
	if (!searching)
		control_show_rows(c);
	return ret > 0 ? 0 : ret;
}

static void pause_readers(struct kt_control *c, bool on)
{
	if (c->pause)
		c->pause(c->pause_data, on);
}

typedef int (*set_name_fn)(struct kt_instance *inst, const char *name, struct kt_err *err);

/* A tracer or a clock */
static int choose(struct kt_control *c, set_name_fn set_name, const char *name, struct kt_err *err)
{
	int ret;

	pause_readers(c, true);
	ret = set_name(c->inst, name, err);
	pause_readers(c, false);
	return ret;
}

static int switch_events(struct kt_control *c, const struct node *n, bool on, struct kt_err *err)
{
	struct str dir = STR_INIT;
	int ret;

	if (n->kind == KT_CONTROL_EVENTS && on)
		return kt_err_set(err, -EINVAL,
				  "too many events at once: unfold a system, or search");
	control_event_dir(c, n, &dir);
	ret = instance_enable_dir(c->inst, dir.buf, on, err);
	str_fini(&dir);
	return ret;
}

static int switch_function(struct kt_control *c, const struct ref *r, struct kt_err *err)
{
	enum kt_function_list list = r->node - TOP_FUNCTIONS;
	bool listed = control_is_listed(c, list, r->function);
	char *name = listed && strchr(r->function, ':') ? strdup(r->function) :
		     strndup(r->function, strcspn(r->function, " "));
	int ret = -ENOMEM;

	if (name)
		ret = listed ? kt_instance_remove_functions(c->inst, list, name, NULL, err) :
		      kt_instance_add_functions(c->inst, list, name, NULL, err);
	free(name);
	return ret;
}

static int toggle(struct kt_control *c, size_t i, struct kt_err *err)
{
	const struct node *n = control_node(c, i);
	bool on = n->state != KT_CONTROL_ON;

	if (c->rows[i].function)
		return switch_function(c, &c->rows[i], err);
	switch (n->kind) {
	case KT_CONTROL_TRACING:
		return kt_instance_set_tracing(c->inst, on, err);
	case KT_CONTROL_EVENT:
	case KT_CONTROL_SYSTEM:
		return switch_events(c, n, on, err);
	case KT_CONTROL_EVENTS:
		return switch_events(c, n, n->state == KT_CONTROL_OFF, err);
	case KT_CONTROL_OPTION:
		return kt_instance_set_option(c->inst, n->name, on, err);
	case KT_CONTROL_TRACER_NAME:
		return choose(c, kt_instance_set_tracer, on ? n->name : "nop", err);
	case KT_CONTROL_CLOCK_NAME:
		return on ? choose(c, kt_instance_set_clock, n->name, err) : 0;
	default:
		return kt_err_set(err, -EINVAL, "%s is not a switch", n->name);
	}
}

int kt_control_toggle(struct kt_control *c, size_t i, struct kt_err *err)
{
	return i < c->nr_rows ? changed(c, toggle(c, i, err)) : -EINVAL;
}

/* ---- filters and triggers ---- */

/* "sched:sched_switch", or "sched" */
static char *events_of(const struct kt_control *c, const struct node *n)
{
	struct str s = STR_INIT;
	char *text;

	if (n->kind == KT_CONTROL_EVENT)
		str_addf(&s, "%s:", c->nodes[n->parent].name);
	str_add(&s, n->name);
	text = str_take(&s);
	str_fini(&s);
	return text;
}

typedef int (*set_fn)(struct kt_instance *inst, const char *events, const char *text,
		      struct kt_err *err);

/* Checked first. A value refused by the check was not written, but is listed among the writes. */
static int apply(struct kt_control *c, const struct node *n, set_fn set_events, const char *text,
		 const char *file, struct kt_err *err)
{
	char *events = events_of(c, n);
	size_t before = c->nr_writes;
	struct str path = STR_INIT;
	struct kt_err mine = { 0 };
	int ret = events ? set_events(c->inst, events, text, &mine) : -ENOMEM;

	if (ret < 0 && text && c->nr_writes == before) {
		control_event_dir(c, n, &path);
		str_addf(&path, "/%s", file);
		control_note_refused(c, path.buf, text, strcmp(file, "trigger") == 0, &mine);
	}
	if (ret < 0 && err)
		*err = mine;
	str_fini(&path);
	free(events);
	return ret;
}

static bool has_events(const struct kt_control *c, size_t i)
{
	return i < c->nr_rows && !c->rows[i].function &&
	       (control_node(c, i)->kind == KT_CONTROL_EVENT ||
		control_node(c, i)->kind == KT_CONTROL_SYSTEM);
}

int kt_control_add_trigger(struct kt_control *c, size_t i, const char *trigger, struct kt_err *err)
{
	if (!has_events(c, i))
		return kt_err_set(err, -EINVAL, "only events have triggers");
	return changed(c, apply(c, control_node(c, i), kt_trigger_add, trigger, "trigger", err));
}

int kt_control_remove_triggers(struct kt_control *c, size_t i, struct kt_err *err)
{
	if (!has_events(c, i))
		return kt_err_set(err, -EINVAL, "only events have triggers");
	return changed(c, apply(c, control_node(c, i), kt_trigger_remove, NULL, "trigger", err));
}

/* ---- texts ---- */

static int set_buffer(struct kt_control *c, const char *text, struct kt_err *err)
{
	uint64_t bytes;
	int ret = units_parse_size(text, 1024, &bytes, err);

	return ret < 0 ? ret : kt_instance_set_buffer_size(c->inst, -1, (bytes + 1023) / 1024, err);
}

static int set(struct kt_control *c, size_t i, const char *text, struct kt_err *err)
{
	const struct node *n = control_node(c, i);
	enum kt_function_list list = c->rows[i].node - TOP_FUNCTIONS;

	switch (n->kind) {
	case KT_CONTROL_EVENT:
	case KT_CONTROL_SYSTEM:
		return apply(c, n, kt_filter_set, *text ? text : NULL, "filter", err);
	case KT_CONTROL_BUFFER:
		return set_buffer(c, text, err);
	case KT_CONTROL_TRACER:
		return choose(c, kt_instance_set_tracer, text, err);
	case KT_CONTROL_CLOCK:
		return choose(c, kt_instance_set_clock, text, err);
	case KT_CONTROL_FUNCTIONS:
		return *text ?
		       kt_instance_add_functions(c->inst, list, text, NULL, err) :
		       kt_instance_clear_functions(c->inst, list, err);
	default:
		return kt_err_set(err, -EINVAL, "%s is a switch and has no text", n->name);
	}
}

int kt_control_set(struct kt_control *c, size_t i, const char *text, struct kt_err *err)
{
	return i < c->nr_rows ? changed(c, set(c, i, text, err)) : -EINVAL;
}

char *kt_control_text(const struct kt_control *c, size_t i)
{
	const struct node *n = i < c->nr_rows ? control_node(c, i) : NULL;
	const char *value = n && n->value ? n->value : "";
	char *filter;

	if (!n || c->rows[i].function)
		return NULL;
	switch (n->kind) {
	case KT_CONTROL_EVENT:
		filter = control_filter(c, n);
		return filter ? filter : strdup("");
	case KT_CONTROL_BUFFER:
		return strndup(value, strspn(value, "0123456789"));
	case KT_CONTROL_TRACER:
	case KT_CONTROL_CLOCK:
		return strdup(value);
	case KT_CONTROL_SYSTEM:
	case KT_CONTROL_FUNCTIONS:
		return strdup("");
	default:
		return NULL;
	}
}

int kt_control_restore(struct kt_control *c, struct kt_err *err)
{
	int ret;

	pause_readers(c, true);
	ret = kt_instance_restore(c->inst, err);
	pause_readers(c, false);
	return changed(c, ret);
}

/* ---- the current values of the kernel ---- */

/* The ids of unfolded nodes, new (free); @nr: how many */
static size_t *open_ids(const struct kt_control *c, size_t *nr)
{
	size_t *ids = calloc(c->nr_nodes + 1, sizeof(*ids));
	uint32_t i;

	for (i = 0, *nr = 0; ids && i < c->nr_nodes; i++)
		if (c->nodes[i].open)
			ids[(*nr)++] = control_node_id(c, i);
	return ids;
}

static void open_again(struct kt_control *c, const size_t *ids, size_t nr)
{
	size_t k, id;
	uint32_t i;

	for (i = 0; nr && i < c->nr_nodes; i++) {
		id = control_node_id(c, i);
		for (k = 0; k < nr && ids[k] != id; k++)
			;
		c->nodes[i].open = k < nr;
	}
}

static int read_anew(struct kt_control *c, struct kt_err *err)
{
	size_t nr, *ids = open_ids(c, &nr);
	int ret = ids ? 0 : kt_err_no_memory(err);

	if (ret == 0) {
		control_unload(c);
		ret = control_load(c, err);
	}
	if (ret == 0) {
		open_again(c, ids, nr);
		control_read_states(c);	/* also those of unfolded nodes */
		if (control_show_rows(c) < 0)
			ret = kt_err_no_memory(err);
	}
	free(ids);
	return ret;
}

int kt_control_refresh(struct kt_control *c, bool all, struct kt_err *err)
{
	/* The results of a search stay until it ends. */
	if (!all && (c->searching || !control_events_changed(c))) {
		changed(c, 0);
		return 0;
	}
	if (all) {
		free(c->functions_text);
		free(c->functions);
		c->functions_text = NULL;
		c->functions = NULL;
		c->nr_functions = 0;
		c->functions_read = false;
		kt_err_clear(&c->no_functions);
	}
	return read_anew(c, err);
}
