/* SPDX-License-Identifier: GPL-2.0-or-later */
/* draw.c - the picture of the view of time */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "timeline.h"

/* The window of the screen may differ from that of the picture until the new picture is ready. */
const struct kt_timeline_cell *timeline_cell_at(const struct view *v,
						const struct kt_timeline_row *r, uint64_t ts)
{
	const struct timeline_state *st = v->state;
	struct kt_window w;
	uint64_t width;
	size_t nr = kt_timeline_columns(st->timeline, &w, &width), i;

	if (ts < w.from || ts > w.until)
		return NULL;
	i = (size_t)((ts - w.from) / width);
	return i < nr ? &r->cells[i] : NULL;
}

/* ---- a column: one sample, or two ---- */

/* The height of a state, of 4, if two share a column */
static const unsigned int heights[] = {
	[KT_TIMELINE_IDLE] = 1, [KT_TIMELINE_BLOCKED] = 2, [KT_TIMELINE_WAIT] = 3,
	[KT_TIMELINE_PREEMPTED] = 3, [KT_TIMELINE_RUN] = 4, [KT_TIMELINE_ENDED] = 0,
};

static enum style style_of(const struct kt_timeline_row *r, const struct kt_timeline_cell *c)
{
	switch (c->state) {
	case KT_TIMELINE_RUN:		/* tasks that follow each other often have adjacent pids */
		return r->is_cpu ? STYLE_HUE + (unsigned int)c->pid % STYLE_HUES : STYLE_RUN;
	case KT_TIMELINE_WAIT:
	case KT_TIMELINE_PREEMPTED: return STYLE_WAIT;
	case KT_TIMELINE_UNKNOWN:   return STYLE_DIM;
	default:                    return STYLE_BLOCKED;
	}
}

static uint32_t whole_char(const struct kt_timeline_row *r, const struct kt_timeline_cell *c)
{
	switch (c->state) {
	case KT_TIMELINE_RUN:       return 0x2588;
	case KT_TIMELINE_WAIT:      return 0x2592;
	case KT_TIMELINE_PREEMPTED: return 0x2593;
	case KT_TIMELINE_BLOCKED:   return 0x2585;
	case KT_TIMELINE_IDLE:      return r->is_cpu ? 0x2591 : 0x2581;
	case KT_TIMELINE_UNKNOWN:   return c->events ? 0xb7 : ' ';
	default:                    return ' ';
	}
}

/* Dots from the bottom up, if the two states differ: "⣆" */
static uint32_t braille(unsigned int left, unsigned int right)
{
	static const uint8_t lefts[] = { 0, 0x40, 0x44, 0x46, 0x47 };
	static const uint8_t rights[] = { 0, 0x80, 0xa0, 0xb0, 0xb8 };

	return 0x2800u + lefts[left] + rights[right];
}

/* Two states in one column. A half block where one of them runs; ASCII has the higher one. */
static uint32_t mixed_char(const struct kt_timeline_row *r, const struct kt_timeline_cell *left,
			   const struct kt_timeline_cell *right, bool ascii)
{
	if (left->state == KT_TIMELINE_RUN)
		return 0x258c;		/* two tasks of a CPU: the end of the first one */
	if (right->state == KT_TIMELINE_RUN)
		return 0x2590;
	if (ascii)
		return whole_char(r, heights[left->state] >= heights[right->state] ? left : right);
	return braille(heights[left->state], heights[right->state]);
}

static bool is_same(const struct kt_timeline_row *r, const struct kt_timeline_cell *a,
		    const struct kt_timeline_cell *b)
{
	return a->state == b->state &&
	       (!r->is_cpu || a->state != KT_TIMELINE_RUN || a->pid == b->pid);
}

static const uint32_t over_chars[] = { ' ', 0x259a, 0x259e, 0x25c6 };
static const char *const over_names[] = { "", "irq", "softirq", "NMI" };

const char *timeline_over_name(const struct kt_timeline_cell *c)
{
	return over_names[c->over];
}

/* The mark over the states, if any */
static bool draw_over(struct area a, int row, int col, const struct kt_timeline_cell *c)
{
	if (c->lost)
		area_char(a, row, col, STYLE_LOST, '!');
	else if (c->irq > 127 || (c->irq && c->state == KT_TIMELINE_UNKNOWN))
		area_char(a, row, col, STYLE_IRQ, over_chars[c->over]);
	else
		return false;
	return true;
}

