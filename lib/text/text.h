/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* text.h - inside of the text layer: the front marks records, writers make lines of them */
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
 * Copies of a fixed size are a few instructions where memcpy is a call; what
 * is copied too much is overwritten by the next column. Whatever is copied so
 * has that much memory behind its start.
 */
#define TEXT_COPY 48

/* Events that get more than the text of their format */
enum text_kind {
	TEXT_PLAIN, TEXT_STACK, TEXT_FUNCTION, TEXT_GRAPH_ENTRY, TEXT_GRAPH_EXIT,
	TEXT_SWITCH, TEXT_WAKEUP,
	TEXT_UNKNOWN,			/* the file has no format of it,
					 * or one that cannot be read */
};

/* A number at a fixed place of the record; size 0: the event has no such field */
struct text_slot {
	uint16_t offset;
	uint8_t  size;
	bool     swap, is_signed;
};

/* The numbers that a kind needs; the names say of which */
enum text_slot_id {
	SLOT_FUNCTION_IP = 0, SLOT_FUNCTION_PARENT,
	SLOT_GRAPH_FUNC = 0, SLOT_GRAPH_DEPTH, SLOT_GRAPH_CALLTIME, SLOT_GRAPH_RETTIME,
	SLOT_GRAPH_RETVAL, SLOT_GRAPH_RETADDR,
	SLOT_SWITCH_NEXT_PID = 0, SLOT_SWITCH_NEXT_PRIO,
	SLOT_WAKEUP_SUCCESS = 0,
	NR_SLOTS = 6
};

/* What is known of an event of a file; made by the front when it first meets one */
struct text_event {
	const struct kt_event *ev;	/* NULL: the file does not know the id */
	enum text_kind   kind;
	enum kt_render   render;
	struct text_slot slot[NR_SLOTS];
	struct text_slot pid, flags, preempt;	/* common fields … */
	bool usual;			/* … at their places of today, in our byte order */
	bool own_newline;		/* one at the end of its text is not that of the line */
	bool graph;			/* … of graph_text(), in a report */
	const struct printer *printer;	/* all that its text needs, or NULL */
	uint32_t usual_size;		/* of a record with the slots that all its kind needs,
					 * if these */
					/* are of 8 bytes, in our byte order; 0: they are not */
	const struct kt_field *args;	/* of a call, or NULL */
	const struct kt_btf *btf;	/* what these are, or NULL */
	const struct kt_field *migrate_disable, *lock_depth;	/* of the common ones, or NULL */
	const struct kt_field *lazy_depth;	/* … of PREEMPT_RT up to Linux 6.11 */
	size_t head_len;
	char  *head;			/* " name:       ", 20 columns and more,
					 * with room after it */
					/* for a copy of fixed size; NULL in JSON */
	struct line line;		/* all after that … */
	uint32_t line_size;		/* … of records of so many bytes and more */
	struct json_plan *json;		/* instead, in JSON */
	struct text_event *next;	/* in kt_text.made */
};

/* What is known of a source; index as in the stream */
struct text_source {
	struct kt_events  *events;
	struct kt_symbols *symbols;
	struct text_event **by_type;	/* EVENT_TYPES of the file, shared by its sources */
	const char *prefix;
	const char *buffer;		/* name of the instance */
	size_t   prefix_len;
	size_t   file;
	uint32_t handle;		/* same for the CPUs of one buffer */
	uint32_t page_size;
	int      cpu;
	bool     in_ns;
};

enum mark_flag {
	MARK_SKIP    = 1 << 0,	/* filtered out, or an exit folded into its entry */
	MARK_LEAF    = 1 << 1,	/* a graph entry with its exit folded in */
	MARK_DIFF    = 1 << 2,	/* @diff is valid */
	MARK_LATENCY = 1 << 3,	/* @duration is a wakeup latency */
	MARK_PAGE    = 1 << 4,	/* first record of its sub-buffer */
	MARK_SEEN    = 1 << 5,	/* decided ahead of its turn */
	MARK_RETVAL  = 1 << 6,	/* a leaf, and @retval is what it returned */
	MARK_NAME    = 1 << 7,	/* a function, and @name at @indent is all its text */
	MARK_CALL    = 1 << 8,	/* a function whose name and indentation are yet to be noted */
	MARK_ALONE   = 1 << 9,	/* a graph exit, and the last entry of its depth is not its own */
};

