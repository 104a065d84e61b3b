/* SPDX-License-Identifier: GPL-2.0-or-later */
/* instance.h - parts of `ktrail instance` that other commands use */
#ifndef INSTANCE_H
#define INSTANCE_H

#include <ktrail/status.h>

#include "cmd/cmd.h"

extern const struct cmd cmd_instance;

/* The subject of tracing, in a word: the tracer, "events", or "nothing" */
const char *what_is_traced(const struct kt_status *s);

#endif
