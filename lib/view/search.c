/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* search.c - find all lines of a trace that match a regular expression, in threads */
#include "view/search.h"

#include <errno.h>
#include <pthread.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/base.h>

#include "base/array.h"
#include "base/clamp.h"
#include "base/grep.h"
#include "base/threads.h"
#include "text/words.h"
#include "view/model_priv.h"

#define STRETCHES   1024		/* equal parts of the trace, each read by one thread */
#define KEPT_MAX    500000		/* matches */
#define THREADS_MAX 4			/* each may hold chunks of 16 MiB */
#define LOOK_EVERY  512			/* records between two checks of @stop */

struct stretch {
	uint64_t from;			/* start time; it ends where the next one begins */
	bool done, dropped;		/* dropped: some matches were not stored */
	struct kt_spot *spots;
	size_t nr, room;
	uint64_t nr_matches;
};

/* Data of one thread */
struct worker {
	struct kt_search *search;
	pthread_t thread;
	struct kt_reader *reader;
	struct kt_text *text;
	struct kt_out *out;
	regex_t re;			/* one thread at a time can use it */
	bool has_re, runs;
};

struct kt_search {
	char *regex, *literal;		/* literal: part of each matching line; NULL: not known */
	bool is_word;			/* @literal lies within one column of words */
	bool pretty;
	struct stretch *stretches;
	uint32_t order[STRETCHES];	/* the order in which stretches are read */
	struct worker workers[THREADS_MAX];
	size_t nr_workers;
	pthread_mutex_t lock;
	pthread_cond_t news;
	/* protected by @lock */
	size_t nr_begun, nr_done, nr_running;
	uint64_t nr_matches;
	size_t nr_kept;
	bool stop;
};

/* ---- a literal that every match contains ---- */

/* The length of the special construct at the beginning of @regex */
static size_t special_len(const char *regex)
{
	const char *end = regex + 1;

	if (*regex == '[') {
		end += *end == '^';
		end += *end == ']';
		/* "[]a]", "[^[:space:]]" */
		while (*end && *end != ']')
			end = *end == '[' && end[1] == ':' && strstr(end, ":]") ?
			      strstr(end, ":]") + 2 : end + 1;
	} else if (*regex == '{') {
		end += strcspn(end, "}");
	}
	/* A character after a backslash may have a special meaning. */
	return (size_t)(end - regex) + (*end && strchr("[{\\", *regex));
}

/* The longest run of plain characters in an expression without groups and alternatives */
static char *find_literal(const char *regex)
{
	size_t best = 0, best_len = 0, at = 0, len, certain;

	if (strpbrk(regex, "|()"))
		return NULL;
	while (regex[at]) {
		len = strcspn(regex + at, ".^$*+?[]{}\\");
		/* A repeated character may be missing. */
		certain = len && regex[at + len] && strchr("*?{", regex[at + len]) ? len - 1 : len;
		if (certain > best_len) {
			best = at;
			best_len = certain;
		}
		at += len;
		at += regex[at] ? special_len(regex + at) : 0;
	}
	return best_len ? strndup(regex + best, best_len) : NULL;
}

