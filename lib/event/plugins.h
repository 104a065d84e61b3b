/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* plugins.h - the distribution's plugins of libtraceevent */
#ifndef EVENT_PLUGINS_H
#define EVENT_PLUGINS_H

#include "format/events.h"

/* Call both with the lock held. */
void plugins_load(struct kt_events *evs);
void plugins_unload(struct kt_events *evs);
/* Is this code in a plugin that the user chose, not in one of the system? */
bool plugins_is_own(const struct kt_events *evs, const void *function);
bool plugins_any_own(const struct kt_events *evs);

#endif
