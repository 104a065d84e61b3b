/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* fields.c - read typed values from the bytes of a record */
#include "format/events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/ctype.h"

static uint32_t convert_flags(const struct tep_format_field *f)
{
	static const struct {
		unsigned long tep;
		uint32_t ours;
	} map[] = {
		{ TEP_FIELD_IS_SIGNED, KT_FIELD_SIGNED }, { TEP_FIELD_IS_ARRAY, KT_FIELD_ARRAY },
		{ TEP_FIELD_IS_DYNAMIC, KT_FIELD_DYNAMIC },
		{ TEP_FIELD_IS_RELATIVE, KT_FIELD_RELATIVE },
		{ TEP_FIELD_IS_STRING, KT_FIELD_STRING },
		{ TEP_FIELD_IS_POINTER, KT_FIELD_POINTER }, { TEP_FIELD_IS_LONG, KT_FIELD_LONG },
	};
	uint32_t flags = 0;
	size_t i;

	for (i = 0; i < sizeof(map) / sizeof(map[0]); i++)
		if (f->flags & map[i].tep)
			flags |= map[i].ours;
	return flags;
}

/* Element type of a field of type "__data_loc u64[]", "s16[]"; false: not known */
static bool element_type(const char *type, int long_size, struct ctype *to)
{
	const char *end = strchr(type, '[');

	if (strncmp(type, "__data_loc ", 11) == 0)
		type += 11;
	else if (strncmp(type, "__rel_loc ", 10) == 0)
		type += 10;
	return end && end > type && ctype_find(type, end - type, long_size, to);
}

/*
 * The library counts the elements of an array, but not those of probes and dynamic arrays, whose
 * number is not in the format. It also takes "u8 name[]" for a string.
 */
static void set_elements(struct kt_field *to, const struct tep_format_field *f,
			 const struct kt_events *evs)
{
	struct ctype type;

	if (evs->opts.exact || !(to->flags & KT_FIELD_ARRAY) || f->arraylen || !to->size ||
	    !element_type(f->type, evs->long_size, &type) || type.size == 0)
		return;
	to->elem_size = type.size;
	if (to->flags & KT_FIELD_DYNAMIC)
		return;
	to->nr_elems = to->size / type.size;
	if (!strstr(f->type, "char"))
		to->flags &= ~KT_FIELD_STRING;
}

static void convert(struct kt_field *to, const struct tep_format_field *f,
		    const struct kt_events *evs)
{
	bool array = f->flags & TEP_FIELD_IS_ARRAY;

	to->name = f->name;
	to->type = f->type;
	to->offset = f->offset;
	to->size = f->size;
	to->flags = convert_flags(f);
	to->elem_size = array && f->elementsize ? f->elementsize : (unsigned int)f->size;
	if (array && !(f->flags & TEP_FIELD_IS_DYNAMIC) && to->elem_size)
		to->nr_elems = to->size / to->elem_size;
	set_elements(to, f, evs);
}

/*
 * In a probe's array of strings, each string has a __data_loc: "__data_loc char[][2] name". The
 * library got this line without the number.
 */
static void find_strings(struct kt_field *f, struct kt_blob format)
{
	char decl[600];
	int len = snprintf(decl, sizeof(decl), "[][%u] %s;", f->size / 4, f->name);

	if ((f->flags & KT_FIELD_DYNAMIC) && (f->flags & KT_FIELD_STRING) && f->size >= 4 &&
	    memmem(format.data, format.size, decl, len))
		f->nr_elems = f->size / 4;
}

static size_t count(const struct tep_format_field *f)
{
	size_t nr = 0;

	for (; f; f = f->next)
		nr++;
	return nr;
}

static struct kt_field *convert_list(const struct event *ev, const struct tep_format_field *f,
				     size_t nr, uint32_t *min_size, struct kt_blob format)
{
	struct kt_field *fields = calloc(nr + 1, sizeof(*fields)), *to = fields;

	if (!fields)
		return NULL;
	for (; f; f = f->next, to++) {
		convert(to, f, ev->pub.events);
		find_strings(to, format);
		if (to->offset + to->size > *min_size)
			*min_size = to->offset + to->size;
	}
	return fields;
}

int fields_build(struct event *ev, struct kt_blob text)
{
	struct tep_format *format = &ev->tep->format;

	ev->pub.nr_common = count(format->common_fields);
	ev->pub.nr_fields = count(format->fields);
	ev->pub.common = convert_list(ev, format->common_fields, ev->pub.nr_common,
				      &ev->min_size, text);
	ev->pub.fields = convert_list(ev, format->fields, ev->pub.nr_fields, &ev->min_size,
				      text);
	return ev->pub.common && ev->pub.fields ? 0 : -ENOMEM;
}

