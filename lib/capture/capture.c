/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* capture.c - the recorder: causes become windows, and windows become files */
#include "capture/capture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ktrail/rec.h>

#include "when/door.h"

#define TICK_NS    100000000ull

struct kt_capture {
	struct kt_capture_opts opts;
	struct kt_when *when;
	struct store store;
	struct alike *alike;		/* NULL: all are kept */
	struct ring ring;
	struct thin *thin;		/* NULL: not needed */
	struct outside *outside;
	struct kt_temp *dir;		/* for the parts taken from the ring */
	uint64_t armed, disarmed;	/* when watching began, and when it ended */
	struct windows windows;
	uint64_t *recent;		/* times of the last at_most captures; a ring; 0: unused */
	size_t next_recent;
	uint64_t read;			/* when the second buffer was last read */
	struct look look;		/* when to look at the ring and the kernel's tables */
	struct kt_capture_stats stats;
	struct kt_cause last;
	unsigned int told;		/* reasons reported since the last file */
	struct door door;		/* for questions about its status */
	struct kt_err broken;		/* set by kt_capture_change(): it cannot continue */
};

/* ---- causes become windows ---- */

static uint64_t span(const struct kt_capture *c)
{
	return c->opts.before_ns + c->opts.after_ns;
}

/* Does --at-most allow one more? */
static bool is_allowed(struct kt_capture *c, uint64_t at)
{
	uint64_t *oldest;

	if (!c->recent)
		return true;
	oldest = &c->recent[c->next_recent];
	if (*oldest && at < *oldest + c->opts.at_most_ns)
		return false;
	*oldest = at;
	c->next_recent = (c->next_recent + 1) % c->opts.at_most;
	return true;
}

/* @nr causes, beginning with @cause, get no file. */
static void pass(struct kt_capture *c, const struct kt_cause *cause, uint64_t nr,
		 enum kt_capture_pass why, const char *text)
{
	bool each = why == KT_CAPTURE_ALIKE || why == KT_CAPTURE_FAILED;

	c->stats.nr_passed[why] += nr;
	if (c->opts.passed && (each || !(c->told & 1u << why)))
		c->opts.passed(c->opts.data, cause, why, text);
	c->told |= 1u << why;
}

static void pass_window(struct kt_capture *c, const struct kt_capture_note *n,
			enum kt_capture_pass why, const char *text)
{
	pass(c, &n->causes[0], n->nr + n->nr_more, why, text);
}

static void fire(void *data, struct atom *atom, const struct kt_cause *cause)
{
	struct kt_capture *c = data;

	if (!when_came(c->when, atom, cause->at, c->opts.before_ns))
		return;
	when_forget(c->when);
	/* Before the recorder was ready, or after it ended: the ring is not taken again */
	if (cause->at < c->armed || cause->at > c->disarmed)
		return;
	c->stats.nr_causes++;
	c->last = *cause;
	if (windows_join(&c->windows, &c->opts, cause))
		return;
	if (c->windows.nr == WINDOWS)
		pass(c, cause, 1, KT_CAPTURE_MISSED, "more at once than can be saved");
	else if (!is_allowed(c, cause->at))
		pass(c, cause, 1, KT_CAPTURE_LIMITED, "more than --at-most");
	else
		windows_open(&c->windows, &c->opts, cause);
}

static void fire_all(struct kt_capture *c, enum atom_kind kind, int number, const char *text)
{
	struct kt_cause cause = { .pid = -1, .cpu = -1 };
	size_t i;

	outside_look(c->outside);	/* on a busy machine, others may have come first */
	cause.at = cause.from = moment_ns();
	snprintf(cause.text, sizeof(cause.text), "%s", text);
	for (i = 0; i < c->when->nr; i++) {
		struct atom *a = c->when->atoms[i];

		if (a->kind == kind && (kind != ATOM_SIGNAL || a->number == number) &&
		    (kind != ATOM_EXIT || compare_holds(a->sign, number, a->number)))
			fire(c, a, &cause);
	}
}

void kt_capture_signals(const struct kt_capture *c, sigset_t *set)
{
	size_t i;

	sigemptyset(set);
	for (i = 0; i < c->when->nr; i++)
		if (c->when->atoms[i]->kind == ATOM_SIGNAL)
			sigaddset(set, c->when->atoms[i]->number);
}

void kt_capture_signal(struct kt_capture *c, int signal)
{
	char text[64];

	snprintf(text, sizeof(text), "signal: %s", strsignal(signal));
	fire_all(c, ATOM_SIGNAL, signal, text);
}

