/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* describe.c - what explains any trace of a machine, without a trace */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/settings.h>

#include "rec/rec_priv.h"

/* Of a copied tracefs the processors of that machine, not of this one */
static int write_cpu_count(struct kt_writer *w, const struct kt_instance *inst, struct kt_err *err)
{
	int *cpus = NULL, nr = kt_instance_cpus(inst, &cpus, NULL);
	uint32_t count = (uint32_t)(nr > 0 ? cpus[nr - 1] + 1 : sysconf(_SC_NPROCESSORS_CONF));

	free(cpus);
	return kt_writer_option(w, KT_OPTION_CPUCOUNT, &count, sizeof(count), err);
}

static int write_clock(struct kt_writer *w, const struct kt_instance *inst, struct kt_err *err)
{
	char *clock = kt_instance_read(inst, "trace_clock", NULL);
	int ret = clock ? kt_writer_option(w, KT_OPTION_TRACECLOCK, clock, strlen(clock) + 1, err)
			: 0;

	free(clock);
	return ret;
}

static int describe(struct kt_rec *rec, struct kt_instance *inst, struct kt_err *err)
{
	int ret = rec_collect_now(rec, err);

	if (ret == 0)
		ret = rec_write_cmdlines(rec->writer, err);
	if (ret == 0)
		ret = write_clock(rec->writer, inst, err);
	if (ret == 0)
		ret = write_cpu_count(rec->writer, inst, err);
	return ret == 0 ? kt_writer_finish(rec->writer, err) : ret;
}

int kt_rec_describe(const char *path, const struct kt_rec_opts *opts, struct kt_err *err)
{
	struct kt_writer_opts wo = { .version = 7, .compression = opts->compression,
				     .replace = true };
	struct kt_err here = { 0 };
	struct rec_buffer top = { .inst = kt_instance_open("", 0, &here) };
	struct kt_rec rec = { .opts = *opts, .buffers = &top, .nr_buffers = 1 };
	int ret = here.code;

	rec.opts.all_formats = true;
	rec.meta.header_info = rec.meta.ftrace_events = (struct str)STR_INIT;
	rec.meta.event_formats = rec.meta.printk = (struct str)STR_INIT;
	if (top.inst) {
		kt_writer_opts_host(&wo, (uint32_t)sysconf(_SC_PAGESIZE));
		rec.writer = kt_writer_create(path, &wo, &here);
		ret = rec.writer ? describe(&rec, top.inst, &here) : here.code;
	}
	kt_writer_close(rec.writer);
	kt_instance_close(top.inst, NULL);
	rec_meta_fini(&rec.meta);
	return ret < 0 ? kt_err_set(err, ret, "%s", here.msg) : 0;
}
