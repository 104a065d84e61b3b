/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list_order.h - names in the order of the kernel's folders, as trace-cmd lists them */
#ifndef LIST_ORDER_H
#define LIST_ORDER_H

#include <ktrail/instance.h>

enum list_order {
	ORDER_AS_IT_IS,
	ORDER_OPTIONS,		/* options/: "name" or "noname" */
	ORDER_SYSTEMS,		/* events/ */
	ORDER_EVENTS,		/* events/SYSTEM/: "SYSTEM:name" */
};

/* Sort @names so; what has no entry there comes last. 0, or -ENOMEM */
int list_order(const struct kt_instance *top, enum list_order order, struct kt_names *names,
	       struct kt_err *err);

#endif
