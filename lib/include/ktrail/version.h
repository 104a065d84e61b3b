/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* version.h - the version of ktrail that these headers belong to */
#ifndef KTRAIL_VERSION_H
#define KTRAIL_VERSION_H

#define KTRAIL_VERSION "0.1"

#endif
