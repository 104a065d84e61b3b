/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reader.c - random access to records and rows, compared with the stream */
#include <ktrail/reader.h>
#include <ktrail/writer.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kt_oracle.h"
#include "kt_reading.h"
#include "kt_test.h"

static size_t pick(const struct oracle *o)
{
	static uint32_t seed = 12345;

	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % o->nr;
}

/* Go back from row @i while the row before has the same time or a later one */
static size_t first_of_time(const struct oracle *o, size_t i)
{
	while (i && o->recs[i - 1].ts >= o->recs[i].ts)
		i--;
	return i;
}

static void jump(const struct oracle *o, struct kt_reader *r, size_t i)
{
	struct kt_spot spot, other;
	struct kt_record rec;

	assert_int_equal(kt_reader_find(r, o->recs[i].source, o->recs[i].pos, NULL), 1);
	kt_reader_tell(r, &spot);
	oracle_walk(o, r, i, 3);
	assert_int_equal(kt_reader_seek(r, o->recs[i].ts, NULL), 0);
	oracle_walk(o, r, first_of_time(o, i), 3);
	assert_int_equal(kt_reader_go(r, &spot, NULL), 0);
	assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
	oracle_check(o, i, &rec);
	kt_reader_tell(r, &other);
	assert_int_equal(kt_reader_seek(r, UINT64_MAX, NULL), 0);
	oracle_walk(o, r, o->nr, 2);
	assert_int_equal(kt_reader_go(r, &other, NULL), 0);
	oracle_walk(o, r, i + 1, 2);
}

static void move_everywhere(const struct oracle *o, struct kt_index *ix)
{
	struct kt_reader *r = kt_reader_create(o->trace, ix, NULL);
	int k;

	oracle_walk(o, r, 0, o->nr);
	for (k = 0; k < 200 && o->nr; k++)
		jump(o, r, pick(o));
	kt_reader_destroy(r);
}

/* Record, row and spot lead to each other. Leaves @r before the record */
static void go_to_row(const struct oracle *o, struct kt_reader *r, size_t source, size_t i,
		      uint64_t row)
{
	struct kt_spot spot;
	uint64_t found;

	assert_int_equal(kt_index_row_of(o->index, source, &o->recs[i], &found, NULL), 0);
	assert_int_equal(found, row);
	assert_int_equal(kt_index_spot(o->index, source, row, &spot, NULL), 0);
	assert_int_equal(kt_index_row_at(o->index, source, &spot, &found, NULL), 0);
	assert_int_equal(found, row);
	assert_int_equal(kt_reader_go(r, &spot, NULL), 0);
}

/* Move by rows and back: where time goes back, a time does not identify a row. */
static void move_back_and_forth(const struct oracle *o)
{
	struct kt_reader *r = kt_reader_create(o->trace, o->index, NULL);
	size_t i;

	oracle_walk(o, r, 0, o->nr);
	for (i = 0; i < o->nr; i += 7) {
		assert_int_equal(kt_reader_find(r, o->recs[i].source, o->recs[i].pos, NULL), 1);
		oracle_walk(o, r, i, 3);
		go_to_row(o, r, KT_ALL_SOURCES, i, i);
		oracle_walk(o, r, i, 3);
	}
	kt_reader_destroy(r);
}

static void check_rows(const struct oracle *o)
{
	struct kt_reader *r = kt_reader_create(o->trace, o->index, NULL);
	struct kt_record rec;
	struct kt_spot spot;
	uint64_t row;
	size_t i;
	int k;

	assert_int_equal(kt_index_nr(o->index, KT_ALL_SOURCES, &row, NULL), 0);
	assert_int_equal(row, o->nr);
	for (k = 0; k < 300 && o->nr; k++) {
		i = pick(o);
		assert_int_equal(kt_index_row_of_time(o->index, KT_ALL_SOURCES, o->recs[i].ts, &row,
						      NULL), 0);
		assert_int_equal(row, first_of_time(o, i));
		go_to_row(o, r, KT_ALL_SOURCES, i, i);
		assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
		oracle_check(o, i, &rec);
		kt_reader_tell(r, &spot);
		assert_int_equal(kt_index_row_at(o->index, KT_ALL_SOURCES, &spot, &row, NULL), 0);
		assert_int_equal(row, i + 1);
		assert_int_equal(kt_reader_row(r, &row, NULL), 0);
		assert_int_equal(row, i + 1);
	}
	assert_int_equal(kt_reader_seek_row(r, o->nr, NULL), 0);
	assert_int_equal(kt_reader_next(r, &rec, NULL), 0);
	kt_reader_destroy(r);
}

