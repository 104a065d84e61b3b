/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* blk.c - print records of the blk tracer like the kernel's blktrace */
#include "builtin/builtin.h"

#include <inttypes.h>

enum { SECTOR, BYTES, ACTION, PID, DEVICE, ERROR, PDU_LEN, DATA };

/* The upper half of an action; Linux, include/uapi/linux/blktrace_api.h */
enum {
	TC_WRITE = 1 << 1, TC_FLUSH = 1 << 2, TC_SYNC = 1 << 3, TC_PC = 1 << 9, TC_NOTIFY = 1 << 10,
	TC_AHEAD = 1 << 11, TC_META = 1 << 12, TC_DISCARD = 1 << 13, TC_FUA = 1 << 15,
};
#define ACT_CGROUP  (1 << 8)		/* in the lower half: the data begins with a cgroup id */
#define ACT_MESSAGE 2			/* with TC_NOTIFY */
#define CGROUP_SIZE 8

enum shows { SHOWS_REQUEST, SHOWS_ERROR, SHOWS_TASK, SHOWS_UNPLUG, SHOWS_SPLIT, SHOWS_REMAP };

static const struct act {
	const char *name;
	enum shows shows;
} acts[] = {
	[1] = { "Q", SHOWS_REQUEST }, [2] = { "M", SHOWS_REQUEST }, [3] = { "F", SHOWS_REQUEST },
	[4] = { "G", SHOWS_REQUEST }, [5] = { "S", SHOWS_REQUEST }, [6] = { "R", SHOWS_ERROR },
	[7] = { "D", SHOWS_REQUEST }, [8] = { "C", SHOWS_ERROR }, [9] = { "P", SHOWS_TASK },
	[10] = { "U", SHOWS_UNPLUG }, [11] = { "UT", SHOWS_UNPLUG }, [12] = { "I", SHOWS_REQUEST },
	[13] = { "X", SHOWS_SPLIT }, [14] = { "B", SHOWS_REQUEST }, [15] = { "A", SHOWS_REMAP },
};

struct blk {
	uint64_t sector, device;
	uint32_t bytes, act, category;
	int16_t  error;
	const char *comm;
	const uint8_t *data;		/* data of the action, without the cgroup id */
	uint32_t size;
};

static void read_blk(const struct kt_events *evs, const struct event *ev,
		     const struct kt_record *rec, struct blk *b)
{
	const struct format_place *f = ((const struct builtin *)ev->priv)->f;
	uint32_t from = f[DATA].offset, cgroup, left;

	b->sector = builtin_get(evs, rec, f[SECTOR]);
	b->bytes = builtin_get(evs, rec, f[BYTES]);
	b->act = builtin_get(evs, rec, f[ACTION]) & 0xffff;
	b->category = builtin_get(evs, rec, f[ACTION]) >> 16;
	b->device = builtin_get(evs, rec, f[DEVICE]);
	b->error = builtin_get(evs, rec, f[ERROR]);
	b->comm = evs->comm ? evs->comm(evs->comm_data, builtin_get(evs, rec, f[PID])) : NULL;
	b->comm = b->comm ? b->comm : "<...>";
	b->size = builtin_get(evs, rec, f[PDU_LEN]);
	left = rec->size - from;
	if (b->size > left)
		b->size = left;
	cgroup = b->act & ACT_CGROUP ? CGROUP_SIZE : 0;
	if (cgroup > b->size)
		cgroup = b->size;
	b->data = rec->data + from + cgroup;
	b->size -= cgroup;
	b->act &= ~ACT_CGROUP;
}

static char operation_of(const struct blk *b)
{
	if (b->category & TC_DISCARD)
		return 'D';
	if (b->category & TC_WRITE)
		return 'W';
	return b->bytes ? 'R' : 'N';
}

