/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sidecar.c - marks, filters and cursor are restored, for the same trace only */
#include <ktrail/model.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "kt_test.h"

static const char *trace, *sidecar;

/* A copy of a sample, so that a side-car can be beside it */
static void copy_trace(const char *name, const char *from)
{
	static char path[4096], beside[4200];
	size_t size;
	char *bytes = kt_slurp(kt_data(from), &size);

	snprintf(path, sizeof(path), "%s", kt_tmp(name));
	snprintf(beside, sizeof(beside), "%s.view", path);
	kt_spill(path, bytes, size);
	free(bytes);
	unlink(beside);
	trace = path;
	sidecar = beside;
	setenv("XDG_STATE_HOME", kt_tmp("state"), 1);
}

static struct kt_model *open_trace(void)
{
	struct kt_model_opts opts = { .index = &(struct kt_index_opts){ .cache = "" } };
	struct kt_err err = { 0 };
	struct kt_model *m = kt_model_open(&trace, 1, &opts, &err);

	CHECK_NO_ERR(&err);
	assert_int_equal(kt_index_wait(kt_model_index(m), NULL), 0);
	return m;
}

/* Marks, filters and a cursor, as @view leaves them */
static void leave(const char *view)
{
	struct kt_sidecar_screen screen = { .columns = "time event:12 prev_pid" };
	struct kt_model *m = open_trace();
	struct kt_err err = { 0 };

	kt_model_set_cursor(m, &(struct kt_spot){ 118200000000, 0, 1 });
	assert_int_equal(kt_model_set_mark(m, "A", &(struct kt_spot){ 118126000000, 0, 0 }, NULL),
		0);
	assert_int_equal(kt_model_set_mark(m, "late", &(struct kt_spot){ 118127000000, 8, 1 },
					   "a \\ and\na line"), 0);
	assert_int_equal(kt_model_add_filter(m, "sched_switch: prev_pid == 0", false, &err), 0);
	assert_int_equal(kt_model_add_filter(m, "timer/*", true, &err), 0);
	kt_model_switch_filter(m, 1, false);
	snprintf(screen.view, sizeof(screen.view), "%s", view);
	kt_sidecar_save(m, NULL, &screen, &err);
	CHECK_NO_ERR(&err);
	kt_model_close(m);
}

static int restore(struct kt_model *m, struct kt_sidecar_screen *view, const char *says)
{
	struct kt_err err = { 0 };
	int ret = kt_sidecar_restore(m, NULL, view, &err);

	if (says && !strstr(err.msg, says))
		fail_msg("'%s' does not say '%s'", err.msg, says);
	return ret;
}

/* Nothing of the side-car was restored. */
static void check_untouched(struct kt_model *m)
{
	struct kt_mark mark;

	assert_false(kt_model_mark(m, 0, &mark));
	assert_int_equal(kt_model_nr_filters(m), 0);
	assert_int_equal(kt_model_cursor(m).ts, 0);
}

TEST(all_of_it_is_there_again)
{
	struct kt_sidecar_screen view;
	struct kt_model *m;
	struct kt_mark mark;

	copy_trace("one.dat", "6.1-events.dat");
	leave("timeline");
	m = open_trace();
	assert_int_equal(restore(m, &view, NULL), 1);
	assert_string_equal(view.view, "timeline");
	assert_string_equal(view.columns, "time event:12 prev_pid");
	assert_int_equal(kt_model_cursor(m).ts, 118200000000);
	assert_int_equal(kt_model_cursor(m).source, 1);
	assert_true(kt_model_mark(m, 1, &mark));
	assert_string_equal(mark.name, "late");
	assert_string_equal(mark.note, "a \\ and\na line");
	assert_int_equal(mark.spot.pos, 8);
	assert_false(kt_model_mark(m, 2, &mark));
	assert_int_equal(kt_model_nr_filters(m), 2);
	assert_string_equal(kt_model_filter(m, 0).text, "sched_switch: prev_pid == 0");
	assert_true(kt_model_filter(m, 0).on);
	assert_true(kt_model_filter(m, 1).exclude);
	assert_false(kt_model_filter(m, 1).on);
	kt_model_close(m);
}

