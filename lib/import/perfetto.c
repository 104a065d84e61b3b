/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfetto.c - the packets of a Perfetto trace */
#include "import/perfetto.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "codec/codec.h"
#include "export/perfetto_numbers.h"

#define PACKET_MAX (256u << 20)		/* bytes, also decompressed */

/* ---- bundles of events ---- */

/* "" for the usual clock, boot: programs would show its times without a unit. */
static void note_clock(struct perfetto *p, uint64_t clock)
{
	static const char *const clocks[] = { NULL, NULL, "global", "local", "mono_raw" };

	if (clock < sizeof(clocks) / sizeof(*clocks) && clocks[clock])
		p->im->clock = clocks[clock];
}

static int put_bundle(struct perfetto *p, struct wire w, struct kt_err *err)
{
	struct wire head = w;
	uint64_t cpu = 0;
	bool lost = false;
	int ret = 0;

	while (wire_next(&head)) {
		cpu = head.number == BUNDLE_CPU ? head.value : cpu;
		lost |= head.number == BUNDLE_LOST && head.value;
		if (head.number == BUNDLE_CLOCK)
			note_clock(p, head.value);
	}
	p->nr_damaged += head.failed || cpu >= SPOOL_CPUS;
	if (cpu >= SPOOL_CPUS)
		return 0;
	if (lost)
		ret = spool_lost(p->im->spool, (unsigned int)cpu, PAGE_LOST_UNKNOWN, err);
	while (ret == 0 && wire_next(&w)) {
		if (w.number == BUNDLE_EVENT)
			ret = perfetto_put_event(p, (unsigned int)cpu, wire_inside(&w), err);
		else if (w.number == BUNDLE_SCHED)
			ret = perfetto_put_sched(p, (unsigned int)cpu, wire_inside(&w), err);
	}
	return ret;
}

/* ---- names ---- */

/* Threads have names; for a process without one, the last part of its command's path counts */
static int put_task(struct perfetto *p, struct wire w, bool is_process, struct kt_err *err)
{
	uint32_t name = is_process ? PROCESS_CMDLINE : THREAD_NAME;
	const uint8_t *text = NULL, *slash;
	size_t len = 0;
	int32_t pid = 0;

	while (wire_next(&w)) {
		if (w.number == (is_process ? PROCESS_PID : THREAD_TID))
			pid = (int32_t)w.value;
		if (w.number == name && w.type == WIRE_LENGTH && !text) {
			text = w.data;
			len = w.size;
		}
	}
	if (!text || (is_process && keymap_get(&p->im->by_pid, (uint32_t)pid) != KEYMAP_NONE))
		return 0;
	slash = is_process && len && *text == '/' ? memrchr(text, '/', len) : NULL;
	if (slash) {
		len -= (size_t)(slash + 1 - text);
		text = slash + 1;
	}
	return import_task(p->im, pid, (const char *)text, len, err);
}

static int put_tree(struct perfetto *p, struct wire w, struct kt_err *err)
{
	int ret = 0;

	while (ret == 0 && wire_next(&w))
		if (w.number == TREE_PROCESS || w.number == TREE_THREAD)
			ret = put_task(p, wire_inside(&w), w.number == TREE_PROCESS, err);
	return ret;
}

static int put_symbol(struct perfetto *p, struct wire w, struct kt_err *err)
{
	struct kt_blob name = { NULL, 0 };
	uint64_t number = 0;

	while (wire_next(&w)) {
		if (w.number == STRING_ID)
			number = w.value;
		else if (w.number == STRING_TEXT && w.type == WIRE_LENGTH)
			name = (struct kt_blob){ (const char *)w.data, w.size };
	}
	if (!number || !name.size || memchr(name.data, '\n', name.size) ||
	    memchr(name.data, '\0', name.size))
		return 0;
	return addresses_told(&p->im->addresses, perfetto_symbol(number), name.data,
			      name.size) < 0 ? kt_err_no_memory(err) : 0;
}

static int put_interned(struct perfetto *p, struct wire w, struct kt_err *err)
{
	int ret = 0;

	while (ret == 0 && wire_next(&w))
		if (w.number == INTERNED_KERNEL_SYMBOL)
			ret = put_symbol(p, wire_inside(&w), err);
	return ret;
}

/* As `uname -a` prints it: the machine at its end selects the names of system calls. */
static int put_system(struct perfetto *p, struct wire w, struct kt_err *err)
{
	struct kt_blob release = { "", 0 }, machine = { "", 0 };
	struct str s = STR_INIT;

	while (wire_next(&w)) {
		if (w.number != SYSTEM_UTSNAME)
			continue;
		for (struct wire u = wire_inside(&w); wire_next(&u); ) {
			if (u.number == UTSNAME_RELEASE && u.data)
				release = (struct kt_blob){ (const char *)u.data, u.size };
			else if (u.number == UTSNAME_MACHINE && u.data)
				machine = (struct kt_blob){ (const char *)u.data, u.size };
		}
	}
	if (!machine.size || release.size > 256 || machine.size > 64 || p->im->uname)
		return 0;
	str_addf(&s, "Linux (none) %.*s %.*s", (int)release.size, release.data,
		 (int)machine.size, machine.data);
	p->im->uname = str_take(&s);
	return p->im->uname ? 0 : kt_err_no_memory(err);
}

