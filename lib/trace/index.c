/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* index.c - rows of a trace: find the n-th record, and the row of a record */
#include "trace/index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clamp.h"
#include "base/home.h"
#include "stream/cursor.h"
#include "trace/reader.h"

#define CACHE_LEAST (16u << 20)	/* stored bytes: the index of a smaller trace takes a few 10 ms and
				 * is not cached */

static int failed(struct kt_err *err, int ret)
{
	if (ret == -ENOMEM)
		kt_err_no_memory(err);
	else if (ret == -EAGAIN)
		kt_err_set(err, ret, "the index is not ready yet");
	return ret;
}

/* ---- creation ---- */

/* New (free); NULL: no folder, or no memory */
static char *cache_folder(const char *wish)
{
	if (wish)
		return *wish ? strdup(wish) : NULL;
	return home_folder("XDG_CACHE_HOME", ".cache");
}

static unsigned int nr_threads(const struct kt_index_opts *opts)
{
	long nr = opts && opts->threads ? opts->threads : sysconf(_SC_NPROCESSORS_ONLN);

	return (unsigned int)clamp(nr, 1, INDEX_THREADS_MAX);
}

static void set_sources(struct kt_index *ix)
{
	size_t i;

	for (i = 0; i < ix->nr_sources; i++) {
		const struct kt_source *src = kt_stream_source(ix->stream, i);

		ix->sources[i].size =
			kt_file_buffer(src->file, src->buffer)->cpus[src->cpu_index].size;
	}
	ix->generation = *stream_generation(ix->stream);
}

struct kt_index *kt_index_create(struct kt_trace *t, const struct kt_index_opts *opts,
				 struct kt_err *err)
{
	struct kt_index *ix = calloc(1, sizeof(*ix));

	if (!ix) {
		failed(err, -ENOMEM);
		return NULL;
	}
	pthread_mutex_init(&ix->lock, NULL);
	pthread_mutex_init(&ix->query, NULL);
	pthread_cond_init(&ix->changed, NULL);
	ix->trace = t;
	ix->stream = kt_trace_stream(t);
	ix->nr_sources = kt_stream_nr_sources(ix->stream);
	ix->cache = cache_folder(opts ? opts->cache : NULL);
	ix->cache_least = opts && opts->cache_least ? opts->cache_least : CACHE_LEAST;
	ix->max_threads = nr_threads(opts);
	ix->sources = calloc(ix->nr_sources + 1, sizeof(*ix->sources));
	ix->reader = kt_reader_create(t, ix, err);
	if (!ix->sources || !ix->reader) {
		kt_index_destroy(ix);
		failed(err, -ENOMEM);
		return NULL;
	}
	set_sources(ix);
	return ix;
}

void kt_index_destroy(struct kt_index *ix)
{
	size_t i;

	if (!ix)
		return;
	kt_index_stop(ix);
	kt_reader_destroy(ix->reader);
	for (i = 0; ix->sources && i < ix->nr_sources; i++) {
		index_free_pieces(&ix->sources[i]);
		free(ix->sources[i].marks.at);
	}
	free(ix->sources);
	free(ix->cache);
	pthread_cond_destroy(&ix->changed);
	pthread_mutex_destroy(&ix->query);
	pthread_mutex_destroy(&ix->lock);
	free(ix);
}

/* ---- building ---- */

int kt_index_start(struct kt_index *ix, struct kt_err *err)
{
	int ret = 0;

	pthread_mutex_lock(&ix->lock);
	if (!ix->nr_threads && !ix->ready) {
		index_take_growth(ix);
		ix->error = 0;
		ret = index_start_threads(ix);
	}
	pthread_mutex_unlock(&ix->lock);
	return ret < 0 ? kt_err_set(err, ret, "cannot start a thread: %s", strerror(-ret)) : 0;
}

void kt_index_stop(struct kt_index *ix)
{
	unsigned int i;

	atomic_store(&ix->stop, true);
	for (i = 0; i < ix->nr_threads; i++)
		pthread_join(ix->threads[i], NULL);
	ix->nr_threads = 0;
	atomic_store(&ix->stop, false);
}

