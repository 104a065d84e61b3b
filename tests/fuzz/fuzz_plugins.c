/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_plugins.c - the shipped plugins, with any description of their events and any record */
#include <stdlib.h>
#include <string.h>

#include "base/out.h"
#include "plug/plug.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
static int get_symbol(void *ctx, const struct kt_record *rec, uint64_t addr, struct kt_symbol *sym)
{
	(void)ctx;
	(void)rec;
	*sym = (struct kt_symbol){ addr & ~0xfULL, "symbol", "module" };
	return addr & 1;
}

static int get_number(void *ctx, const struct kt_record *rec)
{
	(void)ctx;
	return (int)rec->size;
}

static const char *get_comm(void *ctx, int pid)
{
	(void)ctx;
	(void)pid;
	return "comm";
}

/* Every kind that plugins distinguish */
static const char *get_machine(void *ctx)
{
	static const char *const machines[] = { "x86_64", "aarch64", "ppc64le", "mips64", "alpha", "" };

	return machines[(uintptr_t)ctx % 6];
}

static void print_plain(void *ctx, const struct kt_event *ev, const struct kt_record *rec,
			struct kt_out *out)
{
	(void)ctx;
	kt_event_plain((struct kt_events *)ev->events, ev, rec, out);
}

static const struct plug_model model = {
	.field_u64 = kt_field_u64, .field_bytes = kt_field_bytes, .field_elem = kt_field_elem,
	.symbol = get_symbol, .pid = get_number, .cpu = get_number, .comm = get_comm,
	.machine = get_machine, .plain = print_plain,
};

static const struct kt_event_source *source_at(void *data, size_t i)
{
	(void)i;
	return data;
}

/* Opened once: they keep no state of an event. */
static struct kt_plugins *plugins(void)
{
	static struct kt_plugins *all;
	struct kt_err err = { 0 };
	char dir[4096];

	if (all)
		return all;
	if (realpath("build-fuzz/plugins", dir))
		setenv("KTRAIL_PLUGIN_DIR", dir, 1);
	all = kt_plugins_open(NULL, &err);
	if (!all || !kt_plugins_nr(all))
		abort();
	return all;
}

static void try_event(const struct kt_event *ev, const uint8_t *data, size_t size)
{
	struct kt_record rec = { .type = ev->id, .size = size };
	struct plug_view *view = plug_view_create(plugins(), &model, (void *)size);
	struct kt_out *out = kt_out_create();
	uint8_t *copy = malloc(size ? size : 1);	/* own block: an over-read is detected */
	uint64_t value;
	size_t i;

	memcpy(copy, data, size);
	rec.data = copy;
	plug_format(view, ev, &rec, out);
	for (i = 0; plug_column(view, ev, i); i++)
		plug_column_value(view, ev, &rec, i, &value);
	free(copy);
	kt_out_destroy(out);
	plug_view_destroy(view);
}

/* "system\nname: …\nformat: …\0record": seeds are real ones. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size), *newline = strchr(text, '\n');
	size_t len = strlen(text) + (strlen(text) < size);
	struct kt_event_source source = { 0 };
	const struct kt_events_origin origin = {
		.long_size = 8, .nr = 1, .at = source_at, .data = &source,
	};
	struct kt_events *events;
	const struct kt_event *ev;

	if (newline) {
		*newline = '\0';
		source.system = text;
		source.format = (struct kt_blob){ newline + 1, strlen(newline + 1) };
		events = kt_events_create_from(&origin, NULL, NULL);
		ev = events ? kt_events_at(events, 0) : NULL;
		if (ev)
			try_event(ev, data + len, size - len);
		kt_events_destroy(events);
	}
	free(text);
	return 0;
}
