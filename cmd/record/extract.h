/* SPDX-License-Identifier: GPL-2.0-or-later */
/* extract.h - the content of buffers into a file: what extract and `capture crash` share */
#ifndef EXTRACT_H
#define EXTRACT_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/rec.h>
#include <ktrail/tracefs.h>

struct extract {
	const char *output;
	bool snapshot, date, quiet;
	bool piped;			/* the output is copied to stdout later */
	struct kt_instance **insts;	/* room for all of them: the caller's; closed by it */
	size_t nr;
	struct kt_names last_boots;	/* their last_boot_info, "NAME:TEXT" */
};

/*
 * Add an open buffer. This reads what its addresses meant in an earlier boot: a later write to any
 * of its settings makes Linux 6.14 and later forget that.
 */
int extract_add(struct extract *x, struct kt_instance *inst, struct kt_err *err);
/* Take all events of the buffers, whose tracing must be off. @o: modified */
int extract_run(struct extract *x, struct kt_rec_opts *o, struct kt_err *err);
/* Frees what extract_add() allocated */
void extract_fini(struct extract *x);

#endif
