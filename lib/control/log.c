/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* log.c - the writes to tracefs, as shell lines */
#include "control/control_priv.h"

#include <stdlib.h>
#include <string.h>

#include <ktrail/tracefs.h>

#include "base/array.h"
#include "tracefs/shell.h"
#include "tracefs/tracefs.h"

static void add(struct kt_control *c, const char *path, const char *value, bool append,
		const char *refused)
{
	struct written *grown = array_room(c->writes, c->nr_writes, sizeof(*grown));
	struct str line = STR_INIT;

	if (!grown)
		return;		/* the write itself succeeded */
	c->writes = grown;
	ctl_shell_write(&line, path, value, append);
	if (line.len)
		line.buf[--line.len] = 0;	/* its newline */
	grown[c->nr_writes].refused = refused ? strdup(refused) : NULL;
	grown[c->nr_writes].line = str_take(&line);
	c->nr_writes += grown[c->nr_writes].line != NULL;
	str_fini(&line);
}

/* Relative to tracefs, as a user in that folder would type it */
static const char *short_path(const char *path)
{
	const char *dir = kt_tracefs_dir(NULL);
	size_t len = dir ? strlen(dir) : 0;

	return len && strncmp(path, dir, len) == 0 && path[len] == '/' ? path + len + 1 : path;
}

/* Without the text and path that the line already shows */
static const char *reason(const struct kt_err *why, const char *path)
{
	const char *at = strstr(why->msg, path);

	return at && strncmp(at + strlen(path), ": ", 2) == 0 ? at + strlen(path) + 2 : why->msg;
}

static void written(void *data, const char *path, const char *value, bool append,
		    const struct kt_err *refused)
{
	add(data, short_path(path), value, append, refused ? reason(refused, path) : NULL);
}

void control_watch(struct kt_control *c, bool on)
{
	tracefs_watch(on ? written : NULL, c);
}

void control_note_refused(struct kt_control *c, const char *file, const char *value, bool append,
			  const struct kt_err *why)
{
	char *path = kt_instance_path(c->inst, file);

	if (path)
		add(c, short_path(path), value, append, why->msg);
	free(path);
}

size_t kt_control_nr_writes(const struct kt_control *c)
{
	return c->nr_writes;
}

struct kt_control_write kt_control_write(const struct kt_control *c, size_t i)
{
	return (struct kt_control_write){ c->writes[i].line, c->writes[i].refused };
}
