/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* text.h - the inside of the text layer: the front marks records, writers print them */
#ifndef TEXT_TEXT_H
#define TEXT_TEXT_H

#include <ktrail/text.h>

#include "base/bytes.h"
#include "base/num.h"
#include "base/out.h"
#include "format/events.h"
#include "symbols/names.h"
#include "trace/pretty.h"
#include "printer/program.h"
#include "base/word.h"

#define EVENT_TYPES (1 << 16)

/*
 * A copy of fixed size is a few instructions, where memcpy would be a call. The next column
 * overwrites the excess bytes. So each copied text needs this many readable bytes from its start.
 */
#define TEXT_COPY 48

/* Events that need more than the text of their format */
enum text_kind {
	TEXT_PLAIN, TEXT_STACK, TEXT_FUNCTION, TEXT_GRAPH_ENTRY, TEXT_GRAPH_EXIT,
	TEXT_SWITCH, TEXT_WAKEUP,
	TEXT_UNKNOWN,			/* the file has no format for it, or an unreadable one */
};

/* A number at a fixed place of the record; size 0: the event lacks the field */
struct text_slot {
	uint16_t offset;
	uint8_t  size;
	bool     swap, is_signed;
};

/* The numbers that each kind uses */
enum text_slot_id {
	SLOT_FUNCTION_IP = 0, SLOT_FUNCTION_PARENT,
	SLOT_GRAPH_FUNC = 0, SLOT_GRAPH_DEPTH, SLOT_GRAPH_CALLTIME, SLOT_GRAPH_RETTIME,
	SLOT_GRAPH_RETVAL, SLOT_GRAPH_RETADDR,
	SLOT_SWITCH_NEXT_PID = 0, SLOT_SWITCH_NEXT_PRIO,
	SLOT_WAKEUP_SUCCESS = 0,
	NR_SLOTS = 6
};

/* An event of a file; the front creates it at the first record */
struct text_event {
	const struct kt_event *ev;	/* NULL: the file does not have the id */
	enum text_kind   kind;
	enum kt_render   render;
	struct text_slot slot[NR_SLOTS];
	struct text_slot pid, flags, preempt;	/* common fields */
	bool usual;			/* these are at their current places, in host byte order,
					 * and there is no @lazy_depth */
	bool own_newline;		/* a newline at the end of its text does not end the line */
	bool graph;			/* graph_text() prints the text of a report */
	const struct printer *printer;	/* prints the whole text by itself, or NULL */
	uint32_t usual_size;		/* of a record with all slots that its kind needs; 0 unless
					 * these have 8 bytes, in host byte order */
	const struct kt_field *args;	/* of a function call, or NULL */
	const struct kt_btf *btf;	/* types of these arguments, or NULL */
	const struct kt_field *migrate_disable, *lock_depth;	/* common fields, or NULL */
	const struct kt_field *lazy_depth;	/* the same for PREEMPT_RT up to Linux 6.11 */
	bool more_flags;		/* one of these three is not NULL */
	size_t head_len;
	char  *head;			/* " name:       ", at least 20 columns, followed by room
					 * for a copy of fixed size; NULL in JSON */
	struct line line;		/* everything after the head */
	uint32_t line_size;		/* least size of a record for @line */
	struct json_plan *json;		/* used instead for JSON */
	struct text_event *next;	/* in kt_text.made */
};

/* A source; index as in the stream */
struct text_source {
	struct kt_events  *events;
	struct kt_symbols *symbols;
	struct text_event **by_type;	/* EVENT_TYPES of the file, shared by its sources */
	const char *prefix;
	const char *buffer;		/* name of the instance */
	size_t   prefix_len;
	size_t   file;
	uint32_t handle;		/* the same for all CPUs of a buffer */
	uint32_t page_size;
	int      cpu;
	bool     in_ns;
	uint64_t wall;			/* opts.wall: nanoseconds to add, else 0 */
};

