/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_pretty.c - texts of plugins for made-up records of a kernel's events */
#include "kt_pretty.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/out.h"
#include "kt_formats.h"
#include "kt_test.h"

static const char kallsyms[] =
	"ffffffff81000000 T tick_nohz_handler\n"
	"ffffffff81001000 T vfs_read\n"
	"ffffffff81002000 t work_fn\t[mod]\n"
	"ffffffff81002800 t tracing_mark_write\n"
	"ffffffff81003000 T the_end\n";

static struct kt_symbols *symbols;
static struct kt_formats formats;
static struct kt_pretty pretty;

static int get_symbol(void *ctx, const struct kt_record *rec, uint64_t addr,
		      struct kt_symbol *sym)
{
	(void)rec;
	(void)ctx;
	return kt_symbols_find(symbols, addr, sym);
}

static int get_pid(void *ctx, const struct kt_record *rec)
{
	return kt_record_pid(ctx, rec);
}

static int get_cpu(void *ctx, const struct kt_record *rec)
{
	(void)ctx;
	(void)rec;
	return 3;
}

static const char *get_comm(void *ctx, int pid)
{
	(void)ctx;
	return pid == 7 ? "sh" : "<...>";
}

static const char *get_machine(void *ctx)
{
	(void)ctx;
	return pretty.machine;
}

static void print_plain(void *ctx, const struct kt_event *ev, const struct kt_record *rec,
			struct kt_out *out)
{
	kt_event_plain(ctx, ev, rec, out);
}

static const struct plug_model model = {
	.field_u64 = kt_field_u64, .field_bytes = kt_field_bytes, .field_elem = kt_field_elem,
	.symbol = get_symbol, .pid = get_pid, .cpu = get_cpu, .comm = get_comm,
	.machine = get_machine, .plain = print_plain,
};

struct kt_pretty *kt_pretty_open(const char *path)
{
	struct kt_err err = { 0 };
	char dir[4096];

	assert_non_null(realpath(getenv("B") ? getenv("B") : "build", dir));
	strcat(dir, "/plugins");
	setenv("KTRAIL_PLUGIN_DIR", dir, 1);
	setenv("HOME", "/nonexistent", 1);
	formats = kt_formats_of_file(path);
	assert_true(formats.nr > 0);
	symbols = kt_symbols_create(NULL, &err);
	kt_symbols_add_text(symbols, kallsyms, strlen(kallsyms), &err);
	pretty.machine = "x86_64";
	pretty.events = kt_formats_events(&formats, symbols, false);
	pretty.plugins = kt_plugins_open(NULL, &err);
	CHECK_NO_ERR(&err);
	pretty.view = plug_view_create(pretty.plugins, &model, pretty.events);
	return &pretty;
}

void kt_pretty_close(struct kt_pretty *p)
{
	plug_view_destroy(p->view);
	kt_plugins_close(p->plugins);
	kt_events_destroy(p->events);
	kt_symbols_destroy(symbols);
	kt_formats_free(&formats);
}

static void put(struct kt_made *m, uint32_t at, uint32_t size, uint64_t value)
{
	assert_true(at + size <= sizeof(m->bytes));
	memcpy(m->bytes + at, &value, size < 8 ? size : 8);
}

static void put_text(struct kt_made *m, const struct kt_field *f, const char *text, size_t len)
{
	if (!(f->flags & KT_FIELD_DYNAMIC)) {
		assert_true(f->offset + len < sizeof(m->bytes));
		memcpy(m->bytes + f->offset, text, len);
		if (m->used < f->offset + len + 1)
			m->used = f->offset + len + 1;
		return;
	}
	put(m, f->offset, 4, m->used | (uint32_t)(len + 1) << 16);
	memcpy(m->bytes + m->used, text, len);
	m->used += len + 1;
}

static void put_list(struct kt_made *m, const struct kt_field *f, const char *text)
{
	uint32_t at = f->offset;
	char *end;

	for (;; text = end + 1, at += f->elem_size) {
		put(m, at, f->elem_size, strtoull(text, &end, 0));
		if (*end != ',')
			break;
	}
	if (m->used < at + f->elem_size)
		m->used = at + f->elem_size;
}

static void put_field(struct kt_made *m, const struct kt_event *ev, const char *word, size_t len)
{
	const char *equals = memchr(word, '=', len);
	const struct kt_field *f = plug_field(ev, word, equals - word);

	if (!f)
		fail_msg("%s has no field %.*s", ev->name, (int)(equals - word), word);
	equals++;
	if (f->flags & KT_FIELD_ARRAY && memchr(equals, ',', word + len - equals))
		put_list(m, f, equals);		/* libtraceevent takes __u8[4] for text */
	else if (f->flags & KT_FIELD_STRING)
		put_text(m, f, equals, word + len - equals);
	else if (f->flags & KT_FIELD_ARRAY)
		put_list(m, f, equals);
	else if (*equals == '-')
		put(m, f->offset, f->size, (uint64_t)strtoll(equals, NULL, 0));
	else
		put(m, f->offset, f->size, strtoull(equals, NULL, 0));
}

struct kt_record kt_pretty_record(struct kt_made *m, const struct kt_event *ev, const char *fields)
{
	size_t i, len;

	memset(m, 0, sizeof(*m));
	for (i = 0; i < ev->nr_fields; i++)
		if (m->used < ev->fields[i].offset + ev->fields[i].size)
			m->used = ev->fields[i].offset + ev->fields[i].size;
	put(m, 0, 2, ev->id);
	put(m, 4, 4, 7);
	for (; *fields; fields += len + (fields[len] == ' ')) {
		len = strcspn(fields, " ");
		put_field(m, ev, fields, len);
	}
	return (struct kt_record) { .data = m->bytes, .size = m->used, .type = ev->id, .ts = 1000 };
}

const struct kt_event *kt_pretty_event(struct kt_pretty *p, const char *name)
{
	const char *slash = strchr(name, '/');
	const struct kt_event *ev;
	char system[64];

	snprintf(system, sizeof(system), "%.*s", (int)(slash - name), name);
	ev = kt_events_by_name(p->events, system, slash + 1);
	if (!ev)
		fail_msg("this kernel has no %s", name);
	return ev;
}

char *kt_pretty_text(struct kt_pretty *p, const char *name, const char *fields)
{
	const struct kt_event *ev = kt_pretty_event(p, name);
	struct kt_out *out = kt_out_create();
	struct kt_record rec;
	struct kt_made m;
	char *text = NULL;

	rec = kt_pretty_record(&m, ev, fields);
	if (plug_format(p->view, ev, &rec, out))
		text = strdup(kt_out_data(out) ? kt_out_data(out) : "");
	else
		assert_int_equal(kt_out_len(out), 0);
	kt_out_destroy(out);
	return text;
}
