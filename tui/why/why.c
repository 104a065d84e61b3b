/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why.c - the view of reasons: why did the interval selected in another view take so long? */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/views.h>

#include "base/units.h"
#include "tui/app/app.h"

#define TIME_END  12			/* end of the columns of times of the outermost lines */
#define SHARE_END 19
#define TEXT      21
#define SUMMARY_ROWS 3

struct why_state {
	struct kt_reasons *reasons;
	unsigned int taken;		/* the app's nr_explained when they were made */
	struct kt_err error;		/* why nothing is explained */
	char  *summary;			/* of all lines; owned */
	bool  *folded;			/* by line; NULL: nothing is shown yet */
	size_t *rows;			/* lines that are not folded away */
	int nr_rows, selected, top, scrolled;
};

static struct kt_why *lines_of(const struct why_state *st)
{
	return st->folded ? kt_reasons_why(st->reasons) : NULL;
}

static const struct kt_why_line *selected_line(const struct why_state *st)
{
	return st->nr_rows ? kt_why_line(lines_of(st), st->rows[st->selected]) : NULL;
}

/* Does a line have others below it? */
static bool is_parent(const struct kt_why *w, size_t i)
{
	const struct kt_why_line *next = kt_why_line(w, i + 1);

	return next && next->depth > kt_why_line(w, i)->depth;
}

/* ---- the visible lines ---- */

static void arrange(struct why_state *st)
{
	const struct kt_why *w = lines_of(st);
	const struct kt_why_line *l;
	unsigned int hidden = UINT_MAX;		/* lines deeper than this are hidden */
	size_t i;

	st->nr_rows = 0;
	for (i = 0; w && (l = kt_why_line(w, i)); i++) {
		if (l->depth > hidden)
			continue;
		hidden = st->folded[i] ? l->depth : UINT_MAX;
		st->rows[st->nr_rows++] = i;
	}
}

static void forget_lines(struct why_state *st)
{
	free(st->folded);
	free(st->rows);
	free(st->summary);
	st->summary = NULL;
	st->folded = NULL;
	st->rows = NULL;
	st->nr_rows = 0;
	st->selected = st->top = st->scrolled = 0;
}

static void take_lines(struct why_state *st)
{
	struct kt_why *w = kt_reasons_why(st->reasons);
	size_t nr = w ? kt_why_nr(w) : 0;
	const char *summary = nr ? kt_why_summary(w) : NULL;

	st->error = kt_reasons_error(st->reasons);
	st->summary = summary ? strdup(summary) : NULL;
	st->folded = calloc(nr + 1, sizeof(*st->folded));
	st->rows = calloc(nr + 1, sizeof(*st->rows));
	if (!st->folded || !st->rows)
		forget_lines(st);
	arrange(st);
}

static void begin(struct view *v)
{
	const struct view_span *s = &v->app->explained;
	const struct kt_why_opts interval = {
		.file = s->file, .pid = s->pid, .from = s->from, .until = s->until,
	};
	const struct kt_why_moment moment = {
		.file = s->file, .pid = s->pid, .ts = s->from, .is_syscall = s->is_syscall,
	};
	struct why_state *st = v->state;

	st->taken = v->app->nr_explained;
	forget_lines(st);
	kt_err_clear(&st->error);
	if (s->from < s->until)
		kt_reasons_set(st->reasons, &interval, &st->error);
	else
		kt_reasons_set_moment(st->reasons, &moment, &st->error);
}

static void prepare(struct view *v)
{
	struct why_state *st = v->state;

	if (st->taken != v->app->nr_explained)
		begin(v);
	if (st->taken && !st->folded && !st->error.code && kt_reasons_done(st->reasons) >= 1)
		take_lines(st);
}

static bool work(struct view *v, unsigned int budget_ms)
{
	struct why_state *st = v->state;

	prepare(v);
	return kt_reasons_work(st->reasons, budget_ms);
}

/* ---- the head: the interval, and a summary of its reasons ---- */

/* The part of @text that fits into @cols, up to the end of a word if possible */
static size_t fitting(const char *text, int cols)
{
	size_t len = strlen(text), word;

	while (text_widthn(text, len) > cols) {
		for (word = len; word && text[word - 1] != ' '; word--)
			;
		if (!word)
			return len;
		for (len = word; len && text[len - 1] == ' '; len--)
			;
	}
	return len;
}

/*
 * Breaks the summary into rows, leaving half of the view to the reasons. Returns their number,
 * and the bytes of each. The last row may be too long.
 */
