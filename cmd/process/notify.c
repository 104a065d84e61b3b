/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notify.c - tell the service manager that started us how far we are */
#include "notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void notify_manager(const char *state)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	const char *path = getenv("NOTIFY_SOCKET");
	size_t len = path ? strlen(path) : 0;
	int fd;

	if (!len || len >= sizeof(a.sun_path) || (*path != '/' && *path != '@'))
		return;
	memcpy(a.sun_path, path, len);
	if (*path == '@')
		a.sun_path[0] = '\0';	/* an abstract address */
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&a,
	       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len));
	close(fd);
}
