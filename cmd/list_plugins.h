/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list_plugins.h - `ktrail list -P` */
#ifndef LIST_PLUGINS_H
#define LIST_PLUGINS_H

#include <stdbool.h>

#include <ktrail/err.h>

#include "report.h"

/* What a report with the same options would use */
struct list_plugins {
	struct report_plugins plugins;
	bool none, local, json;		/* -N, -L, --json */
};

/* In the order in which they are asked, each with the reason why it is used or not. */
int list_plugins(const struct list_plugins *which, struct kt_err *err);
/* options.c: what `ktrail options` prints */
int list_plugin_options(bool json, struct kt_err *err);

#endif
