/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* block.c - requests to disks with their sizes and directions */
#include <ktrail/plugin.h>

/*
 * rwbs is a word of letters. Source: Linux, blk_fill_rwbs() in
 * kernel/trace/blktrace.c, 6.12.
 */
static const struct {
	char letter;
	const char *word;
} letters[] = {
	{ 'R', "read" },  { 'W', "write" },    { 'D', "discard" }, { 'E', "secure erase" },
	{ 'F', "flush" }, { 'A', "ahead" },    { 'S', "sync" },    { 'M', "metadata" },
	{ 'N', "none" },  { 'Z', "zone" },
};

static void print_direction(const struct kt_host *host, const char *rwbs, size_t len,
			    struct kt_out *out)
{
	size_t i, k;

	for (i = 0; i < len; i++)
		for (k = 0; k < sizeof(letters) / sizeof(letters[0]); k++)
			if (letters[k].letter == rwbs[i]) {
				/* F in front asks for a flush, behind for FUA */
				host->print(out, "%s%s", i ? " " : "",
					    rwbs[i] == 'F' && i ? "fua" : letters[k].word);
			}
}

static int format(void *self, const struct kt_host *host, const struct kt_record *rec,
		  struct kt_out *out)
{
	uint64_t sector, nr, dev, bytes;
	const char *rwbs;
	int64_t error;
	size_t len;

	(void)self;
	if (host->field_text(rec, "rwbs", &rwbs, &len) < 0 ||
	    host->field_u64(rec, "nr_sector", &nr) < 0 ||
	    host->field_u64(rec, "sector", &sector) < 0 || host->field_u64(rec, "dev", &dev) < 0)
		return KT_PLUGIN_PASS;
	print_direction(host, rwbs, len, out);
	host->text(out, " ", 1);
	/* Commands that carry data of their own have bytes, but no sectors */
	if (nr || host->field_u64(rec, "bytes", &bytes) < 0)
		bytes = nr * 512;
	host->value(rec, out, "bytes", bytes);
	host->print(out, " at sector %llu of ", (unsigned long long)sector);
	host->value(rec, out, "dev", dev);
	if (host->field_u64(rec, "old_dev", &dev) == 0) {
		host->text(out, ", from ", 7);
		host->value(rec, out, "dev", dev);
	}
	if (host->field_i64(rec, "error", &error) == 0 && error) {
		host->text(out, ": ", 2);
		host->value(rec, out, "errno", (uint64_t)error);
	}
	return 0;
}

static const struct kt_phrase phrases[] = {
	{ "block/block_plug", "holds its requests back" },
	{ "block/block_unplug", "submits {nr_rq} requests" },
	{ "block/block_split", "{dev|dev} splits at sector {new_sector}" },
	{ "block/block_touch_buffer", "{dev|dev} sector {sector}, {size|bytes}" },
	{ "block/block_dirty_buffer", "{dev|dev} sector {sector}, {size|bytes}" },
	{ NULL, NULL },
};

/* Sectors have 512 bytes whatever the disk does. */
static int column(void *self, const struct kt_host *host, const struct kt_record *rec,
		  const char *name, uint64_t *value)
{
	int ret = host->field_u64(rec, "nr_sector", value);

	(void)self;
	(void)name;
	*value *= 512;
	return ret;
}

static const struct kt_column columns[] = {
	{ "bytes", "block/*", KT_COLUMN_BYTES, NULL, "size of the request" },
	{ NULL, NULL, 0, NULL, NULL },
};

static const char *const events[] = { "block/*", NULL };

KT_PLUGIN(.name = "block", .summary = "disk requests in bytes", .events = events,
	  .format = format, .phrases = phrases, .columns = columns, .column = column);
