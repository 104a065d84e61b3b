/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* clamp.h - a value moved into bounds */
#ifndef BASE_CLAMP_H
#define BASE_CLAMP_H

/* @value, or the bound that it exceeds, in the type of @value. If the bounds cross, @least wins. */
#define clamp(value, least, most) ({						\
	__typeof__(value) least_ = (least), most_ = (most), v_ = (value);	\
	v_ < least_ ? least_ : v_ > most_ ? most_ : v_; })

#endif
