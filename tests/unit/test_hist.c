/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_hist.c - lib/status/hist.c and hist_stat.c */
#include <ktrail/status.h>

#include <errno.h>
#include <string.h>

#include "kt_test.h"

static const char two_keys[] =
	"# event histogram\n#\n"
	"# trigger info: hist:keys=common_pid.execname,prio:vals=hitcount,bytes_req:"
	"sort=hitcount:size=2048 [active]\n#\n\n"
	"{ common_pid: bash            [      4752], prio:        120 } "
	"hitcount:         44  bytes_req:       1024\n"
	"{ common_pid: } hitcount: 9, prio: 3  [      7], prio:         98 } "
	"hitcount:          4  bytes_req:         64\n"
	"\nTotals:\n    Hits: 48\n    Entries: 2\n    Dropped: 1\n";

static const char log2_table[] =
	"# event histogram\n#\n"
	"# trigger info: hist:keys=lat.log2:vals=hitcount:sort=lat:size=2048 [paused]\n#\n\n"
	"{ lat: ~ 2^3  } hitcount:         10\n"
	"{ lat: ~ 2^1  } hitcount:         80\n"
	"{ lat: ~ 2^6  } hitcount:         10\n"
	"\nTotals:\n    Hits: 100\n    Entries: 3\n    Dropped: 0\n";

static const char stacks_and_saves[] =
	"# event histogram\n#\n"
	"# trigger info: hist:keys=common_stacktrace:vals=hitcount:sort=hitcount:size=2048 [active]\n"
	"#\n\n"
	"{ common_stacktrace:\n"
	"         schedule+0x72/0x1a0\n"
	"         worker_thread+0xbf/0x390\n"
	"} hitcount:          3\n"
	"\nTotals:\n    Hits: 3\n    Entries: 1\n    Dropped: 0\n\n"
	"# event histogram\n#\n"
	"# trigger info: hist:keys=next_pid:vals=hitcount:lat=common_timestamp.usecs-$ts0:"
	"sort=hitcount:size=2048:clock=global:onmax($lat).save(next_comm) [active]\n#\n\n"
	"{ next_pid:       2234 } hitcount:         12\n"
	"\tmax:         66  next_comm: cyclictest\n"
	"\nTotals:\n    Hits: 12\n    Entries: 1\n    Dropped: 0\n";

/* As 6.12 prints them: two spaces before the values, another name for the CPU */
static const char without_hits[] =
	"# event histogram\n#\n"
	"# trigger info: hist:keys=prev_state,common_cpu:vals=prev_prio:sort=hitcount:size=2048:"
	"nohitcount [active]\n#\n\n"
	"{ prev_state:          2, common_cpu:          1 }  prev_prio:        840\n"
	"{ prev_state:          0, common_cpu:          0 }  prev_prio:       1200\n"
	"\nTotals:\n    Hits: 17\n    Entries: 2\n    Dropped: 0\n\n"
	"# event histogram\n#\n"
	"# trigger info: hist:keys=common_cpu:vals=hitcount:sort=hitcount:size=2048 [active]\n#\n\n"
	"{ cpu:          1 } hitcount:       4759\n"
	"{ cpu:          0 } hitcount:       5216\n"
	"\nTotals:\n    Hits: 9975\n    Entries: 2\n    Dropped: 0\n";

/* As 6.12 prints them: without 0x, so that 48 is 72 */
static const char hex_table[] =
	"# event histogram\n#\n"
	"# trigger info: hist:keys=bytes_req.hex,call_site.sym:vals=hitcount,bytes_alloc.hex,bytes_req:"
	"sort=bytes_req:size=2048 [active]\n#\n\n"
	"{ bytes_req: 48, call_site: [ffffffffa03b0339] alloc_vmap_area } "
	"hitcount:          4  bytes_alloc:        120  bytes_req:        288\n"
	"{ bytes_req: b8, call_site: [ffffffffa01083cc] prepare_creds   } "
	"hitcount:         14  bytes_alloc:        a80  bytes_req:       2576\n"
	"\nTotals:\n    Hits: 18\n    Entries: 2\n    Dropped: 0\n";

