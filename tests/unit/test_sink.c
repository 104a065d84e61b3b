/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sink.c - a recording writes to the given sink: here, one in memory */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <ktrail/tracefs.h>

#include "base/bytes.h"
#include "kt_test.h"
#include "rec/rec_priv.h"

#define PAGE 4096
#define CPUS 2

struct memory_cpu {
	struct sink_cpu head;
	struct str data;
	unsigned int chunks, syncs;
	uint64_t last_ts;
	pthread_t stores, counts;
	char counters[256];
};

struct memory {
	struct sink sink;
	struct memory_cpu cpus[CPUS];
	size_t nr_cpus;
	char texts[256];		/* what came, in order */
	size_t portion;			/* most that a chunk may hold; 0: all */
	int fail;			/* of append */
	bool fills;			/* append reaches the reserved room */
	bool closed, discarded;
};

static struct memory *memory_of(const struct sink *s)
{
	return (struct memory *)s;
}

static void note(struct sink *s, const char *what, unsigned int id)
{
	struct memory *m = memory_of(s);
	size_t len = strlen(m->texts);

	snprintf(m->texts + len, sizeof(m->texts) - len, "%s%u ", what, id);
}

static int add_buffer(struct sink *s, const struct sink_buffer *b, struct kt_err *err)
{
	(void)s, (void)err;
	assert_string_equal(b->name, "");
	assert_string_equal(b->clock, "local");
	assert_int_equal(b->page_size, PAGE);
	return 0;
}

static struct sink_cpu *add_cpu(struct sink *s, int buffer, int cpu, size_t room,
				struct kt_err *err)
{
	struct memory_cpu *c = &memory_of(s)->cpus[memory_of(s)->nr_cpus++];

	(void)room, (void)err;
	assert_int_equal(buffer, 0);
	c->head = (struct sink_cpu){ .sink = s, .cpu = cpu };
	c->data = (struct str)STR_INIT;
	return &c->head;
}

static size_t portion(struct sink_cpu *c, size_t raw)
{
	const struct memory *m = memory_of(c->sink);

	return m->portion && m->portion < raw ? m->portion : raw;
}

static int append(struct sink_cpu *cpu, const struct sink_chunk *chunk, struct kt_err *err)
{
	struct memory_cpu *c = (struct memory_cpu *)cpu;

	if (memory_of(cpu->sink)->fail)
		return kt_err_set(err, memory_of(cpu->sink)->fail, "the memory is full");
	assert_int_equal(chunk->size, chunk->raw);
	assert_null(chunk->summary);
	str_addn(&c->data, chunk->data, chunk->size);
	c->chunks++;
	c->last_ts = chunk->last_ts;
	c->stores = pthread_self();
	if (memory_of(cpu->sink)->fills)
		cpu->sink->full = true;
	return 0;
}

static int sync_cpu(struct sink_cpu *cpu, struct kt_err *err)
{
	(void)err;
	((struct memory_cpu *)cpu)->syncs++;
	return 0;
}

static int counters(struct sink_cpu *cpu, const char *text, size_t size)
{
	struct memory_cpu *c = (struct memory_cpu *)cpu;

	c->counts = pthread_self();
	snprintf(c->counters, sizeof(c->counters), "%.*s", (int)size, text);
	return 0;
}

static int meta(struct sink *s, uint16_t id, const void *data, size_t size, bool provisional,
		struct kt_err *err)
{
	(void)data, (void)size, (void)err;
	note(s, provisional ? "~" : "", id);
	return 0;
}

static int retract(struct sink *s, uint16_t id, struct kt_err *err)
{
	(void)err;
	note(s, "-", id);
	return 0;
}

static int option(struct sink *s, uint16_t id, const void *data, size_t size, struct kt_err *err)
{
	(void)data, (void)size, (void)err;
	note(s, "o", id);
	return 0;
}

static int flush(struct sink *s, struct kt_err *err)
{
	(void)err;
	note(s, "flush", 0);
	return 0;
}

static int finish(struct sink *s, struct kt_err *err)
{
	(void)err;
	note(s, "finish", 0);
	return 0;
}

static uint64_t size_of_texts(const struct sink *s)
{
	(void)s;
	return 0;
}

static void close_sink(struct sink *s, bool discard)
{
	memory_of(s)->closed = true;
	memory_of(s)->discarded = discard;
}

static const struct sink_ops memory_ops = {
	.buffer = add_buffer, .cpu = add_cpu, .portion = portion, .append = append,
	.sync = sync_cpu, .counters = counters, .meta = meta, .retract = retract,
	.option = option, .flush = flush, .finish = finish, .size = size_of_texts,
	.close = close_sink,
};

/* ---- a tracefs with two ring buffers ---- */

struct set {
	struct memory m;
	struct kt_instance *inst;
	struct kt_rec *rec;
	int fd[CPUS];			/* data written there is recorded */
	uint64_t ts[CPUS];
};

