/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inspect.c - one event in full: each field, its stack, its texts, its bytes */
#include "inspect.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define BYTES_MAX 512			/* of a record, shown at most */
#define STACK_RECORDS 256		/* records read to find the next one of its CPU */
#define ELEMS_MAX 16			/* of an array */
#define WIDE_COLS 150			/* for two columns: a line of bytes takes half of it */

int inspect_init(struct inspector *in)
{
	in->lines = in->beside = (struct str)STR_INIT;
	in->shown.pos = UINT64_MAX;
	in->out = kt_out_create();
	return in->out ? 0 : -ENOMEM;
}

void inspect_fini(struct inspector *in)
{
	if (in->lines.buf)
		str_fini(&in->lines);
	if (in->beside.buf)
		str_fini(&in->beside);
	kt_out_destroy(in->out);
	in->out = NULL;
}

int inspect_rows(int rows)
{
	return rows / 2;
}

static void add_elems(struct str *s, const struct kt_event *ev, const struct kt_field *f,
		      const struct kt_record *rec)
{
	uint64_t value;
	size_t i;

	str_addc(s, '{');
	for (i = 0; i < ELEMS_MAX && kt_field_elem(ev, f, rec, i, &value) == 0; i++)
		str_addf(s, "%s0x%" PRIx64, i ? ", " : "", value);
	str_add(s, i == ELEMS_MAX ? ", …}" : "}");
}

static void add_number(struct str *s, struct kt_trace *t, const struct kt_event *ev,
		       const struct kt_field *f, const struct kt_record *rec)
{
	struct kt_symbol sym;
	uint64_t value = 0;
	int64_t number = 0;

	kt_field_u64(ev, f, rec, &value);
	kt_field_i64(ev, f, rec, &number);
	if (f->flags & KT_FIELD_SIGNED)
		str_addf(s, "%" PRId64, number);
	else
		str_addf(s, "%" PRIu64, value);
	if (value > 9)
		str_addf(s, " (0x%" PRIx64 ")", value);
	if (f->size == 8 && value > 0xffff &&
	    kt_symbols_find(kt_trace_record_symbols(t, rec), value, &sym) > 0)
		str_addf(s, " %s+0x%" PRIx64, sym.name, value - sym.addr);
}

static void add_value(struct str *s, struct kt_trace *t, const struct kt_event *ev,
		      const struct kt_field *f, const struct kt_record *rec)
{
	struct kt_blob bytes;
	uint64_t value;

	if (f->flags & KT_FIELD_STRING && kt_field_bytes(ev, f, rec, &bytes) == 0) {
		str_addc(s, '"');
		str_add_escaped(s, bytes.data, strnlen(bytes.data, bytes.size));
		str_addc(s, '"');
	} else if (f->flags & (KT_FIELD_ARRAY | KT_FIELD_DYNAMIC)) {
		add_elems(s, ev, f, rec);
	} else if (kt_field_u64(ev, f, rec, &value) == 0) {
		add_number(s, t, ev, f, rec);
	} else {
		str_add(s, "(not in the record)");
	}
}

void inspect_value(struct str *s, struct kt_trace *t, const struct kt_event *ev,
		   const struct kt_field *f, const struct kt_record *rec)
{
	struct kt_symbol sym;
	struct kt_blob bytes;
	uint64_t value = 0;
	int64_t number = 0;

	if (f->flags & KT_FIELD_STRING && kt_field_bytes(ev, f, rec, &bytes) == 0) {
		str_addn(s, bytes.data, strnlen(bytes.data, bytes.size));
		return;
	}
	if (f->flags & (KT_FIELD_ARRAY | KT_FIELD_DYNAMIC)) {
		add_elems(s, ev, f, rec);
		return;
	}
	if (kt_field_u64(ev, f, rec, &value) < 0 || kt_field_i64(ev, f, rec, &number) < 0)
		return;
	if (!(f->flags & KT_FIELD_POINTER))
		str_addf(s, f->flags & KT_FIELD_SIGNED ? "%" PRId64 : "%" PRIu64, number);
	else if (kt_symbols_find(kt_trace_record_symbols(t, rec), value, &sym) > 0)
		str_add(s, sym.name);
	else
		str_addf(s, "0x%" PRIx64, value);
}

