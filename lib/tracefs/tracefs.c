/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tracefs.c - find the kernel's tracing files */
#include <ktrail/tracefs.h>

#include <errno.h>
#include <limits.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "tracefs/tracefs.h"

#define USUAL_PLACE "/sys/kernel/tracing"

/* There is one tracefs per machine, so this is the one state that hangs from no handle. */
static char tracefs_dir[PATH_MAX];

int kt_tracefs_set_dir(const char *dir)
{
	size_t len = dir ? strlen(dir) : 0;

	while (len > 1 && dir[len - 1] == '/')
		len--;
	if (len >= sizeof(tracefs_dir))
		return -ENAMETOOLONG;
	if (len)
		memcpy(tracefs_dir, dir, len);
	tracefs_dir[len] = '\0';
	return 0;
}

/* debugfs offers tracefs as its folder "tracing" where nothing else is mounted. */
static bool find_mounted(void)
{
	char buf[4 * PATH_MAX], debugfs[PATH_MAX] = "";
	struct mntent entry, *m;
	bool found = false;
	FILE *mounts;

	mounts = setmntent("/proc/mounts", "re");
	if (!mounts)
		return false;
	while (!found && (m = getmntent_r(mounts, &entry, buf, sizeof(buf)))) {
		if (strcmp(m->mnt_type, "tracefs") == 0)
			found = kt_tracefs_set_dir(m->mnt_dir) == 0;
		else if (strcmp(m->mnt_type, "debugfs") == 0 && !*debugfs)
			snprintf(debugfs, sizeof(debugfs), "%s/tracing", m->mnt_dir);
	}
	endmntent(mounts);
	if (!found && *debugfs && ctl_exists(debugfs))
		found = kt_tracefs_set_dir(debugfs) == 0;
	return found;
}

static int mount_it(struct kt_err *err)
{
	int why = ENOENT;

	if (geteuid() != 0)
		return kt_err_set(err, -EACCES, "tracefs is not mounted; root can: "
				  "mount -t tracefs nodev " USUAL_PLACE);
	if (mount("nodev", USUAL_PLACE, "tracefs", 0, NULL) < 0)
		why = errno;
	if (why == ENODEV)
		return kt_err_set(err, -why, "this kernel has no tracefs (CONFIG_FTRACE)");
	/* EBUSY: somebody else was faster */
	if (!ctl_exists(USUAL_PLACE "/trace"))
		return kt_err_set(err, -why, "cannot mount tracefs on " USUAL_PLACE ": %s",
				  strerror(why));
	kt_tracefs_set_dir(USUAL_PLACE);
	return 0;
}

const char *kt_tracefs_dir(struct kt_err *err)
{
	const char *wish = getenv("KTRAIL_TRACEFS");
	char hint[512];

	if (*tracefs_dir)
		return tracefs_dir;
	if (wish && *wish) {
		if (access(wish, X_OK) < 0) {
			kt_err_set(err, -errno, "KTRAIL_TRACEFS: %s: %s", wish, strerror(errno));
			return NULL;
		}
		kt_tracefs_set_dir(wish);
	} else if (!find_mounted() && mount_it(err) < 0) {
		return NULL;
	}
	if (access(tracefs_dir, X_OK) < 0) {
		kt_err_set(err, -errno, "cannot enter %s: %s", tracefs_dir,
			   ctl_permission_hint(tracefs_dir, errno, hint, sizeof(hint)));
		tracefs_dir[0] = '\0';
		return NULL;
	}
	return tracefs_dir;
}

static const char *dir_or(const char *variable, const char *usual)
{
	const char *wish = getenv(variable);

	return wish && *wish ? wish : usual;
}

const char *kt_sysctl_dir(void)
{
	return dir_or("KTRAIL_SYSCTL", "/proc/sys/kernel");
}

const char *kt_debugfs_dir(void)
{
	return dir_or("KTRAIL_DEBUGFS", "/sys/kernel/debug");
}
