/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* outside.c - conditions that need no events: files, sockets, pressure, control groups */
#include "when/watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/moment.h"
#include "base/str.h"
#include "when/door.h"

#define LINE 1024		/* bytes of a line that are examined */

struct source {
	struct atom *atom;
	int fd;				/* -1: a file that does not exist now */
	struct door door;		/* NOW */
	bool is_fifo;
	bool polled;			/* PSI: poll() has reported it */
	short events;			/* to wait for at @fd; 0: inotify reports them */
	char line[LINE];		/* LINE: the start of an incomplete line */
	size_t len;
	long long number;		/* CGROUP */
};

struct outside {
	struct source *sources;
	size_t nr;
	int notify_fd;
	gid_t group;			/* may use the sockets, too */
	fire_fn *fire;
	void *data;
};

static void fire(struct outside *o, struct source *s, const char *what, const char *text,
		 size_t len)
{
	uint64_t now = moment_ns();
	struct kt_cause c = { .at = now, .from = now, .pid = -1, .cpu = -1 };
	int n = snprintf(c.text, sizeof(c.text), "%s%s", what, len ? ": " : "");

	if (n > 0 && (size_t)n < sizeof(c.text))
		kt_escape(c.text + n, sizeof(c.text) - (size_t)n, text, len);
	o->fire(o->data, s->atom, &c);
}

static int failed(struct kt_err *err, const struct source *s, const char *path)
{
	int code = -errno;

	return kt_err_set(err, code, "'%s': %s: %s", s->atom->text, path, strerror(-code));
}

/* Watch the folder: it also reports files that replace others. */
static int watch(struct outside *o, const struct source *s, const char *path, uint32_t mask,
		 struct kt_err *err)
{
	if (o->notify_fd < 0)
		o->notify_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	return o->notify_fd < 0 || inotify_add_watch(o->notify_fd, path, mask | IN_MASK_ADD) < 0 ?
	       failed(err, s, path) : 0;
}

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
}

/* ---- lines ---- */

static void open_file(struct source *s)
{
	struct stat st;

	s->len = 0;
	/* For writing, too: else a fifo is at its end when a writer leaves. */
	s->is_fifo = stat(s->atom->name, &st) == 0 && S_ISFIFO(st.st_mode);
	s->fd = open(s->atom->name, (s->is_fifo ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_CLOEXEC);
	s->events = s->is_fifo ? POLLIN : 0;
}

static int start_line(struct outside *o, struct source *s, struct kt_err *err)
{
	char *folder;
	int ret;

	open_file(s);
	if (s->fd < 0 && errno != ENOENT)
		return failed(err, s, s->atom->name);
	if (s->is_fifo)
		return 0;
	if (s->fd >= 0)
		lseek(s->fd, 0, SEEK_END);
	folder = folder_of(s->atom->name);
	if (!folder)
		return kt_err_no_memory(err);
	ret = watch(o, s, folder, IN_MODIFY | IN_CREATE | IN_MOVED_TO, err);
	free(folder);
	return ret;
}

static void take_bytes(struct outside *o, struct source *s, const char *bytes, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (bytes[i] != '\n') {
			if (bytes[i] && s->len + 1 < LINE)
				s->line[s->len++] = bytes[i];
			continue;
		}
		s->line[s->len] = '\0';
		if (atom_has_text(s->atom, s->line))
			fire(o, s, "line", s->line, s->len);
		s->len = 0;
	}
}

static void read_lines(struct outside *o, struct source *s)
{
	char bytes[4096];
	ssize_t n;

	while (s->fd >= 0 && (n = read(s->fd, bytes, sizeof(bytes))) > 0)
		take_bytes(o, s, bytes, (size_t)n);
}

/* The rest of a renamed file, then the file that has its name now */
static void look_at_file(struct outside *o, struct source *s)
{
	struct stat now, ours;
	bool is_other;

	read_lines(o, s);
	if (s->is_fifo || stat(s->atom->name, &now) < 0)
		return;
	is_other = s->fd < 0 || fstat(s->fd, &ours) < 0 || ours.st_ino != now.st_ino ||
		   ours.st_dev != now.st_dev;
	if (is_other) {
		if (s->fd >= 0)
			close(s->fd);
		open_file(s);
	} else if (now.st_size < lseek(s->fd, 0, SEEK_CUR)) {
		lseek(s->fd, 0, SEEK_SET);	/* it was truncated */
		s->len = 0;
	} else {
		return;
	}
	read_lines(o, s);
}

/* ---- `ktrail capture --now` ---- */

