/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* index_build.c - count the records of a trace, chunk by chunk, in background threads */
#include "trace/index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/threads.h"
#include "file/note.h"
#include "file/summary.h"
#include "stream/cursor.h"

#define SCRATCH 64	/* records; they fit into the first-level cache */

/* A thread that counts */
struct worker {
	struct kt_index *ix;
	size_t source;
	uint64_t nr;		/* of the chunk */
	uint64_t before;	/* stored bytes of the chunks before it */
	uint64_t read;		/* stored bytes that were read */
	uint8_t *bytes;		/* of an uncompressed chunk */
	size_t   size;
	struct mark *marks;	/* found in the chunk; @max_marks is the capacity */
	size_t   nr_marks, max_marks;
};

/* ---- one chunk ---- */

static bool add_mark(struct worker *w, uint64_t ts, uint64_t nr, size_t offset, bool lost)
{
	if (!array_fit(w->marks, w->nr_marks, w->max_marks))
		return false;
	w->marks[w->nr_marks++] = (struct mark){ .ts = ts, .nr = nr, .chunk = (uint32_t)w->nr,
						 .offset = (uint32_t)offset & INT32_MAX,
						 .lost = lost };
	return true;
}

static int keep_marks(const struct worker *w, struct index_piece *p)
{
	p->marks = malloc((w->nr_marks + 1) * sizeof(*p->marks));
	if (!p->marks)
		return -ENOMEM;
	if (w->nr_marks)
		memcpy(p->marks, w->marks, w->nr_marks * sizeof(*p->marks));
	p->nr_marks = w->nr_marks;
	return 0;
}

static bool is_mark_due(const struct worker *w, const struct index_piece *p)
{
	return !w->nr_marks || p->nr - w->marks[w->nr_marks - 1].nr >= MARKS_APART;
}

/* Counts the records of the sub-buffer that @c has open, at @offset of the chunk. 0, -ENOMEM */
static int count_page(struct worker *w, struct cursor *c, size_t offset, struct index_piece *p)
{
	struct kt_record recs[SCRATCH];
	bool lost = c->lost;
	size_t got, i;

	p->lossy |= lost;
	while (c->key != CURSOR_PAGE_END) {
		got = cursor_walk(c, UINT64_MAX, recs, SCRATCH);
		if (got && !p->nr)
			p->first = p->last = recs[0].ts;
		for (i = 0; i < got; i++) {
			p->goes_back |= recs[i].ts < p->last;
			p->last = recs[i].ts > p->last ? recs[i].ts : p->last;
			if (!i && offset != SIZE_MAX && is_mark_due(w, p) &&
			    !add_mark(w, p->last, p->nr, offset, !w->nr_marks && p->lossy))
				return -ENOMEM;
		}
		p->nr += got;
		offset = SIZE_MAX;
	}
	if (lost && w->nr_marks)
		w->marks[w->nr_marks - 1].lost = 1;
	return 0;
}

static int count_pages(struct worker *w, struct cursor *c, const uint8_t *data, size_t size,
		       uint64_t pos, struct index_piece *p)
{
	size_t at, left;
	int ret = 0;

	w->nr_marks = 0;
	for (at = 0; at < size && ret == 0; at += c->page_size) {
		left = size - at < c->page_size ? size - at : c->page_size;
		c->key = 0;
		if (cursor_open_page(c, data + at, left, pos + at))
			ret = count_page(w, c, at, p);
	}
	return ret < 0 ? ret : keep_marks(w, p);
}

/* Reads the chunk into w->bytes. 0, -ENOMEM */
static int read_plain(struct worker *w, const struct kt_source *src, uint32_t size)
{
	uint8_t *grown;

	if (size > w->size) {
		grown = realloc(w->bytes, size);
		if (!grown)
			return -ENOMEM;
		w->bytes = grown;
		w->size = size;
	}
	return (int)file_chunk_copy(src->file, src->buffer, src->cpu_index, w->nr, 0, w->bytes,
				    size);
}

/*
 * Uses the index in the file: one mark for the whole chunk. If times were corrected by more
 * than an addition, they may no longer be in order.
 */
