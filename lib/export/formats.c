/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* formats.c - all formats, in the order of lists */
#include <string.h>

#include "export/export.h"

static const struct export_format *const formats[] = {
	&export_ndjson, &export_csv, &export_trace_text, &export_perfetto, &export_chrome,
	&export_ctf, &export_sqlite, &export_folded,
};
#define NR_FORMATS (sizeof(formats) / sizeof(*formats))

const struct kt_export_format *kt_export_format(size_t i)
{
	return i < NR_FORMATS ? &formats[i]->is : NULL;
}

const struct kt_export_format *kt_export_find(const char *name)
{
	size_t i;

	for (i = 0; i < NR_FORMATS; i++)
		if (strcmp(formats[i]->is.name, name) == 0)
			return &formats[i]->is;
	return NULL;
}
