/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* door.c - sockets through which other processes reach a recorder, and their permissions */
#include "when/door.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

#define ROOT_DIR "/run/ktrail-capture"

/* The folder of the sockets; without root, a folder of the user */
static void add_own_dir(struct str *s)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");

	if (geteuid() == 0)
		str_add(s, ROOT_DIR);
	else if (runtime && *runtime == '/')
		str_addf(s, "%s/ktrail-capture", runtime);
	else
		str_addf(s, "/tmp/ktrail-capture-%u", (unsigned int)geteuid());
}

static int set_address(struct sockaddr_un *a, const char *dir, const char *name, struct kt_err *err)
{
	int n;

	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	n = snprintf(a->sun_path, sizeof(a->sun_path), "%s/%s", dir, name);
	if (strchr(name, '/') || n < 0 || (size_t)n >= sizeof(a->sun_path))
		return kt_err_set(err, -EINVAL, "'%s' cannot be the name of a socket", name);
	return 0;
}

/* Lock the folder: no other process may look for the owner of a socket, or bind one */
static int open_own_dir(const char *dir, struct kt_err *err)
{
	struct stat st;
	int fd;

	if (geteuid() == 0)
		mkdir("/run", 0755);	/* missing on a bare initramfs */
	mkdir(dir, 0755);
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return kt_err_set(err, -errno, "%s: %s", dir, strerror(errno));
	if (fstat(fd, &st) < 0 || st.st_uid != geteuid() || (st.st_mode & 022)) {
		close(fd);
		return kt_err_set(err, -EPERM, "%s: another user owns it or may write to it", dir);
	}
	flock(fd, LOCK_EX);
	return fd;
}

/* A killed recorder leaves its socket's name behind. */
static bool is_used(const struct sockaddr_un *a)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool used = fd >= 0 && connect(fd, (const struct sockaddr *)a, sizeof(*a)) == 0;

	if (fd >= 0)
		close(fd);
	return used;
}

/* Remove the names that killed recorders left behind */
static void remove_left(int dir, const char *path)
{
	DIR *d = fdopendir(fcntl(dir, F_DUPFD_CLOEXEC, 0));
	struct sockaddr_un a;
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (e->d_type == DT_SOCK && set_address(&a, path, e->d_name, NULL) == 0 &&
		    !is_used(&a))
			unlink(a.sun_path);
	if (d)
		closedir(d);
}

static int bind_door(struct door *d, gid_t group, struct kt_err *err)
{
	if (is_used(&d->address))
		return kt_err_set(err, -EADDRINUSE, "another capture uses %s", d->address.sun_path);
	d->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	/* The mode of the descriptor becomes the mode of the name when it is created. */
	if (d->fd < 0 || fchmod(d->fd, 0600) < 0 ||
	    bind(d->fd, (struct sockaddr *)&d->address, sizeof(d->address)) < 0)
		return kt_err_set(err, -errno, "%s: %s", d->address.sun_path, strerror(errno));
	d->bound = true;
	if (group && (chown(d->address.sun_path, (uid_t)-1, group) < 0 ||
		      chmod(d->address.sun_path, 0660) < 0))
		return kt_err_set(err, -errno, "%s: %s", d->address.sun_path, strerror(errno));
	return 0;
}

int door_open(struct door *d, const char *name, gid_t group, struct kt_err *err)
{
	struct str dir = STR_INIT;
	int lock, ret;

	*d = (struct door){ .fd = -1 };
	add_own_dir(&dir);
	ret = dir.failed ? kt_err_no_memory(err) : set_address(&d->address, dir.buf, name, err);
	if (ret == 0) {
		ret = lock = open_own_dir(dir.buf, err);
		if (lock >= 0) {
			remove_left(lock, dir.buf);
			ret = bind_door(d, group, err);
			close(lock);
		}
	}
	str_fini(&dir);
	if (ret < 0)
		door_close(d);
	return ret;
}

void door_close(struct door *d)
{
	if (d->bound)
		unlink(d->address.sun_path);
	if (d->fd >= 0)
		close(d->fd);
	*d = (struct door){ .fd = -1 };
}

ssize_t door_read(const struct door *d, char *text, size_t size, struct sockaddr_un *from,
		  socklen_t *len)
{
	ssize_t n;

	*len = sizeof(*from);
	n = recvfrom(d->fd, text, size - 1, MSG_DONTWAIT, (struct sockaddr *)from, len);
	text[n > 0 ? n : 0] = '\0';
	return n;
}

/* The client may be gone: do not wait for it. */
void door_answer(const struct door *d, const struct sockaddr_un *to, socklen_t len,
		 const char *text)
{
	sendto(d->fd, text, strlen(text), MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr *)to,
	       len);
}

int door_each(const char *prefix, int (*found)(void *data, const struct sockaddr_un *a),
	      void *data, struct kt_err *err)
{
	struct str own = STR_INIT;
	const char *dirs[] = { ROOT_DIR, NULL };
	struct sockaddr_un a;
	struct dirent *e;
	size_t i;
	DIR *d;
	int ret = 0;

	add_own_dir(&own);
	if (own.failed)
		ret = kt_err_no_memory(err);
	else if (geteuid() != 0)
		dirs[1] = own.buf;
	for (i = 0; ret == 0 && i < 2 && dirs[i]; i++) {
		d = opendir(dirs[i]);
		while (d && ret == 0 && (e = readdir(d)))
			if (str_starts(e->d_name, prefix) &&
			    set_address(&a, dirs[i], e->d_name, NULL) == 0)
				ret = found(data, &a);
		if (d)
			closedir(d);
	}
	str_fini(&own);
	return ret;
}

int door_send(int fd, const struct sockaddr_un *to, const char *text)
{
	return sendto(fd, text, strlen(text), 0, (const struct sockaddr *)to, sizeof(*to)) < 0 ?
	       -errno : 0;
}