static bool ends(const struct kt_timeline_cell *before, const struct kt_timeline_cell *c)
{
	return before && c->state == KT_TIMELINE_ENDED && before->state != KT_TIMELINE_ENDED &&
	       before->state != KT_TIMELINE_UNKNOWN;
}

/* @before: the column to the left; NULL: none */
static void draw_cell(struct area a, int row, int col, const struct kt_timeline_row *r,
		      const struct kt_timeline_cell *before, const struct kt_timeline_cell *left,
		      const struct kt_timeline_cell *right)
{
	const struct kt_timeline_cell *high =
		heights[right->state] > heights[left->state] ? right : left;
	uint32_t ch = is_same(r, left, right) ? whole_char(r, left)
					      : mixed_char(r, left, right, a.s->ascii);

	if (right->lost || (!left->lost && right->irq > left->irq) ? draw_over(a, row, col, right)
								   : draw_over(a, row, col, left))
		return;
	if (ends(before, left) || ends(left, right))
		area_char(a, row, col, STYLE_STRONG, 0xd7);
	else if (r->is_cpu && ch == 0x2588 && before && before->state == KT_TIMELINE_RUN &&
		 before->pid != left->pid)
		area_char(a, row, col, style_of(r, left), 0x2590);	/* another task begins */
	else if (ch != ' ')
		area_char(a, row, col, style_of(r, high), ch);
}

static void draw_cells(const struct view *v, struct area a, int row,
		       const struct kt_timeline_row *r, int cols)
{
	static const struct kt_timeline_cell nothing;
	const struct kt_timeline_cell *before = NULL, *left, *right;
	struct timeline_scale s = timeline_scale(v);
	uint64_t ts = s.from;
	int i;

	for (i = 0; i < cols; i++, before = right, ts += s.step) {
		left = timeline_cell_at(v, r, ts);
		if (s.samples > 1)
			ts += s.step;
		right = timeline_cell_at(v, r, ts);
		left = left ? left : &nothing;
		right = right ? right : left;
		draw_cell(a, row, i, r, before, left, right);
	}
}

/* The name of a task with enough columns in the row of a CPU, and of interrupts */
static void draw_names(const struct view *v, struct area a, int row,
		       const struct kt_timeline_row *r, int cols)
{
	uint64_t step = timeline_column_ns(v), from_ts = timeline_scale(v).from;
	int from, to;
	char name[40];

	for (from = 0; from < cols; from = to) {
		const struct kt_timeline_cell *next, *c =
			timeline_cell_at(v, r, from_ts + (uint64_t)from * step);
		bool over = c && c->irq > 127, runs = c && c->state == KT_TIMELINE_RUN;

		for (to = from + 1; to < cols; to++) {
			next = timeline_cell_at(v, r, from_ts + (uint64_t)to * step);
			if (!c || !next || next->pid != c->pid || next->lost != c->lost ||
			    next->state != c->state || (next->irq > 127) != over ||
			    (over && next->over != c->over))
				break;
		}
		if (!c || c->lost || !(over || (runs && r->is_cpu && c->pid)))
			continue;
		if (over)
			snprintf(name, sizeof(name), "%s", over_names[c->over]);
		else
			timeline_name_task(v, r->file, c->pid, name, sizeof(name));
		if (text_width(name) + 4 <= to - from)
			area_put(a, row, from + 1, STYLE_STRONG, name, to - from - 2);
	}
}

static int pinned_rows(const struct timeline_state *st)
{
	return (int)st->nr_pinned < st->nr_fixed ? (int)st->nr_pinned : st->nr_fixed;
}

static void draw_row(const struct view *v, struct area a, const struct kt_timeline_row *r,
		     int levels, bool pinned)
{
	int label = timeline_label(v);
	struct area picture = area_part(a, 0, label, a.rows, a.cols - label);
	char name[40];
	int cols = timeline_cols(v) < picture.cols ? timeline_cols(v) : picture.cols;

	timeline_name_row(v, r, name, sizeof(name));
	if (pinned)
		area_char(a, 0, 0, STYLE_MARK, '*');
	area_put_task(a, 0, 1, r->is_cpu ? STYLE_STRONG : STYLE_TASK, name, strlen(name),
		      label - 2);
	draw_cells(v, picture, 0, r, cols);
	if (!r->is_cpu && !levels)
		timeline_draw_names(v, area_part(picture, 0, 0, 1, cols), r);
	draw_names(v, picture, 0, r, cols);
	if (levels)
		timeline_draw_slices(v, area_part(picture, 1, 0, levels, cols), r, levels);
}

