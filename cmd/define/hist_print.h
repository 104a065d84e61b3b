/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hist_print.h - one hist table for people, and for programs */
#ifndef HIST_PRINT_H
#define HIST_PRINT_H

#include <ktrail/status.h>

#include "base/json.h"

/* @top: print only that many rows, 0: all */
void hist_text(const char *event, const struct kt_hist *h, int top);
void hist_json(struct json *j, const char *event, const struct kt_hist *h, int top);

#endif
