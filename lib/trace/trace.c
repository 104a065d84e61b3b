/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* trace.c - one or more files, with everything needed to decode their records */
#include <ktrail/trace.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "event/events.h"
#include "file/note.h"
#include "format/events.h"
#include "stream/cursor.h"
#include "symbols/symbols.h"
#include "trace/comm.h"
#include "trace/reads.h"

struct trace_file {
	struct kt_file    *file;
	struct kt_symbols *symbols;
	struct kt_events  *events;
	struct comms      *comms;
	struct kt_symbols **boots;	/* of buffers written by an earlier boot */
	size_t nr_boots;
	struct kt_stream_opts opts;	/* as passed when it was added; the name is owned */
};

struct kt_trace {
	struct trace_file *files;
	size_t nr_files;
	struct kt_stream *stream;
	struct reads reads;		/* for kt_trace_refresh() */
};

struct kt_trace *kt_trace_create(void)
{
	struct kt_trace *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->stream = kt_stream_create();
	if (!t->stream) {
		free(t);
		return NULL;
	}
	return t;
}

/* In the reverse order of their references */
static void close_file(struct trace_file *f)
{
	comms_destroy(f->comms);
	kt_events_destroy(f->events);
	while (f->nr_boots > 0)
		kt_symbols_destroy(f->boots[--f->nr_boots]);
	free(f->boots);
	kt_symbols_destroy(f->symbols);
	kt_file_close(f->file);
	free((char *)f->opts.only_buffer);
}

void kt_trace_destroy(struct kt_trace *t)
{
	size_t i;

	if (!t)
		return;
	reads_fini(&t->reads);
	kt_stream_destroy(t->stream);
	for (i = 0; i < t->nr_files; i++)
		close_file(&t->files[i]);
	free(t->files);
	free(t);
}

static const char *comm_of(void *comms, int pid)
{
	return comms_find(comms, pid);
}

static int open_file(struct trace_file *f, const char *path, struct kt_err *err)
{
	f->file = kt_file_open(path, err);
	if (!f->file)
		return kt_err_code(err, -EIO);
	f->symbols = kt_symbols_create(f->file, err);
	f->events = f->symbols ? kt_events_create(f->file, f->symbols, err) : NULL;
	f->comms = f->events ? comms_create(f->file, f->events) : NULL;
	if (!f->comms)
		return kt_err_no_memory(err);
	f->events->comm = comm_of;
	f->events->comm_data = f->comms;
	return 0;
}

/* The last_boot_info of the buffer that the file stores: "name:text"; size 0: none */
static struct kt_blob last_boot_of(const struct kt_file *file, const char *buffer)
{
	size_t len = strlen(buffer), i;

	for (i = 0; i < kt_file_nr_options(file); i++) {
		const struct kt_option *o = kt_file_option(file, i);

		if (o->id == KT_OPTION_LAST_BOOT_INFO && o->raw.size > len &&
		    memcmp(o->raw.data, buffer, len) == 0 && o->raw.data[len] == ':')
			return (struct kt_blob){ o->raw.data + len + 1, o->raw.size - len - 1 };
	}
	return (struct kt_blob){ "", 0 };
}

/* Symbols of an earlier boot for one buffer; its CPUs are the sources from @first on */
static int set_last_boot(struct kt_trace *t, struct trace_file *f, size_t first,
			 struct kt_blob text, struct kt_err *err)
{
	size_t nr = kt_stream_nr_sources(t->stream), i;
	struct kt_symbols *syms;
	int ret = 0;

	if (!array_reserve(f->boots, f->nr_boots))
		return kt_err_no_memory(err);
	syms = symbols_last_boot(f->symbols, text.data, text.size, err);
	if (!syms)
		return -ENOMEM;
	f->boots[f->nr_boots++] = syms;
	for (i = first; ret == 0 && i < nr && kt_stream_source(t->stream, i)->first == first; i++)
		ret = events_set_symbols(f->events, i, syms);
	return kt_err_result(err, ret);
}

/* @first: the first source of the file */
static int set_last_boots(struct kt_trace *t, struct trace_file *f, size_t first,
			  struct kt_err *err)
{
	size_t i, nr = kt_stream_nr_sources(t->stream);
	const struct kt_source *src;
	struct kt_blob text;
	int ret = 0;

	if (!kt_file_find_option(f->file, KT_OPTION_LAST_BOOT_INFO))
		return 0;
	for (i = first; ret == 0 && i < nr; i++) {
		src = kt_stream_source(t->stream, i);
		if (src->first != i)
			continue;
		text = last_boot_of(f->file, kt_file_buffer(f->file, src->buffer)->name);
		if (last_boot_is_another(text.data, text.size))
			ret = set_last_boot(t, f, i, text, err);
	}
	return ret;
}

static int keep_opts(struct trace_file *f, const struct kt_stream_opts *opts, struct kt_err *err)
{
	const char *only = opts ? opts->only_buffer : NULL;

	if (!opts)
		return 0;
	f->opts = *opts;
	f->opts.only_buffer = only ? strdup(only) : NULL;
	return only && !f->opts.only_buffer ? kt_err_no_memory(err) : 0;
}