int timeline_column(const struct view *v, uint64_t ts)
{
	const struct timeline_state *st = v->state;

	return (int)((ts - st->window.from) / timeline_column_ns(v));
}

static int column_at(const struct view *v, uint64_t ts)
{
	const struct timeline_state *st = v->state;

	return ts < st->window.from || ts > st->window.until ? -1 :
	       timeline_column(v, ts);
}

static void draw_ruler(const struct view *v, struct area a)
{
	const struct timeline_state *st = v->state;
	struct area picture = area_part(a, 0, timeline_label(v), 1, a.cols - timeline_label(v));
	char text[48];
	int col;

	if (st->drag_to != st->drag_from) {
		int from = st->drag_from < st->drag_to ? st->drag_from : st->drag_to;

		area_fill(picture, 0, from, STYLE_TAB_ACTIVE, 0x2500,
			  st->drag_from + st->drag_to - 2 * from + 1);
		return;
	}
	for (col = 0; col + 16 < picture.cols; col += 20) {
		uint64_t ts = st->window.from + (uint64_t)col * timeline_column_ns(v);

		area_char(picture, 0, col, STYLE_DIM, 0x2502);
		if (timeline_column_ns(v) >= 1000)
			units_format_moment(ts, text);
		else
			snprintf(text, sizeof(text), "%" PRIu64 ".%09" PRIu64, ts / 1000000000,
				 ts % 1000000000);
		area_put(picture, 0, col + 1, STYLE_TIME, text, -1);
	}
}

/* "├── 7.3 ms ──┤", or the part of it in the window */
static void draw_interval(const struct view *v, struct area line)
{
	const struct timeline_state *st = v->state;
	const struct kt_window *w = &st->interval;
	uint64_t cursor = timeline_cursor(v);
	int from, until;
	char text[32];

	if (w->until <= w->from || cursor < w->from || cursor > w->until ||
	    w->until < st->window.from || w->from > st->window.until)
		return;
	from = w->from < st->window.from ? -1 : timeline_column(v, w->from);
	until = w->until > st->window.until ? line.cols : timeline_column(v, w->until);
	area_fill(line, 0, from + 1, STYLE_MARK, 0x2500, until - from - 1);
	area_char(line, 0, from, STYLE_MARK, 0x251c);
	area_char(line, 0, until, STYLE_MARK, 0x2524);
	units_format_time(w->until - w->from, text);
	if (until - from > text_width(text) + 6)
		area_putf(line, 0, (from + until - text_width(text)) / 2, STYLE_MARK, " %s ", text);
}

/* The cursor and the marks, below @rows lines */
static void draw_moments(const struct view *v, struct area a, int rows)
{
	int label = timeline_label(v);
	struct area line = area_part(a, 1 + rows, label, 1, a.cols - label);
	struct kt_mark m;
	size_t i;
	int col = column_at(v, timeline_cursor(v));

	draw_interval(v, line);
	if (col >= 0)
		area_char(line, 0, col, STYLE_STRONG, 0x25b2);
	for (i = 0; kt_model_mark(v->model, i, &m); i++) {
		col = column_at(v, m.spot.ts);
		if (col >= 0)
			area_char(line, 0, col, STYLE_MARK, (uint32_t)*m.name);
	}
}

static void put_meaning(struct area a, int *col, enum style style, uint32_t ch, const char *meaning)
{
	if (*col + 2 + text_width(meaning) > a.cols)
		return;
	area_char(a, 0, *col, style, ch);
	*col = area_put(a, 0, *col + 2, STYLE_DIM, meaning, -1) + 2;
}