void kt_capture_exit(struct kt_capture *c, int wait_status)
{
	char text[96];

	if (WIFEXITED(wait_status)) {
		snprintf(text, sizeof(text), "the command has ended with status %d",
			 WEXITSTATUS(wait_status));
		fire_all(c, ATOM_EXIT, WEXITSTATUS(wait_status), text);
	} else if (WIFSIGNALED(wait_status)) {
		snprintf(text, sizeof(text), "the command was ended by a signal: %s",
			 strsignal(WTERMSIG(wait_status)));
		fire_all(c, ATOM_DEATH, 0, text);
		fire_all(c, ATOM_EXIT, 128 + WTERMSIG(wait_status), text);
	}
}

/* ---- windows become files ---- */

/* A file that cannot be written does not end the recorder: the next one may succeed. */
static void save_window(struct kt_capture *c, struct kt_capture_note *note)
{
	const char *path = store_next(&c->store), *like;
	struct kt_err err = { 0 };
	struct kt_capture_file file;

	if (!path || window_write(&c->ring, path, note, &file, &err) < 0) {
		pass_window(c, note, KT_CAPTURE_FAILED, path ? err.msg : "out of memory");
		return;
	}
	like = c->alike ? alike_find(c->alike, note, path) : NULL;
	if (like && unlink(path) == 0) {
		pass_window(c, note, KT_CAPTURE_ALIKE, like);
		return;
	}
	c->stats.nr_files++;
	c->stats.nr_captured += note->nr + note->nr_more;
	c->told = 0;
	store_trim(&c->store);
	file.removed = c->store.removed;
	file.nr_removed = c->store.nr_removed;
	if (c->opts.saved)
		c->opts.saved(c->opts.data, &file);
}

static bool is_done(const struct kt_capture *c)
{
	return c->opts.count && c->stats.nr_files >= c->opts.count;
}

static uint64_t ring_bytes(const struct kt_capture *c, uint64_t kb)
{
	return kb * 1024 * (uint64_t)(c->ring.nr_cpus > 0 ? c->ring.nr_cpus : 0);
}

static void pass_all(struct kt_capture *c, enum kt_capture_pass why, const char *text)
{
	size_t i;

	for (i = 0; i < c->windows.nr; i++)
		pass_window(c, &c->windows.at[i], why, text);
	c->windows.nr = 0;
}

/*
 * Take the data of all windows from the ring. Their files are written later, since the ring keeps
 * filling. A later window may reach back by twice the usual span, and the second buffer reports
 * it within a tick.
 */
static int take(struct kt_capture *c, struct kt_err *err)
{
	uint64_t reach = 2 * span(c) + c->opts.tick_ns, from = c->windows.at[0].from;
	uint64_t oldest = from > reach ? from - reach : 0;
	uint64_t ring = ring_bytes(c, c->ring.kb);
	struct kt_err failure = { 0 };
	char why[256];
	int ret;

	if (!store_has_room(&c->store, kt_temp_path(c->dir), ring, why, sizeof(why))) {
		pass_all(c, KT_CAPTURE_NO_ROOM, why);
		return 0;
	}
	if (ring_take(&c->ring, oldest, &failure) < 0)
		pass_all(c, KT_CAPTURE_FAILED, failure.msg);
	/* Windows that overlap the part just taken may have become longer. */
	ret = c->thin ? thin_read(c->thin, c->ring.taken, err) : 0;
	return ret < 0 ? ret : 0;
}

/* Write the file of the first window that was taken. False: none */
static bool save_one(struct kt_capture *c)
{
	size_t i = windows_taken(&c->windows, c->ring.taken);

	if (i == c->windows.nr || is_done(c))
		return false;
	save_window(c, &c->windows.at[i]);
	windows_forget(&c->windows, i);
	return true;
}

static uint64_t due(const struct kt_capture *c)
{
	return windows_due(&c->windows, c->ring.taken, span(c));
}

/* ---- sources of conditions ---- */

/* Keep the count of lost events. */
static void unwatch_events(struct kt_capture *c)
{
	c->stats.nr_unread += c->thin ? thin_lost(c->thin) : 0;
	thin_close(c->thin);
	c->thin = NULL;
}

static void unwatch(struct kt_capture *c)
{
	unwatch_events(c);
	outside_close(c->outside);
	c->outside = NULL;
}

static int watch_events(struct kt_capture *c, struct kt_err *err)
{
	struct str name = STR_INIT;

	str_addf(&name, "%s-when", kt_instance_name(c->ring.inst));
	c->thin = name.failed ? NULL : thin_open(c->when, name.buf, fire, c, err);
	str_fini(&name);
	place_tell(c->when, &c->opts);
	return c->thin ? 0 : kt_err_code(err, -ENOMEM);
}