/* The rows of one source alone */
static void check_source(const struct oracle *o, size_t source)
{
	struct kt_reader *r = kt_reader_create(o->trace, o->index, NULL);
	uint64_t nr = 0, total;
	struct kt_record rec;
	size_t i;

	for (i = 0; i < kt_stream_nr_sources(kt_trace_stream(o->trace)); i++)
		kt_reader_use_source(r, i, i == source);
	for (i = 0; i < o->nr; i++) {
		if (o->recs[i].source != source)
			continue;
		if (nr++ % 97)
			continue;
		go_to_row(o, r, source, i, nr - 1);
		assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
		oracle_check(o, i, &rec);
		assert_int_equal(kt_reader_seek_row(r, nr - 1, NULL), 0);
		assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
		oracle_check(o, i, &rec);
	}
	assert_int_equal(kt_index_nr(o->index, source, &total, NULL), 0);
	assert_int_equal(total, nr);
	kt_reader_destroy(r);
}

/* The parts of a density count every record */
static void check_density(const struct oracle *o)
{
	uint64_t counts[100], sum = 0;
	bool lost[100];
	size_t i;

	assert_int_equal(kt_index_density(o->index, KT_ALL_SOURCES, 0, UINT64_MAX, 1, counts, lost,
					  NULL), 0);
	assert_int_equal(counts[0], o->nr);
	if (!o->nr)
		return;
	assert_int_equal(kt_index_density(o->index, KT_ALL_SOURCES, o->recs[0].ts,
					  o->recs[o->nr - 1].ts, 100, counts, lost, NULL), 0);
	for (i = 0; i < 100; i++)
		sum += counts[i];
	assert_int_equal(sum, o->nr);
}

static void check_all(struct oracle *o)
{
	size_t i;

	move_everywhere(o, NULL);
	move_everywhere(o, o->index);
	oracle_get_ready(o);
	move_everywhere(o, o->index);
	check_rows(o);
	for (i = 0; i < kt_stream_nr_sources(kt_trace_stream(o->trace)); i++)
		check_source(o, i);
	check_density(o);
}

TEST(every_sample_reads_alike_forward_backward_and_at_random)
{
	struct dirent *e;
	struct oracle o;
	char path[512];
	int nr = 0;
	DIR *dir = opendir("tests/data");

	assert_non_null(dir);
	while ((e = readdir(dir))) {
		size_t len = strlen(e->d_name);

		if (len < 4 || strcmp(e->d_name + len - 4, ".dat") != 0)
			continue;
		snprintf(path, sizeof(path), "tests/data/%s", e->d_name);
		print_message("%s\n", path);
		o = oracle_open(path);
		check_all(&o);
		oracle_close(&o);
		nr++;
	}
	closedir(dir);
	assert_true(nr > 20);
}

/* ---- generated files ---- */

static const char *const methods[] = { "none", "zstd", "zlib" };

static struct kt_dat *begin_dat(const char *method)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7, .page_size = 1024,
								.compression = method,
								.chunk_pages = 3 });

	kt_dat_buffer(d, "", "local", 0);
	return d;
}

TEST(records_of_the_same_time_keep_their_order)
{
	struct oracle o;
	struct kt_dat *d;
	size_t m;
	int cpu, i;

	for (m = 0; m < 3; m++) {
		d = begin_dat(methods[m]);
		for (cpu = 0; cpu < 5; cpu++) {
			kt_dat_cpu(d, cpu);
			for (i = 0; i < 900; i++)
				kt_dat_add(d, 1, 1000 + (uint64_t)(i / 300) * 50);
		}
		o = oracle_of(d);
		assert_int_equal(o.nr, 4500);
		check_all(&o);
		oracle_close(&o);
	}
}

/* A sub-buffer begins before the previous one ends. */
TEST(an_index_knows_the_order_where_time_goes_back)
{
	struct oracle o;
	struct kt_dat *d;
	size_t m, i;
	int cpu, page, k;

	for (m = 0; m < 3; m++) {
		d = begin_dat(methods[m]);
		for (cpu = 0; cpu < 3; cpu++) {
			kt_dat_cpu(d, cpu);
			for (page = 0; page < 40; page++) {
				int from = 1000 + page * 100 - page % 7 * 130;

				kt_dat_new_page(d, (uint64_t)from);
				for (k = 0; k < 1 + page % 5 * 15; k++)
					kt_dat_add(d, 1, (uint64_t)(from + k * 3));
			}
		}
		o = oracle_of(d);
		assert_false(kt_index_goes_back(o.index, 0));	/* not known yet */
		oracle_get_ready(&o);
		assert_true(kt_index_goes_back(o.index, 0));
		assert_false(kt_index_goes_back(o.index, 3));
		move_back_and_forth(&o);
		for (i = 0; i < 3; i++)
			check_source(&o, i);
		oracle_close(&o);
	}
}