/* What the order of the records says about one of them */
struct mark {
	const struct text_event *ev;
	uint64_t diff;		/* time since the line before, in the unit printed */
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
	uint16_t indent;	/* calls around a function */
};

#define FUNCTION_INDENT 3	/* columns for each of them */

struct front;
struct line_writer;

/* --pretty: what the options of the plugin function_graph say of calls; all false without it */
struct graph_style {
	bool on, args, retval, retaddr, tail;
};

struct kt_text {
	struct kt_trace  *trace;
	struct kt_filter *filter;
	struct kt_text_opts opts;
	struct text_source *sources;
	size_t nr_sources;
	struct text_event ***events;	/* [file][type] … */
	struct text_event **unknown;	/* [file]: of records without a format */
	struct text_event *made;	/* … owned by this list, as most types have none */
	struct kt_btf **btf;		/* [file], NULL: not needed yet, or there is none */
	size_t nr_files;
	char **prefixes;		/* owned; the sources point to them.
					 * First one for each file */
	size_t nr_prefixes, prefix_width;
	bool symbols_prepared;
	size_t nr_unknown;		/* records of TEXT_UNKNOWN that the front has marked */
	bool until_graph;		/* narrowed only as long as no graph entry has come */
	bool has_run;
	uint64_t base_ts;		/* --align-ts: subtracted when printed */
	struct pretty *pretty;		/* NULL without plugins */
	struct graph_style graph;
	struct front  *front;
	struct line_writer *writer;		/* of kt_text_line and of runs with one thread */
};

/* Bounds-checked; false: the record is too short or the event has no such field. */
static inline bool slot_get(const struct text_slot *s, const struct kt_record *rec, uint64_t *v)
{
	if (!s->size || (uint32_t)s->offset + s->size > rec->size)
		return false;
	*v = load_uint(rec->data + s->offset, s->size, s->swap);
	if (s->is_signed && s->size < 8)
		*v = (uint64_t)((int64_t)(*v << (64 - 8 * s->size)) >> (64 - 8 * s->size));
	return true;
}

/* … for one of the slots that @usual_size is about, which nearly every record has */
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

/* Flags of the record, and the preemption depth above them */
uint32_t text_flags_unusual(const struct kt_record *rec, const struct text_event *te);
static inline uint32_t text_flags(const struct kt_record *rec, const struct text_event *te)
{
	if (__builtin_expect(te->usual && rec->size >= 4, 1))
		return load_u16(rec->data + 2, KT_HOST_BIG);
	return text_flags_unusual(rec, te);
}

/* Where the text of flags is remembered */
#define TEXT_FLAGS 256
static inline uint8_t text_flags_hash(uint32_t flags)
{
	return flags * 0x9e3779b1u >> 24;
}

/* What pieces of a line may ask for */
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

/* Those that are shown: with text_event.lazy_depth 0x20 means what 0x02 means in all others. */
static inline uint32_t text_shown_flags(const struct kt_record *rec, const struct text_event *te)
{
	uint32_t flags = text_flags(rec, te);

	if (__builtin_expect(te->lazy_depth && flags & 0x20, 0))
		flags = (flags & ~0x20u) | 0x02;
	return flags;
}

/* flags.c: FLAG_LETTERS letters of text_flags(), the kernel's or those that trace-cmd knows */
#define FLAG_LETTERS 5
void text_put_flags(char *p, uint32_t flags, enum kt_layout layout);
/* … 7 letters, of events that have te->lazy_depth; after the last */
char *text_put_rt_flags(char *p, uint32_t flags, unsigned int lazy_depth);
/* Fields of some kernels only; negative says "none" for the depth of the big lock. */
char *text_put_extra_flag(char *p, const struct kt_event *ev, const struct kt_field *f,
			  const struct kt_record *rec);

/* event.c: the event of a record, made when first met; never NULL */
/* For x->unknown; new, belongs to @x. NULL: no memory */
struct text_event *text_event_unknown(struct kt_text *x, const struct kt_events *evs);
const struct text_event *text_event_make(struct kt_text *x, const struct kt_record *rec);
void text_event_destroy(struct text_event *te);

/* Front only, since it may make one */
static inline const struct text_event *text_event(struct kt_text *x, const struct kt_record *rec)
{
	const struct text_event *te = x->sources[rec->source].by_type[rec->type];

	return te ? te : text_event_make(x, rec);
}

