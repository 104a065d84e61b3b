/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* cells.c - a line as cells with roles, and what kind of call it is */
#include <errno.h>
#include <string.h>

#include "base/put.h"
#include "text/text.h"

/* Of function_graph: entry, exit or both, how deep, and how long it took */
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
	char *to;

	if (pid < 0) {
		str_addf(s, x->opts.latency ? "%8.8s-%-5d" : "%16s-%-5d", comm, pid);
		return;
	}
	if (x->opts.latency && len > width)
		len = width;
	to = put_room(s, width + len + 16);
	if (!to)
		return;
	to = put_blanks(to, len < width ? width - len : 0);
	to = put_bytes(to, comm, len);
	*to++ = '-';
	to = num_put_u64(to, (uint64_t)pid);
	len = num_dec_len((uint64_t)pid);
	put_done(s, put_blanks(to, len < 5 ? 5 - len : 0));
}

/* What was added to @s since @at is the cell of @role; blanks around it are not. */
static void end_cell(struct kt_cells *cells, enum kt_cell_role role, const struct str *s, size_t at)
{
	size_t end = s->len;

	while (end > at && (s->buf[end - 1] == ' ' || s->buf[end - 1] == '\n'))
		end--;
	while (role != KT_CELL_INFO && at < end && s->buf[at] == ' ')
		at++;
	/* It parts them from what follows in a line. */
	if ((role == KT_CELL_TIME || role == KT_CELL_EVENT) && end > at && s->buf[end - 1] == ':')
		end--;
	cells->cell[role].at = at;
	cells->cell[role].len = end - at;
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
	str_addn(&out->text, "", 0);	/* writers set no zero byte after what they wrote */
	return out->text.failed ? -ENOMEM : 0;
}
