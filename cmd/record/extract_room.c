/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * extract_room.c - check that there is enough space for the content of the buffers, and report what
 * was lost if there was not
 */
#include "extract_room.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include <ktrail/settings.h>
#include <ktrail/status.h>

#include "base/str.h"
#include "base/units.h"
#include "cmd/cmd.h"

#define META_BYTES (1u << 20)	/* formats, names and symbols; they are usually smaller when
				 * compressed */

uint64_t extract_held(struct kt_instance *const insts[], size_t nr, bool snapshot)
{
	struct kt_buffer_stats stats;
	uint64_t bytes = 0;
	size_t i;
	int cpu;
	int64_t kb;

	for (i = 0; i < nr; i++) {
		if (!snapshot) {
			if (kt_buffer_stats_read(insts[i], &stats, NULL) == 0)
				bytes += stats.bytes;
			continue;
		}
		for (cpu = 0; (kb = kt_instance_buffer_size(insts[i], cpu, NULL)) > 0; cpu++)
			bytes += (uint64_t)kb * 1024;
	}
	return bytes;
}

/* Of the file system that contains, or will contain, the output */
static bool room_for(const char *output, uint64_t *room)
{
	const char *slash = strrchr(output, '/');
	struct str dir = STR_INIT;
	struct statvfs st;
	bool known;

	str_addn(&dir, output, slash ? (size_t)(slash - output) : 0);
	if (!dir.len)
		str_addc(&dir, slash ? '/' : '.');
	known = !dir.failed && (statvfs(output, &st) == 0 || statvfs(dir.buf, &st) == 0) &&
		st.f_blocks;
	str_fini(&dir);
	if (known)
		*room = (uint64_t)st.f_bavail * st.f_frsize;
	return known;
}

int extract_check_room(const char *output, uint64_t held, struct kt_err *err)
{
	char holds[32], has[32];
	uint64_t room;

	if (!held || !room_for(output, &room) || room >= held + META_BYTES)
		return 0;
	return kt_err_set(err, -ENOSPC,
			  "the buffers hold %s, but only %s are free for %s: "
			  "nothing was read; -o names another place",
			  units_format_size(held, holds), units_format_size(room, has), output);
}

void extract_tell_lost(struct kt_rec *rec, const char *output, uint64_t still_held)
{
	struct kt_rec_stats stats;
	char stored[32], lost[32], held[32];

	if (kt_rec_stats(rec, &stats, NULL) < 0 || !stats.raw_bytes)
		return;
	fprintf(stderr, "%s extract: %s are in %s and can be read, %s are still in the kernel, "
		"%s are lost\n", cmd_program, units_format_size(stats.stored_raw_bytes, stored),
		output, units_format_size(still_held, held),
		units_format_size(stats.raw_bytes - stats.stored_raw_bytes, lost));
}
