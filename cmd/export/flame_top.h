/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flame_top.h - the frames of a flame graph, summed up by name */
#ifndef FLAME_TOP_H
#define FLAME_TOP_H

#include <stdbool.h>
#include <stdint.h>

#include <ktrail/views.h>

struct flame_top {
	const char *sort;	/* one of those of flame_top_check() */
	uint64_t nr;		/* print so many; 0: all */
	bool timed, json;	/* values are ns, else counts */
};

/* CMD_MISUSE, with @err set: @sort is not one of them */
int flame_top_check(const char *sort, struct kt_err *err);
/* 0 or -ENOMEM */
int flame_top_print(const struct kt_flame *flame, const struct flame_top *top);

#endif
