/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* journal.c - store former values on disk, in case the process is killed */
#include "undo/journal.h"

#include <ktrail/tracefs.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracefs/tracefs.h"

static const char *const verbs[] = {
	[CTL_UNDO_PUT] = "put", [CTL_UNDO_APPEND] = "append", [CTL_UNDO_RMDIR] = "rmdir",
	[CTL_UNDO_VIA] = "via",
};

static void find_dir(struct str *path)
{
	const char *wish = getenv("KTRAIL_JOURNAL_DIR"), *runtime = getenv("XDG_RUNTIME_DIR");

	if (wish && *wish)
		str_add(path, wish);
	else if (geteuid() == 0)
		str_add(path, "/run/ktrail");
	else if (runtime && *runtime == '/')
		str_addf(path, "%s/ktrail", runtime);
	else
		str_addf(path, "/tmp/ktrail-%u", (unsigned int)geteuid());
}

int ctl_journal_dir(bool create, struct str *path)
{
	struct stat st;
	int fd;

	find_dir(path);
	if (path->failed)
		return -ENOMEM;
	/* On a bare initramfs the parent is missing; elsewhere this fails harmlessly. */
	if (create && strcmp(path->buf, "/run/ktrail") == 0)
		mkdir("/run", 0755);
	if (create && mkdir(path->buf, 0700) < 0 && errno != EEXIST)
		return -errno;
	fd = open(path->buf, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0 || st.st_uid != geteuid() || (st.st_mode & 022)) {
		close(fd);
		return -EPERM;
	}
	return fd;
}

char *kt_journal_dir(bool create, struct kt_err *err)
{
	struct str path = STR_INIT;
	int fd = ctl_journal_dir(create, &path);

	if (fd >= 0) {
		close(fd);
		return str_take(&path);
	}
	kt_err_set(err, fd, fd == -EPERM ? "%s: another user owns it or may write to it" : "%s: %s",
		   path.failed ? "journals" : path.buf, strerror(-fd));
	str_fini(&path);
	return NULL;
}

unsigned long long ctl_start_time(pid_t pid)
{
	unsigned long long start = 0;
	char path[64], *stat, *p;
	int field;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	stat = ctl_read_text(path, NULL);
	/* Field 22; the name in field 2 may contain anything, so count after its last ')'. */
	p = stat ? strrchr(stat, ')') : NULL;
	/* A zombie does nothing any more. */
	if (p && str_starts(p, ") Z"))
		p = NULL;
	for (field = 2; p && field < 22; field++)
		p = strchr(p + 1, ' ');
	if (p)
		start = strtoull(p, NULL, 10);
	free(stat);
	return start;
}

void ctl_boot_id(char buf[64])
{
	char *id = ctl_read_text("/proc/sys/kernel/random/boot_id", NULL);

	snprintf(buf, 64, "%s", id ? id : "unknown");
	free(id);
}

/* A space ends a path and a newline ends a line: escape both, and the escape character itself. */
static void add_escaped(struct str *s, const char *text, bool space)
{
	for (; *text; text++) {
		if (*text == '\n')
			str_add(s, "\\n");
		else if (*text == '\\' || (unsigned char)*text < ' ' || (space && *text == ' '))
			str_addf(s, "\\x%02x", (unsigned char)*text);
		else
			str_addc(s, *text);
	}
}

static char *unescaped(const char *text, size_t len)
{
	struct str s = STR_INIT;
	char digits[3] = "";
	size_t i;

	for (i = 0; i < len; i++) {
		if (text[i] == '\\' && i + 1 < len && text[i + 1] == 'n') {
			str_addc(&s, '\n');
			i++;
		} else if (text[i] == '\\' && i + 3 < len && text[i + 1] == 'x' &&
			   isxdigit((unsigned char)text[i + 2]) &&
			   isxdigit((unsigned char)text[i + 3])) {
			memcpy(digits, text + i + 2, 2);
			str_addc(&s, (char)strtoul(digits, NULL, 16));
			i += 3;
		} else {
			str_addc(&s, text[i]);
		}
	}
	return str_take(&s);
}

void ctl_step_format(struct str *line, const struct ctl_undo_step *step)
{
	str_addf(line, "%s ", verbs[step->kind]);
	add_escaped(line, step->path, true);
	if (step->kind != CTL_UNDO_RMDIR) {
		str_addc(line, ' ');
		add_escaped(line, step->value, false);
	}
	str_addc(line, '\n');
}

