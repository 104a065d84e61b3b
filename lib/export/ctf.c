/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ctf.c - the Common Trace Format 1.8: a folder with a stream for each CPU, and the metadata */
#include "export/ctf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/put.h"
#include "export/value.h"

#define MAGIC       0xc1fc1fc1u
#define PACKET      (256u << 10)	/* a packet of this size is written */
#define HEAD        (4 + 16 + 4 + 6 * 8 + 4)	/* header and context of a packet */
#define MAX_CLASSES 65536		/* ids have 16 bits */
#define MAX_ELEMS   65536

/* A source of the trace */
struct stream {
	struct str packet;		/* begins with room for HEAD bytes */
	uint64_t begin, end;		/* times of its first and last event */
	uint64_t seq, discarded;
	int cpu;
	char name[64];			/* of its file */
};

struct ctf {
	struct str metadata;
	struct stream *streams;		/* by source */
	size_t nr_streams;
	unsigned int nr_classes;
	uint8_t uuid[16];
	struct str value;
};

/* ---- bytes ---- */

static void add_le(struct str *s, uint64_t value, size_t size)
{
	char *p = put_room(s, 8);

	if (!p)
		return;
	value = KT_HOST_BIG ? __builtin_bswap64(value) : value;
	memcpy(p, &value, 8);
	put_done(s, p + size);
}

static char *put_le(char *p, uint64_t value, size_t size)
{
	value = KT_HOST_BIG ? __builtin_bswap64(value) : value;
	memcpy(p, &value, size);
	return p + size;
}

/* NUL-terminated; an embedded NUL ends the text */
static void add_string(struct str *s, const char *text, size_t len)
{
	value_put_utf8(s, text, strnlen(text, len), false);
	str_addc(s, '\0');
}

/* ---- packets ---- */

static int cannot(const struct export *x, const char *name, struct kt_err *err)
{
	int code = -errno;

	return kt_err_set(err, code, "cannot write %s/%s: %s", x->opts->path, name,
			  strerror(-code));
}

/* The file is opened for each packet: a machine may have more CPUs than a process has files. */
static int append(const struct export *x, const char *name, const struct str *s,
		  struct kt_err *err)
{
	char *path;
	FILE *f;
	bool ok;

	if (s->failed || asprintf(&path, "%s/%s", x->opts->path, name) < 0)
		return kt_err_no_memory(err);
	f = fopen(path, "ae");
	free(path);
	ok = f && fwrite(s->buf, 1, s->len, f) == s->len;
	if (f && fclose(f) != 0)
		ok = false;
	return ok ? 0 : cannot(x, name, err);
}

static int write_packet(const struct export *x, struct stream *st, struct kt_err *err)
{
	const struct ctf *c = x->state;
	char *p = st->packet.buf;
	int ret;

	if (!st->packet.len)
		return 0;
	if (st->packet.failed)
		return kt_err_no_memory(err);
	p = put_le(p, MAGIC, 4);
	p = put_bytes(p, c->uuid, sizeof(c->uuid));
	p = put_le(p, 0, 4);
	p = put_le(p, st->begin, 8);
	p = put_le(p, st->end, 8);
	p = put_le(p, 8 * st->packet.len, 8);
	p = put_le(p, 8 * st->packet.len, 8);
	p = put_le(p, st->seq++, 8);
	p = put_le(p, st->discarded, 8);
	put_le(p, st->cpu, 4);
	ret = append(x, st->name, &st->packet, err);
	str_reset(&st->packet);
	return ret;
}

static void begin_packet(struct stream *st, uint64_t ts)
{
	static const char head[HEAD];

	str_addn(&st->packet, head, sizeof(head));
	st->begin = st->end = ts > st->end ? ts : st->end;
}

/* ---- events ---- */

static void add_sequence(struct str *s, const struct export_record *r, const struct kt_field *f)
{
	size_t at = s->len, i;
	uint64_t value;

	add_le(s, 0, 4);
	for (i = 0; i < MAX_ELEMS && kt_field_elem(r->ev->ev, f, r->rec, i, &value) == 0; i++)
		add_le(s, value, f->elem_size);
	if (!s->failed)
		put_le(s->buf + at, i, 4);
}

