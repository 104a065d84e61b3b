/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile_print.h - a profile as text and as JSON */
#ifndef PROFILE_PRINT_H
#define PROFILE_PRINT_H

#include <ktrail/profile.h>

#include "base/str.h"

/* As trace-cmd report --profile lays it out. @escape: a terminal will show it */
void profile_text(const struct kt_profile *p, struct str *s, bool escape);
void profile_json(const struct kt_profile *p, struct str *s);

#endif
