/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* words.h - parts of a line, for searches and exports */
#ifndef TEXT_WORDS_H
#define TEXT_WORDS_H

#include <ktrail/text.h>

/*
 * The columns of kt_text_cells() that have words: buffer, task, event and text. @out is reset.
 * 0, -ENOMEM
 */
int text_put_words(struct kt_text *x, const struct kt_record *rec, struct kt_out *out);
/* The same for the text alone, the last column */
int text_put_info(struct kt_text *x, const struct kt_record *rec, struct kt_out *out);

#endif
