/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* door.h - sockets through which other processes reach a recorder */
#ifndef WHEN_DOOR_H
#define WHEN_DOOR_H

#include <stdbool.h>
#include <sys/types.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <ktrail/base.h>

/*
 * A datagram socket with a name in /run/ktrail-capture, or in a folder of the user. The
 * permissions of the name decide who may send: its user, root and a group.
 */
struct door {
	int fd;				/* -1: closed */
	bool bound;
	struct sockaddr_un address;
};

/* @group: 0: none. -EADDRINUSE: another process has it */
int  door_open(struct door *d, const char *name, gid_t group, struct kt_err *err);
void door_close(struct door *d);
/* The next datagram as text, and the address for the answer. Returns its length, -1: none */
ssize_t door_read(const struct door *d, char *text, size_t size, struct sockaddr_un *from,
		  socklen_t *len);

void door_answer(const struct door *d, const struct sockaddr_un *to, socklen_t len,
		 const char *text);

/* For clients: call @found for each name with this prefix. 0, or the result of @found */
int  door_each(const char *prefix, int (*found)(void *data, const struct sockaddr_un *a),
	       void *data, struct kt_err *err);
int  door_send(int fd, const struct sockaddr_un *to, const char *text);

#endif