int kt_index_wait(struct kt_index *ix, struct kt_err *err)
{
	int ret = 0;

	pthread_mutex_lock(&ix->lock);
	while (ix->nr_running)
		pthread_cond_wait(&ix->changed, &ix->lock);
	if (!ix->ready)
		ret = ix->error ? ix->error : -EINTR;
	pthread_mutex_unlock(&ix->lock);
	return failed(err, ret);
}

void kt_index_progress(const struct kt_index *index, struct kt_index_progress *out)
{
	struct kt_index *ix = (struct kt_index *)index;
	size_t i, k;

	pthread_mutex_lock(&ix->lock);
	*out = (struct kt_index_progress){
		.ready = ix->ready, .error = ix->error, .done = ix->done,
		.nr_records = ix->nr_records, .nr_damaged = ix->nr_damaged, .origin = ix->origin,
		.memory = sizeof(*ix) + ix->nr_sources * sizeof(*ix->sources),
	};
	for (i = 0; i < ix->nr_sources; i++) {
		const struct index_source *s = &ix->sources[i];

		out->total += s->size;
		out->memory += s->marks.nr * sizeof(*s->marks.at) +
			       s->nr_pieces * sizeof(*s->pieces);
		for (k = 0; k < s->nr_pieces; k++)
			out->memory += s->pieces[k].nr_marks * sizeof(*s->pieces[k].marks);
	}
	pthread_mutex_unlock(&ix->lock);
	if (out->ready || out->done > out->total)
		out->done = out->total;
}

/* ---- queries ---- */

static bool is_in(const uint64_t *only, size_t source)
{
	return only[source / 64] >> source % 64 & 1;
}

/* The bitmap of one source, or of all; new (free), NULL: no memory */
static uint64_t *bits_of(const struct kt_index *ix, size_t source)
{
	uint64_t *bits = calloc(ix->nr_sources / 64 + 1, sizeof(*bits));

	if (!bits)
		return NULL;
	if (source < ix->nr_sources)
		bits[source / 64] |= 1ull << source % 64;
	else
		memset(bits, 0xff, (ix->nr_sources / 64 + 1) * sizeof(*bits));
	return bits;
}

uint64_t index_total(const struct kt_index *ix, const uint64_t *only)
{
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < ix->nr_sources; i++)
		total += is_in(only, i) ? ix->sources[i].marks.total : 0;
	return total;
}

/* Called with the query lock held */
static int rank_of(struct kt_index *ix, const uint64_t *only, const struct kt_spot *spot,
		   uint64_t *row)
{
	uint64_t rank;
	size_t i;
	int ret = 0;

	*row = 0;
	for (i = 0; i < ix->nr_sources && ret == 0; i++) {
		if (!is_in(only, i))
			continue;
		ret = reader_rank(ix->reader, i, spot, &rank);
		*row += rank;
	}
	return ret;
}

int index_rank(struct kt_index *ix, const uint64_t *only, const struct kt_spot *spot, uint64_t *row)
{
	int ret;

	pthread_mutex_lock(&ix->query);
	ret = rank_of(ix, only, spot, row);
	pthread_mutex_unlock(&ix->query);
	return ret;
}

/* An upper bound of the records before @ts, by marks alone */
static uint64_t at_most(const struct kt_index *ix, const uint64_t *only, uint64_t ts)
{
	const struct marks *m;
	uint64_t nr = 0;
	size_t i;

	for (i = 0; i < ix->nr_sources; i++) {
		m = &ix->sources[i].marks;
		if (is_in(only, i))
			nr += marks_until(m, marks_before(m, ts));
	}
	return nr;
}

