/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* search.h - start and end the search of a model */
#ifndef VIEW_SEARCH_H
#define VIEW_SEARCH_H

#include <ktrail/model.h>

/* New (search_destroy, which waits for its threads) */
struct kt_search *search_create(struct kt_model *m, const char *regex, bool pretty,
				const struct kt_spot *from, int direction, unsigned int threads,
				struct kt_err *err);
void search_destroy(struct kt_search *s);

#endif
