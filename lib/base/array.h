/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* array.h - arrays that grow by one element at a time */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdlib.h>

/*
 * @array with room for one more than the @nr elements of @size that it has; NULL: no memory, and
 * @array stays. The capacity is not stored, it doubles when @nr reaches a power of two. An array
 * that is emptied and filled again for each record should keep its capacity instead.
 */
static inline void *array_room(void *array, size_t nr, size_t size)
{
	return nr & (nr - 1) ? array : reallocarray(array, nr ? nr * 2 : 1, size);
}

/* Room for one more element; false: no memory, nothing has changed. Arguments: evaluated twice. */
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
 * One more element: counted in @nr, its content is undefined; NULL: no memory, nothing has changed.
 * The arguments are evaluated more than once.
 */
#define array_add(array, nr) ({								\
	__typeof__(array) room_ = array_room(array, nr, sizeof(*room_));		\
	if (room_)									\
		(array) = room_;							\
	room_ ? &room_[(nr)++] : NULL;							\
})

#endif
