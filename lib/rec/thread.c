/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* thread.c - threads of a recording: start them, store their ids, report a failure */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rec/rec_priv.h"

void rec_thread_tell(struct kt_rec *rec, _Atomic int *tid)
{
	atomic_store(tid, (int)syscall(SYS_gettid));
	sem_post(&rec->told);
}

int rec_thread_start(struct kt_rec *rec, const struct rec_thread *t, pthread_t *id,
		     struct kt_err *err)
{
	char name[16];
	sigset_t all, before;
	int ret;

	/* Signals are handled by the caller */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	ret = pthread_create(id, NULL, t->body, t->data);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ret)
		return kt_err_set(err, -ret, "cannot start a thread: %s", strerror(ret));
	snprintf(name, sizeof(name), t->name, t->cpu);
	pthread_setname_np(*id, name);
	while (sem_wait(&rec->told) < 0 && errno == EINTR)
		;
	if (rec->opts.hurry && !t->reads)
		pthread_setschedparam(*id, SCHED_OTHER, &(struct sched_param){ 0 });
	return 0;
}

void rec_alarm(struct kt_rec *rec)
{
	eventfd_write(rec->alarm_fd, 1);
}

void rec_fail(struct kt_rec *rec, const struct kt_err *err)
{
	pthread_mutex_lock(&rec->lock);
	if (!rec->err.code)
		rec->err = *err;
	pthread_mutex_unlock(&rec->lock);
	atomic_store(&rec->failed, true);
	rec_alarm(rec);
	eventfd_write(rec->synced_fd, 1);
}
