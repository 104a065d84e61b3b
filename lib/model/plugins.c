/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* plugins.c - the distribution's plugins of libtraceevent */
#include "model/plugins.h"

void plugins_load(struct kt_events *evs)
{
	evs->plugins = (void *)tep_load_plugins(evs->tep);
}

void plugins_unload(struct kt_events *evs)
{
	if (evs->plugins)
		tep_unload_plugins((void *)evs->plugins, evs->tep);
	evs->plugins = NULL;
}
