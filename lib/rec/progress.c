/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* progress.c - the progress of a recording: data taken, events lost; and syncs */
#include <errno.h>
#include <sys/eventfd.h>

#include "rec/rec_priv.h"

static uint64_t since(uint64_t before, uint64_t now)
{
	return now >= before ? now - before : now;	/* the buffer was cleared in between */
}

int kt_rec_stats(struct kt_rec *rec, struct kt_rec_stats *stats, struct kt_err *err)
{
	size_t i, j;

	*stats = (struct kt_rec_stats){ .file_bytes = rec->sink->ops->size(rec->sink) };
	for (i = 0; i < rec->nr_buffers; i++) {
		stats->raw_bytes += rec->buffers[i].text_bytes;
		for (j = 0; j < rec->buffers[i].nr_readers; j++) {
			struct reader *r = &rec->buffers[i].readers[j];

			stats->raw_bytes += r->raw_bytes;
			stats->stored_raw_bytes += r->stored_raw;
			stats->file_bytes += rec->joined ? 0 : r->file_bytes;
			if (!rec->stopped && rec_read_stats(r, &r->after, NULL) < 0)
				return kt_err_set(err, -ENOENT,
						  "cannot read the counters of CPU %d", r->cpu);
			stats->events += since(r->before.read, r->after.read);
			stats->lost += since(r->before.overrun, r->after.overrun);
			stats->dropped += since(r->before.commit_overrun, r->after.commit_overrun) +
					  since(r->before.dropped, r->after.dropped);
		}
	}
	return 0;
}

int kt_rec_cpu(const struct kt_rec *rec, size_t i, struct kt_rec_cpu *out)
{
	const struct rec_buffer *b = rec->buffers;
	const struct reader *r;

	for (; b < rec->buffers + rec->nr_buffers && i >= b->nr_readers; b++)
		i -= b->nr_readers;
	if (b == rec->buffers + rec->nr_buffers)
		return 0;
	r = &b->readers[i];
	*out = (struct kt_rec_cpu){
		.buffer = b->name, .cpu = r->cpu,
		.raw_bytes = r->raw_bytes, .file_bytes = r->file_bytes,
		.lost = since(r->before.overrun, r->after.overrun),
		.commit_overrun = since(r->before.commit_overrun, r->after.commit_overrun),
		.dropped = since(r->before.dropped, r->after.dropped),
	};
	return 1;
}

uint64_t rec_stored(const struct kt_rec *rec)
{
	uint64_t sum = 0;
	size_t i, j;

	for (i = 0; i < rec->nr_buffers; i++)
		for (j = 0; j < rec->buffers[i].nr_readers; j++)
			sum += rec->buffers[i].readers[j].stored_raw;
	return sum;
}

void rec_hold(struct kt_rec *rec, uint64_t more)
{
	rec->held_room = (int64_t)more;
	rec->sink->held = more;
}

static bool all_synced(const struct kt_rec *rec, unsigned int seq)
{
	size_t i;

	for (i = 0; i < rec->nr_workers; i++)
		if (rec->workers[i].running && (int)(rec->workers[i].synced - seq) < 0)
			return false;
	return true;
}

int rec_retract_names(struct kt_rec *rec, struct kt_err *err)
{
	bool stored = rec->cmdlines_stored;

	rec->cmdlines_stored = false;
	return stored ? rec->sink->ops->retract(rec->sink, KT_OPTION_CMDLINES, err) : 0;
}

int rec_store_names(struct kt_rec *rec, struct kt_err *err)
{
	int ret = rec_retract_names(rec, err);

	rec->cmdlines_stored = true;
	return ret < 0 ? ret : rec_store_cmdlines(rec->sink, err);
}

int kt_rec_sync(struct kt_rec *rec, struct kt_err *err)
{
	uint64_t before = rec_stored(rec);
	unsigned int seq = atomic_fetch_add(&rec->sync_seq, 1) + 1;
	eventfd_t ignored;
	size_t i;

	for (i = 0; i < rec->nr_workers; i++)
		eventfd_write(rec->workers[i].wake_fd, 1);
	/* A failed worker never syncs: rec_fail() has reported it */
	while (!all_synced(rec, seq) && !rec->failed)
		eventfd_read(rec->synced_fd, &ignored);
	if (rec->failed)
		return kt_err_set(err, rec->err.code, "%s", rec->err.msg);
	/* Without new events there are no new names */
	if (!rec->opts.follow || (rec->cmdlines_stored && rec_stored(rec) == before))
		return 0;
	rec_store_counters(rec);
	return rec_store_names(rec, err);
}
