/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* memory.c - memory that an open file owns */
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "file/file.h"

void *file_keep(struct kt_file *f, uint64_t size)
{
	struct kept *k;

	if (size > SIZE_MAX - sizeof(*k))
		return NULL;
	k = pages_alloc(sizeof(*k) + size, sizeof(*k) + size);
	if (!k)
		return NULL;
	pthread_mutex_lock(&f->lock);
	k->next = f->kept;
	f->kept = k;
	pthread_mutex_unlock(&f->lock);
	return k->bytes;
}

char *file_keep_text(struct kt_file *f, const char *text, size_t len)
{
	char *copy = file_keep(f, (uint64_t)len + 1);

	if (!copy)
		return NULL;
	if (len)
		memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

struct unpacker *file_unpacker_get(struct kt_file *f)
{
	struct unpacker *u;

	pthread_mutex_lock(&f->lock);
	u = f->unpackers;
	if (u)
		f->unpackers = u->next;
	pthread_mutex_unlock(&f->lock);
	if (u)
		return u;

	u = calloc(1, sizeof(*u));
	if (u)
		u->ctx = f->codec->decompressor();
	if (u && !u->ctx) {
		free(u);
		return NULL;
	}
	return u;
}

void file_unpacker_put(struct kt_file *f, struct unpacker *u)
{
	pthread_mutex_lock(&f->lock);
	u->next = f->unpackers;
	f->unpackers = u;
	pthread_mutex_unlock(&f->lock);
}
