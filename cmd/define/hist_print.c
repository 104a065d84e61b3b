/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hist_print.c - one hist table for people, and for programs */
#include "hist_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/print/columns.h"
#include "cmd/print/pager.h"
#include "cmd/print/safe.h"

#define BAR_WIDTH  40		/* of the longest bar … */
#define BAR_LEAST  8		/* of the longest bar in a narrow terminal */
#define CELL_WIDTH 12		/* columns of each other cell there */

static const double percents[] = { 50, 90, 99, 99.9 };

static size_t nr_shown(const struct kt_hist *h, int top)
{
	return top > 0 && (size_t)top < h->nr_rows ? (size_t)top : h->nr_rows;
}

static bool is_stack(const struct kt_hist *h, size_t key)
{
	return strstr(h->key_names[key], "stacktrace") != NULL;
}

/* Eighths of a block if the terminal supports them, otherwise '#' */
static void bar(struct str *s, double part, int width)
{
	static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	bool utf8 = *safe_sign("u", "");
	int units = part * width * 8 + 0.5, i;

	for (i = 0; i < units / 8; i++)
		str_add(s, utf8 ? "█" : "#");
	if (utf8)
		str_add(s, eighths[units % 8]);
	else if (!units)
		str_add(s, part > 0 ? "." : "");
}

static int longest_bar(const struct kt_hist *h)
{
	int room = pager_width() - CELL_WIDTH * (int)(h->nr_keys + h->nr_values + 1);

	if (!pager_width() || room > BAR_WIDTH)
		return BAR_WIDTH;
	return room > BAR_LEAST ? room : BAR_LEAST;
}

static void add_key(struct columns *c, const struct kt_hist_key *key)
{
	if (key->is_number && key->low != key->high)
		columns_addf(c, "%" PRId64 " - %" PRId64, key->low, key->high);
	else
		columns_add(c, key->text);
}

static void add_row(struct columns *c, const struct kt_hist *h, const struct kt_hist_row *row,
		    uint64_t total, uint64_t most)
{
	struct str s = STR_INIT;
	size_t i;

	for (i = 0; i < h->nr_keys; i++)
		if (is_stack(h, i))
			columns_addf(c, "#%zu", (size_t)(row - h->rows) + 1);
		else
			add_key(c, &row->keys[i]);
	for (i = 0; i < h->nr_values; i++)
		columns_addf(c, "%" PRIu64, row->values[i]);
	columns_addf(c, "%.1f%%", total ? 100.0 * row->values[0] / total : 0);
	bar(&s, most ? (double)row->values[0] / most : 0, longest_bar(h));
	columns_addf(c, "%s%s%s", s.buf, *row->saved ? "  " : "", row->saved);
	str_fini(&s);
}

static char *head_of(const struct kt_hist *h)
{
	struct str s = STR_INIT;
	size_t i;

	for (i = 0; i < h->nr_keys; i++)
		str_addf(&s, "%s%s|", h->key_names[i],
			 h->nr_rows && h->rows[0].keys[i].is_number ? ">" : "");
	for (i = 0; i < h->nr_values; i++)
		str_addf(&s, "%s>|", h->value_names[i]);
	str_add(&s, "%>|");
	return str_take(&s);
}

/* Stacks take several lines: they follow the table, by number. */
static void print_stacks(const struct kt_hist *h, size_t nr)
{
	size_t row, key;

	for (key = 0; key < h->nr_keys; key++)
		for (row = 0; is_stack(h, key) && row < nr; row++) {
			const char *p = h->rows[row].keys[key].text;

			printf("\n#%zu\n", row + 1);
			for (; *p; p += strcspn(p, " "), p += *p == ' ')
				printf("  %.*s\n", (int)strcspn(p, " "), p);
		}
}

/* Only quantities have percentiles: the median of pids has no meaning. */
static bool is_quantity(const struct kt_hist *h, size_t key)
{
	return kt_hist_is_buckets(h, key) ||
	       (h->nr_keys == 1 && !strstr(h->key_names[key], "pid") &&
		!strstr(h->key_names[key], "cpu"));
}

static void print_percentiles(const struct kt_hist *h)
{
	size_t key, i;
	double value;

	for (key = 0; key < h->nr_keys; key++) {
		if (!is_quantity(h, key) || kt_hist_percentile(h, key, 50, &value) < 0)
			continue;
		printf("%s:", h->key_names[key]);
		for (i = 0; i < sizeof(percents) / sizeof(*percents); i++)
			if (kt_hist_percentile(h, key, percents[i], &value) == 0)
				printf("  p%g %.6g", percents[i], value);
		kt_hist_percentile(h, key, 100, &value);
		printf("  max %.6g\n", value);
	}
}

