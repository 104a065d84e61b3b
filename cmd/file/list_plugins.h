/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list_plugins.h - `ktrail list -P` */
#ifndef LIST_PLUGINS_H
#define LIST_PLUGINS_H

#include <stdbool.h>

#include <ktrail/base.h>

#include "cmd/report/report.h"

/* The choice of plugins, as for a report */
struct list_plugins {
	struct report_plugins plugins;
	bool none, local, json;		/* -N, -L, --json */
};

/* List them in the order of their priority, each with the reason why it is used or not. */
int list_plugins(const struct list_plugins *which, struct kt_err *err);
/* options.c: print the same as `ktrail options` */
int list_plugin_options(bool json, struct kt_err *err);

#endif
