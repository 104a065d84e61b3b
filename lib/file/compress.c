/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* compress.c - choose the compression method by name and level */
#include "file/compress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

struct compress {
	const struct compress_ops *ops;
	void *state;
};

static const struct compress_ops *const methods[] = { &compress_zstd, &compress_zlib };

static const struct compress_ops *find_method(const char *name, size_t len)
{
	size_t i;

	if (len == 3 && memcmp(name, "any", 3) == 0)
		return methods[0];
	for (i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (strlen(methods[i]->name) == len && memcmp(methods[i]->name, name, len) == 0)
			return methods[i];
	return NULL;
}

static int parse_level(const struct compress_ops *ops, const char *text, int *level,
		       struct kt_err *err)
{
	int64_t v;

	if (units_parse_i64(text, &v, NULL) < 0 || v < ops->min_level || v > ops->max_level)
		return kt_err_set(err, -EINVAL, "no compression level '%s': %s has %d to %d", text,
				  ops->name, ops->min_level, ops->max_level);
	*level = (int)v;
	return 0;
}

int compress_open(struct compress **out, const char *spec, struct kt_err *err)
{
	size_t len = strcspn(spec, ":");
	const struct compress_ops *ops;
	struct compress *c;
	int level, ret;

	*out = NULL;
	if (strcmp(spec, "none") == 0)
		return 0;
	ops = find_method(spec, len);
	if (!ops)
		return kt_err_set(err, -EINVAL,
				  "no compression '%s', only: any none zstd zlib (and zstd:LEVEL)",
				  spec);
	level = ops->default_level;
	ret = spec[len] ? parse_level(ops, spec + len + 1, &level, err) : 0;
	if (ret < 0)
		return ret;
	c = calloc(1, sizeof(*c));
	if (c) {
		c->ops = ops;
		c->state = ops->open(level);
	}
	if (!c || !c->state) {
		free(c);
		return kt_err_set(err, -ENOMEM, "no memory for %s", ops->name);
	}
	*out = c;
	return 0;
}

void compress_close(struct compress *c)
{
	if (!c)
		return;
	c->ops->close(c->state);
	free(c);
}

const char *compress_name(const struct compress *c)
{
	return c ? c->ops->name : "none";
}

const char *compress_version(const struct compress *c)
{
	return c ? c->ops->version() : "";
}

size_t compress_bound(const struct compress *c, size_t size)
{
	return c ? c->ops->bound(size) : size;
}

size_t compress_run(struct compress *c, void *dst, size_t room, const void *src, size_t size)
{
	return c->ops->run(c->state, dst, room, src, size);
}