/* The kernel prints numbers without a sign: -2 is too large for a number here, so it is a text */
static const char mixed_table[] =
	"# event histogram\n#\n"
	"# trigger info: hist:keys=ret:vals=hitcount:sort=hitcount:size=2048 [active]\n#\n\n"
	"{ ret: 18446744073709551614 } hitcount:          1\n"
	"{ ret:         20 } hitcount:          1\n"
	"{ ret:          3 } hitcount:          1\n"
	"{ ret:        100 } hitcount:          1\n"
	"\nTotals:\n    Hits: 4\n    Entries: 4\n    Dropped: 0\n";

static struct kt_hists *parse(const char *text)
{
	struct kt_err err = { 0 };
	struct kt_hists *hs = kt_hists_parse(text, &err);

	CHECK_NO_ERR(&err);
	return hs;
}

TEST(keys_and_values_are_distinguished_for_any_comm)
{
	struct kt_hists *hs = parse(two_keys);
	const struct kt_hist *h = &hs->at[0];

	assert_int_equal(hs->nr, 1);
	assert_string_equal(h->state, "active");
	assert_string_equal(h->value_names[1], "bytes_req");
	assert_int_equal(h->nr_rows, 2);
	assert_string_equal(h->rows[0].keys[0].text, "bash [ 4752]");
	assert_false(h->rows[0].keys[0].is_number);
	assert_int_equal(h->rows[0].keys[1].low, 120);
	assert_int_equal(h->rows[0].values[1], 1024);
	assert_string_equal(h->rows[1].keys[0].text, "} hitcount: 9, prio: 3 [ 7]");
	assert_int_equal(h->rows[1].values[0], 4);
	assert_int_equal(h->hits, 48);
	assert_int_equal(h->dropped, 1);
	kt_hists_destroy(hs);
}

TEST(stacks_several_tables_and_saved_values_are_read)
{
	struct kt_hists *hs = parse(stacks_and_saves);

	assert_int_equal(hs->nr, 2);
	assert_string_equal(hs->at[0].rows[0].keys[0].text,
			    "schedule+0x72/0x1a0 worker_thread+0xbf/0x390");
	assert_int_equal(hs->at[0].rows[0].values[0], 3);
	assert_string_equal(hs->at[1].rows[0].saved, "max:         66  next_comm: cyclictest");
	assert_int_equal(hs->at[1].hits, 12);
	kt_hists_destroy(hs);
}

/* Linux 6.12 with onmax($lat).snapshot() and .save() */
static const char with_snapshot[] =
	"# event histogram\n#\n"
	"# trigger info: hist:keys=next_pid:vals=hitcount:lat=common_timestamp.usecs-$ts:sort=hitcount:"
	"size=2048:clock=global:onmax($lat).save(next_comm):onmax($lat).snapshot() [active]\n#\n\n"
	"{ next_pid:         17 } hitcount:          1\n"
	"\tmax:         42  next_comm: ksoftirqd/0\n"
	"{ next_pid:        146 } hitcount:          3\n"
	"\tmax:       1624  next_comm: tee\n"
	"\nSnapshot taken (see tracing/snapshot).  Details:\n"
	"\ttriggering value { onmax($lat) }:       1624"
	"\ttriggered by event with key: { next_pid:        146 }\n"
	"\nTotals:\n    Hits: 4\n    Entries: 2\n    Dropped: 0\n";

TEST(a_note_on_a_snapshot_belongs_to_no_row)
{
	struct kt_hists *hs = parse(with_snapshot);
	const struct kt_hist *h = &hs->at[0];

	assert_int_equal(h->nr_rows, 2);
	assert_string_equal(h->rows[1].saved, "max:       1624  next_comm: tee");
	assert_int_equal(h->nr_snapshots, 1);
	assert_string_equal(h->snapshots[0].handler, "onmax($lat)");
	assert_int_equal(h->snapshots[0].value, 1624);
	assert_string_equal(h->snapshots[0].key, "{ next_pid: 146 }");
	assert_int_equal(h->hits, 4);
	kt_hists_destroy(hs);
}

