/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* out.h - the inside of struct kt_out, for the library's own formatters */
#ifndef BASE_OUT_H
#define BASE_OUT_H

#include <ktrail/base.h>

#include "base/str.h"

struct kt_out {
	struct str text;
	size_t limit;		/* the largest @text.len (plugins); 0: no limit */
};

#endif
