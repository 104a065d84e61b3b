/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diff_flame.c - the tree of calls of both sides: SVG, folded stacks, lines for a terminal */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/export.h>

#include "base/str.h"
#include "base/units.h"
#include "cmd/args/output.h"
#include "cmd/print/safe.h"
#include "diff.h"

#define LEAST     0.005			/* of the whole: smaller branches are not printed */
#define DEPTH_MAX 512

static struct kt_diff_frame *all_frames(const struct kt_diff *d)
{
	size_t nr = kt_diff_nr_frames(d), i;
	struct kt_diff_frame *frames = calloc(nr, sizeof(*frames));

	for (i = 0; i < nr && frames; i++)
		kt_diff_frame(d, i, &frames[i]);
	return frames;
}

static uint64_t to_ns(double ns)
{
	return ns > 0 ? (uint64_t)(ns + 0.5) : 0;
}

/* ---- SVG ---- */

static char *note_of(const struct kt_diff_frame *f)
{
	char from[32], to[32], own_from[32], own_to[32], *note;

	if (asprintf(&note, "%s -> %s, without callees %s -> %s, %.0f -> %.0f times",
		     units_format_time(to_ns(f->total[0]), from),
		     units_format_time(to_ns(f->total[1]), to),
		     units_format_time(to_ns(f->own[0]), own_from),
		     units_format_time(to_ns(f->own[1]), own_to), f->count[0], f->count[1]) < 0)
		return NULL;
	return note;
}

/* Widths show B; frames of A alone are missing. */
static char *draw(const struct kt_diff_frame *frames, size_t nr, const char *title,
		  struct kt_err *err)
{
	struct kt_picture_frame *out = calloc(nr, sizeof(*out));
	struct kt_picture_flame flame = {
		.title = title, .colour = KT_PICTURE_CHANGE, .frames = out, .nr = nr,
	};
	double most = 0, by;
	char *svg = NULL;
	size_t i;

	for (i = 0; i < nr; i++)
		most = fmax(most, fabs(frames[i].own[1] - frames[i].own[0]));
	for (i = 0; i < nr && out; i++) {
		by = most > 0 ? (frames[i].own[1] - frames[i].own[0]) / most : 0;
		out[i] = (struct kt_picture_frame){
			.name = frames[i].name, .parent = frames[i].parent,
			.value = frames[i].total[1], .note = note_of(&frames[i]),
			.change = by < 0 ? -sqrt(-by) : sqrt(by),
		};
	}
	if (out)
		svg = kt_picture_flame(&flame, err);
	else
		kt_err_no_memory(err);
	for (i = 0; i < nr && out; i++)
		free((char *)out[i].note);
	free(out);
	return svg;
}

int diff_write_flame(const struct diff_args *a, const struct kt_diff *d, struct kt_err *err)
{
	struct kt_diff_frame *frames = all_frames(d);
	struct str title = STR_INIT, text = STR_INIT;
	char *svg = NULL;
	int ret;

	str_addf(&title, "%s%s to %s%s: time in calls; red: more in B, blue: less",
		 a->files[0][0], a->nr_files[0] > 1 ? " …" : "", a->files[1][0],
		 a->nr_files[1] > 1 ? " …" : "");
	if (frames && kt_diff_nr_frames(d) < 2)
		ret = kt_err_set(err, -ENODATA, "no calls to draw: record with -p function_graph, "
				 "or -e raw_syscalls");
	else
		svg = frames && !title.failed ?
		      draw(frames, kt_diff_nr_frames(d), title.buf, err) : NULL;
	if (svg) {
		str_add(&text, svg);
		ret = text.failed ? -ENOMEM : output_put_text(a->flame, &text);
		if (ret < 0)
			kt_err_set(err, ret, "cannot write %s: %s", a->flame, strerror(-ret));
	} else {
		ret = kt_err_code(err, -ENOMEM);
	}
	str_fini(&text);
	str_fini(&title);
	free(svg);
	free(frames);
	return ret;
}

/* ---- folded: "a;b;c TIME_A TIME_B", as difffolded.pl prints it ---- */

static void add_path(struct str *s, const struct kt_diff_frame *frames, size_t i)
{
	size_t path[DEPTH_MAX], nr = 0;
	const char *p;

	for (; i && nr < DEPTH_MAX; i = frames[i].parent)
		path[nr++] = i;
	for (; nr; nr--) {
		/* A stack ends at the last blank, a frame at a semicolon. */
		for (p = frames[path[nr - 1]].name; *p; p++)
			str_addc(s, *p == ';' || *p == ' ' || *p == '\n' ? '_' : *p);
		if (nr > 1)
			str_addc(s, ';');
	}
}

