/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* live.h - what saving needs of a live recording */
#ifndef REC_LIVE_H
#define REC_LIVE_H

#include <ktrail/rec.h>

/* The file has all that was taken so far. 0, or the failure of a reader */
int  live_bring_up(struct kt_live *l, struct kt_err *err);
/* Nothing of what is being saved is given up meanwhile. */
void live_hold_to_save(struct kt_live *l, bool on);

#endif
