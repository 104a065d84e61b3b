/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* finish.c - join meta data and the parts of all CPUs into the finished file */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <ktrail/tracefs.h>
#include <ktrail/version.h>

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

int rec_write_identity(struct kt_rec *rec, struct kt_writer *w, struct kt_err *err)
{
	char *clock = kt_instance_read(rec->buffers[0].inst, "trace_clock", NULL);
	uint32_t cpus = cpu_count(rec);
	struct str text = STR_INIT;
	struct utsname u;
	int ret =
		kt_writer_option(w, KT_OPTION_TRACEID, &rec->trace_id, sizeof(rec->trace_id), err);

	if (ret == 0 && clock)
		ret = kt_writer_option(w, KT_OPTION_TRACECLOCK, clock, strlen(clock) + 1, err);
	free(clock);
	if (ret == 0)
		ret = kt_writer_option(w, KT_OPTION_CPUCOUNT, &cpus, sizeof(cpus), err);

	str_addf(&text, "ktrail %s", KTRAIL_VERSION);
	if (ret == 0)
		ret = kt_writer_option(w, KT_OPTION_VERSION, text.buf, text.len + 1, err);
	if (ret == 0 && uname(&u) == 0) {
		str_reset(&text);
		str_addf(&text, "%s %s %s %s", u.sysname, u.nodename, u.release, u.machine);
		ret = kt_writer_option(w, KT_OPTION_UNAME, text.buf, text.len + 1, err);
	}
	str_fini(&text);
	return ret;
}

/* Names of tasks: as late as possible, so that most of them are known */
int rec_write_cmdlines(struct kt_writer *w, struct kt_err *err)
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
	ret = s.failed ? -ENOMEM : kt_writer_meta(w, KT_OPTION_CMDLINES, s.buf, s.len, err);
	str_fini(&s);
	str_fini(&path);
	str_fini(&text);
	return ret;
}

static int write_used_kallsyms(struct kt_rec *rec, struct kt_writer *w, struct kt_err *err)
{
	struct str s = STR_INIT;
	uint32_t size = 0;
	int ret = 0;

	str_addn(&s, &size, sizeof(size));
	if (rec->meta.kallsyms)
		ret = rec_symbols_used(rec->symbols, &s);
	if (ret == 0) {
		size = (uint32_t)(s.len - sizeof(size));
		memcpy(s.buf, &size, sizeof(size));
		ret = kt_writer_meta(w, KT_OPTION_KALLSYMS, s.buf, s.len, err);
	}
	str_fini(&s);
	return ret;
}

static int write_kallsyms(struct kt_rec *rec, struct kt_writer *w, struct kt_err *err)
{
	const struct rec_meta *m = &rec->meta;

	if (rec->symbols)
		return write_used_kallsyms(rec, w, err);
	/* The collector has stored all of them in the version 7 file already */
	if (!m->kallsyms || rec->opts.version != 6)
		return 0;
	return kt_writer_meta(w, KT_OPTION_KALLSYMS, m->kallsyms, m->kallsyms_size, err);
}

static int write_options(struct kt_rec *rec, struct kt_writer *w, struct kt_err *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < rec->nr_options; i++)
		ret = kt_writer_option(w, rec->options[i].id, rec->options[i].data.buf,
				       rec->options[i].data.len, err);
	return ret;
}

/* The chunks of a CPU, where they are or behind what the file has */
static int write_chunks(struct kt_writer *w, int buffer, struct reader *r, struct kt_err *err)
{
	struct part *p = &r->part;
	int ret;

	if (p->fd < 0)
		return 0;
	if (p->shared) {	/* @start is behind the number of chunks, if there is one */
		uint64_t at = p->start - (r->rec->shared.plain ? 0 : 4);

		return kt_writer_place(w, buffer, r->cpu, at, p->pos - at, p->nr_chunks, err);
	}
	ret = kt_writer_begin_cpu(w, buffer, r->cpu, err);
	return ret < 0 ? ret
		       : kt_writer_splice(w, p->fd, (off_t)p->start, p->pos - p->start,
					  p->nr_chunks, err);
}

static int write_cpu(struct kt_writer *w, int buffer, struct reader *r, struct kt_err *err)
{
	int ret = write_chunks(w, buffer, r, err);

	if (ret == 0 && r->part.index) {
		writer_take_summaries(w, r->part.index);
		r->part.index = NULL;
	}
	return ret;
}

static int write_text(struct kt_writer *w, struct rec_buffer *b, struct kt_err *err)
{
	char *text = kt_instance_read(b->inst, "trace", err);
	int ret;

	if (!text)
		return err && err->code ? err->code : -EIO;
	b->text_bytes = strlen(text);
	ret = kt_writer_text(w, b->name, b->clock, text, b->text_bytes, err);
	free(text);
	return ret;
}

static int write_buffers(struct kt_rec *rec, struct kt_writer *w, struct kt_err *err)
{
	struct rec_buffer *b;
	int ret = 0, index = 0;
	size_t i;

	for (b = rec->buffers; ret >= 0 && b < rec->buffers + rec->nr_buffers; b++) {
		struct kt_writer_buffer wb = {
			.name = b->name, .clock = b->clock, .page_size = b->page_size,
			.nr_cpus = cpu_count(rec),
		};

		if (!b->is_text)
			ret = kt_writer_add_buffer(w, &wb, err);
	}
	for (b = rec->buffers; ret >= 0 && b < rec->buffers + rec->nr_buffers; b++) {
		if (b->is_text)
			ret = write_text(w, b, err);
		for (i = 0; ret >= 0 && i < b->nr_readers; i++)
			ret = write_cpu(w, index, &b->readers[i], err);
		index += !b->is_text;
	}
	return ret < 0 ? ret : 0;
}