int diff_print_folded(const struct kt_diff *d)
{
	struct kt_diff_frame *frames = all_frames(d);
	struct str s = STR_INIT;
	int ret = frames ? 0 : -ENOMEM;
	size_t i;

	for (i = 1; i < kt_diff_nr_frames(d) && ret == 0; i++) {
		if (frames[i].own[0] < 0.5 && frames[i].own[1] < 0.5)
			continue;
		add_path(&s, frames, i);
		str_addf(&s, " %.0f %.0f\n", frames[i].own[0], frames[i].own[1]);
		ret = s.failed ? -ENOMEM : safe_write(s.buf, s.len, safe_for_person());
		str_reset(&s);
	}
	str_fini(&s);
	free(frames);
	return ret;
}

/* ---- a tree of lines ---- */

struct tree {
	const struct kt_diff_frame *frames;
	size_t nr, *order, *first;	/* frames by parent; the first of each parent */
	double least;			/* ns */
	struct str text;
};

static double weight(const struct kt_diff_frame *f)
{
	return fmax(f->total[0], f->total[1]);
}

/* By parent, then by the difference of the times */
static int by_parent(const void *x, const void *y, void *data)
{
	const struct kt_diff_frame *frames = data;
	const struct kt_diff_frame *a = &frames[*(const size_t *)x];
	const struct kt_diff_frame *b = &frames[*(const size_t *)y];
	double da = fabs(a->total[1] - a->total[0]), db = fabs(b->total[1] - b->total[0]);

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	return da != db ? (da > db ? -1 : 1) : strcmp(a->name, b->name);
}

static void add_line(struct tree *t, size_t i, unsigned int depth)
{
	const struct kt_diff_frame *f = &t->frames[i];
	double by = f->total[1] - f->total[0];
	char from[32], to[32], change[32], percent[16] = "new";

	if (f->total[0] > 0)
		snprintf(percent, sizeof(percent), "%+.1f %%",
			 fmin(by / f->total[0] * 100, 99999));
	str_addf(&t->text, "%9s  %9s  %s%8s  %9s  %*s", units_format_time(to_ns(f->total[0]), from),
		 units_format_time(to_ns(f->total[1]), to), by < 0 ? "-" : "+",
		 units_format_time(to_ns(fabs(by)), change), percent, (int)depth * 2, "");
	safe_add(&t->text, f->name);
	str_addc(&t->text, '\n');
}

static void add_below(struct tree *t, size_t i, unsigned int depth)
{
	size_t k;

	add_line(t, i, depth);
	for (k = t->first[i]; k < t->nr - 1 && t->frames[t->order[k]].parent == i; k++)
		if (depth < DEPTH_MAX && weight(&t->frames[t->order[k]]) >= t->least)
			add_below(t, t->order[k], depth + 1);
}

static int print_tree(struct tree *t)
{
	size_t i;
	int ret;

	for (i = 1; i < t->nr; i++)
		t->order[i - 1] = i;
	qsort_r(t->order, t->nr - 1, sizeof(*t->order), by_parent, (void *)t->frames);
	for (i = 0; i < t->nr; i++)
		t->first[i] = t->nr - 1;
	for (i = t->nr - 1; i-- > 0;)
		t->first[t->frames[t->order[i]].parent] = i;
	str_addf(&t->text, "%9s  %9s  %9s  %9s  CALLS\n", "TIME A", "TIME B", "CHANGE", "");
	add_below(t, 0, 0);
	ret = t->text.failed ? -ENOMEM :
	      safe_write(t->text.buf, t->text.len, safe_for_person());
	str_fini(&t->text);
	return ret;
}

int diff_print_tree(const struct kt_diff *d)
{
	struct kt_diff_frame *frames = all_frames(d);
	struct tree t = { .frames = frames, .nr = kt_diff_nr_frames(d), .text = STR_INIT };
	int ret = -ENOMEM;

	t.order = calloc(t.nr, sizeof(*t.order));
	t.first = calloc(t.nr, sizeof(*t.first));
	if (frames && t.order && t.first) {
		t.least = LEAST * weight(&frames[0]);
		ret = print_tree(&t);
	}
	free(t.first);
	free(t.order);
	free(frames);
	return ret;
}
