/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* describe.c - store the metadata of a machine without a trace */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/settings.h>
#include <ktrail/writer.h>

#include "rec/rec_priv.h"
#include "write/write.h"

struct texts {			/* a sink for texts only */
	struct sink sink;
	struct kt_writer *writer;
};

static struct kt_writer *writer_of(const struct sink *s)
{
	return ((const struct texts *)s)->writer;
}

static int add_meta(struct sink *s, uint16_t id, const void *data, size_t size, bool provisional,
		    struct kt_err *err)
{
	(void)provisional;
	return kt_writer_meta(writer_of(s), id, data, size, err);
}

static int add_option(struct sink *s, uint16_t id, const void *data, size_t size,
		      struct kt_err *err)
{
	return kt_writer_option(writer_of(s), id, data, size, err);
}

static const struct sink_ops texts_ops = { .meta = add_meta, .option = add_option };

/* For a copied tracefs, the CPUs of that machine, not of this one */
static int write_cpu_count(struct sink *s, const struct kt_instance *inst, struct kt_err *err)
{
	int *cpus = NULL, nr = kt_instance_cpus(inst, &cpus, NULL);
	uint32_t count = (uint32_t)(nr > 0 ? cpus[nr - 1] + 1 : sysconf(_SC_NPROCESSORS_CONF));

	free(cpus);
	return add_option(s, KT_OPTION_CPUCOUNT, &count, sizeof(count), err);
}

static int write_clock(struct sink *s, const struct kt_instance *inst, struct kt_err *err)
{
	char *clock = kt_instance_read(inst, "trace_clock", NULL);
	int ret = clock ? add_option(s, KT_OPTION_TRACECLOCK, clock, strlen(clock) + 1, err) : 0;

	free(clock);
	return ret;
}

static int describe(struct kt_rec *rec, struct kt_instance *inst, struct kt_err *err)
{
	int ret = rec_collect_now(rec, err);

	if (ret < 0)
		return ret;
	ret = rec_store_cmdlines(rec->sink, err);
	if (ret < 0)
		return ret;
	ret = write_clock(rec->sink, inst, err);
	if (ret < 0)
		return ret;
	ret = write_cpu_count(rec->sink, inst, err);
	return ret < 0 ? ret : kt_writer_finish(writer_of(rec->sink), err);
}

int rec_describe(struct kt_instance *inst, const char *path, const struct kt_rec_opts *opts,
		 struct kt_err *err)
{
	struct kt_writer_opts wo = { .version = 7, .compression = opts->compression,
				     .replace = true };
	struct kt_err here = { 0 };
	struct rec_buffer buffer = { .inst = inst };
	struct texts texts = { .sink = { .ops = &texts_ops } };
	struct kt_rec rec = { .opts = *opts, .buffers = &buffer, .nr_buffers = 1,
			      .sink = &texts.sink };
	int ret;

	rec.opts.all_formats = true;
	kt_writer_opts_host(&wo, (uint32_t)sysconf(_SC_PAGESIZE));
	texts.writer = kt_writer_create(path, &wo, &here);
	ret = here.code;
	if (texts.writer) {
		texts.sink.compressed = strcmp(writer_compression(texts.writer), "none") != 0;
		ret = describe(&rec, inst, &here);
	}
	kt_writer_close(texts.writer);
	rec_meta_fini(&rec.meta);
	return ret < 0 ? kt_err_set(err, ret, "%s", here.msg) : 0;
}

int kt_rec_describe(const char *path, const struct kt_rec_opts *opts, struct kt_err *err)
{
	struct kt_err here = { 0 };
	struct kt_instance *top = kt_instance_open("", 0, &here);
	int ret = top ? rec_describe(top, path, opts, err)
		      : kt_err_set(err, here.code, "%s", here.msg);

	kt_instance_close(top, NULL);
	return ret;
}
