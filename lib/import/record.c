/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* record.c - bytes from the input, records to the spool, and facts collected on the way */
#include "import/import.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define COMMON 8			/* bytes of the common fields */

void import_note(struct import *im, const char *fmt, ...)
{
	struct str s = STR_INIT;
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	if (!s.failed)
		kt_names_add(&im->result->notes, s.buf);
	str_fini(&s);
}

/* ---- the input ---- */

ssize_t import_fill(struct import *im, size_t size, struct kt_err *err)
{
	struct import_input *in = &im->in;
	size_t block = size > IMPORT_BLOCK ? size : IMPORT_BLOCK;
	ssize_t n;
	char *to;

	while (in->text.len - in->at < size && !in->ended) {
		memmove(in->text.buf, in->text.buf + in->at, in->text.len - in->at);
		in->offset += in->at;
		in->text.len -= in->at;
		in->at = 0;
		to = str_room(&in->text, block + 1);
		if (!to)
			return kt_err_no_memory(err);
		n = read(im->opts->fd, to, block);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return kt_err_set(err, -errno, "cannot read %s: %s", im->opts->name,
					  strerror(errno));
		in->text.len += (size_t)n;
		in->ended = n == 0;
		if (im->opts->progress &&
		    !im->opts->progress(im->opts->data, in->offset + in->text.len, im->total))
			return kt_err_set(err, -ECANCELED, "interrupted");
	}
	return (ssize_t)(in->text.len - in->at);
}

/* ---- records ---- */

static void begin_record(struct import *im, const struct import_record *r,
			 const struct shape_event *ev)
{
	uint8_t common[COMMON] = { [2] = r->flags, [3] = r->preempt_count };

	memcpy(common, &ev->id, sizeof(ev->id));
	memcpy(common + 4, &r->pid, sizeof(r->pid));
	str_reset(&im->rec);
	str_addn(&im->rec, common, sizeof(common));
}

static int end_record(struct import *im, const struct import_record *r, struct shape_event *ev,
		      struct kt_err *err)
{
	if (im->rec.failed)
		return kt_err_no_memory(err);
	ev->nr++;
	return spool_add(im->spool, r->cpu, r->ts, im->rec.buf, im->rec.len, err);
}

int import_text_record(struct import *im, const struct import_record *r, struct shape_event *ev,
		       const char *text, size_t len, struct kt_err *err)
{
	size_t most = PAGE_RECORD_MAX - COMMON - 8;
	struct shape_values v = { 0 };

	ev = shape_event_text(&im->events, ev);
	if (!ev)
		return kt_err_no_memory(err);
	im->cut += len > most;
	v.text[0] = (struct kt_blob){ text, len > most ? most : len };
	begin_record(im, r, ev);
	shape_put_record(&ev->shape, &v, PAGE_RECORD_MAX, &im->rec);
	return end_record(im, r, ev, err);
}

int import_record(struct import *im, const struct import_record *r, struct shape_event *ev,
		  const struct shape_values *v, struct kt_err *err)
{
	begin_record(im, r, ev);
	if (shape_put_record(&ev->shape, v, PAGE_RECORD_MAX, &im->rec))
		return end_record(im, r, ev, err);
	im->cut++;
	return import_text_record(im, r, ev, "(too long)", 10, err);
}

int import_task(struct import *im, int32_t pid, const char *comm, size_t len, struct kt_err *err)
{
	struct import_task *t;
	bool is_new;

	/* "<...>" is an unknown name, "<idle>" the name of all idle tasks */
	if (pid <= 0 || !len || (len == 5 && memcmp(comm, "<...>", 5) == 0))
		return 0;
	t = keymap_element(&im->by_pid, (uint32_t)pid, (void **)&im->tasks, &im->nr_tasks,
			   sizeof(*t), &is_new);
	if (!t)
		return kt_err_no_memory(err);
	len = len < sizeof(t->comm) ? len : sizeof(t->comm) - 1;
	t->pid = pid;
	memcpy(t->comm, comm, len);
	t->comm[len] = '\0';
	return 0;
}
