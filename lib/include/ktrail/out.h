/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* out.h - text under construction: what formatters append to */
#ifndef KTRAIL_OUT_H
#define KTRAIL_OUT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kt_out;

struct kt_out *kt_out_create(void);		/* new (kt_out_destroy), NULL: no memory */
void kt_out_destroy(struct kt_out *out);
void kt_out_reset(struct kt_out *out);		/* empty, memory kept */
const char *kt_out_data(const struct kt_out *out);	/* borrowed; NUL-terminated */
size_t kt_out_len(const struct kt_out *out);

#ifdef __cplusplus
}
#endif
#endif
