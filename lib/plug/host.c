/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* host.c - the functions of ktrail that plugins call */
#include "plug/plug.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/out.h"

/* A plugin holds a pointer to the first member of its current call. */
static const struct plug_call *call_of(const struct kt_record *rec)
{
	return (const struct plug_call *)rec;
}

static int field_u64(const struct kt_record *rec, const char *name, uint64_t *value)
{
	const struct plug_call *c = call_of(rec);
	const struct kt_field *f = plug_field(c->ev, name, strlen(name));

	return f ? c->view->model->field_u64(c->ev, f, &c->rec, value) : -ENOENT;
}

static int field_i64(const struct kt_record *rec, const char *name, int64_t *value)
{
	const struct plug_call *c = call_of(rec);
	const struct kt_field *f = plug_field(c->ev, name, strlen(name));
	unsigned int shift;
	uint64_t raw;
	int ret;

	if (!f)
		return -ENOENT;
	ret = c->view->model->field_u64(c->ev, f, &c->rec, &raw);
	if (ret < 0)
		return ret;
	shift = f->size < 8 && (f->flags & KT_FIELD_SIGNED) ? 64 - 8 * f->size : 0;
	*value = (int64_t)(raw << shift) >> shift;
	return 0;
}

static int field_bytes(const struct kt_record *rec, const char *name, const void **bytes,
		       size_t *len)
{
	const struct plug_call *c = call_of(rec);
	const struct kt_field *f = plug_field(c->ev, name, strlen(name));
	struct kt_blob b;
	int ret = f ? plug_bytes(c, f, &b) : -ENOENT;

	if (ret == 0) {
		*bytes = b.data;
		*len = b.size;
	}
	return ret;
}

static int field_text(const struct kt_record *rec, const char *name, const char **text, size_t *len)
{
	const struct plug_call *c = call_of(rec);
	const struct kt_field *f = plug_field(c->ev, name, strlen(name));
	const void *bytes;
	int ret;

	if (f && !(f->flags & KT_FIELD_STRING))
		return -EINVAL;
	ret = field_bytes(rec, name, &bytes, len);
	if (ret == 0) {
		*text = bytes;
		*len = strnlen(bytes, *len);
	}
	return ret;
}

static int field_elem(const struct kt_record *rec, const char *name, size_t i, uint64_t *value)
{
	const struct plug_call *c = call_of(rec);
	const struct kt_field *f = plug_field(c->ev, name, strlen(name));

	return f ? c->view->model->field_elem(c->ev, f, &c->rec, i, value) : -ENOENT;
}

static const char *field_name(const struct kt_record *rec, size_t i, const char **type)
{
	const struct kt_event *ev = call_of(rec)->ev;

	if (i >= ev->nr_fields)
		return NULL;
	*type = ev->fields[i].type;
	return ev->fields[i].name;
}

static const char *event_system(const struct kt_record *rec)
{
	return call_of(rec)->ev->system;
}

static const char *event_name(const struct kt_record *rec)
{
	return call_of(rec)->ev->name;
}

static uint64_t time_ns(const struct kt_record *rec)
{
	return call_of(rec)->rec.ts;
}

static int cpu(const struct kt_record *rec)
{
	const struct plug_call *c = call_of(rec);

	return c->view->model->cpu(c->view->ctx, &c->rec);
}

static int pid(const struct kt_record *rec)
{
	const struct plug_call *c = call_of(rec);

	return c->view->model->pid(c->view->ctx, &c->rec);
}

static const char *comm(const struct kt_record *rec, int task)
{
	const struct plug_call *c = call_of(rec);

	return c->view->model->comm(c->view->ctx, task);
}

static const char *machine(const struct kt_record *rec)
{
	const struct plug_call *c = call_of(rec);

	return c->view->model->machine(c->view->ctx);
}

static int symbol(const struct kt_record *rec, uint64_t addr, const char **name, uint64_t *offset)
{
	const struct plug_call *c = call_of(rec);
	struct kt_symbol sym;

	if (c->view->model->symbol(c->view->ctx, rec, addr, &sym) <= 0)
		return -ENOENT;
	*name = sym.name;
	*offset = addr - sym.addr;
	return 0;
}

