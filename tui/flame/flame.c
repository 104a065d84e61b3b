/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flame.c - the flame graph: what does it spend its time in? */
#include "flame.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/moment.h"
#include "base/units.h"

#define ORDER_MS 400			/* between two updates while data is read */

bool flame_is_by_count(const struct flame_state *st)
{
	return st->by_count || !kt_flame_is_timed(st->flame);
}

uint64_t flame_weight(const struct flame_state *st, const struct kt_flame_frame *f)
{
	return flame_is_by_count(st) ? f->count : f->time;
}

struct kt_flame_frame flame_frame(const struct flame_state *st, uint32_t i)
{
	struct kt_flame_frame f;

	if (!kt_flame_frame(st->flame, i, &f))
		kt_flame_frame(st->flame, 0, &f);
	return f;
}

const char *flame_format(const struct flame_state *st, uint64_t weight, char buf[32])
{
	if (flame_is_by_count(st))
		snprintf(buf, 32, "%" PRIu64, weight);
	else
		units_format_time(weight, buf);
	return buf;
}

int flame_rows(const struct view *v)
{
	return v->rows > 1 ? v->rows - 1 : 1;
}

static bool is_reading(const struct flame_state *st)
{
	return kt_flame_done(st->flame) < 1;
}

/* ---- boxes: frames on the screen ---- */

static struct flame_box *add_box(struct flame_state *st, uint32_t frame, int row, int col, int cols)
{
	size_t room = st->room ? 2 * st->room : 256;
	struct flame_box *grown;

	if (st->nr_boxes == st->room) {
		grown = reallocarray(st->boxes, room, sizeof(*grown));
		if (!grown)
			return NULL;
		st->boxes = grown;
		st->room = room;
	}
	st->boxes[st->nr_boxes] = (struct flame_box){ frame, row, col, cols };
	return &st->boxes[st->nr_boxes++];
}

/* Add the children of a box, with widths by their weights; omit those that are too narrow. */
static void add_children(struct flame_state *st, struct flame_box box)
{
	struct kt_flame_frame f = flame_frame(st, box.frame), child;
	uint64_t all = flame_weight(st, &f), done = 0;
	uint32_t i;

	for (i = f.first; i != KT_FLAME_NONE; i = child.next) {
		uint64_t weight;
		int from, to;

		child = flame_frame(st, i);
		weight = flame_weight(st, &child);
		from = box.col + (int)((double)done / (double)all * box.cols + 0.5);
		done += weight;
		/* While the trace is read, frames move to others that are not summed up yet. */
		if (done > all)
			done = all;
		to = box.col + (int)((double)done / (double)all * box.cols + 0.5);
		if (to > from && !add_box(st, i, box.row + 1, from, to - from))
			return;
		if (!weight && to >= box.col + box.cols)
			return;
	}
}

static void lay_out(struct view *v)
{
	struct flame_state *st = v->state;
	uint32_t above[1024];
	int depth = 0, last;
	uint32_t i;
	size_t k;

	st->nr_boxes = 0;
	for (i = st->zoom; i != KT_FLAME_NONE && depth < 1024; i = flame_frame(st, i).parent)
		above[depth++] = i;
	for (k = 0; depth-- > 0; k++)
		add_box(st, above[depth], (int)k, 0, v->cols);
	/* Boxes that are added are handled later in the same loop. */
	last = st->top + flame_rows(v);
	for (k = st->nr_boxes - 1; k < st->nr_boxes && st->boxes[k].row < last; k++)
		add_children(st, st->boxes[k]);
}

const struct flame_box *flame_box_of(const struct flame_state *st, uint32_t frame)
{
	size_t i;

	for (i = 0; i < st->nr_boxes; i++)
		if (st->boxes[i].frame == frame)
			return &st->boxes[i];
	return NULL;
}

static int depth_of(const struct flame_state *st, uint32_t i)
{
	int depth = -1;

	for (; i != KT_FLAME_NONE && depth < 4096; i = flame_frame(st, i).parent)
		depth++;
	return depth;
}

void flame_select(struct view *v, uint32_t frame)
{
	struct flame_state *st = v->state;
	int row = depth_of(st, frame), rows = flame_rows(v);

	st->selected = frame;
	if (row < st->top)
		st->top = row;
	if (row >= st->top + rows)
		st->top = row - rows + 1;
	lay_out(v);
}

/* ---- reading ---- */

static void forget_next(struct flame_state *st)
{
	kt_flame_destroy(st->next);
	st->next = NULL;
}

