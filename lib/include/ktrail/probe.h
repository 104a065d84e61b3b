/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* probe.h - user-defined events: probes and synthetic events */
#ifndef KTRAIL_PROBE_H
#define KTRAIL_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/tracefs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== kprobes, uprobes, fprobes, eprobes, tracepoint probes ==== */

enum kt_probe_kind {
	KT_PROBE_KPROBE, KT_PROBE_KRETPROBE,
	KT_PROBE_UPROBE, KT_PROBE_URETPROBE,
	KT_PROBE_FPROBE, KT_PROBE_FEXIT,
	KT_PROBE_TRACEPOINT, KT_PROBE_EPROBE,
	KT_NR_PROBE_KINDS
};

struct kt_probe {
	enum kt_probe_kind kind;
	unsigned int maxactive;		/* for return probes; 0: chosen by the kernel */
	char *group, *event;		/* NULL: chosen by the kernel */
	bool named;			/* the caller chose @event */
	char *place;			/* "vfs_read+0x10", "/bin/bash:0x1234",
					 * "sched.sched_switch" */
	char *args;			/* "fd=%di:x64 …", with the "if …" of an eprobe; may be
					 * "" */
	/* for a probe that exists in the kernel (kt_probes_read) */
	bool     enabled;		/* in at least one instance */
	bool     shared;		/* @event has further probes */
	bool     counted;		/* the kernel counts hits of this kind */
	uint64_t hits, misses;		/* with @counted */
};

struct kt_probes {
	size_t nr;
	struct kt_probe *at;
};

/* "kprobe", "uretprobe" … as users write it */
const char *kt_probe_kind_name(enum kt_probe_kind kind);

/**
 * kt_probe_parse - parse a definition in the kernel's syntax or in ours
 * @text: "p:vfs_read vfs_read fd=%di:x64", "uprobe:libc.so.6:malloc size=arg1:u64",
 *        or only a kernel function; Documentation/ktrail-probe.md describes the syntax
 *
 * A symbol of a program or library becomes the offset in its file; argN and
 * retval become the kernel's syntax for such a place. Returns new
 * (kt_probe_destroy), or NULL:
 *   -EINVAL  with an excerpt and a caret under the error
 *   -ENOENT  no such file or symbol; the message has the nearest name
 */
struct kt_probe *kt_probe_parse(const char *text, struct kt_err *err);
void kt_probe_destroy(struct kt_probe *probe);

void kt_probes_destroy(struct kt_probes *probes);

/**
 * kt_probes_read - all probes in the kernel, with their hits and whether they are enabled
 *
 * Returns new (kt_probes_destroy), or NULL: not available, -ENOMEM. The list is empty
 * for a kernel that does not support probes.
 */
struct kt_probes *kt_probes_read(const struct kt_instance *inst, struct kt_err *err);
/* "GROUP:EVENT", "GROUP/EVENT" or "EVENT" (in any group), with '*', '?' and '[' */
bool kt_probe_matches(const struct kt_probe *probe, const char *pattern);

/**
 * kt_probe_add - define a probe
 * @have: existing probes: a name chosen by us gets a number if it is used already
 *
 *   -EEXIST   the requested event name exists already
 *   -ENOTSUP  this kernel does not support the kind; the message names version and CONFIG_
 */
int kt_probe_add(struct kt_instance *inst, struct kt_probe *probe, const struct kt_probes *have,
		 struct kt_err *err);
/* Enable the event of an added probe in the buffer @inst. 0 or a negative errno */
int kt_probe_enable(struct kt_instance *inst, const struct kt_probe *probe, struct kt_err *err);
/**
 * kt_probe_remove - disable and remove a probe
 * @inst:  the top-level buffer
 * @owner: the instance that may use it, "" for the top-level buffer
 * @force: disable it in other instances as well
 *
 *   -EBUSY    another instance uses it; the message names that instance
 */
int kt_probe_remove(struct kt_instance *inst, const struct kt_probe *probe, const char *owner,
		    bool force, struct kt_err *err);
/* After the kernel refused a removal with -EBUSY: add the trigger that uses the event to the
 * message. */
void kt_probe_explain_busy(const struct kt_probe *probe, struct kt_err *err);
/* After the kernel refused @probe: add a suggestion to the message. */
void kt_probe_explain(const struct kt_probe *probe, struct kt_err *err);

/* ==== synthetic events, and queries that make them ==== */

struct kt_synth {
	char *name;
	char *fields;		/* "u64 lat; pid_t pid" */
};

struct kt_synths {
	size_t nr;
	struct kt_synth *at;
};

/* The synthetic events of the kernel. 0; -ENOTSUP: built without CONFIG_SYNTH_EVENTS; -ENOMEM */
int  kt_synths_read(const struct kt_instance *inst, struct kt_synths *out, struct kt_err *err);
void kt_synths_fini(struct kt_synths *synths);

/**
 * kt_synth_add - define a synthetic event
 * @text: "NAME TYPE FIELD; TYPE FIELD …", or "NAME FIELD:TYPE FIELD:TYPE …"
 *
 *   -EINVAL  with an excerpt; -EEXIST: it exists already; -ENOTSUP as above
 */
int kt_synth_add(struct kt_instance *inst, const char *text, struct kt_err *err);
/* @pattern: with '*', '?', '['; matches the name, or the event name "synthetic:NAME" */
bool kt_synth_matches(const struct kt_synth *synth, const char *pattern);
/* Remove those that match. Returns their number. */
int kt_synth_remove(struct kt_instance *inst, const char *pattern, struct kt_err *err);
/* After the kernel refused a removal with -EBUSY: add the users of the event to the message. */
void kt_synth_explain(const struct kt_instance *inst, const char *pattern, struct kt_err *err);

enum kt_sql_handler { KT_SQL_ONMATCH, KT_SQL_ONMAX, KT_SQL_ONCHANGE };

struct kt_sql {
	const char *query;		/* SELECT … FROM … [JOIN … ON …] [WHERE …] */
	const char *name;		/* of the synthetic event */
	enum kt_sql_handler handler;
	const char *variable;		/* for ONMAX and ONCHANGE */
	bool snapshot, trace;		/* actions of the handler */
	const char *save;		/* fields to save, separated by commas; NULL: none */
};

/**
 * kt_sql_define - define the synthetic event and triggers, or the hist trigger, for a query
 *
 * Names of events and fields are checked first: -EINVAL or -ENOENT with an
 * excerpt. libtracefs parses the query itself (tracefs_sql(3)).
 */
int kt_sql_define(struct kt_instance *inst, const struct kt_sql *sql, struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