static void add_function(struct export *x, struct str *s, const struct export_record *r,
			 const struct kt_field *f)
{
	struct kt_symbol sym;
	uint64_t address;

	if (kt_field_u64(r->ev->ev, f, r->rec, &address) == 0 &&
	    kt_symbols_find(kt_trace_record_symbols(x->trace, r->rec), address, &sym) > 0)
		str_add(s, sym.name);
	str_addc(s, '\0');
}

static void add_fields(struct export *x, struct str *s, const struct export_record *r)
{
	const struct ctf_plan *p = r->ev->plan;
	struct ctf *c = x->state;
	uint64_t value;
	size_t i;

	for (i = 0; i < p->nr; i++) {
		const struct kt_field *f = p->fields[i].field;

		switch (p->fields[i].type) {
		case CTF_INTEGER:
			value = 0;	/* a cut record lacks it: CTF has no missing fields */
			kt_field_u64(r->ev->ev, f, r->rec, &value);
			add_le(s, value, f->size);
			break;
		case CTF_STRING:
			str_reset(&c->value);
			value_put(&c->value, r->ev->ev, f, r->rec);
			add_string(s, c->value.buf, c->value.len);
			break;
		case CTF_SEQUENCE:
			add_sequence(s, r, f);
			break;
		case CTF_FUNCTION:
			add_function(x, s, r, f);
		}
	}
}

static int new_class(struct ctf *c, unsigned int *class, struct kt_err *err)
{
	if (c->nr_classes == MAX_CLASSES)
		return kt_err_set(err, -E2BIG, "the trace has more than %d kinds of events",
				  MAX_CLASSES);
	*class = c->nr_classes++;
	return 0;
}

/* The class of a record; raw_syscalls have one for each call, described when it first occurs */
static int class_of(struct export *x, const struct export_record *r, unsigned int *class,
		    struct kt_err *err)
{
	struct ctf_plan *p = r->ev->plan;
	struct ctf *c = x->state;
	uint64_t call = 0;
	int ret;

	*class = p->class;
	if (!p->call)
		return 0;
	kt_field_u64(r->ev->ev, p->call, r->rec, &call);
	*class = keymap_get(&p->calls, call);
	if (*class != KEYMAP_NONE)
		return 0;
	ret = new_class(c, class, err);
	if (ret < 0)
		return ret;
	ctf_describe_call(&c->metadata, r->ev->ev, p, call, *class);
	return keymap_put(&p->calls, call, *class) < 0 ? kt_err_no_memory(err) : 0;
}

static int event(struct export *x, const struct export_record *r, struct kt_err *err)
{
	struct ctf *c = x->state;
	struct stream *st = &c->streams[r->rec->source];
	const char *comm = export_comm(x, r->ev->file, r->pid);
	unsigned int class;
	int ret = class_of(x, r, &class, err);

	if (ret < 0)
		return ret;
	if (!st->packet.len)
		begin_packet(st, r->rec->ts);
	/* Readers reject decreasing times, so repeat the last one. */
	if (r->rec->ts > st->end)
		st->end = r->rec->ts;
	add_le(&st->packet, class, 2);
	add_le(&st->packet, st->end, 8);
	add_le(&st->packet, (uint32_t)r->pid, 4);
	add_string(&st->packet, comm, strlen(comm));
	add_le(&st->packet, kt_record_flags(r->ev->ev->events, r->rec), 1);
	add_fields(x, &st->packet, r);
	return st->packet.len >= PACKET ? write_packet(x, st, err) : 0;
}

/* A packet holds the number of events lost since the previous one: begin a new packet. */
static int lost(struct export *x, const struct kt_record *rec, struct kt_err *err)
{
	struct ctf *c = x->state;
	struct stream *st = &c->streams[rec->source];
	int ret = write_packet(x, st, err);

	st->discarded += rec->lost == KT_LOST_UNKNOWN ? 1 : rec->lost;
	return ret;
}

