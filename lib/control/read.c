/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* read.c - read the settings of an instance and their values */
#include "control/control_priv.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "base/array.h"
#include "target/format.h"
#include "target/trigger.h"
#include "tracefs/tracefs.h"

/* ---- the tree ---- */

static int add_node(struct kt_control *c, enum kt_control_kind kind, uint32_t parent,
		    const char *name, size_t len)
{
	struct node *grown = array_room(c->nodes, c->nr_nodes, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	c->nodes = grown;
	grown[c->nr_nodes] = (struct node){
		.kind = kind, .parent = parent, .name = strndup(name, len),
	};
	if (!grown[c->nr_nodes].name)
		return -ENOMEM;
	c->nr_nodes++;
	if (parent == NO_PARENT)
		return 0;
	if (!c->nodes[parent].nr++)
		c->nodes[parent].first = (uint32_t)c->nr_nodes - 1;
	return 0;
}

static int add_names(struct kt_control *c, enum kt_control_kind kind, uint32_t parent,
		     const struct kt_names *names)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < names->nr && ret == 0; i++)
		ret = add_node(c, kind, parent, names->names[i], strlen(names->names[i]));
	return ret;
}

/* Options that are off are listed with "no" before their names */
static int add_options(struct kt_control *c, const struct kt_names *options)
{
	char file[256];
	size_t i;
	int ret = 0;

	for (i = 0; i < options->nr && ret == 0; i++) {
		const char *name = options->names[i];

		snprintf(file, sizeof(file), "options/%s", name);
		if (str_starts(name, "no") && !kt_instance_has(c->inst, file))
			name += 2;
		ret = add_node(c, KT_CONTROL_OPTION, TOP_OPTIONS, name, strlen(name));
	}
	return ret;
}

/* @events: "system:event", sorted. All systems come first, so that children are adjacent. */
static int add_events(struct kt_control *c, const struct kt_names *events)
{
	size_t i, len, at = 0, last;
	int ret = 0;

	for (i = 0; i < events->nr && ret == 0; i++) {
		len = strcspn(events->names[i], ":");
		if (i == 0 || strncmp(events->names[i], events->names[i - 1], len + 1) != 0)
			ret = add_node(c, KT_CONTROL_SYSTEM, TOP_EVENTS, events->names[i], len);
	}
	last = c->nr_nodes;
	for (i = c->nodes[TOP_EVENTS].first; i < last && ret == 0; i++) {
		len = strlen(c->nodes[i].name);
		for (; at < events->nr && strncmp(events->names[at], c->nodes[i].name, len) == 0 &&
		       events->names[at][len] == ':' && ret == 0; at++) {
			const char *name = events->names[at] + len + 1;

			ret = add_node(c, KT_CONTROL_EVENT, (uint32_t)i, name, strlen(name));
		}
	}
	return ret;
}

static int add_tops(struct kt_control *c)
{
	static const struct {
		enum kt_control_kind kind;
		const char *name;
	} tops[NR_TOP] = {
		[TOP_TRACING]   = { KT_CONTROL_TRACING, "tracing" },
		[TOP_TRACER]    = { KT_CONTROL_TRACER, "tracer" },
		[TOP_CLOCK]     = { KT_CONTROL_CLOCK, "clock" },
		[TOP_BUFFER]    = { KT_CONTROL_BUFFER, "buffer size" },
		[TOP_EVENTS]    = { KT_CONTROL_EVENTS, "events" },
		[TOP_OPTIONS]   = { KT_CONTROL_OPTIONS, "options" },
		[TOP_FUNCTIONS + KT_FUNCTIONS_FILTER] = { KT_CONTROL_FUNCTIONS, "functions" },
		[TOP_FUNCTIONS + KT_FUNCTIONS_NOTRACE] = { KT_CONTROL_FUNCTIONS, "except" },
		[TOP_FUNCTIONS + KT_FUNCTIONS_GRAPH] = { KT_CONTROL_FUNCTIONS,
							  "graph functions" },
		[TOP_FUNCTIONS + KT_FUNCTIONS_GRAPH_NOTRACE] = { KT_CONTROL_FUNCTIONS,
								 "graph except" },
	};
	size_t i;
	int ret = 0;

	for (i = 0; i < NR_TOP && ret == 0; i++)
		ret = add_node(c, tops[i].kind, NO_PARENT, tops[i].name, strlen(tops[i].name));
	return ret;
}