static void add_fields(struct str *s, struct kt_trace *t, const struct kt_event *ev,
		       const struct kt_field *fields, size_t nr, const struct kt_record *rec)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		str_addf(s, "  %-20s ", fields[i].name);
		add_value(s, t, ev, &fields[i], rec);
		str_addf(s, "   %s\n", fields[i].type);
	}
}

static void add_text(struct inspector *in, struct kt_model *m, bool pretty, const char *label,
		     const struct kt_record *rec)
{
	struct kt_cells cells;
	size_t len;
	const char *text;

	if (kt_text_cells(kt_model_text(m, pretty), rec, NULL, in->out, &cells) < 0)
		return;
	text = kt_out_data(in->out) + cells.cell[KT_CELL_INFO].at;
	len = cells.cell[KT_CELL_INFO].len;
	/* The lines of a text are shown below each other. */
	for (; len; label = "        ") {
		const char *newline = memchr(text, '\n', len);
		size_t part = newline ? (size_t)(newline - text) : len;

		str_addf(&in->lines, "%s", label);
		str_add_escaped(&in->lines, text, part);
		str_addc(&in->lines, '\n');
		part += newline != NULL;
		text += part;
		len -= part;
	}
}

static void add_bytes(struct str *s, const struct kt_record *rec)
{
	size_t at, i, nr = rec->size < BYTES_MAX ? rec->size : BYTES_MAX;

	for (at = 0; at < nr; at += 16) {
		size_t len = nr - at < 16 ? nr - at : 16;

		str_addf(s, "  %03zx ", at);
		for (i = at; i < at + 16; i++)
			if (i < nr)
				str_addf(s, " %02x", rec->data[i]);
			else
				str_add(s, "   ");
		str_add(s, "  ");
		for (i = at; i < at + len; i++)
			str_addc(s, rec->data[i] > ' ' && rec->data[i] < 0x7f ? (char)rec->data[i]
									      : '.');
		str_addc(s, '\n');
	}
	if (nr < rec->size)
		str_addf(s, "  … %u bytes more\n", rec->size - (unsigned int)nr);
}

/* "=> function (address)" a line, as "function ◂ function", or one below the other */
static void add_frames(struct str *s, const char *text, const char *between)
{
	const char *from = strstr(text, "=> "), *end;
	size_t nr = 0;

	for (; from; from = strstr(end, "=> "), nr++) {
		from += 3;
		end = from + strcspn(from, "(\n");
		str_add(s, nr ? between : "");
		while (end > from && end[-1] == ' ')
			end--;
		str_add_escaped(s, from, (size_t)(end - from));
	}
	str_addc(s, '\n');
}

/* The next record of its CPU, if that is a stack */
static void add_stacks(struct inspector *in, struct kt_model *m, struct kt_reader *reader,
		       size_t source)
{
	const char *between = in->wide ? "\n        " : " \xe2\x97\x82 ";
	struct str *s = in->wide ? &in->beside : &in->lines;
	const struct kt_event *ev;
	struct kt_record rec;
	struct kt_cells cells;
	int left = STACK_RECORDS;

	while (left-- > 0 && kt_reader_next(reader, &rec, NULL) > 0) {
		if (rec.source != source)
			continue;
		ev = kt_trace_event(kt_model_trace(m), &rec);
		if (!ev || strcmp(ev->system, "ftrace") != 0 || !strstr(ev->name, "_stack") ||
		    kt_text_cells(kt_model_text(m, false), &rec, NULL, in->out, &cells) < 0)
			return;
		str_add(s, *ev->name == 'u' ? "user    " : "stack   ");
		add_frames(s, kt_out_data(in->out) + cells.cell[KT_CELL_INFO].at, between);
	}
}