/* The device and the operation: "  7,0    Q  RM " */
static void put_front(const struct blk *b, const char *act, struct str *s)
{
	char rwbs[8], *p = rwbs;

	if (b->act == ACT_MESSAGE && b->category & TC_NOTIFY) {
		*p++ = 'N';
	} else {
		if (b->category & TC_FLUSH)
			*p++ = 'F';
		*p++ = operation_of(b);
		if (b->category & TC_FUA)
			*p++ = 'F';
		if (b->category & TC_AHEAD)
			*p++ = 'A';
		if (b->category & TC_SYNC)
			*p++ = 'S';
		if (b->category & TC_META)
			*p++ = 'M';
	}
	*p = '\0';
	str_addf(s, "%3u,%-3u %2s %3s ", (unsigned int)(b->device >> 20),
		 (unsigned int)(b->device & 0xfffff), act, rwbs);
}

/* Bytes of a device command, without trailing zeros: "(a3 12 …) " */
static void put_command(const struct blk *b, struct str *s)
{
	uint32_t end = b->size, i;

	if (!b->size)
		return;
	while (end && !b->data[end - 1])
		end--;
	str_addc(s, '(');
	for (i = 0; i < b->size; i++) {
		str_addf(s, i ? " %02x" : "%02x", b->data[i]);
		if (i == end && end != b->size - 1) {
			str_add(s, " ..");
			break;
		}
	}
	str_add(s, ") ");
}

static void put_request(const struct blk *b, struct str *s)
{
	if (b->category & TC_PC)
		put_command(b, s);
	else if (b->bytes >> 9)
		str_addf(s, "%" PRIu64 " + %u ", b->sector, b->bytes >> 9);
	str_addf(s, "[%s]", b->comm);
}

static void put_error(const struct blk *b, struct str *s)
{
	if (b->category & TC_PC)
		put_command(b, s);
	else if (b->bytes >> 9)
		str_addf(s, "%" PRIu64 " + %u ", b->sector, b->bytes >> 9);
	else
		str_addf(s, "%" PRIu64 " ", b->sector);
	str_addf(s, "[%d]", b->error);
}

/* The numbers in the data of an action are big-endian on every machine. */
static uint64_t number(const struct blk *b, uint32_t offset, uint32_t size)
{
	uint64_t v = 0;
	uint32_t i;

	for (i = 0; i < size; i++)
		v = v << 8 | (offset + i < b->size ? b->data[offset + i] : 0);
	return v;
}

static void put_remap(const struct blk *b, struct str *s)
{
	uint32_t from = number(b, 0, 4);

	str_addf(s, "%" PRIu64 " + %u <- (%u,%u) %" PRIu64, b->sector, b->bytes >> 9, from >> 20,
		 from & 0xfffff, number(b, 8, 8));
}

static void put_act(const struct blk *b, enum shows shows, struct str *s)
{
	switch (shows) {
	case SHOWS_REQUEST:
		put_request(b, s);
		break;
	case SHOWS_ERROR:
		put_error(b, s);
		break;
	case SHOWS_TASK:
		str_addf(s, "[%s]", b->comm);
		break;
	case SHOWS_UNPLUG:
		str_addf(s, "[%s] %" PRIu64, b->comm, number(b, 0, 8));
		break;
	case SHOWS_SPLIT:
		str_addf(s, "%" PRIu64 " / %" PRIu64 " [%s]", b->sector, number(b, 0, 8), b->comm);
		break;
	case SHOWS_REMAP:
		put_remap(b, s);
	}
}

void builtin_blk(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
		 struct kt_out *out)
{
	struct blk b;

	read_blk(evs, ev, rec, &b);
	if (b.act == ACT_MESSAGE && b.category & TC_NOTIFY) {
		put_front(&b, "m", &out->text);
		str_addn(&out->text, (const char *)b.data, b.size);
	} else if (b.act >= sizeof(acts) / sizeof(acts[0]) || !acts[b.act].name) {
		str_addf(&out->text, "Unknown action %x", b.act);
	} else {
		put_front(&b, acts[b.act].name, &out->text);
		put_act(&b, acts[b.act].shows, &out->text);
	}
}