static bool is_counted(struct worker *w, const struct cursor *c, struct index_piece *p)
{
	const struct kt_source *src = kt_stream_source(w->ix->stream, w->source);
	const struct kt_summary *s = file_summary(src->file, src->buffer, src->cpu_index, w->nr);

	if (!s || !s->counted || !c->fix->plain)
		return false;
	p->first = cursor_shown_time(c, s->first);
	p->last = cursor_shown_time(c, s->last);
	w->nr_marks = 0;
	if (p->last < p->first || !add_mark(w, p->first, 0, 0, s->lost))
		return false;
	p->nr = s->nr;
	p->lossy = s->lost;
	return keep_marks(w, p) == 0;
}

/* A damaged chunk counts as empty, as for readers. 0, -ENOMEM */
static int count_chunk(struct worker *w, const struct file_extent *x, struct index_piece *p)
{
	const struct kt_source *src = kt_stream_source(w->ix->stream, w->source);
	struct kt_chunk chunk = { 0 };
	struct kt_err ignored = { 0 };
	struct cursor_layout plain;
	struct cursor c;
	int ret;

	stream_init_cursor(w->ix->stream, w->source, &c);
	plain = cursor_choose_all(c.layout);
	c.layout = &plain;
	if (x->compressed && is_counted(w, &c, p))
		return 0;
	w->read += x->stored - w->before;
	if (!x->compressed) {
		ret = read_plain(w, src, x->size);
		return ret < 0 ? ret : count_pages(w, &c, w->bytes, (size_t)ret, x->pos, p);
	}
	ret = kt_file_chunk_get(src->file, src->buffer, src->cpu_index, w->nr, &chunk, &ignored);
	p->damaged = ret == -EBADMSG || (ret > 0 && chunk.size < x->size);
	if (ret <= 0)
		return ret == -ENOMEM ? ret : 0;
	ret = count_pages(w, &c, chunk.data, chunk.size, chunk.first * c.page_size, p);
	kt_chunk_put(&chunk);
	return ret;
}

/* ---- all chunks, handed out one by one with the lock held ---- */

static struct index_piece *add_piece(struct index_source *s)
{
	struct index_piece *added = array_add(s->pieces, s->nr_pieces);

	if (added)
		*added = (struct index_piece){ 0 };
	return added;
}

/* The next chunk to count: 1 and its place, 0 if there is none, -ENOMEM */
static int hand_out(struct kt_index *ix, struct worker *w, struct file_extent *x)
{
	const struct kt_source *src;
	struct index_source *s;
	int ret;

	for (; ix->next < ix->nr_sources; ix->next++) {
		s = &ix->sources[ix->next];
		src = kt_stream_source(ix->stream, ix->next);
		ret = file_chunk_extent(src->file, src->buffer, src->cpu_index, s->nr_pieces, x);
		if (ret < 0)
			return ret;
		if (ret == 0)
			continue;
		w->source = ix->next;
		w->nr = s->nr_pieces;
		w->before = s->stored;
		s->stored = x->stored;
		if (!add_piece(s))
			return -ENOMEM;
		return 1;
	}
	return 0;
}

/* ---- finishing ---- */

void index_free_pieces(struct index_source *s)
{
	size_t i;

	for (i = 0; i < s->nr_pieces; i++)
		free(s->pieces[i].marks);
	free(s->pieces);
	s->pieces = NULL;
	s->nr_pieces = 0;
}

/* A mark too close to the previous one is dropped; its loss counts for the previous one. */
static void append(struct marks *to, const struct mark *m, uint64_t nr, uint64_t latest)
{
	struct mark *end = &to->at[to->nr];

	if (to->nr && nr - end[-1].nr < MARKS_APART) {
		end[-1].lost |= m->lost;
		return;
	}
	*end = *m;
	end->lost |= !to->nr && to->lossy;
	end->nr = nr;
	end->ts = m->ts > latest ? m->ts : latest;
	to->nr++;
}

/* Appends the next chunk of a source; there is room for its marks. */
static void append_piece(struct index_source *s, const struct index_piece *p)
{
	struct marks *m = &s->marks;
	size_t i;

	s->before = *m;
	s->forgot = false;
	s->nr_chunks++;
	if (p->lossy && !p->nr && m->nr)
		m->at[m->nr - 1].lost = 1;
	m->goes_back |= p->nr && (p->goes_back || p->first < m->last);
	for (i = 0; i < p->nr_marks; i++)
		append(m, &p->marks[i], m->total + p->marks[i].nr, m->last);
	m->lossy |= p->lossy;
	m->total += p->nr;
	m->last = p->last > m->last ? p->last : m->last;
}

