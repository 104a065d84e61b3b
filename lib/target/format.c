/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* format.c - parse the format file of a live event */
#include "target/format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"

/* Classify a field by the words of its declaration, as the kernel does. */
static enum ctl_kind kind_of(const char *type)
{
	bool dynamic = str_starts(type, "__data_loc ") || str_starts(type, "__rel_loc ");

	if (dynamic && strstr(type, "cpumask_t"))
		return CTL_CPUMASK;
	if ((dynamic || strchr(type, '[')) && strstr(type, "char"))
		return CTL_STRING;
	if (strcmp(type, "char *") == 0 || strcmp(type, "const char *") == 0)
		return CTL_STRING;
	return dynamic || strchr(type, '[') ? CTL_BYTES : CTL_NUMBER;
}

/* Split "char prev_comm[16]" or "__data_loc char[] name", @len bytes, into type and name */
static int split_declaration(const char *decl, size_t len, struct ctl_field *f)
{
	size_t name_end = len, name, type_end;

	if (len && decl[len - 1] == ']')
		while (name_end && decl[--name_end] != '[')
			;
	for (name = name_end; name && decl[name - 1] != ' ' && decl[name - 1] != '*'; name--)
		;
	for (type_end = name; type_end && decl[type_end - 1] == ' '; type_end--)
		;
	if (name == name_end || !type_end)
		return -EBADMSG;

	f->name = strndup(decl + name, name_end - name);
	if (!f->name || asprintf(&f->type, "%.*s%.*s", (int)type_end, decl,
				 (int)(len - name_end), decl + name_end) < 0) {
		f->type = NULL;
		return -ENOMEM;
	}
	f->kind = kind_of(f->type);
	return 0;
}

/* @line: "field:TYPE NAME;\toffset:N;\tsize:N;\tsigned:N;" */
static int parse_field(const char *line, size_t len, struct ctl_field *f)
{
	const char *decl = line + strlen("field:");
	const char *semicolon = memchr(line, ';', len);
	const char *tail;
	unsigned int is_signed = 0;

	if (!semicolon)
		return -EBADMSG;
	tail = semicolon + 1;
	if (sscanf(tail, " offset:%u; size:%u; signed:%u;", &f->offset, &f->size, &is_signed) < 2)
		return -EBADMSG;
	f->is_signed = is_signed;
	return split_declaration(decl, semicolon - decl, f);
}

static int add_field(struct ctl_format *f, const char *line, size_t len, bool is_common)
{
	struct ctl_field *field = array_add(f->fields, f->nr_fields);

	if (!field)
		return -ENOMEM;
	*field = (struct ctl_field){ .is_common = is_common };
	return parse_field(line, len, field);
}

static int parse_name(struct ctl_format *f, const char *text, size_t len)
{
	if (f->name)
		return -EBADMSG;
	f->name = strndup(text, len);
	return f->name ? 0 : -ENOMEM;
}

/* An empty line separates the common fields from those of the event. */
static int parse_line(struct ctl_format *f, const char *line, size_t len, bool is_common)
{
	if (len > 6 && memcmp(line, "name: ", 6) == 0)
		return parse_name(f, line + 6, len - 6);
	if (len > 4 && memcmp(line, "ID: ", 4) == 0)
		f->id = strtoul(line + 4, NULL, 10);
	if (len > 7 && memcmp(line, "\tfield:", 7) == 0)
		return add_field(f, line + 1, len - 1, is_common);
	return 0;
}

struct ctl_format *ctl_format_parse(const char *text, struct kt_err *err)
{
	struct ctl_format *f = calloc(1, sizeof(*f));
	bool is_common = true;
	int ret = f ? 0 : -ENOMEM;

	while (ret == 0 && *text && !str_starts(text, "print fmt:")) {
		size_t len = strcspn(text, "\n");

		if (!len && f->nr_fields)
			is_common = false;
		ret = parse_line(f, text, len, is_common);
		if (ret == -EBADMSG)
			kt_err_set(err, ret, "event format: no field declaration in '%.*s'",
				   (int)len, text);
		text += len + (text[len] == '\n');
	}
	if (ret == 0)
		return f;
	kt_err_result(err, ret);
	ctl_format_destroy(f);
	return NULL;
}

struct ctl_format *ctl_format_read(const struct kt_instance *inst, const char *dir,
				   struct kt_err *err)
{
	struct ctl_format *f = NULL;
	char *file, *text;

	if (asprintf(&file, "%s/format", dir) < 0) {
		kt_err_no_memory(err);
		return NULL;
	}
	text = kt_instance_read(inst, file, err);
	if (text)
		f = ctl_format_parse(text, err);
	free(text);
	free(file);
	return f;
}

void ctl_format_destroy(struct ctl_format *f)
{
	size_t i;

	if (!f)
		return;
	for (i = 0; i < f->nr_fields; i++) {
		free(f->fields[i].name);
		free(f->fields[i].type);
	}
	free(f->fields);
	free(f->name);
	free(f);
}

const struct ctl_field *ctl_format_field(const struct ctl_format *f, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < f->nr_fields; i++)
		if (strlen(f->fields[i].name) == len && memcmp(f->fields[i].name, name, len) == 0)
			return &f->fields[i];
	return NULL;
}

const char *ctl_format_hint(const struct ctl_format *f, const char *name, size_t len,
			    char buf[SUGGEST_SIZE])
{
	const char **names = calloc(f->nr_fields + 1, sizeof(*names)), *near = NULL;
	char *word = strndup(name, len);
	size_t i;

	for (i = 0; names && i < f->nr_fields; i++)
		names[i] = f->fields[i].name;
	suggest_one(word ? word : "", names, buf);
	if (word && names && f->missed) {
		near = str_nearest(word, names);
		snprintf(f->missed->name, sizeof(f->missed->name), "%s", word);
		snprintf(f->missed->near, sizeof(f->missed->near), "%s", near ? near : "");
	}
	free(names);
	free(word);
	return buf;
}
