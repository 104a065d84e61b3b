/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfetto_numbers.h - numbers of the fields in Perfetto's messages, to write and to read them */
#ifndef EXPORT_PERFETTO_NUMBERS_H
#define EXPORT_PERFETTO_NUMBERS_H

/* Source of all numbers: Perfetto, protos/perfetto/trace */
#define TRACE_PACKET		1	/* the only field of a trace */
/* TracePacket */
#define PACKET_BUNDLE		1
#define PACKET_PROCESS_TREE	2
#define PACKET_SEQUENCE_ID	10
#define PACKET_INTERNED_DATA	12
#define PACKET_SEQUENCE_FLAGS	13
#define PACKET_SYSTEM_INFO	45
#define PACKET_COMPRESSED	50
/* flags: earlier state is cleared; earlier state is needed */
#define SEQUENCE_CLEARED	1
#define SEQUENCE_NEEDS_STATE	2
/* FtraceEventBundle, FtraceEvent, and a generic one */
#define BUNDLE_CPU		1
#define BUNDLE_EVENT		2
#define BUNDLE_LOST		3
#define BUNDLE_SCHED		4
#define BUNDLE_CLOCK		5
#define EVENT_TIMESTAMP		1
#define EVENT_PID		2
#define EVENT_FLAGS		5
#define GENERIC_NAME		1
#define GENERIC_FIELD		2
#define FIELD_NAME		1
#define FIELD_TEXT		3
#define FIELD_SIGNED		4
#define FIELD_UNSIGNED		5
#define PRINT_IP		1
#define PRINT_TEXT		2
/* InternedData, and a string in it */
#define INTERNED_KERNEL_SYMBOL	26
#define STRING_ID		1
#define STRING_TEXT		2
/* ProcessTree and its threads */
#define TREE_PROCESS		1
#define TREE_THREAD		2
#define PROCESS_PID		1
#define PROCESS_CMDLINE		3
#define THREAD_TID		1
#define THREAD_NAME		2
#define THREAD_TGID		3
/* SystemInfo and Utsname */
#define SYSTEM_UTSNAME		1
#define UTSNAME_SYSNAME		1
#define UTSNAME_RELEASE		3
#define UTSNAME_MACHINE		4

#endif