static int summary_rows(const struct view *v, size_t len[SUMMARY_ROWS])
{
	const struct why_state *st = v->state;
	const char *text = st->summary ? st->summary : "";
	int half = (v->rows - 1) / 2, most = half < SUMMARY_ROWS ? half : SUMMARY_ROWS, nr;

	for (nr = 0; *text && nr < most; nr++) {
		len[nr] = nr + 1 < most ? fitting(text, v->cols - 2) : strlen(text);
		len[nr] += strspn(text + len[nr], " ");
		text += len[nr];
	}
	return nr;
}

/* Rows above the lines: the title, the summary */
static int head_rows(const struct view *v)
{
	size_t len[SUMMARY_ROWS];

	return 1 + summary_rows(v, len);
}

static void put_summary(const struct view *v, struct area a)
{
	const char *text = ((const struct why_state *)v->state)->summary;
	size_t len[SUMMARY_ROWS];
	int nr = summary_rows(v, len), i;

	for (i = 0; i < nr; text += len[i++])
		area_putn(a, 1 + i, 1, STYLE_NORMAL, text, len[i], -1);
}

/* ---- moving ---- */

static void scroll(struct view *v)
{
	struct why_state *st = v->state;
	int rows = v->rows - head_rows(v);

	rows = rows > 1 ? rows : 1;
	if (st->selected >= st->nr_rows)
		st->selected = st->nr_rows - 1;
	if (st->selected < 0)
		st->selected = 0;
	if (st->top > st->selected)
		st->top = st->selected;
	if (st->top < st->selected - rows + 1)
		st->top = st->selected - rows + 1;
}

static int move(struct view *v, int by)
{
	((struct why_state *)v->state)->selected += by;
	scroll(v);
	return 0;
}

#define COMMAND(name) static int name(struct view *v, const char *arg, struct kt_err *err)
#define UNUSED (void)v, (void)arg, (void)err

COMMAND(down)      { UNUSED; return move(v, 1); }
COMMAND(up)        { UNUSED; return move(v, -1); }
COMMAND(page_down) { UNUSED; return move(v, v->rows - head_rows(v) - 1); }
COMMAND(page_up)   { UNUSED; return move(v, head_rows(v) + 1 - v->rows); }
COMMAND(first)     { UNUSED; return move(v, -((struct why_state *)v->state)->nr_rows); }
COMMAND(last)      { UNUSED; return move(v, ((struct why_state *)v->state)->nr_rows); }

static int scroll_columns(struct view *v, int by)
{
	struct why_state *st = v->state;

	st->scrolled += by;
	if (st->scrolled < 0 || st->scrolled > 400)
		st->scrolled -= by;
	return 0;
}

COMMAND(left)  { UNUSED; return scroll_columns(v, -8); }
COMMAND(right) { UNUSED; return scroll_columns(v, 8); }

COMMAND(fold)
{
	struct why_state *st = v->state;
	size_t i = st->nr_rows ? st->rows[st->selected] : 0;

	(void)arg;
	if (!st->nr_rows || !is_parent(lines_of(st), i))
		return kt_err_set(err, -ENOENT, "nothing is below this line");
	st->folded[i] = !st->folded[i];
	arrange(st);
	scroll(v);
	return 0;
}

/* A sum of several has no time of its own: use the time of its parent. */
static const struct kt_why_line *timed_line(const struct why_state *st)
{
	const struct kt_why_line *l = selected_line(st), *above;
	size_t i;

	for (i = l ? st->rows[st->selected] : 0; i-- && !l->until; ) {
		above = kt_why_line(lines_of(st), i);
		if (above->depth < l->depth)
			l = above;
	}
	return l && l->until ? l : NULL;
}

/* The other views follow the cursor; without room for them, show the next one. */
COMMAND(go)
{
	const struct why_state *st = v->state;
	const struct kt_why_line *l = timed_line(st);
	struct app *app = v->app;
	struct pane *p;

	(void)arg;
	if (!l)
		return kt_err_set(err, -ENOENT, "this line has no time of its own");
	app->wanted = (struct kt_window){ l->from, l->until };
	app->wanted_pid = l->pid > 0 ? l->pid : app->explained.pid;
	app->wanted_file = app->explained.file;
	app_set_cursor(app, &(struct kt_spot){ .ts = l->from }, true);
	for (p = pane_first(app->root); p; p = pane_next(p))
		if (p != app->focus && p->place.rows)
			return 0;
	p = pane_next(app->focus);
	app_focus(app, p ? p : pane_first(app->root));
	return 0;
}