int control_load(struct kt_control *c, struct kt_err *err)
{
	struct kt_names tracers = { 0 }, clocks = { 0 }, options = { 0 };
	int ret = 0;

	/* If this kernel lacks the file, the list is empty. */
	kt_instance_tracers(c->inst, &tracers, NULL);
	kt_instance_clocks(c->inst, &clocks, NULL);
	kt_instance_options(c->inst, &options, NULL);
	kt_err_clear(&c->no_events);
	kt_event_names(&c->events, &c->no_events);
	kt_names_sort(&c->events);
	if (add_tops(c) < 0 ||
	    add_names(c, KT_CONTROL_TRACER_NAME, TOP_TRACER, &tracers) < 0 ||
	    add_names(c, KT_CONTROL_CLOCK_NAME, TOP_CLOCK, &clocks) < 0 ||
	    add_options(c, &options) < 0 || add_events(c, &c->events) < 0)
		ret = kt_err_no_memory(err);
	else
		control_read_states(c);
	kt_names_fini(&tracers);
	kt_names_fini(&clocks);
	kt_names_fini(&options);
	return ret;
}

void control_unload(struct kt_control *c)
{
	while (c->nr_nodes) {
		free(c->nodes[--c->nr_nodes].name);
		free(c->nodes[c->nr_nodes].value);
	}
	free(c->nodes);
	c->nodes = NULL;
	kt_names_fini(&c->events);
}

bool control_events_changed(const struct kt_control *c)
{
	struct kt_names now = { 0 };
	size_t i;
	bool same;

	kt_event_names(&now, NULL);	/* on failure the list is empty, as in control_load() */
	kt_names_sort(&now);
	same = now.nr == c->events.nr;
	for (i = 0; same && i < now.nr; i++)
		same = strcmp(now.names[i], c->events.names[i]) == 0;
	kt_names_fini(&now);
	return !same;
}

/* ---- values ---- */

static void set_value(struct node *n, char *value)
{
	free(n->value);
	n->value = value;
}