enum mark_flag {
	MARK_SKIP    = 1 << 0,	/* filtered out, or an exit folded into its entry */
	MARK_LEAF    = 1 << 1,	/* a graph entry together with its exit */
	MARK_DIFF    = 1 << 2,	/* @diff is valid */
	MARK_LATENCY = 1 << 3,	/* @duration is a wakeup latency */
	MARK_PAGE    = 1 << 4,	/* first record of its sub-buffer */
	MARK_SEEN    = 1 << 5,	/* decided before its turn */
	MARK_RETVAL  = 1 << 6,	/* a leaf with its return value in @retval */
	MARK_NAME    = 1 << 7,	/* a function whose text is only @name, at @indent */
	MARK_CALL    = 1 << 8,	/* a function; its name and indentation are not noted yet */
	MARK_ALONE   = 1 << 9,	/* a graph exit that does not match the last entry of its depth */
};

/* Facts about a record that depend on the order of records */
struct mark {
	const struct text_event *ev;
	uint64_t diff;		/* time since the previous line, in the unit printed */
	union {
		struct {		/* MARK_LEAF, MARK_LATENCY */
			uint64_t duration;	/* ns */
			uint64_t retval;
		};
		struct {		/* MARK_NAME */
			const char *name;	/* borrowed from the symbols; PUT_SLACK readable */
			size_t      name_len;
		};
	};
	uint16_t flags;		/* enum mark_flag */
	uint16_t indent;	/* nesting depth of a function */
};

#define FUNCTION_INDENT 3	/* columns for each level */

struct front;
struct line_writer;

/* --pretty: options of the plugin function_graph; all false without it */
struct graph_style {
	bool on, args, retval, retaddr, tail;
};

struct kt_text {
	struct kt_trace  *trace;
	struct kt_filter *filter;
	struct kt_text_opts opts;
	struct text_source *sources;
	size_t nr_sources;
	struct text_event ***events;	/* [file][type] */
	struct text_event **unknown;	/* [file]: of records without a format */
	struct text_event *made;	/* list that owns all of them; most types have none */
	struct kt_btf **btf;		/* [file], NULL: not needed yet, or not available */
	size_t nr_files;
	char **prefixes;		/* owned, used by sources; those of the files come first */
	size_t nr_prefixes, prefix_width;
	bool symbols_prepared;
	size_t nr_unknown;		/* TEXT_UNKNOWN records marked so far */
	bool until_graph;		/* the stream is narrowed until a graph entry comes */
	bool has_run;
	uint64_t base_ts;		/* --align-ts: subtracted when printed */
	struct pretty *pretty;		/* NULL without plugins */
	struct graph_style graph;
	struct front  *front;
	struct line_writer *writer;		/* of kt_text_line() and of runs with one thread */
};

/* Bounds-checked; false: the record is too short or the event lacks the field. */
static inline bool slot_get(const struct text_slot *s, const struct kt_record *rec, uint64_t *v)
{
	if (!s->size || (uint32_t)s->offset + s->size > rec->size)
		return false;
	*v = load_uint(rec->data + s->offset, s->size, s->swap);
	if (s->is_signed && s->size < 8)
		*v = (uint64_t)((int64_t)(*v << (64 - 8 * s->size)) >> (64 - 8 * s->size));
	return true;
}

/* The same for a slot that @usual_size covers, as for nearly every record */
static inline bool slot_get_usual(const struct text_event *te, enum text_slot_id id,
				  const struct kt_record *rec, uint64_t *v)
{
	if (__builtin_expect(te->usual_size - 1 >= rec->size, 0))
		return slot_get(&te->slot[id], rec, v);
	*v = load_u64(rec->data + te->slot[id].offset, false);
	return true;
}

int text_pid_unusual(const struct kt_text *x, const struct kt_record *rec,
		     const struct text_event *te);
static inline int text_pid(const struct kt_text *x, const struct kt_record *rec,
			   const struct text_event *te)
{
	if (__builtin_expect(te->usual && rec->size >= 8, 1))
		return load_u32(rec->data + 4, false);
	return text_pid_unusual(x, rec, te);
}