/* If it is the only pane, return to a view. */
static int leave(struct view *v, struct kt_err *err)
{
	struct app *app = v->app;

	if (!app->root->child[0])
		return app_show(app, "1", err);
	app_close_pane(app, app->focus);
	return 0;
}

COMMAND(close_why) { (void)arg; return leave(v, err); }

static const struct view_command commands[] = {
	{ "down", "j Down WheelDown", NULL, "the next line", down, NULL },
	{ "up", "k Up WheelUp", NULL, "the line above", up, NULL },
	{ "page-down", "PgDn", NULL, "a screen down", page_down, NULL },
	{ "page-up", "PgUp", NULL, "a screen up", page_up, NULL },
	{ "first", "g Home", NULL, "the first line", first, NULL },
	{ "last", "G End", NULL, "the last line", last, NULL },
	{ "left", "h Left", NULL, "scroll to the left", left, NULL },
	{ "right", "l Right", NULL, "scroll to the right", right, NULL },
	{ "go", "Enter", NULL, "show that moment in the other panes", go, "go there" },
	{ "why", "Q", NULL, "explain the line itself", explain, NULL },
	{ "fold", "Space", NULL, "fold or unfold the lines below", fold, "fold" },
	{ "close-why", "q", NULL, "close the reasons, as Esc does", close_why, "close" },
	VIEW_COMMANDS_END
};

/* ---- drawing ---- */

static enum style style_of(const struct kt_why_line *l)
{
	switch (l->kind) {
	case KT_WHY_RAN:
		return STYLE_RUN;
	case KT_WHY_PREEMPTED: case KT_WHY_WAITED:
		return STYLE_WAIT;
	case KT_WHY_BLOCKED: case KT_WHY_UNKNOWN: case KT_WHY_MORE:
		return STYLE_BLOCKED;
	case KT_WHY_HOLDER: case KT_WHY_WAKER_TASK:
		return STYLE_TASK;
	case KT_WHY_IRQ: case KT_WHY_SOFTIRQ: case KT_WHY_WAKER_IRQ: case KT_WHY_WAKER_SOFTIRQ:
		return STYLE_IRQ;
	default:
		return STYLE_NORMAL;
	}
}

static void draw_line(const struct view *v, struct area a, int row, size_t i, uint64_t all)
{
	const struct why_state *st = v->state;
	struct kt_why *w = lines_of(st);
	const struct kt_why_line *l = kt_why_line(w, i);
	int col = 1 + 2 * (int)l->depth - st->scrolled;
	const char *what = kt_why_text(w, i);
	char text[32];

	if (is_parent(w, i))
		area_char(a, row, col, STYLE_DIM, st->folded[i] ? 0x25b8 : 0x25be);
	if (l->ns) {
		area_put_right(a, row, col + TIME_END, STYLE_TIME, units_format_time(l->ns, text));
		snprintf(text, sizeof(text), "%.1f%%", 100.0 * (double)l->ns / (double)all);
		area_put_right(a, row, col + SHARE_END, STYLE_NUMBER, text);
	}
	area_put(a, row, col + TEXT, style_of(l), what ? what : "", -1);
}

/* "bash:42, 12 ms until 3.456789, wakeup" */
static bool add_title(const struct view *v, struct str *out, uint64_t *all)
{
	const struct why_state *st = v->state;
	const struct view_span *s = &v->app->explained;
	const char *comm = kt_trace_comm_known(kt_model_trace(v->model), s->file, s->pid);
	struct kt_why_opts o = { .until = s->from };
	enum kt_span_kind kind = KT_SPAN_KINDS;
	bool known = kt_reasons_interval(st->reasons, &o, &kind);
	char text[32], file[16];

	*all = o.until - o.from;
	str_addf(out, "%s%s:%d, ", app_file_prefix(v->app, s->file, file), comm, s->pid);
	if (known)
		str_addf(out, "%s until ", units_format_time(*all, text));
	str_addf(out, "%s%s%s", units_format_moment(o.until, text), *s->what ? ", " : "", s->what);
	if (kind != KT_SPAN_KINDS)
		str_addf(out, ", %s", kt_span_kind_name(kind));
	return known;
}