static void draw_legend(struct area a)
{
	static const struct { enum kt_timeline_state state; const char *meaning; } states[] = {
		{ KT_TIMELINE_RUN, "runs" }, { KT_TIMELINE_WAIT, "waits" },
		{ KT_TIMELINE_PREEMPTED, "preempted" }, { KT_TIMELINE_IDLE, "sleeps" },
		{ KT_TIMELINE_BLOCKED, "blocked" },
	};
	static const struct kt_timeline_row task;
	int col = 1;
	size_t i;

	for (i = 0; i < sizeof(states) / sizeof(*states); i++) {
		struct kt_timeline_cell c = { .state = states[i].state };

		put_meaning(a, &col, style_of(&task, &c), whole_char(&task, &c), states[i].meaning);
	}
	put_meaning(a, &col, STYLE_LOST, '!', "lost");
	for (i = KT_TIMELINE_IRQ; i <= KT_TIMELINE_NMI; i++)
		put_meaning(a, &col, STYLE_IRQ, over_chars[i], over_names[i]);
	put_meaning(a, &col, STYLE_STRONG, 0xd7, "ends");
}

/* The number of lines of the rows */
static int draw_rows(const struct view *v, struct area a)
{
	const struct timeline_state *st = v->state;
	int cursor = column_at(v, timeline_cursor(v)), line, row, level;
	struct kt_timeline_row r;

	for (line = 0; line < a.rows; line += 1 + st->rows[row].levels) {
		row = timeline_row_at(v, line, &level);
		if (row < 0 || !timeline_row(st, row, &r))
			break;
		draw_row(v, area_part(a, line, 0, a.rows - line, a.cols), &r, st->rows[row].levels,
			 row >= st->nr_fixed - pinned_rows(st) && row < st->nr_fixed);
		if (row != st->selected)
			continue;
		area_select(area_part(a, line, 0, 1, timeline_label(v)), 0);
		area_cursor(a, line, cursor >= 0 ? timeline_label(v) + cursor : 0);
	}
	return line < a.rows ? line : a.rows;
}

/* Below the ruler: all but the line of moments, and the legend if there is room for it */
int timeline_lines(const struct view *v)
{
	return v->rows - 2 - (v->rows >= 12);
}

/* Does it only sleep in the window? */
static bool is_asleep(const struct view *v, int row)
{
	const struct timeline_state *st = v->state;
	const struct kt_timeline_cell *c;
	struct kt_window w;
	uint64_t width;
	struct kt_timeline_row r;
	size_t nr = kt_timeline_columns(st->timeline, &w, &width), i;

	if (row < st->nr_fixed || st->rows[row].levels || !timeline_row(st, row, &r) ||
	    r.run || r.wait)
		return false;
	for (i = 0, c = r.cells; i < nr; i++, c++)
		if (c->irq || c->state == KT_TIMELINE_BLOCKED)
			return false;
	return true;
}

/* Sleeping rows at the end make room for events, unless the user goes there. If no task at all
 * is awake, their states are unknown. */
static int awake_rows(const struct view *v)
{
	const struct timeline_state *st = v->state;
	int nr = st->nr;

	while (nr > st->selected + 1 && is_asleep(v, nr - 1))
		nr--;
	return st->top || nr == st->nr_fixed ? st->nr : nr;
}

/* The ruler, the rows, and the line of moments */
int timeline_used(const struct view *v, int *rows)
{
	const struct timeline_state *st = v->state;
	int i, used = 2, awake = awake_rows(v);

	*rows = timeline_lines(v) + 2;
	for (i = 0; i < awake && used < *rows; i++)
		used += 1 + st->rows[i].levels;
	return kt_timeline_nr(st->timeline) ? used : *rows;
}

void timeline_draw(const struct view *v, struct area a)
{
	const struct timeline_state *st = v->state;
	int lines = timeline_lines(v), rows = lines, left = st->nr - awake_rows(v);

	if (app_has_no_events(v->app)) {
		area_put(a, 2, 2, STYLE_NORMAL, v->app->live ? "No events so far."
							     : "This trace has no events.", -1);
		return;
	}
	draw_ruler(v, a);
	if (v->shortened)
		rows = timeline_used(v, &rows) - 2;
	rows = draw_rows(v, area_part(a, 1, 0, rows, a.cols));
	if (v->shortened && left)
		area_putf(a, 1 + rows, 1, STYLE_DIM, left == 1 ? "%d sleeps" : "%d sleep", left);
	if (!kt_timeline_nr(st->timeline))
		area_putf(a, 2, 2, STYLE_PROGRESS, "reading … %d%%",
			  (int)(100 * kt_timeline_done(st->next)));
	draw_moments(v, a, rows);
	if (lines < a.rows - 2)
		draw_legend(area_part(a, a.rows - 1, 0, 1, a.cols));
}
