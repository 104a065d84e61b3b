/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* live.h - functions of a live recording for saving it */
#ifndef REC_LIVE_H
#define REC_LIVE_H

#include <ktrail/rec.h>

/* Wait until the file has all data taken so far. 0, or the error of a reader */
int  live_bring_up(struct kt_live *l, struct kt_err *err);
/* While a save runs, do not drop data that is to be saved. */
void live_hold_to_save(struct kt_live *l, bool on);

#endif
