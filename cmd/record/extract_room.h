/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * extract_room.h - check that there is enough space for the content of the buffers, and report what
 * was lost if there was not
 */
#ifndef EXTRACT_ROOM_H
#define EXTRACT_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/rec.h>
#include <ktrail/tracefs.h>

/* Bytes in the ring buffers; a snapshot does not have counters, so this is its largest size */
uint64_t extract_held(struct kt_instance *const insts[], size_t nr, bool snapshot);

/**
 * extract_check_room - refuse before any event is read: the kernel removes events that are read
 *
 * How well the events compress is known only afterwards, so this requires space for all of them
 * uncompressed. 0, or -ENOSPC; 0 also if the file system does not report its free space.
 */
int extract_check_room(const char *output, uint64_t held, struct kt_err *err);

/* Report on stderr where the events are after a failure: in @output, in the kernel, or lost. */
void extract_tell_lost(struct kt_rec *rec, const char *output, uint64_t still_held);

#endif
