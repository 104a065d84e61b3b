/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* blk.c - the format of the blk tracer's records, for which the kernel has no format file */
#include "event/events.h"

#include <stdio.h>
#include <string.h>

#define FIELD "\tfield:"

/* struct blk_io_trace; its first 8 bytes are the common fields; Linux, blktrace_api.h */
static const char fields[] =
	FIELD "u64 sector;\toffset:16;\tsize:8;\tsigned:0;\n"
	FIELD "u32 bytes;\toffset:24;\tsize:4;\tsigned:0;\n"
	FIELD "u32 action;\toffset:28;\tsize:4;\tsigned:0;\n"
	FIELD "u32 pid;\toffset:32;\tsize:4;\tsigned:0;\n"
	FIELD "u32 device;\toffset:36;\tsize:4;\tsigned:0;\n"
	FIELD "u32 cpu;\toffset:40;\tsize:4;\tsigned:0;\n"
	FIELD "u16 error;\toffset:44;\tsize:2;\tsigned:0;\n"
	FIELD "u16 pdu_len;\toffset:46;\tsize:2;\tsigned:0;\n"
	FIELD "char data[];\toffset:48;\tsize:0;\tsigned:0;\n";

/* struct blk_io_trace2, since Linux 6.19 */
static const char fields2[] =
	FIELD "u64 sector;\toffset:16;\tsize:8;\tsigned:0;\n"
	FIELD "u32 bytes;\toffset:24;\tsize:4;\tsigned:0;\n"
	FIELD "u32 pid;\toffset:28;\tsize:4;\tsigned:0;\n"
	FIELD "u64 action;\toffset:32;\tsize:8;\tsigned:0;\n"
	FIELD "u32 device;\toffset:40;\tsize:4;\tsigned:0;\n"
	FIELD "u32 cpu;\toffset:44;\tsize:4;\tsigned:0;\n"
	FIELD "u16 error;\toffset:48;\tsize:2;\tsigned:0;\n"
	FIELD "u16 pdu_len;\toffset:50;\tsize:2;\tsigned:0;\n"
	FIELD "char data[];\toffset:64;\tsize:0;\tsigned:0;\n";

/* Its type follows that of user_stack, and its common fields are those of all events. */
char *blk_format(const struct kt_events *evs, const struct event_slot *user_stack)
{
	const struct kt_blob format = user_stack->source.format;
	const char *common = memmem(format.data, format.size, "format:\n", 8), *end;
	char *text;

	end = common ? memmem(common, format.data + format.size - common, "\n\n", 2) : NULL;
	if (!end ||
	    asprintf(&text, "name: blktrace\nID: %u\n%.*s\n\n%s\nprint fmt: \"%%d\", REC->pid\n",
			     user_stack->id + 1u, (int)(end - common), common,
			     evs->version >= LINUX(6, 19) ? fields2 : fields) < 0)
		return NULL;
	return text;
}
