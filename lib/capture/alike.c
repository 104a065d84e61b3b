/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* alike.c - captures like an earlier one: counted in a list, not kept */
#include "capture/capture.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <ktrail/why.h>

#include "base/array.h"
#include "base/str.h"

#define ENTRIES 10000		/* per list; the oldest are dropped */

/* A line of "NAME-alike.tsv": file, number of similar captures, time of the last one, key */
struct entry {
	char *file, *last, *key;
	uint64_t nr;
};

struct alike {
	char *path, *temporary;		/* the list, and its new version while it is written */
	struct entry *entries;
	size_t nr;
	struct str said;
};

/* ---- when two captures are alike ---- */

/*
 * Similar captures still differ in pids, CPUs, addresses and durations: leave these out.
 */
static void add_folded(struct str *key, const char *text)
{
	const char *took = strstr(text, " took "), *p;

	for (p = text; *p && p != took;) {
		if (!isdigit((unsigned char)*p)) {
			str_addc(key, (unsigned char)*p < ' ' ? ' ' : *p);
			p++;
			continue;
		}
		str_addc(key, '#');
		while (isxdigit((unsigned char)*p) || *p == 'x' || *p == '.')
			p++;
	}
}

/* The child of line @i that took longest; if @i is SIZE_MAX, the top line that did */
static size_t largest_below(struct kt_why *w, size_t i)
{
	unsigned int depth = i == SIZE_MAX ? 0 : kt_why_line(w, i)->depth + 1;
	const struct kt_why_line *line;
	size_t k, best = SIZE_MAX;
	uint64_t most = 0;

	for (k = i == SIZE_MAX ? 0 : i + 1; k < kt_why_nr(w); k++) {
		line = kt_why_line(w, k);
		if (line->depth < depth)
			break;
		if (line->depth == depth && line->ns > most) {
			most = line->ns;
			best = k;
		}
	}
	return best;
}

static void add_top(struct str *key, struct kt_why *w)
{
	size_t i = largest_below(w, SIZE_MAX), steps;
	const char *text;

	for (steps = 0; i != SIZE_MAX && steps < 2; steps++, i = largest_below(w, i)) {
		text = kt_why_text(w, i);
		str_add(key, "; ");
		add_folded(key, text ? text : "");
	}
}

/* The top lines of `why` for the cause; "" if it is not a latency of a task */
static void add_why(struct str *key, const char *path, const struct kt_cause *cause)
{
	const struct kt_why_opts o = { .pid = cause->pid, .from = cause->from, .until = cause->at };
	struct kt_pass_opts pass = { .nr_windows = 1, .threads = 1 };
	struct kt_window window;
	struct kt_trace *t;
	struct kt_why *w;

	if (cause->pid <= 0 || cause->from >= cause->at)
		return;
	t = kt_trace_create();
	w = t && kt_trace_add(t, path, NULL, NULL) == 0 ? kt_why_create(t, &o, NULL) : NULL;
	if (w) {
		window = kt_why_window(w);
		pass.windows = &window;
		if (kt_pass_run(t, (struct kt_analysis *[]){ kt_why_analysis(w) }, 1, &pass,
				NULL) == 0)
			add_top(key, w);
	}
	kt_why_destroy(w);
	kt_trace_destroy(t);
}

/* ---- the list ---- */

static void free_entry(struct entry *e)
{
	free(e->file);
	free(e->last);
	free(e->key);
}

static bool add_entry(struct alike *a, const char *file, uint64_t nr, const char *last,
		      const char *key)
{
	struct entry *e;

	if (!array_reserve(a->entries, a->nr))
		return false;
	e = &a->entries[a->nr];
	*e = (struct entry){ strdup(file), strdup(last), strdup(key), nr };
	if (!e->file || !e->last || !e->key) {
		free_entry(e);
		return false;
	}
	a->nr++;
	return true;
}

