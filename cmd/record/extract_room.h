/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * extract_room.h - is there enough space for the buffers' content, and what is lost if there was
 * not
 */
#ifndef EXTRACT_ROOM_H
#define EXTRACT_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/rec.h>
#include <ktrail/tracefs.h>

/* Bytes of the ring buffers; a snapshot does not have counters, so the size that it may have */
uint64_t extract_held(struct kt_instance *const insts[], size_t nr, bool snapshot);

/**
 * extract_check_room - refuse before anything is taken from the kernel, where nothing can go back
 *
 * How well the events compress is known only afterwards, so room is wanted for all of them as
 * they are. 0, or -ENOSPC; a file system that does not tell its room is not asked.
 */
int extract_check_room(const char *output, uint64_t held, struct kt_err *err);

/* Report on stderr where the events are after a failure: in @output, in the kernel, or lost. */
void extract_tell_lost(struct kt_rec *rec, const char *output, uint64_t still_held);

#endif