/*
 * The kernel misses latencies when its tables are full. Latencies that begin while the buffers are
 * exchanged are missed, too: this happens once, and a message says so.
 */
static int leave_kernel(struct kt_capture *c, bool has_missed, struct kt_err *err)
{
	int ret = thin_read(c->thin, moment_ns(), err);
	size_t i;

	for (i = 0; i < c->when->nr; i++)
		if (*c->when->atoms[i]->event)
			atom_refuse(c->when->atoms[i], has_missed ?
				    "its tables were full, some were missed" :
				    "its tables were nearly full");
	unwatch_events(c);
	return ret < 0 ? ret : watch_events(c, err);
}

/* Is the ring large enough, and do the kernel's tables have room? */
static int look(struct kt_capture *c, uint64_t now, struct kt_err *err)
{
	bool has_grown = ring_fit(&c->ring, span(c) + c->opts.tick_ns);
	unsigned int entries = c->thin ? thin_entries(c->thin) : 0;
	int ret = entries < KERNEL_FULL ? 0 : leave_kernel(c, entries == KERNEL_MISSES, err);

	look_again(&c->look, now, has_grown, entries < KERNEL_FULL ? entries : 0);
	return ret;
}

static int watch(struct kt_capture *c, struct kt_err *err)
{
	int ret = 0;

	c->outside = outside_open(c->when, c->opts.group, fire, c, err);
	if (!c->outside)
		return kt_err_code(err, -ENOMEM);
	if (thin_is_needed(c->when))
		ret = watch_events(c, err);
	c->read = moment_ns();
	return ret;
}

/* ---- its status ---- */

void kt_capture_stats(const struct kt_capture *c, struct kt_capture_stats *out)
{
	*out = c->stats;
	store_count(&c->store, &out->nr_kept, &out->kept_bytes);
	out->nr_unread += c->thin ? thin_lost(c->thin) : 0;
	out->ring_bytes = ring_bytes(c, c->ring.kb);
	out->ring_max = ring_bytes(c, c->ring.bound_kb);
	out->last = c->stats.nr_causes ? &c->last : NULL;
}

char *kt_capture_status(const struct kt_capture *c, enum kt_capture_form form)
{
	struct status s = {
		.when = c->when, .opts = &c->opts, .store = &c->store,
		.instance = kt_instance_name(c->ring.inst),
	};

	kt_capture_stats(c, &s.stats);
	return status_text(&s, form);
}

static void answer_all(struct kt_capture *c)
{
	enum kt_capture_form form;
	struct sockaddr_un from;
	socklen_t len;
	char ask[128], *text;

	while (c->door.fd >= 0 && door_read(&c->door, ask, sizeof(ask), &from, &len) >= 0) {
		text = status_is_asked(ask, c->store.name, &form) ? kt_capture_status(c, form)
								  : NULL;
		door_answer(&c->door, &from, len, text ? text : "");
		free(text);
	}
}

/* A number distinguishes several captures of one process. */
static void open_door(struct kt_capture *c)
{
	unsigned int i;
	char name[64];
	int ret = -EADDRINUSE;

	for (i = 0; i < 100 && ret == -EADDRINUSE; i++) {
		status_door(name, sizeof(name), i);
		ret = door_open(&c->door, name, c->opts.group, NULL);
	}
}

int kt_capture_step(struct kt_capture *c, struct kt_err *err)
{
	uint64_t now = moment_ns();
	int ret = c->broken.code;

	if (ret < 0)
		return kt_err_set(err, ret, "%s", c->broken.msg);
	answer_all(c);
	outside_look(c->outside);
	if (c->thin && (now >= c->read + c->opts.tick_ns || now >= due(c))) {
		ret = thin_read(c->thin, now, err);
		c->read = ret > 0 ? now : c->read;
	}
	if (ret >= 0 && now >= c->look.at)
		ret = look(c, now, err);
	/* New events may have extended a window. */
	if (ret >= 0 && moment_ns() >= due(c))
		ret = take(c, err);
	if (ret >= 0)
		save_one(c);
	return ret < 0 ? ret : 0;
}

int kt_capture_end(struct kt_capture *c, struct kt_err *err)
{
	int ret = 0;

	outside_look(c->outside);
	c->disarmed = moment_ns();
	if (c->thin)
		ret = thin_read(c->thin, c->disarmed, err);
	if (ret >= 0 && !is_done(c) && due(c) < UINT64_MAX)
		ret = take(c, err);
	windows_end(&c->windows, c->ring.taken);
	while (ret >= 0 && save_one(c))
		;
	return ret < 0 ? ret : 0;
}

/* ---- waiting ---- */

