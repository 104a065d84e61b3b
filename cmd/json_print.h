/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_print.h - documents of JSON on stdout, and lists of names in them */
#ifndef JSON_PRINT_H
#define JSON_PRINT_H

#include <ktrail/names.h>

#include "base/json.h"

/* Prints and frees. 0 or a negative errno; -ENOMEM: a part is missing, nothing is printed. */
int  json_print(struct json *j);

void json_names(struct json *j, const char *key, const struct kt_names *names);

#endif