/* The latest time with at most @row records before it, by the marks */
static uint64_t time_before(const struct kt_index *ix, const uint64_t *only, uint64_t row)
{
	uint64_t lo = 0, hi = UINT64_MAX, mid;

	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (at_most(ix, only, mid) <= row)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/*
 * The marks give a time shortly before the record. From there the records are counted, at most
 * a few stretches of each source. The index in the file also counts the rows of damaged chunks.
 * Such a row has no record: the next record is used.
 */
static int select_row(struct kt_index *ix, const uint64_t *only, uint64_t row, struct kt_spot *spot)
{
	struct kt_record rec;
	int ret;

	*spot = (struct kt_spot){ .ts = time_before(ix, only, row) };
	reader_use_only(ix->reader, only);
	ret = kt_reader_go(ix->reader, spot, NULL);
	while (ret >= 0 && reader_row(ix->reader) < row) {
		ret = kt_reader_next(ix->reader, &rec, NULL);
		if (ret <= 0 || reader_row(ix->reader) > row)
			break;
		kt_reader_tell(ix->reader, spot);
	}
	reader_use_only(ix->reader, NULL);
	return ret < 0 ? ret : 0;
}

int index_select(struct kt_index *ix, const uint64_t *only, uint64_t row, struct kt_spot *spot,
		 struct kt_err *err)
{
	int ret = 0;

	*spot = (struct kt_spot){ .ts = UINT64_MAX };
	if (row >= index_total(ix, only))
		return 0;
	pthread_mutex_lock(&ix->query);
	ret = select_row(ix, only, row, spot);
	pthread_mutex_unlock(&ix->query);
	return failed(err, ret);
}

/* ---- public functions ---- */

static int begin(struct kt_index *ix, size_t source, uint64_t **only)
{
	if (!atomic_load_explicit(&ix->ready, memory_order_acquire))
		return -EAGAIN;
	*only = bits_of(ix, source);
	return *only ? 0 : -ENOMEM;
}

int kt_index_nr(struct kt_index *ix, size_t source, uint64_t *nr, struct kt_err *err)
{
	uint64_t *only;
	int ret = begin(ix, source, &only);

	if (ret < 0)
		return failed(err, ret);
	*nr = index_total(ix, only);
	free(only);
	return 0;
}

int kt_index_row_at(struct kt_index *ix, size_t source, const struct kt_spot *spot, uint64_t *row,
		    struct kt_err *err)
{
	uint64_t *only;
	int ret = begin(ix, source, &only);

	if (ret < 0)
		return failed(err, ret);
	ret = index_rank(ix, only, spot, row);
	free(only);
	return failed(err, ret);
}

int kt_index_row_of_time(struct kt_index *ix, size_t source, uint64_t ts, uint64_t *row,
			 struct kt_err *err)
{
	return kt_index_row_at(ix, source, &(struct kt_spot){ .ts = ts }, row, err);
}

bool kt_index_goes_back(const struct kt_index *ix, size_t source)
{
	return atomic_load_explicit(&ix->ready, memory_order_acquire) &&
	       source < ix->nr_sources && ix->sources[source].marks.goes_back;
}

/* If the CPU's time goes backwards, use the latest time so far. */
static int spot_of(struct kt_index *ix, const struct kt_record *rec, struct kt_spot *spot)
{
	int ret = 1;

	*spot = (struct kt_spot){ rec->ts, rec->pos, rec->source };
	if (!ix->sources[rec->source].marks.goes_back)
		return 0;
	pthread_mutex_lock(&ix->query);
	ret = kt_reader_find(ix->reader, rec->source, rec->pos, NULL);
	if (ret > 0)
		kt_reader_tell(ix->reader, spot);
	pthread_mutex_unlock(&ix->query);
	return ret < 0 ? ret : 0;
}

int kt_index_row_of(struct kt_index *ix, size_t source, const struct kt_record *rec, uint64_t *row,
		    struct kt_err *err)
{
	struct kt_spot spot;
	int ret = -EAGAIN;

	if (atomic_load_explicit(&ix->ready, memory_order_acquire))
		ret = rec->source < ix->nr_sources ? spot_of(ix, rec, &spot) : -EINVAL;
	if (ret < 0)
		return failed(err, ret);
	return kt_index_row_at(ix, source, &spot, row, err);
}

int kt_index_spot(struct kt_index *ix, size_t source, uint64_t row, struct kt_spot *spot,
		  struct kt_err *err)
{
	uint64_t *only;
	int ret = begin(ix, source, &only);

	if (ret < 0)
		return failed(err, ret);
	ret = index_select(ix, only, row, spot, err);
	free(only);
	return ret;
}

int kt_index_percent(struct kt_index *ix, size_t source, double percent, struct kt_spot *spot,
		     struct kt_err *err)
{
	uint64_t nr, row = 0;
	int ret = kt_index_nr(ix, source, &nr, err);

	if (ret < 0)
		return ret;
	if (percent > 0)
		row = percent < 100 ? (uint64_t)(percent / 100 * (double)nr) : nr;
	return kt_index_spot(ix, source, row, spot, err);
}
