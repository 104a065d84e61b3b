/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_make.c - small trace files of made-up events, in either byte order */
#include "kt_make.h"

#include <string.h>

#include <ktrail/writer.h>

#include "base/str.h"
#include "kt_test.h"

#define PAGE_HEADER 16		/* time stamp and commit */

static const char header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

static const char header_event[] =
	"# compressed entry header\n"
	"\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n\tarray       :   32 bits\n"
	"\n\tpadding     : type == 29\n\ttime_extend : type == 30\n"
	"\ttime_stamp : type == 31\n\tdata max type_len  == 28\n";

static void put(const struct kt_make *m, uint8_t *to, size_t size, uint64_t value)
{
	size_t i;

	for (i = 0; i < size; i++)
		to[m->big_endian ? size - 1 - i : i] = value >> (8 * i);
}

static void add_num(const struct kt_make *m, struct str *s, size_t size, uint64_t value)
{
	uint8_t bytes[8];

	put(m, bytes, size, value);
	str_addn(s, bytes, size);
}

static void add_text(const struct kt_make *m, struct str *s, size_t size, const char *text)
{
	add_num(m, s, size, text ? strlen(text) : 0);
	str_add(s, text ? text : "");
}

/* Records begin with their length in words behind a zero type_len: they may be of any size. */
void kt_make_begin(struct kt_make *m, uint16_t id, int32_t pid)
{
	uint8_t *p = m->page + PAGE_HEADER + m->used;

	assert_true(PAGE_HEADER + m->used + 64 < sizeof(m->page));
	put(m, p, 4, m->big_endian ? 10 : 10 << 5);	/* time_delta 10, type_len 0 */
	put(m, p + 4, 4, 0);				/* kt_make_end knows */
	put(m, p + 8, 2, id);
	p[10] = p[11] = 0;
	put(m, p + 12, 4, (uint32_t)pid);
	put(m, m->page + 8, 8, 16);			/* bytes of this record so far */
}

static size_t so_far(const struct kt_make *m)
{
	return m->page[m->big_endian ? 15 : 8] | m->page[m->big_endian ? 14 : 9] << 8;
}

void kt_make_bytes(struct kt_make *m, const void *bytes, size_t size)
{
	size_t at = so_far(m);

	assert_true(PAGE_HEADER + m->used + at + size < sizeof(m->page));
	memcpy(m->page + PAGE_HEADER + m->used + at, bytes, size);
	put(m, m->page + 8, 8, at + size);
}

void kt_make_num(struct kt_make *m, size_t size, uint64_t value)
{
	uint8_t bytes[8];

	put(m, bytes, size, value);
	kt_make_bytes(m, bytes, size);
}

void kt_make_end(struct kt_make *m)
{
	size_t len;

	while (so_far(m) % 4)
		kt_make_bytes(m, "", 1);
	len = so_far(m);
	put(m, m->page + PAGE_HEADER + m->used + 4, 4, len - 4);
	m->used += len;
}

static void write_meta(const struct kt_make *m, struct kt_writer *w, struct kt_err *err)
{
	struct str s = STR_INIT;
	size_t i;

	str_addn(&s, "header_page", 12);
	add_text(m, &s, 8, header_page);
	str_addn(&s, "header_event", 13);
	add_text(m, &s, 8, header_event);
	kt_writer_meta(w, KT_OPTION_HEADER_INFO, s.buf, s.len, err);

	str_reset(&s);
	add_num(m, &s, 4, 0);
	kt_writer_meta(w, KT_OPTION_FTRACE_EVENTS, s.buf, s.len, err);

	str_reset(&s);
	add_num(m, &s, 4, m->nr_formats);
	for (i = 0; i < m->nr_formats; i++) {
		str_addn(&s, m->systems[i], strlen(m->systems[i]) + 1);
		add_num(m, &s, 4, 1);
		add_text(m, &s, 8, m->formats[i]);
	}
	kt_writer_meta(w, KT_OPTION_EVENT_FORMATS, s.buf, s.len, err);

	str_reset(&s);
	add_text(m, &s, 4, m->kallsyms);
	kt_writer_meta(w, KT_OPTION_KALLSYMS, s.buf, s.len, err);
	str_reset(&s);
	add_text(m, &s, 4, m->printk);
	kt_writer_meta(w, KT_OPTION_PRINTK, s.buf, s.len, err);
	str_reset(&s);
	add_text(m, &s, 8, m->cmdlines);
	kt_writer_meta(w, KT_OPTION_CMDLINES, s.buf, s.len, err);
	str_fini(&s);
}

void kt_make_file(struct kt_make *m, const char *path)
{
	struct kt_writer_opts opts = { .version = 6, .compression = "none", .long_size = 8,
				       .big_endian = m->big_endian, .page_size = sizeof(m->page) };
	struct kt_writer_buffer buf = { .name = "", .clock = "local",
					.page_size = sizeof(m->page), .nr_cpus = 1 };
	struct kt_err err = { 0 };
	struct kt_writer *w = kt_writer_create(path, &opts, &err);

	CHECK_NO_ERR(&err);
	put(m, m->page, 8, 1000000000);
	put(m, m->page + 8, 8, m->used);
	write_meta(m, w, &err);
	kt_writer_add_buffer(w, &buf, &err);
	kt_writer_begin_cpu(w, 0, 0, &err);
	kt_writer_data(w, m->page, sizeof(m->page), &err);
	kt_writer_finish(w, &err);
	kt_writer_close(w);
	CHECK_NO_ERR(&err);
}
