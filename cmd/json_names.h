/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_names.h - a list of names as an array of JSON */
#ifndef JSON_NAMES_H
#define JSON_NAMES_H

#include <ktrail/names.h>

#include "base/json.h"

static inline void json_names(struct json *j, const char *key, const struct kt_names *names)
{
	size_t i;

	json_open(j, key, '[');
	for (i = 0; i < names->nr; i++)
		json_str(j, NULL, names->names[i]);
	json_close(j, ']');
}

#endif
