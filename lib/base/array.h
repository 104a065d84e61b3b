/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* array.h - arrays that grow by one element at a time */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdlib.h>

/*
 * Returns @array with room for one element after its @nr elements of @size bytes, or NULL if
 * memory runs out: @array stays valid. The capacity is not stored: it doubles when @nr reaches a
 * power of two. An array that is emptied and refilled for each record should store its capacity.
 */
static inline void *array_room(void *array, size_t nr, size_t size)
{
	return nr & (nr - 1) ? array : reallocarray(array, nr ? nr * 2 : 1, size);
}

/* Make room for one more element. False: no memory, nothing changed. Evaluates arguments twice. */
#define array_reserve(array, nr) ({							\
	void *room_ = array_room(array, nr, sizeof(*(array)));				\
	if (room_)									\
		(array) = room_;							\
	room_ != NULL;									\
})

/* The same for an array that is emptied and filled again: @max is its capacity, 0 at first */
#define array_fit(array, nr, max) ({							\
	void *room_ = (array);								\
	if ((nr) == (max)) {								\
		room_ = reallocarray(array, (max) ? 2 * (max) : 16, sizeof(*(array)));	\
		(max) = !room_ ? (max) : (max) ? 2 * (max) : 16;			\
		(array) = room_ ? room_ : (array);					\
	}										\
	room_ != NULL;									\
})

/*
 * Append an element of undefined content and count it in @nr. NULL: no memory, nothing changed.
 * The arguments are evaluated more than once.
 */
#define array_add(array, nr) ({								\
	__typeof__(array) room_ = array_room(array, nr, sizeof(*room_));		\
	if (room_)									\
		(array) = room_;							\
	room_ ? &room_[(nr)++] : NULL;							\
})

#endif
