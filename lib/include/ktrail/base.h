/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* base.h - what the other headers share: errors, lists of names, text under construction */
#ifndef KTRAIL_BASE_H
#define KTRAIL_BASE_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== how a function of libktrail reports an error ==== */

/* The kind of failure, where programs treat the same errno differently */
enum kt_err_kind {
	KT_ERR_OTHER,
	KT_ERR_NO_TRACER,	/* the kernel has no tracer of that name */
	KT_ERR_NO_FUNCTION,	/* no traceable function matches */
	KT_ERR_KERNEL,		/* the kernel refused a write to a file of tracefs */
	KT_ERR_NO_INPUT,	/* an input file cannot be opened */
	KT_ERR_NEGATIVE,	/* a number must not be negative */
};

/**
 * struct kt_err - the first failure of a call, for programs and for people
 * @code: negative errno of the first failure, 0 if none
 * @msg:  one line without newline; names the file or object. Bytes that came
 *        from a file or a kernel object are already escaped for a terminal.
 * @excerpt: "", or two lines: the user's text, and a caret under the
 *        error. Escaped too, no newline at its end.
 * @kind: more specific than @code, for the same failure
 *
 * Lives on the caller's stack: reporting ENOMEM needs no memory. Initialise
 * with `struct kt_err err = { 0 };`. Every function that takes one accepts NULL, even
 * functions that return a new object. Those return NULL on failure and report
 * the error here: kt_err_code() gives the errno.
 */
struct kt_err {
	int  code;
	char msg[1024];
	char excerpt[640];
	enum kt_err_kind kind;
};

/**
 * kt_err_set - report a failure; the first one stays unless cleared
 *
 * Returns @code, so that `return kt_err_set(err, -EINVAL, "...")` reads well.
 */
int kt_err_set(struct kt_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * kt_err_set_kind - the same with a kind, for failures that programs may want to distinguish
 */
int kt_err_set_kind(struct kt_err *err, enum kt_err_kind kind, int code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/**
 * kt_err_wrap - put "fmt: " before the existing message
 *
 * Returns @code; the code stored first stays. Without a message, strerror(-@code)
 * follows the colon.
 */
int kt_err_wrap(struct kt_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * kt_err_add - append "; fmt" to the existing message: a further failure
 *
 * Returns the code stored first. If there was none, this is kt_err_set().
 */
int kt_err_add(struct kt_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * kt_err_code - the errno of a function that has returned NULL
 * @otherwise: negative errno if nothing was reported, because @err is NULL or memory ran out
 */
static inline int kt_err_code(const struct kt_err *err, int otherwise)
{
	return err && err->code ? err->code : otherwise;
}

/**
 * kt_err_no_memory - report that an allocation failed; returns -ENOMEM
 */
static inline int kt_err_no_memory(struct kt_err *err)
{
	return kt_err_set(err, -ENOMEM, "out of memory");
}

/**
 * kt_err_result - report a failure that has no message yet
 * @ret: result of calls that report every failure except a failed allocation
 *
 * Returns @ret if it is negative, else 0, so it can be a function's return value.
 */
static inline int kt_err_result(struct kt_err *err, int ret)
{
	return ret < 0 ? kt_err_set(err, ret, "out of memory") : 0;
}

/**
 * kt_err_clear - forget the failure after it was handled
 */
void kt_err_clear(struct kt_err *err);

/* ==== lists of names: events, tracers, options, instances ==== */

/**
 * struct kt_names - names in the order they were added
 *
 * Start with `struct kt_names n = { 0 };`, end with kt_names_fini(). @names is
 * NULL while empty, else it ends with NULL.
 */
struct kt_names {
	char **names;		/* owned */
	size_t nr, cap;
};

void kt_names_fini(struct kt_names *n);
/* Copies the name. 0 or -ENOMEM. */
int  kt_names_add(struct kt_names *n, const char *name);
int  kt_names_addn(struct kt_names *n, const char *name, size_t len);
int  kt_names_addf(struct kt_names *n, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Adds every word of @text, separated by any character of @separators. 0 or -ENOMEM. */
int  kt_names_add_words(struct kt_names *n, const char *text, const char *separators);
bool kt_names_has(const struct kt_names *n, const char *name);
void kt_names_sort(struct kt_names *n);		/* bytewise; removes duplicates */
/* The name in the list closest to a misspelt one; borrowed, or NULL. */
const char *kt_names_nearest(const struct kt_names *n, const char *name);

/* ==== text under construction, to which formatters append ==== */

struct kt_out;

struct kt_out *kt_out_create(void);		/* new (kt_out_destroy), NULL: no memory */
void kt_out_destroy(struct kt_out *out);
void kt_out_reset(struct kt_out *out);		/* empty it, keep its memory */
const char *kt_out_data(const struct kt_out *out);	/* borrowed; NUL-terminated */
size_t kt_out_len(const struct kt_out *out);

#ifdef __cplusplus
}
#endif
#endif