TEST(tables_without_hits_and_with_other_names_in_their_rows_are_read)
{
	struct kt_hists *hs = parse(without_hits);

	assert_int_equal(hs->nr, 2);
	assert_int_equal(hs->at[0].nr_rows, 2);
	assert_int_equal(hs->at[0].nr_values, 1);
	assert_string_equal(hs->at[0].value_names[0], "prev_prio");
	assert_int_equal(hs->at[0].rows[0].values[0], 840);
	assert_int_equal(hs->at[0].rows[1].keys[1].low, 0);
	assert_string_equal(hs->at[0].key_names[1], "common_cpu");
	assert_int_equal(hs->at[1].nr_rows, 2);
	assert_string_equal(hs->at[1].key_names[0], "cpu");
	assert_int_equal(hs->at[1].rows[1].values[0], 5216);
	kt_hists_destroy(hs);
}

TEST(hex_numbers_are_read_as_such)
{
	struct kt_hists *hs = parse(hex_table);
	const struct kt_hist *h = &hs->at[0];

	assert_int_equal(h->nr_rows, 2);
	assert_string_equal(h->rows[0].keys[0].text, "48");
	assert_int_equal(h->rows[0].keys[0].low, 0x48);
	assert_true(h->rows[1].keys[0].is_number);
	assert_int_equal(h->rows[1].keys[0].high, 0xb8);
	assert_false(h->rows[1].keys[1].is_number);
	assert_int_equal(h->rows[0].values[1], 0x120);
	assert_int_equal(h->rows[1].values[1], 0xa80);
	assert_int_equal(h->rows[1].values[2], 2576);
	kt_hists_destroy(hs);
}

TEST(numbers_are_sorted_in_front_of_texts)
{
	static const char *const sorted[] = { "3", "20", "100", "18446744073709551614" };
	struct kt_hists *hs = parse(mixed_table);
	size_t i;

	kt_hist_sort(&hs->at[0], true, 0, false);
	for (i = 0; i < 4; i++)
		assert_string_equal(hs->at[0].rows[i].keys[0].text, sorted[i]);
	kt_hists_destroy(hs);
}

TEST(percentiles_interpolate_inside_buckets)
{
	struct kt_hists *hs = parse(log2_table);
	double p;

	assert_string_equal(hs->at[0].state, "paused");
	assert_int_equal(kt_hist_percentile(&hs->at[0], 0, 0, &p), 0);
	assert_true(p == 2);
	assert_int_equal(kt_hist_percentile(&hs->at[0], 0, 85, &p), 0);
	assert_true(p == 6.5);
	assert_int_equal(kt_hist_percentile(&hs->at[0], 0, 100, &p), 0);
	assert_true(p == 64);

	/* Computed in doubles, 100 % of these is more than their sum. */
	hs->at[0].rows[0].values[0] = 5885771752119993;
	hs->at[0].rows[1].values[0] = hs->at[0].rows[2].values[0] = 0;
	p = -1;
	assert_int_equal(kt_hist_percentile(&hs->at[0], 0, 100, &p), 0);
	assert_true(p == 8);
	kt_hists_destroy(hs);

	hs = parse(two_keys);
	assert_int_equal(kt_hist_percentile(&hs->at[0], 0, 50, &p), -EINVAL);
	hs->at[0].rows[0].values[0] = hs->at[0].rows[1].values[0] = 0;
	assert_int_equal(kt_hist_percentile(&hs->at[0], 1, 50, &p), -ENODATA);
	kt_hists_destroy(hs);
}

TEST(percentiles_sum_up_the_rows_that_other_keys_separate)
{
	static const char text[] =
		"# trigger info: hist:keys=pid,lat.log2:vals=hitcount:sort=hitcount:size=2048 [active]\n#\n\n"
		"{ pid: 1, lat: ~ 2^3  } hitcount: 50\n{ pid: 2, lat: ~ 2^3  } hitcount: 50\n"
		"{ pid: 3, lat: ~ 2^3  } hitcount: 100\n\nTotals:\n    Hits: 200\n";
	struct kt_hists *hs = parse(text);
	double p, before = 0;
	int percent;

	for (percent = 0; percent <= 100; percent++) {
		assert_int_equal(kt_hist_percentile(&hs->at[0], 1, percent, &p), 0);
		assert_true(p >= before);
		before = p;
	}
	assert_int_equal(kt_hist_percentile(&hs->at[0], 1, 50, &p), 0);
	assert_true(p == 6.5);
	kt_hists_destroy(hs);
}

