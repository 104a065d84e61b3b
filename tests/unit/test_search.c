/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_search.c - searches by threads find the same as a walk through all lines */
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/base.h>
#include <ktrail/model.h>

#include "kt_test.h"

#define MATCHES_MAX 10000

struct walked {
	struct kt_spot at[MATCHES_MAX];
	size_t nr;
};

static struct kt_model *open_model(const char *name)
{
	const struct kt_model_opts opts = { .index = &(struct kt_index_opts){ .cache = "" } };
	const char *path = kt_data(name);
	struct kt_err err = { 0 };
	struct kt_model *m = kt_model_open(&path, 1, &opts, &err);

	CHECK_NO_ERR(&err);
	while (kt_model_work(m, 10))
		;
	return m;
}

static void walk(struct kt_model *m, const char *regex, struct walked *w)
{
	struct kt_reader *r = kt_model_reader(m, NULL);
	struct kt_out *out = kt_out_create();
	struct kt_record rec;
	struct kt_cells cells;
	regex_t re;

	w->nr = 0;
	assert_int_equal(regcomp(&re, regex, REG_EXTENDED | REG_NOSUB), 0);
	while (kt_reader_next(r, &rec, NULL) > 0) {
		kt_text_cells(kt_model_text(m, false), &rec, NULL, out, &cells);
		if (regexec(&re, kt_out_data(out), 0, NULL, 0) != 0)
			continue;
		assert_true(w->nr < MATCHES_MAX);
		w->at[w->nr++] = (struct kt_spot){ rec.ts, rec.pos, rec.source };
	}
	regfree(&re);
	kt_out_destroy(out);
	kt_reader_destroy(r);
}

static int next_match(struct kt_search *s, struct kt_spot *at, int direction)
{
	struct kt_spot found;
	int ret;

	while ((ret = kt_search_next(s, at, direction, 100, &found)) == -EAGAIN)
		;
	if (ret == 1)
		*at = found;
	return ret;
}

static void check(struct kt_model *m, const char *regex, unsigned int threads)
{
	static struct walked w;
	struct kt_spot at = { 0 };
	struct kt_err err = { 0 };
	struct kt_search_progress p;
	struct kt_search *s;
	uint64_t rank;
	size_t i;

	walk(m, regex, &w);
	if (w.nr)
		at = w.at[w.nr / 2];
	s = kt_model_search(m, regex, false, &at, 1, threads, &err);
	CHECK_NO_ERR(&err);
	assert_true(kt_search_is_for(s, regex, false));
	at = (struct kt_spot){ 0 };
	for (i = 0; i < w.nr; i++) {
		assert_int_equal(next_match(s, &at, 1), 1);
		assert_memory_equal(&at.ts, &w.at[i].ts, sizeof(at.ts));
		assert_int_equal(at.pos, w.at[i].pos);
		assert_int_equal(at.source, w.at[i].source);
		assert_int_equal(kt_search_rank(s, &at, &rank), 0);
		assert_int_equal(rank, i);
	}
	assert_int_equal(next_match(s, &at, 1), 0);
	at = (struct kt_spot){ .ts = UINT64_MAX };
	while (i-- > 0) {
		assert_int_equal(next_match(s, &at, -1), 1);
		assert_int_equal(at.pos, w.at[i].pos);
	}
	assert_int_equal(next_match(s, &at, -1), 0);
	do {
		kt_search_wait(s, 10);
		kt_search_progress(s, &p);
	} while (!p.done);
	assert_false(p.stopped);
	assert_int_equal(p.nr_matches, w.nr);
}

TEST(every_match_is_found_once_in_order_and_nothing_else)
{
	static const char *const regexes[] = {
		"sched_switch", "zzzz", "pid=1.*prio", "^ *bash", "sched_(waking|wakeup)", "a|b",
		/* Literals next to special characters, and words that flags or names may have */
		"sched_[a-z]+ch", "[^]a]waking", "[]_]switch", "[[:space:]]bas[[:alpha:]x]",
		"pid=1\\.?", "prio=[0-9]{3}", "basq{0,2}h", "x{0,1}bash", "wak\\w+", "\\[000\\]",
		"d..2", "d", "Nh", "rcu_preempt", "kworke+r", "kworker*-", "comm=bas",
		"[0-9]+ us", "x*", "irqs?", "comm=ba?sh", "swapper.1", "\\[120\\]", "", "R ==> .*$",
	};
	struct kt_model *m = open_model("6.12-events.dat");
	size_t i;

	for (i = 0; i < sizeof(regexes) / sizeof(*regexes); i++)
		check(m, regexes[i], 1 + i % 4);
	kt_model_close(m);
}

TEST(filters_choose_what_is_searched_and_end_a_search)
{
	struct kt_model *m = open_model("peer/lost.dat");

	check(m, "sched", 2);
	assert_non_null(kt_model_searching(m));
	assert_int_equal(kt_model_add_filter(m, "sched_switch", false, NULL), 0);
	assert_null(kt_model_searching(m));
	check(m, "sched", 2);
	kt_model_switch_filter(m, 0, false);
	assert_null(kt_model_searching(m));
	kt_model_close(m);
}

TEST(a_wrong_expression_is_refused)
{
	struct kt_model *m = open_model("6.1-events.dat");
	struct kt_spot at = { 0 };
	struct kt_err err = { 0 };

	assert_null(kt_model_search(m, "(", false, &at, 1, 2, &err));
	assert_int_equal(err.code, -EINVAL);
	assert_null(kt_model_searching(m));
	kt_model_close(m);
}

TEST(a_search_stops_when_it_is_told_to)
{
	struct kt_model *m = open_model("6.12-events.dat");
	struct kt_spot at = { 0 }, found;
	struct kt_search_progress p;
	struct kt_search *s = kt_model_search(m, "zzzz", false, &at, 1, 1, NULL);

	assert_non_null(s);
	kt_search_stop(s);
	do {
		kt_search_wait(s, 10);
		kt_search_progress(s, &p);
	} while (!p.done);
	if (p.stopped)
		assert_int_equal(kt_search_next(s, &at, 1, 0, &found), -ENOBUFS);
	kt_model_close(m);
}

TEST(a_model_may_be_closed_while_it_searches_with_filters)
{
	struct kt_spot at = { 0 };
	struct kt_model *m;
	int i;

	for (i = 0; i < 20; i++) {
		m = open_model("6.12-events.dat");
		assert_int_equal(kt_model_add_filter(m, "sched_*: prev_pid > 0", false, NULL), 0);
		assert_non_null(kt_model_search(m, "zzzz", false, &at, 1, 4, NULL));
		kt_model_close(m);
	}
}

int main(void)
{
	return RUN(unit(every_match_is_found_once_in_order_and_nothing_else),
		   unit(filters_choose_what_is_searched_and_end_a_search),
		   unit(a_wrong_expression_is_refused),
		   unit(a_search_stops_when_it_is_told_to),
		   unit(a_model_may_be_closed_while_it_searches_with_filters));
}
