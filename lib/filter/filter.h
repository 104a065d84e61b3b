/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* filter.h - the inside of filters: text, tree, program */
#ifndef FILTER_FILTER_H
#define FILTER_FILTER_H

#include <regex.h>
#include <stdatomic.h>

#include <ktrail/filter.h>

#include "base/str.h"
#include "format/events.h"

/*
 * lex.c and parse.c turn the text into a tree, once. For each event, compile.c turns the tree
 * into a program of tests, each with one jump for yes and one for no. eval.c runs the program on
 * the bytes of a record.
 */

enum filter_op {
	FILTER_AND, FILTER_OR, FILTER_NOT,		/* of conditions */
	FILTER_TRUTH,					/* a value used as condition: not zero */
	FILTER_EQ, FILTER_NE, FILTER_LT, FILTER_GT, FILTER_LE, FILTER_GE,
	FILTER_LIKE, FILTER_UNLIKE,			/* =~ !~ */
	FILTER_GLOB,					/* ~ */
	FILTER_BITOR, FILTER_XOR, FILTER_BITAND, FILTER_SHL, FILTER_SHR,
	FILTER_ADD, FILTER_SUB, FILTER_MUL, FILTER_DIV, FILTER_MOD, FILTER_NEG,
	FILTER_FIELD, FILTER_NUMBER, FILTER_STRING,	/* leaves */
	FILTER_TRUE, FILTER_FALSE,			/* only after folding */
};

const char *filter_op_name(enum filter_op op);

/* A prepared pattern; several threads may match it */
struct filter_pattern {
	enum filter_op op;		/* FILTER_LIKE, FILTER_GLOB, FILTER_EQ */
	char   *text;			/* the words of a literal, or the pattern itself */
	size_t  len;
	bool    literal;		/* a plain comparison with @text, without a regex */
	bool    at_start, at_end;	/* where @text must match */
	bool    compiled;
	regex_t regex;
};

int  filter_pattern_init(struct filter_pattern *p, enum filter_op op, const char *text,
			 struct kt_err *err);
void filter_pattern_fini(struct filter_pattern *p);
bool filter_pattern_match(const struct filter_pattern *p, const char *s, size_t len);

struct filter_node {
	enum filter_op op;
	size_t   pos;			/* in the filter's text, for errors */
	struct filter_node *left, *right;
	char    *text;			/* FIELD: name; STRING: as written */
	uint64_t value;			/* NUMBER */
	struct filter_pattern *pattern;	/* of a comparison with a string */
	int      cache;			/* its slot in the caches of a file, or -1 */
};

/* One part of "events": regular expressions for system and event */
struct filter_choice {
	char   *text;			/* as written, but "system/event" for "system : event" */
	size_t  pos;
	struct filter_pattern system, event;
	bool    both;			/* one word: may be either of the two */
	bool    wild;			/* contains pattern characters */
};

/* One -F */
struct filter_expr {
	char  *text;			/* the whole text */
	bool   exclude;
	int    file;			/* -1: all */
	bool   plain;			/* no "events :" */
	bool   wild;			/* some choice is a pattern */
	size_t nr_choices;
	struct filter_choice *choices;
	struct filter_node *root;	/* NULL: all records of the events */
	int    nr_caches;		/* of all expressions up to this one */
	size_t nr_nodes;
};

