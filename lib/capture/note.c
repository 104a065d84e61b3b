/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* note.c - the causes of a capture and its window, as the text of an option in its file */
#include "capture/capture.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "window FROM UNTIL MISSING MORE", then "cause AT FROM PID CPU TEXT" for each; decimal */
void note_add_text(const struct kt_capture_note *n, struct str *s)
{
	size_t i;

	str_addf(s, "window %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", n->from, n->until,
		 n->missing, n->nr_more);
	for (i = 0; i < n->nr; i++) {
		const struct kt_cause *c = &n->causes[i];

		str_addf(s, "cause %" PRIu64 " %" PRIu64 " %d %d %s\n", c->at, c->from, c->pid,
			 c->cpu, c->text);
	}
}

/* @nr numbers after the word @name; NULL: the text differs */
static const char *read_numbers(const char *line, const char *name, int64_t *numbers, size_t nr)
{
	char *end;
	size_t i;

	if (!str_starts(line, name))
		return NULL;
	line += strlen(name);
	for (i = 0; i < nr; i++, line = end) {
		if (*line != ' ')
			return NULL;
		numbers[i] = strtoll(line + 1, &end, 10);
		if (end == line + 1)
			return NULL;
	}
	return line;
}

static bool read_cause(const char *line, struct kt_cause *c)
{
	int64_t n[4];
	const char *text = read_numbers(line, "cause", n, 4);
	size_t len;

	if (!text || *text != ' ' || n[0] < 0 || n[1] < 0 || n[1] > n[0] || n[2] < -1 ||
	    n[2] > INT32_MAX || n[3] < -1 || n[3] > INT32_MAX)
		return false;
	*c = (struct kt_cause){ .at = (uint64_t)n[0], .from = (uint64_t)n[1], .pid = (int)n[2],
				.cpu = (int)n[3] };
	text++;
	len = strcspn(text, "\n");
	if (len >= sizeof(c->text))
		len = sizeof(c->text) - 1;
	memcpy(c->text, text, len);
	return true;
}

static int read_text(const char *text, struct kt_capture_note *out)
{
	int64_t n[4];
	const char *line = read_numbers(text, "window", n, 4);

	if (!line || n[0] < 0 || n[1] < n[0] || n[2] < 0 || n[3] < 0)
		return -EBADMSG;
	*out = (struct kt_capture_note){
		.from = (uint64_t)n[0], .until = (uint64_t)n[1], .missing = (uint64_t)n[2],
		.nr_more = (uint64_t)n[3],
	};
	for (; *line == '\n' && line[1] && out->nr < KT_CAUSES; line += strcspn(line, "\n"))
		if (!read_cause(++line, &out->causes[out->nr++]))
			return -EBADMSG;
	return out->nr ? 0 : -EBADMSG;
}

int kt_capture_read_note(const struct kt_file *file, struct kt_capture_note *out)
{
	const struct kt_option *o = kt_file_find_option(file, KT_OPTION_CAPTURE);
	char *text;
	int ret;

	if (!o)
		return -ENOENT;
	text = strndup(o->raw.data, o->raw.size);
	ret = text ? read_text(text, out) : -ENOMEM;
	free(text);
	return ret;
}
