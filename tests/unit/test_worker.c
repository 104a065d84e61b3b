/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_worker.c - the thread that reads sub-buffers, and the one in reserve */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "kt_test.h"
#include "rec/rec_priv.h"

#define PAGE 4096
#define DUE  4			/* sub-buffers that poll waits for */

static _Atomic int promises;	/* number of times that poll has promised data */
static int data_fd;

static void a_moment(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
}

/* Like the kernel's poll() with buffer_percent: it reports data once there is much of it */
int poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	int ready = 0, bytes = 0;
	nfds_t i;

	for (; !ready && timeout; a_moment())
		for (i = 0; i < nr; i++) {
			bool is_data = fds[i].fd == data_fd;
			eventfd_t told = 0;

			if (is_data)
				ioctl(data_fd, FIONREAD, &bytes);
			else if (eventfd_read(fds[i].fd, &told) == 0)
				eventfd_write(fds[i].fd, told);
			fds[i].revents = is_data ? bytes >= DUE * PAGE : told > 0;
			promises += is_data && fds[i].revents;
			ready += fds[i].revents != 0;
		}
	return ready;
}

static void put_page(int fd, uint64_t commit)
{
	char page[PAGE] = { 0 };

	memcpy(page + 8, &commit, sizeof(commit));
	assert_int_equal(write(fd, page, sizeof(page)), sizeof(page));
}

/* Read the waiting data in place of the worker's thread */
static void stand_in(struct worker *w)
{
	char pages[DUE * PAGE];

	assert_int_equal(read(data_fd, pages, sizeof(pages)), sizeof(pages));
	w->taken += sizeof(pages);
}

static int drop(struct sink_cpu *c, const struct sink_chunk *chunk, struct kt_err *err)
{
	(void)c, (void)chunk, (void)err;
	return 0;
}

static const struct sink_ops nowhere = { .append = drop };

TEST(a_promise_of_poll_is_not_counted_on_when_another_has_taken)
{
	struct rec_buffer buffer = { .page_size = PAGE };
	struct sink sink = { .ops = &nowhere };
	struct kt_rec rec = { .nr_workers = 1, .stop_fd = eventfd(0, EFD_NONBLOCK),
			      .first_fd = -1, .sink = &sink };
	struct reader r = { .rec = &rec, .buffer = &buffer, .room = 64 * PAGE,
			    .source = { .page_size = PAGE, .due = (DUE - 1) * PAGE } };
	struct reader *readers[] = { &r };
	struct worker w = { .rec = &rec, .readers = readers, .nr_readers = 1, .pipe.fd = { -1, -1 },
			    .wake_fd = eventfd(0, EFD_NONBLOCK) };
	int fd[2], i;

	assert_int_equal(pipe2(fd, O_NONBLOCK), 0);
	data_fd = r.source.fd = fd[0];
	sem_init(&rec.told, 0, 0);
	queue_init(&w.queue);
	queue_limit(&w.queue, r.room, 1 << 20, 3);
	queue_lock_init(&w.taking);
	assert_int_equal(rec_worker_start(&w, NULL), 0);

	pthread_mutex_lock(&w.taking);
	for (i = 0; i < DUE; i++)
		put_page(fd[1], PAGE - 16);
	while (!promises)
		a_moment();
	stand_in(&w);
	put_page(fd[1], 100);		/* it is still being filled */
	pthread_mutex_unlock(&w.taking);
	for (i = 0; i < 100; i++)
		a_moment();

	pthread_mutex_lock(&w.taking);
	assert_int_equal(ioctl(data_fd, FIONREAD, &i), 0);
	assert_int_equal(i, PAGE);
	assert_int_equal(r.source.due, (DUE - 1) * PAGE);
	assert_int_equal(read(data_fd, (char[PAGE]){ 0 }, PAGE), PAGE);
	pthread_mutex_unlock(&w.taking);

	rec.stopping = true;
	eventfd_write(rec.stop_fd, 1);
	pthread_join(w.thread, NULL);
	queue_fini(&w.queue);
	sem_destroy(&rec.told);
	pthread_mutex_destroy(&w.taking);
	close(fd[0]);
	close(fd[1]);
	close(rec.stop_fd);
	close(w.wake_fd);
}

int main(void)
{
	return RUN(unit(a_promise_of_poll_is_not_counted_on_when_another_has_taken));
}
