/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* search.h - all lines of a trace that a regular expression matches, found by threads */
#ifndef KTRAIL_SEARCH_H
#define KTRAIL_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A search goes on in the background, nearest matches first. It is over the lines as
 * kt_model_text() writes them, of the records that the model's filters let pass: the model ends
 * it when these change. Memory: 24 bytes a match, for 500,000 of them.
 */
struct kt_search;

/**
 * kt_model_search - search anew
 * @regex: POSIX extended
 * @from: nearest to there, in @direction 1 or -1, is looked at first
 * @threads: 0: one for each CPU of this machine, 4 at most
 *
 * What was searched for before ends. Returns the search, borrowed until the next one, a change
 * of filters, or kt_model_close(); NULL with -EINVAL (@regex), -ENOMEM or -EAGAIN (no threads).
 */
struct kt_search *kt_model_search(struct kt_model *m, const char *regex, bool pretty,
				  const struct kt_spot *from, int direction, unsigned int threads,
				  struct kt_err *err);
/* The one that goes on or has ended with the filters of now; NULL: none. Borrowed likewise */
struct kt_search *kt_model_searching(const struct kt_model *m);
/* Forget it; its threads end first. */
void kt_model_end_search(struct kt_model *m);

/* Is it for this, with these texts? */
bool kt_search_is_for(const struct kt_search *s, const char *regex, bool pretty);

struct kt_search_progress {
	bool     done;			/* nothing goes on any more */
	bool     stopped;		/* before all was read */
	double   share;			/* of the trace that was read, 0 to 1 */
	uint64_t nr_matches;		/* so far */
};
void kt_search_progress(struct kt_search *s, struct kt_search_progress *p);
/* Let no thread begin anything more: what was found stays. */
void kt_search_stop(struct kt_search *s);

/**
 * kt_search_next - the match after @spot, or before it
 * @wait_ms: for it to be found, at most
 *
 * Returns 1 and the spot before the record that matches; 0: there is none; -EAGAIN: not known
 * yet; -ENOBUFS: matches there were counted but not kept: look at the records.
 */
int kt_search_next(struct kt_search *s, const struct kt_spot *spot, int direction,
		   unsigned int wait_ms, struct kt_spot *found);
/* How many matches are before @spot: 0, -EAGAIN (not known yet), -ENOBUFS */
int kt_search_rank(struct kt_search *s, const struct kt_spot *spot, uint64_t *nr);
/* Wait for something new to be found; at most so long */
void kt_search_wait(struct kt_search *s, unsigned int ms);

#ifdef __cplusplus
}
#endif
#endif
