/* SPDX-License-Identifier: GPL-2.0-or-later */
/* status.c - the status of running captures, for people and for Prometheus */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "capture.h"

struct answers {
	bool json;
	int nr;
	struct str text;
};

/* Objects become members of an array. */
static void take(void *data, const char *text)
{
	struct answers *all = data;
	size_t len = strlen(text);

	if (all->json && len && text[len - 1] == '\n')
		len--;
	if (all->json && all->nr)
		str_add(&all->text, ",\n");
	else if (all->nr)
		str_addc(&all->text, '\n');
	str_addn(&all->text, text, len);
	all->nr++;
}

int capture_status(const struct capture_args *a, struct kt_err *err)
{
	enum kt_capture_form plain = a->prometheus ? KT_CAPTURE_PROMETHEUS : KT_CAPTURE_TEXT;
	enum kt_capture_form form = a->json ? KT_CAPTURE_JSON : plain;
	struct answers all = { .json = a->json, .text = STR_INIT };
	const char *name = a->status_of;
	int ret = kt_capture_ask(name, form, take, &all, err);

	if (ret == 0 && !a->json)
		ret = name ? kt_err_set(err, -ENOENT, "no capture of the name '%s' runs", name)
			   : kt_err_set(err, -ENOENT, "no capture runs");
	else if (ret > 1 && a->prometheus)
		ret = kt_err_set(err, -EINVAL, "%d captures run: --status=NAME chooses one", ret);
	else if (ret >= 0 && all.text.failed)
		ret = kt_err_no_memory(err);
	if (ret >= 0)
		printf(a->json ? "[%s]\n" : "%s", all.text.buf);
	str_fini(&all.text);
	return ret < 0 ? ret : 0;
}

int capture_check_metrics(const char *path, struct kt_err *err)
{
	struct stat st;

	if (!path || stat(path, &st) < 0 || S_ISREG(st.st_mode))
		return 0;
	return kt_err_set(err, -EINVAL, "--metrics %s: not a regular file", path);
}

/* A collector may read it at any time: it gets the old or the new one. */
int capture_write_metrics(const char *path, const struct kt_capture *c, struct kt_err *err)
{
	char *text = kt_capture_status(c, KT_CAPTURE_PROMETHEUS);
	struct str beside = STR_INIT;
	FILE *f = NULL;
	int ret = 0;

	str_addf(&beside, "%s.new", path);
	if (text && !beside.failed)
		f = fopen(beside.buf, "we");
	if (!f || fputs(text, f) < 0)
		ret = -errno;
	if (f && fclose(f) != 0)
		ret = -errno;
	if (f && ret == 0 && rename(beside.buf, path) < 0)
		ret = -errno;
	if (f && ret < 0)
		unlink(beside.buf);
	free(text);
	str_fini(&beside);
	return ret < 0 ? kt_err_set(err, ret, "--metrics %s: %s", path, strerror(-ret)) : 0;
}