static void now_name(char *out, size_t size, const char *name)
{
	snprintf(out, size, "now-%s", name);
}

static int start_now(struct outside *o, struct source *s, struct kt_err *err)
{
	char name[64];
	int ret;

	now_name(name, sizeof(name), s->atom->name);
	ret = door_open(&s->door, name, o->group, err);
	return ret < 0 ? kt_err_wrap(err, ret, "'%s'", s->atom->text) : 0;
}

static void look_at_socket(struct outside *o, struct source *s)
{
	struct sockaddr_un from;
	socklen_t len;
	char text[256];
	ssize_t n;

	while ((n = door_read(&s->door, text, sizeof(text), &from, &len)) >= 0) {
		while (n && strchr(" \n", text[n - 1]))
			n--;
		fire(o, s, s->atom->text, text, (size_t)n);
	}
}

struct now {
	char name[64];
	const char *text;
	int fd, ret;
};

static int tell_now(void *data, const struct sockaddr_un *a)
{
	struct now *n = data;
	int ret;

	if (strcmp(str_base_name(a->sun_path), n->name) != 0)
		return 0;
	ret = door_send(n->fd, a, n->text);
	/* A recorder was reached, or at least exists. */
	if (n->ret < 0 && ret != -ECONNREFUSED)
		n->ret = ret;
	return 0;
}

int kt_capture_now(const char *name, const char *text, struct kt_err *err)
{
	struct now n = { .text = text ? text : "", .ret = -ENOENT };
	int ret;

	if (strlen(name) > 40)
		return kt_err_set(err, -EINVAL, "'%s' has more than 40 characters", name);
	now_name(n.name, sizeof(n.name), name);
	n.fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (n.fd < 0)
		return kt_err_set(err, -errno, "cannot create a socket: %s", strerror(errno));
	ret = door_each(n.name, tell_now, &n, err);
	close(n.fd);
	if (ret < 0 || n.ret == 0)
		return ret;
	return n.ret == -ENOENT ?
	       kt_err_set(err, n.ret, "no capture waits for 'now %s'", name) :
	       kt_err_set(err, n.ret, "cannot reach the capture that waits for 'now %s': %s%s",
			  name, strerror(-n.ret), n.ret == -EACCES ? "; its --group may" : "");
}

/* ---- pressure ---- */

/* In a window of 1 s. Without CAP_SYS_RESOURCE, the kernel accepts multiples of 2 s only. */
static bool watch_pressure(const struct source *s, unsigned long window_us)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "%s %lu %lu", s->atom->more,
			 window_us / 100 * (unsigned long)s->atom->number, window_us);

	return write(s->fd, text, (size_t)n + 1) > 0;
}

static int start_psi(struct source *s, struct kt_err *err)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/pressure/%s", s->atom->name);
	s->events = POLLPRI;
	s->fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	return s->fd >= 0 && (watch_pressure(s, 1000000) ||
			      (errno == EINVAL && watch_pressure(s, 2000000))) ?
	       0 : failed(err, s, path);
}

/* The first poll() that reports it clears it in the kernel. */
static void look_at_pressure(struct outside *o, struct source *s)
{
	struct pollfd fd = { .fd = s->fd, .events = POLLPRI };

	if (s->polled || (poll(&fd, 1, 0) > 0 && fd.revents & POLLPRI))
		fire(o, s, s->atom->text, "", 0);
	s->polled = false;
}

void outside_polled(struct outside *o, const struct pollfd *fds, size_t nr)
{
	size_t i, k;

	for (i = 0; i < o->nr; i++)
		for (k = 0; o->sources[i].atom->kind == ATOM_PSI && k < nr; k++)
			if (fds[k].fd == o->sources[i].fd && fds[k].revents & POLLPRI)
				o->sources[i].polled = true;
}

/* ---- control groups ---- */

/* "KEY N" in memory.events and similar files */
static bool find_number(const char *text, const char *key, long long *number)
{
	size_t len = strlen(key);

	for (; text && *text; text = strchr(text, '\n'), text += text != NULL)
		if (strncmp(text, key, len) == 0 && text[len] == ' ') {
			*number = strtoll(text + len, NULL, 10);
			return true;
		}
	return false;
}

static bool read_number(int fd, const char *key, long long *number)
{
	char text[4096];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	return find_number(text, key, number);
}

