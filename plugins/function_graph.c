/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* function_graph.c - calls and returns as sentences that are complete by themselves */
#include <ktrail/plugin.h>

#include <string.h>

/*
 * The report draws the graph of nested calls, which needs the records around each record.
 * This plugin is for views that show a single record, and for the columns.
 */
static int is_on(const struct kt_host *host, const char *name)
{
	const char *value = host->option(host, name);

	return value && strcmp(value, "0");
}

/* The kernel stops at about 50. */
#define MAX_DEPTH 256

static void indent(const struct kt_host *host, const struct kt_record *rec, struct kt_out *out)
{
	uint64_t depth;

	if (host->field_u64(rec, "depth", &depth) < 0)
		return;
	if (depth < MAX_DEPTH)
		host->print(out, "%*s", (int)(2 * depth), "");
	else
		host->print(out, "[%llu] ", (unsigned long long)depth);
}

/* The kernel's marks for long calls: + 10 us, ! 100 us, # 1 ms, * 10 ms, @ 100 ms, $ 1 s. */
static const char *mark(uint64_t ns)
{
	static const struct {
		uint64_t over;
		const char *mark;
	} marks[] = {
		{ 1000000000, "$ " }, { 100000000, "@ " }, { 10000000, "* " }, { 1000000, "# " },
		{ 100000, "! " }, { 10000, "+ " },
	};
	size_t i;

	for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (ns > marks[i].over)
			return marks[i].mark;
	return "";
}

/* All registers that can hold arguments, in hex like a kernel without BTF. */
static void print_args(const struct kt_host *host, const struct kt_record *rec, struct kt_out *out)
{
	uint64_t value;
	size_t i;

	for (i = 0; host->field_elem(rec, "args", i, &value) == 0; i++)
		host->print(out, "%s0x%llx", i ? ", " : "", (unsigned long long)value);
}

#define MAX_PROLOGUE 16			/* bytes: the traced instruction may come after endbr64 */

static void print_function(const struct kt_host *host, const struct kt_record *rec,
			   struct kt_out *out, uint64_t func)
{
	const char *name;
	uint64_t offset;

	if (host->symbol(rec, func, &name, &offset) == 0 && offset <= MAX_PROLOGUE)
		func -= offset;
	host->value(rec, out, "symbol", func);
}

static int entry(const struct kt_host *host, const struct kt_record *rec, struct kt_out *out)
{
	uint64_t func, retaddr;

	if (host->field_u64(rec, "func", &func) < 0)
		return KT_PLUGIN_PASS;
	indent(host, rec, out);
	print_function(host, rec, out, func);
	host->text(out, "(", 1);
	if (is_on(host, "args"))
		print_args(host, rec, out);
	host->text(out, ") {", 3);
	if (is_on(host, "retaddr") && host->field_u64(rec, "retaddr", &retaddr) == 0) {
		host->text(out, " /* <-", 6);
		host->value(rec, out, "symbol", retaddr);
		host->text(out, " */", 3);
	}
	return 0;
}

static int leave(const struct kt_host *host, const struct kt_record *rec, struct kt_out *out)
{
	uint64_t func, call, ret, value;

	if (host->field_u64(rec, "func", &func) < 0 ||
	    host->field_u64(rec, "calltime", &call) < 0 ||
	    host->field_u64(rec, "rettime", &ret) < 0)
		return KT_PLUGIN_PASS;
	indent(host, rec, out);
	host->print(out, "} %s", mark((int64_t)(ret - call) < 0 ? 0 : ret - call));
	host->value(rec, out, "time", ret - call);
	if (is_on(host, "tailprint")) {
		host->text(out, " /* ", 4);
		print_function(host, rec, out, func);
		host->text(out, " */", 3);
	}
	if (is_on(host, "retval") && host->field_u64(rec, "retval", &value) == 0) {
		/* an int leaves the upper half zero; the kernel extends its sign, too */
		if (value >> 32 == 0 && (int32_t)value < 0 && (int32_t)value >= -4095)
			value = (uint64_t)(int32_t)value;
		host->text(out, " = ", 3);
		host->value(rec, out, (int64_t)value < 0 &&
			    (int64_t)value >= -4095 ? "errno" : "hex",
			    value);
	}
	return 0;
}

static int format(void *self, const struct kt_host *host, const struct kt_record *rec,
		  struct kt_out *out)
{
	(void)self;
	return strstr(host->event(rec), "_exit") ? leave(host, rec, out) : entry(host, rec, out);
}

static const struct kt_plugin_option options[] = {
	{ "tailprint", "1", "name the function at its end" },
	{ "args", "1", "what the function was called with, where it is recorded" },
	{ "retval", "1", "what the function returned, where it is recorded" },
	{ "retaddr", "1", "where the function was called from, where it is recorded" },
	{ NULL, NULL, NULL },
};

static const struct kt_column columns[] = {
	{ "duration", "ftrace/funcgraph_exit", KT_COLUMN_TIME_NS, "rettime-calltime",
	  "time in the function" },
	{ NULL, NULL, 0, NULL, NULL },
};

static const char *const events[] = { "ftrace/funcgraph_*", "ftrace/fgraph_retaddr_*", NULL };

KT_PLUGIN(.name = "function_graph", .summary = "calls and returns, with durations",
	  .events = events, .format = format, .options = options, .columns = columns);