/* ---- packets ---- */

static int put_compressed(struct perfetto *p, const struct wire *w, struct kt_err *err);

static int put_packet(struct perfetto *p, struct wire w, bool nested, struct kt_err *err)
{
	bool used = false;
	int ret = 0;

	while (ret == 0 && wire_next(&w)) {
		used = true;
		if (w.type != WIRE_LENGTH)
			continue;
		switch (w.number) {
		case PACKET_BUNDLE:
			ret = put_bundle(p, wire_inside(&w), err);
			break;
		case PACKET_PROCESS_TREE:
			ret = put_tree(p, wire_inside(&w), err);
			break;
		case PACKET_INTERNED_DATA:
			ret = put_interned(p, wire_inside(&w), err);
			break;
		case PACKET_SYSTEM_INFO:
			ret = put_system(p, wire_inside(&w), err);
			break;
		case PACKET_COMPRESSED:
			ret = nested ? 0 : put_compressed(p, &w, err);
			break;
		default:
			p->nr_others++;
		}
	}
	p->nr_damaged += w.failed || !used;
	return ret;
}

/* Packets may be stored as one zlib frame, which is a trace in itself. */
static int put_compressed(struct perfetto *p, const struct wire *w, struct kt_err *err)
{
	struct codec_io io = { .src = w->data, .size = w->size };
	void *ctx = codec_zlib.decompressor();
	struct str all = STR_INIT;
	struct wire trace;
	int more = 1, ret = 0;

	if (!ctx)
		return kt_err_no_memory(err);
	codec_zlib.begin(ctx);
	while (more > 0 && all.len < PACKET_MAX) {
		io.room = IMPORT_BLOCK;
		io.dst = (uint8_t *)str_room(&all, IMPORT_BLOCK);
		if (!io.dst)
			break;
		more = codec_zlib.more(ctx, &io);
		if (more > 0 && io.room == IMPORT_BLOCK)
			break;		/* cut: nothing follows */
		all.len += IMPORT_BLOCK - io.room;
	}
	codec_zlib.decompressor_free(ctx);
	p->nr_damaged += more != 0;
	trace = wire_of(all.buf, all.len);
	ret = all.failed ? kt_err_no_memory(err) : 0;
	while (ret == 0 && wire_next(&trace))
		if (trace.number == TRACE_PACKET)
			ret = put_packet(p, wire_inside(&trace), true, err);
	str_fini(&all);
	return ret;
}

/* The next packet: 1, or 0 at the end of the file or where it is damaged. */
static int next_packet(struct perfetto *p, struct wire *packet, struct kt_err *err)
{
	struct import_input *in = &p->im->in;
	ssize_t n = import_fill(p->im, 20, err);
	struct wire w;
	uint64_t key, size;

	if (n <= 0)
		return (int)n;
	w = wire_of(in->text.buf + in->at, (size_t)n);
	if (!wire_varint(&w, &key) || key != (TRACE_PACKET << 3 | WIRE_LENGTH) ||
	    !wire_varint(&w, &size) || size > PACKET_MAX) {
		import_note(p->im, "the file is damaged at byte %llu: what comes after it is lost",
			    (unsigned long long)(in->offset + in->at));
		return 0;
	}
	in->at = (size_t)(w.at - (const uint8_t *)in->text.buf);
	n = import_fill(p->im, (size_t)size, err);
	if (n < 0)
		return (int)n;
	if ((uint64_t)n < size) {
		import_note(p->im, "the file is cut: its last packet is incomplete");
		size = (uint64_t)n;
	}
	*packet = wire_of(in->text.buf + in->at, (size_t)size);
	in->at += (size_t)size;
	return 1;
}

static void tell(const struct perfetto *p)
{
	if (p->nr_others)
		import_note(p->im, "packets without ftrace data, left out: %llu",
			    (unsigned long long)p->nr_others);
	if (p->nr_unnamed)
		import_note(p->im, "events without a known name, called ftrace_event_NUMBER: %llu",
			    (unsigned long long)p->nr_unnamed);
	if (p->nr_damaged)
		import_note(p->im, "damaged messages: %llu",
			    (unsigned long long)p->nr_damaged);
}

int import_perfetto(struct import *im, struct kt_err *err)
{
	struct perfetto p = { .im = im, .running = calloc(SPOOL_CPUS, sizeof(*p.running)) };
	struct wire packet;
	int ret = p.running ? 1 : kt_err_no_memory(err);

	while (ret > 0) {
		ret = next_packet(&p, &packet, err);
		if (ret > 0) {
			ret = put_packet(&p, packet, false, err);
			ret = ret < 0 ? ret : 1;
		}
	}
	if (ret == 0)
		tell(&p);
	free(p.running);
	free(p.messages);
	keymap_fini(&p.by_number);
	return ret;
}