static void draw(const struct view *v, struct area a)
{
	const struct why_state *st = v->state;
	int head = head_rows(v), i;
	struct str title = STR_INIT;
	uint64_t all;

	if (!v->app->nr_explained) {
		area_put(a, 0, 1, STYLE_NORMAL, "Nothing is selected: Q in another view explains "
			 "what is selected there.", -1);
		return;
	}
	add_title(v, &title, &all);
	area_put(a, 0, 1, STYLE_HEAD, title.buf, -1);
	str_fini(&title);
	if (st->error.code)
		area_put(a, 1, 1, STYLE_ERROR, st->error.msg, -1);
	put_summary(v, a);
	for (i = st->top; i < st->nr_rows && head + i - st->top < a.rows; i++) {
		draw_line(v, a, head + i - st->top, st->rows[i], all);
		if (i == st->selected) {
			area_select(a, head + i - st->top);
			area_cursor(a, head + i - st->top, 0);
		}
	}
}

/* ---- the rest of the view ---- */

/* The subject of the selected line, so that reasons have reasons */
static int span(struct view *v, struct view_span *s, struct kt_err *err)
{
	const struct kt_why_line *l = timed_line(v->state);

	if (!l || l->pid <= 0)
		return kt_err_set(err, -ENOENT, "this line is not of a task");
	*s = (struct view_span){ .file = v->app->explained.file, .pid = l->pid,
				 .from = l->from, .until = l->until };
	return 0;
}

static int find(struct view *v, const regex_t *re, int direction, bool first,
		unsigned int budget_ms)
{
	struct why_state *st = v->state;
	const char *text;
	int i;

	(void)first, (void)budget_ms;
	for (i = st->selected + direction; re && i >= 0 && i < st->nr_rows; i += direction) {
		text = kt_why_text(lines_of(st), st->rows[i]);
		if (text && regexec(re, text, 0, NULL, 0) == 0) {
			move(v, i - st->selected);
			return 1;
		}
	}
	return 0;
}

static bool stop(struct view *v)
{
	struct why_state *st = v->state;

	if (!kt_reasons_stop(st->reasons))
		return leave(v, NULL) == 0;
	app_say(v->app, "stopped: this is the part read so far");
	return true;
}

/* All visible lines */
static void yank(struct view *v, struct str *out)
{
	const struct why_state *st = v->state;
	struct kt_why *w = lines_of(st);
	char text[32];
	uint64_t all;
	int i;

	if (!add_title(v, out, &all))
		return;
	str_addf(out, "\n%s\n", st->summary ? st->summary : "");
	for (i = 0; i < st->nr_rows; i++) {
		const struct kt_why_line *l = kt_why_line(w, st->rows[i]);
		const char *what = kt_why_text(w, st->rows[i]);

		str_addf(out, "%*s%s  %s\n", 2 * (int)l->depth, "",
			 l->ns ? units_format_time(l->ns, text) : "", what ? what : "");
	}
}

static void status(const struct view *v, struct str *out)
{
	const struct why_state *st = v->state;

	if (kt_reasons_done(st->reasons) < 1)
		str_addf(out, "reading … %d%%, Esc stops",
			 (int)(100 * kt_reasons_done(st->reasons)));
	else
		str_addf(out, "%d line%s%s", st->nr_rows, st->nr_rows == 1 ? "" : "s",
			 kt_reasons_is_partial(st->reasons) ? ", not all was read" : "");
}

static void mouse(struct view *v, int key, int row, int col)
{
	struct why_state *st = v->state;
	int line = row - head_rows(v);

	(void)col;
	if (key == TK_WHEEL_UP || key == TK_WHEEL_DOWN)
		move(v, key == TK_WHEEL_UP ? -1 : 1);
	else if ((key == TK_CLICK || key == TK_DOUBLE_CLICK) && line >= 0)
		move(v, st->top + line - st->selected);
	if (key == TK_DOUBLE_CLICK && line >= 0)
		go(v, NULL, NULL);
}

static int open_view(struct view *v, struct kt_err *err)
{
	struct why_state *st = v->state;

	st->reasons = kt_reasons_create(v->model, err);
	return st->reasons ? 0 : -ENOMEM;
}

static void close_view(struct view *v)
{
	struct why_state *st = v->state;

	kt_reasons_destroy(st->reasons);
	forget_lines(st);
}

const struct view_ops why_view = {
	.name       = "why",
	.purpose    = "why did the interval selected in another pane take so long?",
	.commands   = commands,
	.state_size = sizeof(struct why_state),
	.no_tab     = true,
	.open = open_view, .close = close_view, .prepare = prepare, .work = work, .draw = draw,
	.find = find, .stop = stop, .span = span, .yank = yank, .status = status, .mouse = mouse,
};
