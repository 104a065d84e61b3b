/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kconfig.c - the build configuration of the running kernel */
#include "tracefs/kconfig.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <zlib.h>

#define MAX_CONFIG (16u << 20)	/* real ones have 300 KiB */

/* gzread() also reads uncompressed files */
static int read_any(const char *path, struct str *text)
{
	gzFile file = gzopen(path, "re");
	char *room;
	int got = -1;

	if (!file)
		return -ENOENT;
	while (text->len < MAX_CONFIG && (room = str_room(text, 65536))) {
		got = gzread(file, room, 65536);
		if (got <= 0)
			break;
		text->len += got;
		text->buf[text->len] = '\0';
	}
	gzclose(file);
	return got < 0 || !text->len ? -ENOENT : 0;
}

int ctl_kconfig_read(const char *path, const char *release, struct str *text)
{
	char boot[256], modules[256];

	if (path)
		return read_any(path, text);
	snprintf(boot, sizeof(boot), "/boot/config-%s", release);
	snprintf(modules, sizeof(modules), "/lib/modules/%s/config", release);
	if (read_any("/proc/config.gz", text) == 0 || read_any(boot, text) == 0 ||
	    read_any(modules, text) == 0)
		return 0;
	return -ENOENT;
}

char ctl_kconfig_get(const char *text, const char *name)
{
	size_t len = strlen(name);
	const char *p = text;

	while ((p = strstr(p, name))) {
		bool starts = p == text || p[-1] == '\n';

		p += len;
		if (starts && *p == '=')
			return p[1] == 'm' ? 'm' : 'y';
	}
	return *text ? 'n' : 0;
}

bool ctl_kconfig_no_eprobes(const char *text)
{
	return strstr(text, "# CONFIG_EPROBE_EVENTS is not set") != NULL;
}
