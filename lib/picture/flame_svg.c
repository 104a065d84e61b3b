/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* flame_svg.c - a flame graph as an SVG file, with the few lines of script that search and zoom */
#include <ktrail/export.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/str.h"
#include "picture/svg.h"

#define WIDTH     1200			/* pixels */
#define MARGIN    10
#define HEAD      46			/* title and buttons */
#define ROW       17
#define LETTER    7			/* width of a character */
#define DEPTH_MAX 1024
#define LEAST     (1.0 / 20000)		/* of the whole: narrower frames are left out */

struct place {
	double   x, width, next;		/* 0 to 1; next: where the next child begins */
	unsigned int depth;
};

static const char script[] =
"<script><![CDATA[\n"
"(function () {\n"
"var frames = [].slice.call(document.querySelectorAll('g.f'));\n"
"var found = document.getElementById('found'), matched = null;\n"
"function num(g, name) { return +g.getAttribute('data-' + name); }\n"
"function put(g, x, w) {\n"
"	var r = g.querySelector('rect'), t = g.querySelector('text');\n"
"	var n = g.getAttribute('data-n');\n"
"	var room = Math.floor(w * 1180 / 7) - 1;\n"
"	r.setAttribute('x', 10 + x * 1180); r.setAttribute('width', Math.max(w * 1180, 0.3));\n"
"	t.setAttribute('x', 13 + x * 1180);\n"
"	t.textContent = room < 3 ? '' : n.length > room ? n.slice(0, room - 1) + '\\u2026' : n;\n"
"}\n"
"function zoom(z) {\n"
"	var x = num(z, 'x'), w = num(z, 'w'), d = num(z, 'd'), e = 1e-7;\n"
"	frames.forEach(function (g) {\n"
"		var gx = num(g, 'x'), gw = num(g, 'w'), below = num(g, 'd') < d;\n"
"		var around = below && gx <= x + e && gx + gw >= x + w - e;\n"
"		var within = !below && gx >= x - e && gx + gw <= x + w + e;\n"
"		g.style.display = around || within ? '' : 'none';\n"
"		g.style.opacity = around ? 0.5 : 1;\n"
"		if (around) put(g, 0, 1);\n"
"		if (within) put(g, (gx - x) / w, gw / w);\n"
"	});\n"
"}\n"
"function search() {\n"
"	var text = prompt('Search (regular expression):', matched || '');\n"
"	var share = 0, ends = [], re;\n"
"	if (text === null) return;\n"
"	try { re = new RegExp(text); } catch (e) { found.textContent = String(e); return; }\n"
"	matched = text;\n"
"	frames.forEach(function (g) {\n"
"		var hit = text !== '' && re.test(g.getAttribute('data-n'));\n"
"		var d = num(g, 'd'), x = num(g, 'x');\n"
"		g.classList.toggle('hit', hit);\n"
"		if (!hit) return;\n"
"		if (!ends.some(function (o) {\n"
"			return o.d < d && o.x <= x + 1e-9 && x < o.e - 1e-9;\n"
"		})) {\n"
"			share += num(g, 'w');\n"
"			ends.push({ d: d, x: x, e: x + num(g, 'w') });\n"
"		}\n"
"	});\n"
"	found.textContent = text === '' ? '' : 'found: ' + (100 * share).toFixed(1) + ' %';\n"
"}\n"
"frames.forEach(function (g) { g.addEventListener('click', function () { zoom(g); }); });\n"
"document.getElementById('all').addEventListener('click', function () { zoom(frames[0]); });\n"
"document.getElementById('search').addEventListener('click', search);\n"
"window.addEventListener('keydown', function (e) {\n"
"	if (e.key === '/') { e.preventDefault(); search(); }\n"
"	if (e.key === 'Escape') zoom(frames[0]);\n"
"});\n"
"})();\n"
"]]></script>\n";

static const char style[] =
".f { cursor: pointer; } .f text { pointer-events: none; }\n"
".f:hover rect, .button:hover { stroke: #000; stroke-width: 0.7; }\n"
".hit rect { fill: #d040d0; }\n"
".button { cursor: pointer; fill: #0040a0; }\n";

/* At most @room characters; a cut name ends with "…". */
static void add_cut(struct str *s, const char *name, size_t room)
{
	size_t len = strlen(name);

	if (room < 3)
		return;
	if (len <= room) {
		svg_add_textn(s, name, len);
		return;
	}
	len = room - 1;
	while (len && ((unsigned char)name[len] & 0xc0) == 0x80)
		len--;
	svg_add_textn(s, name, len);
	str_add(s, "…");
}

