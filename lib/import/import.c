/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* import.c - read an input of one kind, write the trace.dat */
#include "import/import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"

/* ---- the output ---- */

static const char header_event[] =
	"# compressed entry header\n"
	"\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n\tarray       :   32 bits\n\n"
	"\tpadding     : type == 29\n\ttime_extend : type == 30\n\ttime_stamp : type == 31\n"
	"\tdata max type_len  == 28\n";

static void put_sized(struct str *s, const char *name, const char *text)
{
	uint64_t size = strlen(text);

	str_addn(s, name, strlen(name) + 1);
	str_addn(s, &size, sizeof(size));
	str_add(s, text);
}

static int write_header(struct kt_writer *w, struct kt_err *err)
{
	struct str page = STR_INIT, s = STR_INIT;
	int ret;

	str_addf(&page, "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
			"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
			"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
			"\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:1;\n",
		 PAGE_HEAD, PAGE_SIZE - PAGE_HEAD);
	put_sized(&s, "header_page", page.buf);
	put_sized(&s, "header_event", header_event);
	ret = s.failed ? kt_err_no_memory(err) :
			 kt_writer_meta(w, KT_OPTION_HEADER_INFO, s.buf, s.len, err);
	str_fini(&page);
	str_fini(&s);
	return ret;
}

/* A text with its size before it, a number of @size bytes */
static int write_text(struct kt_writer *w, uint16_t id, const struct str *text, size_t size,
		      struct kt_err *err)
{
	uint64_t len = text->len;
	struct str s = STR_INIT;
	int ret;

	str_addn(&s, (uint8_t *)&len + (KT_HOST_BIG ? 8 - size : 0), size);
	str_addn(&s, text->buf, text->len);
	ret = s.failed || text->failed ? kt_err_no_memory(err) :
					 kt_writer_meta(w, id, s.buf, s.len, err);
	str_fini(&s);
	return ret;
}

static int write_names(struct import *im, struct kt_writer *w, struct kt_err *err)
{
	struct str symbols = STR_INIT, printk = STR_INIT, tasks = STR_INIT;
	size_t i;
	int ret;

	addresses_put(&im->addresses, &symbols);
	for (i = 0; i < im->nr_tasks; i++)
		str_addf(&tasks, "%d %s\n", im->tasks[i].pid, im->tasks[i].comm);
	ret = write_text(w, KT_OPTION_KALLSYMS, &symbols, 4, err);
	if (ret == 0)
		ret = write_text(w, KT_OPTION_PRINTK, &printk, 4, err);
	if (ret == 0)
		ret = write_text(w, KT_OPTION_CMDLINES, &tasks, 8, err);
	str_fini(&symbols);
	str_fini(&tasks);
	return ret;
}

static int write_options(struct import *im, struct kt_writer *w, struct kt_err *err)
{
	uint32_t cpus = spool_counted(im->spool)->cpus;
	struct str uname = STR_INIT;
	int ret;

	cpus = im->nr_cpus > cpus ? im->nr_cpus : cpus;
	ret = kt_writer_option(w, KT_OPTION_CPUCOUNT, &cpus, sizeof(cpus), err);
	if (im->opts->machine)
		str_addf(&uname, "Linux ? %s", im->opts->machine);
	else if (im->uname)
		str_add(&uname, im->uname);
	if (ret == 0 && uname.len)
		ret = uname.failed ? kt_err_no_memory(err) :
		      kt_writer_option(w, KT_OPTION_UNAME, uname.buf, uname.len + 1, err);
	str_fini(&uname);
	return ret;
}

static int write_trace(struct import *im, struct kt_writer *w, struct kt_err *err)
{
	const struct kt_writer_buffer buffer = {
		.name = "", .clock = im->clock, .page_size = PAGE_SIZE,
		.nr_cpus = spool_counted(im->spool)->cpus,
	};
	int ret = write_header(w, err), index;

	if (ret < 0)
		return ret;
	ret = shape_events_write(&im->events, w, err);
	if (ret < 0)
		return ret;
	ret = write_names(im, w, err);
	if (ret < 0)
		return ret;
	ret = write_options(im, w, err);
	if (ret < 0)
		return ret;
	index = kt_writer_add_buffer(w, &buffer, err);
	if (index < 0)
		return index;
	ret = spool_write(im->spool, w, index, err);
	return ret < 0 ? ret : kt_writer_finish(w, err);
}