/* Is it a word that columns of numbers and flags cannot contain? Then one word column has it. */
static bool is_word(const char *literal)
{
	return !literal[strspn(literal, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")] &&
	       literal[strspn(literal, "abcdefBDHLNPSXZhlnpsz")];
}

static bool has_literal(const struct worker *w)
{
	const char *literal = w->search->literal;

	return memmem(kt_out_data(w->out), kt_out_len(w->out), literal, strlen(literal));
}

static bool matches(struct worker *w, const struct kt_record *rec)
{
	const struct kt_search *s = w->search;
	struct kt_cells cells;

	/* For most records, a part of the line decides. */
	if (s->is_word && text_put_words(w->text, rec, w->out) == 0 && !has_literal(w))
		return false;
	if (kt_text_cells(w->text, rec, NULL, w->out, &cells) < 0)
		return false;
	if (s->literal && !has_literal(w))
		return false;
	return regexec(&w->re, kt_out_data(w->out), 0, NULL, 0) == 0;
}

/* ---- threads ---- */

static uint64_t end_of(const struct kt_search *s, size_t i)
{
	return i + 1 < STRETCHES ? s->stretches[i + 1].from : UINT64_MAX;
}

static bool is_stopped(struct kt_search *s)
{
	return __atomic_load_n(&s->stop, __ATOMIC_RELAXED);
}

/* 0, or -ENOMEM: the match is counted in any case */
static int keep(struct stretch *st, const struct kt_spot *spot)
{
	if (!array_fit(st->spots, st->nr, st->room))
		return -ENOMEM;
	st->spots[st->nr++] = *spot;
	return 0;
}

/* Only this thread uses the stretch until it is done. */
static void read_stretch(struct worker *w, size_t i)
{
	struct kt_search *s = w->search;
	struct stretch *st = &s->stretches[i];
	uint64_t end = end_of(s, i);
	struct kt_spot spot;
	struct kt_record rec;
	unsigned int nr = 0;

	if (kt_reader_seek(w->reader, st->from, NULL) < 0)
		return;
	for (;;) {
		kt_reader_tell(w->reader, &spot);
		if (spot.ts >= end || kt_reader_next(w->reader, &rec, NULL) <= 0)
			return;
		if (rec.ts >= end)
			return;
		if (++nr % LOOK_EVERY == 0 && is_stopped(s))
			return;
		if (!matches(w, &rec))
			continue;
		if (rec.ts >= spot.ts)
			spot = (struct kt_spot){ rec.ts, rec.pos, rec.source };
		st->nr_matches++;
		if (st->dropped || __atomic_load_n(&s->nr_kept, __ATOMIC_RELAXED) >= KEPT_MAX ||
		    keep(st, &spot) < 0)
			st->dropped = true;
		else
			__atomic_fetch_add(&s->nr_kept, 1, __ATOMIC_RELAXED);
	}
}

static void *work(void *data)
{
	struct worker *w = data;
	struct kt_search *s = w->search;
	size_t i;

	thread_is_background();
	pthread_mutex_lock(&s->lock);
	while (!s->stop && s->nr_begun < STRETCHES) {
		i = s->order[s->nr_begun++];
		pthread_mutex_unlock(&s->lock);
		read_stretch(w, i);
		pthread_mutex_lock(&s->lock);
		if (s->stop)
			break;
		s->stretches[i].done = true;
		s->nr_matches += s->stretches[i].nr_matches;
		s->nr_done++;
		pthread_cond_broadcast(&s->news);
	}
	s->nr_running--;
	pthread_cond_broadcast(&s->news);
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

static int start_worker(struct kt_search *s, struct worker *w, struct kt_model *m,
			struct kt_err *err)
{
	int ret;

	w->search = s;
	w->reader = kt_model_reader(m, err);
	w->text = model_new_text(m, s->pretty, err);
	w->out = kt_out_create();
	ret = grep_compile(&w->re, s->regex, REG_EXTENDED | REG_NOSUB, err);
	w->has_re = ret == 0;
	if (ret < 0)
		return kt_err_wrap(err, ret, "not a regular expression");
	if (!w->reader || !w->text || !w->out)
		return kt_err_no_memory(err);
	ret = thread_start(&w->thread, work, w);
	w->runs = ret == 0;
	s->nr_running += w->runs;
	return ret ? kt_err_set(err, ret, "cannot start a thread: %s", strerror(-ret)) : 0;
}

static void end_worker(struct worker *w)
{
	if (w->runs)
		pthread_join(w->thread, NULL);
	if (w->has_re)
		regfree(&w->re);
	kt_reader_destroy(w->reader);
	kt_text_destroy(w->text);
	kt_out_destroy(w->out);
}

/* ---- creation and destruction ---- */

/* Forward from the stretch of @from on, or backward; then the rest */
static void choose_order(struct kt_search *s, const struct kt_spot *from, int direction)
{
	size_t first = 0, i;

	while (first + 1 < STRETCHES && s->stretches[first + 1].from <= from->ts)
		first++;
	for (i = 0; i < STRETCHES; i++)
		s->order[i] = (uint32_t)(first + (direction > 0 ? i : STRETCHES - i)) % STRETCHES;
}

static int set_up(struct kt_search *s, struct kt_model *m, const struct kt_spot *from,
		  int direction)
{
	struct kt_window span;
	size_t i;

	s->stretches = calloc(STRETCHES, sizeof(*s->stretches));
	if (!s->regex || !s->stretches)
		return -ENOMEM;
	if (!kt_model_span(m, &span))
		span = (struct kt_window){ 0, 0 };
	for (i = 1; i < STRETCHES; i++)
		s->stretches[i].from = span.from + (uint64_t)((double)(span.until - span.from) *
							     (double)i / STRETCHES);
	choose_order(s, from, direction);
	return 0;
}

static size_t nr_threads(unsigned int wanted)
{
	long nr = wanted ? (long)wanted : sysconf(_SC_NPROCESSORS_ONLN);

	return (size_t)clamp(nr, 1, THREADS_MAX);
}

struct kt_search *search_create(struct kt_model *m, const char *regex, bool pretty,
				const struct kt_spot *from, int direction, unsigned int threads,
				struct kt_err *err)
{
	struct kt_search *s = calloc(1, sizeof(*s));
	size_t nr = nr_threads(threads);
	int ret = 0;

	if (!s) {
		kt_err_no_memory(err);
		return NULL;
	}
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->news, NULL);
	s->regex = strdup(regex);
	s->literal = find_literal(regex);
	s->is_word = s->literal && is_word(s->literal);
	s->pretty = pretty;
	if (set_up(s, m, from, direction) < 0)
		ret = kt_err_no_memory(err);
	pthread_mutex_lock(&s->lock);
	while (ret == 0 && s->nr_workers < nr)
		ret = start_worker(s, &s->workers[s->nr_workers++], m, err);
	pthread_mutex_unlock(&s->lock);
	/* Fewer threads than wanted are sufficient. */
	if (ret == 0 || s->nr_workers > 1)
		return s;
	search_destroy(s);
	return NULL;
}

void search_destroy(struct kt_search *s)
{
	size_t i;

	if (!s)
		return;
	kt_search_stop(s);
	for (i = 0; i < s->nr_workers; i++)
		end_worker(&s->workers[i]);
	for (i = 0; s->stretches && i < STRETCHES; i++)
		free(s->stretches[i].spots);
	free(s->stretches);
	free(s->regex);
	free(s->literal);
	pthread_cond_destroy(&s->news);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

void kt_search_stop(struct kt_search *s)
{
	pthread_mutex_lock(&s->lock);
	__atomic_store_n(&s->stop, true, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&s->lock);
}

/* ---- results ---- */

bool kt_search_is_for(const struct kt_search *s, const char *regex, bool pretty)
{
	return strcmp(s->regex, regex) == 0 && s->pretty == pretty;
}

void kt_search_progress(struct kt_search *s, struct kt_search_progress *p)
{
	pthread_mutex_lock(&s->lock);
	*p = (struct kt_search_progress){
		.done = s->nr_done == STRETCHES || !s->nr_running,
		.stopped = s->nr_done < STRETCHES && !s->nr_running,
		.share = (double)s->nr_done / STRETCHES,
		.nr_matches = s->nr_matches,
	};
	pthread_mutex_unlock(&s->lock);
}

/* The order of the reader */
static int compare(const struct kt_spot *a, const struct kt_spot *b)
{
	if (a->ts != b->ts)
		return a->ts < b->ts ? -1 : 1;
	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	return a->pos < b->pos ? -1 : a->pos > b->pos;
}

/* The number of spots of a stretch before @spot */
static size_t nr_before(const struct stretch *st, const struct kt_spot *spot)
{
	size_t low = 0, high = st->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare(&st->spots[mid], spot) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static size_t stretch_of(const struct kt_search *s, uint64_t ts)
{
	size_t low = 0, high = STRETCHES - 1;

	while (low < high) {
		size_t mid = low + (high - low + 1) / 2;

		if (s->stretches[mid].from <= ts)
			low = mid;
		else
			high = mid - 1;
	}
	return low;
}

/* With @lock held: as kt_search_next() */
static int look(struct kt_search *s, const struct kt_spot *spot, int direction,
		struct kt_spot *found)
{
	size_t i = stretch_of(s, spot->ts), at;

	for (; i < STRETCHES; i += (size_t)direction) {
		const struct stretch *st = &s->stretches[i];

		if (!st->done)
			return s->nr_running ? -EAGAIN : -ENOBUFS;
		if (st->dropped)
			return -ENOBUFS;
		at = nr_before(st, spot);
		if (direction > 0)
			at += at < st->nr && compare(&st->spots[at], spot) == 0;
		else
			at--;
		if (at < st->nr) {
			*found = st->spots[at];
			return 1;
		}
	}
	return 0;
}

static void wait_for_news(struct kt_search *s, unsigned int ms)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += (long)ms * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&s->news, &s->lock, &until);
}

int kt_search_next(struct kt_search *s, const struct kt_spot *spot, int direction,
		   unsigned int wait_ms, struct kt_spot *found)
{
	int ret;

	pthread_mutex_lock(&s->lock);
	ret = look(s, spot, direction, found);
	if (ret == -EAGAIN && wait_ms) {
		wait_for_news(s, wait_ms);
		ret = look(s, spot, direction, found);
	}
	pthread_mutex_unlock(&s->lock);
	return ret;
}

int kt_search_rank(struct kt_search *s, const struct kt_spot *spot, uint64_t *nr)
{
	size_t last = stretch_of(s, spot->ts), i;
	int ret = 0;

	*nr = 0;
	pthread_mutex_lock(&s->lock);
	for (i = 0; i < last && ret == 0; i++) {
		ret = s->stretches[i].done ? 0 : -EAGAIN;
		*nr += s->stretches[i].nr_matches;
	}
	if (ret == 0 && (!s->stretches[last].done || s->stretches[last].dropped))
		ret = s->stretches[last].done ? -ENOBUFS : -EAGAIN;
	if (ret == 0)
		*nr += nr_before(&s->stretches[last], spot);
	pthread_mutex_unlock(&s->lock);
	return ret;
}

void kt_search_wait(struct kt_search *s, unsigned int ms)
{
	pthread_mutex_lock(&s->lock);
	if (s->nr_running)
		wait_for_news(s, ms);
	pthread_mutex_unlock(&s->lock);
}
