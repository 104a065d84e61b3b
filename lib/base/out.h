/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* out.h - the inside of struct kt_out, for formatters of the library */
#ifndef BASE_OUT_H
#define BASE_OUT_H

#include <ktrail/out.h>

#include "base/str.h"

struct kt_out {
	struct str text;
	size_t limit;		/* 0: none; else what @text.len may reach (plugins) */
};

#endif
