/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* model_marks.c - named moments of a trace, with notes, sorted by name */
#include "view/model_priv.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define MARKS_MAX 500

static bool is_name(const char *name)
{
	size_t i;

	for (i = 0; name[i]; i++)
		if (i + 1 >= KT_MARK_NAME ||
		    !(isalnum((unsigned char)name[i]) || strchr("._-", name[i])))
			return false;
	return i;
}

static bool is_end(const char *name)
{
	return (name[0] == 'A' || name[0] == 'B') && !name[1];
}

static int compare_names(const char *a, const char *b)
{
	if (is_end(a) != is_end(b))
		return is_end(a) ? -1 : 1;
	return strcmp(a, b);
}

/* The index of a mark of that name, or where to insert it */
static size_t place_of(const struct kt_model *m, const char *name)
{
	size_t i;

	for (i = 0; i < m->nr_marks && compare_names(m->marks[i].name, name) < 0; i++)
		;
	return i;
}

static bool is_at(const struct kt_model *m, size_t i, const char *name)
{
	return i < m->nr_marks && strcmp(m->marks[i].name, name) == 0;
}

static int insert_mark(struct kt_model *m, size_t i)
{
	if (m->nr_marks == MARKS_MAX)
		return -ENOSPC;
	if (!array_reserve(m->marks, m->nr_marks))
		return -ENOMEM;
	memmove(&m->marks[i + 1], &m->marks[i], (m->nr_marks++ - i) * sizeof(*m->marks));
	m->marks[i] = (struct mark){ 0 };
	return 0;
}

int kt_model_set_mark(struct kt_model *m, const char *name, const struct kt_spot *spot,
		      const char *note)
{
	size_t i = place_of(m, name);
	char *copy;
	int ret;

	if (!is_name(name))
		return -EINVAL;
	copy = strdup(note ? note : "");
	if (!copy)
		return -ENOMEM;
	/* @name can be that of the mark itself. */
	if (!is_at(m, i, name)) {
		ret = insert_mark(m, i);
		if (ret < 0) {
			free(copy);
			return ret;
		}
		strcpy(m->marks[i].name, name);
	}
	free(m->marks[i].note);
	m->marks[i].spot = *spot;
	m->marks[i].note = copy;
	return 0;
}

bool kt_model_remove_mark(struct kt_model *m, const char *name)
{
	size_t i = place_of(m, name);

	if (!is_at(m, i, name))
		return false;
	free(m->marks[i].note);
	memmove(&m->marks[i], &m->marks[i + 1], (--m->nr_marks - i) * sizeof(*m->marks));
	return true;
}

bool kt_model_mark(const struct kt_model *m, size_t i, struct kt_mark *mark)
{
	if (i >= m->nr_marks)
		return false;
	*mark = (struct kt_mark){ m->marks[i].name, m->marks[i].spot, m->marks[i].note };
	return true;
}

bool kt_model_find_mark(const struct kt_model *m, const char *name, struct kt_mark *mark)
{
	size_t i = place_of(m, name);

	return is_at(m, i, name) && kt_model_mark(m, i, mark);
}