static void set_valuef(struct node *n, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void set_valuef(struct node *n, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	set_value(n, vasprintf(&text, fmt, ap) < 0 ? NULL : text);
	va_end(ap);
}

/* Sets the value of @top, and finds its choice */
static void choose(struct kt_control *c, struct node *top, char *value)
{
	size_t i;

	for (i = top->first; i < top->first + top->nr; i++)
		c->nodes[i].state = value && strcmp(c->nodes[i].name, value) == 0 ?
				    KT_CONTROL_ON : KT_CONTROL_OFF;
	set_value(top, value);
}

static void read_buffer(struct kt_control *c)
{
	struct node *n = &c->nodes[TOP_BUFFER];
	int64_t kb = kt_instance_buffer_size(c->inst, -1, NULL);

	if (kb >= 0)
		set_valuef(n, "%lld KiB for each CPU", (long long)kb);
	else
		set_valuef(n, kb == -EXDEV ? "CPUs differ" : "");
}

/* @dir: below the instance. '1', '0', 'X' (some), or 0 if it cannot be switched */
static char read_enable(const struct kt_control *c, const char *dir)
{
	char file[512], *text, first;

	snprintf(file, sizeof(file), "%s/enable", dir);
	text = kt_instance_read(c->inst, file, NULL);
	first = text ? *text : 0;
	free(text);
	return first;
}

static enum kt_control_state state_of(char enable)
{
	switch (enable) {
	case '1': return KT_CONTROL_ON;
	case '0': return KT_CONTROL_OFF;
	case 'X': return KT_CONTROL_PARTLY;
	default:  return KT_CONTROL_PLAIN;
	}
}

/* With @on of @nr events on */
static enum kt_control_state state_of_all(size_t on, size_t nr)
{
	if (on == 0)
		return KT_CONTROL_OFF;
	return on == nr ? KT_CONTROL_ON : KT_CONTROL_PARTLY;
}

/* @on: negative: not known */
static enum kt_control_state state_of_switch(int on)
{
	if (on < 0)
		return KT_CONTROL_PLAIN;
	return on ? KT_CONTROL_ON : KT_CONTROL_OFF;
}

void control_event_dir(const struct kt_control *c, const struct node *n, struct str *out)
{
	str_add(out, "events");
	if (n->kind == KT_CONTROL_EVENT)
		str_addf(out, "/%s", c->nodes[n->parent].name);
	if (n->kind != KT_CONTROL_EVENTS)
		str_addf(out, "/%s", n->name);
}

static void read_event_state(struct kt_control *c, struct node *n)
{
	struct str dir = STR_INIT;

	control_event_dir(c, n, &dir);
	n->state = state_of(read_enable(c, dir.buf));
	str_fini(&dir);
	n->read = false;
}

/* Returns how many of its events are on. */
static size_t read_system(struct kt_control *c, struct node *s)
{
	struct str dir = STR_INIT;
	char all;
	size_t i, nr = 0;

	control_event_dir(c, s, &dir);
	all = read_enable(c, dir.buf);
	str_fini(&dir);
	for (i = s->first; i < s->first + s->nr; i++) {
		struct node *n = &c->nodes[i];

		/* One file is enough for a folded system if all its events have the same state. */
		if (s->open || all == 'X')
			read_event_state(c, n);
		else
			n->state = state_of(all);
		n->read = false;
		nr += n->state == KT_CONTROL_ON;
	}
	s->state = state_of_all(nr, s->nr);
	set_valuef(s, "%zu of %zu on", nr, (size_t)s->nr);
	return nr;
}

static void read_events(struct kt_control *c)
{
	struct node *top = &c->nodes[TOP_EVENTS];
	size_t i, on = 0, nr = 0;

	for (i = top->first; i < top->first + top->nr; i++) {
		on += read_system(c, &c->nodes[i]);
		nr += c->nodes[i].nr;
	}
	top->state = state_of_all(on, nr);
	if (c->no_events.code == -EACCES)
		set_valuef(top, "%s", c->no_events.msg);
	else
		set_valuef(top, nr ? "%zu of %zu on" : "this kernel has none", on, nr);
}

static void read_options(struct kt_control *c)
{
	struct node *top = &c->nodes[TOP_OPTIONS];
	size_t i, on = 0;

	for (i = top->first; i < top->first + top->nr; i++) {
		int is = kt_instance_is_option(c->inst, c->nodes[i].name, NULL);

		c->nodes[i].state = state_of_switch(is);
		on += is > 0;
	}
	set_valuef(top, "%zu of %zu on", on, (size_t)top->nr);
}

/* ---- functions ---- */

static bool is_name(const char *line, size_t len)
{
	return !ctl_is_no_entry(line, len);
}

static const struct {
	const char *empty;		/* the meaning of an empty list */
	const char *about;
} lists[NR_LISTS] = {
	[KT_FUNCTIONS_FILTER] = { "all", "functions that function and function_graph trace" },
	[KT_FUNCTIONS_NOTRACE] = { "none", "functions that are not traced" },
	[KT_FUNCTIONS_GRAPH] = { "all", "functions that function_graph traces, with callees" },
	[KT_FUNCTIONS_GRAPH_NOTRACE] = { "none", "functions that function_graph omits, with "
						 "callees" },
};

bool control_has_list(const struct kt_control *c, size_t list)
{
	return list == KT_FUNCTIONS_FILTER || kt_instance_has(c->inst, kt_function_list_file(list));
}

static void read_list(struct kt_control *c, size_t list)
{
	struct node *n = &c->nodes[TOP_FUNCTIONS + list];
	struct kt_names *names = &c->listed[list];
	const char *file = kt_function_list_file(list);
	struct kt_err err = { 0 };
	char *text = kt_instance_read(c->inst, file, &err), *line;
	size_t len;

	kt_names_fini(names);
	for (line = text; line && *line; line += len + (line[len] == '\n')) {
		len = strcspn(line, "\n");
		if (is_name(line, len))
			kt_names_addn(names, line, len);
	}
	kt_names_sort(names);
	if (text && names->nr)
		set_valuef(n, "%zu in %s", names->nr, file);
	else if (text)
		set_valuef(n, "%s: %s is empty", lists[list].empty, file);
	else
		set_valuef(n, kt_is_unavailable(err.code) && err.code != -EACCES ?
			   "this kernel cannot trace functions" : "cannot be read");
	free(text);
}

static void read_listed(struct kt_control *c)
{
	size_t list;

	for (list = 0; list < NR_LISTS; list++)
		if (control_has_list(c, list))
			read_list(c, list);
}

void control_read_states(struct kt_control *c)
{
	int on = kt_instance_is_tracing(c->inst, NULL);

	c->nodes[TOP_TRACING].state = state_of_switch(on);
	if (on < 0)
		set_valuef(&c->nodes[TOP_TRACING], "%s", "");
	else
		set_valuef(&c->nodes[TOP_TRACING], "%s", on ? "on" : "off");
	choose(c, &c->nodes[TOP_TRACER], kt_instance_tracer(c->inst, NULL));
	choose(c, &c->nodes[TOP_CLOCK], kt_instance_clock(c->inst, NULL));
	read_buffer(c);
	read_events(c);
	read_options(c);
	read_listed(c);
}

/* Up to the end of the name: "ext4_map_blocks [ext4]" */
static int by_name(const void *function, const void *entry)
{
	const char *name = function, *other = *(char *const *)entry;
	size_t len = strcspn(name, " "), n = strcspn(other, " ");
	int ret = memcmp(name, other, len < n ? len : n);

	return ret ? ret : (len > n) - (len < n);
}

bool control_is_listed(const struct kt_control *c, size_t list, const char *function)
{
	const struct kt_names *names = &c->listed[list];

	return names->nr && bsearch(function, names->names, names->nr, sizeof(*names->names),
				    by_name);
}

static size_t nr_lines(const char *text)
{
	size_t nr = 0;

	for (; (text = strchr(text, '\n')); text++)
		nr++;
	return nr + 1;
}

int control_read_functions(struct kt_control *c, struct kt_err *err)
{
	char *p;

	if (!c->functions_read) {
		c->functions_read = true;
		c->functions_text = kt_instance_read(c->inst, "available_filter_functions",
						     &c->no_functions);
		if (c->functions_text)
			c->functions = calloc(nr_lines(c->functions_text), sizeof(*c->functions));
		for (p = c->functions_text; p && c->functions && *p; p += *p == '\n') {
			c->functions[c->nr_functions++] = (uint32_t)(p - c->functions_text);
			p += strcspn(p, "\n");
		}
		for (p = c->functions_text; p && (p = strchr(p, '\n')); )
			*p++ = 0;
	}
	if (!c->nr_functions)
		return kt_err_set(err, c->no_functions.code ? c->no_functions.code : -ENOENT,
				  "this kernel cannot trace functions: %s", c->no_functions.code ?
				  c->no_functions.msg : "it lists none");
	return 0;
}

/* ---- one row ---- */

char *control_filter(const struct kt_control *c, const struct node *n)
{
	struct str file = STR_INIT;
	char *now;

	control_event_dir(c, n, &file);
	str_add(&file, "/filter");
	now = ctl_read_filter(c->inst, file.buf);
	str_fini(&file);
	if (now && *now && strcmp(now, "none") != 0)
		return now;
	free(now);
	return NULL;
}

/* "if FILTER; trigger; trigger" */
void control_read_event(struct kt_control *c, struct node *n)
{
	struct str file = STR_INIT, text = STR_INIT;
	char *now, *line;
	size_t len;

	if (n->kind != KT_CONTROL_EVENT || n->read)
		return;
	n->read = true;
	now = control_filter(c, n);
	if (now)
		str_addf(&text, "if %s", now);
	free(now);
	control_event_dir(c, n, &file);
	str_add(&file, "/trigger");
	now = kt_instance_read(c->inst, file.buf, NULL);
	for (line = now; line && *line; line += len + (line[len] == '\n')) {
		len = strcspn(line, "\n");
		if (is_name(line, len))
			str_addf(&text, "%s%.*s", text.len ? "; " : "", (int)len, line);
	}
	free(now);
	set_value(n, str_take(&text));
	str_fini(&file);
	str_fini(&text);
}

static void add_fields(struct kt_control *c, const struct node *n, struct str *out)
{
	struct str dir = STR_INIT;
	struct ctl_format *f;
	size_t i;

	control_event_dir(c, n, &dir);
	f = ctl_format_read(c->inst, dir.buf, NULL);
	for (i = 0; f && i < f->nr_fields; i++)
		if (!f->fields[i].is_common)
			str_addf(out, "%s%s %s", out->len ? ", " : "fields: ", f->fields[i].type,
				 f->fields[i].name);
	ctl_format_destroy(f);
	str_fini(&dir);
}

char *kt_control_about(struct kt_control *c, size_t i)
{
	static const char *const about[] = {
		[KT_CONTROL_TRACING] = "whether the ring buffer accepts events",
		[KT_CONTROL_TRACER] = "writes records besides events; nop: none",
		[KT_CONTROL_CLOCK] =
			"the unit and origin of time stamps; changing it empties the buffer",
		[KT_CONTROL_BUFFER] =
			"the size of the ring buffer; new events overwrite the oldest",
		[KT_CONTROL_EVENTS] = "places in the kernel that write a record when reached",
		[KT_CONTROL_OPTIONS] = "what is recorded with events, and how the kernel shows it",
		[KT_CONTROL_SYSTEM] = "filters and triggers set here apply to all its events",
		[KT_CONTROL_FUNCTION] = "",
	};
	struct str out = STR_INIT;
	const struct node *n;
	const char *help = NULL;
	char *text;

	if (i >= c->nr_rows || c->rows[i].function)
		return strdup("");
	n = control_node(c, i);
	if (n->kind == KT_CONTROL_EVENT)
		add_fields(c, n, &out);
	else if (n->kind == KT_CONTROL_CLOCK_NAME)
		help = kt_clock_help(n->name);
	else if (n->kind == KT_CONTROL_FUNCTIONS)
		help = lists[n - c->nodes - TOP_FUNCTIONS].about;
	else if (n->kind < sizeof(about) / sizeof(*about))
		help = about[n->kind];
	if (help)
		str_add(&out, help);
	text = str_take(&out);
	str_fini(&out);
	return text;
}