static void add_colour(struct str *s, const struct kt_picture_flame *f,
		       const struct kt_picture_frame *frame)
{
	double change = isnan(frame->change) ? 0 : clamp(frame->change, -1, 1);
	unsigned int hash = 2166136261u, away;
	const char *p;

	if (f->colour == KT_PICTURE_CHANGE) {
		away = 235 - (unsigned int)(fabs(change) * 165);
		str_addf(s, "rgb(%u,%u,%u)", change < 0 ? away : 240, away,
			 change > 0 ? away : 240);
		return;
	}
	for (p = frame->name; *p; p++)
		hash = (hash ^ (unsigned char)*p) * 16777619u;
	str_addf(s, "rgb(%u,%u,%u)", 205 + hash % 50, 80 + hash / 50 % 150, hash / 7500 % 60);
}

static void add_frame(struct str *s, const struct kt_picture_flame *f, size_t i,
		      const struct place *at, double height)
{
	const struct kt_picture_frame *frame = &f->frames[i];
	double inner = WIDTH - 2 * MARGIN, x = MARGIN + at->x * inner, width = at->width * inner;
	double y = height - MARGIN - (at->depth + 1) * ROW;

	str_addf(s, "<g class=\"f\" data-x=\"%.7f\" data-w=\"%.7f\" data-d=\"%u\" data-n=\"",
		 at->x, at->width, at->depth);
	svg_add_text(s, frame->name);
	str_add(s, "\"><title>");
	svg_add_text(s, frame->name);
	if (frame->note) {
		str_add(s, ", ");
		svg_add_text(s, frame->note);
	}
	str_addf(s, "</title><rect x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\" rx=\"1\" "
		 "fill=\"", x, y, width < 0.3 ? 0.3 : width, ROW - 1);
	add_colour(s, f, frame);
	str_addf(s, "\"/><text x=\"%.1f\" y=\"%.0f\">", x + 3, y + 12);
	add_cut(s, frame->name, width >= 4 * LETTER ? (size_t)(width / LETTER) - 1 : 0);
	str_add(s, "</text></g>\n");
}

/* Computes the place of each frame. Returns the greatest depth, or -EINVAL */
static int place_all(const struct kt_picture_flame *f, struct place at[])
{
	double all = f->frames[0].value;
	unsigned int deepest = 0;
	size_t i;

	at[0] = (struct place){ .width = 1 };
	for (i = 1; i < f->nr; i++) {
		struct place *up;

		if (f->frames[i].parent >= i)
			return -EINVAL;
		up = &at[f->frames[i].parent];
		at[i] = (struct place){
			.x = up->next, .width = all > 0 ? f->frames[i].value / all : 0,
			.next = up->next, .depth = up->depth + 1,
		};
		/* A frame that is too narrow is left out, with all frames in it. */
		if (!(at[i].width >= LEAST) || at[i].depth >= DEPTH_MAX ||
		    (f->frames[i].parent && !(up->width >= LEAST)))
			at[i].width = 0;
		up->next += at[i].width;
		if (at[i].width > 0 && at[i].depth > deepest)
			deepest = at[i].depth;
	}
	return (int)deepest;
}

char *kt_picture_flame(const struct kt_picture_flame *f, struct kt_err *err)
{
	struct place *at = f->nr ? calloc(f->nr, sizeof(*at)) : NULL;
	struct str s = STR_INIT;
	int deepest, height;
	char *text;
	size_t i;

	deepest = at ? place_all(f, at) : -ENOMEM;
	if (deepest < 0) {
		free(at);
		kt_err_set(err, deepest, deepest == -ENOMEM ? "out of memory" :
			   "a frame comes before its parent");
		return NULL;
	}
	height = HEAD + (deepest + 1) * ROW + MARGIN;
	svg_begin(&s, WIDTH, (unsigned int)height, style);
	str_addf(&s, "<text x=\"%d\" y=\"18\">", MARGIN);
	svg_add_text(&s, f->title);
	str_addf(&s, "</text>\n<text id=\"all\" class=\"button\" x=\"%d\" y=\"36\">show all</text>"
		 "<text id=\"search\" class=\"button\" x=\"%d\" y=\"36\">search</text>"
		 "<text id=\"found\" x=\"%d\" y=\"36\"></text>\n", MARGIN, MARGIN + 80,
		 MARGIN + 150);
	for (i = 0; i < f->nr; i++)
		if (at[i].width > 0)
			add_frame(&s, f, i, &at[i], height);
	str_addf(&s, "%s</svg>\n", script);
	free(at);
	text = str_take(&s);
	if (!text)
		kt_err_no_memory(err);
	return text;
}