TEST(hundreds_of_cpus_and_empty_ones)
{
	struct kt_dat *d = begin_dat("zstd");
	struct oracle o;
	int cpu, i;

	for (cpu = 0; cpu < 300; cpu++) {
		kt_dat_cpu(d, cpu);
		for (i = 0; i < cpu % 4 * 40; i++)
			kt_dat_add(d, 1, 1000 + (uint64_t)i * (unsigned int)(7 + cpu % 13));
	}
	o = oracle_of(d);
	move_everywhere(&o, NULL);
	oracle_get_ready(&o);
	check_rows(&o);
	check_density(&o);
	oracle_close(&o);
}

TEST(an_empty_trace_has_no_rows)
{
	struct kt_dat *d = begin_dat("none");
	struct oracle o;
	uint64_t row = 1;
	struct kt_spot spot;

	kt_dat_cpu(d, 0);
	o = oracle_of(d);
	assert_int_equal(o.nr, 0);
	assert_int_equal(kt_index_nr(o.index, KT_ALL_SOURCES, &row, NULL), -EAGAIN);
	assert_int_equal(kt_index_spot(o.index, KT_ALL_SOURCES, 0, &spot, NULL), -EAGAIN);
	assert_int_equal(kt_index_row_of_time(o.index, 0, 0, &row, NULL), -EAGAIN);
	assert_int_equal(kt_index_row_at(o.index, 0, &(struct kt_spot){ 0 }, &row, NULL), -EAGAIN);
	check_all(&o);
	assert_int_equal(kt_index_row_of_time(o.index, KT_ALL_SOURCES, UINT64_MAX, &row, NULL), 0);
	assert_int_equal(row, 0);
	assert_int_equal(kt_index_percent(o.index, KT_ALL_SOURCES, 50, &spot, NULL), 0);
	oracle_close(&o);
}

/* A chunk in the middle cannot be decompressed: as in the stream, it counts as empty. */
TEST(damaged_chunks_are_passed_over_in_both_directions)
{
	struct kt_dat *d = begin_dat("zstd");
	struct kt_index_progress p;
	const char *path;
	struct oracle o;
	size_t size, at;
	char *bytes;
	int cpu, i, hits = 0;

	for (cpu = 0; cpu < 2; cpu++) {
		kt_dat_cpu(d, cpu);
		for (i = 0; i < 4000; i++)
			kt_dat_add(d, 1, 1000 + (uint64_t)i * 10);
	}
	path = kt_dat_write(d, "damaged.dat");
	kt_dat_destroy(d);
	bytes = kt_slurp(path, &size);
	/* After the magic of each seventh frame */
	for (at = 0; at + 16 < size; at++)
		if (memcmp(bytes + at, "\x28\xb5\x2f\xfd", 4) == 0 && hits++ % 7 == 3)
			memset(bytes + at + 6, 0xff, 4);
	assert_true(hits > 20);
	kt_spill(kt_tmp("damaged2.dat"), bytes, (long)size);
	free(bytes);
	o = oracle_open(kt_tmp("damaged2.dat"));
	assert_true(o.nr > 3000 && o.nr < 8000);
	check_all(&o);
	assert_true(kt_file_nr_damages(kt_trace_file(o.trace, 0)) > 0);
	kt_index_progress(o.index, &p);
	assert_true(p.nr_damaged > 2 && p.nr_damaged <= (unsigned int)hits / 7 + 1);
	oracle_close(&o);
}

TEST(two_files_are_one_trace)
{
	struct kt_stream_opts opts = { .forget_lost = true, .ts_offset = 12345 };
	struct kt_trace *t = oracle_trace("tests/data/6.12-events.dat");
	struct oracle o;

	assert_int_equal(kt_trace_add(t, "tests/data/6.12-events.dat", &opts, NULL), 0);
	o = oracle_take(t);
	check_all(&o);
	oracle_close(&o);
}

/* ---- choices ---- */

static bool is_of_two(void *data, const struct kt_record *rec)
{
	++*(unsigned int *)data;
	return rec->type == 2;
}

/* Records of event 1, every 50th of event 2, every 1000th of event 3 and task 7 */
static struct oracle choice_oracle(const char *method)
{
	struct kt_dat *d = begin_dat(method);
	int cpu, i;

