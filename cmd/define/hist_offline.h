/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hist_offline.h - `ktrail hist FILE`: the events of a trace file by call chain */
#ifndef HIST_OFFLINE_H
#define HIST_OFFLINE_H

#include <stdbool.h>

#include <ktrail/base.h>

#include "cmd/args/choose.h"

int hist_offline(const char *path, struct choose *choose, bool ignore_pids, bool json, int top,
		 struct kt_err *err);

#endif
