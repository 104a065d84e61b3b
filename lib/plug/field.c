/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* field.c - find a field of an event by name, and its bytes in a record */
#include "plug/plug.h"

#include <errno.h>
#include <string.h>

static bool is_named(const struct kt_field *f, const char *name, size_t len)
{
	return f->name[0] == name[0] && !strncmp(f->name, name, len) && !f->name[len];
}

const struct kt_field *plug_field(const struct kt_event *ev, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < ev->nr_fields; i++)
		if (is_named(&ev->fields[i], name, len))
			return &ev->fields[i];
	for (i = 0; i < ev->nr_common; i++)
		if (is_named(&ev->common[i], name, len))
			return &ev->common[i];
	return NULL;
}

/* For "buf[]": all bytes up to the end of the record. */
int plug_bytes(const struct plug_call *c, const struct kt_field *f, struct kt_blob *b)
{
	if (f->flags & KT_FIELD_DYNAMIC)
		return c->view->model->field_bytes(c->ev, f, &c->rec, b);
	if (f->offset > c->rec.size || f->size > c->rec.size - f->offset)
		return -ENODATA;
	b->data = (const char *)c->rec.data + f->offset;
	b->size = f->size ? f->size : c->rec.size - f->offset;
	return 0;
}
