/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list_plugins.h - `ktrail list -P` */
#ifndef LIST_PLUGINS_H
#define LIST_PLUGINS_H

#include <stdbool.h>

#include <ktrail/err.h>

/* In the order in which they are asked, each with the reason why it is used or not. */
int list_plugins(bool json, struct kt_err *err);
/* options.c: what `ktrail options` prints */
int list_plugin_options(bool json, struct kt_err *err);

#endif