/* Sets an error with a caret under @pos of @text. Returns @code. */
int filter_error(struct kt_err *err, int code, const char *text, size_t pos, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

enum filter_token_kind {
	FILTER_TOKEN_END, FILTER_TOKEN_OP, FILTER_TOKEN_NUMBER, FILTER_TOKEN_STRING,
	FILTER_TOKEN_NAME, FILTER_TOKEN_OPEN, FILTER_TOKEN_CLOSE,
};

struct filter_token {
	enum filter_token_kind kind;
	enum filter_op op;		/* OP; "-" is FILTER_SUB, "!" is FILTER_NOT */
	size_t   pos, len;		/* in the text; of a string: between its quotes */
	uint64_t value;			/* NUMBER, in ns or bytes if it had a unit */
};

/* The token at @pos; the next one begins at *@end. */
int filter_lex(const char *text, size_t pos, struct filter_token *tok, size_t *end,
	       struct kt_err *err);

/* Parse @e->text from @pos on into @e->root. */
int  filter_parse(struct filter_expr *e, size_t pos, struct kt_err *err);
void filter_node_free(struct filter_node *n);

/* Split "events : expr" and prepare the choices; @expr_pos: start of the expression, or -1. */
int  filter_choose(const struct kt_filter *f, struct filter_expr *e, ssize_t *expr_pos,
		   struct kt_err *err);
void filter_choices_free(struct filter_expr *e);
/* A regular expression that matches no event may be a glob, as in record -e. */
int  filter_choice_make_glob(struct filter_choice *c);
bool filter_choice_match(const struct filter_choice *c, const struct event_slot *slot);
bool filter_chooses(const struct filter_expr *e, const struct event_slot *slot);

/* ---- programs ---- */

#define FILTER_PASS (-1)
#define FILTER_DROP (-2)

/* The source of a number */
enum filter_num_kind {
	FILTER_NUM_CONST, FILTER_NUM_LOAD, FILTER_NUM_CPU, FILTER_NUM_DURATION, FILTER_NUM_OP,
};

struct filter_num {
	uint8_t  kind, op;		/* op: of NUM_OP */
	uint8_t  size;			/* LOAD: 1, 2, 4, 8 bytes */
	bool     is_signed;
	uint32_t offset;		/* LOAD; DURATION: of calltime */
	uint32_t offset2;		/* DURATION: of rettime */
	int32_t  left, right;		/* OP: indices of its operands */
	uint64_t value;			/* CONST */
};

/* The source of a text */
enum filter_str_kind {
	FILTER_STR_ARRAY,		/* in the record, @size bytes */
	FILTER_STR_DYNAMIC, FILTER_STR_RELATIVE,
	FILTER_STR_COMM,
	FILTER_STR_SYMBOL,		/* name of the function at the address @num */
	FILTER_STR_POINTER,		/* text of the constant at the address @num, or its
					 * symbol */
};

struct filter_str {
	uint8_t  kind;
	uint32_t offset, size;
	int32_t  num;			/* SYMBOL, POINTER: index of the address */
};

enum filter_test_kind {
	FILTER_TEST_FIELD,		/* compares a field with a constant: the common case */
	FILTER_TEST_NUM,		/* compares two numbers */
	FILTER_TEST_PATTERN,		/* matches a text against a pattern */
	FILTER_TEST_STR,		/* compares two texts */
};

struct filter_test {
	uint8_t  kind, op, size;
	bool     is_signed, negate;
	int32_t  yes, no;		/* index of the next test, FILTER_PASS or FILTER_DROP */
	uint32_t offset;		/* TEST_FIELD */
	uint64_t value;			/* TEST_FIELD */
	int32_t  left, right;		/* TEST_NUM: numbers; TEST_STR, TEST_PATTERN: texts */
	const struct filter_pattern *pattern;
	_Atomic uint64_t *cache;	/* results by task or by address, or NULL */
};

struct filter_program {
	const struct kt_event *event;
	struct filter_test *tests;
	struct filter_num  *nums;
	struct filter_str  *strs;
	size_t  nr_tests, nr_nums, nr_strs;
	int32_t entry;			/* first test, or the answer for all records */
	bool    swap;			/* the file has the other byte order */
	bool    failed;			/* no memory */
};

#define FILTER_CACHE_SLOTS 512		/* power of two */

/* The filter compiled for one file */
struct filter_file {
	size_t index;
	struct kt_trace  *trace;
	struct kt_events *events;
	_Atomic(struct filter_program *) *programs;	/* by event id; NULL: no record of it yet */
	_Atomic uint64_t **caches;	/* results of comparisons, by filter_node.cache */
};

struct kt_filter {
	struct kt_trace *trace;
	struct filter_expr *exprs;
	size_t nr_exprs;
	struct filter_file *files;	/* one for each file of the trace */
	size_t nr_files;
	int nr_caches;
	char **doubts;			/* lines, each owned */
	size_t nr_doubts;
	pthread_mutex_t lock;		/* held while compiling */
};

/* Does an expression keep records of @file? If not, all of them are kept. */
bool filter_keeps_some(const struct kt_filter *f, size_t file);

/* Compiles all expressions that apply to @ev. New (filter_program_free), NULL: no memory. */
struct filter_program *filter_compile(struct kt_filter *f, struct filter_file *file,
				      const struct kt_event *ev);
void filter_program_free(struct filter_program *p);
bool filter_run(const struct filter_program *p, struct filter_file *file,
		const struct kt_record *rec);

enum filter_sense {
	FILTER_SENSE_OK,
	FILTER_SENSE_MISSING,		/* the event lacks the field: the comparison is false */
	FILTER_SENSE_TYPES,		/* number compared with text: the comparison is false */
};

struct filter_complaint {
	const struct filter_node *at;
	char why[160];
};

/* Is the comparison @n valid for @ev? @c may be NULL. */
enum filter_sense filter_check_test(const struct filter_expr *e, const struct kt_event *ev,
				    const struct filter_node *n, struct filter_complaint *c);

/* For @ev, does it compare the name of the function at an address? */
bool filter_asks_function(const struct filter_expr *e, const struct kt_event *ev,
			  const struct filter_node *n);
/* Note probable misspellings below @n. 0, -ENOMEM. */
int filter_doubt(struct kt_filter *f, const struct filter_expr *e, const struct filter_node *n);

/* Do the files that it applies to have all of its events and fields? */
int filter_check(struct kt_filter *f, struct filter_expr *e, struct kt_err *err);
/* The possible results of an expression for an event, known from the text of its format */
enum filter_may {
	FILTER_MAY_MATCH = 1 << 0,
	FILTER_MAY_FAIL  = 1 << 1,
};
unsigned int filter_may(const struct filter_expr *e, const struct event_slot *slot);
/*
 * Can an event pass only for some pids? Adds these to @pids, a bitmap of
 * their low 16 bits; if the result is false, ignore the bitmap.
 */
bool filter_needs_pid(const struct filter_expr *e, const struct event_slot *slot, uint64_t *pids);

/* The first field of the comparison @n that is neither in the format nor always valid, or NULL */
const struct filter_node *filter_absent(const struct filter_expr *e, const struct event_slot *slot,
					const struct filter_node *n);

/* Appends @e for @ev, after folding, to @s. */
void filter_describe(const struct filter_expr *e, const struct kt_event *ev, struct str *s);

#endif
