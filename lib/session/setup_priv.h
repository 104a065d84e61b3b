/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* setup_priv.h - what building up a session and applying it share */
#ifndef SESSION_SETUP_PRIV_H
#define SESSION_SETUP_PRIV_H

#include <ktrail/session.h>

/* Does this part of a saved state let a buffer take events? */
bool setup_section_traces(const struct kt_state_section *s);

#endif
