/* SPDX-License-Identifier: GPL-2.0-or-later */
/* watch.c - run a capture until a signal or its command ends it, or options are read again */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/moment.h"
#include "capture.h"
#include "cmd/process/notify.h"

#define METRICS_MS 10000		/* interval between two writes */
#define FDS 64

static void see_child(struct watching *w)
{
	struct record_wait *wait = &w->recording->wait;
	uint64_t after = w->args->o.after_ns;
	int status;

	if (wait->child->pid < 0 || waitpid(wait->child->pid, &status, WNOHANG) <= 0)
		return;
	wait->child->pid = -1;
	wait->child_status = child_exit_status(status);
	kt_capture_exit(w->capture, status);
	if (w->until > moment_ns() + after)
		w->until = moment_ns() + after;
}

static void take_signals(struct watching *w)
{
	struct signalfd_siginfo info;

	while (read(w->recording->wait.signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD) {
			see_child(w);
			continue;
		}
		if (info.ssi_signo == SIGHUP && w->args->config && w->recording->child.pid < 0) {
			w->reload = true;
			continue;
		}
		w->recording->wait.signal = (int)info.ssi_signo;
		w->ended = true;
	}
	while (w->signal_fd >= 0 && read(w->signal_fd, &info, sizeof(info)) == sizeof(info))
		kt_capture_signal(w->capture, (int)info.ssi_signo);
}

static int wait_once(struct watching *w, struct kt_err *err)
{
	struct pollfd fds[FDS] = {
		{ .fd = w->recording->wait.signal_fd, .events = POLLIN },
		{ .fd = w->signal_fd, .events = POLLIN },
	};
	uint64_t now = moment_ns(), left;
	int timeout;
	size_t nr = 2 + kt_capture_poll(w->capture, fds + 2, FDS - 2, &timeout);

	if (w->args->metrics && timeout > METRICS_MS)
		timeout = METRICS_MS;
	left = w->until > now ? (w->until - now) / 1000000 + 1 : 0;
	if (left < (uint64_t)timeout)
		timeout = (int)left;
	if (poll(fds, nr, timeout) < 0 && errno != EINTR)
		return kt_err_set(err, -errno, "cannot wait: %s", strerror(errno));
	kt_capture_polled(w->capture, fds + 2, nr - 2);
	take_signals(w);
	return kt_capture_step(w->capture, err);
}

static void set_callbacks(struct kt_capture_opts *o, struct capture_args *a)
{
	o->saved = capture_tell_saved;
	o->passed = capture_tell_passed;
	o->displaced = capture_tell_displaced;
	o->data = a;
}

/* The signals of the conditions */
static int open_signals(struct watching *w, struct kt_err *err)
{
	sigset_t set;

	kt_capture_signals(w->capture, &set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	w->signal_fd = signalfd(w->signal_fd, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return w->signal_fd < 0 ?
	       kt_err_set(err, -errno, "cannot catch signals: %s", strerror(errno)) : 0;
}

/* ---- options read again ---- */

/* Settings that leave the ring unchanged take effect at once. */
static int adopt(struct watching *w, struct capture_args *n, struct kt_err *err)
{
	struct capture_args *a = w->args;
	struct kt_when *when = n->when;
	int ret = capture_check_metrics(n->metrics, err);

	if (ret < 0)
		return ret;
	n->when = NULL;
	set_callbacks(&n->o, a);
	ret = kt_capture_change(w->capture, when, &n->o, err);
	if (ret == 0)
		ret = open_signals(w, err);
	if (ret < 0)
		return ret;
	a->o = n->o;
	a->metrics = n->metrics;
	a->s.quiet = n->s.quiet;
	capture_free_words(&a->later);
	a->later = n->words;
	n->words = (struct words){ 0 };
	return 0;
}

static void reload(struct watching *w)
{
	struct capture_args *a = w->args, *n;
	struct kt_err err = { 0 };
	char text[64];

	w->reload = false;
	snprintf(text, sizeof(text), "RELOADING=1\nMONOTONIC_USEC=%" PRIu64, moment_ns() / 1000);
	notify_manager(text);
	n = capture_reread(&err);
	if (n && strcmp(n->words.trace, a->words.trace) != 0) {
		w->next = n;
		w->ended = true;
		return;
	}
	if (n && adopt(w, n, &err) < 0)
		kt_err_wrap(&err, err.code, "%s", a->config);
	if (!err.code)
		capture_tell(a, "%s: read again; the ring continues", a->config);
	else
		capture_tell(a, "%s; nothing is changed", err.msg);
	capture_free_args(n);
	notify_manager("READY=1");
}

/* ---- the loop ---- */

/* A failed write loses nothing: the next one has the same counters. */
static int measure(struct watching *w, struct kt_err *err)
{
	uint64_t now = moment_ns();

	if (!w->args->metrics || (w->measured && now < w->measured + METRICS_MS * 1000000ull))
		return 0;
	w->measured = now;
	return capture_write_metrics(w->args->metrics, w->capture, err);
}

static bool is_over(const struct watching *w)
{
	const struct capture_args *a = w->args;

	return w->ended || moment_ns() >= w->until ||
	       (a->o.count && a->nr_saved >= a->o.count);
}

static int watch(struct watching *w, struct kt_err *err)
{
	struct kt_err metrics = { 0 };
	int ret = 0;

	while (ret == 0 && !is_over(w)) {
		ret = wait_once(w, err);
		if (measure(w, &metrics) < 0)
			capture_tell(w->args, "%s", metrics.msg);
		kt_err_clear(&metrics);
		if (ret == 0 && w->reload)
			reload(w);
	}
	return ret == 0 ? kt_capture_end(w->capture, err) : ret;
}

static int arm(struct watching *w, struct kt_err *err)
{
	struct capture_args *a = w->args;
	int ret = kt_capture_arm(w->capture, record_first_instance(&a->s.setup), err);

	if (ret >= 0)
		ret = measure(w, err);
	if (ret >= 0)
		ret = recording_go(w->recording, err);
	if (ret < 0)
		return ret;
	w->armed = true;
	if (w->recording->child.pid < 0 && !a->duration_ns)
		capture_tell(a, "armed; Hit Ctrl^C to end");
	notify_manager("READY=1");
	if (a->duration_ns)
		w->until = moment_ns() + a->duration_ns;
	return 0;
}

int capture_watch(struct watching *w, struct kt_err *err)
{
	struct capture_args *a = w->args;
	int ret = capture_check_metrics(a->metrics, err);

	if (ret < 0)
		return ret;
	w->signal_fd = -1;
	w->until = UINT64_MAX;
	set_callbacks(&a->o, a);
	w->capture = kt_capture_create(a->when, &a->o, err);
	a->when = NULL;
	if (!w->capture)
		return kt_err_code(err, -ENOMEM);
	ret = open_signals(w, err);
	if (ret >= 0)
		ret = arm(w, err);
	if (ret >= 0)
		ret = watch(w, err);
	if (!w->next)
		notify_manager("STOPPING=1");
	if (ret >= 0)
		capture_tell_end(a, w->capture);
	if (w->measured)
		unlink(a->metrics);
	kt_setup_stop(&a->s.setup, NULL);
	kt_capture_destroy(w->capture);
	if (w->signal_fd >= 0)
		close(w->signal_fd);
	return ret;
}