/* All files together use no more memory than one file */
static void share_memory(struct kt_trace *t)
{
	size_t i;

	for (i = 0; i < t->nr_files; i++)
		kt_file_set_cache(t->files[i].file, KT_FILE_CACHE / t->nr_files);
}

int kt_trace_add(struct kt_trace *t, const char *path, const struct kt_stream_opts *opts,
		 struct kt_err *err)
{
	struct trace_file f = { 0 };
	size_t first = kt_stream_nr_sources(t->stream);
	int ret;

	if (!array_reserve(t->files, t->nr_files))
		return kt_err_no_memory(err);
	ret = open_file(&f, path, err);
	if (ret == 0)
		ret = keep_opts(&f, opts, err);
	if (ret == 0)
		ret = kt_stream_add(t->stream, f.file, opts, err);
	if (ret < 0) {
		close_file(&f);
		return ret;
	}
	/* The stream uses the file from now on, so keep it */
	t->files[t->nr_files++] = f;
	share_memory(t);
	return set_last_boots(t, &t->files[t->nr_files - 1], first, err);
}

int kt_trace_note_read(struct kt_trace *t, uint64_t until, struct kt_err *err)
{
	return reads_note(&t->reads, t->stream, until, err);
}

int kt_trace_reopen(struct kt_trace *t, struct kt_err *err)
{
	struct kt_trace *fresh = kt_trace_create(), old = *t;
	size_t i;
	int ret = 0;

	if (!fresh)
		return kt_err_no_memory(err);
	for (i = 0; ret == 0 && i < t->nr_files; i++)
		ret = kt_trace_add(fresh, kt_file_info(t->files[i].file)->path, &t->files[i].opts,
				   err);
	if (ret < 0)
		goto out;
	ret = reads_resume(&t->reads, fresh->stream, err);
	if (ret < 0)
		goto out;
	*t = *fresh;
	t->reads = old.reads;
	*fresh = old;
	fresh->reads = (struct reads){ 0 };
out:
	kt_trace_destroy(fresh);
	return ret;
}

/* 0, 1: reopen the trace, -ENOMEM */
static int take_growth(struct kt_trace *t)
{
	struct str names = STR_INIT;
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < t->nr_files; i++) {
		str_reset(&names);
		ret = file_take_growth(t->files[i].file, &names);
		comms_take_growth(t->files[i].comms, names.buf, names.len);
	}
	str_fini(&names);
	stream_take_growth(t->stream);
	return ret;
}

int kt_trace_refresh(struct kt_trace *t, struct kt_err *err)
{
	int ret = take_growth(t), resumed = 0;

	if (ret < 0)
		return kt_err_result(err, ret);
	if (t->reads.nr)
		resumed = reads_resume(&t->reads, t->stream, err);
	return resumed < 0 ? resumed : ret;
}

size_t kt_trace_nr_files(const struct kt_trace *t)
{
	return t->nr_files;
}

struct kt_file *kt_trace_file(const struct kt_trace *t, size_t file)
{
	return t->files[file].file;
}

struct kt_events *kt_trace_events(const struct kt_trace *t, size_t file)
{
	return t->files[file].events;
}

struct kt_symbols *kt_trace_symbols(const struct kt_trace *t, size_t file)
{
	return t->files[file].symbols;
}

struct kt_symbols *kt_trace_record_symbols(const struct kt_trace *t, const struct kt_record *rec)
{
	const struct kt_source *src = kt_stream_source(t->stream, rec->source);

	return events_symbols(t->files[src->file_index].events, rec);
}

struct kt_stream *kt_trace_stream(const struct kt_trace *t)
{
	return t->stream;
}

const char *kt_trace_comm(struct kt_trace *t, size_t file, int pid)
{
	const char *comm = comms_find(t->files[file].comms, pid);

	return comm ? comm : "<...>";
}

const char *kt_trace_comm_known(struct kt_trace *t, size_t file, int pid)
{
	const char *comm = comms_known(t->files[file].comms, pid);

	return comm ? comm : "<...>";
}

int kt_trace_learn_comms(struct kt_trace *t, size_t file)
{
	return comms_learn(t->files[file].comms);
}

size_t kt_trace_pids(struct kt_trace *t, size_t file, const char *comm, int pids[], size_t max)
{
	return comms_pids(t->files[file].comms, comm, pids, max);
}

void kt_trace_tasks(struct kt_trace *t, size_t file,
		    void (*tell)(void *data, int pid, const char *comm), void *data)
{
	comms_each(t->files[file].comms, tell, data);
}

const char *kt_trace_comm_nearest(struct kt_trace *t, size_t file, const char *comm)
{
	return comms_nearest(t->files[file].comms, comm);
}

const struct kt_source *kt_trace_source(const struct kt_trace *t, const struct kt_record *rec)
{
	return kt_stream_source(t->stream, rec->source);
}

struct kt_task kt_trace_task(struct kt_trace *t, const struct kt_record *rec)
{
	size_t file = kt_trace_source(t, rec)->file_index;
	int pid = kt_record_pid(t->files[file].events, rec);

	return (struct kt_task){ pid, kt_trace_comm_known(t, file, pid) };
}

const struct kt_event *kt_trace_event(struct kt_trace *t, const struct kt_record *rec)
{
	const struct kt_source *src = kt_stream_source(t->stream, rec->source);

	return kt_events_by_id(t->files[src->file_index].events, rec->type);
}
