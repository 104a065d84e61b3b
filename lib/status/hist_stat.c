/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* hist_stat.c - read, sort and summarize a live hist table */
#include <ktrail/status.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kt_hists *kt_hists_read(const struct kt_instance *inst, const char *event,
			       struct kt_err *err)
{
	struct kt_hists *hists = NULL;
	size_t system = strcspn(event, ":/");
	char *file, *text = NULL;

	if (asprintf(&file, "events/%.*s/%s/hist", (int)system, event,
		     event[system] ? event + system + 1 : "") < 0) {
		kt_err_no_memory(err);
		return NULL;
	}
	if (kt_instance_has(inst, file))
		text = kt_instance_read(inst, file, err);
	else
		kt_err_set(err, -ENOTSUP, "%s: this kernel has no hist triggers "
			   "(CONFIG_HIST_TRIGGERS=y)", event);
	if (text)
		hists = kt_hists_parse(text, err);
	free(text);
	free(file);
	return hists;
}

struct order {
	bool by_key, descending;
	size_t column;
};

bool kt_hist_column(const struct kt_hist *h, const char *name, bool *is_key, size_t *column)
{
	size_t i;

	for (i = 0; i < h->nr_keys + h->nr_values; i++) {
		*is_key = i < h->nr_keys;
		*column = *is_key ? i : i - h->nr_keys;
		if (strcmp(name, *is_key ? h->key_names[*column] : h->value_names[*column]) == 0)
			return true;
	}
	return false;
}

/* Numbers come before texts: compared as bytes with a text, 9 < 10 < "5x" < 9 would be a cycle. */
static int compare_keys(const struct kt_hist_key *a, const struct kt_hist_key *b)
{
	if (a->is_number != b->is_number)
		return a->is_number ? -1 : 1;
	if (a->is_number)
		return (a->low > b->low) - (a->low < b->low);
	return strcmp(a->text, b->text);
}

static int compare_rows(const void *one, const void *two, void *data)
{
	const struct kt_hist_row *a = one, *b = two;
	const struct order *o = data;
	int order;

	if (o->by_key)
		order = compare_keys(&a->keys[o->column], &b->keys[o->column]);
	else
		order = (a->values[o->column] > b->values[o->column]) -
			(a->values[o->column] < b->values[o->column]);
	return o->descending ? -order : order;
}

/* qsort_r of glibc may not be stable: the position keeps equal rows in order */
struct placed {
	struct kt_hist_row row;		/* first, so that compare_rows() can read it */
	size_t place;
};

static int compare_placed(const void *one, const void *two, void *data)
{
	const struct placed *a = one, *b = two;
	int order = compare_rows(one, two, data);

	return order ? order : (a->place > b->place) - (a->place < b->place);
}

void kt_hist_sort(struct kt_hist *h, bool by_key, size_t column, bool descending)
{
	struct order o = { .by_key = by_key, .descending = descending, .column = column };
	struct placed *rows = calloc(h->nr_rows ? h->nr_rows : 1, sizeof(*rows));
	size_t i;

	if (!rows)		/* without memory, the order of the kernel remains */
		return;
	for (i = 0; i < h->nr_rows; i++)
		rows[i] = (struct placed){ .row = h->rows[i], .place = i };
	qsort_r(rows, h->nr_rows, sizeof(*rows), compare_placed, &o);
	for (i = 0; i < h->nr_rows; i++)
		h->rows[i] = rows[i].row;
	free(rows);
}

bool kt_hist_is_buckets(const struct kt_hist *h, size_t key)
{
	size_t i;

	for (i = 0; i < h->nr_rows; i++)
		if (h->rows[i].keys[key].is_number &&
		    h->rows[i].keys[key].low != h->rows[i].keys[key].high)
			return true;
	return false;
}

void kt_hist_sort_default(struct kt_hist *h)
{
	/* The kernel shows "sort=hitcount" if the user did not choose an order. */
	const char *sort = strstr(h->trigger, ":sort=hitcount");

	if (!sort || (sort[strlen(":sort=hitcount")] != ':' && sort[strlen(":sort=hitcount")]))
		return;
	if (h->nr_keys == 1 && kt_hist_is_buckets(h, 0))
		kt_hist_sort(h, true, 0, false);
	else
		kt_hist_sort(h, false, 0, true);
}

uint64_t kt_hist_total(const struct kt_hist *h, size_t value)
{
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < h->nr_rows; i++)
		total += h->rows[i].values[value];
	return total;
}

int kt_hist_percentile(const struct kt_hist *h, size_t key, double percent, double *out)
{
	struct order o = { .by_key = true, .column = key };
	double want = kt_hist_total(h, 0) * percent / 100, seen = 0;
	struct kt_hist_row *rows;
	size_t i;

	for (i = 0; i < h->nr_rows; i++)
		if (!h->rows[i].keys[key].is_number)
			return -EINVAL;
	if (kt_hist_total(h, 0) == 0)
		return -ENODATA;
	rows = calloc(h->nr_rows, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	memcpy(rows, h->rows, h->nr_rows * sizeof(*rows));
	qsort_r(rows, h->nr_rows, sizeof(*rows), compare_rows, &o);

	for (i = 0; i < h->nr_rows; ) {
		const struct kt_hist_key *k = &rows[i].keys[key];
		double hits = 0;

		/* With several keys, one value may have several rows. */
		for (; i < h->nr_rows && compare_keys(&rows[i].keys[key], k) == 0; i++)
			hits += rows[i].values[0];
		if (hits == 0)
			continue;
		/* The last value with hits is the maximum, even if rounding makes the sum too
		 * small. */
		*out = k->high;
		if (seen + hits >= want) {
			*out = k->low + (k->high - k->low) * (want - seen) / hits;
			break;
		}
		seen += hits;
	}
	free(rows);
	return 0;
}
