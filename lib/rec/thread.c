/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* thread.c - start the threads of a recording, and know them by their ids */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
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

	/* Signals are the caller's */
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
	return 0;
}
