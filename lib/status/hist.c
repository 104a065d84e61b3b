/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* hist.c - parse the text of a hist file */
#include <ktrail/status.h>

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"

static void free_names(char **names, size_t nr)
{
	while (nr)
		free(names[--nr]);
	free(names);
}

static void free_row(struct kt_hist_row *row, size_t nr_keys)
{
	size_t i;

	for (i = 0; row->keys && i < nr_keys; i++)
		free(row->keys[i].text);
	free(row->keys);
	free(row->values);
	free(row->saved);
}

static void free_hist(struct kt_hist *h)
{
	size_t i;

	for (i = 0; i < h->nr_rows; i++)
		free_row(&h->rows[i], h->nr_keys);
	free(h->rows);
	for (i = 0; i < h->nr_snapshots; i++) {
		free(h->snapshots[i].handler);
		free(h->snapshots[i].key);
	}
	free(h->snapshots);
	free_names(h->key_names, h->nr_keys);
	free_names(h->value_names, h->nr_values);
	free(h->trigger);
	free(h->state);
}

void kt_hists_destroy(struct kt_hists *hists)
{
	size_t i;

	if (!hists)
		return;
	for (i = 0; i < hists->nr; i++)
		free_hist(&hists->at[i]);
	free(hists->at);
	free(hists);
}