static void print_snapshots(const struct kt_hist *h)
{
	size_t i;

	for (i = 0; i < h->nr_snapshots; i++) {
		printf("snapshot taken when %s was %" PRIu64 ", by ", h->snapshots[i].handler,
		       h->snapshots[i].value);
		safe_put(h->snapshots[i].key);
		printf(": `%s snapshot` shows it\n", cmd_program);
	}
}

void hist_text(const char *event, const struct kt_hist *h, int top)
{
	struct columns c = { 0 };
	size_t nr = nr_shown(h, top), i;
	uint64_t total = kt_hist_total(h, 0), most = 0;
	char *head = head_of(h);

	printf("%s  %s [%s]\n", event, h->trigger, h->state);
	printf("%" PRIu64 " hits, %" PRIu64 " entries, %" PRIu64 " dropped\n", h->hits, h->entries,
	       h->dropped);
	print_percentiles(h);
	printf("\n");
	for (i = 0; i < h->nr_rows; i++)
		most = h->rows[i].values[0] > most ? h->rows[i].values[0] : most;
	c.head = head ? head : "";
	for (i = 0; head && i < nr; i++)
		add_row(&c, h, &h->rows[i], total, most);
	columns_print(&c, "empty");
	if (nr < h->nr_rows)
		printf("%s and %zu more\n", safe_sign("…", "..."), h->nr_rows - nr);
	print_stacks(h, nr);
	print_snapshots(h);
	printf("\n");
	free(head);
}

/* "keys=len:vals=len": an object has each name only once, and the value is a sum */
static void json_value(struct json *j, const struct kt_hist *h, size_t value, uint64_t sum)
{
	char name[128];
	size_t i;

	for (i = 0; i < h->nr_keys && strcmp(h->key_names[i], h->value_names[value]) != 0; i++)
		;
	snprintf(name, sizeof(name), "%s%s", h->value_names[value], i < h->nr_keys ? ".sum" : "");
	json_uint(j, name, sum);
}

static void json_row(struct json *j, const struct kt_hist *h, const struct kt_hist_row *row,
		     uint64_t total)
{
	size_t i;

	json_open(j, NULL, '{');
	for (i = 0; i < h->nr_keys; i++) {
		const struct kt_hist_key *key = &row->keys[i];

		json_open(j, h->key_names[i], '{');
		json_str(j, "text", key->text);
		if (key->is_number) {
			json_int(j, "low", key->low);
			json_int(j, "high", key->high);
		}
		json_close(j, '}');
	}
	for (i = 0; i < h->nr_values; i++)
		json_value(j, h, i, row->values[i]);
	json_real(j, "percent", total ? 100.0 * row->values[0] / total : 0);
	if (*row->saved)
		json_str(j, "saved", row->saved);
	json_close(j, '}');
}

void hist_json(struct json *j, const char *event, const struct kt_hist *h, int top)
{
	size_t nr = nr_shown(h, top), i, key;
	uint64_t total = kt_hist_total(h, 0);
	char name[32];
	double value;

	json_open(j, NULL, '{');
	json_str(j, "event", event);
	json_str(j, "trigger", h->trigger);
	json_str(j, "state", h->state);
	json_uint(j, "hits", h->hits);
	json_uint(j, "entries", h->entries);
	json_uint(j, "dropped", h->dropped);
	json_open(j, "percentiles", '{');
	for (key = 0; key < h->nr_keys; key++) {
		if (kt_hist_percentile(h, key, 50, &value) < 0)
			continue;
		json_open(j, h->key_names[key], '{');
		for (i = 0; i < sizeof(percents) / sizeof(*percents); i++) {
			snprintf(name, sizeof(name), "p%g", percents[i]);
			kt_hist_percentile(h, key, percents[i], &value);
			json_real(j, name, value);
		}
		json_close(j, '}');
	}
	json_close(j, '}');
	json_open(j, "rows", '[');
	for (i = 0; i < nr; i++)
		json_row(j, h, &h->rows[i], total);
	json_close(j, ']');
	json_open(j, "snapshots", '[');
	for (i = 0; i < h->nr_snapshots; i++) {
		json_open(j, NULL, '{');
		json_str(j, "handler", h->snapshots[i].handler);
		json_uint(j, "value", h->snapshots[i].value);
		json_str(j, "key", h->snapshots[i].key);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}