static void remove_entry(struct alike *a, size_t i)
{
	free_entry(&a->entries[i]);
	a->nr--;
	memmove(&a->entries[i], &a->entries[i + 1], (a->nr - i) * sizeof(*a->entries));
}

/* Skips comments and malformed lines. */
static void read_list(struct alike *a, char *text)
{
	char *line, *file, *nr, *last;

	while ((line = strsep(&text, "\n"))) {
		file = strsep(&line, "\t");
		nr = strsep(&line, "\t");
		last = strsep(&line, "\t");
		if (line && *file && *file != '#' && a->nr < ENTRIES)
			add_entry(a, file, strtoull(nr, NULL, 10), last, line);
	}
}

static void write_list(const struct alike *a)
{
	FILE *f = fopen(a->temporary, "we");
	bool failed;
	size_t i;

	if (!f)
		return;
	fprintf(f, "# file\tcaptures like it\tthe last one\tcause; top of why\n");
	for (i = 0; i < a->nr; i++)
		fprintf(f, "%s\t%" PRIu64 "\t%s\t%s\n", a->entries[i].file, a->entries[i].nr,
			a->entries[i].last, a->entries[i].key);
	failed = ferror(f);
	if (fclose(f) != 0 || failed || rename(a->temporary, a->path) < 0)
		unlink(a->temporary);
}

struct alike *alike_open(const struct store *store, struct kt_err *err)
{
	struct alike *a = calloc(1, sizeof(*a));
	struct str text = STR_INIT;

	if (a) {
		a->said = (struct str)STR_INIT;
		a->path = store_path(store, "alike.tsv");
		a->temporary = store_path(store, "alike.tsv.new");
	}
	if (!a || !a->path || !a->temporary) {
		alike_close(a);
		kt_err_no_memory(err);
		return NULL;
	}
	if (str_read_file(&text, a->path) == 0 && !text.failed)
		read_list(a, text.buf);
	str_fini(&text);
	return a;
}

void alike_close(struct alike *a)
{
	if (!a)
		return;
	while (a->nr)
		free_entry(&a->entries[--a->nr]);
	free(a->entries);
	free(a->path);
	free(a->temporary);
	str_fini(&a->said);
	free(a);
}

/* Files are in the folder of the list. */
static bool has_file(const struct alike *a, const struct entry *e)
{
	struct str path = STR_INIT;
	bool has;

	str_addf(&path, "%.*s%s", (int)(str_base_name(a->path) - a->path), a->path, e->file);
	has = !path.failed && access(path.buf, F_OK) == 0;
	str_fini(&path);
	return has;
}

static void format_now(char *text, size_t size)
{
	time_t now = time(NULL);
	struct tm tm;

	strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
}

static const char *count(struct alike *a, struct entry *e)
{
	char now[32], *last;

	format_now(now, sizeof(now));
	last = strdup(now);
	if (last) {
		free(e->last);
		e->last = last;
	}
	e->nr++;
	str_reset(&a->said);
	str_addf(&a->said, "it is like %s, number %" PRIu64 " since then", e->file, e->nr);
	return a->said.failed ? "it is like an earlier one" : a->said.buf;
}

const char *alike_find(struct alike *a, const struct kt_capture_note *note, const char *path)
{
	const struct kt_cause *cause = &note->causes[0];
	struct str key = STR_INIT;
	const char *found = NULL;
	char now[32];
	size_t i;

	add_folded(&key, cause->text);
	add_why(&key, path, cause);
	for (i = a->nr; i-- > 0;)
		if (!has_file(a, &a->entries[i]))
			remove_entry(a, i);
	for (i = 0; !key.failed && i < a->nr && !found; i++)
		if (strcmp(a->entries[i].key, key.buf) == 0)
			found = count(a, &a->entries[i]);
	if (!found && !key.failed) {
		format_now(now, sizeof(now));
		if (a->nr == ENTRIES)
			remove_entry(a, 0);
		add_entry(a, str_base_name(path), 0, now, key.buf);
	}
	str_fini(&key);
	write_list(a);
	return found;
}