static const char *option(const struct kt_host *host, const char *name)
{
	const struct plugin *pl = (const struct plugin *)host;
	size_t i;

	for (i = 0; i < pl->nr_options; i++)
		if (!strcmp(pl->options[i].name, name))
			return pl->options[i].value;
	return NULL;
}

/* Cut to the limit, the text shows the caller that the plugin printed too much. */
static void clamp(struct kt_out *out)
{
	if (out->limit && out->text.len > out->limit) {
		out->text.len = out->limit;
		out->text.buf[out->limit] = '\0';
	}
}

static void text(struct kt_out *out, const char *bytes, size_t len)
{
	if (out->limit && len > PLUG_MAX_TEXT)
		len = PLUG_MAX_TEXT;
	str_addn(&out->text, bytes, len);
	clamp(out);
}

static void print(struct kt_out *out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&out->text, fmt, ap);
	va_end(ap);
	clamp(out);
}

static int value(const struct kt_record *rec, struct kt_out *out, const char *as, uint64_t val)
{
	const struct plug_call *c = call_of(rec);
	const struct kt_table *t = plug_table(c->plugin, as, strlen(as));
	plug_print_fn fn = plug_conversion(as, strlen(as));

	if (t && t->kind != KT_TABLE_LETTERS)
		plug_print_name(t, NULL, val, &out->text);
	else if (fn && !plug_converts_bytes(fn))
		fn(c, NULL, val, &out->text);
	else
		return -ENOENT;
	clamp(out);
	return 0;
}

/* Compare the text, not the pointer: a plugin may compose the text for each call. */
static struct plug_cached *find_cached(struct plug_cached *from, const char *words)
{
	for (; from; from = from->next)
		if (!strcmp(from->text, words))
			return from;
	return NULL;
}

static struct plug_cached *make_cached(const struct plug_call *c, const char *words)
{
	struct plug_cached *made = calloc(1, sizeof(*made));

	if (!made)
		return NULL;
	made->text = strdup(words);
	if (!made->text) {
		free(made);
		return NULL;
	}
	made->phrase = plug_phrase_compile(c->plugin, c->ev, made->text, &made->error);
	return made;
}

static struct plug_cached *cached(const struct plug_call *c, const char *words)
{
	struct plug_binding *b = c->binding;
	struct plug_cached *have =
		find_cached(atomic_load_explicit(&b->cache, memory_order_acquire),
					       words);

	if (have)
		return have;
	pthread_mutex_lock(&c->view->lock);
	have = find_cached(atomic_load_explicit(&b->cache, memory_order_relaxed), words);
	if (!have) {
		have = make_cached(c, words);
		if (have) {
			have->next = atomic_load_explicit(&b->cache, memory_order_relaxed);
			atomic_store_explicit(&b->cache, have, memory_order_release);
		}
	}
	pthread_mutex_unlock(&c->view->lock);
	return have;
}

static int phrase(const struct kt_record *rec, struct kt_out *out, const char *words)
{
	const struct plug_call *c = call_of(rec);
	const struct plug_cached *p = cached(c, words);
	int ret;

	if (!p)
		return -ENOMEM;
	if (!p->phrase)
		return p->error;
	ret = plug_phrase_print(p->phrase, c, &out->text);
	clamp(out);
	return ret;
}

/* Removes the newline at the end of some print formats */
static void plain(const struct kt_record *rec, struct kt_out *out)
{
	const struct plug_call *c = call_of(rec);
	size_t start = out->text.len;

	c->view->model->plain(c->view->ctx, c->ev, &c->rec, out);
	while (out->text.len > start && out->text.buf[out->text.len - 1] == '\n')
		out->text.buf[--out->text.len] = '\0';
	clamp(out);
}

const struct kt_host plug_host = {
	.abi = KT_PLUGIN_ABI, .size = sizeof(struct kt_host),
	.field_u64 = field_u64, .field_i64 = field_i64, .field_text = field_text,
	.field_bytes = field_bytes, .field_elem = field_elem, .field_name = field_name,
	.system = event_system, .event = event_name, .time_ns = time_ns, .cpu = cpu, .pid = pid,
	.comm = comm, .machine = machine, .symbol = symbol, .option = option,
	.print = print, .text = text, .value = value, .phrase = phrase, .plain = plain,
};