void fields_free(struct event *ev)
{
	free((void *)ev->pub.common);
	free((void *)ev->pub.fields);
}

static const struct kt_field *find(const struct kt_field *fields, size_t nr, const char *name)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (strcmp(fields[i].name, name) == 0)
			return &fields[i];
	return NULL;
}

const struct kt_field *kt_event_field(const struct kt_event *ev, const char *name)
{
	const struct kt_field *f = find(ev->fields, ev->nr_fields, name);

	return f ? f : find(ev->common, ev->nr_common, name);
}

static bool in_record(const struct kt_record *rec, uint64_t offset, uint64_t size)
{
	return offset <= rec->size && size <= rec->size - offset;
}

static bool is_number(const struct kt_field *f)
{
	return !(f->flags & (KT_FIELD_ARRAY | KT_FIELD_DYNAMIC)) &&
	       (f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8);
}

static int64_t sign_extend(uint64_t value, uint32_t size)
{
	unsigned int shift = 64 - 8 * size;

	return (int64_t)(value << shift) >> shift;
}

int kt_field_u64(const struct kt_event *ev, const struct kt_field *f,
		 const struct kt_record *rec, uint64_t *value)
{
	if (!is_number(f))
		return -EINVAL;
	if (!in_record(rec, f->offset, f->size))
		return -ENODATA;
	*value = load_uint(rec->data + f->offset, f->size, ev->events->swap);
	return 0;
}

int kt_field_i64(const struct kt_event *ev, const struct kt_field *f,
		 const struct kt_record *rec, int64_t *value)
{
	uint64_t raw;
	int ret = kt_field_u64(ev, f, rec, &raw);

	if (ret == 0)
		*value = f->flags & KT_FIELD_SIGNED ? sign_extend(raw, f->size) : (int64_t)raw;
	return ret;
}

/* Where the bytes of a field are; the record stores the place of a dynamic field. */
int field_locate(const struct kt_event *ev, const struct kt_field *f,
		 const struct kt_record *rec, struct kt_blob *value)
{
	uint32_t offset = f->offset, size = f->size, loc;

	if (!in_record(rec, f->offset, f->size))
		return -ENODATA;
	if (f->flags & KT_FIELD_DYNAMIC) {
		if (f->size < 4)
			return -EINVAL;
		/* In synthetic events, the field has 8 bytes: the first half is the __data_loc. */
		loc = load_u32(rec->data + f->offset, ev->events->swap);
		offset = loc & 0xffff;
		size = loc >> 16;
		if (f->flags & KT_FIELD_RELATIVE)
			offset += f->offset + f->size;
		if (!in_record(rec, offset, size))
			return -ENODATA;
	} else if (!size) {
		size = rec->size - offset;	/* "buf[]": the rest of the record */
	}
	value->data = (const char *)rec->data + offset;
	value->size = size;
	return 0;
}

int kt_field_bytes(const struct kt_event *ev, const struct kt_field *f,
		   const struct kt_record *rec, struct kt_blob *value)
{
	int ret = field_locate(ev, f, rec, value);

	if (ret == 0 && (f->flags & KT_FIELD_STRING))
		value->size = strnlen(value->data, value->size);
	return ret;
}

int kt_field_elem(const struct kt_event *ev, const struct kt_field *f,
		  const struct kt_record *rec, size_t i, uint64_t *value)
{
	struct kt_blob bytes;
	int ret = field_locate(ev, f, rec, &bytes);

	if (ret < 0)
		return ret;
	if (f->elem_size != 1 && f->elem_size != 2 && f->elem_size != 4 && f->elem_size != 8)
		return -EINVAL;
	if (i >= bytes.size / f->elem_size)
		return -ERANGE;
	*value = load_uint(bytes.data + i * f->elem_size, f->elem_size, ev->events->swap);
	return 0;
}

static uint64_t common(const struct kt_events *evs, const struct kt_record *rec,
		       const struct format_place *place)
{
	if (!in_record(rec, place->offset, place->size))
		return 0;
	return load_uint(rec->data + place->offset, place->size, evs->swap);
}

int32_t kt_record_pid(const struct kt_events *evs, const struct kt_record *rec)
{
	return common(evs, rec, &evs->pid);
}

uint8_t kt_record_flags(const struct kt_events *evs, const struct kt_record *rec)
{
	return common(evs, rec, &evs->flags);
}
