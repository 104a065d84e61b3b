/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* index_cache.c - an index as a file in the user's cache folder */
#include "trace/index.h"

bool index_load(struct kt_index *ix)
{
	return !ix;
}

void index_save(struct kt_index *ix)
{
	(void)ix;
}