	for (cpu = 0; cpu < 3; cpu++) {
		kt_dat_cpu(d, cpu);
		for (i = 1; i < 5000; i++) {
			kt_dat_begin(d, i % 1000 == 0 ? 3 : i % 50 == 0 ? 2 : 1,
				     i % 1000 == 0 ? 7 : 1);
			kt_dat_end(d, (uint64_t)(i * 100 + cpu));
		}
	}
	return oracle_of(d);
}

/* The records of events with a bit in @types, from sources with a bit in @cpus */
static struct oracle part_of(const struct oracle *o, unsigned int types, unsigned int cpus)
{
	struct oracle part = { .trace = o->trace, .index = o->index };
	size_t i;

	part.recs = calloc(o->nr, sizeof(*part.recs));
	for (i = 0; i < o->nr; i++)
		if (types >> o->recs[i].type & 1 && cpus >> o->recs[i].source & 1)
			part.recs[part.nr++] = o->recs[i];
	return part;
}

TEST(choices_change_while_the_reader_stands)
{
	uint64_t types[65536 / 64] = { 1 << 3 }, pids[65536 / 64] = { 0 };
	struct oracle o, two, three, cpu1;
	unsigned int asked = 0;
	struct kt_reader *r;
	size_t m, i;

	for (m = 0; m < 2; m++) {
		o = choice_oracle(methods[m]);
		two = part_of(&o, 1 << 2, 7);
		three = part_of(&o, 1 << 3, 7);
		cpu1 = part_of(&o, ~0u, 2);
		r = kt_reader_create(o.trace, NULL, NULL);
		for (i = 0; i < three.nr; i++) {
			size_t all =
				(size_t)(three.recs[i].ts / 100 - 1) * 3 + three.recs[i].source;

			assert_int_equal(kt_reader_want_types(r, 0, types), 0);
			oracle_walk(&three, r, i, 2);
			assert_int_equal(kt_reader_find(r, three.recs[i].source, three.recs[i].pos,
							NULL), 1);
			oracle_walk(&three, r, i, 1);
			assert_int_equal(kt_reader_find(r, three.recs[i].source, three.recs[i].pos,
							NULL), 1);
			assert_int_equal(kt_reader_want_types(r, 0, NULL), 0);
			oracle_walk(&o, r, all, 5);
			assert_int_equal(kt_reader_find(r, three.recs[i].source, three.recs[i].pos,
							NULL), 1);
			kt_reader_set_match(r, is_of_two, &asked);
			oracle_walk(&two, r,
				    (size_t)((three.recs[i].ts / 100 - 1) / 50 - i / 3) * 3, 3);
			kt_reader_set_match(r, NULL, NULL);
			assert_int_equal(kt_reader_seek(r, i + 1 < three.nr ?
							three.recs[i + 1].ts : 0, NULL), 0);
		}
		assert_true(asked > 1000);
		pids[0] = 1 << 7;
		assert_int_equal(kt_reader_want_pids(r, 0, types, pids), 0);
		assert_int_equal(kt_reader_want_types(r, 0, types), 0);
		assert_int_equal(kt_reader_seek(r, 0, NULL), 0);
		oracle_walk(&three, r, 0, 100);
		pids[0] = 1 << 6;
		assert_int_equal(kt_reader_want_pids(r, 0, types, pids), 0);
		oracle_walk(&(struct oracle){ 0 }, r, 0, 1);
		assert_int_equal(kt_reader_want_pids(r, 0, NULL, NULL), 0);
		assert_int_equal(kt_reader_want_types(r, 0, NULL), 0);
		kt_reader_use_source(r, 0, false);
		kt_reader_use_source(r, 2, false);
		assert_int_equal(kt_reader_seek(r, 0, NULL), 0);
		oracle_walk(&cpu1, r, 0, cpu1.nr);
		assert_int_equal(kt_reader_want_types(r, 1, NULL), -ENOENT);
		kt_reader_destroy(r);
		free(two.recs);
		free(three.recs);
		free(cpu1.recs);
		oracle_close(&o);
	}
}

static bool stop_now(void *data)
{
	return --*(int *)data < 0;
}

TEST(a_search_that_is_stopped_goes_on_where_it_was)
{
	uint64_t types[65536 / 64] = { 1 << 3 };
	struct oracle o = choice_oracle("zstd"), three = part_of(&o, 1 << 3, 7);
	struct kt_reader *r = kt_reader_create(o.trace, NULL, NULL);
	int budget = 0, stops = 0, ret, direction;
	struct kt_record rec;
	size_t i = 0;

	kt_reader_want_types(r, 0, types);
	kt_reader_set_stop(r, stop_now, &budget);
	for (direction = 1; direction >= 0; direction--) {
		do {
			budget = 2;
			ret = direction ?
			      kt_reader_next(r, &rec, NULL) : kt_reader_prev(r, &rec, NULL);
			stops += ret == -EINTR;
			if (ret == 1)
				oracle_check(&three, direction ? i++ : --i, &rec);
		} while (ret == 1 || ret == -EINTR);
		assert_int_equal(ret, 0);
		assert_int_equal(i, direction ? three.nr : 0);
	}
	assert_true(stops > 50);
	kt_reader_destroy(r);
	free(three.recs);
	oracle_close(&o);
}

