/* SPDX-License-Identifier: GPL-2.0-or-later */
/* instance.h - what other commands need of `ktrail instance` */
#ifndef INSTANCE_H
#define INSTANCE_H

#include <ktrail/status.h>

#include "cmd.h"

extern const struct cmd cmd_instance;

/* A word for it: the tracer, "events", or "nothing" */
const char *what_is_traced(const struct kt_status *s);

#endif