static void begin(struct set *s)
{
	const struct kt_rec_opts opts = { .wake_for_all = true, .no_splice = true,
					  .kallsyms = KT_REC_KALLSYMS_NONE };
	struct kt_err err = { 0 };
	char name[64], path[4096];
	int cpu;

	*s = (struct set){ .m.sink = { .ops = &memory_ops, .compression = "none" } };
	setenv("KTRAIL_JOURNAL_DIR", kt_tmp("journals"), 1);
	kt_tracefs_set_dir(kt_fake_tracefs());
	kt_fake_set("events/header_page",
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n");
	for (cpu = 0; cpu < CPUS; cpu++) {
		snprintf(name, sizeof(name), "per_cpu/cpu%d/trace_pipe_raw", cpu);
		snprintf(path, sizeof(path), "%s/%s", kt_tracefs_dir(NULL), name);
		assert_int_equal(mkfifo(path, 0600), 0);
		s->fd[cpu] = open(path, O_RDWR | O_NONBLOCK);
		assert_true(s->fd[cpu] >= 0);
	}
	s->inst = kt_instance_open("", 0, &err);
	CHECK_NO_ERR(&err);
	s->rec = rec_create(&s->m.sink, &opts, &err);
	CHECK_NO_ERR(&err);
	kt_rec_add(s->rec, s->inst, &err);
	CHECK_NO_ERR(&err);
	kt_rec_start(s->rec, &err);
	CHECK_NO_ERR(&err);
}

static void put_pages(struct set *s, int cpu, int nr)
{
	char page[PAGE] = { 0 };

	while (nr--) {
		store_u64(page, ++s->ts[cpu], false);
		store_u64(page + 8, PAGE - 16, false);
		page[16] = (char)cpu;
		assert_int_equal(write(s->fd[cpu], page, PAGE), PAGE);
	}
}

static void end(struct set *s)
{
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		close(s->fd[cpu]);
		str_fini(&s->m.cpus[cpu].data);
	}
	kt_instance_close(s->inst, NULL);
	kt_tracefs_set_dir(NULL);
}

static void check_data(const struct set *s, int cpu)
{
	const struct memory_cpu *c = &s->m.cpus[cpu];
	uint64_t i;

	assert_int_equal(c->data.len, s->ts[cpu] * PAGE);
	for (i = 0; i < s->ts[cpu]; i++) {
		assert_int_equal(load_u64(c->data.buf + i * PAGE, false), i + 1);
		assert_int_equal(c->data.buf[i * PAGE + 16], cpu);
	}
	assert_int_equal(c->last_ts, s->ts[cpu]);
}

TEST(data_and_texts_arrive_in_order)
{
	struct kt_err err = { 0 };
	struct set s;

	begin(&s);
	put_pages(&s, 0, 5);
	put_pages(&s, 1, 2);
	kt_rec_sync(s.rec, &err);
	CHECK_NO_ERR(&err);
	check_data(&s, 0);
	check_data(&s, 1);
	assert_int_equal(s.m.cpus[0].syncs, 1);
	put_pages(&s, 0, 3);
	kt_rec_finish(s.rec, &err);
	CHECK_NO_ERR(&err);
	check_data(&s, 0);
	/* clock, CPUs, version, machine; the texts; at the end names of tasks and counters */
	assert_string_equal(s.m.texts, "o4 o8 o9 o5 flush0 16 17 20 18 21 o2 o2 finish0 ");
	kt_rec_destroy(s.rec);
	assert_true(s.m.closed && !s.m.discarded);
	end(&s);
}

TEST(the_sink_says_how_much_a_chunk_holds)
{
	struct kt_err err = { 0 };
	struct set s;

	begin(&s);
	s.m.portion = PAGE;
	put_pages(&s, 0, 6);
	kt_rec_sync(s.rec, &err);
	check_data(&s, 0);
	assert_int_equal(s.m.cpus[0].chunks, 6);
	kt_rec_discard(s.rec);
	assert_true(s.m.closed && s.m.discarded);
	end(&s);
}

TEST(counters_come_from_a_thread_that_stores_no_data)
{
	const struct timespec moment = { .tv_nsec = 20000000 };
	struct kt_err err = { 0 };
	struct set s;
	int i;

	begin(&s);
	put_pages(&s, 1, 1);
	kt_rec_sync(s.rec, &err);
	for (i = 0; i < 500 && !*s.m.cpus[1].counters; i++)
		nanosleep(&moment, NULL);
	assert_non_null(strstr(s.m.cpus[1].counters, "CPU: 1\nentries: 4\noverrun: 1\n"));
	assert_false(pthread_equal(s.m.cpus[1].stores, s.m.cpus[1].counts));
	assert_string_equal(s.m.cpus[0].counters, "");	/* it recorded nothing */
	kt_rec_discard(s.rec);
	end(&s);
}

TEST(what_a_sink_refuses_ends_the_recording)
{
	struct kt_err err = { 0 };
	struct set s;

	begin(&s);
	s.m.fail = -ENOSPC;
	put_pages(&s, 0, 1);
	assert_int_equal(kt_rec_stop(s.rec, &err), -ENOSPC);
	assert_string_equal(err.msg, "the memory is full");
	kt_rec_destroy(s.rec);
	end(&s);
}

TEST(a_full_sink_stores_the_data_that_were_read_and_the_rest_stays)
{
	struct kt_rec_stats stats;
	struct kt_err err = { 0 };
	struct set s;

	begin(&s);
	s.m.fills = true;
	put_pages(&s, 0, 5);
	assert_true(kt_rec_sync(s.rec, NULL) < 0);
	check_data(&s, 0);
	put_pages(&s, 0, 3);
	assert_int_equal(kt_rec_stop(s.rec, &err), -ENOSPC);
	assert_string_equal(err.msg, "there is no space for more data");
	assert_int_equal(kt_rec_stats(s.rec, &stats, NULL), 0);
	assert_int_equal(stats.raw_bytes, 5 * PAGE);
	assert_int_equal(stats.stored_raw_bytes, 5 * PAGE);
	kt_rec_destroy(s.rec);
	end(&s);
}

int main(void)
{
	return RUN(unit(data_and_texts_arrive_in_order),
		   unit(the_sink_says_how_much_a_chunk_holds),
		   unit(counters_come_from_a_thread_that_stores_no_data),
		   unit(what_a_sink_refuses_ends_the_recording),
		   unit(a_full_sink_stores_the_data_that_were_read_and_the_rest_stays));
}
