/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* format.c - information from a format text that needs no full parser */
#include "format/format.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

/* Generous multiples of the kernel's largest: 6 KB of text, 80 fields of 60 characters. */
#define MAX_TEXT	(128 * 1024)
#define MAX_FIELDS	1000
#define MAX_DECLARATION	500
#define MAX_RECORD	65536		/* offsets of dynamic arrays have 16 bits */
#define PRINT_FMT	"print fmt: "

struct span {
	const char *p, *end;
};

static bool next_line(struct span *rest, struct span *line)
{
	const char *eol;

	if (rest->p >= rest->end)
		return false;
	eol = memchr(rest->p, '\n', rest->end - rest->p);
	*line = (struct span){ rest->p, eol ? eol : rest->end };
	rest->p = eol ? eol + 1 : rest->end;
	return true;
}

static bool skip(struct span *s, const char *prefix)
{
	size_t len = strlen(prefix);

	if ((size_t)(s->end - s->p) < len || memcmp(s->p, prefix, len) != 0)
		return false;
	s->p += len;
	return true;
}

static bool parse_number(struct span *s, uint32_t *value)
{
	uint32_t v = 0;

	if (s->p == s->end || !isdigit((unsigned char)*s->p))
		return false;
	for (; s->p < s->end && isdigit((unsigned char)*s->p); s->p++)
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *s->p - '0', &v))
			return false;
	*value = v;
	return true;
}

bool format_head(struct kt_blob text, struct format_head *head)
{
	struct span rest = { text.data, text.data + text.size }, line;
	uint32_t id;
	int i;

	head->name = NULL;
	for (i = 0; i < 4 && next_line(&rest, &line); i++) {
		if (skip(&line, "name: ")) {
			head->name = line.p;
			head->name_len = line.end - line.p;
		} else if (skip(&line, "ID: ")) {
			if (!parse_number(&line, &id) || id > UINT16_MAX)
				return false;
			head->id = id;
			head->after_id = rest.p - text.data;
			return head->name && head->name_len;
		} else if (skip(&line, PRINT_FMT)) {
			return false;
		}
	}
	return false;
}

/* The part of a field's line after its declaration: "offset:8;\tsize:16;…" */
static bool parse_place(struct span line, struct format_place *place)
{
	const char *p = memmem(line.p, line.end - line.p, "offset:", 7);

	if (!p)
		return false;
	line.p = p + 7;
	if (!parse_number(&line, &place->offset))
		return false;
	p = memmem(line.p, line.end - line.p, "size:", 5);
	if (!p)
		return false;
	line.p = p + 5;
	return parse_number(&line, &place->size);
}

static bool is_field(struct span line, struct span *decl)
{
	const char *semi;

	while (line.p < line.end && (*line.p == '\t' || *line.p == ' '))
		line.p++;
	if (!skip(&line, "field:"))
		return false;
	semi = memchr(line.p, ';', line.end - line.p);
	*decl = (struct span){ line.p, semi ? semi : line.end };
	return true;
}

/* Does the declaration "type name" or "type name[N]" end in that name? */
static bool declares(struct span decl, const char *name)
{
	const char *bracket = memrchr(decl.p, '[', decl.end - decl.p);
	size_t len = strlen(name);

	/* Not the bracket of "__data_loc char[] name" */
	if (bracket && decl.end[-1] == ']')
		decl.end = bracket;
	return (size_t)(decl.end - decl.p) > len && memcmp(decl.end - len, name, len) == 0 &&
	       !isalnum((unsigned char)decl.end[-(long)len - 1]) && decl.end[-(long)len - 1] != '_';
}