static int add_name(char ***names, size_t *nr, const char *name, size_t len)
{
	char **grown = reallocarray(*names, *nr + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	*names = grown;
	grown[*nr] = strndup(name, len);
	if (!grown[*nr])
		return -ENOMEM;
	++*nr;
	return 0;
}

/* @list: "a.log2,b=hitcount,c": the names, without modifiers. For "x=…" the kernel uses the name
 * x. */
static int add_names(char ***names, size_t *nr, const char *list, size_t len)
{
	const char *end = list + len;
	int ret = 0;

	while (ret == 0 && list < end) {
		size_t word = strcspn(list, ",:");
		size_t name = strcspn(list, ",:.");

		/* "common_pid.execname" is shown as common_pid */
		if (list + word > end)
			word = end - list;
		ret = add_name(names, nr, list, name < word ? name : word);
		list += word + 1;
	}
	return ret;
}

/* The text after "@what=" in the trigger, up to ':' */
static const char *attribute(const char *trigger, const char *what, size_t *len)
{
	const char *p = trigger;
	size_t n = strlen(what);

	while ((p = strchr(p, ':'))) {
		p++;
		if (strncmp(p, what, n) == 0 && p[n] == '=') {
			*len = strcspn(p + n + 1, ":");
			return p + n + 1;
		}
	}
	return NULL;
}

/* "# trigger info: hist:keys=pid:vals=hitcount:sort=hitcount:size=2048 [active]" */
static int start_table(struct kt_hist *h, const char *info, size_t len)
{
	size_t end = len, n;
	const char *p;
	int ret;

	if (len && info[len - 1] == ']')
		while (end && info[end - 1] != '[')
			end--;
	h->state = strndup(info + end, end < len ? len - end - 1 : 0);
	while (end && (info[end - 1] == '[' || info[end - 1] == ' '))
		end--;
	h->trigger = strndup(info, end);
	if (!h->state || !h->trigger)
		return -ENOMEM;

	p = attribute(h->trigger, "keys", &n);
	if (!p)
		return -EBADMSG;
	ret = add_names(&h->key_names, &h->nr_keys, p, n);
	if (ret < 0)
		return ret;
	if (!h->nr_keys)
		return -EBADMSG;
	p = attribute(h->trigger, "vals", &n);
	ret = p ? add_names(&h->value_names, &h->nr_values, p, n) : 0;
	if (ret < 0 || h->nr_values)
		return ret;
	return add_name(&h->value_names, &h->nr_values, "hitcount", strlen("hitcount"));
}

/* Does word @nr of "keys=…" or "vals=…" have the modifier .hex? Its numbers have no 0x. */
static bool is_hex(const struct kt_hist *h, const char *list, size_t nr)
{
	size_t len, word;
	const char *p = attribute(h->trigger, list, &len), *end = p ? p + len : NULL;

	for (; p && p < end; p += word + 1) {
		word = strcspn(p, ",:");
		if (nr-- == 0)
			return memmem(p, word, ".hex", strlen(".hex"));
	}
	return false;
}

/* The range of numbers of a key: "12", "-3", "~ 2^5", "~ 10-19". @base applies to plain numbers. */
static void read_number(struct kt_hist_key *key, int base)
{
	char *end;
	int power;

	if (sscanf(key->text, "~ 2^%d", &power) == 1 && power >= 0 && power < 62) {
		/* The kernel rounds up before it takes the logarithm: 2^3 holds 5 to 8. */
		key->low = power ? (1LL << (power - 1)) + 1 : 0;
		key->high = 1LL << power;
		key->is_number = true;
		return;
	}
	if (sscanf(key->text, "~ %" SCNd64 "-%" SCNd64, &key->low, &key->high) == 2) {
		key->is_number = key->high >= key->low;
		return;
	}
	errno = 0;
	key->low = strtoll(key->text, &end, base);
	key->high = key->low;
	key->is_number = end != key->text && !*end && errno == 0;
}

/* A new copy of the text with single spaces: the kernel pads columns and breaks the lines of
 * stacks. */
static char *tidy(const char *text, size_t len)
{
	struct str s = STR_INIT;
	size_t i;

	for (i = 0; i < len; i++)
		if (!isspace((unsigned char)text[i]))
			str_addc(&s, text[i]);
		else if (s.len && s.buf[s.len - 1] != ' ')
			str_addc(&s, ' ');
	while (s.len && s.buf[s.len - 1] == ' ')
		s.buf[--s.len] = '\0';
	return str_take(&s);
}

static int set_key(struct kt_hist_key *key, const char *text, size_t len, int base)
{
	key->text = tidy(text, len);
	if (!key->text)
		return -ENOMEM;
	read_number(key, base);
	return 0;
}

/* The position of "@before@name:" at or after @p; NULL: none. @behind gets the text after it. */
static const char *find_label(const char *p, const char *end, const char *before, const char *name,
			      const char **behind)
{
	size_t nb = strlen(before), nn = strlen(name);

	for (; p + nb + nn < end; p++)
		if (memcmp(p, before, nb) == 0 && memcmp(p + nb, name, nn) == 0 &&
		    p[nb + nn] == ':') {
			*behind = p + nb + nn + 1;
			return p;
		}
	return NULL;
}

/* The last match, since the text before it may hold anything, for example in a comm. */
static const char *find_last(const char *p, const char *end, const char *before, const char *name,
			     const char **behind)
{
	const char *last = NULL, *after;

	for (; (p = find_label(p, end, before, name, &after)); p++) {
		last = p;
		*behind = after;
	}
	return last;
}

static int parse_keys(struct kt_hist *h, struct kt_hist_row *row, const char *text, const char *end)
{
	const char *label, *behind;
	size_t i;
	int ret;

	for (i = h->nr_keys; i-- > 0; end = label) {
		label = i ? find_last(text, end, ", ", h->key_names[i], &behind)
			  : find_label(text, end, "{ ", h->key_names[0], &behind);
		if (!label)
			return -EBADMSG;
		ret = set_key(&row->keys[i], behind, end - behind, is_hex(h, "keys", i) ? 16 : 0);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* " 123 bytes_req: 456\n\tmax: 7 …", the text after the first label */
static int parse_values(struct kt_hist *h, struct kt_hist_row *row, const char *p, const char *end)
{
	size_t i;
	char *stop;

	for (i = 0; i < h->nr_values; i++) {
		const char *label = i ? h->value_names[i] : "";

		if (i) {
			p += strspn(p, " ");
			if (strncmp(p, label, strlen(label)) != 0)
				return -EBADMSG;
			p += strcspn(p, ":\n");
			p += *p == ':';
		}
		row->values[i] = strtoull(p, &stop, is_hex(h, "vals", i) ? 16 : 0);
		if (stop > end)
			return -EBADMSG;
		/* Values with .percent ("12.34") and .graph ("####") are computed here from the
		 * hits. */
		p = stop + strspn(stop, ".0123456789#");
	}
	while (p < end && isspace((unsigned char)*p))
		p++;
	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	row->saved = strndup(p, end - p);
	return row->saved ? 0 : -ENOMEM;
}

/* keys=cpu is "keys=common_cpu" in the trigger, but "cpu" in the rows. The same holds for the
 * stack. */
static int use_names_of_rows(struct kt_hist *h, const char *row, const char *end)
{
	static const char common[] = "common_";
	const char *behind, *before = "{ ";
	char *shorter;
	size_t i;

	for (i = 0; i < h->nr_keys; i++, before = ", ") {
		if (!str_starts(h->key_names[i], common) ||
		    find_label(row, end, before, h->key_names[i], &behind) ||
		    !find_label(row, end, before, h->key_names[i] + strlen(common), &behind))
			continue;
		shorter = strdup(h->key_names[i] + strlen(common));
		if (!shorter)
			return -ENOMEM;
		free(h->key_names[i]);
		h->key_names[i] = shorter;
	}
	return 0;
}

/* The end of the keys, and in @values the first value. If hits are not shown, there are two
 * spaces. */
static const char *find_values(const struct kt_hist *h, const char *text, const char *end,
			       const char **values)
{
	const char *found = find_last(text, end, "} ", h->value_names[0], values);

	return found ? found : find_last(text, end, "}  ", h->value_names[0], values);
}

static int add_row(struct kt_hist *h, const char *text, size_t len)
{
	const char *values = NULL, *keys_end;
	struct kt_hist_row *row;
	int ret;

	row = array_add(h->rows, h->nr_rows);
	if (!row)
		return -ENOMEM;
	row->keys = calloc(h->nr_keys, sizeof(*row->keys));
	row->values = calloc(h->nr_values, sizeof(*row->values));
	row->saved = NULL;
	if (!row->keys || !row->values)
		return -ENOMEM;

	keys_end = find_values(h, text, text + len, &values);
	if (!keys_end)
		return -EBADMSG;
	ret = parse_keys(h, row, text, keys_end);
	return ret < 0 ? ret : parse_values(h, row, values, text + len);
}

#define SNAPSHOT "Snapshot taken (see tracing/snapshot)."

/* A row ends before the next line that begins with "{ KEY:", a note on a snapshot, or the
 * totals. */
static size_t row_len(const struct kt_hist *h, const char *row)
{
	size_t name = strlen(h->key_names[0]);
	const char *p = row;

	while ((p = strchr(p, '\n'))) {
		p++;
		if (str_starts(p, "{ ") && strncmp(p + 2, h->key_names[0], name) == 0 &&
		    p[2 + name] == ':')
			break;
		if (str_starts(p, "\nTotals:") || str_starts(p, "Totals:") ||
		    str_starts(p, SNAPSHOT) ||
		    str_starts(p, "\n" SNAPSHOT))
			break;
	}
	return p ? (size_t)(p - row) : strlen(row);
}

/*
 * "Snapshot taken (see tracing/snapshot). Details:", then (source: Linux,
 * kernel/trace/trace_events_hist.c, track_data_snapshot_print()): "\ttriggering value { onmax(lat)
 * }: 1234\ttriggered by event with key: { next_pid: 12 }"
 */
static int add_snapshot(struct kt_hist *h, const char *line)
{
	static const char value[] = "triggering value { ", by[] = "triggered by event with key: ";
	const char *p = strstr(line, value), *name, *end, *key;
	struct kt_hist_snapshot *s;

	name = p ? p + strlen(value) : NULL;
	end = name ? strstr(name, " }:") : NULL;
	key = end ? strstr(end, by) : NULL;
	if (!key)
		return -EBADMSG;
	s = array_add(h->snapshots, h->nr_snapshots);
	if (!s)
		return -ENOMEM;
	s->handler = strndup(name, end - name);
	s->value = strtoull(end + strlen(" }:"), NULL, 10);
	key += strlen(by);
	s->key = tidy(key, strcspn(key, "\n"));
	return s->handler && s->key ? 0 : -ENOMEM;
}

/* The length of a note on a snapshot: its line and the line of details */
static size_t snapshot_len(const char *text)
{
	size_t len = strcspn(text, "\n");

	return text[len] ? len + 1 + strcspn(text + len + 1, "\n") : len;
}

static void read_total(struct kt_hist *h, const char *line)
{
	uint64_t nr;

	if (sscanf(line, " Hits: %" SCNu64, &nr) == 1)
		h->hits = nr;
	else if (sscanf(line, " Entries: %" SCNu64, &nr) == 1)
		h->entries = nr;
	else if (sscanf(line, " Dropped: %" SCNu64, &nr) == 1)
		h->dropped = nr;
}

static int add_table(struct kt_hists *hs, const char *info, size_t len)
{
	struct kt_hist *h = array_add(hs->at, hs->nr);

	if (!h)
		return -ENOMEM;
	*h = (struct kt_hist){ 0 };
	return start_table(h, info, len);
}

/* @len: of the row, which may have several lines; without its last newline */
static int take_row(struct kt_hist *h, const char *text, size_t *len)
{
	int ret = h->nr_rows ? 0 : use_names_of_rows(h, text, text + strlen(text));

	if (ret < 0)
		return ret;
	*len = row_len(h, text);
	ret = add_row(h, text, *len);
	if (*len && text[*len - 1] == '\n')
		--*len;
	return ret;
}

struct kt_hists *kt_hists_parse(const char *text, struct kt_err *err)
{
	static const char info[] = "# trigger info: ";
	struct kt_hists *hs = calloc(1, sizeof(*hs));
	int ret = hs ? 0 : -ENOMEM;
	size_t len;

	for (; ret == 0 && *text; text += len + (text[len] == '\n')) {
		struct kt_hist *h = hs->nr ? &hs->at[hs->nr - 1] : NULL;

		len = strcspn(text, "\n");
		if (str_starts(text, info)) {
			ret = add_table(hs, text + strlen(info), len - strlen(info));
		} else if (str_starts(text, "{ ")) {
			ret = h ? take_row(h, text, &len) : -EBADMSG;
		} else if (h && str_starts(text, SNAPSHOT)) {
			len = snapshot_len(text);
			ret = add_snapshot(h, text + strcspn(text, "\n"));
		} else if (h) {
			read_total(h, text);
		}
		if (ret == -EBADMSG)
			kt_err_set(err, ret, "hist: cannot read '%.*s'",
				   (int)(len < 100 ? len : 100), text);
	}
	if (ret == 0)
		return hs;
	kt_err_result(err, ret);
	kt_hists_destroy(hs);
	return NULL;
}