static int begin(struct view *v, struct kt_err *err)
{
	struct flame_state *st = v->state;
	int ret;

	forget_next(st);
	st->window = app_marked_window(v->app);
	st->generation = kt_model_generation(v->model);
	ret = kt_flame_set(st->flame, st->kind, &st->window, err);
	if (ret < 0)
		return ret;
	st->started = true;
	st->ordered = false;
	st->ordered_ms = 0;
	st->zoom = st->selected = 0;
	st->top = 0;
	flame_forget_places(&st->places);
	return 0;
}

/* Frames may vanish, for example those of unknown calls when they get names */
static uint32_t still_there(const struct flame_state *st, uint32_t frame)
{
	return frame && flame_frame(st, frame).parent == KT_FLAME_NONE ? 0 : frame;
}

static void order(struct view *v)
{
	struct flame_state *st = v->state;
	bool reading = is_reading(st);
	uint64_t now = moment_ms();

	if (st->ordered || (reading && now - st->ordered_ms < ORDER_MS))
		return;
	kt_flame_order(st->flame, flame_is_by_count(st));
	flame_forget_places(&st->places);
	st->ordered = !reading;
	st->ordered_ms = now;
	st->zoom = still_there(st, st->zoom);
	st->selected = still_there(st, st->selected);
}

static void prepare(struct view *v)
{
	struct flame_state *st = v->state;
	struct kt_err err = { 0 };

	if (app_window_changed(v->app, &st->window, &st->marked) || !st->started)
		begin(v, &err);
	order(v);
	flame_follow_search(v);
	flame_find_places(st);
	lay_out(v);
}

/* ---- --live ---- */

/* Do not restart a read in progress, or a result for the range from A to B. */
static void refresh(struct view *v)
{
	struct flame_state *st = v->state;

	forget_next(st);
	if (!st->started || st->marked || is_reading(st))
		return;
	st->next_window = app_marked_window(v->app);
	st->next = kt_flame_create(v->model, NULL);
	if (st->next && kt_flame_set(st->next, st->kind, &st->next_window, NULL) < 0)
		forget_next(st);
}

/* Find a frame of the old tree in the new one, by its callers' names. 0: it does not exist */
static uint32_t find_again(const struct flame_state *st, uint32_t frame)
{
	struct kt_flame_frame f = flame_frame(st, frame), at;
	uint32_t above, i;

	if (!frame || f.parent == KT_FLAME_NONE)
		return 0;
	above = find_again(st, f.parent);
	if ((!above && f.parent) || !kt_flame_frame(st->next, above, &at))
		return 0;
	for (i = at.first; kt_flame_frame(st->next, i, &at); i = at.next)
		if (strcmp(at.name, f.name) == 0)
			return i;
	return 0;
}

/* True: there is more to do. */
static bool refresh_some(struct view *v, unsigned int budget_ms)
{
	struct flame_state *st = v->state;

	if (!st->next || kt_flame_work(st->next, budget_ms))
		return st->next;
	kt_flame_order(st->next, st->by_count || !kt_flame_is_timed(st->next));
	st->zoom = find_again(st, st->zoom);
	st->selected = find_again(st, st->selected);
	kt_flame_destroy(st->flame);
	st->flame = st->next;
	st->next = NULL;
	st->window = st->next_window;
	flame_forget_places(&st->places);
	flame_forget_search(st);
	return false;
}

/* The kind is empty and was not chosen by the user: try the other one. */
static bool try_other_kind(struct view *v)
{
	struct flame_state *st = v->state;
	struct kt_err err = { 0 };

	st->chosen = true;
	if (kt_flame_nr(st->flame) > 1 || kt_model_is_filtered(v->model))
		return false;
	st->kind = st->kind == KT_FLAME_CALLS ? KT_FLAME_STACKS : KT_FLAME_CALLS;
	return begin(v, &err) == 0;
}

static bool work(struct view *v, unsigned int budget_ms)
{
	struct flame_state *st = v->state;

	if (!st->started)
		prepare(v);
	if (kt_flame_work(st->flame, budget_ms))
		return true;
	order(v);
	if (refresh_some(v, budget_ms))
		return true;
	return !app_is_waiting(v->app) && !st->chosen && try_other_kind(v);
}

static void follow(struct view *v)
{
	struct flame_state *st = v->state;
	struct kt_err err = { 0 };

	if (!st->started || st->generation != kt_model_generation(v->model))
		begin(v, &err);
}

