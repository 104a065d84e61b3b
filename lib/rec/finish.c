/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* finish.c - the metadata that a recording stores at its beginning and at its end */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <ktrail/ktrail.h>
#include <ktrail/tracefs.h>

#include "rec/rec_priv.h"

static uint32_t cpu_count(const struct kt_rec *rec)
{
	uint32_t nr = 0;
	size_t i, j;

	for (i = 0; i < rec->nr_buffers; i++)
		for (j = 0; j < rec->buffers[i].nr_readers; j++)
			if ((uint32_t)rec->buffers[i].readers[j].cpu >= nr)
				nr = (uint32_t)rec->buffers[i].readers[j].cpu + 1;
	return nr ? nr : (uint32_t)sysconf(_SC_NPROCESSORS_CONF);	/* latency text only */
}

static int add_option(struct kt_rec *rec, uint16_t id, const void *data, size_t size,
		      struct kt_err *err)
{
	return rec->sink->ops->option(rec->sink, id, data, size, err);
}

static int add_text(struct kt_rec *rec, uint16_t id, const char *text, struct kt_err *err)
{
	return add_option(rec, id, text, strlen(text) + 1, err);
}

int rec_store_identity(struct kt_rec *rec, struct kt_err *err)
{
	char *clock = kt_instance_read(rec->buffers[0].inst, "trace_clock", NULL), text[512];
	int64_t wall = rec->opts.no_wall ? -1 : kt_instance_wall(rec->buffers[0].inst);
	uint32_t cpus = cpu_count(rec);
	struct utsname u;
	int ret;

	ret = clock ? add_text(rec, KT_OPTION_TRACECLOCK, clock, err) : 0;
	free(clock);
	if (ret < 0)
		return ret;
	ret = add_option(rec, KT_OPTION_CPUCOUNT, &cpus, sizeof(cpus), err);
	if (ret < 0)
		return ret;
	snprintf(text, sizeof(text), "%" PRId64, wall);
	ret = wall >= 0 ? add_text(rec, KT_OPTION_WALL, text, err) : 0;
	if (ret < 0)
		return ret;
	ret = add_text(rec, KT_OPTION_VERSION, "ktrail " KTRAIL_VERSION, err);
	if (ret < 0 || uname(&u) < 0)
		return ret;
	snprintf(text, sizeof(text), "%s %s %s %s", u.sysname, u.nodename, u.release, u.machine);
	return add_text(rec, KT_OPTION_UNAME, text, err);
}

/* Names of tasks: read as late as possible, so that most of them are known */
int rec_store_cmdlines(struct sink *sink, struct kt_err *err)
{
	const char *dir = kt_tracefs_dir(NULL);
	struct str s = STR_INIT, path = STR_INIT, text = STR_INIT;
	uint64_t size;
	int ret;

	str_addf(&path, "%s/saved_cmdlines", dir ? dir : "");
	if (str_read_file(&text, path.buf) < 0)
		str_reset(&text);
	size = text.len;
	str_addn(&s, &size, sizeof(size));
	str_addn(&s, text.buf, text.len);
	ret = s.failed ? -ENOMEM
		       : sink->ops->meta(sink, KT_OPTION_CMDLINES, s.buf, s.len, false, err);
	str_fini(&s);
	str_fini(&path);
	str_fini(&text);
	return ret;
}

/* The collector has already stored the complete list */
static int store_used_kallsyms(struct kt_rec *rec, struct kt_err *err)
{
	struct str s = STR_INIT;
	uint32_t size = 0;
	int ret = 0;

	str_addn(&s, &size, sizeof(size));
	if (rec->meta.kallsyms)
		ret = used_symbols_put(rec->symbols, &s);
	if (ret == 0) {
		size = (uint32_t)(s.len - sizeof(size));
		memcpy(s.buf, &size, sizeof(size));
		ret = rec->sink->ops->meta(rec->sink, KT_OPTION_KALLSYMS, s.buf, s.len, false, err);
	}
	str_fini(&s);
	return ret;
}

static int store_options(struct kt_rec *rec, struct kt_err *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < rec->nr_options; i++)
		ret = add_option(rec, rec->options[i].id, rec->options[i].data.buf,
				 rec->options[i].data.len, err);
	return ret;
}

static int store_latency_text(struct kt_rec *rec, struct rec_buffer *b, struct kt_err *err)
{
	const struct sink_buffer sb = { .name = b->name, .clock = b->clock,
					.page_size = b->page_size };
	char *text = kt_instance_read(b->inst, "trace", err);
	int ret;

	if (!text)
		return kt_err_code(err, -EIO);
	b->text_bytes = strlen(text);
	ret = rec->sink->ops->text(rec->sink, &sb, text, b->text_bytes, err);
	free(text);
	return ret;
}

/* Final texts replace the provisional ones */
static int store_last_texts(struct kt_rec *rec, struct kt_err *err)
{
	int ret = 0;

	if (rec->meta.kallsyms_stored)
		ret = rec->sink->ops->retract(rec->sink, KT_OPTION_KALLSYMS, err);
	if (ret < 0)
		return ret;
	/* The first address may come with the last data */
	if (rec->symbols && !rec->meta.kallsyms && used_symbols_any(rec->symbols))
		ret = rec_collect_kallsyms(rec, err);
	if (ret < 0)
		return ret;
	ret = rec_collect_again(rec, err);
	if (ret < 0)
		return ret;
	ret = rec->symbols ? store_used_kallsyms(rec, err) : 0;
	if (ret < 0)
		return ret;
	ret = rec_store_cmdlines(rec->sink, err);
	return ret < 0 ? ret : store_options(rec, err);
}

int kt_rec_finish(struct kt_rec *rec, struct kt_err *err)
{
	size_t i;
	int ret = kt_rec_stop(rec, NULL);

	(void)ret;	/* data stored before a failure is worth finishing */
	if (!rec->meta.events)
		return kt_err_set(err, rec->collect_err.code ? rec->collect_err.code : -EINVAL,
				  "%s", rec->collect_err.code ? rec->collect_err.msg
							      : "the recording was not started");
	ret = store_last_texts(rec, err);
	for (i = 0; ret == 0 && i < rec->nr_buffers; i++)
		if (rec->buffers[i].is_text)
			ret = store_latency_text(rec, &rec->buffers[i], err);
	if (ret == 0)
		ret = rec->sink->ops->finish(rec->sink, err);
	rec->joined = ret == 0;
	return ret;
}
