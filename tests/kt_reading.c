/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_reading.c - read a generated file record by record, and compare */
#include "kt_reading.h"

#include <string.h>

#include "kt_test.h"

struct kt_reading kt_reading_open(const char *path, const struct kt_stream_opts *opts)
{
	struct kt_err err = { 0 };
	struct kt_reading r;

	r.file = kt_file_open(path, &err);
	CHECK_NO_ERR(&err);
	r.stream = kt_stream_create();
	assert_int_equal(kt_stream_add(r.stream, r.file, opts, &err), 0);
	return r;
}

struct kt_reading kt_reading_of(struct kt_dat *d, const struct kt_stream_opts *opts)
{
	struct kt_reading r = kt_reading_open(kt_dat_write(d, "stream.dat"), opts);

	kt_dat_destroy(d);
	return r;
}

void kt_reading_close(struct kt_reading *r)
{
	const char *line;
	size_t i;

	for (i = 0; (line = kt_file_damage(r->file, i)); i++)
		print_message("damage: %s\n", line);
	assert_int_equal(i, 0);
	kt_stream_destroy(r->stream);
	kt_file_close(r->file);
}

void kt_reading_expect(struct kt_reading *r, uint64_t ts, unsigned int type, int cpu)
{
	struct kt_record rec;

	assert_int_equal(kt_stream_next(r->stream, &rec, NULL), 1);
	assert_int_equal(rec.ts, ts);
	assert_int_equal(rec.type, type);
	assert_int_equal(kt_stream_source(r->stream, rec.source)->cpu, cpu);
}

void kt_reading_end(struct kt_reading *r)
{
	struct kt_record rec;

	assert_int_equal(kt_stream_next(r->stream, &rec, NULL), 0);
}

struct kt_trace *kt_dat_trace(struct kt_dat *d)
{
	struct kt_trace *t = kt_trace_create();
	struct kt_err err = { 0 };

	kt_trace_add(t, kt_dat_write(d, "trace.dat"), NULL, &err);
	CHECK_NO_ERR(&err);
	kt_dat_destroy(d);
	return t;
}

struct kt_model *kt_dat_model(struct kt_dat *d)
{
	const struct kt_model_opts opts = { .index = &(struct kt_index_opts){ .cache = "" } };
	const char *path = kt_dat_write(d, "model.dat");
	struct kt_err err = { 0 };
	struct kt_model *m = kt_model_open(&path, 1, &opts, &err);

	CHECK_NO_ERR(&err);
	kt_dat_destroy(d);
	assert_int_equal(kt_index_wait(kt_model_index(m), &err), 0);
	return m;
}

void kt_dat_add(struct kt_dat *d, uint16_t id, uint64_t ts)
{
	kt_dat_begin(d, id, 1);
	kt_dat_end(d, ts);
}

struct kt_dat *kt_dat_small(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });

	kt_dat_buffer(d, "", "local", 0);
	kt_dat_cpu(d, 0);
	return d;
}

struct kt_reading kt_reading_long(const char *compression)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7, .page_size = 1024,
								.compression = compression,
								.chunk_pages = 2 });
	int cpu, i;

	kt_dat_buffer(d, "", "local", 0);
	for (cpu = 0; cpu < 3; cpu++) {
		kt_dat_cpu(d, cpu);
		for (i = 1; i < 5000; i++)
			kt_dat_add(d, 1, (uint64_t)i * 100 + cpu);
	}
	return kt_reading_of(d, NULL);
}

struct kt_dat *kt_dat_texts(const struct kt_dat_opts *o)
{
	struct kt_dat *d = kt_dat_create(o);

	kt_dat_meta(d, KT_META_HEADER_EVENT, "type_len\n");
	kt_dat_meta(d, KT_META_KALLSYMS, "ff00 t one\n");
	kt_dat_meta(d, KT_META_CMDLINES, "12 a b\n");
	kt_dat_event(d, "ftrace", "name: function\n");
	kt_dat_event(d, "sched", "name: sched_switch\n");
	kt_dat_event(d, "irq", "name: irq_entry\n");
	kt_dat_event(d, "sched", "name: sched_wakeup\n");
	return d;
}

struct kt_dat *kt_dat_two_cpus(const struct kt_dat_opts *o)
{
	struct kt_dat *d = kt_dat_texts(o);
	int cpu, i;

	kt_dat_buffer(d, "", "local", 0);
	for (cpu = 0; cpu < 2; cpu++) {
		kt_dat_cpu(d, cpu);
		for (i = 0; i < 1000; i++)
			kt_dat_add(d, 1, (uint64_t)i * 1000);
	}
	return d;
}

struct kt_file *kt_open(const char *path)
{
	struct kt_err err = { 0 };
	struct kt_file *f = kt_file_open(path, &err);

	CHECK_NO_ERR(&err);
	assert_non_null(f);
	return f;
}

struct kt_file *kt_dat_open(struct kt_dat *d)
{
	struct kt_file *f = kt_open(kt_dat_write(d, "file.dat"));

	kt_dat_destroy(d);
	return f;
}

void kt_close_intact(struct kt_file *f)
{
	if (kt_file_damage(f, 0))
		fail_msg("%s", kt_file_damage(f, 0));
	kt_file_close(f);
}

bool kt_has_damage(const struct kt_file *f, const char *says)
{
	size_t i;

	for (i = 0; i < kt_file_nr_damages(f); i++)
		if (strstr(kt_file_damage(f, i), says))
			return true;
	return false;
}

unsigned int kt_count(struct kt_file *f)
{
	struct kt_stream *s = kt_stream_create();
	struct kt_record rec;
	unsigned int nr = 0;

	assert_int_equal(kt_stream_add(s, f, NULL, NULL), 0);
	while (kt_stream_next(s, &rec, NULL) > 0)
		nr++;
	kt_stream_destroy(s);
	return nr;
}

void kt_pass(struct kt_trace *t, struct kt_analysis *a, const struct kt_pass_opts *opts)
{
	struct kt_err err = { 0 };

	assert_int_equal(kt_pass_run(t, &a, 1, opts, &err), 0);
	assert_int_equal(err.code, 0);
}
