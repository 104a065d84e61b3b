/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subjects.h - what to measure: -k irq,'syscall read' */
#ifndef SUBJECTS_H
#define SUBJECTS_H

#include <ktrail/latencies.h>

struct subjects {
	struct kt_latency_subject *at[KT_LATENCY_SUBJECTS];
	size_t nr;
	struct kt_latency_subject *pair;	/* the one that is a pair; NULL: none */
	unsigned int wanted;		/* bits of their kinds */
	bool list;			/* `-k help` was given */
};

/* "irq,syscall read": several; a pair is alone, since its keys may have commas. 0 or CMD_MISUSE */
int  subjects_take(struct subjects *s, const char *value, struct kt_err *err);
/* @one: becomes part of @s; NULL: it could not be parsed, and @err has the reason */
int  subjects_add(struct subjects *s, struct kt_latency_subject *one, struct kt_err *err);
void subjects_fini(struct subjects *s);
/* Print all kinds */
int  subjects_list(struct kt_err *err);

#endif
