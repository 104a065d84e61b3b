/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_capture_note.c - the cause of a capture: written into a file, read, and damaged */
#include <errno.h>
#include <string.h>

#include <ktrail/writer.h>

#include "capture/capture.h"
#include "kt_test.h"

/* A file with this text as the note, NULL: without one */
static struct kt_file *file_with(const char *text, size_t size)
{
	struct kt_err err = { 0 };
	struct kt_file *in = kt_file_open(kt_data("6.12-events.dat"), &err);
	struct kt_writer_opts o = { 0 };
	struct kt_writer *w;

	kt_copy_opts(in, &o);
	w = kt_writer_create(kt_tmp("note.dat"), &o, &err);
	CHECK_NO_ERR(&err);
	assert_int_equal(kt_copy_meta(w, in, &err), 0);
	if (text)
		assert_int_equal(kt_writer_option(w, KT_OPTION_CAPTURE, text, size, &err), 0);
	assert_int_equal(kt_writer_finish(w, &err), 0);
	kt_writer_close(w);
	kt_file_close(in);
	in = kt_file_open(kt_tmp("note.dat"), &err);
	CHECK_NO_ERR(&err);
	return in;
}

static int read_note(const char *text, struct kt_capture_note *out)
{
	struct kt_file *f = file_with(text, text ? strlen(text) : 0);
	int ret = kt_capture_read_note(f, out);

	kt_file_close(f);
	return ret;
}

TEST(a_note_is_read_as_it_was_written)
{
	struct kt_capture_note note = {
		.from = 5, .until = 20, .missing = 3, .nr = 2, .nr_more = 7,
		.causes = { { .at = 15, .from = 9, .pid = 12, .cpu = 1, .text = "a took 6 ns" },
			    { .at = 16, .from = 16, .pid = -1, .cpu = -1, .text = "line: \\x1b b" } },
	}, got;
	struct str s = STR_INIT;

	note_add_text(&note, &s);
	assert_int_equal(read_note(s.buf, &got), 0);
	assert_int_equal(got.from, 5);
	assert_int_equal(got.until, 20);
	assert_int_equal(got.missing, 3);
	assert_int_equal(got.nr_more, 7);
	assert_int_equal(got.nr, 2);
	assert_memory_equal(&got.causes[0], &note.causes[0], sizeof(note.causes[0]));
	assert_memory_equal(&got.causes[1], &note.causes[1], sizeof(note.causes[1]));
	str_fini(&s);
}

TEST(a_damaged_note_is_refused)
{
	static const char *const wrong[] = {
		"", "x", "window", "window 1", "window 5 4 0 0\ncause 1 1 1 1 a\n", "window 1 2 0 0\n",
		"window 1 2 -1 0\ncause 1 1 1 1 a\n", "window 1 2 0 0\ncause 1 2 1 1 a\n",
		"window 1 2 0 0\ncause 1 1 -2 1 a\n", "window 1 2 0 0\ncause 1 1 1 4294967296 a\n",
		"window 1 2 0 0\ncause 1 1 1 1\n", "window 1 2 0 0\ncause 1 1 1 1 a\nnothing\n",
	};
	struct kt_capture_note got;
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		if (read_note(wrong[i], &got) != -EBADMSG)
			fail_msg("'%s' is taken for a note", wrong[i]);
	assert_int_equal(read_note(NULL, &got), -ENOENT);
}

TEST(what_is_too_much_for_a_note_is_left_out)
{
	struct kt_capture_note got;
	struct str s = STR_INIT;
	int i;

	str_add(&s, "window 1 2 0 0\n");
	for (i = 0; i < KT_CAUSES + 3; i++)
		str_addf(&s, "cause 1 1 1 1 %0300d\n", i);
	assert_int_equal(read_note(s.buf, &got), 0);
	assert_int_equal(got.nr, KT_CAUSES);
	assert_int_equal(strlen(got.causes[KT_CAUSES - 1].text), sizeof(got.causes[0].text) - 1);
	str_fini(&s);
}

int main(void)
{
	return RUN(unit(a_note_is_read_as_it_was_written), unit(a_damaged_note_is_refused),
		   unit(what_is_too_much_for_a_note_is_left_out));
}
