/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* compress.c - choose the compression method by name and level */
#include "codec/compress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "codec/codec.h"

struct compress {
	const struct codec *codec;
	void *state;
};

static const struct codec *find_method(const char *spec, size_t len)
{
	char name[16];

	snprintf(name, sizeof(name), "%.*s", (int)len, spec);
	return codec_find(strcmp(name, "any") == 0 ? "zstd" : name);
}

static int parse_level(const struct codec *codec, const char *text, int *level,
		       struct kt_err *err)
{
	int64_t v;

	if (units_parse_i64(text, &v, NULL) < 0 || v < codec->min_level || v > codec->max_level)
		return kt_err_set(err, -EINVAL, "no compression level '%s': %s has %d to %d", text,
				  codec->name, codec->min_level, codec->max_level);
	*level = (int)v;
	return 0;
}

int compress_open(struct compress **out, const char *spec, struct kt_err *err)
{
	size_t len = strcspn(spec, ":");
	const struct codec *codec;
	struct compress *c;
	int level, ret;

	*out = NULL;
	if (strcmp(spec, "none") == 0)
		return 0;
	codec = find_method(spec, len);
	if (!codec)
		return kt_err_set(err, -EINVAL,
				  "no compression '%s', only: any none zstd zlib (and zstd:LEVEL)",
				  spec);
	level = codec->default_level;
	ret = spec[len] ? parse_level(codec, spec + len + 1, &level, err) : 0;
	if (ret < 0)
		return ret;
	c = calloc(1, sizeof(*c));
	if (c) {
		c->codec = codec;
		c->state = codec->compressor(level);
	}
	if (!c || !c->state) {
		free(c);
		return kt_err_no_memory(err);
	}
	*out = c;
	return 0;
}

void compress_close(struct compress *c)
{
	if (!c)
		return;
	c->codec->compressor_free(c->state);
	free(c);
}

const char *compress_name(const struct compress *c)
{
	return c ? c->codec->name : "none";
}

const char *compress_version(const struct compress *c)
{
	return c ? c->codec->version() : "";
}

const char *compress_skip_magic(const struct compress *c)
{
	return c ? c->codec->skip_magic : NULL;
}

bool compress_ends_itself(const struct compress *c)
{
	return c && c->codec->ends_itself;
}

size_t compress_bound(const struct compress *c, size_t size)
{
	return c ? c->codec->bound(size) : size;
}

size_t compress_run(struct compress *c, void *dst, size_t room, const void *src, size_t size)
{
	ssize_t got = c->codec->compress(c->state, dst, room, src, size);

	return got < 0 ? 0 : got;
}
