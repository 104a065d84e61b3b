/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_view_timeline.c - a window of many events: a sample at once, then all of them */
#include <string.h>

#include <ktrail/model.h>

#include "base/str.h"
#include "kt_reading.h"
#include "kt_test.h"
#include "tui/app/app.h"

#define EVENTS 450000
struct screen {
	struct kt_model *model;
	struct app *app;
	struct surface s;
};

/* Task 7 loses the CPU at the beginning, and gets it back at the end. */
static struct kt_model *make_model(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });
	uint64_t i, from, to;

	kt_dat_meta(d, KT_META_CMDLINES, "7 seven\n8 eight\n9 nine\n");
	kt_dat_numbers(d, "sched", "sched_switch", 20, "prev_pid prev_state next_pid next_prio");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	for (i = 0; i < EVENTS; i++) {
		from = i == 0 ? 7 : 8 + i % 2;
		to = i == EVENTS - 1 ? 7 : 8 + (i + 1) % 2;
		kt_dat_begin(d, 20, (int)from);
		kt_dat_int(d, 8, from);
		kt_dat_int(d, 8, 0);
		kt_dat_int(d, 8, to);
		kt_dat_int(d, 8, 120);
		kt_dat_end(d, 1000 + i * 1000);
	}
	return kt_dat_model(d);
}

static struct screen begin(void)
{
	struct kt_err err = { 0 };
	struct screen sc = { .model = make_model() };

	assert_int_equal(kt_index_wait(kt_model_index(sc.model), &err), 0);
	sc.app = app_create(sc.model, NULL, "test", &err);
	assert_non_null(sc.app);
	assert_int_equal(app_show(sc.app, "timeline", &err), 0);
	app_resize(sc.app, 24, 80);
	assert_int_equal(surface_init(&sc.s, 24, 80, true), 0);
	return sc;
}

static void end(struct screen *sc)
{
	surface_fini(&sc->s);
	app_destroy(sc->app);
	kt_model_close(sc->model);
}

static bool shows(struct screen *sc, const char *text)
{
	struct str out = STR_INIT;
	bool found;

	app_draw(sc->app, &sc->s);
	surface_text(&sc->s, &out);
	found = out.buf && strstr(out.buf, text);
	str_fini(&out);
	return found;
}

/* Work until the text is on the screen; false: the work has ended before */
static bool works_until(struct screen *sc, const char *text)
{
	while (!shows(sc, text))
		if (!app_work(sc->app, 1))
			return shows(sc, text);
	return true;
}

TEST(a_sampled_picture_is_replaced_by_a_complete_one)
{
	struct screen sc = begin();

	assert_true(works_until(&sc, "sampled   reading"));
	app_key(sc.app, 'W');
	assert_true(shows(&sc, "not known yet"));
	app_key(sc.app, 'j');
	assert_false(works_until(&sc, "nothing that is ever shown"));
	assert_false(shows(&sc, "sampled"));
	assert_true(shows(&sc, "seven:7        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%"));
	end(&sc);
}

TEST(esc_keeps_the_sample)
{
	struct screen sc = begin();

	assert_true(works_until(&sc, "sampled   reading"));
	app_key(sc.app, TK_ESC);
	assert_true(shows(&sc, "stopped: only the first events of each column were read"));
	assert_false(works_until(&sc, "reading"));
	app_key(sc.app, 'j');
	assert_true(shows(&sc, "sampled"));
	end(&sc);
}

int main(void)
{
	return RUN(unit(a_sampled_picture_is_replaced_by_a_complete_one),
		   unit(esc_keeps_the_sample));
}
