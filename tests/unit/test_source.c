/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_source.c - many sub-buffers, known to be full, are read by one call */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kt_test.h"
#include "rec/source.h"

#define PAGE 4096
#define FULL (PAGE - 16)

/* A source of @nr sub-buffers with @commit bytes each, @last in the last one; cut to @size */
static void open_pages(struct source *s, int nr, uint64_t commit, uint64_t last, off_t size)
{
	char path[] = "/tmp/kt-source-XXXXXX", page[PAGE];
	int fd = mkstemp(path), i;

	assert_true(fd >= 0);
	for (i = 0; i < nr; i++) {
		memset(page, 'a' + i, sizeof(page));
		memcpy(page + 8, i == nr - 1 ? &last : &commit, sizeof(commit));
		assert_int_equal(write(fd, page, sizeof(page)), sizeof(page));
	}
	assert_int_equal(ftruncate(fd, size), 0);
	close(fd);
	*s = (struct source){ 0 };
	assert_int_equal(source_open(s, path, PAGE, true, NULL), 0);
	s->due = 100 * PAGE;
	unlink(path);
}

TEST(as_many_are_taken_as_were_asked_for)
{
	static char room[80 * PAGE];
	struct source s;

	open_pages(&s, 70, FULL, FULL, 70 * PAGE);
	assert_int_equal(source_take_due(&s, room, 3 * PAGE), 3 * PAGE);
	assert_int_equal(room[PAGE + 100], 'b');
	assert_int_equal(source_take_due(&s, room, 80 * PAGE), 64 * PAGE);
	assert_int_equal(room[100], 'd');
	assert_int_equal(source_take_due(&s, room, 80 * PAGE), 3 * PAGE);
	assert_int_equal(source_take_due(&s, room, 80 * PAGE), 0);
	assert_int_equal(s.due, 100 * PAGE);
	source_close(&s);
}

TEST(a_partial_sub_buffer_shows_that_poll_promises_nothing)
{
	static char room[8 * PAGE];
	struct source s;

	open_pages(&s, 2, FULL, 200, 2 * PAGE);
	assert_int_equal(source_take_due(&s, room, 8 * PAGE), 2 * PAGE);
	assert_int_equal(s.due, 0);
	source_close(&s);
}

TEST(short_data_are_padded_with_zeros)
{
	static char room[8 * PAGE];
	struct source s;

	memset(room, 1, sizeof(room));
	open_pages(&s, 2, FULL, FULL, PAGE + 3500);
	assert_int_equal(source_take_due(&s, room, 8 * PAGE), 2 * PAGE);
	assert_int_equal(room[PAGE + 3499], 'b');
	assert_int_equal(room[PAGE + 3500], 0);
	assert_int_equal(room[2 * PAGE - 1], 0);
	source_close(&s);
}

TEST(no_data_yet_is_zero_and_a_failure_is_reported)
{
	char room[PAGE];
	struct source s = { .page_size = PAGE };
	int fd[2];

	assert_int_equal(pipe2(fd, O_NONBLOCK), 0);
	s.fd = fd[0];
	assert_int_equal(source_take_due(&s, room, sizeof(room)), 0);
	s.fd = fd[1];
	assert_int_equal(source_take_due(&s, room, sizeof(room)), -EBADF);
	close(fd[0]);
	close(fd[1]);
}

int main(void)
{
	return RUN(unit(as_many_are_taken_as_were_asked_for),
		   unit(a_partial_sub_buffer_shows_that_poll_promises_nothing),
		   unit(short_data_are_padded_with_zeros),
		   unit(no_data_yet_is_zero_and_a_failure_is_reported));
}