static bool stop(struct view *v)
{
	struct flame_state *st = v->state;

	if (!kt_flame_stop(st->flame))
		return false;
	app_say(v->app, "stopped: this is the part read so far");
	st->chosen = true;
	st->ordered = false;
	return true;
}

/* ---- commands ---- */

#define COMMAND(name) static int name(struct view *v, const char *arg, struct kt_err *err)
#define UNUSED (void)v, (void)arg, (void)err

/* The next visible box of the same row */
static void step_aside(struct view *v, int direction)
{
	struct flame_state *st = v->state;
	const struct flame_box *box = flame_box_of(st, st->selected);
	size_t i = box ? (size_t)(box - st->boxes) : 0;

	if (!box)
		return;
	if (direction > 0 && i + 1 < st->nr_boxes && st->boxes[i + 1].row == box->row)
		flame_select(v, box[1].frame);
	else if (direction < 0 && i && box[-1].row == box->row)
		flame_select(v, box[-1].frame);
}

COMMAND(left)  { UNUSED; step_aside(v, -1); return 0; }
COMMAND(right) { UNUSED; step_aside(v, 1); return 0; }

COMMAND(down)
{
	struct flame_state *st = v->state;
	struct kt_flame_frame f = flame_frame(st, st->selected);
	struct kt_flame_frame child = f.first == KT_FLAME_NONE ? f : flame_frame(st, f.first);

	UNUSED;
	if (f.first != KT_FLAME_NONE && flame_weight(st, &child))
		flame_select(v, f.first);
	return 0;
}

COMMAND(up)
{
	struct flame_state *st = v->state;
	uint32_t parent = flame_frame(st, st->selected).parent;

	UNUSED;
	if (parent != KT_FLAME_NONE)
		flame_select(v, parent);
	return 0;
}

COMMAND(zoom)
{
	struct flame_state *st = v->state;

	UNUSED;
	st->zoom = st->selected;
	lay_out(v);
	return 0;
}

COMMAND(zoom_out)
{
	struct flame_state *st = v->state;
	uint32_t parent = flame_frame(st, st->zoom).parent;

	UNUSED;
	if (parent == KT_FLAME_NONE)
		return 0;
	st->zoom = parent;
	lay_out(v);
	return 0;
}

COMMAND(whole)
{
	UNUSED;
	((struct flame_state *)v->state)->zoom = 0;
	flame_select(v, 0);
	return 0;
}

COMMAND(measure)
{
	struct flame_state *st = v->state;

	(void)arg;
	if (!kt_flame_is_timed(st->flame))
		return kt_err_set(err, -ENODATA, "%s here have no times: o shows times off the CPU",
				  kt_flame_kind_name(st->kind));
	st->by_count = !st->by_count;
	st->ordered = false;
	st->ordered_ms = 0;
	return 0;
}

static int choose(struct view *v, enum kt_flame_kind kind, struct kt_err *err)
{
	struct flame_state *st = v->state;

	st->kind = kind;
	st->chosen = true;
	return begin(v, err);
}

COMMAND(off_cpu) { (void)arg; return choose(v, KT_FLAME_OFF_CPU, err); }
COMMAND(calls)   { (void)arg; return choose(v, KT_FLAME_CALLS, err); }
COMMAND(stacks)  { (void)arg; return choose(v, KT_FLAME_STACKS, err); }
COMMAND(wakeups) { (void)arg; return choose(v, KT_FLAME_WAKEUPS, err); }

COMMAND(next_kind)
{
	const struct flame_state *st = v->state;

	(void)arg;
	return choose(v, (enum kt_flame_kind)((st->kind + 1) % KT_FLAME_KINDS), err);
}

static const struct view_command commands[] = {
	{ "zoom", "Enter", NULL, "make the frame as wide as the screen", zoom, "zoom" },
	{ "zoom-out", "Backspace", NULL, "zoom out to the caller", zoom_out, "out" },
	{ "whole", "0", NULL, "show all frames", whole, "all" },
	{ "down", "j Down WheelDown", NULL, "the largest frame that it called", down, NULL },
	{ "up", "k Up WheelUp", NULL, "the caller", up, NULL },
	{ "left", "h Left", NULL, "the frame to the left", left, NULL },
	{ "right", "l Right", NULL, "the frame to the right", right, NULL },
	{ "measure", "w", NULL, "width by time, or by count", measure, "time/count" },
	{ "off-cpu", "o", NULL, "time off the CPU, by the stack that led there",
	  off_cpu, "off-CPU" },
	{ "calls", "u", NULL, "calls, by their time on the CPU", calls, "calls" },
	{ "stacks", "s", NULL, "stacks recorded with events", stacks, "stacks" },
	{ "wakeups", "W", NULL, "time asleep, by the stack and the tasks that ended it",
	  wakeups, NULL },
	{ "kind", "x", NULL, "the next of these", next_kind, NULL },
	VIEW_COMMANDS_END
};