static int write_file(struct import *im, struct kt_err *err)
{
	struct kt_writer_opts o = { .version = 7 };
	struct kt_writer *w;
	int ret;

	kt_writer_opts_host(&o, PAGE_SIZE);
	o.compression = im->opts->compression;
	o.replace = true;
	o.threads = im->opts->threads;
	o.index = KT_INDEX_ALL;
	o.layout = (struct kt_page_layout){ .commit_offset = 8, .commit_size = 8,
					    .data_offset = PAGE_HEAD };
	w = kt_writer_create(im->opts->path, &o, err);
	if (!w)
		return kt_err_code(err, -EIO);
	ret = write_trace(im, w, err);
	kt_writer_close(w);
	return ret;
}

/* ---- the import ---- */

const char *kt_import_name(enum kt_import_from from)
{
	static const char *const names[] = {
		[KT_IMPORT_TEXT] = "text", [KT_IMPORT_PERFETTO] = "perfetto",
	};

	return from < sizeof(names) / sizeof(*names) ? names[from] : NULL;
}

/* A Perfetto trace begins with a packet, field 1, and soon has bytes that no text has. */
static int guess(struct import *im, struct kt_err *err)
{
	ssize_t n = import_fill(im, 4096, err), i;
	const unsigned char *text = (unsigned char *)im->in.text.buf;

	if (n <= 0 || im->opts->from != KT_IMPORT_ANY) {
		im->result->from = im->opts->from ? im->opts->from : KT_IMPORT_TEXT;
		return n < 0 ? (int)n : 0;
	}
	for (i = 0; i < n; i++)
		if (text[i] < ' ' && !strchr("\t\n\r\033", text[i]))
			break;
	im->result->from = i == n ? KT_IMPORT_TEXT : KT_IMPORT_PERFETTO;
	if (i < n && text[0] != 0x0a)
		return kt_err_set(err, -EBADMSG, "%s is neither a text nor a trace of Perfetto",
				  im->opts->name);
	return 0;
}

static void tell_counts(struct import *im)
{
	const struct spool_count *c = spool_counted(im->spool);

	im->result->events = c->events;
	im->result->lost = c->lost;
	if (c->sorted)
		import_note(im, "records that came late on their CPU, and were sorted: %llu",
			    (unsigned long long)c->sorted);
	if (c->late)
		import_note(im, "records too late to be sorted, with wrong times: %llu",
			    (unsigned long long)c->late);
	if (im->cut)
		import_note(im, "texts cut to the size of a record: %llu",
			    (unsigned long long)im->cut);
}

static void fini(struct import *im)
{
	spool_destroy(im->spool);
	shape_events_fini(&im->events);
	addresses_fini(&im->addresses);
	keymap_fini(&im->by_pid);
	str_fini(&im->in.text);
	str_fini(&im->rec);
	free(im->tasks);
	free(im->uname);
}

static int convert(struct import *im, struct kt_err *err)
{
	int ret = guess(im, err);

	if (ret < 0)
		return ret;
	ret = im->result->from == KT_IMPORT_TEXT ? import_text(im, err) : import_perfetto(im, err);
	if (ret < 0)
		return ret;
	if (!spool_counted(im->spool)->events)
		return kt_err_set(err, -ENODATA, "%s has no events of a trace", im->opts->name);
	ret = write_file(im, err);
	if (ret == 0)
		tell_counts(im);
	return ret;
}

int kt_import(const struct kt_import_opts *opts, struct kt_import_result *result,
	      struct kt_err *err)
{
	struct import im = { .opts = opts, .result = result, .clock = "", .in.text = STR_INIT,
			     .rec = STR_INIT, .addresses.names = STR_INIT };
	struct stat st;
	int ret;

	if (fstat(opts->fd, &st) == 0 && S_ISREG(st.st_mode))
		im.total = (uint64_t)st.st_size;
	im.spool = spool_create(err);
	ret = im.spool ? convert(&im, err) : kt_err_code(err, -EIO);
	fini(&im);
	return ret;
}
