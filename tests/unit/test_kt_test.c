/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_kt_test.c - the fixtures themselves */
#include <stdlib.h>
#include <string.h>

#include "kt_test.h"

TEST(a_fake_tracefs_keeps_written_values)
{
	kt_fake_tracefs();
	assert_string_equal(kt_fake_get("current_tracer"), "nop");
	kt_fake_set("events/kprobes/mine/enable", "1\n");
	assert_string_equal(kt_fake_get("events/kprobes/mine/enable"), "1");
}

TEST(each_fake_tracefs_starts_fresh)
{
	kt_fake_tracefs();
	kt_fake_set("current_tracer", "function\n");
	kt_fake_tracefs();
	assert_string_equal(kt_fake_get("current_tracer"), "nop");
}

TEST(bytes_come_back_with_their_size)
{
	size_t size;
	char *text;

	kt_spill(kt_tmp("dir/bytes"), "a\0b", 3);
	text = kt_slurp(kt_tmp("dir/bytes"), &size);
	assert_int_equal(size, 3);
	assert_memory_equal(text, "a\0b", 4);
	free(text);
}

int main(void)
{
	return RUN(unit(a_fake_tracefs_keeps_written_values),
		   unit(each_fake_tracefs_starts_fresh),
		   unit(bytes_come_back_with_their_size));
}
