/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stat_machine.h - what `ktrail stat` says of the machine rather than of one buffer */
#ifndef STAT_MACHINE_H
#define STAT_MACHINE_H

#include <ktrail/instance.h>
#include <ktrail/names.h>

#include "base/json.h"

/* Probes and other events of their own, errors, instances; switches that are not as usual, who has
 * hooked functions and who has files open */
void stat_machine_text(const struct kt_instance *top);
/* The same as members of the object that is open */
void stat_machine_json(struct json *j);

#endif
