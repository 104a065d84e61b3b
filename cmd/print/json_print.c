/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_print.c - JSON documents on stdout, and lists of names in them */
#include "json_print.h"

#include <errno.h>

#include "safe.h"

int json_print(struct json *j)
{
	int ret = j->text.failed ? -ENOMEM : safe_write(j->text.buf, j->text.len, false);

	str_fini(&j->text);
	return ret == -EPIPE ? 0 : ret;	/* the reader has closed the pipe */
}

void json_names(struct json *j, const char *key, const struct kt_names *names)
{
	size_t i;

	json_open(j, key, '[');
	for (i = 0; i < names->nr; i++)
		json_str(j, NULL, names->names[i]);
	json_close(j, ']');
}