/* Flags of the record, with the preemption depth in the bits above */
uint32_t text_flags_unusual(const struct kt_record *rec, const struct text_event *te);
static inline uint32_t text_flags(const struct kt_record *rec, const struct text_event *te)
{
	if (__builtin_expect(te->usual && rec->size >= 4, 1))
		return load_u16(rec->data + 2, KT_HOST_BIG);
	return text_flags_unusual(rec, te);
}

/* Size of the cache for the text of flags */
#define TEXT_FLAGS 256
static inline uint8_t text_flags_hash(uint32_t flags)
{
	return flags * 0x9e3779b1u >> 24;
}

/* Sets the input that pieces of a line may read */
static inline void text_set_input(const struct kt_text *x, const struct kt_record *rec,
				  const struct text_event *te, struct input *in)
{
	struct kt_events *evs = x->sources[rec->source].events;

	*in = (struct input){
		.p = (const struct program *)te->ev->program, .evs = evs,
		.symbols = events_symbols(evs, rec), .data = rec->data, .size = rec->size,
		.swap = evs->swap, .out = in->out,
		.most = in->out->text.len + PROGRAM_TEXT_MAX,
	};
}

/* cells.c: "%16s-%-5d", or "%8.8s-%-5d" with opts.latency */
void text_add_task(const struct kt_text *x, const char *comm, int pid, struct str *s);

/* The shown flags: with text_event.lazy_depth, 0x20 means what 0x02 means in other kernels. */
static inline uint32_t text_shown_flags(const struct kt_record *rec, const struct text_event *te)
{
	uint32_t flags = text_flags(rec, te);

	if (!te->usual && te->lazy_depth && flags & 0x20)
		flags = (flags & ~0x20u) | 0x02;
	return flags;
}

/* flags.c: FLAG_LETTERS letters for text_flags(), with all of the kernel's or those of trace-cmd */
#define FLAG_LETTERS 5
void text_put_flags(char *p, uint32_t flags, enum kt_layout layout);
/* 7 letters, for events that have te->lazy_depth; returns the end */
char *text_put_rt_flags(char *p, uint32_t flags, unsigned int lazy_depth);
/* Fields of some kernels only; for the depth of the big lock, negative means none. */
char *text_put_extra_flag(char *p, const struct kt_event *ev, const struct kt_field *f,
			  const struct kt_record *rec);

/* event.c: for x->unknown; new, owned by @x. NULL: no memory */
struct text_event *text_event_unknown(struct kt_text *x, const struct kt_events *evs);
/* The event of a record, created at its first record; never NULL */
const struct text_event *text_event_make(struct kt_text *x, const struct kt_record *rec);
void text_event_destroy(struct text_event *te);

/* Only for the front, since it may create one */
static inline const struct text_event *text_event(struct kt_text *x, const struct kt_record *rec)
{
	const struct text_event *te = x->sources[rec->source].by_type[rec->type];

	return te ? te : text_event_make(x, rec);
}

/* front.c: everything that depends on the order of records */
struct front *front_create(struct kt_text *x);
void front_destroy(struct front *f);
/*
 * How many records of other buffers the front looks past, between an entry and its exit. With
 * the kernel's layout these are records of other CPUs, of which there may be many.
 */
static inline size_t front_ahead(const struct kt_text *x)
{
	return x->opts.layout == KT_LAYOUT_KERNEL ? 4096 : 64;
}
/**
 * front_mark - decide about @nr records
 * @marks: as the previous call left them for the same records; zero at first
 * @nr_known: @nr, plus up to front_ahead() records after them
 *
 * True: some have MARK_CALL.
 */
bool front_mark(struct front *f, const struct kt_record *recs, struct mark *marks, size_t nr,
		size_t nr_known);
