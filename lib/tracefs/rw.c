/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rw.c - read and write files of tracefs, and explain failures */
#include "tracefs/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/tracefs.h>

static const char *missing(const char *path)
{
	char *dir = strstr(path, "/per_cpu/cpu") ? strndup(path, strrchr(path, '/') - path) : NULL;
	bool no_cpu = dir && !ctl_exists(dir);

	free(dir);
	if (ctl_exists(path))
		return "it refers to something that does not exist";
	return no_cpu ? "there is no such CPU" : "this kernel does not have it";
}

static const char *meaning(const char *path, const char *value, int error, char *buf, size_t size)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return ctl_permission_hint(path, error, buf, size);
	case ENOENT:
		return missing(path);
	case EINVAL:
		return "the kernel does not accept this value";
	case EBADF:
		return "the buffer accepts no data now: tracing is off, or not on this CPU";
	case ENOMEM:		/* 6.1 returns this also when a reader has the buffer */
		if (ctl_readers_hint(path, buf, size))
			return buf;
		break;
	case EBUSY:
		return ctl_busy_hint(path, value, buf, size);
	case EEXIST:
		return "it exists already";
	case ENODEV:
		return "no such thing in this kernel";
	case EILSEQ:		/* a probe's offset */
		return "invalid instruction boundary";
	case ERANGE:		/* osnoise/cpus */
	case EOVERFLOW:
		if (strstr(path, "cpu"))
			return "it names CPUs that this machine does not have";
		break;
	case E2BIG:
		return "the value is too long";
	}
	return strerror(error);
}

int ctl_read_path(const char *path, struct str *text, struct kt_err *err)
{
	char hint[512];
	int ret;

	ret = str_read_file(text, path);
	if (ret < 0)
		kt_err_set(err, ret, "cannot read %s: %s", path,
			   meaning(path, NULL, -ret, hint, sizeof(hint)));
	return ret;
}

char *ctl_read_text(const char *path, struct kt_err *err)
{
	struct str s = STR_INIT;
	char *text;

	if (ctl_read_path(path, &s, err) < 0) {
		str_fini(&s);
		return NULL;
	}
	text = ctl_take_text(&s);
	if (!text)
		kt_err_no_memory(err);
	return text;
}

static int write_all(int fd, const char *text, size_t len)
{
	ssize_t did;

	/* Lists accept one word per write and return its length. */
	while (len) {
		did = write(fd, text, len);
		if (did < 0 && errno == EINTR)
			continue;
		if (did < 0)
			return -errno;
		if (did == 0)
			return -EIO;
		text += did;
		len -= did;
	}
	return 0;
}

/* Without a newline, some files process the last word only at close, where errors are lost. */
static int write_value(int fd, const char *value, enum ctl_mode mode)
{
	size_t len = strlen(value);
	char *line;
	int ret;

	if (mode == CTL_RAW || (len && value[len - 1] == '\n'))
		return write_all(fd, value, len);
	if (!len && mode == CTL_REPLACE)
		return 0;
	line = malloc(len + 2);
	if (!line)
		return -ENOMEM;
	memcpy(line, value, len);
	memcpy(line + len, "\n", 2);
	ret = write_all(fd, line, len + 1);
	free(line);
	return ret;
}

/* osnoise/options takes one word per write; its output begins with a word meaning "defaults" */
static int write_words(int fd, const char *value)
{
	char word[128];
	int ret = 0;
	size_t len;

	for (value += strspn(value, " \n"); ret == 0 && *value; value += strspn(value, " \n")) {
		len = strcspn(value, " \n");
		snprintf(word, sizeof(word), "%.*s\n", (int)len, value);
		value += len;
		if (!*value || strcmp(word, "DEFAULTS\n") != 0)
			ret = write_all(fd, word, strlen(word));
	}
	return ret;
}

/* Receives each write; one per process, as there is one tracefs */
static struct {
	tracefs_written told;
	void *data;
} watch;

void tracefs_watch(tracefs_written told, void *data)
{
	watch.told = told;
	watch.data = data;
}

static int write_path(const char *path, const char *value, enum ctl_mode mode, struct kt_err *err)
{
	char hint[512];
	int fd, ret;

	fd = open(path, O_WRONLY | O_CLOEXEC | (mode == CTL_APPEND ? O_APPEND : O_TRUNC));
	if (fd < 0) {
		ret = -errno;
		return kt_err_set_kind(err, KT_ERR_KERNEL, ret, "cannot write '%.200s' to %s: %s",
				       value, path, meaning(path, value, -ret, hint, sizeof(hint)));
	}
	ret = fnmatch("*/osnoise/options", path, 0) == 0 ? write_words(fd, value)
							 : write_value(fd, value, mode);
	if (close(fd) < 0 && ret == 0)
		ret = -errno;
	if (ret < 0 && !err->code) {
		kt_err_set_kind(err, KT_ERR_KERNEL, ret, "cannot write '%.200s' to %s: %s", value,
				path,
				meaning(path, value, -ret, hint, sizeof(hint)));
		ctl_quote_error_log(path, value, err);
	}
	return ret;
}

int ctl_write_path(const char *path, const char *value, enum ctl_mode mode, struct kt_err *err)
{
	struct kt_err local = { 0 };
	int ret;

	err = err ? err : &local;
	ret = write_path(path, value, mode, err);
	if (watch.told)
		watch.told(watch.data, path, value, mode == CTL_APPEND, ret < 0 ? err : NULL);
	return ret;
}

int ctl_write_bytes(const char *path, const void *bytes, size_t len, struct kt_err *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_TRUNC), ret = 0;
	ssize_t did = fd < 0 ? -1 : write(fd, bytes, len);
	char hint[512];

	if (did < 0)
		ret = -errno;
	else if ((size_t)did < len)
		ret = -E2BIG;
	if (fd >= 0)
		close(fd);
	return ret == 0 ? 0 : kt_err_set(err, ret, "cannot write %zu bytes to %s: %s", len, path,
					 meaning(path, NULL, -ret, hint, sizeof(hint)));
}
