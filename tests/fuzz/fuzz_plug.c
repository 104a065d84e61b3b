/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_plug.c - any print format, any phrase and any record, as plugins meet them */
#include <stdlib.h>
#include <string.h>

#include "base/out.h"
#include "plug/plug.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One field of each kind that matters */
static const struct kt_field fields[] = {
	{ "num", "int", 8, 4, 4, 0, KT_FIELD_SIGNED },
	{ "flags", "unsigned long", 16, 8, 8, 0, KT_FIELD_LONG },
	{ "text", "char", 24, 16, 1, 16, KT_FIELD_STRING | KT_FIELD_ARRAY },
	{ "rest", "char", 40, 0, 1, 0, KT_FIELD_STRING | KT_FIELD_ARRAY },
};

static int get_u64(const struct kt_event *ev, const struct kt_field *f,
		   const struct kt_record *rec, uint64_t *value)
{
	(void)ev;
	if (f->offset + 8 > rec->size)
		return -1;
	memcpy(value, rec->data + f->offset, 8);
	return 0;
}

static int get_bytes(const struct kt_event *ev, const struct kt_field *f,
		     const struct kt_record *rec, struct kt_blob *value)
{
	(void)ev;
	if (f->offset > rec->size || f->size > rec->size - f->offset)
		return -1;
	value->data = (const char *)rec->data + f->offset;
	value->size = f->size ? f->size : rec->size - f->offset;
	return 0;
}

static int get_elem(const struct kt_event *ev, const struct kt_field *f,
		    const struct kt_record *rec, size_t i, uint64_t *value)
{
	(void)ev;
	if (i >= 4 || f->offset + i >= rec->size)
		return -1;
	*value = rec->data[f->offset + i];
	return 0;
}

static int get_symbol(void *ctx, const struct kt_record *rec, uint64_t addr, struct kt_symbol *sym)
{
	(void)ctx;
	(void)rec;
	*sym = (struct kt_symbol){ addr & ~0xfULL, "symbol", "" };
	return addr & 1;
}

static const char *get_comm(void *ctx, int pid)
{
	(void)ctx;
	(void)pid;
	return "comm";
}

static const char *get_machine(void *ctx)
{
	return ctx;
}

static const struct plug_model model = {
	.field_u64 = get_u64, .field_bytes = get_bytes, .field_elem = get_elem,
	.symbol = get_symbol, .comm = get_comm, .machine = get_machine,
};

static const struct kt_name names[] = {
	{ 1, "one", 0 }, { 6, "six", 7 }, { 'R', "read", 1 }, { 'R', "again", 0 }, { 0, NULL, 0 },
};

static const struct kt_table tables[] = {
	{ "enum", KT_TABLE_ENUM, names },       { "flags", KT_TABLE_FLAGS, names },
	{ "code", KT_TABLE_ENUM_HEX, names },   { "letters", KT_TABLE_LETTERS, names },
	{ NULL, 0, NULL },
};

/* The next text up to its NUL; new. */
static char *take(const uint8_t **data, size_t *size)
{
	char *text = strndup((const char *)*data, *size);
	size_t len = strlen(text);

	len += len < *size;
	*data += len;
	*size -= len;
	return text;
}

/* A print format, a phrase, and the rest is the record. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *fmt = take(&data, &size), *text = take(&data, &size);
	struct kt_event ev = { .id = 1, .system = "s", .name = "e", .print_fmt = fmt,
			       .nr_fields = 4, .fields = fields };
	struct plugin pl = { .name = "fuzz", .api.tables = tables };
	struct plug_view view = { .model = &model, .ctx = size % 2 ? "mips" : "x86_64" };
	struct plug_call c = { .view = &view, .ev = &ev, .plugin = &pl };
	struct str s = STR_INIT;
	struct plug_operand what;
	struct plug_phrase *ph;
	uint64_t value;
	uint8_t *copy = malloc(size ? size : 1);	/* own block: an over-read is detected */
	int error;

	memcpy(copy, data, size);
	c.rec = (struct kt_record){ .data = copy, .size = size };
	plug_names_free(plug_kernel_names(&ev, "num", 3));
	plug_kernel_hex(&ev, "num", 3);
	if (plug_operand_parse(&ev, text, &what) >= 0 && what.field)
		plug_operand_get(&c, &what, &value);
	ph = plug_phrase_compile(&pl, &ev, text, &error);
	if (ph)
		plug_phrase_print(ph, &c, &s);
	else if (!error)
		abort();
	plug_phrase_free(ph);
	str_fini(&s);
	free(copy);
	free(text);
	free(fmt);
	return 0;
}
