/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_surface.c - how texts change cells, and what they cannot change */
#include <locale.h>
#include <string.h>

#include "kt_test.h"
#include "tui/terminal/surface.h"

static struct surface make(int rows, int cols, bool ascii)
{
	struct surface s;

	assert_int_equal(surface_init(&s, rows, cols, ascii), 0);
	return s;
}

static void check(struct surface *s, const char *expected)
{
	struct str text = STR_INIT;

	surface_text(s, &text);
	assert_string_equal(text.buf, expected);
	str_fini(&text);
	surface_fini(s);
}

TEST(a_text_ends_with_an_ellipsis_where_there_is_no_room)
{
	struct surface s = make(2, 8, false);

	assert_int_equal(area_put(surface_all(&s), 0, 0, STYLE_NORMAL, "abcdefghij", -1), 8);
	assert_int_equal(area_put(surface_all(&s), 1, 1, STYLE_NORMAL, "abcdefghij", 4), 5);
	check(&s, "abcdefg…\n abc…\n");
}

TEST(nothing_is_drawn_outside_of_an_area)
{
	struct surface s = make(3, 6, false);
	struct area inner = area_part(surface_all(&s), 1, 2, 1, 3);

	area_put(inner, 0, 0, STYLE_NORMAL, "abcdefghij", -1);
	area_put(inner, 1, 0, STYLE_NORMAL, "below", -1);
	area_put(inner, -1, 0, STYLE_NORMAL, "above", -1);
	area_char(inner, 0, 7, STYLE_NORMAL, 'x');
	area_fill(inner, 0, -5, STYLE_NORMAL, 'y', 5);
	area_put_right(inner, 0, 90, STYLE_NORMAL, "far");
	check(&s, "\n  ab…\n\n");
}

TEST(an_area_is_cut_by_the_one_that_it_is_part_of)
{
	struct surface s = make(2, 4, false);
	struct area a = area_part(surface_all(&s), 1, 3, 5, 5);

	assert_int_equal(a.rows, 1);
	assert_int_equal(a.cols, 1);
	a = area_part(surface_all(&s), 9, 9, 1, 1);
	assert_int_equal(a.rows, 0);
	a = area_part(surface_all(&s), -3, -3, 9, 9);
	assert_int_equal(a.row, 0);
	surface_fini(&s);
}

TEST(what_a_terminal_would_obey_is_written_as_bytes)
{
	struct surface s = make(7, 24, false);
	struct area a = surface_all(&s);

	area_put(a, 0, 0, STYLE_NORMAL, "a\033[2Jb", -1);
	area_put(a, 1, 0, STYLE_NORMAL, "a\x9b" "b", -1);		/* C1, not UTF-8 */
	area_put(a, 2, 0, STYLE_NORMAL, "a\xc2\x9b" "b", -1);		/* C1 as UTF-8 */
	area_put(a, 3, 0, STYLE_NORMAL, "a\xe2\x80\xae" "b", -1);	/* right to left */
	area_putn(a, 4, 0, STYLE_NORMAL, "a\0b", 3, -1);
	area_put(a, 5, 0, STYLE_NORMAL, "e\xcc\x81\tx", -1);		/* combining, and a tab */
	area_put(a, 6, 0, STYLE_NORMAL, "a\xc2\xad" "b", -1);		/* a soft hyphen */
	check(&s, "a\\x1b[2Jb\na\\x9bb\na\\xc2\\x9bb\na\\xe2\\x80\\xaeb\na\\x00b\ne\\xcc\\x81 x\n"
		  "a\\xc2\\xadb\n");
}

TEST(wide_characters_take_two_cells_and_are_never_cut_in_half)
{
	struct surface s = make(2, 4, false);

	assert_int_equal(text_width("\xe4\xb8\xad"), 2);
	area_put(surface_all(&s), 0, 0, STYLE_NORMAL, "\xe4\xb8\xad" "a", -1);
	assert_true(s.cells[0].flags & CELL_WIDE);
	assert_true(s.cells[1].flags & CELL_REST);
	area_put(surface_all(&s), 1, 3, STYLE_NORMAL, "\xe4\xb8\xad", -1);
	assert_false(s.cells[7].flags & CELL_WIDE);
	surface_fini(&s);
}

TEST(ascii_has_replacements_for_our_characters)
{
	struct surface s = make(2, 12, true);
	size_t i;

	area_put(surface_all(&s), 0, 0, STYLE_NORMAL, "abcdefghijklmnop", -1);
	area_char(surface_all(&s), 1, 0, STYLE_NORMAL, 0x2588);
	area_char(surface_all(&s), 1, 1, STYLE_NORMAL, 0x2592);
	area_char(surface_all(&s), 1, 2, STYLE_NORMAL, 0x25be);
	area_char(surface_all(&s), 1, 3, STYLE_NORMAL, 0x1f600);
	for (i = 0; i < 24; i++)
		assert_in_range(s.cells[i].ch, 0x20, 0x7e);
	check(&s, "abcdefghijk~\n#:v?\n");
}

TEST(a_surface_of_no_size_takes_anything)
{
	struct surface s = make(0, 0, false);

	area_put(surface_all(&s), 0, 0, STYLE_NORMAL, "abc", -1);
	area_select(surface_all(&s), 0);
	area_cursor(surface_all(&s), 0, 0);
	check(&s, "");
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	return RUN(unit(a_text_ends_with_an_ellipsis_where_there_is_no_room),
		   unit(nothing_is_drawn_outside_of_an_area),
		   unit(an_area_is_cut_by_the_one_that_it_is_part_of),
		   unit(what_a_terminal_would_obey_is_written_as_bytes),
		   unit(wide_characters_take_two_cells_and_are_never_cut_in_half),
		   unit(ascii_has_replacements_for_our_characters),
		   unit(a_surface_of_no_size_takes_anything));
}
