/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tracefs.c - find the kernel's tracing files, and explain why access is denied */
#include <ktrail/tracefs.h>

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracefs/tracefs.h"

#define USUAL_PLACE "/sys/kernel/tracing"

/* There is one tracefs per machine, so this is the one state without a handle. */
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

/* If nothing else is mounted, debugfs provides tracefs in its folder "tracing". */
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
		return kt_err_set(err, -EACCES, "tracefs is not mounted; as root: "
				  "mount -t tracefs nodev " USUAL_PLACE);
	if (mount("nodev", USUAL_PLACE, "tracefs", 0, NULL) < 0)
		why = errno;
	if (why == ENODEV)
		return kt_err_set(err, -why, "this kernel has no tracefs (CONFIG_FTRACE)");
	/* EBUSY: another process has just mounted it */
	if (!ctl_exists(USUAL_PLACE "/trace"))
		return kt_err_set(err, -why, "cannot mount tracefs on " USUAL_PLACE ": %s",
				  strerror(why));
	kt_tracefs_set_dir(USUAL_PLACE);
	return 0;
}

static bool is_locked_down(void)
{
	char *state = ctl_peek_text("/sys/kernel/security/lockdown");
	bool locked = state && !strstr(state, "[none]");

	free(state);
	return locked;
}

/* Access without root: tracefs can belong to a group (mount option gid=). */
static void hint_at_group(const char *dir, char *buf, size_t size)
{
	struct group *gr;
	struct stat st;

	if (stat(dir, &st) == 0 && st.st_gid != 0 && (st.st_mode & 0050) == 0050) {
		gr = getgrgid(st.st_gid);
		if (group_member(st.st_gid) || st.st_gid == getegid())
			snprintf(buf, size, "permission denied: group '%s' may only read: run it "
				 "as root (sudo)", gr ? gr->gr_name : "?");
		else
			snprintf(buf, size, "permission denied: run it as root (sudo), or as a "
				 "member of group '%s' (gid %u), which %s is open to",
				 gr ? gr->gr_name : "?", (unsigned int)st.st_gid, dir);
		return;
	}
	snprintf(buf, size, "permission denied: run it as root (sudo), or give a group access: "
		 "mount -o remount,gid=GROUP,mode=750 %s", dir);
}

const char *ctl_permission_hint(const char *path, int error, char *buf, size_t size)
{
	const char *top = kt_tracefs_dir(NULL);

	if (error < 0)
		error = -error;
	if (error != EACCES && error != EPERM)
		snprintf(buf, size, "%s", strerror(error));
	else if (geteuid() != 0)
		hint_at_group(top ? top : path, buf, size);
	else if (is_locked_down())
		snprintf(buf, size, "refused even to root: the kernel is locked down "
			 "(/sys/kernel/security/lockdown)");
	else
		snprintf(buf, size,
			 "refused even to root, by a policy of this kernel or container");
	return buf;
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

const char *sysctl_dir(void)
{
	return dir_or("KTRAIL_SYSCTL", "/proc/sys/kernel");
}

const char *debugfs_dir(void)
{
	return dir_or("KTRAIL_DEBUGFS", "/sys/kernel/debug");
}
