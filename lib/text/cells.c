/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* cells.c - a line as cells with roles, and its kind of call */
#include <errno.h>
#include <string.h>

#include "base/put.h"
#include "text/text.h"
#include "text/words.h"

/* For function_graph: entry, exit or both; depth and duration */
static void set_call(const struct kt_record *rec, const struct mark *m, struct kt_cells *cells)
{
	const struct text_event *te = m->ev;
	uint64_t depth = 0, called = 0, returned = 0;

	if (te->kind != TEXT_GRAPH_ENTRY && te->kind != TEXT_GRAPH_EXIT)
		return;
	if (slot_get(&te->slot[SLOT_GRAPH_DEPTH], rec, &depth))
		cells->depth = depth <= INT16_MAX ? (int)depth : INT16_MAX;
	if (te->kind == TEXT_GRAPH_ENTRY) {
		cells->fold = m->flags & MARK_LEAF ? KT_FOLD_LEAF : KT_FOLD_ENTRY;
		cells->duration = m->flags & MARK_LEAF ? m->duration : 0;
		return;
	}
	cells->fold = KT_FOLD_EXIT;
	if (slot_get(&te->slot[SLOT_GRAPH_CALLTIME], rec, &called) &&
	    slot_get(&te->slot[SLOT_GRAPH_RETTIME], rec, &returned))
		cells->duration = returned - called;
}

void text_add_task(const struct kt_text *x, const char *comm, int pid, struct str *s)
{
	size_t len = strlen(comm), width = x->opts.latency ? 8 : 16;
	size_t digits = x->opts.layout == KT_LAYOUT_KERNEL && !x->opts.latency ? 7 : 5;
	char *to;

	if (pid < 0) {
		str_addf(s, x->opts.latency ? "%8.8s-%-*d" : "%16s-%-*d", comm, (int)digits, pid);
		return;
	}
	if (x->opts.latency && len > width)
		len = width;
	to = put_room(s, width + len + 18);
	if (!to)
		return;
	to = put_blanks(to, len < width ? width - len : 0);
	to = put_bytes(to, comm, len);
	*to++ = '-';
	to = num_put_u64(to, (uint64_t)pid);
	len = num_dec_len((uint64_t)pid);
	put_done(s, put_blanks(to, len < digits ? digits - len : 0));
}

/* Text added to @s since @at becomes the cell of @role, without blanks around it. */
static void end_cell(struct kt_cells *cells, enum kt_cell_role role, const struct str *s, size_t at)
{
	size_t end = s->len;

	while (end > at && (s->buf[end - 1] == ' ' || s->buf[end - 1] == '\n'))
		end--;
	while (role != KT_CELL_INFO && at < end && s->buf[at] == ' ')
		at++;
	/* The ':' separates it from the rest of the line. */
	if ((role == KT_CELL_TIME || role == KT_CELL_EVENT) && end > at && s->buf[end - 1] == ':')
		end--;
	cells->cell[role].at = at;
	cells->cell[role].len = end - at;
}

int text_put_words(struct kt_text *x, const struct kt_record *rec, struct kt_out *out)
{
	static const enum kt_cell_role roles[] = {
		KT_CELL_BUFFER, KT_CELL_TASK, KT_CELL_EVENT, KT_CELL_INFO,
	};
	const struct mark m = { .ev = text_event(x, rec) };
	size_t i;

	kt_out_reset(out);
	for (i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		writer_column(x->writer, roles[i], rec, &m, out);
	return out->text.failed ? -ENOMEM : 0;
}

int text_put_info(struct kt_text *x, const struct kt_record *rec, struct kt_out *out)
{
	const struct mark m = { .ev = text_event(x, rec) };

	kt_out_reset(out);
	text_info(x, writer_names(x->writer), rec, &m, out);
	return out->text.failed ? -ENOMEM : 0;
}

int kt_text_cells(struct kt_text *x, const struct kt_record *rec, const struct kt_record *next,
		  struct kt_out *out, struct kt_cells *cells)
{
	struct mark m = { .ev = text_event(x, rec) };
	enum kt_cell_role role;
	size_t at;

	if (x->opts.color || x->opts.json)
		return -EINVAL;
	kt_out_reset(out);
	*cells = (struct kt_cells){ .depth = -1, .lost = rec->lost };
	front_fold(x, rec, &m, next);
	set_call(rec, &m, cells);
	for (role = 0; role < KT_NR_CELLS; role++) {
		at = out->text.len;
		writer_column(x->writer, role, rec, &m, out);
		end_cell(cells, role, &out->text, at);
	}
	str_addn(&out->text, "", 0);	/* writers do not NUL-terminate */
	return out->text.failed ? -ENOMEM : 0;
}