TEST(viewing_alone_leaves_no_file_beside_the_trace)
{
	struct kt_sidecar_screen view;
	struct kt_model *m;

	copy_trace("two.dat", "6.1-events.dat");
	m = open_trace();
	kt_model_set_cursor(m, &(struct kt_spot){ 118200000000, 0, 1 });
	assert_int_equal(kt_sidecar_save(m, NULL, &(struct kt_sidecar_screen){ "graph", "" }, NULL), 0);
	kt_model_close(m);
	assert_int_not_equal(access(sidecar, F_OK), 0);
	m = open_trace();
	assert_int_equal(restore(m, &view, NULL), 1);
	assert_string_equal(view.view, "graph");
	kt_model_close(m);
}

TEST(nothing_is_restored_where_there_is_nothing)
{
	struct kt_sidecar_screen view;
	struct kt_model *m;

	copy_trace("none.dat", "6.12-events.dat");
	m = open_trace();
	assert_int_equal(restore(m, &view, NULL), 0);
	assert_string_equal(view.view, "");
	kt_model_close(m);
}

TEST(another_trace_of_that_name_has_another_side_car)
{
	struct kt_sidecar_screen view;
	char kept[4300];
	struct kt_model *m;

	copy_trace("three.dat", "6.1-events.dat");
	leave("events");
	snprintf(kept, sizeof(kept), "%s.kept", sidecar);
	assert_int_equal(rename(sidecar, kept), 0);
	copy_trace("three.dat", "6.12-events.dat");
	assert_int_equal(rename(kept, sidecar), 0);
	m = open_trace();
	assert_int_equal(restore(m, &view, "belongs to another trace"), -ESTALE);
	check_untouched(m);
	kt_model_close(m);
}

/* The side-car of leave(), with @with instead of @what, is refused as a whole. */
static void check_refused(const char *what, const char *with, const char *says)
{
	struct kt_sidecar_screen view;
	char *text, *at;
	struct str bad = STR_INIT;
	struct kt_model *m;

	unlink(sidecar);
	leave("events");
	text = kt_slurp(sidecar, NULL);
	at = strstr(text, what);
	assert_non_null(at);
	str_addn(&bad, text, (size_t)(at - text));
	str_add(&bad, with);
	str_add(&bad, at + strlen(what));
	kt_spill(sidecar, bad.buf, bad.len);
	m = open_trace();
	if (restore(m, &view, says) >= 0)
		fail_msg("'%s' was taken", with);
	check_untouched(m);
	assert_string_equal(view.view, "");
	kt_model_close(m);
	free(text);
	str_fini(&bad);
}

TEST(a_hostile_side_car_is_not_used)
{
	copy_trace("four.dat", "6.1-events.dat");
	check_refused("ktrail-view 1", "something else", "not a side-car");
	check_refused("mark late", "mark la\033te", ":7: damaged");
	check_refused("mark late", "mark averyveryverylongnameofamark", "damaged");
	check_refused(" 8 1 a", " 8 1000 a", "damaged");
	check_refused(" 8 1 a", " x 1 a", "damaged");
	check_refused("\\x0a", "\\x00", "damaged");
	check_refused("\\x0a", "\\x", "damaged");
	check_refused("filter on", "filter maybe", "damaged");
	check_refused("prev_pid == 0", "prev_pid ==", "damaged");
	check_refused("cursor ", "cursor -", "damaged");
	check_refused("view events", "view ../../etc/passwd", "damaged");
	check_refused("columns time", "columns \033[2J", "damaged");
	check_refused("view events", "offset 7 1\nview events", "damaged");
	check_refused("view events", "offset 0 1x\nview events", "damaged");
	check_refused("trace ", "trace 1", "belongs to another trace");
}

