/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ctf.h - event classes of the Common Trace Format, and their description */
#ifndef EXPORT_CTF_H
#define EXPORT_CTF_H

#include "base/keymap.h"
#include "export/export.h"

/* How a field is stored; the values are little-endian and packed */
enum ctf_type { CTF_INTEGER, CTF_STRING, CTF_SEQUENCE, CTF_FUNCTION };

struct ctf_field {
	const struct kt_field *field;	/* CTF_FUNCTION: the field with the address */
	enum ctf_type type;
};

/* An event of ftrace; each system call has a class of its own in CTF */
struct ctf_plan {
	struct ctf_field *fields;
	size_t nr;
	unsigned int class;
	const struct kt_field *call;	/* of raw_syscalls: the number of the call; else NULL */
	struct keymap calls;		/* from that number to the class */
};

/*
 * The plan of an event, with its class described at the end of @metadata unless it has ->call.
 * New (ctf_plan_destroy), NULL: no memory
 */
struct ctf_plan *ctf_plan_create(const struct kt_event *ev, unsigned int class,
				 struct str *metadata);
void ctf_plan_destroy(struct ctf_plan *p);
/* Describe the class of a system call, "syscall_entry_read" */
void ctf_describe_call(struct str *metadata, const struct kt_event *ev, const struct ctf_plan *p,
		       uint64_t call, unsigned int class);
/* Everything before the classes: the trace, its clock and its stream */
void ctf_describe_trace(struct str *metadata, struct kt_trace *t, const uint8_t uuid[16]);

#endif