size_t kt_capture_poll(const struct kt_capture *c, struct pollfd *fds, size_t room,
		       int *timeout_ms)
{
	uint64_t now = moment_ns(), wake = c->look.at, read = c->read + c->opts.tick_ns;
	int bell = c->thin ? thin_bell(c->thin) : -1;
	size_t nr = outside_poll(c->outside, fds, room);

	/* If the bell keeps ringing, handle it once per tick. */
	if (bell >= 0 && now >= read && nr < room)
		fds[nr++] = (struct pollfd){ .fd = bell, .events = POLLIN };
	else if (c->thin && read < wake)
		wake = read;
	if (due(c) < wake)
		wake = due(c);
	if (windows_taken(&c->windows, c->ring.taken) < c->windows.nr)
		wake = now;
	*timeout_ms = wake > now ? (int)((wake - now) / 1000000) + 1 : 0;
	if (c->door.fd >= 0 && nr < room)
		fds[nr++] = (struct pollfd){ .fd = c->door.fd, .events = POLLIN };
	return nr;
}

void kt_capture_polled(struct kt_capture *c, const struct pollfd *fds, size_t nr)
{
	outside_polled(c->outside, fds, nr);
}

/* ---- create and destroy ---- */

static int open_files(struct kt_capture *c, struct kt_err *err)
{
	int ret = store_open(&c->store, &c->opts, err);

	c->opts.prefix = NULL;		/* belongs to the caller */
	if (ret == 0 && c->opts.dedupe) {
		c->alike = alike_open(&c->store, err);
		ret = c->alike ? 0 : kt_err_code(err, -ENOMEM);
	}
	return ret;
}

struct kt_capture *kt_capture_create(struct kt_when *when, const struct kt_capture_opts *opts,
				     struct kt_err *err)
{
	struct kt_capture *c = calloc(1, sizeof(*c));

	if (!c) {
		kt_when_destroy(when);
		kt_err_no_memory(err);
		return NULL;
	}
	c->when = when;
	c->opts = *opts;
	c->opts.tick_ns = opts->tick_ns ? opts->tick_ns : TICK_NS;
	c->door.fd = -1;
	c->disarmed = UINT64_MAX;
	if (opts->at_most)
		c->recent = calloc(opts->at_most, sizeof(*c->recent));
	if (opts->at_most && !c->recent)
		kt_err_no_memory(err);
	else if (open_files(c, err) == 0)
		return c;
	kt_capture_destroy(c);
	return NULL;
}

int kt_capture_arm(struct kt_capture *c, struct kt_instance *ring, struct kt_err *err)
{
	int ret;

	c->dir = kt_temp_open("/var/tmp", "ktrail-capture", err);
	if (!c->dir)
		return kt_err_code(err, -ENOMEM);
	ret = ring_open(&c->ring, ring, kt_temp_path(c->dir), c->opts.memory, err);
	if (ret == 0)
		ret = watch(c, err);
	if (ret < 0)
		return ret;
	open_door(c);
	ring_begin(&c->ring);
	c->armed = c->stats.armed = moment_ns();
	look_begin(&c->look, c->armed);
	return 0;
}

/* The caller's settings; the other members say what has happened */
static void exchange(struct kt_capture *a, struct kt_capture *b)
{
	struct kt_capture old = *a;

	a->opts = b->opts;
	a->when = b->when;
	a->store = b->store;
	a->alike = b->alike;
	a->recent = b->recent;
	a->next_recent = b->next_recent;
	b->opts = old.opts;
	b->when = old.when;
	b->store = old.store;
	b->alike = old.alike;
	b->recent = old.recent;
	b->next_recent = old.next_recent;
}

int kt_capture_change(struct kt_capture *c, struct kt_when *when,
		      const struct kt_capture_opts *opts, struct kt_err *err)
{
	struct kt_capture *next = kt_capture_create(when, opts, err);
	int ret;

	if (!next)
		return kt_err_code(err, -ENOMEM);
	unwatch(c);			/* @next needs the same names of buffers and sockets */
	exchange(c, next);
	ret = watch(c, err);
	if (ret < 0) {
		unwatch(c);
		exchange(c, next);
		watch(c, &c->broken);
	}
	look_begin(&c->look, moment_ns());
	kt_capture_destroy(next);
	return ret;
}

void kt_capture_destroy(struct kt_capture *c)
{
	if (!c)
		return;
	unwatch(c);
	door_close(&c->door);
	ring_close(&c->ring);
	alike_close(c->alike);
	store_close(&c->store);
	kt_temp_close(c->dir);
	free(c->recent);
	kt_when_destroy(c->when);
	free(c);
}