TEST(lines_of_later_versions_are_passed_over)
{
	struct kt_sidecar_screen view;
	char *text;
	struct str more = STR_INIT;
	struct kt_model *m;

	copy_trace("five.dat", "6.1-events.dat");
	leave("info");
	text = kt_slurp(sidecar, NULL);
	str_addf(&more, "%sweather rain\n", text);
	kt_spill(sidecar, more.buf, more.len);
	m = open_trace();
	assert_int_equal(restore(m, &view, NULL), 1);
	assert_string_equal(view.view, "info");
	kt_model_close(m);
	free(text);
	str_fini(&more);
}

/* A link could make us read or replace a file that another user chose. */
TEST(a_link_is_not_a_side_car)
{
	struct kt_sidecar_screen view;
	char *text;
	struct kt_model *m;

	copy_trace("six.dat", "6.1-events.dat");
	kt_spill(kt_tmp("precious"), "precious", (size_t)-1);
	assert_int_equal(symlink(kt_tmp("precious"), sidecar), 0);
	m = open_trace();
	assert_true(restore(m, &view, NULL) < 0);
	kt_model_close(m);
	leave("graph");			/* is kept at home instead */
	text = kt_slurp(kt_tmp("precious"), NULL);
	assert_string_equal(text, "precious");
	free(text);
}

TEST(a_file_of_that_name_that_is_something_else_stays)
{
	char *text;

	copy_trace("seven.dat", "6.1-events.dat");
	kt_spill(sidecar, "a letter to mother\n", (size_t)-1);
	leave("graph");
	text = kt_slurp(sidecar, NULL);
	assert_string_equal(text, "a letter to mother\n");
	free(text);
}

TEST(a_file_is_moved_in_time_with_its_marks)
{
	struct kt_sidecar_screen view;
	struct kt_window before, after;
	struct kt_model *m;
	struct kt_mark mark;

	copy_trace("moved.dat", "6.1-events.dat");
	leave("events");
	m = open_trace();
	assert_int_equal(restore(m, &view, NULL), 1);
	kt_model_span(m, &before);
	assert_int_equal(kt_model_set_offset(m, 0, -1500, NULL), 0);
	assert_int_equal(kt_model_offset(m, 0), -1500);
	kt_model_span(m, &after);
	assert_int_equal(after.from, before.from - 1500);
	assert_int_equal(after.until, before.until - 1500);
	assert_true(kt_model_find_mark(m, "late", &mark));
	assert_int_equal(mark.spot.ts, 118127000000 - 1500);
	assert_string_equal(mark.note, "a \\ and\na line");
	assert_int_equal(kt_model_nr_filters(m), 2);
	assert_false(kt_model_filter(m, 1).on);
	assert_int_equal(kt_index_wait(kt_model_index(m), NULL), 0);
	assert_int_equal(kt_sidecar_save(m, NULL, &(struct kt_sidecar_screen){ "events", "" }, NULL), 0);
	kt_model_close(m);

	m = open_trace();		/* as it was left */
	assert_int_equal(restore(m, &view, NULL), 1);
	assert_int_equal(kt_model_offset(m, 0), -1500);
	kt_model_span(m, &after);
	assert_int_equal(after.from, before.from - 1500);
	assert_int_equal(kt_model_cursor(m).ts, 118200000000 - 1500);
	kt_model_close(m);
}

/* ---- names of marks ---- */

