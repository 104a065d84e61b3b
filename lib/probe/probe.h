/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* probe.h - the parts of the probe parser */
#ifndef PROBE_PROBE_H
#define PROBE_PROBE_H

#include <ktrail/probe.h>

#include "base/str.h"

/* A definition, to show where it is wrong */
struct probe_text {
	const char *text;	/* the whole definition */
	struct kt_err *err;
};

int probe_fail(const struct probe_text *t, const char *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static inline bool probe_is_user(enum kt_probe_kind kind)
{
	return kind == KT_PROBE_UPROBE || kind == KT_PROBE_URETPROBE;
}

static inline bool probe_is_return(enum kt_probe_kind kind)
{
	return kind == KT_PROBE_KRETPROBE || kind == KT_PROBE_URETPROBE || kind == KT_PROBE_FEXIT;
}

/**
 * probe_args - the arguments from @p to the end of the text, as the kernel spells them
 * @ours: argN, retval, str(…) and C type names are translated
 */
int probe_args(const struct probe_text *t, enum kt_probe_kind kind, const char *p, bool ours,
	       struct str *out);

/**
 * probe_boundaries - where the instructions nearest to @offset in a kernel function begin
 * @size: bytes of the function
 *
 * Returns 1 if @before was found, 2 if @after was, 3 for both, 0 if the kernel gives no answer.
 */
int probe_boundaries(const char *function, unsigned long offset, unsigned long size,
		     unsigned long *before, unsigned long *after);

void probe_fini(struct kt_probe *probe);	/* for one probe in a list */
const char *probe_default_group(enum kt_probe_kind kind);

/* Is @name, @len bytes, a valid name of a group or event? */
bool probe_is_name(const char *name, size_t len);

/* Buffers in which a probe's event is enabled, filtered or has triggers; "": the top-level one */
int probe_users(const struct kt_probe *probe, struct kt_names *out, struct kt_err *err);
/* Content of dynamic_events (or kprobe_events, uprobe_events) as probes. Lines of other kinds and
 * lines that cannot be parsed are skipped. New (kt_probes_destroy), NULL: no memory. */
struct kt_probes *probes_parse(const char *text);
/* The line for dynamic_events; new (free), NULL: no memory */
char *probe_line(const struct kt_probe *probe);

#endif