/* ---- the rest of the view ---- */

static void add_path(const struct flame_state *st, uint32_t i, struct str *out)
{
	struct kt_flame_frame f = flame_frame(st, i);

	if (f.parent != KT_FLAME_NONE && f.parent != 0) {
		add_path(st, f.parent, out);
		str_addc(out, ';');
	}
	str_add(out, f.name);
}

/* The zoomed part as folded stacks: lines "task;function;function 213" */
static void yank(struct view *v, struct str *out)
{
	struct flame_state *st = v->state;
	uint32_t i;

	for (i = st->zoom; i != KT_FLAME_NONE; i = flame_next(st, i, st->zoom, true)) {
		struct kt_flame_frame f = flame_frame(st, i);
		uint64_t own = flame_is_by_count(st) ? f.own_count : f.own_time;

		if (!own || !i)
			continue;
		add_path(st, i, out);
		str_addf(out, " %" PRIu64 "\n", own);
	}
}

static void status(const struct view *v, struct str *out)
{
	const struct flame_state *st = v->state;
	struct kt_flame_frame f = flame_frame(st, st->selected), all = flame_frame(st, st->zoom);
	uint64_t own = flame_is_by_count(st) ? f.own_count : f.own_time;
	uint64_t whole = flame_weight(st, &all);
	char text[32];

	if (is_reading(st)) {
		str_addf(out, "reading … %d%%, Esc stops", (int)(100 * kt_flame_done(st->flame)));
		return;
	}
	if (!whole)
		return;
	str_addf(out, "%s: %s", f.name, flame_format(st, flame_weight(st, &f), text));
	str_addf(out, " (%.1f%%)", 100.0 * (double)flame_weight(st, &f) / (double)whole);
	if (own)
		str_addf(out, ", itself %s", flame_format(st, own, text));
	if (!flame_is_by_count(st))
		str_addf(out, ", %" PRIu64 " %s", f.count,
			 st->kind == KT_FLAME_CALLS ? "calls" : "times");
	if (kt_flame_is_partial(st->flame))
		str_add(out, "   not the whole trace");
	if (kt_flame_is_full(st->flame))
		str_add(out, "   too many different paths: some count for their callers");
}

static void mouse(struct view *v, int key, int row, int col)
{
	struct flame_state *st = v->state;
	size_t i;

	if (key == TK_WHEEL_UP || key == TK_WHEEL_DOWN)
		(key == TK_WHEEL_UP ? up : down)(v, NULL, NULL);
	for (i = 0; i < st->nr_boxes && (key == TK_CLICK || key == TK_DOUBLE_CLICK); i++) {
		const struct flame_box *b = &st->boxes[i];

		if (b->row != row - 1 + st->top || col < b->col || col >= b->col + b->cols)
			continue;
		flame_select(v, b->frame);
		if (key == TK_DOUBLE_CLICK)
			zoom(v, NULL, NULL);
		return;
	}
}

static bool window(const struct view *v, struct kt_window *w)
{
	*w = ((const struct flame_state *)v->state)->window;
	return true;
}

static int open_view(struct view *v, struct kt_err *err)
{
	struct flame_state *st = v->state;

	st->flame = kt_flame_create(v->model, err);
	if (!st->flame)
		return -ENOMEM;
	st->kind = kt_flame_guess(v->model);
	return 0;
}

static void close_view(struct view *v)
{
	struct flame_state *st = v->state;

	kt_flame_destroy(st->flame);
	forget_next(st);
	flame_forget_search(st);
	flame_forget_places(&st->places);
	free(st->boxes);
}

const struct view_ops flame_view = {
	.name       = "flame",
	.purpose    = "what does it spend its time in?",
	.commands   = commands,
	.state_size = sizeof(struct flame_state),
	.open = open_view, .close = close_view, .follow = follow, .prepare = prepare, .work = work,
	.draw = flame_draw, .window = window, .find = flame_find, .stop = stop, .yank = yank,
	.status = status, .mouse = mouse, .refresh = refresh,
};
