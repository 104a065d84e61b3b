/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* busy.c - who keeps the kernel from changing a buffer */
#include <stdio.h>
#include <string.h>

#include <ktrail/status.h>
#include <ktrail/tracefs.h>

#include "ctl/ctl.h"

/* Facts: Linux, kernel/trace/trace.c: trace_pipe and its kin hold the tracer, trace the buffers. */
static bool is_held_by_readers(const char *file)
{
	static const char *const files[] = {
		"current_tracer", "buffer_size_kb", "buffer_subbuf_size_kb", "snapshot", "per_cpu/",
	};
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (str_starts(file, files[i]))
			return true;
	return false;
}

static bool is_trace(const char *file)
{
	const char *name = str_base_name(file);

	return strcmp(name, "trace") == 0 || str_starts(name, "trace_pipe") || str_starts(name, "snapshot");
}

/* How much of "instances/mine/trace" names the instance: none for the top buffer */
static size_t instance_len(const char *file)
{
	static const char dir[] = "instances/";

	return str_starts(file, dir) ? strlen(dir) + strcspn(file + strlen(dir), "/") + 1 : 0;
}

static void add_readers(struct str *s, const char *file, size_t len)
{
	struct kt_users users = { 0 };
	size_t i;

	kt_users_find(&users, NULL);
	for (i = 0; i < users.nr; i++) {
		const struct kt_user *u = &users.users[i];

		if (u->file && instance_len(u->file) == len && strncmp(u->file, file, len) == 0 &&
		    is_trace(u->file))
			str_addf(s, "%s%d %s, which reads %s", s->len ? "; " : " by ", (int)u->pid,
				 u->comm, u->file + len);
	}
	kt_users_fini(&users);
}

const char *ctl_busy_hint(const char *path, char *buf, size_t size)
{
	const char *top = kt_tracefs_dir(NULL), *file;
	struct str readers = STR_INIT;
	size_t len;

	if (top && str_starts(path, top)) {
		file = path + strlen(top) + (path[strlen(top)] == '/');
		len = instance_len(file);
		if (is_held_by_readers(file + len))
			add_readers(&readers, file, len);
	}
	snprintf(buf, size, "it is in use%s", readers.len ? readers.buf : "");
	str_fini(&readers);
	return buf;
}
