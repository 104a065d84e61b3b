/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* err.h - how a call of libktrail says what went wrong */
#ifndef KTRAIL_ERR_H
#define KTRAIL_ERR_H

#include <stdarg.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What failed, where a program would do different things about one errno */
enum kt_err_kind {
	KT_ERR_OTHER,
	KT_ERR_NO_TRACER,	/* the kernel has no tracer of that name */
	KT_ERR_NO_FUNCTION,	/* no function that can be traced fits */
	KT_ERR_KERNEL,		/* the kernel refused what was written to a file of tracefs */
	KT_ERR_NO_INPUT,	/* a file that was to be read cannot be opened */
	KT_ERR_NEGATIVE,	/* a number is below zero that cannot be */
};

/**
 * struct kt_err - the first failure of a call, for programs and for people
 * @code: negative errno of the first failure, 0 if none
 * @msg:  one line without newline; names the file or object. Bytes that came
 *        from a file or a kernel object are already escaped for a terminal.
 * @excerpt: "", or two lines: a text that a person wrote and a caret under the
 *        place that is wrong. Escaped too, no newline at its end.
 * @kind: more than @code tells, of the same failure
 *
 * Lives on the caller's stack: reporting ENOMEM needs no memory. Initialise
 * with `struct kt_err err = { 0 };`. Every call that takes one accepts NULL, also
 * those that return a new object: these return NULL after a failure and report
 * it here, so kt_err_code() has the errno that they cannot return.
 */
struct kt_err {
	int  code;
	char msg[1024];
	char excerpt[640];
	enum kt_err_kind kind;
};

/**
 * kt_err_set - report a failure; the first one wins unless cleared
 *
 * Returns @code, so that `return kt_err_set(err, -EINVAL, "...")` reads well.
 */
int kt_err_set(struct kt_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** kt_err_set_kind - the same, of a failure that a program may want to know apart */
int kt_err_set_kind(struct kt_err *err, enum kt_err_kind kind, int code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/**
 * kt_err_wrap - put "fmt: " before the message that is already there
 *
 * Returns @code; the code stored first stays. With no message yet, the text of
 * strerror(-@code) follows the colon.
 */
int kt_err_wrap(struct kt_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * kt_err_add - put "; fmt" behind the message that is there: what went wrong besides
 *
 * Returns the code stored first, @code if there was none; then this is kt_err_set.
 */
int kt_err_add(struct kt_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * kt_err_point - show where in @text the failure is
 * @at: byte offset; beyond the end points at the end
 *
 * Right after the kt_err_set that reports it; a later failure does not get
 * here. Long texts are cut to what surrounds the place.
 */
void kt_err_point(struct kt_err *err, const char *text, size_t at);

/**
 * kt_err_code - the errno of a call that has returned NULL
 * @otherwise: negative errno where nothing was reported, because @err is NULL or memory ran out
 */
static inline int kt_err_code(const struct kt_err *err, int otherwise)
{
	return err && err->code ? err->code : otherwise;
}

/** kt_err_clear - forget the failure, after having dealt with it */
void kt_err_clear(struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
