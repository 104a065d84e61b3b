/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* counters.c - read the kernel's counters of each ring buffer */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rec/rec_priv.h"

static void take_count(const char *line, const char *name, uint64_t *count)
{
	if (str_starts(line, name))
		*count = strtoull(line + strlen(name), NULL, 10);
}

/* The counters of a CPU. @text, if not NULL, receives the text itself. */
int rec_read_stats(const struct reader *r, struct cpu_stats *stats, struct str *text)
{
	char file[64], *s, *line, *rest;

	snprintf(file, sizeof(file), "per_cpu/cpu%d/stats", r->cpu);
	s = kt_instance_read(r->buffer->inst, file, NULL);
	if (!s)
		return -ENOENT;
	if (text)
		str_addf(text, "CPU: %d\n%s\n", r->cpu, s);
	*stats = (struct cpu_stats){ 0 };
	for (rest = s; (line = strsep(&rest, "\n"));) {
		take_count(line, "overrun: ", &stats->overrun);
		take_count(line, "commit overrun: ", &stats->commit_overrun);
		take_count(line, "dropped events: ", &stats->dropped);
		take_count(line, "read events: ", &stats->read);
	}
	free(s);
	return 0;
}

void rec_store_counters(struct kt_rec *rec)
{
	const struct sink_ops *ops = rec->sink->ops;
	struct str text = STR_INIT;
	struct cpu_stats now;
	size_t i, j;

	for (i = 0; ops->counters && i < rec->nr_buffers; i++)
		for (j = 0; j < rec->buffers[i].nr_readers; j++) {
			struct reader *r = &rec->buffers[i].readers[j];
			uint64_t stored = atomic_load(&r->stored_raw);

			str_reset(&text);
			if (stored == r->counted || rec_read_stats(r, &now, &text) < 0)
				continue;
			r->counted = stored;
			/* If the disk is full, the next data reports it. */
			ops->counters(r->out, text.buf, text.len);
		}
	str_fini(&text);
}