static int plan(struct export *x, struct export_event *ev, struct kt_err *err)
{
	struct ctf *c = x->state;
	unsigned int class = 0;
	int ret = new_class(c, &class, err);

	if (ret < 0)
		return ret;
	ev->plan = ctf_plan_create(ev->ev, class, &c->metadata);
	return ev->plan ? 0 : kt_err_no_memory(err);
}

static void no_plan(struct export_event *ev)
{
	ctf_plan_destroy(ev->plan);
}

/* ---- the folder ---- */

/* The id is derived from the file, so the same file gives the same trace. */
static void make_uuid(struct export *x, uint8_t uuid[16])
{
	const struct kt_file_info *info = kt_file_info(kt_trace_file(x->trace, 0));
	uint64_t word[2] = { strlen(info->path), kt_trace_nr_files(x->trace) };
	const char *p;

	for (p = str_base_name(info->path); *p; p++) {
		word[0] = keymap_scramble(word[0] + (unsigned char)*p);
		word[1] = keymap_mix(word[1], word[0]);
	}
	memcpy(uuid, word, 16);
	uuid[6] = (uuid[6] & 0x0f) | 0x40;	/* version and variant of RFC 4122 */
	uuid[8] = (uuid[8] & 0x3f) | 0x80;
}

static void name_stream(struct stream *st, const struct kt_source *src)
{
	const struct kt_buffer *b = kt_file_buffer(src->file, src->buffer);
	const char *from = b && *b->name ? b->name : "channel";
	char name[40], *p;

	snprintf(name, sizeof(name), "%s", from);
	for (p = name; *p; p++)
		if (*p == '/' || *p == '.' || (unsigned char)*p < ' ')
			*p = '_';
	/* Two buffers may have the same name up to here */
	snprintf(st->name, sizeof(st->name), "%s_%zu_%d", name,
		 src->buffer + 1000 * src->file_index, src->cpu);
	st->cpu = src->cpu;
}

static int begin(struct export *x, struct kt_err *err)
{
	struct kt_stream *stream = kt_trace_stream(x->trace);
	struct ctf *c = x->state;
	size_t i;

	c->metadata = c->value = (struct str)STR_INIT;
	c->nr_streams = kt_stream_nr_sources(stream);
	c->streams = calloc(c->nr_streams + 1, sizeof(*c->streams));
	if (!c->streams)
		return kt_err_no_memory(err);
	for (i = 0; i < c->nr_streams; i++) {
		c->streams[i].packet = (struct str)STR_INIT;
		name_stream(&c->streams[i], kt_stream_source(stream, i));
	}
	make_uuid(x, c->uuid);
	ctf_describe_trace(&c->metadata, x->trace, c->uuid);
	return mkdir(x->opts->path, 0777) < 0 ? cannot(x, "", err) : 0;
}

static int end(struct export *x, struct kt_err *err)
{
	struct ctf *c = x->state;
	size_t i;
	int ret = 0;

	for (i = 0; i < c->nr_streams && ret == 0; i++)
		ret = write_packet(x, &c->streams[i], err);
	return ret < 0 ? ret : append(x, "metadata", &c->metadata, err);
}

static void fini(struct export *x)
{
	struct ctf *c = x->state;
	size_t i;

	for (i = 0; c->streams && i < c->nr_streams; i++)
		str_fini(&c->streams[i].packet);
	free(c->streams);
	if (c->metadata.buf)
		str_fini(&c->metadata);
	if (c->value.buf)
		str_fini(&c->value);
}

const struct export_format export_ctf = {
	.is = { "ctf", "a CTF 1.8 trace with LTTng's names: babeltrace2, Trace Compass", ".ctf",
		KT_EXPORT_BINARY | KT_EXPORT_PATH | KT_EXPORT_FOLDER },
	.state_size = sizeof(struct ctf),
	.begin = begin, .plan = plan, .event = event, .lost = lost, .end = end,
	.no_plan = no_plan, .fini = fini,
};
