/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_flame_svg.c - a flame graph holds its frames, and nothing in their names breaks it */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/export.h>

#include "kt_test.h"

static char *draw(const struct kt_picture_frame frames[], size_t nr)
{
	const struct kt_picture_flame f = {
		.title = "a & b", .colour = KT_PICTURE_CHANGE, .frames = frames, .nr = nr,
	};
	struct kt_err err = { 0 };
	char *svg = kt_picture_flame(&f, &err);

	CHECK_NO_ERR(&err);
	assert_non_null(svg);
	return svg;
}

TEST(frames_are_as_wide_as_their_share)
{
	char *svg = draw((struct kt_picture_frame[]){
		{ .name = "all", .value = 100 }, { .name = "half", .value = 50 },
		{ .name = "inner", .parent = 1, .value = 25 }, { .name = "next", .value = 20 },
		{ .name = "slim", .value = 0.001 },
		{ .name = "slimmer", .parent = 4, .value = 0.001 },
	}, 6);

	assert_non_null(strstr(svg, "data-x=\"0.0000000\" data-w=\"0.5000000\" data-d=\"1\" "
				    "data-n=\"half\""));
	assert_non_null(strstr(svg, "data-w=\"0.2500000\" data-d=\"2\" data-n=\"inner\""));
	assert_non_null(strstr(svg, "data-x=\"0.5000000\" data-w=\"0.2000000\" data-d=\"1\" "
				    "data-n=\"next\""));
	assert_null(strstr(svg, "slim"));
	assert_null(strstr(svg, "slimmer"));
	assert_non_null(strstr(svg, "</svg>"));
	free(svg);
}

TEST(names_cannot_break_out)
{
	char *svg = draw((struct kt_picture_frame[]){
		{ .name = "all", .value = 1 },
		{ .name = "</text><script>x\"y\1\xff", .value = 1, .note = "]]> & <b>" },
	}, 2);

	assert_non_null(strstr(svg, "a &amp; b"));
	assert_non_null(strstr(svg, "data-n=\"&lt;/text&gt;&lt;script&gt;x&quot;y\\x01\\xff\""));
	assert_non_null(strstr(svg, ", ]]&gt; &amp; &lt;b&gt;</title>"));
	assert_null(strstr(svg, "<script>x"));
	free(svg);
}

TEST(changes_have_colours)
{
	char *svg = draw((struct kt_picture_frame[]){
		{ .name = "all", .value = 3 }, { .name = "slower", .value = 1, .change = 1 },
		{ .name = "faster", .value = 1, .change = -7 },
	}, 3);

	assert_non_null(strstr(svg, "rgb(240,235,240)"));
	assert_non_null(strstr(svg, "rgb(240,70,70)"));
	assert_non_null(strstr(svg, "rgb(70,70,240)"));
	free(svg);
}

TEST(a_frame_comes_after_its_parent)
{
	const struct kt_picture_frame frames[] = {
		{ .name = "all", .value = 1 }, { .name = "a", .parent = 1, .value = 1 },
	};
	const struct kt_picture_flame f = { .title = "", .frames = frames, .nr = 2 };
	struct kt_err err = { 0 };

	assert_null(kt_picture_flame(&f, &err));
	assert_int_equal(err.code, -EINVAL);
}

int main(void)
{
	return RUN(unit(frames_are_as_wide_as_their_share), unit(names_cannot_break_out),
		   unit(changes_have_colours), unit(a_frame_comes_after_its_parent));
}