static bool set_room(struct index_source *s, size_t nr)
{
	struct mark *at = realloc(s->marks.at, nr * sizeof(*at));

	if (!at)
		return false;
	s->marks.at = at;
	s->max_marks = nr;
	return true;
}

/* Joins the pieces of a source and frees them. */
static int join_pieces(struct index_source *s)
{
	size_t nr = 0, i;

	for (i = 0; i < s->nr_pieces; i++)
		nr += s->pieces[i].nr_marks;
	if (!set_room(s, nr + 1))
		return -ENOMEM;
	for (i = 0; i < s->nr_pieces; i++)
		append_piece(s, &s->pieces[i]);
	set_room(s, s->marks.nr + 1);
	index_free_pieces(s);
	return 0;
}

/* Called by the last thread with the lock held */
static int finish(struct kt_index *ix)
{
	uint64_t total = 0;
	size_t i;
	int ret = 0;

	for (i = 0; i < ix->nr_sources && ret == 0; i++) {
		ret = join_pieces(&ix->sources[i]);
		total += ix->sources[i].marks.total;
	}
	if (ret < 0)
		return ret;
	ix->nr_records = total;
	ix->origin = ix->nr_read ? KT_INDEX_OF_DATA : KT_INDEX_OF_FILE;
	atomic_store_explicit(&ix->ready, true, memory_order_release);
	return 0;
}

static void note_done(struct worker *w, const struct file_extent *x, const struct index_piece *p)
{
	struct kt_index *ix = w->ix;

	ix->sources[w->source].pieces[w->nr] = *p;
	ix->nr_records += p->nr;
	ix->nr_damaged += p->damaged;
	ix->done += x->stored - w->before;
	ix->nr_read += w->read;
	w->read = 0;
	ix->nr_pending--;
}

/* Counts chunk after chunk; takes the lock in between. 0 at the end, or when told to stop */
static int count_all(struct worker *w)
{
	struct kt_index *ix = w->ix;
	struct index_piece p;
	struct file_extent x;
	int ret = 0;

	while (ret >= 0 && !atomic_load(&ix->stop) && !ix->error) {
		ret = hand_out(ix, w, &x);
		if (ret <= 0)
			break;
		ix->nr_pending++;
		pthread_mutex_unlock(&ix->lock);
		p = (struct index_piece){ 0 };
		ret = count_chunk(w, &x, &p);
		pthread_mutex_lock(&ix->lock);
		note_done(w, &x, &p);
	}
	return ret;
}

/* Called by the first thread, while the others wait */
static void look_into_cache(struct kt_index *ix)
{
	bool found;
	size_t i;

	while (ix->cache_state == CACHE_ASKED)
		pthread_cond_wait(&ix->changed, &ix->lock);
	if (ix->cache_state == CACHE_KNOWN)
		return;
	ix->cache_state = CACHE_ASKED;
	pthread_mutex_unlock(&ix->lock);
	found = index_load(ix);
	pthread_mutex_lock(&ix->lock);
	ix->cache_state = CACHE_KNOWN;
	for (i = 0; found && i < ix->nr_sources; i++)
		ix->nr_records += ix->sources[i].marks.total;
	if (found)
		ix->origin = KT_INDEX_OF_CACHE;
	atomic_store_explicit(&ix->ready, found, memory_order_release);
	pthread_cond_broadcast(&ix->changed);
}

static void *worker_main(void *arg)
{
	struct worker w = { .ix = arg };
	struct kt_index *ix = w.ix;
	bool is_last;
	int ret;

	thread_is_background();
	pthread_mutex_lock(&ix->lock);
	look_into_cache(ix);
	ret = ix->ready ? 0 : count_all(&w);
	is_last = ret == 0 && ix->next == ix->nr_sources && !ix->nr_pending && !ix->error &&
		  !atomic_load(&ix->ready);
	if (is_last)
		ret = finish(ix);
	if (ret < 0)
		ix->error = ret;
	/* Damage must be reported each time, so do not cache the index of a damaged file. */
	if (ret == 0 && is_last && ix->nr_read >= ix->cache_least && !ix->nr_damaged) {
		pthread_mutex_unlock(&ix->lock);
		index_save(ix);
		pthread_mutex_lock(&ix->lock);
	}
	ix->nr_running--;
	pthread_cond_broadcast(&ix->changed);
	pthread_mutex_unlock(&ix->lock);
	free(w.bytes);
	free(w.marks);
	return NULL;
}

