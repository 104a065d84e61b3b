/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_capture_window.c - the part of a window that a capture's file has, and the missing part */
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "kt_dat.h"
#include "kt_test.h"

#define FROM   1000
#define AT     1500
#define UNTIL  1600

/* Times of events; a negative number: that many were lost before the next event; 0 ends */
static void add_cpu(struct kt_dat *d, int cpu, const int *times)
{
	kt_dat_cpu(d, cpu);
	for (; *times; times++) {
		if (*times < 0) {
			kt_dat_lost(d, -*times);
			continue;
		}
		kt_dat_begin(d, 1, 1);
		kt_dat_end(d, (uint64_t)*times);
	}
}

struct given {
	const char *about;
	int cpus[2][8];
	int later[8];			/* times of CPU 0 in a second part; empty: no such part */
	bool overwrote;			/* both CPUs have overwritten events in the last part */
	struct hole hole;
	uint64_t missing, nr_events, nr_lost;
};

static char *write_part(const char *name, const int *first, const int *second)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ 0 });
	char *path;

	kt_dat_event(d, "test", "name: hello\nID: 1\n" KT_COMMON);
	kt_dat_buffer(d, "", "mono", 4096);
	add_cpu(d, 0, first);
	add_cpu(d, 1, second);
	path = strdup(kt_dat_write(d, name));
	kt_dat_destroy(d);
	assert_non_null(path);
	return path;
}

static void check(const struct given *g)
{
	static const int quiet[] = { 1, 0 };
	int cpus[2] = { 0, 1 };
	bool overwrote[2][3] = { { false }, { false } };
	struct part parts[2] = {
		{ .until = 5000, .end = 5000, .overwrote = overwrote[0] },
		{ .since = 5000, .until = 9000, .end = 9000, .overwrote = overwrote[1] },
	};
	struct ring ring = { .cpus = cpus, .nr_cpus = 2, .parts = parts, .nr_parts = 1,
			     .holes = { g->hole }, .nr_holes = g->hole.until > 0 };
	struct kt_capture_note note = { .from = FROM, .until = UNTIL, .nr = 1,
					.causes = { { .at = AT, .from = AT } } };
	struct kt_capture_file out;
	struct kt_err err = { 0 };
	char *path = strdup(kt_tmp("window.dat"));

	parts[0].path = write_part("first.dat", g->cpus[0], g->cpus[1]);
	if (*g->later) {
		parts[1].path = write_part("second.dat", g->later, quiet);
		ring.nr_parts = 2;
	}
	memset(overwrote[ring.nr_parts - 1], g->overwrote, 2);
	if (window_write(&ring, path, &note, &out, &err) < 0)
		fail_msg("%s: %s", g->about, err.msg);
	if (note.missing != g->missing || out.nr_events != g->nr_events ||
	    out.nr_lost != g->nr_lost)
		fail_msg("%s: %d missing, %d events, %d lost", g->about, (int)note.missing,
			 (int)out.nr_events, (int)out.nr_lost);
	free(parts[0].path);
	free(parts[1].path);
	free(path);
}

TEST(missing_parts_of_a_window_are_reported)
{
	static const struct given cases[] = {
		{ "all is there", { { 900, 1000, 1600, 1601 }, { 999, 1200, 1700 } }, { 0 }, false, { 0, 0 },
		  0, 3, 0 },
		{ "a quiet CPU", { { 900, 1100, 1700 }, { 10 } }, { 0 }, false, { 0, 0 }, 0, 1, 0 },
		{ "lost before the window", { { -7, 900, 1100, 1700 }, { 10 } }, { 0 }, true, { 0, 0 }, 0, 1, 0 },
		{ "its begin was overwritten", { { -7, 1100, 1700 }, { 10 } }, { 0 }, true, { 0, 0 }, 100, 1, 0 },
		{ "nothing is left of a CPU", { { 1100, 1700 }, { 0 } }, { 0 }, true, { 0, 0 }, 600, 1, 0 },
		{ "overwritten while it was read: the begin",
		  { { 900, -7, 1200, 1700 }, { 10 } }, { 0 }, false, { 0, 0 }, 200, 1, 0 },
		{ "… all of it", { { 900, -7, 1700, 1800 }, { 999, 1200, 1700 } }, { 0 }, false, { 0, 0 },
		  600, 1, 0 },
		{ "… the middle", { { 1000, -7, 1400, 1700 }, { 10 } }, { 0 }, false, { 0, 0 }, 0, 2, 7 },
		{ "… the end", { { 1000, -7, 1700 }, { 10 } }, { 0 }, false, { 0, 0 }, 0, 1, 7 },
		{ "… after it", { { 1000, 1700, -7, 1800 }, { 10 } }, { 0 }, false, { 0, 0 }, 0, 1, 0 },
		{ "between two parts", { { 1000 }, { 10 } }, { -7, 1400, 5500 }, false, { 0, 0 }, 0, 2, 7 },
		{ "made larger before", { { 900, 1000 }, { 10 } }, { 0 }, false, { 950, 999 }, 0, 1, 0 },
		{ "made larger in it", { { 1000, 1500 }, { 10 } }, { 0 }, false, { 1100, 1450 }, 450, 2, 0 },
		{ "made larger after it", { { 1000 }, { 10 } }, { 0 }, false, { 1601, 1900 }, 0, 1, 0 },
		{ "in the second part only", { { 900 }, { 10 } }, { -7, 5500 }, false, { 0, 0 }, 600, 0, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(&cases[i]);
}

TEST(a_window_is_due_until_it_was_taken)
{
	static const struct kt_capture_opts o = { .before_ns = 50, .after_ns = 10 };
	struct windows w = { .nr = 0 };

	assert_true(windows_due(&w, 0, 60) == UINT64_MAX);
	windows_open(&w, &o, &(struct kt_cause){ .at = 100, .from = 100 });
	assert_int_equal(windows_due(&w, 0, 60), 110);
	assert_true(windows_join(&w, &o, &(struct kt_cause){ .at = 105, .from = 105 }));
	assert_int_equal(windows_due(&w, 0, 60), 115);
	assert_false(windows_join(&w, &o, &(struct kt_cause){ .at = 200, .from = 200 }));
	windows_open(&w, &o, &(struct kt_cause){ .at = 200, .from = 200 });
	assert_int_equal(windows_due(&w, 0, 60), 175);	/* the ring holds the first no longer */
	assert_int_equal(windows_taken(&w, 100), 2);	/* none */
	assert_int_equal(windows_taken(&w, 115), 0);
	assert_int_equal(windows_due(&w, 115, 60), 210);	/* its file is not written yet */
	windows_forget(&w, 0);
	assert_int_equal(windows_taken(&w, 115), 1);
	windows_end(&w, 205);
	assert_int_equal(windows_taken(&w, 205), 0);
	assert_true(windows_due(&w, 205, 60) == UINT64_MAX);
}

int main(void)
{
	return RUN(unit(missing_parts_of_a_window_are_reported),
		   unit(a_window_is_due_until_it_was_taken));
}