TEST(rows_are_sorted_by_any_column)
{
	struct kt_hists *hs = parse(log2_table);
	struct kt_hist *h = &hs->at[0];
	bool is_key;
	size_t column;

	assert_true(kt_hist_column(h, "lat", &is_key, &column));
	assert_true(is_key);
	kt_hist_sort(h, is_key, column, false);
	assert_int_equal(h->rows[0].keys[0].low, 2);
	assert_int_equal(h->rows[2].keys[0].low, 33);
	assert_true(kt_hist_column(h, "hitcount", &is_key, &column));
	kt_hist_sort(h, is_key, column, true);
	assert_int_equal(h->rows[0].values[0], 80);
	assert_int_equal(h->rows[1].keys[0].low, 5);	/* equal rows keep their order */
	assert_false(kt_hist_column(h, "nothing", &is_key, &column));
	assert_int_equal(kt_hist_total(h, 0), 100);
	kt_hists_destroy(hs);
}

TEST(by_default_buckets_are_in_order_and_other_rows_by_hits)
{
	struct kt_hists *hs = parse(log2_table);

	kt_hist_sort_default(&hs->at[0]);		/* sort=lat was requested */
	assert_int_equal(hs->at[0].rows[0].keys[0].low, 5);
	memcpy(strstr(hs->at[0].trigger, ":sort=lat"), ":sort=hitcount", strlen(":sort=hitcount") + 1);
	kt_hist_sort_default(&hs->at[0]);
	assert_int_equal(hs->at[0].rows[0].keys[0].low, 2);
	assert_true(kt_hist_is_buckets(&hs->at[0], 0));
	kt_hists_destroy(hs);

	hs = parse(two_keys);
	hs->at[0].rows[1].values[0] = 100;
	kt_hist_sort_default(&hs->at[0]);
	assert_int_equal(hs->at[0].rows[0].values[0], 100);
	kt_hists_destroy(hs);
}

TEST(other_text_is_refused)
{
	static const char *const broken[] = {
		"{ a: 1 } hitcount: 1\n",
		"# trigger info: nothing\n",
		"# trigger info: hist:keys=a:vals=hitcount [active]\n{ a: 1 hitcount: 1\n",
		"# trigger info: hist:keys=a,b:vals=hitcount [active]\n{ a: 1 } hitcount: 1\n",
		"# trigger info: hist:keys=a:vals=hitcount,x [active]\n{ a: 1 } hitcount: 1\n",
		"# trigger info: hist:keys=:vals=hitcount [active]\n{ a: 1 } hitcount: 1\n",
	};
	size_t i;

	for (i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		struct kt_err err = { 0 };

		assert_null(kt_hists_parse(broken[i], &err));
		assert_int_equal(err.code, -EBADMSG);
	}
}

TEST(an_event_without_triggers_has_no_tables)
{
	struct kt_hists *hs = parse("# event histogram\n");

	assert_int_equal(hs->nr, 0);
	kt_hists_destroy(hs);
	kt_hists_destroy(NULL);
}

/* Every prefix of a good text either parses or is refused; the sanitizers watch. */
TEST(texts_cut_anywhere_do_no_harm)
{
	char cut[sizeof(two_keys)];
	size_t i;

	for (i = 0; i < sizeof(two_keys); i++) {
		memcpy(cut, two_keys, i);
		cut[i] = '\0';
		kt_hists_destroy(kt_hists_parse(cut, NULL));
	}
}

int main(void)
{
	return RUN(unit(keys_and_values_are_distinguished_for_any_comm),
		   unit(stacks_several_tables_and_saved_values_are_read),
		   unit(a_note_on_a_snapshot_belongs_to_no_row),
		   unit(tables_without_hits_and_with_other_names_in_their_rows_are_read),
		   unit(hex_numbers_are_read_as_such),
		   unit(numbers_are_sorted_in_front_of_texts),
		   unit(percentiles_interpolate_inside_buckets),
		   unit(percentiles_sum_up_the_rows_that_other_keys_separate),
		   unit(rows_are_sorted_by_any_column),
		   unit(by_default_buckets_are_in_order_and_other_rows_by_hits),
		   unit(other_text_is_refused), unit(an_event_without_triggers_has_no_tables),
		   unit(texts_cut_anywhere_do_no_harm));
}
