/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* codec.c - which compressions this build knows */
#include "file/codec.h"

#include <string.h>

static const struct codec *const codecs[] = { &codec_zstd, &codec_zlib };

const struct codec *codec_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(codecs) / sizeof(*codecs); i++)
		if (strcmp(codecs[i]->name, name) == 0)
			return codecs[i];
	return NULL;
}
