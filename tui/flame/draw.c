/* SPDX-License-Identifier: GPL-2.0-or-later */
/* draw.c - the picture of a flame graph */
#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"
#include "flame.h"

#define NAME_COLS 5			/* minimum for a name */

static enum style style_of(const struct flame_state *st, uint32_t frame,
			   const struct kt_flame_frame *f)
{
	if (st->matches && frame < st->nr_matches && st->matches[frame])
		return STYLE_MATCH;
	switch (f->type) {
	case KT_FLAME_ALL:     return STYLE_STRONG;
	case KT_FLAME_TASK:    return STYLE_TASK;
	case KT_FLAME_USER:    return STYLE_DIM;
	case KT_FLAME_EVENT:
	case KT_FLAME_SYSCALL: return STYLE_EVENT;
	case KT_FLAME_IRQ:     return STYLE_IRQ;
	case KT_FLAME_OFF:     return STYLE_WAIT;
	default:               break;
	}
	return style_of_name(f->name);
}

/* "├name 41% ────": as much of it as fits */
static void draw_box(const struct view *v, struct area a, int row, const struct flame_box *b,
		     uint64_t all)
{
	const struct flame_state *st = v->state;
	struct kt_flame_frame f = flame_frame(st, b->frame);
	struct area box = area_part(a, row, b->col, 1, b->cols);
	enum style style = style_of(st, b->frame, &f);
	uint64_t weight = flame_weight(st, &f);
	char share[16], amount[32];
	int col;

	area_char(box, 0, 0, STYLE_DIM, b->cols >= NAME_COLS ? 0x251c : 0x2502);
	if (b->cols < NAME_COLS) {
		area_fill(box, 0, 1, style, 0x2500, b->cols - 1);
	} else {
		col = area_put(box, 0, 1, style, f.name, b->cols - 1);
		*share = 0;	/* callers of the zoomed frame have more than 100 % */
		if (weight <= all)
			snprintf(share, sizeof(share), "%.*f%%", weight * 10 < all ? 1 : 0,
				 100.0 * (double)weight / (double)(all ? all : 1));
		if (*share && col + text_width(share) + 1 < b->cols)
			col = area_put(box, 0, col + 1, STYLE_NUMBER, share, -1);
		flame_format(st, weight, amount);
		if (col + text_width(amount) + 3 < b->cols)
			col = area_put(box, 0, col + 1, STYLE_DIM, amount, -1);
		if (col + 1 < b->cols)
			area_fill(box, 0, col + 1, style, 0x2500, b->cols - col - 1);
	}
	if (b->frame == st->selected) {
		area_select(box, 0);
		area_cursor(a, row, b->col);
	}
}

/* "calls by time · all 12.5 s · between A and B" */
static void draw_head(const struct view *v, struct area a)
{
	const struct flame_state *st = v->state;
	struct kt_flame_frame all = flame_frame(st, 0), zoomed = flame_frame(st, st->zoom);
	struct str text = STR_INIT;
	struct kt_mark m;
	char weight[32];

	str_addf(&text, "%s by %s", kt_flame_kind_name(st->kind),
		 flame_is_by_count(st) ? "count" : "time");
	if (st->kind == KT_FLAME_CALLS && !flame_is_by_count(st))
		str_add(&text, " on the CPU");
	str_addf(&text, " · all %s", flame_format(st, flame_weight(st, &all), weight));
	if (st->zoom)
		str_addf(&text, " · in %s %s", zoomed.name,
			 flame_format(st, flame_weight(st, &zoomed), weight));
	if (kt_model_find_mark(v->model, "A", &m) && kt_model_find_mark(v->model, "B", &m))
		str_add(&text, " · between A and B");
	if (kt_model_is_filtered(v->model))
		str_add(&text, " · filtered");
	area_put(a, 0, 1, STYLE_HEAD, text.buf, -1);
	str_reset(&text);
	if (st->matches && flame_weight(st, &zoomed))
		str_addf(&text, "/%s: %.1f%% ", st->sought,
			 100.0 * (double)st->matched / (double)flame_weight(st, &zoomed));
	if (text_width(text.buf) < a.cols / 2)
		area_put_right(a, 0, a.cols, STYLE_MATCH, text.buf);
	str_fini(&text);
}

static void draw_empty(const struct view *v, struct area a)
{
	const struct flame_state *st = v->state;
	static const char *const lacks[KT_FLAME_KINDS] = {
		[KT_FLAME_CALLS] = "This trace has no calls: neither functions nor system calls.",
		[KT_FLAME_STACKS] = "This trace has no stacks: record with -T, or with the trigger "
				    "stacktrace.",
		[KT_FLAME_OFF_CPU] = "This trace does not show when tasks had no CPU: record "
				     "sched_switch, with -T.",
		[KT_FLAME_WAKEUPS] = "This trace does not show who woke tasks: record sched_switch "
				     "and sched_waking.",
	};

	if (kt_flame_done(st->flame) < 1)
		area_putf(a, 3, 2, STYLE_PROGRESS, "reading … %d%%",
			  (int)(100 * kt_flame_done(st->flame)));
	else if (kt_model_is_filtered(v->model))
		area_put(a, 3, 2, STYLE_NORMAL, "None of these is shown: a filter hides them "
			 "(F shows them).", -1);
	else
		area_put(a, 3, 2, STYLE_NORMAL, lacks[st->kind], -1);
}

void flame_draw(const struct view *v, struct area a)
{
	const struct flame_state *st = v->state;
	struct kt_flame_frame zoomed = flame_frame(st, st->zoom);
	uint64_t all = flame_weight(st, &zoomed);
	int last = 0;
	size_t i;

	draw_head(v, a);
	if (!all) {
		draw_empty(v, a);
		return;
	}
	for (i = 0; i < st->nr_boxes; i++) {
		const struct flame_box *b = &st->boxes[i];
		int row = b->row - st->top;

		if (row >= 0 && row < flame_rows(v))
			draw_box(v, a, row + 1, b, all);
		last = row;
	}
	flame_draw_places(v, area_part(a, last + 3, 0, a.rows - last - 3, a.cols));
}
