/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* output.c - bytes to a descriptor, compressed if wanted */
#include "export/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clamp.h"
#include "base/str.h"
#include "codec/compress.h"
#include "codec/gzip.h"
#include "codec/pack.h"

struct output {
	int fd;
	struct gzip *gzip;		/* NULL: another packing */
	struct pack *zstd;
	struct str rest;		/* less than a chunk of zstd */
};

static int write_all(void *data, const void *bytes, size_t len)
{
	return str_write_fd(((struct output *)data)->fd, bytes, len);
}

static int failed(int ret, struct kt_err *err)
{
	return ret < 0 ? kt_err_set(err, ret, "cannot write: %s", strerror(-ret)) : 0;
}

struct output *output_open(int fd, enum kt_export_packing packing, struct kt_err *err)
{
	struct output *o = calloc(1, sizeof(*o));
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int ret = 0;

	if (!o) {
		kt_err_no_memory(err);
		return NULL;
	}
	o->fd = fd;
	o->rest = (struct str)STR_INIT;
	if (packing == KT_EXPORT_ZSTD)
		ret = pack_open(&o->zstd, "zstd", (unsigned int)clamp(cpus, 1, 4), err);
	if (packing == KT_EXPORT_GZIP) {
		o->gzip = gzip_open();
		ret = o->gzip ? 0 : kt_err_no_memory(err);
	}
	if (ret == 0)
		return o;
	output_close(o);
	return NULL;
}

/* Hand one chunk to the threads of zstd. Each becomes a frame; a file may hold many. */
static int put_chunk(struct output *o, const void *bytes, size_t len)
{
	struct packed p;
	int ret = 0;

	if (!pack_has_room(o->zstd) && pack_take(o->zstd, &p))
		ret = p.frame_size ? write_all(o, p.frame, p.frame_size) : -ENOMEM;
	return ret < 0 ? ret : pack_put(o->zstd, bytes, len);
}

static int write_zstd(struct output *o, const char *bytes, size_t len)
{
	size_t part;
	int ret = 0;

	while (ret == 0 && len) {
		part = COMPRESS_CHUNK - o->rest.len;
		part = part < len ? part : len;
		str_addn(&o->rest, bytes, part);
		bytes += part;
		len -= part;
		if (o->rest.failed)
			return -ENOMEM;
		if (o->rest.len == COMPRESS_CHUNK) {
			ret = put_chunk(o, o->rest.buf, o->rest.len);
			str_reset(&o->rest);
		}
	}
	return ret;
}

int output_write(struct output *o, const void *bytes, size_t len, struct kt_err *err)
{
	if (o->zstd)
		return failed(write_zstd(o, bytes, len), err);
	return failed(o->gzip ? gzip_more(o->gzip, bytes, len, false, write_all, o) :
		      write_all(o, bytes, len), err);
}

int output_finish(struct output *o, struct kt_err *err)
{
	struct packed p;
	int ret = 0;

	if (o->gzip)
		return failed(gzip_more(o->gzip, NULL, 0, true, write_all, o), err);
	if (!o->zstd)
		return 0;
	if (o->rest.len)
		ret = put_chunk(o, o->rest.buf, o->rest.len);
	while (ret == 0 && pack_take(o->zstd, &p))
		ret = p.frame_size ? write_all(o, p.frame, p.frame_size) : -ENOMEM;
	return failed(ret, err);
}

void output_close(struct output *o)
{
	if (!o)
		return;
	gzip_close(o->gzip);
	pack_close(o->zstd);
	str_fini(&o->rest);
	free(o);
}