TEST(an_index_that_was_stopped_goes_on)
{
	struct oracle o = choice_oracle("zstd");
	int i;

	for (i = 0; i < 5; i++) {
		assert_int_equal(kt_index_start(o.index, NULL), 0);
		kt_index_stop(o.index);
	}
	oracle_get_ready(&o);
	check_rows(&o);
	oracle_close(&o);
}

TEST(percent_is_about_right_at_once_and_exact_later)
{
	struct oracle o = choice_oracle("zstd");
	struct kt_reader *r = kt_reader_create(o.trace, o.index, NULL);
	struct kt_record rec;
	uint64_t row;
	int part;

	assert_int_equal(kt_reader_seek_row(r, 0, NULL), -EAGAIN);
	for (part = 10; part < 100; part += 10) {
		assert_int_equal(kt_reader_seek_percent(r, part, NULL), 0);
		assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
		assert_in_range(rec.ts, (part - 5) * 5000, (part + 5) * 5000);
	}
	oracle_get_ready(&o);
	assert_int_equal(kt_reader_seek_percent(r, 50, NULL), 0);
	assert_int_equal(kt_reader_row(r, &row, NULL), 0);
	assert_int_equal(row, o.nr / 2);
	kt_reader_destroy(r);
	oracle_close(&o);
}

/* With losses, times far apart and one chunk whose time goes back, only that chunk is read. */
TEST(the_index_of_a_file_that_we_wrote_is_enough)
{
	struct kt_writer_opts opts = { .compression = "zstd", .index = KT_INDEX_ALL,
				       .replace = true };
	int back, cpu, i;

	for (back = 0; back < 2; back++) {
		struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .compression = "zstd" });
		struct kt_index_progress p;
		struct kt_copy copy = { 0 };
		struct kt_err err = { 0 };
		struct oracle o;
		struct kt_file *in;

		kt_dat_buffer(d, "", "local", 0);
		for (cpu = 0; cpu < 2; cpu++) {
			kt_dat_cpu(d, cpu);
			for (i = 1; i < 70000; i++) {
				uint64_t time = (uint64_t)i * 100 + (i > 31500) * (1ull << 40);

				if (i % 5000 == 0)
					kt_dat_lost(d, i % 10000 ? 3 : -1);
				if (i % 7000 == 0)
					kt_dat_stamp(d, time - 50);
				if (back && (i == 35000 || i == 36700)) {
					kt_dat_new_page(d, time - 5000);
					kt_dat_add(d, 1, time - 5000);
				}
				kt_dat_add(d, 1, time);
			}
		}
		in = kt_dat_open(d);
		kt_copy_opts(in, &opts);
		kt_copy_file(in, kt_tmp("indexed.dat"), &opts, &copy, &err);
		CHECK_NO_ERR(&err);
		kt_file_close(in);
		o = oracle_open(kt_tmp("indexed.dat"));
		oracle_get_ready(&o);
		kt_index_progress(o.index, &p);
		assert_int_equal(p.origin, back ? KT_INDEX_OF_DATA : KT_INDEX_OF_FILE);
		if (back) {
			move_back_and_forth(&o);
		} else {
			check_rows(&o);
			check_density(&o);
			check_source(&o, 1);
		}
		oracle_close(&o);
	}
}

int main(void)
{
	return RUN(unit(every_sample_reads_alike_forward_backward_and_at_random),
		   unit(records_of_the_same_time_keep_their_order),
		   unit(an_index_knows_the_order_where_time_goes_back),
		   unit(hundreds_of_cpus_and_empty_ones),
		   unit(an_empty_trace_has_no_rows),
		   unit(damaged_chunks_are_passed_over_in_both_directions),
		   unit(two_files_are_one_trace),
		   unit(choices_change_while_the_reader_stands),
		   unit(a_search_that_is_stopped_goes_on_where_it_was),
		   unit(an_index_that_was_stopped_goes_on),
		   unit(percent_is_about_right_at_once_and_exact_later),
		   unit(the_index_of_a_file_that_we_wrote_is_enough));
}
