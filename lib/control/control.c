/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* control.c - the settings of an instance as rows: unfolded ones, or search results */
#include "base/array.h"
#include "base/keymap.h"
#include "control/control_priv.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTION_ID ((size_t)1 << (sizeof(size_t) * 8 - 1))

struct kt_control *kt_control_open(struct kt_instance *inst, struct kt_err *err)
{
	struct kt_control *c = calloc(1, sizeof(*c));

	if (!c) {
		kt_err_no_memory(err);
		return NULL;
	}
	c->inst = inst;
	c->about = (struct str)STR_INIT;
	if (control_load(c, err) < 0 || control_show_rows(c) < 0) {
		kt_control_close(c);
		return NULL;
	}
	control_watch(c, true);
	return c;
}

void kt_control_close(struct kt_control *c)
{
	size_t i;

	if (!c)
		return;
	control_watch(c, false);
	control_unload(c);
	for (i = 0; i < c->nr_writes; i++) {
		free(c->writes[i].line);
		free(c->writes[i].refused);
	}
	free(c->writes);
	free(c->rows);
	free(c->functions_text);
	free(c->functions);
	for (i = 0; i < NR_LISTS; i++)
		kt_names_fini(&c->listed[i]);
	str_fini(&c->about);
	free(c);
}

void kt_control_set_pause(struct kt_control *c, void (*pause)(void *data, bool on), void *data)
{
	c->pause = pause;
	c->pause_data = data;
}

/* ---- rows ---- */

int control_add_row(struct kt_control *c, uint32_t node, const char *function)
{
	struct ref *row = array_add(c->rows, c->nr_rows);

	if (!row)
		return -ENOMEM;
	*row = (struct ref){ node, function };
	return 0;
}

static bool is_list(uint32_t node)
{
	return node >= TOP_FUNCTIONS && node < NR_TOP;
}

static int show_node(struct kt_control *c, uint32_t node)
{
	const struct kt_names *list = is_list(node) ? &c->listed[node - TOP_FUNCTIONS] : NULL;
	int ret = control_add_row(c, node, NULL);
	size_t i;

	if (!c->nodes[node].open)
		return ret;
	for (i = 0; i < c->nodes[node].nr && ret == 0; i++)
		ret = show_node(c, c->nodes[node].first + (uint32_t)i);
	for (i = 0; list && i < list->nr && ret == 0; i++)
		ret = control_add_row(c, node, list->names[i]);
	return ret;
}

int control_show_rows(struct kt_control *c)
{
	uint32_t i;
	int ret = 0;

	c->nr_rows = 0;
	c->searching = false;
	for (i = 0; i < NR_TOP && ret == 0; i++)
		if (!is_list(i) || control_has_list(c, i - TOP_FUNCTIONS))
			ret = show_node(c, i);
	return ret;
}

size_t kt_control_nr_rows(const struct kt_control *c)
{
	return c->nr_rows;
}

static bool folds(const struct node *n)
{
	switch (n->kind) {
	case KT_CONTROL_TRACER:
	case KT_CONTROL_CLOCK:
	case KT_CONTROL_EVENTS:
	case KT_CONTROL_OPTIONS:
	case KT_CONTROL_FUNCTIONS:
	case KT_CONTROL_SYSTEM:
		return true;
	default:
		return false;
	}
}

static size_t hash_of(const char *name, uint64_t seed)
{
	return (size_t)keymap_mix(seed, keymap_text(name));
}

size_t control_node_id(const struct kt_control *c, uint32_t node)
{
	const struct node *n = &c->nodes[node];

	return n->parent == NO_PARENT ? node :
	       hash_of(n->name, control_node_id(c, n->parent) + 1) & ~FUNCTION_ID;
}

static size_t id_of(const struct kt_control *c, const struct ref *r)
{
	return r->function ? hash_of(r->function, r->node) | FUNCTION_ID :
	       control_node_id(c, r->node);
}

static unsigned int depth_of(const struct kt_control *c, const struct node *n)
{
	unsigned int depth = 0;

	for (; n->parent != NO_PARENT && !c->searching; n = &c->nodes[n->parent])
		depth++;
	return depth;
}

static void function_row(struct kt_control *c, const struct ref *r, struct kt_control_row *row)
{
	*row = (struct kt_control_row){
		.kind = KT_CONTROL_FUNCTION, .system = "", .name = r->function,
		.value = c->searching && r->node != TOP_FUNCTIONS ?
			 kt_function_list_file(r->node - TOP_FUNCTIONS) : "",
		.state = control_is_listed(c, r->node - TOP_FUNCTIONS, r->function) ?
			 KT_CONTROL_ON : KT_CONTROL_OFF,
		.depth = c->searching ? 0 : 1, .id = id_of(c, r),
	};
}

bool kt_control_row(struct kt_control *c, size_t i, struct kt_control_row *row)
{
	struct node *n;

	if (i >= c->nr_rows)
		return false;
	if (c->rows[i].function) {
		function_row(c, &c->rows[i], row);
		return true;
	}
	n = control_node(c, i);
	control_read_event(c, n);
	*row = (struct kt_control_row){
		.kind = n->kind, .state = n->state, .name = n->name,
		.system = n->kind == KT_CONTROL_EVENT ? c->nodes[n->parent].name : "",
		.value = n->value ? n->value : "", .depth = depth_of(c, n),
		.folds = folds(n) && !c->searching, .open = n->open, .id = id_of(c, &c->rows[i]),
	};
	return true;
}

size_t kt_control_find(const struct kt_control *c, size_t id)
{
	size_t i;

	for (i = 0; i < c->nr_rows; i++)
		if (id_of(c, &c->rows[i]) == id)
			return i;
	return SIZE_MAX;
}

size_t kt_control_reveal(struct kt_control *c, size_t id)
{
	uint32_t list = TOP_FUNCTIONS + (uint32_t)c->list;
	uint32_t i = list;
	size_t row;

	if (id & FUNCTION_ID)
		c->nodes[list].open = true;
	else
		for (i = 0; i < c->nr_nodes && control_node_id(c, i) != id; i++)
			;
	for (; i < c->nr_nodes && c->nodes[i].parent != NO_PARENT; i = c->nodes[i].parent)
		c->nodes[c->nodes[i].parent].open = true;
	control_show_rows(c);
	row = kt_control_find(c, id);
	/* A function that was found but not listed has no row: use the heading of the list */
	return row != SIZE_MAX ? row : kt_control_find(c, list);
}

void kt_control_choose_list(struct kt_control *c, size_t i)
{
	uint32_t node = i < c->nr_rows ? c->rows[i].node : TOP_FUNCTIONS;

	c->list = is_list(node) ? node - TOP_FUNCTIONS : KT_FUNCTIONS_FILTER;
}

size_t kt_control_list_row(const struct kt_control *c)
{
	return kt_control_find(c, TOP_FUNCTIONS + c->list);
}

int kt_control_fold(struct kt_control *c, size_t i, bool open, struct kt_err *err)
{
	struct node *n = i < c->nr_rows && !c->rows[i].function ? control_node(c, i) : NULL;
	int ret = 0;

	if (!n || !folds(n) || c->searching)
		return kt_err_set(err, -EINVAL, "this row cannot be unfolded");
	if (open && n->kind == KT_CONTROL_FUNCTIONS)
		ret = control_read_functions(c, err);
	if (ret < 0)
		return ret;
	n->open = open;
	return control_show_rows(c) < 0 ? kt_err_no_memory(err) : 0;
}