static int write_texts(struct kt_rec *rec, struct kt_writer *w, struct kt_err *err)
{
	const struct rec_meta *m = &rec->meta;
	const struct {
		uint16_t id;
		const struct str *text;
	} texts[] = {
		{ KT_OPTION_HEADER_INFO, &m->header_info },
		{ KT_OPTION_FTRACE_EVENTS, &m->ftrace_events },
		{ KT_OPTION_EVENT_FORMATS, &m->event_formats },
		{ KT_OPTION_PRINTK, &m->printk },
	};
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < sizeof(texts) / sizeof(texts[0]); i++)
		ret = kt_writer_meta(w, texts[i].id, texts[i].text->buf, texts[i].text->len, err);
	return ret;
}

/* Everything again from memory, for a version that has to be written in one go */
static int write_v6(struct kt_rec *rec, struct kt_err *err)
{
	struct kt_writer_opts opts = { .version = 6, .replace = true };
	struct kt_writer *w;
	int ret;

	kt_writer_opts_host(&opts, rec->buffers[0].page_size);
	w = kt_writer_create(rec->path, &opts, err);
	if (!w)
		return err ? err->code : -EIO;
	ret = write_texts(rec, w, err);
	if (ret == 0)
		ret = write_kallsyms(rec, w, err);
	if (ret == 0)
		ret = rec_write_cmdlines(w, err);
	if (ret == 0)
		ret = rec_write_identity(rec, w, err);
	if (ret == 0)
		ret = write_options(rec, w, err);
	if (ret == 0)
		ret = write_buffers(rec, w, err);
	if (ret == 0)
		ret = kt_writer_finish(w, err);
	kt_writer_close(w);
	return ret;
}

static int finish_meta(struct kt_rec *rec, struct kt_writer *w, struct kt_err *err)
{
	int ret = write_kallsyms(rec, w, err);

	if (ret == 0)
		ret = rec_write_cmdlines(w, err);
	return ret < 0 ? ret : write_options(rec, w, err);
}

/* End of the data in the shared file, which the last extent need not fill; 0: there are none */
static uint64_t shared_end(const struct kt_rec *rec)
{
	uint64_t end = 0;
	size_t i, j;

	for (i = 0; i < rec->nr_buffers; i++)
		for (j = 0; j < rec->buffers[i].nr_readers; j++) {
			const struct part *p = &rec->buffers[i].readers[j].part;

			if (p->shared && p->pos > end)
				end = p->pos;
		}
	return end ? end + rec_shared_link(rec) : 0;
}

/* What long parts share is where it will stay: the rest goes there, behind it */
static int move_to_shared(struct kt_rec *rec, struct kt_writer *w, uint64_t end,
			  struct kt_err *err)
{
	char *path = part_shared_path(rec->path);
	int ret = path ? kt_writer_move(w, path, end, err)
		       : kt_err_set(err, -ENOMEM, "no memory to finish %s", rec->path);

	free(path);
	return ret;
}

/* All data, where they are or behind those that stay where they are */
int rec_write_parts(struct kt_rec *rec, struct kt_writer *w, struct kt_err *err)
{
	uint64_t end = shared_end(rec);
	int ret = end ? move_to_shared(rec, w, end, err) : 0;

	return ret < 0 ? ret : write_buffers(rec, w, err);
}

/* When the disk is full, the unfinished file and its parts stay what they were */
static int write_v7(struct kt_rec *rec, struct kt_err *err)
{
	struct kt_writer *w = rec->writer;
	uint64_t safe, end = shared_end(rec);
	int ret = finish_meta(rec, w, err);

	if (ret < 0)
		return ret;
	safe = kt_writer_size(w);
	ret = rec_write_parts(rec, w, err);
	if (ret == 0)
		ret = kt_writer_finish(w, err);
	if (ret < 0 && (truncate(rec->path, (off_t)safe) < 0 ||
			(end && ftruncate(rec->shared.fd, (off_t)end) < 0)))
		kt_err_add(err, ret, "nor can it be cut to what was whole: %s", strerror(errno));
	return ret;
}

int rec_join(struct kt_rec *rec, struct kt_err *err)
{
	int ret = 0;

	if (!rec->meta.events)
		return kt_err_set(err, rec->collect_err.code ? rec->collect_err.code : -EINVAL,
				  "%s", rec->collect_err.code ? rec->collect_err.msg
							      : "the recording was not started");
	/* What was provisional is replaced by what is final */
	if (rec->meta.kallsyms_stored)
		ret = kt_writer_retract(rec->writer, KT_OPTION_KALLSYMS, err);
	/* The first address came with the last data */
	if (ret == 0 && rec->symbols && !rec->meta.kallsyms && rec_symbols_any(rec->symbols))
		ret = rec_collect_kallsyms(rec, err);
	if (ret == 0)
		ret = rec_collect_again(rec, err);
	if (ret == 0)
		ret = rec->opts.version == 6 ? write_v6(rec, err) : write_v7(rec, err);
	rec->joined = ret == 0;
	if (ret == 0)
		part_unlink_all(rec->path);
	return ret;
}