/* Open and watch the file of @dir that has the key. 1; 0: none has it */
static int find_key(struct outside *o, struct source *s, DIR *dir, struct kt_err *err)
{
	struct str path = STR_INIT;
	struct dirent *e;
	int ret = 0;

	while (ret == 0 && (e = readdir(dir))) {
		if (!str_ends(e->d_name, ".events"))
			continue;
		str_reset(&path);
		str_addf(&path, "%s/%s", s->atom->name, e->d_name);
		s->fd = open(path.buf, O_RDONLY | O_CLOEXEC);
		if (s->fd >= 0 && read_number(s->fd, s->atom->more, &s->number)) {
			ret = watch(o, s, path.buf, IN_MODIFY, err);
			ret = ret < 0 ? ret : 1;
		} else if (s->fd >= 0) {
			close(s->fd);
			s->fd = -1;
		}
	}
	str_fini(&path);
	return ret;
}

static int start_cgroup(struct outside *o, struct source *s, struct kt_err *err)
{
	DIR *dir = opendir(s->atom->name);
	int ret;

	if (!dir)
		return failed(err, s, s->atom->name);
	ret = find_key(o, s, dir, err);
	closedir(dir);
	if (ret == 0)
		return kt_err_set(err, -ENOENT, "'%s': none of its *.events files has '%s'",
				  s->atom->text, s->atom->more);
	return ret < 0 ? ret : 0;
}

static void look_at_cgroup(struct outside *o, struct source *s)
{
	long long now;

	if (!read_number(s->fd, s->atom->more, &now) || now == s->number)
		return;
	if (now > s->number)
		fire(o, s, s->atom->text, "", 0);
	s->number = now;
}

/* ---- all ---- */

static int start(struct outside *o, struct source *s, struct kt_err *err)
{
	switch (s->atom->kind) {
	case ATOM_LINE:
		return start_line(o, s, err);
	case ATOM_NOW:
		return start_now(o, s, err);
	case ATOM_PSI:
		return start_psi(s, err);
	case ATOM_CGROUP:
		return start_cgroup(o, s, err);
	default:
		return 0;		/* the caller reports it */
	}
}

struct outside *outside_open(struct kt_when *w, gid_t group, fire_fn *fn, void *data,
			     struct kt_err *err)
{
	struct outside *o = calloc(1, sizeof(*o));
	int ret = 0;
	size_t i;

	if (o)
		o->sources = calloc(w->nr + 1, sizeof(*o->sources));
	if (!o || !o->sources) {
		free(o);
		kt_err_no_memory(err);
		return NULL;
	}
	o->notify_fd = -1;
	o->group = group;
	o->fire = fn;
	o->data = data;
	for (i = 0; ret == 0 && i < w->nr; i++) {
		struct source *s = &o->sources[o->nr++];

		*s = (struct source){ .atom = w->atoms[i], .fd = -1, .door.fd = -1 };
		ret = start(o, s, err);
	}
	if (ret == 0)
		return o;
	outside_close(o);
	return NULL;
}

void outside_close(struct outside *o)
{
	if (!o)
		return;
	while (o->nr) {
		struct source *s = &o->sources[--o->nr];

		door_close(&s->door);
		if (s->fd >= 0)
			close(s->fd);
	}
	if (o->notify_fd >= 0)
		close(o->notify_fd);
	free(o->sources);
	free(o);
}

size_t outside_poll(const struct outside *o, struct pollfd *fds, size_t room)
{
	size_t i, nr = 0;

	if (o->notify_fd >= 0 && nr < room)
		fds[nr++] = (struct pollfd){ .fd = o->notify_fd, .events = POLLIN };
	for (i = 0; i < o->nr && nr < room; i++) {
		const struct source *s = &o->sources[i];

		if (s->door.fd >= 0)
			fds[nr++] = (struct pollfd){ .fd = s->door.fd, .events = POLLIN };
		else if (s->fd >= 0 && s->events)
			fds[nr++] = (struct pollfd){ .fd = s->fd, .events = s->events };
	}
	return nr;
}

void outside_look(struct outside *o)
{
	char events[4096];
	size_t i;

	while (o->notify_fd >= 0 && read(o->notify_fd, events, sizeof(events)) > 0)
		;
	for (i = 0; i < o->nr; i++) {
		struct source *s = &o->sources[i];

		if (s->atom->kind == ATOM_LINE)
			look_at_file(o, s);
		else if (s->atom->kind == ATOM_NOW)
			look_at_socket(o, s);
		else if (s->atom->kind == ATOM_PSI)
			look_at_pressure(o, s);
		else if (s->atom->kind == ATOM_CGROUP)
			look_at_cgroup(o, s);
	}
}