int ctl_step_parse(const char *line, size_t len, struct ctl_undo_step *step)
{
	const char *end = line + len, *path, *value;
	size_t kind, n;

	for (kind = 0; kind < sizeof(verbs) / sizeof(*verbs); kind++) {
		n = strlen(verbs[kind]);
		if (len > n && memcmp(line, verbs[kind], n) == 0 && line[n] == ' ')
			break;
	}
	if (kind == sizeof(verbs) / sizeof(*verbs))
		return -EINVAL;
	path = line + n + 1;
	value = memchr(path, ' ', end - path);
	if (!value)
		value = end;
	step->kind = kind;
	step->path = unescaped(path, value - path);
	step->value = value < end ? unescaped(value + 1, end - value - 1) : strdup("");
	if (step->path && step->value && step->path[0] == '/')
		return 0;
	free(step->path);
	free(step->value);
	return -EINVAL;
}

static void add_command_line(struct str *s)
{
	struct str words = STR_INIT;
	size_t i;

	if (str_read_file(&words, "/proc/self/cmdline") == 0)
		for (i = 0; i + 1 < words.len; i++)
			if (!words.buf[i])
				words.buf[i] = ' ';
	str_add(s, "command ");
	add_escaped(s, words.buf, false);
	str_addc(s, '\n');
	str_fini(&words);
}

static void add_header(struct str *s)
{
	char boot[64];

	ctl_boot_id(boot);
	str_add(s, "# former values of settings that a ktrail process has changed; if it was\n"
		"# killed, `ktrail restore-settings` restores them, the last line first\n");
	str_addf(s, "pid %d start %llu boot %s\n", (int)getpid(), ctl_start_time(getpid()), boot);
	add_command_line(s);
}

static void open_journal(struct ctl_undo *undo, struct str *text)
{
	struct str path = STR_INIT;
	char name[64];
	int dir, fd = -1, i;

	dir = ctl_journal_dir(true, &path);
	for (i = 0; dir >= 0 && fd < 0 && i < 1000; i++) {
		snprintf(name, sizeof(name), i ? "%d.%d.journal" : "%d.journal", (int)getpid(), i);
		fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW |
			    O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (dir >= 0)
		close(dir);
	if (fd >= 0 && asprintf(&undo->journal_path, "%s/%s", path.buf, name) < 0) {
		undo->journal_path = NULL;
		close(fd);
	}
	str_fini(&path);
	if (undo->journal_path) {
		undo->journal_fd = fd;
		add_header(text);
	}
}

void ctl_journal_add(struct ctl_undo *undo, const struct ctl_undo_step *step)
{
	struct str text = STR_INIT;

	if (!undo->journal_path)
		open_journal(undo, &text);
	ctl_step_format(&text, step);
	/*
	 * One write per line: a reader never sees half of one. A full disk loses only the
	 * journal.
	 */
	if (undo->journal_path && !text.failed &&
	    write(undo->journal_fd, text.buf, text.len) < 0)
		errno = 0;
	str_fini(&text);
}

void ctl_journal_leave(struct ctl_undo *undo)
{
	if (!undo->journal_path)
		return;
	close(undo->journal_fd);
	free(undo->journal_path);
	undo->journal_path = NULL;
}

void ctl_journal_drop(struct ctl_undo *undo)
{
	if (undo->journal_path)
		unlink(undo->journal_path);
	ctl_journal_leave(undo);
}

int kt_journal_check(struct kt_err *err)
{
	static const char bytes[4096];
	struct str path = STR_INIT;
	char name[64];
	int dir, fd, ret = 0;

	dir = ctl_journal_dir(true, &path);
	if (dir < 0) {
		ret = kt_err_set(err, dir, dir == -EPERM ?
				 "%s: another user owns it or may write to it" : "%s: %s",
				 path.failed ? "journals" : path.buf, strerror(-dir));
		str_fini(&path);
		return ret;
	}
	snprintf(name, sizeof(name), "%d.check", (int)getpid());
	fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, bytes, sizeof(bytes)) != sizeof(bytes))
		ret = kt_err_set(err, errno ? -errno : -ENOSPC, "%s: %s", path.buf,
				 strerror(errno ? errno : ENOSPC));
	if (fd >= 0) {
		close(fd);
		unlinkat(dir, name, 0);
	}
	close(dir);
	str_fini(&path);
	return ret;
}
