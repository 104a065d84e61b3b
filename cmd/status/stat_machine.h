/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stat_machine.h - the part of `ktrail stat` about the machine rather than about one buffer */
#ifndef STAT_MACHINE_H
#define STAT_MACHINE_H

#include <ktrail/base.h>
#include <ktrail/tracefs.h>

#include "base/json.h"

/*
 * Probes and other dynamic events, errors, instances; switches that differ from the default,
 * users of functions and open files
 */
void stat_machine_text(const struct kt_instance *top);
/* The same as members of the JSON object that is open */
void stat_machine_json(struct json *j);

#endif
