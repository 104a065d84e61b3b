/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_print.h - JSON documents on stdout, and lists of names in them */
#ifndef JSON_PRINT_H
#define JSON_PRINT_H

#include <ktrail/base.h>

#include "base/json.h"

/*
 * Print and free. 0 or a negative errno; -ENOMEM: the document is incomplete, nothing is printed.
 */
int  json_print(struct json *j);

void json_names(struct json *j, const char *key, const struct kt_names *names);

#endif
