/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wait.c - wait for the end of a recording and show its progress */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/moment.h"
#include "record.h"

/* SIGPIPE is only blocked: if the reader of our messages has gone, the recording must go on */
int record_catch_signals(struct kt_err *err)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGCHLD);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return kt_err_set(err, -errno, "cannot catch signals: %s", strerror(errno));
	sigaddset(&set, SIGPIPE);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return fd;
}

static bool child_is_gone(struct record_wait *w)
{
	int status;

	if (w->child->pid < 0 || waitpid(w->child->pid, &status, WNOHANG) <= 0)
		return false;
	w->child->pid = -1;
	w->child_status = child_exit_status(status);
	return true;
}

/* Returns an enum record_end, or -1 to continue */
static int take_signals(struct record_wait *w)
{
	struct signalfd_siginfo info;
	int end = -1;

	while (read(w->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGCHLD) {
			w->signal = (int)info.ssi_signo;
			end = RECORD_END_SIGNAL;
		} else if (child_is_gone(w) && end < 0) {
			end = RECORD_END_COMMAND;
		}
	}
	return end;
}

/*
 * Readable when the task has ended. Before Linux 6.9 this works for processes only; there, the
 * process of a thread is used.
 */
static int open_task(long pid)
{
	int fd = (int)syscall(SYS_pidfd_open, (pid_t)pid, O_EXCL), tgid;	/* PIDFD_THREAD */
	char path[64], line[128];
	FILE *f;

	if (fd >= 0 || errno != EINVAL)
		return fd;
	fd = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
	if (fd >= 0 || errno != EINVAL)
		return fd;
	snprintf(path, sizeof(path), "/proc/%ld/status", pid);
	f = fopen(path, "re");
	while (f && fd < 0 && fgets(line, sizeof(line), f))
		if (sscanf(line, "Tgid: %d", &tgid) == 1)
			fd = (int)syscall(SYS_pidfd_open, (pid_t)tgid, 0);
	if (f)
		fclose(f);
	return fd;
}

/* One descriptor for each existing task of the list; it becomes readable when the task ends */
static size_t open_pids(const char *pids, struct pollfd *fds, size_t room)
{
	size_t nr = 0;
	char *end;
	long pid;
	int fd;

	for (; pids && *pids && nr < room; pids = end + strspn(end, ", ")) {
		pid = strtol(pids, &end, 10);
		if (end == pids)
			break;
		fd = open_task(pid);
		if (fd >= 0)
			fds[nr++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	}
	return nr;
}

bool record_any_task(const char *pids)
{
	struct pollfd fd;

	if (!open_pids(pids, &fd, 1))
		return false;
	close(fd.fd);
	return true;
}

static bool all_gone(struct pollfd *fds, size_t nr)
{
	bool gone = true;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (fds[i].fd >= 0 && fds[i].revents) {
			close(fds[i].fd);
			fds[i].fd = -1;
		}
		gone = gone && fds[i].fd < 0;
	}
	return gone;
}

static int timeout_ms(const struct record_wait *w, uint64_t start, uint64_t now)
{
	uint64_t ns = w->tick ? w->tick_ns : UINT64_MAX, left;

	if (w->duration_ns) {
		left = start + w->duration_ns > now ? start + w->duration_ns - now : 0;
		ns = left < ns ? left : ns;
	}
	return ns == UINT64_MAX ? -1 : (int)((ns > 3600000000000ull ? 3600000000000ull : ns) /
					     1000000 + 1);
}

#define MAX_PIDS 1024

int record_wait(struct record_wait *w, struct kt_err *err)
{
	struct pollfd fds[2 + MAX_PIDS] = {
		{ .fd = w->signal_fd, .events = POLLIN },
		{ .fd = w->rec ? kt_rec_fd(w->rec) : -1, .events = POLLIN },
	};
	uint64_t start = moment_ns(), ticked = start, now;
	size_t nr_pids = 0, i;
	int end = -1, ret = 0;

	if (w->child->pid < 0)
		nr_pids = open_pids(w->pids, fds + 2, MAX_PIDS);
	if (w->child->pid < 0 && w->pids && !nr_pids)
		end = RECORD_END_COMMAND;
	while (end < 0) {
		now = moment_ns();
		if (w->duration_ns && now - start >= w->duration_ns) {
			end = RECORD_END_TIME;
		} else if (poll(fds, 2 + nr_pids, timeout_ms(w, start, now)) < 0) {
			if (errno != EINTR)
				return kt_err_set(err, -errno, "cannot wait: %s", strerror(errno));
		} else if (fds[0].revents) {
			end = take_signals(w);
		} else if (fds[1].revents) {
			end = RECORD_END_READER;
		} else if (nr_pids && all_gone(fds + 2, nr_pids)) {
			end = RECORD_END_COMMAND;
		}
		now = moment_ns();
		if (end < 0 && w->tick && now - ticked >= w->tick_ns) {
			ret = w->tick(w->tick_data, now - start, err);
			ticked = moment_ns();
			end = ret < 0 ? RECORD_END_READER : -1;
		}
	}
	w->ran_ns = moment_ns() - start;
	for (i = 0; i < nr_pids; i++)
		if (fds[2 + i].fd >= 0)
			close(fds[2 + i].fd);
	return ret < 0 ? ret : end;
}