TEST(marks_are_in_order_and_have_proper_names)
{
	struct kt_spot spot = { 1, 0, 0 };
	struct kt_mark mark;
	struct kt_model *m;

	copy_trace("eight.dat", "6.1-events.dat");
	m = open_trace();
	assert_int_equal(kt_model_set_mark(m, "zoo", &spot, NULL), 0);
	assert_int_equal(kt_model_set_mark(m, "9", &spot, NULL), 0);
	assert_int_equal(kt_model_set_mark(m, "B", &spot, NULL), 0);
	assert_int_equal(kt_model_set_mark(m, "zoo", &spot, "again"), 0);
	assert_true(kt_model_mark(m, 0, &mark));
	assert_string_equal(mark.name, "B");
	assert_true(kt_model_mark(m, 2, &mark));
	assert_string_equal(mark.note, "again");
	assert_false(kt_model_mark(m, 3, &mark));
	assert_int_equal(kt_model_set_mark(m, "", &spot, NULL), -EINVAL);
	assert_int_equal(kt_model_set_mark(m, "a b", &spot, NULL), -EINVAL);
	assert_int_equal(kt_model_set_mark(m, "123456789012345678901234", &spot, NULL), -EINVAL);
	assert_true(kt_model_remove_mark(m, "9"));
	assert_false(kt_model_remove_mark(m, "9"));
	kt_model_close(m);
}

/* ---- counts between two moments ---- */

static struct kt_between_counts count(struct kt_model *m, uint64_t from, uint64_t until)
{
	struct kt_between *b = kt_between_create(m, &(struct kt_spot){ until, 0, 0 },
						 &(struct kt_spot){ from, 0, 0 }, NULL);
	struct kt_between_counts n;

	assert_non_null(b);
	while (kt_between_work(b, 5))
		;
	n = kt_between_counts(b);
	assert_true(n.done);
	kt_between_destroy(b);
	return n;
}

/* The same counts by reading record by record */
static uint64_t count_all(struct kt_model *m, uint64_t from, uint64_t until, uint64_t *entries)
{
	struct kt_reader *r = kt_model_reader(m, NULL);
	struct kt_record rec;
	uint64_t nr = 0;

	*entries = 0;
	assert_int_equal(kt_reader_seek(r, from, NULL), 0);
	while (kt_reader_next(r, &rec, NULL) > 0 && rec.ts < until) {
		const struct kt_event *ev = kt_trace_event(kt_model_trace(m), &rec);

		*entries += strcmp(ev->name, "funcgraph_entry") == 0;
		nr++;
	}
	kt_reader_destroy(r);
	return nr;
}

TEST(events_and_calls_between_two_moments_are_counted)
{
	const uint64_t from = 90000000000, until = 93000000000;
	struct kt_between_counts n;
	struct kt_model *m;
	uint64_t nr, calls;

	copy_trace("nine.dat", "6.12-fgraph.dat");
	m = open_trace();
	n = count(m, from, until);
	nr = count_all(m, from, until, &calls);
	assert_true(nr > 1000 && calls > 100);
	assert_int_equal(n.events, nr);
	assert_int_equal(n.calls, calls);
	assert_true(n.has_calls);
	assert_int_equal(count(m, 0, UINT64_MAX).events, 7161);

	assert_int_equal(kt_model_add_filter(m, "sched_switch", false, NULL), 0);
	n = count(m, from, until);
	nr = count_all(m, from, until, &calls);
	assert_int_equal(n.events, nr);
	assert_int_equal(n.calls, 0);
	kt_model_close(m);
}

int main(void)
{
	return RUN(unit(all_of_it_is_there_again),
		   unit(viewing_alone_leaves_no_file_beside_the_trace),
		   unit(nothing_is_restored_where_there_is_nothing),
		   unit(another_trace_of_that_name_has_another_side_car),
		   unit(a_hostile_side_car_is_not_used),
		   unit(lines_of_later_versions_are_passed_over),
		   unit(a_link_is_not_a_side_car),
		   unit(a_file_of_that_name_that_is_something_else_stays),
		   unit(a_file_is_moved_in_time_with_its_marks),
		   unit(marks_are_in_order_and_have_proper_names),
		   unit(events_and_calls_between_two_moments_are_counted));
}
