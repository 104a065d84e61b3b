/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* block.c - block requests with their sizes and directions */
#include <ktrail/plugin.h>

/*
 * rwbs is a word of letters; F before the operation means a flush, F after it means FUA. Source:
 * Linux, blk_fill_rwbs() in kernel/trace/blktrace.c, 6.18.
 */
static const struct kt_name letters[] = {
	{ 'F', "flush", 1 },    { 'F', "fua", 0 },      { 'R', "read", 0 },   { 'W', "write", 0 },
	{ 'D', "discard", 0 },  { 'E', "erase", 0 },    { 'A', "ahead", 0 },  { 'S', "sync", 0 },
	{ 'M', "metadata", 0 }, { 'U', "atomic", 0 },   { 'N', "none", 0 },   { 'Z', "zone", 0 },
	{ 0, NULL, 0 },
};

/* Source: Linux, include/uapi/linux/ioprio.h: the upper bits of ioprio */
static const struct kt_name classes[] = {
	{ 1, "real-time", 0 }, { 2, "best-effort", 0 }, { 3, "idle", 0 }, { 0, NULL, 0 },
};

static const struct kt_table tables[] = {
	{ "class", KT_TABLE_ENUM, classes },
	{ "rwbs", KT_TABLE_LETTERS, letters },
	{ NULL, 0, NULL },
};

/* Commands with data of their own have bytes, but no sectors */
#define PRIORITY "{?ioprio , {ioprio:13-15|class} {ioprio:0-2}{?ioprio:3-12  hint {ioprio:3-12}}}"
#define REQUEST "{rwbs|rwbs} {?nr_sector {nr_sector|sectors}}{!nr_sector {bytes|bytes}} " \
	"at sector {sector} of {dev|dev}" PRIORITY "{*}"
#define OF_SECTORS "{rwbs|rwbs} {nr_sector|sectors} at sector {sector} of {dev|dev}"

static const struct kt_phrase phrases[] = {
	{ "block/block_plug", "holds its requests back{*}" },
	{ "block/block_unplug", "submits {nr_rq} requests{*}" },
	{ "block/block_split", "{rwbs|rwbs} at sector {sector} of {dev|dev} splits at sector "
	  "{new_sector}{*}" },
	{ "block/block_touch_buffer", "{dev|dev} sector {sector}, {size|bytes}{*}" },
	{ "block/block_dirty_buffer", "{dev|dev} sector {sector}, {size|bytes}{*}" },
	{ "block/*", OF_SECTORS ", from sector {old_sector} of {old_dev|dev}{*}" },
	{ "block/*", REQUEST },
	{ "block/*", OF_SECTORS "{?error : {error|errno}}" PRIORITY "{*}" },
	{ NULL, NULL },
};

static const struct kt_column columns[] = {
	{ "bytes", "block/*", KT_COLUMN_SECTORS, "nr_sector", "size of the request" },
	{ NULL, NULL, 0, NULL, NULL },
};

static const char *const events[] = { "block/*", NULL };

KT_PLUGIN(.name = "block", .summary = "disk requests in bytes", .events = events,
	  .phrases = phrases, .tables = tables, .columns = columns);