int index_start_threads(struct kt_index *ix)
{
	int ret = 0;

	while (ix->nr_threads < ix->max_threads && ret == 0) {
		ret = thread_start(&ix->threads[ix->nr_threads], worker_main, ix);
		ix->nr_threads += ret == 0;
		ix->nr_running += ret == 0;
	}
	return ix->nr_threads ? 0 : ret;
}

/* ---- a recording that grows ---- */

static uint64_t stored_up_to(const struct kt_index *ix, size_t source, uint64_t nr_chunks)
{
	const struct kt_source *src = kt_stream_source(ix->stream, source);
	struct file_extent x;

	if (!nr_chunks || file_chunk_extent(src->file, src->buffer, src->cpu_index,
					    nr_chunks - 1, &x) <= 0)
		return 0;
	return x.stored;
}

static void forget_last(struct kt_index *ix, size_t source)
{
	struct index_source *s = &ix->sources[source];
	struct index_piece *p;

	if (s->nr_pieces) {
		p = &s->pieces[--s->nr_pieces];
		free(p->marks);
		ix->nr_records -= p->nr;
	} else if (s->nr_chunks && !s->forgot) {
		s->forgot = true;
		s->before.at = s->marks.at;
		ix->nr_records -= s->marks.total - s->before.total;
		s->marks = s->before;
		s->nr_chunks--;
	}
}

/* Of the marks in data that the recorder has freed, only the last one is needed. */
static void drop_marks(struct marks *m, uint64_t kept)
{
	size_t nr = 0;

	while (nr + 1 < m->nr && m->at[nr + 1].chunk < kept)
		nr++;
	m->nr -= nr;
	memmove(m->at, m->at + nr, m->nr * sizeof(*m->at));
}

void index_take_growth(struct kt_index *ix)
{
	size_t i;

	if (ix->generation == *stream_generation(ix->stream))
		return;
	ix->generation = *stream_generation(ix->stream);
	ix->next = 0;
	ix->done = 0;
	for (i = 0; i < ix->nr_sources; i++) {
		const struct kt_source *src = kt_stream_source(ix->stream, i);
		uint64_t size = kt_file_buffer(src->file, src->buffer)->cpus[src->cpu_index].size;
		struct index_source *s = &ix->sources[i];

		if (s->size != size) {
			forget_last(ix, i);
			drop_marks(&s->marks, file_kept_chunk(src->file, src->buffer,
							      src->cpu_index, 0));
			s->has_grown = true;
		}
		s->size = size;
		s->stored = stored_up_to(ix, i, s->nr_pieces + s->nr_chunks);
		ix->done += s->stored;
	}
}

/* Counts the chunk after the known ones of a source: 1, 0: there is none, -ENOMEM */
static int extend_source(struct worker *w, struct index_source *s)
{
	const struct kt_source *src = kt_stream_source(w->ix->stream, w->source);
	struct index_piece p = { 0 };
	struct file_extent x;
	int ret;

	ret = file_chunk_extent(src->file, src->buffer, src->cpu_index, s->nr_chunks, &x);
	if (ret <= 0)
		return ret;
	w->nr = s->nr_chunks;
	w->before = s->stored;
	ret = count_chunk(w, &x, &p);
	if (ret == 0 && s->marks.nr + p.nr_marks >= s->max_marks &&
	    !set_room(s, 2 * (s->marks.nr + p.nr_marks) + 1))
		ret = -ENOMEM;
	if (ret == 0)
		append_piece(s, &p);
	w->ix->nr_records += p.nr;
	s->stored = x.stored;
	free(p.marks);
	return ret < 0 ? ret : 1;
}

int kt_index_extend(struct kt_index *ix, bool (*stop)(void *data), void *data, struct kt_err *err)
{
	struct worker w = { .ix = ix };
	int ret = 0;

	if (!atomic_load_explicit(&ix->ready, memory_order_acquire))
		return kt_err_set(err, -EAGAIN, "the index is not ready yet");
	index_take_growth(ix);
	for (w.source = ix->next; w.source < ix->nr_sources && ret >= 0; w.source++) {
		struct index_source *s = &ix->sources[w.source];

		ix->next = w.source;
		for (ret = s->has_grown; ret == 1;)
			ret = stop && stop(data) ? 2 : extend_source(&w, s);
		if (ret == 2)
			break;
		s->has_grown = ret < 0;
	}
	free(w.bytes);
	free(w.marks);
	return ret < 0 ? kt_err_no_memory(err) : ret == 2;
}