bool format_place(struct kt_blob text, const char *name, struct format_place *place)
{
	struct span rest = { text.data, text.data + text.size }, line, decl;

	while (next_line(&rest, &line))
		if (is_field(line, &decl) && declares(decl, name))
			return parse_place(line, place);
	return false;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/*
 * "const char * name", "__data_loc u8[] name", "u8 name[16]": words, stars and at most one
 * array; also "__data_loc char[][2] name", for the strings of a probe
 */
static bool is_declaration(struct span decl)
{
	int brackets = 0;
	bool inside = false;

	if (decl.p == decl.end || !is_name_char(*decl.p))
		return false;
	for (; decl.p < decl.end; decl.p++) {
		if (*decl.p == '[') {
			if (inside || (brackets++ && (brackets > 2 || memcmp(decl.p - 2, "[]", 2))))
				return false;
			inside = true;
		} else if (*decl.p == ']') {
			if (!inside)
				return false;
			inside = false;
		} else if (!is_name_char(*decl.p) && *decl.p != ' ' && (*decl.p != '*' || inside)) {
			return false;
		}
	}
	return !inside && decl.end[-1] != ' ' && decl.end[-1] != '*';
}

/* ";\toffset:8;\tsize:16;\tsigned:0;"; old kernels omit the last part */
static bool is_place(struct span line, struct format_place *place)
{
	if (!skip(&line, ";\toffset:") || !parse_number(&line, &place->offset) ||
	    !skip(&line, ";\tsize:") || !parse_number(&line, &place->size) || !skip(&line, ";"))
		return false;
	if (line.p == line.end)
		return true;
	return (skip(&line, "\tsigned:0;") || skip(&line, "\tsigned:1;")) && line.p == line.end;
}

static int check_field(struct span line, struct span decl, int nr, struct kt_err *err)
{
	struct format_place place;

	if (nr > MAX_FIELDS)
		return kt_err_set(err, -E2BIG, "more than %d fields", MAX_FIELDS);
	if (decl.end - decl.p > MAX_DECLARATION || !is_declaration(decl))
		return kt_err_set(err, -EINVAL, "field %d is not a declaration", nr);
	line.p = decl.end;
	if (!is_place(line, &place))
		return kt_err_set(err, -EINVAL, "field %d has no offset and size", nr);
	if (place.offset > MAX_RECORD || place.size > MAX_RECORD - place.offset)
		return kt_err_set(err, -EINVAL, "field %d lies outside of any record", nr);
	return 0;
}

static bool is_plain_name(struct span s)
{
	const char *p;

	for (p = s.p; p < s.end; p++)
		if (!is_name_char(*p) && !strchr(".-:", *p))
			return false;
	return s.p < s.end && s.end - s.p <= MAX_DECLARATION;
}

/* Lines before the print format must be name, ID, format or a field. */
static int check_line(struct span line, int *nr, struct kt_err *err)
{
	struct span decl;
	uint32_t id;

	if (is_field(line, &decl))
		return check_field(line, decl, ++*nr, err);
	if (line.p == line.end ||
	    (skip(&line, "name: ") && is_plain_name(line)) ||
	    (skip(&line, "ID: ") && parse_number(&line, &id) && line.p == line.end) ||
	    (skip(&line, "format:") && line.p == line.end))
		return 0;
	return kt_err_set(err, -EINVAL, "unexpected line");
}

int format_check(struct kt_blob text, size_t *print_fmt, struct kt_err *err)
{
	struct span rest = { text.data, text.data + text.size }, line;
	int nr = 0, ret;

	if (text.size > MAX_TEXT)
		return kt_err_set(err, -E2BIG, "an event format cannot have %zu bytes",
				  text.size);
	if (memchr(text.data, '\0', text.size))
		return kt_err_set(err, -EINVAL, "a zero byte in the text");
	while (next_line(&rest, &line)) {
		if (skip(&line, PRINT_FMT)) {
			*print_fmt = line.p - text.data;
			return 0;
		}
		ret = check_line(line, &nr, err);
		if (ret < 0)
			return ret;
	}
	return kt_err_set(err, -EINVAL, "no print format");
}
