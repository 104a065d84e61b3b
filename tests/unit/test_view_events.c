/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_view_events.c - the selected event while its lines are read in slices of work */
#include <stdlib.h>

#include <ktrail/model.h>

#include "kt_reading.h"
#include "kt_test.h"
#include "tui/app/app.h"
#include "tui/events/events.h"
#include "tui/live/live.h"

#define RECORDS 400
#define ROWS    30
#define STEP    100			/* ns between two records */

struct screen {
	struct kt_model *model;
	struct app *app;
	struct surface s;
};

/* The last records of CPU 1 are the last of all, in pages of three. */
static struct kt_model *make_model(void)
{
	struct kt_dat *d = kt_dat_small();
	int cpu, i;

	for (cpu = 0; cpu < 2; cpu++) {
		if (cpu)
			kt_dat_cpu(d, cpu);
		for (i = cpu; i < RECORDS; i += 2) {
			if (i / 2 % 3 == 0)
				kt_dat_new_page(d, (uint64_t)(i + 1) * STEP);
			kt_dat_add(d, 1, (uint64_t)(i + 1) * STEP);
		}
	}
	return kt_dat_model(d);
}

/* There is only time to read the first page. */
static void draw_late(struct screen *sc)
{
	sc->app->deadline_ms = 0;
	app_draw(sc->app, &sc->s);
}

static void settle(struct screen *sc)
{
	do
		app_draw(sc->app, &sc->s);
	while (app_work(sc->app, 100));
}

static struct screen begin(const char *keys)
{
	struct kt_err err = { 0 };
	struct screen sc = { .model = make_model() };

	sc.app = app_create(sc.model, NULL, "test", &err);
	assert_non_null(sc.app);
	event_columns_default(&sc.app->columns, NULL);
	app_resize(sc.app, ROWS, 100);
	assert_int_equal(surface_init(&sc.s, ROWS, 100, true), 0);
	settle(&sc);
	for (; *keys; keys++) {
		app_key(sc.app, *keys);
		settle(&sc);
	}
	return sc;
}

static void end(struct screen *sc)
{
	surface_fini(&sc->s);
	app_destroy(sc->app);
	kt_model_close(sc->model);
}

static void expect_selected(struct screen *sc, int number)
{
	const struct events_state *st = app_view(sc->app)->state;

	assert_int_equal(kt_model_cursor(sc->model).ts, number * STEP);
	assert_true(st->selected < st->nr);
	assert_int_equal(st->lines[st->selected].rec.ts, number * STEP);
}

static const struct {
	const char *keys;
	int number;			/* of the selected event, from 1 */
} places[] = {
	{ "G", RECORDS }, { "Gkkkk", RECORDS - 4 }, { "Gbb", RECORDS - 48 }, { "jjjj", 5 },
	{ "  kk", 47 },
};

static void read_in_slices(void (*again)(struct screen *sc))
{
	struct screen sc;
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		sc = begin(places[i].keys);
		expect_selected(&sc, places[i].number);
		again(&sc);
		settle(&sc);
		expect_selected(&sc, places[i].number);
		end(&sc);
	}
}

static void take_other_columns(struct screen *sc)
{
	assert_int_equal(event_columns_parse(&sc->app->columns, "event time", NULL), 0);
	draw_late(sc);
}

static void leave_out_a_task(struct screen *sc)
{
	const int pid = 12345;

	assert_int_equal(kt_model_leave_out(sc->model, &pid, 1), 0);
	sc->app->deadline_ms = 0;
	app_follow(sc->app);
	draw_late(sc);
}

static void shrink(struct screen *sc)
{
	app_resize(sc->app, 9, 100);
	draw_late(sc);
}

TEST(other_columns_keep_the_selected_event)
{
	read_in_slices(take_other_columns);
}

TEST(leaving_out_another_task_keeps_the_selected_event)
{
	read_in_slices(leave_out_a_task);
}

TEST(fewer_rows_keep_the_selected_event)
{
	read_in_slices(shrink);
}

/* All events are of hidden tasks, but the lines were read before. */
TEST(a_live_view_without_a_visible_event_follows)
{
	struct tui_live given = { 0 };
	struct live *live = calloc(1, sizeof(*live));
	struct kt_err err = { 0 };
	struct screen sc = { .model = make_model() };
	const int pid = 1;

	*live = (struct live){ .given = &given, .own = { .shown = true } };
	sc.app = app_create(sc.model, live, "test", &err);
	assert_non_null(sc.app);
	assert_int_equal(surface_init(&sc.s, ROWS, 100, true), 0);
	assert_int_equal(kt_model_leave_out(sc.model, &pid, 1), 0);
	live_begin(sc.app);
	app_view(sc.app)->ops->prepare(app_view(sc.app));
	assert_true(live_follows(sc.app));
	assert_int_equal(kt_model_cursor(sc.model).ts, 0);
	end(&sc);
}

int main(void)
{
	return RUN(unit(other_columns_keep_the_selected_event),
		   unit(leaving_out_another_task_keeps_the_selected_event),
		   unit(fewer_rows_keep_the_selected_event),
		   unit(a_live_view_without_a_visible_event_follows));
}