/* How many of @nr records come before the first that depends on a record not read yet */
size_t front_nr_known(struct front *f, const struct kt_record *recs, size_t nr);
/* opts.limit is reached: nothing more will be printed */
bool front_is_full(const struct front *f);
/* Fold @next into the entry @rec with mark @m if it is its exit. */
bool front_fold(struct kt_text *x, const struct kt_record *rec, struct mark *m,
		const struct kt_record *next);
struct calls *front_calls(struct front *f);	/* calls.h: after front_mark(), in its order */
void front_wakeups(const struct front *f, struct kt_out *out);

/* text.c: the stream no longer omits records, and the state of the front is reset */
int text_widen(struct kt_text *x, struct kt_err *err);

/* run.c: the number of threads of a run */
size_t text_threads(const struct kt_text *x);

/* columns.c: lines; one writer per thread */
struct line_writer *writer_create(struct kt_text *x);
void writer_destroy(struct line_writer *w);
/* one column of a line, as in the line */
void writer_column(struct line_writer *w, enum kt_cell_role role, const struct kt_record *rec,
		   const struct mark *m, struct kt_out *out);
struct names *writer_names(struct line_writer *w);
/* Prints records that are not marked to be skipped */
void writer_lines(struct line_writer *w, const struct kt_record *recs, const struct mark *marks,
		  size_t nr, struct kt_out *out);

/* info.c: the text after the event's name, without newline at the end */
void text_info(const struct kt_text *x, struct names *names, const struct kt_record *rec,
	       const struct mark *m, struct kt_out *out);
/* graph.c, function.c: texts of some events; false: use the event's own text */
bool stack_text(const struct kt_text *x, const struct kt_record *rec, const struct mark *m,
		struct kt_out *out);
void graph_prepare(struct kt_text *x);	/* sets x->graph */
void graph_text(const struct kt_text *x, struct names *names, const struct kt_record *rec,
		const struct mark *m, struct kt_out *out);
/* "a=0x1, b=2" for a call of @func, NULL if it has no name; nothing if no arguments are recorded */
void function_args(const struct kt_text *x, const char *func, const struct text_event *te,
		   const struct kt_record *rec, struct str *s);
/* Only an option of the tracer adds arguments to function records. */
static inline bool function_has_args(const struct kt_text *x, const struct kt_record *rec,
				     const struct text_event *te)
{
	return te->args && rec->size > te->args->offset && x->opts.layout != KT_LAYOUT_3_1;
}
void function_text(const struct kt_text *x, const struct kt_record *rec, const struct mark *m,
		   struct kt_out *out);

/* debug.c: the place of a sub-buffer, and of a record in it */
void debug_page(const struct kt_text *x, const struct kt_record *rec, struct str *s);
void debug_record(const struct kt_text *x, const struct kt_record *rec, struct str *s);

/* json.c: a thread's cache of its last lines. Zero it. */
struct json_state {
	uint64_t block, block_size;	/* range of times with the same upper digits; size 0:
					 * none */
	size_t   len;			/* length of the text of these digits */
	char     text[NUM_MAX + 24];
	struct json_flags {
		uint32_t key;		/* flags + 1; 0: unused */
		char     text[12];
	} flags[TEXT_FLAGS];
};

/* the argument of the pieces of a line */
struct json_context {
	struct input in;		/* first; complete only if line.asks */
	const struct kt_text   *x;
	const struct kt_record *rec;
	const struct mark      *m;
	size_t start;			/* of the text after the flags */
	struct names  *names;
	struct kt_out *scratch;
	struct json_state state;
};
/* The text has TEXT_COPY bytes of memory. */
void json_task(const struct kt_text *x, const struct text_source *src, const char *comm, int pid,
	       struct str *s);
/* date.c: seconds and nanoseconds since 1970 as local time; TEXT_DATE bytes must be writable */
#define TEXT_DATE 64
char *text_put_date(char *p, uint64_t second);
char *text_put_date_ns(char *p, uint64_t ns);

/* @task: from json_task() of the record; @c: with x, names, scratch and in.out set */
void json_line(struct json_context *c, const struct kt_record *rec, const struct mark *m,
	       const char *task, size_t task_len);

#endif