/* front.c: everything that depends on the order of records */
struct front *front_create(struct kt_text *x);
void front_destroy(struct front *f);
/*
 * An entry and its exit may be parted by records of other buffers, which do
 * not count; so many records are looked past.
 */
#define FRONT_AHEAD 64
/**
 * front_mark - decide about @nr records
 * @marks: as the call before left them for the same records; zero at first
 * @nr_known: @nr, and FRONT_AHEAD more if there are
 *
 * True: some have MARK_CALL.
 */
bool front_mark(struct front *f, const struct kt_record *recs, struct mark *marks, size_t nr,
		size_t nr_known);
/* Fold @next into the entry @rec that @m is of, if it is its exit. */
bool front_fold(struct kt_text *x, const struct kt_record *rec, struct mark *m,
		const struct kt_record *next);
struct calls *front_calls(struct front *f);	/* calls.h: behind front_mark(), in its order */
void front_wakeups(const struct front *f, struct kt_out *out);

/* text.c: the stream is to leave out nothing any more; and what the front knew is forgotten */
int text_widen(struct kt_text *x, struct kt_err *err);

/* run.c: how many threads a run has */
size_t text_threads(const struct kt_text *x);

/* columns.c: lines; one writer per thread */
struct line_writer *writer_create(struct kt_text *x);
void writer_destroy(struct line_writer *w);
/* … and one column of one of them, as it stands in the line */
void writer_column(struct line_writer *w, enum kt_cell_role role, const struct kt_record *rec,
		   const struct mark *m, struct kt_out *out);
struct names *writer_names(struct line_writer *w);
/* Those that are not marked to be skipped */
void writer_lines(struct line_writer *w, const struct kt_record *recs, const struct mark *marks,
		  size_t nr, struct kt_out *out);

/* info.c: what follows the event's name, without newline at the end */
void text_info(const struct kt_text *x, struct names *names, const struct kt_record *rec,
	       const struct mark *m, struct kt_out *out);
/* graph.c, function.c: some of these; false: not of our making */
bool stack_text(const struct kt_text *x, const struct kt_record *rec, const struct mark *m,
		struct kt_out *out);
void graph_prepare(struct kt_text *x);	/* sets x->graph */
void graph_text(const struct kt_text *x, struct names *names, const struct kt_record *rec,
		const struct mark *m, struct kt_out *out);
/* "a=0x1, b=2" of a call of @func, NULL if that has no name; nothing if none were recorded */
void function_args(const char *func, const struct text_event *te, const struct kt_record *rec,
		   struct str *s);
/* Only with an option of the tracer a record of a function has any. */
static inline bool function_has_args(const struct kt_text *x, const struct kt_record *rec,
				     const struct text_event *te)
{
	return te->args && rec->size > te->args->offset && x->opts.layout != KT_LAYOUT_3_1;
}
void function_text(const struct kt_text *x, const struct kt_record *rec, const struct mark *m,
		   struct kt_out *out);

/* debug.c: where a sub-buffer begins, and where a record lies in it */
void debug_page(const struct kt_text *x, const struct kt_record *rec, struct str *s);
void debug_record(const struct kt_text *x, const struct kt_record *rec, struct str *s);

/* json.c: what one thread remembers of its last lines. Zero it. */
struct json_state {
	uint64_t block, block_size;	/* times that differ in their lower digits only;
					 * 0: none … */
	size_t   len;			/* … and the text of the others */
	char     text[NUM_MAX + 24];
	struct json_flags {
		uint32_t key;		/* flags + 1; 0: unused */
		char     text[12];
	} flags[TEXT_FLAGS];
};

/* … and what the pieces of a line are called with */
struct json_context {
	struct input in;		/* first; all of it only where line.asks */
	const struct kt_text   *x;
	const struct kt_record *rec;
	const struct mark      *m;
	size_t start;			/* of what follows the flags */
	struct names  *names;
	struct kt_out *scratch;
	struct json_state state;
};
/* The text has TEXT_COPY bytes of memory. */
void json_task(const struct kt_text *x, const struct text_source *src, const char *comm, int pid,
	       struct str *s);
/* @task: json_task() of the record's; @c: with x, names, scratch and in.out set */
void json_line(struct json_context *c, const struct kt_record *rec, const struct mark *m,
	       const char *task, size_t task_len);

#endif
