/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tep.c - libtraceevent's handle: its parser, and its printing of formats that we do not support */
#include "event/events.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/trace-seq.h>

#include "event/plugins.h"
#include "format/grammar.h"
#include "printer/raw.h"

/*
 * The library trusts the offsets and lengths in a record. So records are copied into a buffer
 * with zeros after them: a string without its end or a wrong length stays inside the buffer,
 * which fits the largest record plus the largest offset and length of a dynamic array.
 */
#define SCRATCH_PAD  (2 * 65536 + 64)
#define SCRATCH_SIZE (65536 + SCRATCH_PAD)

#define NR_NUMBERS 65536u	/* of events: common_type has 16 bits */

/* The library asks for the name of an address and expects the start of the symbol. */
static char *resolve(void *priv, unsigned long long *addr, char **module)
{
	struct kt_events *evs = priv;
	struct kt_symbol sym;

	if (!evs->printing || !kt_symbols_find(evs->printing, *addr, &sym))
		return NULL;
	*addr = sym.addr;
	*module = *sym.module ? (char *)sym.module : NULL;
	return (char *)sym.name;
}

int tep_start(struct kt_events *evs)
{
	if (evs->tep)
		return 0;
	tep_set_loglevel(TEP_LOG_NONE);
	evs->tep = tep_alloc();
	evs->seq = malloc(sizeof(*evs->seq));
	evs->scratch = malloc(SCRATCH_SIZE);
	if (!evs->tep || !evs->seq || !evs->scratch) {
		tep_stop(evs);
		return -ENOMEM;
	}
	trace_seq_init(evs->seq);
	tep_set_file_bigendian(evs->tep, evs->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(evs->tep, KT_HOST_BIG ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(evs->tep, evs->long_size);
	if (evs->symbols)
		tep_set_function_resolver(evs->tep, resolve, evs);
	plugins_load(evs);
	return 0;
}

void tep_stop(struct kt_events *evs)
{
	plugins_unload(evs);
	if (evs->seq)
		trace_seq_destroy(evs->seq);
	free(evs->seq);
	free(evs->scratch);
	tep_free(evs->tep);
	evs->tep = NULL;
	evs->seq = NULL;
	evs->scratch = NULL;
}

/*
 * The library knows each format by a number that we choose in place of its id, and finds the
 * event of a record by it. With the real ids, of two formats with one id it might use either,
 * although only one was checked for safety. Also, the library inserts a new format
 * by a linear search among lower ids: falling numbers go to the front at once.
 */
static void add_head(struct kt_events *evs, const struct event_slot *slot, struct str *text)
{
	str_add(text, "name: ");
	str_addn(text, slot->name, slot->name_len);
	str_addf(text, "\nID: %u\n", NR_NUMBERS - ++evs->nr_parsed);
}

/*
 * The lines of the fields, without the count of a probe's strings, "char[][2]", which the
 * library does not support.
 */
static void add_fields(struct str *text, const char *p, size_t size)
{
	const char *end = p + size, *more;

	while ((more = memmem(p, end - p, "[][", 3))) {
		str_addn(text, p, more + 2 - p);
		p = memchr(more + 3, ']', end - more - 3);
		p = p ? p + 1 : end;
	}
	str_addn(text, p, end - p);
}

static bool begins_with(const char *p, size_t len, const char *prefix)
{
	size_t n = strlen(prefix);

	return len >= n && memcmp(p, prefix, n) == 0;
}

/* Does it call a function other than the kernel's own helpers? A plugin may have it. */
static bool calls_function(struct kt_blob text)
{
	const char *p = text.data, *end = p + text.size, *name;
	size_t len;

	while (p < end) {
		for (name = p; p < end && (isalnum((unsigned char)*p) || *p == '_'); p++)
			;
		len = p - name;
		if (len && p < end && *p == '(' && !begins_with(name, len, "__") &&
		    !(len == 6 && begins_with(name, len, "sizeof")))
			return true;
		if (!len)
			p++;
	}
	return false;
}

/* The print format, or "" if the library must not parse it: then only its fields are known. */
static void parse_text(struct kt_events *evs, const struct event_slot *slot, size_t at,
		       struct tep_event **event, const char **wrong)
{
	struct kt_blob text = slot->source.format;
	struct kt_blob fields = { text.data, at }, print_fmt = { text.data + at, text.size - at };
	struct str safe = STR_INIT;
	size_t len;

	str_room(&safe, text.size + 64);
	add_head(evs, slot, &safe);
	add_fields(&safe, text.data + slot->end_of_id, at - slot->end_of_id);
	len = safe.len;
	if (!evs->opts.exact && !calls_function(print_fmt)) {
		*wrong = "a call of an unknown function";	/* unless a plugin has it */
		str_add(&safe, "\"\"\n");
		goto parse;
	}
	*wrong = grammar_check(fields, print_fmt, plugins_any_own(evs));
	if (!*wrong && !sizeof_replace(&safe, print_fmt.data, print_fmt.size, evs->long_size))
		*wrong = "the size of an unknown type";
	if (!*wrong && evs->opts.exact && safe.len != len + print_fmt.size)
		*wrong = "a sizeof, which libtraceevent cannot parse";
	if (*wrong) {
		safe.len = len;
		str_add(&safe, "\"\"\n");
	}
parse:
	if (!safe.failed)
		tep_parse_format(evs->tep, event, safe.buf, safe.len, slot->source.system);
	str_fini(&safe);
}

struct tep_event *tep_parse(struct kt_events *evs, const struct event_slot *slot,
			    const char **wrong)
{
	struct tep_event *event = NULL;
	size_t print_fmt;

	if (evs->nr_parsed == NR_NUMBERS || format_check(slot->source.format, &print_fmt, NULL) < 0)
		return NULL;
	parse_text(evs, slot, print_fmt, &event, wrong);
	if (!event || !event->name || !event->system)
		return NULL;
	if (!*wrong && (event->flags & TEP_EVENT_FL_FAILED))
		*wrong = "libtraceevent cannot parse it";
	return event;
}

/* Does the record have dynamic fields that point outside of it? */
static bool points_outside(const struct event *ev, const struct kt_record *rec)
{
	struct kt_blob bytes;
	size_t i;

	for (i = 0; i < ev->pub.nr_fields; i++)
		if ((ev->pub.fields[i].flags & KT_FIELD_DYNAMIC) &&
		    kt_field_bytes(&ev->pub, &ev->pub.fields[i], rec, &bytes) < 0)
			return true;
	return false;
}

/* The library reads common_type where the first format has it. False: this one has it elsewhere. */
static bool is_found(struct kt_events *evs, const struct event *ev, struct tep_record *copy)
{
	uint16_t number = ev->tep->id;

	if (evs->swap)
		number = __builtin_bswap16(number);
	memcpy(evs->scratch, &number, sizeof(number));
	return tep_data_type(evs->tep, copy) == ev->tep->id;
}

static bool print_locked(struct kt_events *evs, const struct event *ev,
			 const struct kt_record *rec, struct kt_out *out)
{
	struct tep_record copy = {
		.ts = rec->ts,
		.size = rec->size,
		.record_size = rec->size,
		.data = evs->scratch,
	};

	evs->printing = events_symbols(evs, rec);
	memcpy(evs->scratch, rec->data, rec->size);
	memset(evs->scratch + rec->size, 0, SCRATCH_PAD);
	if (!is_found(evs, ev, &copy))
		return false;
	trace_seq_reset(evs->seq);
	tep_print_event(evs->tep, evs->seq, &copy, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(evs->seq);
	if (evs->seq->state == TRACE_SEQ__GOOD)
		str_addn(&out->text, evs->seq->buffer, evs->seq->len);
	return true;
}

static void print(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
		  int flag, struct kt_out *out)
{
	bool done;

	if (rec->size > 65536 || rec->size < ev->min_size || points_outside(ev, rec) ||
	    !tep_lengths_ok(&ev->lengths, rec, evs->swap)) {
		failed_text(evs, ev, rec, out);
		return;
	}
	pthread_mutex_lock(&evs->lock);
	ev->tep->flags |= flag;
	done = print_locked(evs, ev, rec, out);
	ev->tep->flags &= ~flag;
	pthread_mutex_unlock(&evs->lock);
	if (!done)
		failed_text(evs, ev, rec, out);
}

void tep_text(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
	      struct kt_out *out)
{
	print(evs, ev, rec, 0, out);
}

void tep_plain(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
	       struct kt_out *out)
{
	print(evs, ev, rec, TEP_EVENT_FL_NOHANDLE, out);
}
