/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flame_top.h - the frames of a flame graph, summed up by name */
#ifndef FLAME_TOP_H
#define FLAME_TOP_H

#include <stdbool.h>
#include <stdint.h>

#include <ktrail/views.h>

enum flame_top_order { FLAME_TOP_OWN, FLAME_TOP_TOTAL, FLAME_TOP_NAME };

struct flame_top {
	enum flame_top_order order;
	uint64_t nr;		/* rows to print; 0: all */
	bool timed, json;	/* values are ns, else counts */
};

/* 0, -ENOMEM, or the errno of writing JSON */
int flame_top_print(const struct kt_flame *flame, const struct flame_top *top);

#endif