static int nr_lines(const struct str *s)
{
	int nr = 0;

	for (const char *c = s->buf; *c; c++)
		nr += *c == '\n';
	return nr;
}

void inspect_record(struct inspector *in, struct kt_model *m, struct kt_reader *reader,
		    const struct kt_record *rec, int cols)
{
	struct kt_trace *t = kt_model_trace(m);
	const struct kt_event *ev = kt_trace_event(t, rec);
	struct kt_record now;

	if (in->shown.pos == rec->pos && in->shown.source == rec->source && in->lines.len &&
	    in->generation == kt_model_generation(m) && in->wide == (cols >= WIDE_COLS))
		return;
	in->generation = kt_model_generation(m);	/* names of functions were loaded */
	in->shown = *rec;
	in->wide = cols >= WIDE_COLS;
	str_reset(&in->lines);
	str_reset(&in->beside);
	if (kt_reader_find(reader, rec->source, rec->pos, NULL) <= 0 ||
	    kt_reader_next(reader, &now, NULL) <= 0) {
		str_add(&in->lines, "This event cannot be read again.\n");
		return;
	}
	if (!ev) {
		str_addf(&in->lines, "event %u has no format in this file, %u bytes\n", now.type,
			 now.size);
		add_bytes(&in->lines, &now);
		return;
	}
	str_addf(&in->lines, "%s/%s   id %u   %u bytes at 0x%" PRIx64 " of CPU %d\n", ev->system,
		 ev->name, ev->id, now.size, now.pos,
		 kt_trace_source(t, &now)->cpu);
	add_text(in, m, false, "text    ", &now);
	add_text(in, m, true, "pretty  ", &now);
	in->head = nr_lines(&in->lines);
	add_stacks(in, m, reader, rec->source);
	if (kt_reader_find(reader, rec->source, rec->pos, NULL) <= 0 ||
	    kt_reader_next(reader, &now, NULL) <= 0)
		return;
	add_fields(&in->lines, t, ev, ev->fields, ev->nr_fields, &now);
	add_fields(&in->lines, t, ev, ev->common, ev->nr_common, &now);
	add_bytes(in->wide ? &in->beside : &in->lines, &now);
}

static int all_lines(const struct inspector *in)
{
	int nr = nr_lines(&in->lines), beside = nr_lines(&in->beside);

	return beside && in->head + beside > nr ? in->head + beside : nr;
}

/* The first visible line, with @rows for lines */
static int top_of(const struct inspector *in, int rows)
{
	int last = all_lines(in) - rows;

	if (in->top < last)
		return in->top;
	return last > 0 ? last : 0;
}

void inspect_scroll(struct inspector *in, int by, int rows)
{
	in->top = top_of(in, rows - 1) + by;
	if (in->top < 0)
		in->top = 0;
}

/* Lines from @row on, which may be above the area */
static void draw_lines(const struct str *s, struct area a, int row)
{
	const char *line = s->buf, *end;

	for (; row < a.rows && (end = strchr(line, '\n')); row++, line = end + 1)
		if (row >= 1)
			area_putn(a, row, 1, STYLE_NORMAL, line, (size_t)(end - line), -1);
}

void inspect_draw(const struct inspector *in, struct area a)
{
	int nr = all_lines(in), top = top_of(in, a.rows - 1), half = a.cols / 2, row;

	area_fill(a, 0, 0, STYLE_DIM, 0x2500, a.cols);
	if (nr > a.rows - 1)
		area_putf(a, 0, 2, STYLE_HINT, " %d to %d of %d lines: ] on, [ back ", top + 1,
			  top + a.rows - 1, nr);
	draw_lines(&in->lines, a, 1 - top);
	if (!top)
		area_style(a, 1, 0, STYLE_STRONG, a.cols);
	for (row = 1 - top + in->head; in->beside.len && row < a.rows; row++)
		area_fill(a, row, half, STYLE_NORMAL, ' ', a.cols - half);
	draw_lines(&in->beside, area_part(a, 0, half, a.rows, a.cols - half), 1 - top + in->head);
}
